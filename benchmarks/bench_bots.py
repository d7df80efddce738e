"""How strong the bots are: one of them against three of a kind, four players, one round.

    python benchmarks/bench_bots.py [--deals 2000] [--bots best:goal=win] [--against random] [--workers 2]

All bots named meet the same deals from the same seats (deal d from seat d mod 4), so they can be compared deal by deal.
Printed: win credit and mean heads with 95 % intervals, the difference to the last bot named, and the processor time of
a choice (mean and longest; the first ones of a process load the compiled code and are left out).
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from statistics import mean, stdev

from tqdm.auto import tqdm

from nimmt_lab import Classic
from nimmt_lab.bots import Bot, bot, play
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

PLAYERS = 4


class Timed(Bot):
    """A bot with a stop-watch."""

    def __init__(self, inner: Bot) -> None:
        self.inner = inner
        self.times: list[float] = []

    def choose(self, view: View, rng: Rng) -> Choice:
        begun = time.process_time()
        choice = self.inner.choose(view, rng)
        self.times.append(time.process_time() - begun)
        return choice


def one_deal(deal: int, name: str, against: str) -> tuple[float, float, list[float]]:
    """Win credit (a tie is shared), heads, and the times of the choices."""
    timed = Timed(bot(name))
    seat = deal % PLAYERS
    table: list[Bot] = [timed if s == seat else bot(against) for s in range(PLAYERS)]
    outcome = play(Classic(players=PLAYERS, rounds=1), table, seed=deal).outcome
    assert outcome is not None
    totals = outcome.totals
    best = min(totals)
    return (1 / totals.count(best) if totals[seat] == best else 0.0), float(totals[seat]), timed.times


def warm_up(name: str, against: str) -> None:
    """Load the compiled code in a worker."""
    one_deal(0, name, against)


def interval(values: list[float]) -> str:
    return f"{mean(values):.4f} ± {1.96 * stdev(values) / len(values) ** 0.5:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--bots", nargs="+", default=["best:goal=win", "flat:goal=win"])
    parser.add_argument("--against", default="random")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    credits: dict[str, list[float]] = {}
    for name in args.bots:
        heads, times = [], []
        credits[name] = []
        with ProcessPoolExecutor(args.workers, initializer=partial(warm_up, name, args.against)) as workers:
            deals = range(args.first, args.first + args.deals)
            games = workers.map(one_deal, deals, repeat(name), repeat(args.against), chunksize=4)
            for credit, taken, took in tqdm(games, total=args.deals, desc=name, disable=None):
                credits[name].append(credit)
                heads.append(taken)
                times += took
        print(
            f"{name} against three {args.against}, {args.deals} deals: win credit {interval(credits[name])} "
            f"({mean(credit > 0 for credit in credits[name]):.4f} first or tied first), "
            f"mean heads {interval(heads)}, {1e3 * mean(times):.0f} ms a choice (longest {1e3 * max(times):.0f})",
            flush=True,
        )
    *others, last = args.bots
    for name in others:
        difference = [a - b for a, b in zip(credits[name], credits[last], strict=True)]
        print(f"{name} minus {last}, same deals: {interval(difference)}")


if __name__ == "__main__":
    main()
