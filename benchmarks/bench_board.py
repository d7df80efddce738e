"""The board game's kernel and the bot that searches with it.

    python benchmarks/bench_board.py [--games 300] [--bots best] [--against random] [--workers 2] [--first 0]

For each of the four modes (basic and advanced, without and with luck cards), four players:

* how many times faster than the engine the kernel plays whole games (random play) and playouts from a view (the policy
  of the searching bot), in processor time of one run, on the same games and playouts
* one bot against three of a kind: win credit with its 95% interval (chance is 0.25), mean points, and the processor
  time of a choice, mean and longest (a process' first game loads the compiled code and is left out)
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean, stdev

from kept import over

from nimmt_lab import BoardGame
from nimmt_lab.bots import Bot, bot, play
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.board_game.policy import sensible
from nimmt_lab.native.kernel import compiled_tries, kernel_of
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator

PLAYERS = 4
MODES = [(mode, luck) for mode in ("basic", "advanced") for luck in (False, True)]


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


def took(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def one_game(number: int, mode: str, luck: bool, name: str, against: str) -> tuple[float, float, list[float]]:
    """Win credit (a tie is shared), points, and the times of the choices."""
    timed, seat = Timed(bot(name)), number % PLAYERS
    table: list[Bot] = [timed if s == seat else bot(against) for s in range(PLAYERS)]
    outcome = play(BoardGame(PLAYERS, mode=mode, luck=luck), table, seed=number).outcome
    assert outcome is not None
    best = max(outcome.totals)
    credit = 1 / outcome.totals.count(best) if outcome.totals[seat] == best else 0.0
    return credit, float(outcome.totals[seat]), timed.times


def by_engine(view: View, playouts: int) -> None:
    """The same playouts with the engine."""
    for number in range(playouts):
        state = guess(view, Rng.from_seed(1, number))
        while not state.is_over:
            state, _ = state.choose({seat: sensible(state, seat, asked) for seat, asked in state.pending.items()})


def ratios(mode: str, luck: bool) -> str:
    game = BoardGame(PLAYERS, mode=mode, luck=luck)
    plan = Simulator.of(game)
    plan.play(1, 0, 10)
    slow = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
    few, many = 20, 10_000
    assert plan.play(1, 0, few) == slow.play(1, 0, few), "engine and kernel play differently"
    games = (took(lambda: slow.play(1, 0, few)) / few) / (took(lambda: plan.play(1, 0, many)) / many)
    view = game.deal(seed=1).view(0)
    tries = compiled_tries(view, Rng.from_seed(1), True)
    assert tries is not None and view.decision is not None
    option = view.decision.options[:1]
    fast = took(lambda: tries.run(option, many)) / many
    playouts = (took(lambda: by_engine(view, few)) / few) / fast
    return f"games {games:.0f} times the engine's rate, playouts {playouts:.0f} times ({1e6 * fast:.1f} µs each)"


def interval(values: list[float]) -> str:
    return f"{mean(values):.3f} ± {1.96 * stdev(values) / len(values) ** 0.5:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--bots", nargs="+", default=["best"])
    parser.add_argument("--against", default="random")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file from which the same command goes on")
    args = parser.parse_args()
    for mode, luck in MODES:
        words = f"{mode}{' with luck cards' if luck else ''}"
        print(f"{words}: {ratios(mode, luck)}", flush=True)
        for name in args.bots:
            numbers = range(args.first, args.first + args.games)
            work = partial(one_game, mode=mode, luck=luck, name=name, against=args.against)
            what = f"board game, {words}: {name} against {args.against}"
            played = over(work, numbers, what, workers=args.workers, keep=args.keep)
            credits, points = [one for one, _, _ in played], [one for _, one, _ in played]
            loaded = played[2 * args.workers :] or played
            times = [spent for _, _, choices in loaded for spent in choices]
            print(
                f"{words}: {name} against three {args.against}, {args.games} games: win credit {interval(credits)}, "
                f"points {interval(points)}, {1e3 * mean(times):.0f} ms a choice (longest {1e3 * max(times):.0f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
