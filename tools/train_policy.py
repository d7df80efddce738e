"""Train the weights of `nimmt_lab/games/classic/network.py` by self-play (`train_policy.c`).

    python -m tools.train_policy --players 3,4 --rounds 2000000 self_play.json

plays that many rounds in all seats (a million takes about twenty seconds per player), prints the mean heads during
training, and writes the weights for those player counts to the file. Training is deterministic. With `--against random`
it has one seat and the others play at random. The packaged weights come from 2,000,000 rounds for four players and
500,000 for other counts; those against random players from 8,000,000 and 3,000,000.

Each player count is trained separately; any executor runs several at a time (`teach`). Checkpoints
(`self_play.json.4.checkpoint`) let an interrupted run resume.
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
RUN_SIZE = _GAIN_SQUARES + 4 * net.UNITS
_FORMAT = "nimmt-training/1"


@dataclass(frozen=True)
class TrainingRun:
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

    def after(self, content: bytes, source: str = "checkpoint") -> TrainingRun:
        """Resume from a checkpoint.

        >>> begun = replace(TrainingRun(2, 40, block=20), done=1, state=bytes(RUN_SIZE))
        >>> TrainingRun(2, 40, block=20).after(begun.to_bytes()) == begun
        True
        >>> TrainingRun(3, 40, block=20).after(begun.to_bytes())
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
        if len(state) != RUN_SIZE or hashlib.sha256(state).hexdigest() != head.get("check"):
            raise ValueError(f"{source}: the trained weights are incomplete")
        return replace(self, done=done, heads=heads, state=state)

    @property
    def _settings(self) -> dict[str, int | float | str]:
        names = ("players", "rounds", "rate", "seed", "against", "block")
        return {name: getattr(self, name) for name in names}


def _begin(run: TrainingRun, memory: Memory) -> None:
    """Initialise with distinct weights, since equal ones would stay equal."""
    spread = Rng.from_seed(run.seed, stream=1)
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
    memory.put(_CHANCE, net.chances(run.players - 1, LAST_CARD - net.HAND - 4, net.HAND))


def go_on(run: TrainingRun, blocks: int) -> TrainingRun:
    """Run up to `blocks` more blocks. How the blocks are divided has no effect on the result."""
    native = core_with(SOURCE)
    work, memory = Workspace(native, "nl_classic"), native.memory(RUN_SIZE)
    others = POLICIES["random"] if run.against == "random" else TRAINED
    seats = [TRAINED, *[others] * (run.players - 1)]
    CLASSIC.prepare(work, Classic(players=run.players), seats, [0] * run.players)
    work.set("key", Rng.from_seed(run.seed, stream=0).state)
    if run.state:
        memory.put(0, run.state)
    else:
        _begin(run, memory)
    last, heads, pace = run.blocks - 1, run.heads, Pace(500)
    upto = min(run.done + blocks, run.blocks)
    for block in range(run.done, upto):
        testing = block == last or block % STAGE == STAGE - 1
        memory.write("d", [0.0 if testing else run.rate * (1 - 0.95 * block / last)], _RATE)
        memory.write("i", [0 if testing else 1 if block == 0 else STRAY], _STRAY)
        memory.write("q", [0], _HEADS)
        work.set("first", block * run.block)
        for some in pace.portions(run.block):
            work.call("nl_classic_learn", memory, some)
        if testing:
            heads = memory.read("q", 1, _HEADS)[0] / run.block
    return replace(run, done=upto, heads=heads, state=memory.get(0, RUN_SIZE))


def teach(
    runs: Sequence[TrainingRun],
    *,
    executor: Executor | None = None,
    each: Callable[[TrainingRun], object] | None = None,
    stage: int = STAGE,
) -> list[TrainingRun]:
    """Finish training runs, several at a time on any executor (by default, threads).

    `each` receives every run after each stage, for progress and checkpoints. Interrupts and lost workers are the
    caller's concern.

    >>> runs = [TrainingRun(2, 40, block=20), TrainingRun(3, 20, block=20)]
    >>> [run.is_over for run in teach(runs)]
    [True, True]
    """
    if executor is None:
        with ThreadPoolExecutor(max(1, min(os.cpu_count() or 1, len(runs)))) as own:
            return teach(runs, executor=own, each=each, stage=stage)
    now = list(runs)
    running: dict[Future[TrainingRun], int] = {}
    try:
        for at, run in enumerate(now):
            if not run.is_over:
                running[executor.submit(go_on, run, stage)] = at
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
    run = TrainingRun(players, rounds, rate, seed, against, BLOCK)
    return go_on(run, run.blocks).numbers


def _kept(file: Path, players: int) -> Path:
    return file.with_name(f"{file.name}.{players}.checkpoint")


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
    runs = []
    for players in dict.fromkeys(given.players):
        run = TrainingRun(players, given.rounds, given.rate, given.seed, given.against, BLOCK)
        kept = _kept(file, players)
        runs.append(run.after(read_bytes(kept, error=DataError), name_of(kept)) if kept.exists() else run)

    def keep(run: TrainingRun) -> None:
        write_file(_kept(file, run.players), run.to_bytes())
        done = min(run.done * run.block, run.rounds)
        heads = "" if run.heads is None else f": {run.heads:.2f} heads a round"
        print(f"{run.players} players, {done:,} of {run.rounds:,} rounds{heads}", flush=True)

    try:
        done = teach(runs, executor=executor, each=keep)
    except KeyboardInterrupt:
        print("Stopped; the same command continues from here.", flush=True)
        return
    for run in done:
        numbers = run.numbers
        known[str(run.players)] = [numbers[i : i + net.UNITS] for i in range(0, len(numbers), net.UNITS)]
    parts = [
        f'"{players}": [\n' + ",\n".join(json.dumps(line, separators=(",", ":")) for line in known[players]) + "\n]"
        for players in sorted(known, key=int)
    ]
    write_file(file, '{"players": {\n' + ",\n".join(parts) + "\n}}\n")
    for run in done:
        _kept(file, run.players).unlink(missing_ok=True)


if __name__ == "__main__":
    main()
