"""Reviews: the time they take, whether their labels can be trusted, whether accuracy ranks the levels, and whether luck
is zero on average.

    python benchmarks/bench_review.py time               # one seat of a classic game for four: seconds, largest error
    python benchmarks/bench_review.py labels --games 64  # whether three seeds give a choice the same label
    python benchmarks/bench_review.py blunders --games 30  # whether a planted blunder is its seat's worst choice
    python benchmarks/bench_review.py best --games 13    # the labels of the best bot among players like itself
    python benchmarks/bench_review.py levels --games 200 # rounds of levels and yardsticks: accuracy, with 95% intervals
    python benchmarks/bench_review.py luck --games 1000  # mean luck at an unequal table, what the parts miss
    python benchmarks/bench_review.py luck --game baron players=3 --table closest-safe level-2 random

Classic game, four players, one round (`time` also plays a whole game to 66); `luck` in any game, by name and options.
A label is an inaccuracy, a mistake or a blunder; most choices have none. `labels` reviews a player of each level in
turn among others. A planted blunder is a card that costs at least four heads more than the best by flat Monte Carlo.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from functools import partial
from pathlib import Path
from statistics import mean, stdev

from bench_strength import YARDSTICKS
from kept import over

from nimmt_lab import Classic
from nimmt_lab.bots import BestBot, Bot, FlatBot, bot, levels, record
from nimmt_lab.bots.base import needed, register
from nimmt_lab.bots.company import company_of
from nimmt_lab.bots.yardstick import usual
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import any_option
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.explain.judgement import VERDICTS, Judgement
from nimmt_lab.study import review
from nimmt_lab.study.luck import Measurement, measure, split
from nimmt_lab.study.reviews import PLAYOUTS
from nimmt_lab.study.searched import search_choice

PLAYERS = 4
PARTS = ("share", "luck", "deal", "turns", "skill")
ROUND = Classic(players=PLAYERS, rounds=1)
#: Not the deals of other benchmarks or of any training.
FIRST = 6_000_000
SEEDS = (1, 2, 3)
CLEARLY_BAD = 4.0


class Yardstick(Bot):
    """Plays by the policy that measures luck and skill."""

    name = "yardstick"

    def choose(self, view: View, rng: Rng) -> Choice:
        found = usual(view)
        return any_option(needed(view), rng)[0] if found is None else found


register(Yardstick)


class Careless(Bot):
    """Plays like the best bot, but once, from a turn on, the worst card of its hand if that is clearly bad."""

    name = "careless"

    def __init__(self, turn: int) -> None:
        self.turn = turn
        #: The turn of the blunder, and what it costs by flat Monte Carlo.
        self.blunder: tuple[int, float] | None = None

    def choose(self, view: View, rng: Rng) -> Choice:
        if self.blunder is None and view.turn >= self.turn and isinstance(needed(view), ChooseCard):
            promises = FlatBot(4000, "heads").advise(view, seed=rng.state).promises
            best, worst = promises[0], promises[-1]
            if worst.points - best.points >= CLEARLY_BAD:
                self.blunder = view.turn, worst.points - best.points
                return worst.option
        return bot("best").choose(view, rng)


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


def label(said: Judgement) -> str:
    return said.verdict if said.verdict in VERDICTS[2:] else ""


def mixed(number: int) -> list[int]:
    """The levels of the players of a round: each level in turn in the first seat, among others."""
    return [(number + seat * (1 + number // 8 % 3)) % 8 + 1 for seat in range(PLAYERS)]


def labelled(names: list[str], seat: int, seeds: tuple[int, ...], deal: int) -> list[list[tuple[str, float, float]]]:
    """For each choice of a seat: its label, loss and second opinion in a review with each seed."""
    played, search, found = record(ROUND, [bot(name) for name in names], seed=deal), BestBot(PLAYOUTS, "heads"), []
    for ply, step in enumerate(played.steps):
        if seat in step.choices:
            judged = [search_choice(step, ply, seat, search, seed).judgement(step, seat) for seed in seeds]
            found.append([(label(said), said.loss, -9.0 if said.second is None else said.second) for said in judged])
    return found


def of_seeds(number: int) -> list[list[tuple[str, float, float]]]:
    return labelled([f"level-{at}" for at in mixed(number)], 0, SEEDS, FIRST + number)


def of_best(number: int) -> list[list[tuple[str, float, float]]]:
    """All choices of a round of best bots."""
    played = [labelled(["best"] * PLAYERS, seat, SEEDS[:1], FIRST + number) for seat in range(PLAYERS)]
    return [each for one in played for each in one]


def with_blunder(number: int) -> tuple[float, int, float, float] | None:
    """A round with a blunder: its cost by flat Monte Carlo, its place among the choices of its seat, its loss and the
    largest other loss by a review. None: the careless player never had a card that was bad enough."""
    seat, careless = number % PLAYERS, Careless(number // PLAYERS % 7)
    table = [careless if at == seat else bot("best") for at in range(PLAYERS)]
    played = record(ROUND, table, seed=FIRST + number)
    if careless.blunder is None:
        return None
    turn, cost = careless.blunder
    steps = [(ply, step) for ply, step in enumerate(played.steps) if seat in step.choices]
    search = BestBot(PLAYOUTS, "heads")
    judged = [search_choice(step, ply, seat, search, 0).judgement(step, seat) for ply, step in steps]
    # As `Review.worst` ranks them
    ranked = sorted(judged, key=lambda said: (-said.least, -said.loss))
    mine = next(said for said in ranked if said.turn == turn and said.kind == "card")
    return cost, ranked.index(mine) + 1, mine.loss, max(said.loss for said in ranked if said != mine)


def by_level(playouts: int, number: int) -> list[tuple[str, float, float]]:
    """For every choice of a round between four of the levels and the yardsticks: player, loss, possible loss."""
    names = [*(level.name for level in levels()), *YARDSTICKS]
    table = [names[(number + seat * (1 + number // len(names) % 3)) % len(names)] for seat in range(PLAYERS)]
    played = record(ROUND, [bot(name) for name in table], seed=70_000 + number)
    search, found = BestBot(playouts, "heads"), []
    for ply, step in enumerate(played.steps):
        for seat in step.choices:
            said = search_choice(step, ply, seat, search, number).judgement(step, seat)
            found.append((table[seat], said.given_up, said.at_stake))
    return found


def print_labels(found: list[list[list[tuple[str, float, float]]]]) -> None:
    """The labels by the first seed, and how many choices have the same label by all."""
    choices = [[said[0] for said in each] for one in found for each in one]
    counts, same = Counter(each[0] for each in choices), sum(len(set(each)) == 1 for each in choices)
    print(f"{len(choices)} choices: " + ", ".join(f"{counts[name]} × {name}" for name in VERDICTS[2:]))
    if len(choices[0]) > 1:
        print(f"the same by {len(SEEDS)} seeds: {same} ({100 * same / len(choices):.1f}%)")


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
    parser.add_argument("what", choices=["time", "labels", "blunders", "best", "levels", "luck"])
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
    elif args.what in ("labels", "best"):
        each = of_seeds if args.what == "labels" else of_best
        print_labels(over(each, range(args.games), f"{args.what} from {FIRST}", **pool))
    elif args.what == "blunders":
        planted: list[tuple[float, int, float, float]] = []
        # Often the player never holds so bad a card.
        for at in itertools.count(0, 8):
            rounds = over(with_blunder, range(at, at + 8), f"blunders from {FIRST}", **pool)
            planted += [one for one in rounds if one is not None]
            if len(planted) >= args.games:
                break
        planted = planted[: args.games]
        print(f"{len(planted)} blunders, of {min(one[0] for one in planted):.1f} heads or more by flat Monte Carlo")
        places = Counter(one[1] for one in planted)
        print("place among the choices of the seat: " + ", ".join(f"{at}: {places[at]}" for at in sorted(places)))
    elif args.what == "levels":
        games = over(partial(by_level, args.playouts), range(args.games), f"levels, {args.playouts} playouts", **pool)
        for name in (*(level.name for level in levels()), *YARDSTICKS):
            mine = [(share, stake) for game in games for at, share, stake in game if at == name]
            stake = sum(one for _, one in mine)
            if not stake:
                continue
            kept = 100 * (1 - sum(share for share, _ in mine) / stake)
            # The error of a ratio of sums, choice by choice.
            off = [100 * (share - (1 - kept / 100) * one) / (stake / len(mine)) for share, one in mine]
            print(f"{name:18} accuracy {kept:5.1f} ± {1.96 * stdev(off) / len(off) ** 0.5:.1f}")
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
