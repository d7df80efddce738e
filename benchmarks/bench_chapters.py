"""Measure the strength and speed of bots in the chapters with their own kernels: Bull Baron and Beat the Buffalo.

    python benchmarks/bench_chapters.py baron [--games 300]      one bot against two random players, three variants
    python benchmarks/bench_chapters.py buffalo [--games 200]    teams of one bot and of another on the same deals
    python benchmarks/bench_chapters.py rates                    rounds of the core against rounds of the engine

Printed: win credit (in the buffalo's game: games won) with 95% intervals, and the processor time of a choice.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from statistics import mean, stdev

from kept import over

from nimmt_lab import Baron, Buffalo
from nimmt_lab.bots import Bot, bot, play
from nimmt_lab.bots.by_engine import win_credit
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.baron.rules import VARIANTS
from nimmt_lab.native.kernel import kernel_of
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator


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


def one_of_us(deal: int, game: Game, name: str, against: str) -> tuple[float, list[float]]:
    """The bot in seat `deal` mod players: its win credit, and the times of its choices."""
    timed = Timed(bot(name))
    seat = deal % game.players
    table: list[Bot] = [timed if s == seat else bot(against) for s in range(game.players)]
    return win_credit(play(game, table, seed=deal), seat), timed.times


def all_of_us(deal: int, game: Game, name: str) -> tuple[float, list[float]]:
    """A team of this bot: 1 if it wins."""
    timed = Timed(bot(name))
    outcome = play(game, [timed] * game.players, seed=deal).outcome
    assert outcome is not None
    return float(0 in outcome.winners), timed.times


def interval(values: list[float]) -> str:
    return f"{mean(values):.3f} ± {1.96 * stdev(values) / len(values) ** 0.5:.3f}"


def measured(what: str, games: list[tuple[float, list[float]]]) -> list[float]:
    """Print the results of some games."""
    credits = [credit for credit, _ in games]
    # A process' first choices load the compiled code.
    times = [t for _, took in games for t in took[1:]]
    longest = f"{1e3 * mean(times):.0f} ms a choice, 99 % below {1e3 * sorted(times)[len(times) * 99 // 100]:.0f}"
    print(f"{what} {interval(credits)} ({sum(credits):g} of {len(credits)}); {longest}", flush=True)
    return credits


def baron(args: argparse.Namespace) -> None:
    deals = range(args.first, args.first + (args.games or 300))
    for variant in VARIANTS:
        game = Baron(players=args.players or 3, variant=variant)
        for name in args.bots:
            what = f"{name} against random, {game!r}"
            work = partial(one_of_us, game=game, name=name, against="random")
            games = over(work, deals, what, workers=args.workers, keep=args.keep)
            measured(f"{game!r}: {name} against {game.players - 1} random:", games)


def buffalo(args: argparse.Namespace) -> None:
    for players in [args.players] if args.players else range(1, 7):
        game = Buffalo(players=players)
        deals = range(args.first, args.first + (args.games or 200))
        credits = {}
        for name in args.bots:
            work = partial(all_of_us, game=game, name=name)
            games = over(work, deals, f"{name}, {game!r}", workers=args.workers, keep=args.keep)
            credits[name] = measured(f"buffalo, {players} player{'s' if players > 1 else ''}, {name}: won", games)
        first, *others = args.bots
        for name in others:
            difference = [a - b for a, b in zip(credits[first], credits[name], strict=True)]
            print(f"  {first} minus {name}, same deals: {interval(difference)}", flush=True)


def rates(args: argparse.Namespace) -> None:
    games = [Baron(players=3, variant=variant) for variant in VARIANTS] + [Buffalo(players=n) for n in (1, 4, 6)]
    for game in games:
        for policy in ("random", "least-risk"):
            plan = Simulator.of(game, policy)
            plan.play(1, 0, 1)
            by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
            begun = time.process_time()
            by_engine.play(1, 0, 12)
            middle = time.process_time()
            plan.play(1, 0, 4000)
            ended = time.process_time()
            ours, theirs = (ended - middle) / 4000, (middle - begun) / 12
            print(f"{game!r}, {policy}: {1 / ours:,.0f} rounds/s, {theirs / ours:,.0f} times the engine", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["baron", "buffalo", "rates"])
    parser.add_argument("--games", type=int, default=None)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--bots", nargs="+", default=None)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file from which the same command goes on")
    args = parser.parse_args()
    args.bots = args.bots or (["best"] if args.what == "baron" else ["best", "best-1"])
    {"baron": baron, "buffalo": buffalo, "rates": rates}[args.what](args)


if __name__ == "__main__":
    main()
