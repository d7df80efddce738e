"""Every function of the interface is asked nonsense: real calls, noted while games are played, with numbers out of range
in their arguments and in their memory. A refusal is right, and so is an answer; a crash or a byte beside the memory is not.
`make check-native` lets the sanitizers look on."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass

import pytest

from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic import learn
from nimmt_lab.native import Argument, Core, Memory, NativeError, build, core, loader
from nimmt_lab.native.loader import Address
from nimmt_lab.native.work import LAYOUT

from .workloads import bots, learning, rounds, steps, turns

#: Arguments that say how much memory there is: less may be claimed, never more.
ROOM = {"size", "bytes", "words", "count", "chances"}
#: How much to do: too much is refused or takes its time, so only what must be refused is tried.
AMOUNTS = {"rounds", "playouts", "positions", "turns"}
EDGES = (
    -(2**31),
    -(2**16),
    -2,
    -1,
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    10,
    11,
    15,
    16,
    17,
    31,
    32,
    63,
    64,
    104,
    105,
    127,
    128,
    255,
    256,
    2**16,
    2**31 - 1,
)
REFUSALS = {-1, -2, -3}
TRIES = 500


@dataclass(frozen=True)
class Function:
    name: str
    #: Type and name of each argument.
    arguments: tuple[tuple[str, str], ...]

    @property
    def opaque(self) -> bool:
        """Whether it works on memory that only the core understands."""
        return any(kind == "void *" for kind, _ in self.arguments)


def functions() -> dict[str, Function]:
    """The interface as the headers declare it."""
    found = {}
    for header in build.headers():
        for name, listed in re.findall(
            r"^NL_API int32_t (nl_\w+)\(([^)]*)\);", header.read_text(encoding="utf-8"), re.MULTILINE
        ):
            arguments = [] if listed == "void" else [" ".join(one.split()) for one in listed.split(",")]
            parts = [re.fullmatch(r"(?:const )?(\w+ \*?)(\w+)", one) for one in arguments]
            assert all(parts), f"{name}: {listed}"
            found[name] = Function(name, tuple((part[1].strip(), part[2]) for part in parts if part))
    return found


FUNCTIONS = functions()


class Noting(Core):
    """Passes everything on, and keeps some calls of each function with the memory they were made with."""

    def __init__(self, inner: Core) -> None:
        self.inner, self.name = inner, inner.name
        self.asked: Counter[str] = Counter()
        self.calls: dict[str, list[list[int | bytes]]] = {}

    def memory(self, size: int) -> Memory:
        return self.inner.memory(size)

    def ask(self, function: str, *arguments: Argument) -> int:
        self.asked[function] += 1
        times = self.asked[function]
        if times & (times - 1) == 0 or times % 97 == 0:  # the first, the second, the fourth …
            noted: list[int | bytes] = []
            for one in arguments:
                if isinstance(one, int):
                    noted.append(one)
                else:
                    block = one.memory if isinstance(one, Address) else one
                    at = one.address - block.address
                    noted.append(block.get(at, block.size - at))
            self.calls.setdefault(function, []).append(noted)
        return self.inner.ask(function, *arguments)


@pytest.fixture(scope="module")
def noted() -> Noting:
    found = core()
    assert found is not None
    before, block, seconds = loader._found[:], learn.BLOCK, loader.SLICE_SECONDS
    noting = Noting(found)
    loader._found[:], learn.BLOCK, loader.SLICE_SECONDS = [noting], 3, 1e9
    try:
        rounds()
        turns()
        steps()
        bots()
        learning()
    finally:
        loader._found[:], learn.BLOCK, loader.SLICE_SECONDS = before, block, seconds
    return noting


class Room:
    """Memory with a mark behind its end, unless a sanitizer watches the end itself."""

    def __init__(self, found: Core, data: bytes) -> None:
        self.mark = b"" if "watched" in found.name else b"\xa5" * 64
        self.memory, self.size = found.memory(len(data) + len(self.mark)), len(data)
        self.memory.put(0, data + self.mark)

    @property
    def whole(self) -> bool:
        return self.memory.get(self.size, len(self.mark)) == self.mark


def spoilt(kind: str, data: bytes, rng: Rng) -> tuple[bytes, Rng]:
    """The memory with one to three numbers of it changed."""
    changed = bytearray(data)
    times, rng = rng.below(3)
    for _ in range(times + 1):
        edge, rng = rng.below(len(EDGES))
        if kind == "nl_work *":
            which, rng = rng.below(len(LAYOUT))
            name = list(LAYOUT)[which]
            code, count = LAYOUT[name]
            number, rng = rng.below(count)
            size = array(code).itemsize
            before = list(LAYOUT.values())[:which]
            at = sum(array(c).itemsize * n for c, n in before) + size * number
        else:
            wide, rng = rng.below(3)
            size = (1, 4, 8)[wide]
            number, rng = rng.below(max(1, len(data) // size))
            at = size * number
        if at + size <= len(changed):
            changed[at : at + size] = (EDGES[edge] % 256**size).to_bytes(size, "little")
    return bytes(changed), rng


def asked_with(found: Core, function: Function, call: list[int | bytes], rng: Rng) -> tuple[int, Rng]:
    """The call with one of its arguments spoilt."""
    which, rng = rng.below(len(call))
    given: list[Argument] = []
    rooms = []
    for i, ((kind, name), one) in enumerate(zip(function.arguments, call, strict=True)):
        if isinstance(one, bytes):
            if i == which:
                one, rng = spoilt(kind, one, rng)
            rooms.append(Room(found, one))
            given.append(rooms[-1].memory)
        else:
            if i == which:
                edge, rng = rng.below(len(EDGES))
                number = EDGES[edge]
                if name in ROOM:
                    number = min(number, one)
                if name in AMOUNTS and 300 < number < 2**31 - 1:
                    number = -number
                one = number
            given.append(one)
    result = found.ask(function.name, *given)
    assert all(room.whole for room in rooms), f"{function.name} wrote beside its memory"
    return result, rng


def test_the_headers_are_read_and_every_function_is_in_the_library() -> None:
    found = core()
    assert found is not None
    assert FUNCTIONS["nl_rng_shuffle"].arguments == (
        ("uint64_t *", "state"),
        ("uint8_t *", "items"),
        ("int32_t", "count"),
        ("int32_t", "take"),
    )
    assert FUNCTIONS["nl_interface"].arguments == ()
    sources = "\n".join(path.read_text(encoding="utf-8") for path in build.sources())
    assert set(re.findall(r"^NL_API int32_t (nl_\w+)\(", sources, re.MULTILINE)) == set(FUNCTIONS)


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if one.arguments and not one.opaque])
def test_nonsense_is_refused_or_answered(name: str, noted: Noting) -> None:
    function = FUNCTIONS[name]
    found = noted.inner
    rng = Rng.from_seed(5)
    calls = noted.calls.get(name) or CALLS_OF_OTHERS.get(name)
    assert calls, f"no workload calls {name}: add one"
    refused = 0
    for number in range(TRIES):
        result, rng = asked_with(found, function, calls[number % len(calls)], rng)
        assert result >= 0 or result in REFUSALS, (name, result)
        refused += result < 0
    if name not in TAKES_ANYTHING:
        assert refused, "nothing was out of range?"


#: Numbers of what is learned about five cards a hand, and a sample: rows of one card below all others, and a value.
NUMBERS = 54_272
SAMPLE = array(
    "q", [5 << 52 | 0b1001001001 << 40 | 0b1111100000, sum(1 << 40 + 5 * row for row in range(4)), 1 << 16]
).tobytes()

#: Functions that the workloads do not call, with a call that is right.
CALLS_OF_OTHERS: dict[str, list[list[int | bytes]]] = {
    "nl_rng_start": [[bytes(16)]],
    "nl_rng_shuffle": [[bytes(8), bytes(range(104)), 104, 50]],
    "nl_solve_work": [[8, 0]],
    "nl_crowd_work": [[3, 4, 0], [6, 3, 4]],
    "nl_solve_grow": [[bytes(32 * 128), 32, 16, 0]],  # no room: all of it must be refused
    "nl_learn_deal": [[bytes(8), 6, array("i", [0, *[1, 2, 5] * 8, *[0] * 80]).tobytes(), bytes(4 * 142), 142]],
    "nl_learn_numbers": [[5]],
    "nl_learn_steps": [
        [bytes(16 * NUMBERS), 4 * NUMBERS, 5, SAMPLE * 3, 3, bytes(8), array("d", [0.001]).tobytes(), 2]
    ],
    "nl_learn_errors": [[bytes(2 * NUMBERS), NUMBERS, 5, SAMPLE * 3, 3, bytes(16)]],
    "nl_draft_play": [[array("i", [-1, 1] * 24).tobytes(), 24, 0, 3, bytes(24)]],
}
TAKES_ANYTHING = {"nl_rng_start"}


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if one.opaque])
def test_memory_that_was_never_opened_is_refused(name: str) -> None:
    found = core()
    assert found is not None
    given = [1 if kind == "int32_t" else found.memory(1 << 16) for kind, _ in FUNCTIONS[name].arguments]
    with pytest.raises(NativeError):
        found.call(name, *given)


def test_what_is_beside_the_memory_is_looked_at() -> None:
    """The mark that the other tests rely on."""
    found = core()
    assert found is not None
    room = Room(found, bytes(8))
    if room.mark:
        room.memory.put(8, b"\0")
        assert not room.whole
