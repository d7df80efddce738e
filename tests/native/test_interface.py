"""Call every function of the interface with garbage: real calls, recorded while games are played, with numbers out of
range in their arguments and their memory. A refusal is right, and so is an answer; a crash or an access outside the
memory is not. `make check-native` runs this under sanitizers."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import Argument, Core, Memory, NativeError, build, core, loader
from nimmt_lab.native.layout import layout_of
from nimmt_lab.native.loader import Address
from tools import train_ahead, train_policy, train_values
from tools.extended_core import core_with

from .workloads import bots, choices, rounds, steps, turns

#: Arguments that state the amount of memory: a call may claim less, never more.
ROOM = {"size", "bytes", "words", "count", "chances", "listed", "room"}
#: Amounts of work: large ones are invalid or slow, so only invalid ones are tried.
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
        """Whether the call uses memory that only the core understands."""
        return any(kind == "void *" for kind, _ in self.arguments)


def expanded(text: str) -> str:
    """A header with the declarations of NL_GAMES, which it may use, for its chapter."""
    macro = (build.HERE / "nimmt.h").read_text(encoding="utf-8").partition("#define NL_GAMES")[2].partition("\n\n")[0]
    for chapter, *types in re.findall(r"^NL_GAMES\((\w+), (\w+), (\w+), (\w+)\)", text, re.MULTILINE):
        declared = macro.partition("\n")[2].replace("\\\n", "\n").replace("##chapter##", chapter)
        for name, kind in zip(("Work", "Records", "Mind"), types, strict=True):
            declared = re.sub(rf"\b{name}\b", kind, declared)
        text += "\n" + re.sub(r"^ +NL_API", "NL_API", declared, flags=re.MULTILINE).replace(" \n", "\n")
    return text


def functions(declared: Iterable[Path]) -> dict[str, Function]:
    """The interface as these files declare it."""
    found = {}
    for header in declared:
        text = expanded(header.read_text(encoding="utf-8"))
        for name, listed in re.findall(r"^NL_API int32_t (nl_\w+)\(([^)]*)\);", text, re.MULTILINE):
            arguments = [] if listed == "void" else [" ".join(one.split()) for one in listed.split(",")]
            parts = [re.fullmatch(r"(?:const )?(\w+ \*?)(\w+)", one) for one in arguments]
            assert all(parts), f"{name}: {listed}"
            found[name] = Function(name, tuple((part[1].strip(), part[2]) for part in parts if part))
    return found


#: Functions of the training programs, with the file that has them.
TRAINING = {
    name: file for file in (train_ahead.SOURCE, train_policy.SOURCE, train_values.SOURCE) for name in functions([file])
}
FUNCTIONS = functions([*build.headers(), *TRAINING.values()])


class Noting(Core):
    """Passes everything on, and keeps some calls of each function with the memory before them."""

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
    before, seconds = loader._loaded[:], loader.SLICE_SECONDS
    noting, training = Noting(found), Noting(core_with(train_policy.SOURCE))
    school = Noting(core_with(train_ahead.SOURCE))
    loader._loaded[:], loader.SLICE_SECONDS = [noting], 1e9
    try:
        rounds()
        choices()
        turns()
        steps()
        bots()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(train_policy, "core_with", lambda source: training)
            patch.setattr(train_policy, "BLOCK", 3)
            train_policy.learn(3, 300, 0.15, 1)
            patch.setattr(train_ahead, "core_with", lambda source: school)
            patch.setattr(train_ahead, "STAGE", 1)
            patch.setattr(train_ahead, "DEALS", 2)
            patch.setattr(train_ahead, "ROUNDS", (((4, 1), (2, 1)),))
            train_ahead.go_on(train_ahead.School("ahead", 2), 2)
    finally:
        loader._loaded[:], loader.SLICE_SECONDS = before, seconds
    noting.calls |= training.calls | school.calls
    return noting


class Room:
    """Memory with a mark behind its end, unless a sanitizer watches the end."""

    def __init__(self, found: Core, data: bytes) -> None:
        self.mark = b"" if "watched" in found.name else b"\xa5" * 64
        self.memory, self.size = found.memory(len(data) + len(self.mark)), len(data)
        self.memory.put(0, data + self.mark)

    @property
    def whole(self) -> bool:
        return self.memory.get(self.size, len(self.mark)) == self.mark


def spoilt(kind: str, data: bytes, rng: Rng) -> tuple[bytes, Rng]:
    """The memory with one to three numbers changed."""
    changed = bytearray(data)
    times, rng = rng.below(3)
    for _ in range(times + 1):
        edge, rng = rng.below(len(EDGES))
        if kind == "nl_classic *":
            found = core()
            assert found is not None
            fields = list(layout_of(found, "nl_classic").fields.values())
            which, rng = rng.below(len(fields))
            field = fields[which]
            number, rng = rng.below(field.count)
            size = array(field.code).itemsize
            at = field.offset + size * number
        else:
            wide, rng = rng.below(3)
            size = (1, 4, 8)[wide]
            number, rng = rng.below(max(1, len(data) // size))
            at = size * number
        if at + size <= len(changed):
            changed[at : at + size] = (EDGES[edge] % 256**size).to_bytes(size, "little")
    return bytes(changed), rng


def asked_with(found: Core, function: Function, call: list[int | bytes], rng: Rng) -> tuple[int, Rng]:
    """The call with one argument changed."""
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
    shared = (build.HERE / "in_step_calls.h").read_text(encoding="utf-8")
    calls = re.findall(r"^NL_API int32_t CALL\((\w+)\)", shared, re.MULTILINE)
    chapters = re.findall(r"^#define CALL\(name\) (nl_\w+_games_)##name", sources, re.MULTILINE)
    assert len(chapters) == 4 and len(calls) == 7
    in_step = {chapter + call for chapter in chapters for call in calls}
    others = set(re.findall(r"^NL_API int32_t (nl_\w+)\(", sources, re.MULTILINE))
    assert in_step | others == set(FUNCTIONS) - set(TRAINING)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if one.arguments and not one.opaque])
def test_nonsense_is_refused_or_answered(name: str, noted: Noting) -> None:
    function = FUNCTIONS[name]
    found = core_with(TRAINING[name]) if name in TRAINING else noted.inner
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


#: Weights for five cards per hand, and a sample: rows of one card below all others, and a value.
NUMBERS = 54_272
SAMPLE = array(
    "q", [5 << 52 | 0b1001001001 << 40 | 0b1111100000, sum(1 << 40 + 5 * row for row in range(4)), 1 << 16]
).tobytes()

#: Functions that the workloads don't call, each with a valid call.
CALLS_OF_OTHERS: dict[str, list[list[int | bytes]]] = {
    "nl_rng_start": [[bytes(16)]],
    "nl_rng_shuffle": [[bytes(8), bytes(range(104)), 104, 50]],
    "nl_solve_work": [[8, 0]],
    "nl_crowd_work": [[3, 4, 0], [6, 3, 8]],
    "nl_solve_grow": [[bytes(32 * 128), 32, 16, 0]],  # no room, so everything must be refused
    "nl_learn_deal": [[bytes(8), 6, array("i", [0, *[1, 2, 5] * 8, *[0] * 80]).tobytes(), bytes(4 * 142), 142]],
    "nl_solve_numbers": [[5]],
    "nl_learn_steps": [
        [bytes(16 * NUMBERS), 4 * NUMBERS, 5, SAMPLE * 3, 3, bytes(8), array("d", [0.001]).tobytes(), 2]
    ],
    "nl_learn_errors": [[bytes(2 * NUMBERS), NUMBERS, 5, SAMPLE * 3, 3, bytes(16)]],
    "nl_draft_play": [[array("i", [-1, 1] * 24).tobytes(), 24, 0, 3, bytes(24)]],
}
TAKES_ANYTHING = {"nl_rng_start", "nl_classic_improve"}


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
