"""Throw broken input at every reader of the package: `make fuzz`, or `python tools/fuzz.py --inputs 200000`.

Each input starts out valid (golden files, vectors, data files, commands of the README) and is mutated: bytes, words,
lines and JSON values change, and known troublemakers are inserted. A reader may accept it or raise a `NimmtError`.
Anything else is a finding: another exception, more than two seconds of work, more than a gigabyte of memory. Findings
are saved in `tests/fuzz/cases/`, and from then on `make test` replays them.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from nimmt_lab.engine.errors import NimmtError  # noqa: E402
from nimmt_lab.engine.files import make_folder, write_file  # noqa: E402
from nimmt_lab.engine.rng import Rng  # noqa: E402

CASES = ROOT / "tests" / "fuzz" / "cases"
#: The limits for one input: seconds of work, and additional bytes of memory.
SECONDS = 2.0
MEMORY = 1 << 30

T = TypeVar("T")


class Target(NamedTuple):
    """A reader and good input to start from. Input is text; lone surrogates stand for invalid bytes."""

    read: Callable[[str], object]
    seeds: Sequence[str]


class TooLong(BaseException):
    """An input that takes too long."""


class Dice:
    """A stateful random stream."""

    def __init__(self, seed: int) -> None:
        self.rng = Rng.from_seed(seed, stream=15)

    def below(self, n: int) -> int:
        value, self.rng = self.rng.below(max(n, 1))
        return value

    def one(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]


# Mutating ------------------------------------------------------------------------------------------------

#: Pieces that have broken some reader.
NASTY = (
    "", " ", "\0", "\n", "\r\n", "\r", "\t", "\x0b", "\x1c", "\x85", "\u2028", "\u00a0", "\u3000", "\ufeff", "\ud800",
    "\udcff", "\U0010ffff", "\u202e", "a\u0301", "İ", "ß", "ﬀ", "ǰ", "²", "½", "٣", "１", "৪", "𝟜", "Ⅷ", "＝", "；",
    "：", "−", "-", "+", "±", "0", "-0", "-1", "1", "00", "1_0", "1e3", "1e400", "1e3000000000", "-1e-3000000000",
    "0x10", "1.0", "2.0", ".5", "5.", "1/0", "0/0", "9" * 20, "9" * 400, "9" * 5000, "-" + "9" * 5000, str(2**31),
    str(2**63), str(2**64), str(2**64 - 1), "NaN", "nan", "Infinity", "-Infinity", "inf", "true", "True", "false",
    "null", "None", "[]", "{}", "[[]]", '""', "''", '"', "'", "`", "\\", "\\u0000", "\\ud800", "\\", "[" * 3000,
    "{" * 3000, '{"a":' * 3000, "(" * 500, "/etc/passwd", "/dev/zero", "/dev/stdin", "../../x", "~", ".", "..", "/",
    "C:\\x", "CON", "%s%n", "{0}", "{a.b}", "$(x)", ";", ":", "|", "||", "#", "#0000", "=", "==", "*",
    "@", "@1", "@0", "@9", "!", ">", "~1", "...", "//", "{ x }", "<b>", "</script>", "__class__", "deck=/etc/passwd",
    "board=/dev/zero", "players=2", "players=99", "A", "T", "Z", "a", "A1", "A999", "A1 A1", "T1", "A+:", "A:",
    "place:", "stock:", "totals:", "round:", "turn:", "over:", "seed:", "check:", "start:", "game:", "rules:",
    "x" * 300, "x" * 70_000, " " * 70_000, "9 " * 20_000, "| " * 20_000, "\n" * 20_000, "a=1 " * 5_000, ";" * 20_000,
)  # fmt: skip

VALUES: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 2, 3.5, 2.0, 1e308, float("nan"), float("inf"), 10**18, 2**64, -(2**63), 10**39, "",
    " ", "x", "1", "-", "A", "/etc/passwd", "/dev/zero", "\0", "\ud800", "9" * 400, [], {}, [[]], [None], [1], ["1"],
    {"": ""}, {"a": 1}, [[[[]]]], {"shipped": "x"}, {"shipped": "baron_stand_in", "fingerprint": "0"}, {"title": "x"},
    {"name": "mountain"}, ["mountain"], [1] * 3000, "x" * 3000, {str(n): n for n in range(300)}, 0.1, "1/2",
    "1e3000000000", "0/0", 104, 105, 110, 10, 11,
)  # fmt: skip

#: Names with a meaning for some reader.
KEYS = ("system", "deck", "board", "pieces", "check", "fan_cards", "title", "tags", "start", "A", "T", "1")

_TOKEN = re.compile(r"[0-9]+|[A-Za-z_]+|[^0-9A-Za-z_]")


def mutate(dice: Dice, text: str, others: Sequence[str]) -> str:
    """Mutate a text in one or a few places."""
    for _ in range(1 + dice.below(3) * dice.below(3)):
        text = dice.one(MUTATIONS)(dice, text, others)
        if len(text) > 200_000:
            break
    return text


def _span(dice: Dice, text: str, longest: int = 60) -> tuple[int, int]:
    at = dice.below(len(text) + 1)
    return at, min(len(text), at + dice.below(longest))


def _letter(dice: Dice, text: str, others: Sequence[str]) -> str:
    at = dice.below(len(text) + 1)
    letter = chr(32 + dice.below(95)) if dice.below(4) else chr(dice.below(0x250))
    return text[:at] + letter + text[at + 1 :]


def _cut(dice: Dice, text: str, others: Sequence[str]) -> str:
    at, end = _span(dice, text)
    return text[:at] + text[end:]


def _cut_off(dice: Dice, text: str, others: Sequence[str]) -> str:
    return text[: dice.below(len(text) + 1)]


def _twice(dice: Dice, text: str, others: Sequence[str]) -> str:
    at, end = _span(dice, text)
    return text[:end] + text[at:end] * (1 + dice.below(3)) + text[end:]


def _nasty(dice: Dice, text: str, others: Sequence[str]) -> str:
    at, end = _span(dice, text, 10)
    return text[:at] + dice.one(NASTY) + text[end if dice.below(2) else at :]


def _token(dice: Dice, text: str, others: Sequence[str]) -> str:
    """Replace a word or number by something nasty, another one, or its neighbour."""
    spans = [match.span() for match in _TOKEN.finditer(text[:20_000])]
    if not spans:
        return dice.one(NASTY)
    at, end = dice.one(spans)
    word = text[at:end]
    if word.isdecimal() and word.isascii() and len(word) < 10 and dice.below(2):
        new = str(int(word) + dice.one((-1, 1, 10, -10, 100, 1000)))
    elif dice.below(2):
        new = text[slice(*dice.one(spans))]
    else:
        new = dice.one(NASTY)
    return text[:at] + new + text[end:]


def _line(dice: Dice, text: str, others: Sequence[str]) -> str:
    """Move, duplicate, drop or insert a line."""
    lines = text.split("\n")
    at = dice.below(len(lines))
    kind = dice.below(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(dice.below(len(lines)), lines[at])
    elif kind == 2:
        lines[at] = dice.one(dice.one(others).split("\n"))
    else:
        lines.insert(at, dice.one(NASTY))
    return "\n".join(lines)


def _splice(dice: Dice, text: str, others: Sequence[str]) -> str:
    other = dice.one(others)
    at, end = _span(dice, other, 200)
    here = dice.below(len(text) + 1)
    return text[:here] + other[at:end] + text[here:]


def _value(dice: Dice, text: str, others: Sequence[str]) -> str:
    """In JSON, replace, move, drop or repeat a value."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return _token(dice, text, others)
    places: list[tuple[Any, Any]] = []  # a container in the data, and a key or index of it
    todo = [data]
    while todo and len(places) < 5000:
        node = todo.pop()
        keys: list[str | int] = (
            list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        )
        for key in keys:
            places.append((node, key))
            todo.append(node[key])
    if not places:
        return json.dumps(dice.one(VALUES))
    node, key = dice.one(places)
    other, name = dice.one(places)
    kind = dice.below(8)
    if kind == 0:
        del node[key]
    elif kind == 1:
        node[key] = other[name]
    elif kind == 2 and isinstance(node, dict):
        node[dice.one(NASTY)[:50]] = node.pop(key)
    elif kind == 3 and isinstance(node, dict):
        node[dice.one(("system", "deck", "board", "pieces", "check", "fan_cards", "title", "A", "T", "1"))] = dice.one(
            VALUES
        )
    elif kind == 4 and isinstance(node, list):
        node.append(dice.one(VALUES))
    else:
        node[key] = dice.one(VALUES)
    try:
        return json.dumps(data, ensure_ascii=bool(dice.below(2)))
    except (ValueError, RecursionError):  # a value that contains itself
        return text


MUTATIONS = (_letter, _cut, _cut_off, _twice, _nasty, _token, _token, _token, _line, _splice, _value, _value)


# Running -------------------------------------------------------------------------------------------------


@contextmanager
def limits(seconds: float, memory: int = MEMORY) -> Iterator[None]:
    """Limit the processor time and additional memory of a block."""

    def stop(_signal: int, _frame: object) -> None:
        raise TooLong

    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    before = resource.getrlimit(resource.RLIMIT_AS)
    handlers = {number: signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)}
    try:
        if pages:
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + memory, before[1]))
        # Processor time counts, because the machine may be busy; but nothing may hang either.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, 15 * seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def problem(target: Target, text: str) -> str | None:
    """The fault of a reader with an input; None if there is none."""
    try:
        with limits(SECONDS):
            target.read(text)
    except NimmtError as error:
        return None if len(str(error)) < 5000 else f"a message of {len(str(error))} letters"
    except TooLong:
        return f"more than {SECONDS:g} seconds"
    except MemoryError:
        return f"more than {MEMORY >> 20} MB"
    except (Exception, SystemExit):
        return traceback.format_exc(limit=-6)
    return None


def fuzz(targets: dict[str, Target], inputs: int, seconds: float | None, seed: int) -> Iterator[tuple[str, str, str]]:
    """Every finding: target, input and fault. Targets take turns."""
    end = None if seconds is None else time.monotonic() + seconds
    dice = Dice(seed)
    names = list(targets)
    seen: set[str] = set()
    for number in range(inputs):
        if end is not None and time.monotonic() > end:
            print(f"{number} inputs in {seconds:g} seconds", file=sys.stderr)
            return
        name = names[number % len(names)]
        target = targets[name]
        text = mutate(dice, dice.one(target.seeds), target.seeds)
        wrong = problem(target, text)
        if wrong is not None:
            # One finding of each kind is enough.
            kind = name + wrong[-300:]
            if kind not in seen:
                seen.add(kind)
                # A slow input is slow to shrink, too.
                yield name, smaller(target, text, 150 if "Traceback" in wrong else 15), wrong
        if number % 500 == 0:
            gc.collect()
            if sys.stderr.isatty():
                print(f"\r{number:,} inputs, {len(seen)} findings", end="", file=sys.stderr)


def smaller(target: Target, text: str, most: int) -> str:
    """Shrink a failing input by leaving out ever smaller parts."""
    size = len(text) // 2
    tries = 0
    while size and tries < most:
        at = 0
        while at < len(text) and tries < most:
            shorter = text[:at] + text[at + size :]
            tries += 1
            if problem(target, shorter) is not None:
                text = shorter
            else:
                at += size
        size //= 2
    return text


def as_bytes(text: str) -> bytes:
    """Encode input for a file; lone surrogates survive."""
    return text.encode("utf-8", "surrogatepass")


def keep(name: str, text: str) -> Path:
    """Save a finding as a case for the tests."""
    content = as_bytes(text)
    path = CASES / name / hashlib.sha256(content).hexdigest()[:12]
    make_folder(path.parent)
    write_file(path, content)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz, print and keep the findings; return 1 if there are any."""
    from tools.fuzz_targets import all_targets

    parser = argparse.ArgumentParser(description="Throw broken input at every reader.")
    parser.add_argument("--inputs", type=int, default=10**9, help="number of inputs (default: as many as time allows)")
    parser.add_argument("--seconds", type=float, help="time limit in seconds")
    parser.add_argument("--seed", type=int, help="equal seeds give equal inputs (the time of day)")
    parser.add_argument("--target", action="append", help="only this reader; may be given several times")
    given = parser.parse_args(arguments)
    seconds = 60.0 if given.seconds is None and given.inputs == 10**9 else given.seconds
    seed = time.time_ns() if given.seed is None else given.seed
    print(f"seed {seed}")
    found = 0
    with all_targets() as targets:
        chosen = {name: target for name, target in targets.items() if not given.target or name in given.target}
        for name, text, wrong in fuzz(chosen, given.inputs, seconds, seed):
            found += 1
            print(f"\n== {name}: kept as {keep(name, text).relative_to(ROOT)}\n{text[:300]!r}\n{wrong}", flush=True)
    print(f"\n{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
