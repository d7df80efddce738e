"""Measure how strong bots are: each one among several of each other, in every seat of the same deals.

    python benchmarks/bench_strength.py                                  # four players, one round, the usual bots
    python benchmarks/bench_strength.py --players 2 --games 600
    python benchmarks/bench_strength.py --bots ahead --against gradient --games 600 --keep strength.jsonl
    python benchmarks/bench_strength.py --whole                          # whole games to 66

`--games` counts deals; each is played once for every seat. Printed as a table: the bot's share of the wins and how
many fewer heads than the others it takes, with 95% intervals over deals. Chance is 1 / players. Every bot is timed
(processor time of a choice, mean and longest).

Two yardsticks come with the package: `flat:playouts=1000` (flat Monte Carlo) and `gradient` (a small network that
learned for minutes by plain policy gradient). Interrupt at any time: the table then has what was finished, and with
`--keep` the same command resumes.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from bench_bots import Timed, warm_up
from kept import over

from nimmt_lab import Classic
from nimmt_lab.bots import bot, play
from nimmt_lab.engine.game import Game

YARDSTICKS = ("flat:playouts=1000", "gradient")
USUAL = ("trained", "ahead", "best-2", "best")
#: Not the deals of other benchmarks or of any training.
FIRST = 5_000_000


class Cell(NamedTuple):
    """One bot among several of another."""

    deals: int
    credit: float
    credit_margin: float
    ahead: float
    ahead_margin: float
    mean_ms: float
    longest_ms: float

    def __str__(self) -> str:
        return f"{self.credit:.3f} ± {self.credit_margin:.3f}  {self.ahead:+.2f} ± {self.ahead_margin:.2f}"


def one_deal(game: Game, name: str, others: str, deal: int) -> tuple[float, float, list[float]]:
    """The bot in each seat of a deal: its share of the win, its lead over the others, times of its choices."""
    timed, credits, ahead, n = Timed(bot(name)), [], [], game.players
    for seat in range(n):
        outcome = play(game, [timed if at == seat else bot(others) for at in range(n)], seed=FIRST + deal).outcome
        assert outcome is not None
        credits.append(outcome.credit(seat))
        ahead.append((sum(outcome.totals) - outcome.totals[seat]) / (n - 1) - outcome.totals[seat])
    return fmean(credits), fmean(ahead), timed.times


def cell(found: list[tuple[float, float, list[float]]]) -> Cell:
    """
    >>> cell([(0.5, 1.0, [0.001]), (0.5, 3.0, [0.003])])
    Cell(deals=2, credit=0.5, credit_margin=0.0, ahead=2.0, ahead_margin=1.96, mean_ms=2.0, longest_ms=3.0)
    """
    count, times = len(found), [1000 * took for one in found for took in one[2]]
    credits, ahead = [one[0] for one in found], [one[1] for one in found]
    credit_margin, ahead_margin = (1.96 * stdev(of) / count**0.5 if count > 1 else 0.0 for of in (credits, ahead))
    return Cell(count, fmean(credits), credit_margin, fmean(ahead), round(ahead_margin, 6), fmean(times), max(times))


def table(cells: dict[tuple[str, str], Cell]) -> str:
    """The cells, a row for each bot and a column for each kind of opponents."""
    rows, columns = (list(dict.fromkeys(key[at] for key in cells)) for at in (0, 1))
    lines = [["", *(f"among {column}" for column in columns), "ms a choice (longest)"]]
    for row in rows:
        own = [cells[row, column] for column in columns if (row, column) in cells]
        times = f"{fmean(one.mean_ms for one in own):.1f} ({max(one.longest_ms for one in own):.0f})"
        lines.append([row, *(str(cells.get((row, column), "")) for column in columns), times])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = ("  ".join(f"{part:<{width}}" for part, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in padded)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=150, help="deals; each is played once for every seat")
    parser.add_argument("--bots", nargs="+", default=list(USUAL))
    parser.add_argument("--against", nargs="+", help="the others (default: the yardsticks, then the bots)")
    parser.add_argument("--whole", action="store_true", help="whole games to 66 instead of one round")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file from which the same command resumes")
    given = parser.parse_args()
    game = Classic(players=given.players) if given.whole else Classic(players=given.players, rounds=1)
    cells: dict[tuple[str, str], Cell] = {}
    try:
        for name in given.bots:
            for others in given.against or [*YARDSTICKS, *given.bots]:
                if name == others:
                    continue
                found = over(
                    partial(one_deal, game, name, others),
                    range(given.games),
                    f"{name} among {others}, {game!r}, deals from {FIRST}",
                    workers=given.workers,
                    keep=given.keep,
                    initializer=partial(warm_up, name, others),
                )
                cells[name, others] = cell(found)
    except KeyboardInterrupt:
        print("Interrupted; this is what was finished.")
    if cells:
        unit = "whole games" if given.whole else "one round"
        print(f"{given.players} players, {unit}, {given.games} deals in all seats; chance is {1 / given.players:.3f}")
        print(table(cells))


if __name__ == "__main__":
    main()
