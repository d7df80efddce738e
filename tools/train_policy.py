"""Train the weights of `nimmt_lab/games/classic/network.py` by self-play (`train_policy.c`).

    python -m tools.train_policy --players 3,4 --rounds 2000000 self_play.json

plays that many rounds in all seats (a million takes about twenty seconds per player), prints the mean heads during
training, and writes the weights for those player counts to the file. Training is deterministic. With `--against random`
it has one seat and the others play at random. The packaged weights come from 2,000,000 rounds for four players and
500,000 for other counts; those against random players from 8,000,000 and 3,000,000.

Each player count is trained separately; any executor runs several at a time (`teach`). Checkpoints
(`self_play.json.4.lesson`) let an interrupted run resume.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.files import name_of, parse_json, read_bytes, read_text, shown, write_file
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic import network as net
from nimmt_lab.games.classic.kernel import CLASSIC
from nimmt_lab.games.classic.network import TRAINED
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.native.kernel import POLICIES
from nimmt_lab.native.loader import Memory, Pace
from nimmt_lab.native.work import Workspace
from tools.extended_core import core_with

SOURCE = Path(__file__).with_suffix(".c")

#: Rounds between reports; every tenth block evaluates the network without training.
BLOCK = 50_000
#: Blocks per job of a worker; the last one is such an evaluation.
STAGE = 10
AGAINST = ("itself", "random")
#: One in this many choices is random, for exploration.
STRAY = 20
# Offsets in `nl_lesson`
_RATE, _HEADS, _STRAY, _CHANCE = 0, 8, 16, 24
_WEIGHTS = _CHANCE + 4 * net.CHANCES
_SQUARES = _WEIGHTS + 4 * net.WEIGHTS
_GAINS = _SQUARES + 4 * net.WEIGHTS
_GAIN_SQUARES = _GAINS + 4 * net.UNITS
LESSON_SIZE = _GAIN_SQUARES + 4 * net.UNITS
_FORMAT = "nimmt-lesson/1"


@dataclass(frozen=True)
class Lesson:
    """A training run: its settings, the blocks played, and the state after them."""

    players: int
    rounds: int
    rate: float = 0.15
    seed: int = 1
    against: str = "itself"
    block: int = BLOCK
    done: int = 0
    #: The memory of `nl_lesson`; empty before the first block.
    state: bytes = b""
    #: Mean heads per round at the last evaluation.
    heads: float | None = None

    @property
    def blocks(self) -> int:
        """Number of training blocks, plus the final evaluation."""
        return max(1, self.rounds // self.block) + 1

    @property
    def is_over(self) -> bool:
        return self.done >= self.blocks

    @property
    def numbers(self) -> list[int]:
        """The weights so far as integers; empty before the first block."""
        # Gains scale the weights, because only the sign of sums matters.
        gains, weights = array("f"), array("f")
        gains.frombytes(self.state[_GAINS:_GAIN_SQUARES])
        weights.frombytes(self.state[_WEIGHTS:_SQUARES])
        grown = [weight * abs(gains[i % net.UNITS]) for i, weight in enumerate(weights)]
        return [round(weight) for weight in array("f", grown)]

    def to_bytes(self) -> bytes:
        """Serialise: a header line, then the state."""
        head = {"format": _FORMAT, **self._settings, "done": self.done, "heads": self.heads}
        head["check"] = hashlib.sha256(self.state).hexdigest()
        return json.dumps(head).encode() + b"\n" + self.state

    def after(self, content: bytes, source: str = "checkpoint") -> Lesson:
        """Resume from a checkpoint.

        >>> begun = replace(Lesson(2, 40, block=20), done=1, state=bytes(LESSON_SIZE))
        >>> Lesson(2, 40, block=20).after(begun.to_bytes()) == begun
        True
        >>> Lesson(3, 40, block=20).after(begun.to_bytes())
        Traceback (most recent call last):
        ValueError: checkpoint: this file contains another training run (players: 2, not 3)
        """
        first, _, state = content.partition(b"\n")
        head = parse_json(first.decode("utf-8", "replace"), source=source, error=DataError)
        if not isinstance(head, dict) or head.get("format") != _FORMAT:
            raise ValueError(f"{source}: expected a training run ({_FORMAT})")
        for name, value in self._settings.items():
            if head.get(name) != value or isinstance(head.get(name), bool):
                other = f"{name}: {shown(head.get(name))}, not {value}"
                raise ValueError(f"{source}: this file contains another training run ({other})")
        done, heads = head.get("done"), head.get("heads")
        if type(done) is not int or not 0 < done <= self.blocks or not (heads is None or type(heads) is float):
            raise ValueError(f"{source}: expected the number of trained blocks, and their quality")
        if len(state) != LESSON_SIZE or hashlib.sha256(state).hexdigest() != head.get("check"):
            raise ValueError(f"{source}: the trained weights are incomplete")
        return replace(self, done=done, heads=heads, state=state)

    @property
    def _settings(self) -> dict[str, int | float | str]:
        names = ("players", "rounds", "rate", "seed", "against", "block")
        return {name: getattr(self, name) for name in names}


def _begin(lesson: Lesson, memory: Memory) -> None:
    """Initialise with distinct weights, since equal ones would stay equal."""
    spread = Rng.from_seed(lesson.seed, stream=1)
    weights, gains = [], []
    for _ in range(net.WEIGHTS):
        number, spread = spread.below(2001)
        weights.append((number - 1000) * 0.1 * net.SCALE / 1000)
    for j in range(net.UNITS):
        number, spread = spread.below(1000)
        gains.append((number + 1) / 2000 * (1 if 2 * j < net.UNITS else -1))
    memory.write("f", weights, _WEIGHTS)
    memory.write("f", [1.0] * net.WEIGHTS, _SQUARES)
    memory.write("f", gains, _GAINS)
    memory.write("f", [1.0] * net.UNITS, _GAIN_SQUARES)
    memory.put(_CHANCE, net.chances(lesson.players - 1, LAST_CARD - net.HAND - 4, net.HAND))


def go_on(lesson: Lesson, blocks: int) -> Lesson:
    """Run up to `blocks` more blocks. How the blocks are divided has no effect on the result."""
    native = core_with(SOURCE)
    work, memory = Workspace(native, "nl_classic"), native.memory(LESSON_SIZE)
    others = POLICIES["random"] if lesson.against == "random" else TRAINED
    seats = [TRAINED, *[others] * (lesson.players - 1)]
    CLASSIC.prepare(work, Classic(players=lesson.players), seats, [0] * lesson.players)
    work.set("key", Rng.from_seed(lesson.seed, stream=0).state)
    if lesson.state:
        memory.put(0, lesson.state)
    else:
        _begin(lesson, memory)
    last, heads, pace = lesson.blocks - 1, lesson.heads, Pace(500)
    upto = min(lesson.done + blocks, lesson.blocks)
    for block in range(lesson.done, upto):
        testing = block == last or block % STAGE == STAGE - 1
        memory.write("d", [0.0 if testing else lesson.rate * (1 - 0.95 * block / last)], _RATE)
        memory.write("i", [0 if testing else 1 if block == 0 else STRAY], _STRAY)
        memory.write("q", [0], _HEADS)
        work.set("first", block * lesson.block)
        for some in pace.portions(lesson.block):
            work.call("nl_classic_learn", memory, some)
        if testing:
            heads = memory.read("q", 1, _HEADS)[0] / lesson.block
    return replace(lesson, done=upto, heads=heads, state=memory.get(0, LESSON_SIZE))


def teach(
    lessons: Sequence[Lesson],
    *,
    executor: Executor | None = None,
    each: Callable[[Lesson], object] | None = None,
    stage: int = STAGE,
) -> list[Lesson]:
    """Finish training runs, several at a time on any executor (by default, threads).

    `each` receives every run after each stage, for progress and checkpoints. Interrupts and lost workers are the
    caller's concern.

    >>> lessons = [Lesson(2, 40, block=20), Lesson(3, 20, block=20)]
    >>> [lesson.is_over for lesson in teach(lessons)]
    [True, True]
    """
    if executor is None:
        with ThreadPoolExecutor(max(1, min(os.cpu_count() or 1, len(lessons)))) as own:
            return teach(lessons, executor=own, each=each, stage=stage)
    now = list(lessons)
    running: dict[Future[Lesson], int] = {}
    try:
        for at, lesson in enumerate(now):
            if not lesson.is_over:
                running[executor.submit(go_on, lesson, stage)] = at
        while running:
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                at = running.pop(future)
                now[at] = future.result()
                if each is not None:
                    each(now[at])
                if not now[at].is_over:
                    running[executor.submit(go_on, now[at], stage)] = at
    finally:
        for future in running:
            future.cancel()
    return now


def learn(players: int, rounds: int, rate: float, seed: int, against: str = "itself") -> list[int]:
    """The weights after `rounds` rounds against `itself` or `random` players."""
    lesson = Lesson(players, rounds, rate, seed, against, BLOCK)
    return go_on(lesson, lesson.blocks).numbers


def _kept(file: Path, players: int) -> Path:
    return file.with_name(f"{file.name}.{players}.lesson")


def _counts(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main(arguments: Sequence[str] | None = None, executor: Executor | None = None) -> None:
    """Train for some player counts and write the weights."""
    options = argparse.ArgumentParser(description="Learn the quick way to play that searching bots use.")
    options.add_argument("--players", type=_counts, required=True, help="one count, or several: 3,4,5")
    options.add_argument("--rounds", type=int, default=3_000_000)
    options.add_argument("--rate", type=float, default=0.15)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--against", choices=AGAINST, default="itself")
    options.add_argument("file", type=Path)
    given = options.parse_args(arguments)
    if not all(2 <= players <= 10 for players in given.players):
        options.error("--players must be from 2 to 10")
    file: Path = given.file
    known = net.read_players(read_text(file), name_of(file)) if file.exists() else {}
    lessons = []
    for players in dict.fromkeys(given.players):
        lesson = Lesson(players, given.rounds, given.rate, given.seed, given.against, BLOCK)
        kept = _kept(file, players)
        lessons.append(lesson.after(read_bytes(kept, error=DataError), name_of(kept)) if kept.exists() else lesson)

    def keep(lesson: Lesson) -> None:
        write_file(_kept(file, lesson.players), lesson.to_bytes())
        done = min(lesson.done * lesson.block, lesson.rounds)
        heads = "" if lesson.heads is None else f": {lesson.heads:.2f} heads a round"
        print(f"{lesson.players} players, {done:,} of {lesson.rounds:,} rounds{heads}", flush=True)

    try:
        done = teach(lessons, executor=executor, each=keep)
    except KeyboardInterrupt:
        print("Stopped; the same command continues from here.", flush=True)
        return
    for lesson in done:
        numbers = lesson.numbers
        known[str(lesson.players)] = [numbers[i : i + net.UNITS] for i in range(0, len(numbers), net.UNITS)]
    parts = [
        f'"{players}": [\n' + ",\n".join(json.dumps(line, separators=(",", ":")) for line in known[players]) + "\n]"
        for players in sorted(known, key=int)
    ]
    write_file(file, '{"players": {\n' + ",\n".join(parts) + "\n}}\n")
    for lesson in done:
        _kept(file, lesson.players).unlink(missing_ok=True)


if __name__ == "__main__":
    main()
