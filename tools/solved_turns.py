"""Solve the turns that the tests compare estimates with: ``tests/solver/data/turns.json``.

    python -m tools.solved_turns tests/solver/data/turns.json

solves the positions that the file lacks, half of them of advanced mode and half of the classic game, and adds each at
once, so that the same command resumes. Seven cards a hand take a second each, eight several, nine a minute or two.

A turn is the table of exact payoffs in thousandths of a head (the middle of bounds closer than a millionth). With eight
and nine cards, entries against neither optimal strategy may be null.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.files import write_file
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition

#: Positions by cards per hand, and which entries are made exact.
PLAN = {7: (150, "full"), 8: (46, "regrets"), 9: (4, "regrets")}
_CLOSE = 1e-5


def state_of(game: str, cards: int, seed: int) -> GameState:
    """Position number ``seed`` of a game.

    >>> len(state_of("classic", 7, 1).hands[0])
    7
    """
    return random_state((Advanced if game == "advanced" else Classic)(players=2, rounds=1), cards, seed)


def planned() -> Iterator[tuple[int, str, int]]:
    """Cards per hand, game and seed of every position."""
    for cards, (count, _) in PLAN.items():
        for number in range(count):
            yield cards, ("advanced", "classic")[number % 2], 5000 + number


def solved(cards: int, game: str, seed: int) -> dict[str, object]:
    """One entry of the file."""
    proof = Searcher().prove(OpenPosition.of(state_of(game, cards, seed)), detail=PLAN[cards][1])
    assert proof.complete
    payoffs = [
        [round(500 * (lo + hi)) if hi - lo < _CLOSE else None for lo, hi in zip(*rows, strict=True)]
        for rows in zip(proof.turn.lows, proof.turn.highs, strict=True)
    ]
    value = round(500 * (proof.lo + proof.hi))
    return {"cards": cards, "game": game, "seed": seed, "value": value, "payoffs": payoffs}


def main(arguments: Sequence[str] | None = None) -> None:
    """Add the missing positions to the file."""
    options = argparse.ArgumentParser(description="Solve the turns that the tests compare estimates with.")
    options.add_argument("file", type=Path)
    path: Path = options.parse_args(arguments).file
    turns = json.loads(path.read_text(encoding="utf-8"))["turns"] if path.exists() else []
    done = {(turn["cards"], turn["game"], turn["seed"]) for turn in turns}
    for which in planned():
        if which not in done:
            turns.append(solved(*which))
            lines = ",\n".join(json.dumps(turn, separators=(",", ":")) for turn in turns)
            write_file(path, f'{{"turns": [\n{lines}\n]}}\n')
            print(*which, flush=True)


if __name__ == "__main__":
    main()
