"""Learning the numbers of `network.py`: play many rounds, and bring what the network expects closer to what happened
(`learn.c`).

    python -m nimmt_lab.games.classic.learn --players 4 --rounds 2000000 self_play.json

lets it play so many rounds in all seats (a million takes about twenty seconds for each player), prints how many heads
it takes as it learns, and writes its numbers for that player count into the file. Same arguments, same numbers. With
`--against random` it has one seat, and the others play at random. The numbers in `data/` come from 2,000,000 rounds for
four players and 500,000 for every other count; those against random players from 8,000,000 and 3,000,000.
"""

from __future__ import annotations

import argparse
import json
from array import array
from collections.abc import Sequence
from pathlib import Path

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.files import read_text, write_file
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native.kernel import POLICIES
from nimmt_lab.native.loader import NativeError, Pace, core
from nimmt_lab.native.work import Work

from . import network as net
from .kernel import CLASSIC, TRAINED
from .rules import Classic

#: Rounds between two reports; in every tenth block nothing is learned, and only the network plays.
BLOCK = 50_000
AGAINST = ("itself", "random")
#: One in so many choices is random, so that it learns what other cards would have done.
STRAY = 20
# Where things are in the core's `nl_lesson`
_RATE, _HEADS, _STRAY, _CHANCE = 0, 8, 16, 24
_WEIGHTS = _CHANCE + 4 * net.CHANCES
_SQUARES = _WEIGHTS + 4 * net.WEIGHTS
_GAINS = _SQUARES + 4 * net.WEIGHTS
_GAIN_SQUARES = _GAINS + 4 * net.UNITS
_SIZE = _GAIN_SQUARES + 4 * net.UNITS


def learn(players: int, rounds: int, rate: float, seed: int, against: str = "itself", report: bool = True) -> list[int]:
    """The network's numbers after so many rounds against `itself` or against `random` players."""
    found = core()
    if found is None:
        raise NativeError("learning needs the compiled core")
    work = Work(found)
    others = POLICIES["random"] if against == "random" else TRAINED
    CLASSIC.prepare(work, Classic(players=players), [TRAINED, *[others] * (players - 1)], [0] * players)
    work.set("key", Rng.from_seed(seed, stream=0).state)
    lesson = found.memory(_SIZE)
    spread = Rng.from_seed(seed, stream=1)
    weights, gains = [], []
    for _ in range(net.WEIGHTS):
        number, spread = spread.below(2001)
        weights.append((number - 1000) * 0.1 * net.SCALE / 1000)
    for j in range(net.UNITS):
        number, spread = spread.below(1000)
        gains.append((number + 1) / 2000 * (1 if 2 * j < net.UNITS else -1))
    lesson.write("f", weights, _WEIGHTS)
    lesson.write("f", [1.0] * net.WEIGHTS, _SQUARES)
    lesson.write("f", gains, _GAINS)
    lesson.write("f", [1.0] * net.UNITS, _GAIN_SQUARES)
    lesson.put(_CHANCE, net.chances(players - 1, LAST_CARD - net.HAND - 4, net.HAND))
    blocks = max(1, rounds // BLOCK)
    pace = Pace(500)
    for block in range(blocks + 1):
        testing = block == blocks or block % 10 == 9
        lesson.write("d", [0.0 if testing else rate * (1 - 0.95 * block / blocks)], _RATE)
        lesson.write("i", [0 if testing else 1 if block == 0 else STRAY], _STRAY)
        lesson.write("q", [0], _HEADS)
        work.set("first", block * BLOCK)
        left = BLOCK
        while left:
            with pace:
                some = min(pace.amount, left)
                work.call("nl_classic_learn", lesson, some)
                left -= some
        if report and testing:
            heads = lesson.read("q", 1, _HEADS)[0] / BLOCK
            print(f"{players} players, {block * BLOCK:,} rounds: {heads:.2f} heads a round", flush=True)
    # A gain is the same as larger numbers, for sums of which only the sign is looked at.
    size = [abs(gain) for gain in lesson.read("f", net.UNITS, _GAINS)]
    grown = [weight * size[i % net.UNITS] for i, weight in enumerate(lesson.read("f", net.WEIGHTS, _WEIGHTS))]
    return [round(weight) for weight in array("f", grown)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn for one player count and write the numbers."""
    options = argparse.ArgumentParser(description="Learn the quick way to play that searching bots use.")
    options.add_argument("--players", type=int, required=True)
    options.add_argument("--rounds", type=int, default=3_000_000)
    options.add_argument("--rate", type=float, default=0.15)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--against", choices=AGAINST, default="itself")
    options.add_argument("file", type=Path)
    given = options.parse_args(arguments)
    if not 2 <= given.players <= 10:
        options.error("--players must be from 2 to 10")
    known = net.read_players(read_text(given.file)) if given.file.exists() else {}
    numbers = learn(given.players, given.rounds, given.rate, given.seed, given.against)
    known[str(given.players)] = [numbers[i : i + net.UNITS] for i in range(0, len(numbers), net.UNITS)]
    parts = [
        f'"{players}": [\n' + ",\n".join(json.dumps(line, separators=(",", ":")) for line in known[players]) + "\n]"
        for players in sorted(known, key=int)
    ]
    write_file(given.file, '{"players": {\n' + ",\n".join(parts) + "\n}}\n")


if __name__ == "__main__":
    main()
