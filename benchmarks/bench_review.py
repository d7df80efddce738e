"""Reviews: the time they take, whether accuracy ranks the levels, and whether luck is zero on average.

    python benchmarks/bench_review.py time               # one seat of a classic game for four: seconds, largest error
    python benchmarks/bench_review.py levels --games 200 # games between levels: accuracy of each, with 95% intervals
    python benchmarks/bench_review.py luck --games 1000  # mean luck at an unequal table, what the parts miss
    python benchmarks/bench_review.py luck --game baron players=3 --table closest-safe level-2 random

Classic game, four players, one round (`time` also plays a whole game to 66); `luck` in any game, by name and options.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from statistics import mean, stdev

from kept import over

from nimmt_lab import Classic
from nimmt_lab.bots import BestBot, Bot, bot, levels, record
from nimmt_lab.bots.base import needed, register
from nimmt_lab.bots.company import company_of
from nimmt_lab.bots.yardstick import usual
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import any_option
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.study import review
from nimmt_lab.study.luck import Measurement, measure, split
from nimmt_lab.study.searched import search_choice

PLAYERS = 4
PARTS = ("share", "luck", "deal", "turns", "skill")
ROUND = Classic(players=PLAYERS, rounds=1)


class Yardstick(Bot):
    """Plays by the policy that measures luck and skill."""

    name = "yardstick"

    def choose(self, view: View, rng: Rng) -> Choice:
        found = usual(view)
        return any_option(needed(view), rng)[0] if found is None else found


register(Yardstick)


def interval(values: list[float]) -> str:
    return f"{mean(values):.3f} ± {1.96 * stdev(values) / len(values) ** 0.5:.3f}"


def timed() -> None:
    for name, game in (("one round", ROUND), ("to 66", Classic(players=PLAYERS))):
        played = record(game, [bot("level-5")] * PLAYERS, seed=1)
        review(played, seat=0, playouts=10, progress=False)  # loads the compiled code
        wall, cpu = time.perf_counter(), time.process_time()
        found = review(played, seat=0, progress=False)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        error = max(said.error for said in found.judgements)
        rounds = found.splits[0].rounds
        print(f"{name} ({rounds} rounds): {cpu:.1f} s of processor time, {wall:.1f} s, largest error {error:.3f} heads")


def by_level(playouts: int, number: int) -> list[tuple[int, float, float]]:
    """For every choice of a game between four of the levels: level, loss, possible loss."""
    numbers = [(number + seat * (1 + number // 8 % 3)) % 8 + 1 for seat in range(PLAYERS)]
    played = record(ROUND, [levels()[at - 1].bot() for at in numbers], seed=70_000 + number)
    search, found = BestBot(playouts, "heads"), []
    for ply, step in enumerate(played.steps):
        for seat in step.choices:
            said = search_choice(step, ply, seat, search, number).judgement(step, seat)
            found.append((numbers[seat], said.given_up, said.at_stake))
    return found


def luck_of(game: Game, table: list[str], playouts: int, deal: int, number: int) -> tuple[str, dict[str, float]]:
    """One seat of a table whose players move on by one seat with every deal: who plays there, and its parts."""
    seats = game.players
    players = [table[(seat + number) % seats] for seat in range(seats)]
    played = record(game, [bot(player) for player in players], seed=deal + number)
    company, seat = company_of(played), number // seats % seats

    def of(other: int, skill: bool) -> dict[int, Measurement]:
        return {
            ply: measure(
                step.before.view(other), step.choices[other], playouts, 64 * number + ply, skill=skill, company=company
            )
            for ply, step in enumerate(played.steps)
            if other in step.choices and step.before.rows
        }

    luck = {other: of(other, False) for other in range(seats) if company is None or other == seat}
    # Each of many deals has its own share, so a few rounds are enough for it.
    found = split(played, luck, {seat: of(seat, True)}, company, rounds_in_company=3000, seed=number)[seat]
    parts = {part: getattr(found, part).value for part in PARTS}
    missed = found.gap.value / found.gap.error if found.gap.error else 0.0
    return players[seat], {"result": float(found.result), **parts, "missed": missed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["time", "levels", "luck"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--game", nargs="+", default=["classic", f"players={PLAYERS}", "rounds=1"], help="luck: which")
    parser.add_argument("--table", nargs="+", default=["trained", "closest-safe", "level-2", "random"])
    parser.add_argument("--deal", type=int, default=80_000, help="luck: seed of the first deal")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file from which the same command goes on")
    args = parser.parse_args()
    pool = {"workers": args.workers, "keep": args.keep}
    if args.what == "time":
        timed()
    elif args.what == "levels":
        games = over(partial(by_level, args.playouts), range(args.games), f"levels, {args.playouts} playouts", **pool)
        for level in levels():
            mine = [(share, stake) for game in games for at, share, stake in game if at == level.number]
            stake = sum(one for _, one in mine)
            if not stake:
                continue
            kept = 100 * (1 - sum(share for share, _ in mine) / stake)
            # The error of a ratio of sums, choice by choice.
            off = [100 * (share - (1 - kept / 100) * one) / (stake / len(mine)) for share, one in mine]
            print(f"{level.number} {level.title():12} accuracy {kept:5.1f} ± {1.96 * stdev(off) / len(off) ** 0.5:.1f}")
    else:
        game = read_rules(args.game[0], " ".join(args.game[1:]))
        if len(args.table) != game.players:
            parser.error(f"--table needs {game.players} bots")
        what = f"luck, {' '.join(args.game)}, {' '.join(args.table)}, {args.playouts} playouts, deals {args.deal}"
        found = over(partial(luck_of, game, args.table, args.playouts, args.deal), range(args.games), what, **pool)
        for player in (*dict.fromkeys(args.table), ""):
            rounds = [one for name, one in found if player in ("", name)]
            parts = ", ".join(f"{part} {interval([one[part] for one in rounds])}" for part in ("result", *PARTS))
            print(f"{player or 'all'}, {len(rounds)} rounds: {parts}")
        missed = [one["missed"] for _, one in found]
        print(f"what the parts miss, in standard errors: {interval(missed)}, spread {stdev(missed):.2f}")


if __name__ == "__main__":
    main()
