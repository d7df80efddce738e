"""Measure the bots' strength: one against several of another kind, or two against two, on the same deals.

    python benchmarks/bench_bots.py random      # best against three random players
    python benchmarks/bench_bots.py three       # best against three of the first best bot
    python benchmarks/bench_bots.py two         # two against two of these, both seatings
    python benchmarks/bench_bots.py fan-cards   # best against random players, with every fan card and with all
    python benchmarks/bench_bots.py game        # best against best-1, two against two, whole games to 66
    python benchmarks/bench_bots.py random --bots best:goal=win flat:goal=win --against random --deals 2000

Four players, one round unless it says so. All bots named meet the same deals from the same seats (deal d from seat
d mod 4; two against two: seats A and C, then B and D), so they can be compared deal by deal. Printed: win credit and
mean heads with 95% intervals, the difference to the last bot named, and the processor time of a choice (mean and
longest; the first ones of a process load the compiled code and are left out).
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from kept import over

from nimmt_lab import Classic
from nimmt_lab.bots import Bot, bot, play
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

PLAYERS = 4
FAN_CARDS = ("even_odd", "mountain", "jumping_cow", "number_twister")


class Timed(Bot):
    """A bot with a stopwatch."""

    def __init__(self, inner: Bot) -> None:
        self.inner = inner
        self.times: list[float] = []

    def choose(self, view: View, rng: Rng) -> Choice:
        begun = time.process_time()
        choice = self.inner.choose(view, rng)
        self.times.append(time.process_time() - begun)
        return choice


class Deal(NamedTuple):
    """The results of a bot in a deal: its share of the win, its heads, its lead over the others, and its times."""

    credit: float
    heads: float
    fewer: float
    times: list[float]


def one_deal(game: Game, name: str, against: str, two: bool, deal: int) -> Deal:
    """One seat, or two seats in both arrangements."""
    timed = Timed(bot(name))
    credit, heads, fewer = [], [], []
    for seats in ((0, 2), (1, 3)) if two else ((deal % PLAYERS,),):
        outcome = play(game, [timed if s in seats else bot(against) for s in range(PLAYERS)], seed=deal).outcome
        assert outcome is not None
        credit.append(mean(outcome.credit(seat) for seat in seats))
        heads.append(mean(outcome.totals[seat] for seat in seats))
        fewer.append(mean(outcome.totals[s] for s in range(PLAYERS) if s not in seats) - heads[-1])
    return Deal(mean(credit), float(mean(heads)), float(mean(fewer)), timed.times)


def warm_up(name: str, against: str) -> None:
    """Load the compiled code in a worker."""
    one_deal(Classic(players=PLAYERS, rounds=1), name, against, False, 0)


def interval(values: list[float]) -> str:
    return f"{mean(values):.4f} ± {1.96 * stdev(values) / len(values) ** 0.5:.4f}"


def measure(game: Game, args: argparse.Namespace, against: str, what: str) -> None:
    """Every bot on the same deals."""
    two = args.what in ("two", "game")
    credits: dict[str, list[float]] = {}
    for name in args.bots:
        deals = range(args.first, args.first + args.deals)
        found = over(
            partial(one_deal, game, name, against, two),
            deals,
            f"{name} against {against}, {'two, ' if two else ''}{game!r}",
            workers=args.workers,
            keep=args.keep,
            initializer=partial(warm_up, name, against),
        )
        done = [Deal(*one) for one in found]
        times = [took for one in done for took in one.times]
        credits[name] = [one.credit for one in done]
        print(
            f"{'two ' if two else ''}{name} against {'two' if two else 'three'} {against}, {what}, {args.deals} deals: "
            f"win credit {interval(credits[name])}, mean heads {interval([one.heads for one in done])}, "
            f"fewer than the others {interval([one.fewer for one in done])}, "
            f"{1e3 * mean(times):.0f} ms a choice (longest {1e3 * max(times):.0f})",
            flush=True,
        )
    *others, last = args.bots
    for name in others:
        difference = [a - b for a, b in zip(credits[name], credits[last], strict=True)]
        print(f"{name} minus {last}, same deals: {interval(difference)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="random", choices=["random", "three", "two", "fan-cards", "game"])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--bots", nargs="+", default=["best"])
    parser.add_argument("--against", help="the others (default: random, or best-1 where it is about that)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file from which the same command goes on")
    args = parser.parse_args()
    against = args.against or ("random" if args.what in ("random", "fan-cards") else "best-1")
    if args.what == "fan-cards":
        for cards in (*[(card,) for card in FAN_CARDS], FAN_CARDS):
            game = Classic(players=PLAYERS, rounds=1, fan_cards=cards, combine_fan_cards=len(cards) > 1)
            measure(game, args, against, " + ".join(cards))
    elif args.what == "game":
        measure(Classic(players=PLAYERS), args, against, "games to 66")
    else:
        measure(Classic(players=PLAYERS, rounds=1), args, against, "one round")


if __name__ == "__main__":
    main()
