"""Review a game choice by choice. In open games for two the solver compares choices with best play; otherwise a search
from what each player could see estimates the cost of every choice, with its error.

>>> from nimmt_lab import Advanced, Record
>>> start = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
>>> solved = review(Record(Advanced(players=2), ({0: 16, 1: 18},), start=start), progress=False)
>>> [(each.choice, each.best, round(each.most, 2)) for each in solved.judgements]
[('16', '12', 7.11), ('18', '18', 0.0)]
>>> from nimmt_lab import Classic
>>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
>>> searched = review(Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=start), seat=0, progress=False)
>>> searched.judgements[0].best, searched.judgements[0].least > 1
('104', True)
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from nimmt_lab.bots import BestBot
from nimmt_lab.bots.company import Company, company_of
from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.errors import PositionError, RulesError, Unsupported
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import PathLike, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_count, check_seconds
from nimmt_lab.engine.notes_text import record_of
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sheet import Figure, Figures, Several, Sheet, Shown
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Report, report, words
from nimmt_lab.explain.judgement import (
    NOTHING,
    VERDICTS,
    Judgement,
    Z,
    accuracy,
    accuracy_line,
    lost,
    lost_line,
    review_lines,
    review_title,
    split_line,
    standing,
)
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition, heads_difference, two_player_game
from nimmt_lab.solver.solution import Bounds, Solution
from nimmt_lab.solver.two_players import solve

from .frames import data_frame
from .luck import Measurement, Split, measure, split
from .mistakes import Judged
from .searched import Searched, search_choice
from .work import as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

#: With more cards per hand only the entries that the regrets need are solved exactly, to save time.
WHOLE_TABLE_UP_TO = 7
#: Playouts per option; in the classic game the error of a loss is then below 0.15 heads.
PLAYOUTS = 7000
#: Divisors of the playouts for luck and skill: of reviewed seats, and of others, whose luck affects only the share.
_LUCK_SHARE, _OTHERS_SHARE = 2, 10
#: Costly choices that a review shows.
_LISTED = 10


@dataclass(frozen=True)
class ReviewedStep:
    """One decision of the game (cards, a row, a special card) and its evaluation."""

    #: Index of the step in the record.
    ply: int
    step: Step
    #: For two players: B's heads minus A's in this round, before the step and in it.
    taken: int = 0
    heads: int = 0
    #: The solver's result; None if not asked or interrupted.
    solution: Solution | None = None
    #: Search results by seat.
    searched: Mapping[Seat, Searched] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Round/turn, counted from 1."""
        return f"{self.step.before.round + 1}/{self.step.before.turn + 1}"

    @property
    def expected(self) -> Bounds | None:
        """B's heads minus A's at the end of the round under best play by both."""
        if self.solution is None:
            return None
        lo, hi = self.solution.bounds
        return Bounds(self.taken + lo, self.taken + hi)

    @property
    def solved(self) -> bool:
        return self.solution is not None and self.solution.exact

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """The cost of each choice."""
        solution, before = self.solution, self.step.before
        if solution is None:
            return tuple(searched.judgement(self.step, seat) for seat, searched in self.searched.items())
        judgements = []
        for seat, choice in self.step.choices.items():
            regret, best = solution.regrets[seat][choice], solution.best(seat)
            where = before.round, before.turn, seat, "row" if before.queue else "card"
            names = solution.name(choice), "" if best is None else solution.name(best)
            stake = max((other.lo + other.hi) / 2 for other in solution.regrets[seat].values())
            share = (regret.lo + regret.hi) / 2
            judgements.append(Judgement(*where, *names, *regret, solution.exact, given_up=share, at_stake=stake))
        return tuple(judgements)


@dataclass(frozen=True, repr=False)
class Review(Shown):
    """The evaluation of every choice of a game; drafts are left out.

    With the solver (`method`), regret is the expected loss against an optimal opponent. With the search it is the loss
    against the best-looking option, if everybody then plays as the search's playouts do, given only what the player
    could see. Neither is the loss that happened to occur.
    """

    record: Record
    steps: tuple[ReviewedStep, ...]
    #: `solver` or `search`.
    method: str = "solver"
    #: Luck and skill of the reviewed seats over finished rounds, by seat; empty if the review is incomplete.
    splits: Mapping[Seat, Split] = field(default_factory=dict)
    #: Whether time ran out before the first decision was reached.
    time_is_up: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether every decision was evaluated (solved or not)."""
        if self.method == "search":
            return all(reviewed.judgements for reviewed in self.steps)
        return all(reviewed.solution is not None and not reviewed.solution.interrupted for reviewed in self.steps)

    @property
    def unsolved(self) -> tuple[ReviewedStep, ...]:
        """Decisions that the solver did not solve."""
        return tuple(reviewed for reviewed in self.steps if not reviewed.solved)

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All choices in order, seat A first."""
        return tuple(judgement for reviewed in self.steps for judgement in reviewed.judgements)

    def of_seat(self, seat: Seat | str) -> list[Judgement]:
        """The judgements of a seat, given by number or letter, or of a player by name."""
        number = self.record.seat_of(seat)
        return [judgement for judgement in self.judgements if judgement.seat == number]

    def worst(self, seat: Seat | str | None = None) -> Judged | None:
        """The costliest choice (of a seat or player), with the table, all options and the reasons; None if nothing was
        lost. See `costliest` for several."""
        return next(iter(self.costliest(seat, 1)), None)

    def costliest(self, seat: Seat | str | None = None, count: int = 3) -> Several[Judged]:
        """The costliest choices (of a seat or player), each with the table, all options and the reasons.

        Choices whose loss is beyond doubt come first, so that a noisy estimate does not pass for the worst mistake.
        """
        check_count(count, "count", 1)
        number = None if seat is None else self.record.seat_of(seat)
        found = [
            (judgement, reviewed)
            for reviewed in self.steps
            for judgement in reviewed.judgements
            if number in (None, judgement.seat) and judgement.choice != judgement.best and judgement.loss >= NOTHING
        ]
        found.sort(key=lambda each: (-max(each[0].least, 0.0), -each[0].loss))
        names = self.record.names
        return Several(Judged.of(reviewed, judgement, names) for judgement, reviewed in found[:count])

    def lost(self, seat: Seat | str) -> Bounds:
        """Bounds on a seat's total loss over the evaluated decisions; with the search, at 95% confidence."""
        return Bounds(*lost(self.of_seat(seat)))

    def accuracy(self, seat: Seat | str) -> float | None:
        """How much of what was at stake the seat's choices kept, out of 100; None if nothing was. The search
        measures in win probability, the solver in heads."""
        return accuracy(self.of_seat(seat))

    def verdicts(self, seat: Seat | str) -> dict[str, int]:
        """Number of a seat's choices by verdict."""
        named = [judgement.verdict for judgement in self.of_seat(seat)]
        return {verdict: named.count(verdict) for verdict in VERDICTS}

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats with evaluated choices."""
        return tuple(sorted({judgement.seat for judgement in self.judgements}))

    @cached_property
    def turning_points(self) -> tuple[ReviewedStep, ...]:
        """Decisions that changed who is ahead in the round, as far as that is known before and after."""
        points = []
        for at, reviewed in enumerate(self.steps):
            before, after = _ahead(reviewed.expected), _ahead(self._afterwards(at))
            if before is not None and after is not None and before != after:
                points.append(reviewed)
        return tuple(points)

    def _afterwards(self, at: int) -> Bounds | None:
        """The expected result after the choices of a step."""
        reviewed = self.steps[at]
        step = reviewed.step
        if step.state.is_past_round(step.before.round):
            return Bounds(reviewed.taken + reviewed.heads, reviewed.taken + reviewed.heads)
        return self.steps[at + 1].expected if at + 1 < len(self.steps) else None

    def report(self) -> Report:
        """The report of the game, with the cost of each choice."""
        return report(self.record, self.judgements)

    def to_text(self, lang: str = "en") -> str:
        """A line per decision, then each player's losses, accuracy and luck."""
        say, points, searched = words(lang, self.record.names), self.record.game.more_is_better, self.method == "search"
        turning = {reviewed.ply for reviewed in self.turning_points}
        lines: list[tuple[str, str | None, tuple[Judgement, ...], bool]] = []
        for reviewed in self.steps:
            expected = reviewed.expected
            stands = None if expected is None else standing(*expected, reviewed.solved, say)
            lines.append((reviewed.label, stands, reviewed.judgements, reviewed.ply in turning))
        by_seat = {seat: self.of_seat(seat) for seat in (self.seats if searched else (0, 1))}
        totals = [lost_line(seat, judgements, say) for seat, judgements in by_seat.items()]
        totals += filter(None, [accuracy_line(seat, judgements, say) for seat, judgements in by_seat.items()])
        for seat, part in sorted(self.splits.items()):
            values = (part.expected.value, part.deal.value, part.turns.value, part.skill.value)
            totals.append(
                split_line(
                    seat,
                    part.result,
                    values,
                    (part.luck.error, part.skill.error),
                    say,
                    points=points,
                    gap=part.gap.value,
                )
            )
        title = review_title(say, searched=searched, points=points)
        return "\n".join([title, *review_lines(lines, say, time_is_up=self.time_is_up), *totals])

    def to_json(self, lang: str = "en") -> dict[str, Json]:
        """The review as plain data with texts in a language, for screens."""
        from .review_json import plain

        return plain(self, lang)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """A row per choice; rounds, turns and rows count from 1. `exact` is False if time ran out, and with the search,
        which has an `error` but no `chance` under best play and no `expected` result."""
        turning = {reviewed.ply for reviewed in self.turning_points}
        columns = {
            "round": int, "turn": int, "seat": str, "kind": str, "choice": str, "best": str, "chance": float,
            "regret_lo": float, "regret_hi": float, "expected_lo": float, "expected_hi": float, "exact": bool,
            "turning_point": bool, "method": str, "regret": float, "error": float, "verdict": str,
        }  # fmt: skip
        rows: list[tuple[object, ...]] = []
        for reviewed in self.steps:
            solution, expected = reviewed.solution, reviewed.expected
            for each in reviewed.judgements:
                chance = None if solution is None else solution.strategies[each.seat][reviewed.step.choices[each.seat]]
                rows.append(
                    (each.round + 1, each.turn + 1, seat_letter(each.seat), each.kind, each.choice, each.best, chance)
                    + (each.least, each.most, *(expected or (None, None)), each.solved, reviewed.ply in turning)
                    + (each.method, each.loss, each.error, each.verdict)
                )
        return data_frame(rows, columns)

    def sheet(self) -> Sheet:
        """The players' results, and every choice that lost something, the costliest first."""
        names, unit = self.record.names, "points" if self.record.game.more_is_better else "heads"
        players = []
        for seat in self.seats:
            kept, (least, most), part = self.accuracy(seat), self.lost(seat), self.splits.get(seat)
            counts = self.verdicts(seat)
            about = max(0.0, sum(judgement.loss for judgement in self.of_seat(seat)))
            lost_text = f"{about:.2f}" if most - least < NOTHING else f"{about:.2f} ({least:.2f} to {most:.2f})"
            luck = "" if part is None else f"{part.luck.value:+.1f} ± {Z * part.luck.error:.1f}"
            skill = "" if part is None else f"{part.skill.value:+.1f} ± {Z * part.skill.error:.1f}"
            cells: tuple[str, ...] = (
                names.get(seat, seat_letter(seat)),
                "" if kept is None else f"{kept:.0f}",
                lost_text,
            )
            cells += (f"{counts['mistake']} / {counts['blunder']}", *((luck, skill) if self.splits else ()))
            players.append(Figure(cells, None if kept is None else kept / 100))
        columns: tuple[str, ...] = ("", "accuracy", f"{unit} lost", "mistakes / blunders")
        columns += ("luck", "skill") if self.splits else ()  # only finished rounds have them
        costly = [one for one in self.judgements if one.choice != one.best and one.loss >= NOTHING]
        costly.sort(key=lambda one: -one.loss)
        most = max([one.loss for one in costly] + [NOTHING])
        choices = [
            Figure(
                (f"{one.round + 1}/{one.turn + 1} {names.get(one.seat, seat_letter(one.seat))}", one.choice, one.best)
                + (f"{one.loss:.2f}" if one.is_known else f"{one.loss:.2f} ({one.least:.2f} to {one.most:.2f})",)
                + (one.verdict or "unclear",),
                max(0.0, one.loss) / most,
            )
            for one in costly[:_LISTED]
        ]
        listed = Figures(("turn", "chosen", "better", f"{unit} lost", "verdict"), choices, "Costliest choices")
        notes = [] if self.is_complete else ["Stopped early: the decisions reviewed so far."]
        parts = [Figures(columns, players), *([listed] if choices else [])]
        return Sheet(repr(self).strip("<>"), parts, notes=notes, game=self.record.game)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        if self.method == "search":
            looked = sum(bool(reviewed.judgements) for reviewed in self.steps)
            return f"<Review: {looked} of {len(self.steps)} decisions looked at, by search>"
        solved = len(self.steps) - len(self.unsolved)
        return f"<Review: {solved} of {len(self.steps)} decisions solved, {len(self.turning_points)} turning points>"


def _ahead(expected: Bounds | None) -> int | None:
    """1 if A is ahead, -1 if B is, 0 if neither; None if unknown."""
    if expected is None:
        return None
    if expected.lo >= NOTHING:
        return 1
    if expected.hi <= -NOTHING:
        return -1
    return 0 if expected.width < NOTHING else None


def review(
    record: Record | PathLike | str,
    *,
    seat: Seat | str | None = None,
    players: int | None = None,
    game: Game | str | None = None,
    method: str | None = None,
    seed: int = 0,
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    progress: bool = True,
) -> Review:
    """Judge every choice of a game, or those of one seat (a letter, a number, or the player's name). The game need not
    be finished.

    `record`: a record, its text or a file; or notes (see `Record.from_notes`). Choices of seats whose hands are unknown
    are left out. `players` and `game` are for notes that do not say them.
    `method`: `solver` (open games for two) or `search` (any game); by default the solver where it applies.
    `playouts`: per option, for the search. Equal seeds and playouts give equal numbers.
    `seconds`: a time limit, for the whole review by search or for each position by the solver, which then gives bounds.

    Positions are evaluated from the last to the first, because late ones are quick. An interrupt keeps these results.
    """
    if method not in (None, "solver", "search"):
        raise RulesError("study.method", got=shown(method))
    record = record_of(record, players=players, game=game)
    if seat is not None:
        seat = record.seat_of(seat)
        if seat in record.hidden:
            raise PositionError("study.hand_unknown", who=seat_letter(seat))
    if seconds != 0:  # 0 evaluates nothing
        check_seconds(seconds)
    search = _Search(record, BestBot(playouts, "heads"), seed)
    plies = [(ply, step) for ply, step in enumerate(record.steps) if step.before.rows]  # without rows it is the draft
    if method == "solver" or (method is None and seat is None and is_solvable(record.game, plies)):
        return _solved(search, plies, seconds, Searcher(memory, threads), progress)
    only = frozenset(range(TEAM, record.game.players)) - record.hidden if seat is None else frozenset({seat})
    asked = [(ply, step) for ply, step in plies if only.intersection(step.choices)]
    return _searched(search, asked, only, seconds, progress)


def is_solvable(game: Game, plies: Sequence[tuple[int, Step]]) -> bool:
    """Whether the solver covers the game, from its first decision."""
    if game.hidden_hands:
        return False
    try:
        for _, step in plies[:1]:
            two_player_game(step.before)
            if not step.before.queue:
                OpenPosition.of(step.before)
    except Unsupported:
        return False
    return True


def _solved(
    search: _Search, plies: Sequence[tuple[int, Step]], seconds: float | None, searcher: Searcher, progress: bool
) -> Review:
    record = search.record
    _check_open(record.game)
    steps = []
    for ply, step in plies:
        two_player_game(step.before)
        piles = [record.game.heads_in(pile) for pile in step.before.piles]
        steps.append(ReviewedStep(ply, step, piles[1] - piles[0], heads_difference(step.events)))
    solved: dict[int, Solution] = {}
    meter = bar(len(steps), "positions", progress)
    with as_far_as_it_goes(meter):
        for reviewed in reversed(steps):
            solved[reviewed.ply] = solve_position(reviewed.step.before, seconds=seconds, searcher=searcher)
            meter.update(1)
            if solved[reviewed.ply].interrupted:
                break
    result = Review(record, tuple(replace(reviewed, solution=solved.get(reviewed.ply)) for reviewed in steps))
    if not result.is_complete:
        return result
    return replace(result, splits=search.run([], [0, 1], None, progress).splits())


def _searched(
    search: _Search, plies: Sequence[tuple[int, Step]], only: frozenset[Seat], seconds: float | None, progress: bool
) -> Review:
    chosen = [(ply, seat) for ply, step in plies for seat in step.choices if seat in only]
    ends = None if seconds is None else time.monotonic() + seconds
    search.run(chosen, sorted({seat for _, seat in chosen}), ends, progress)
    steps = []
    for ply, step in plies:
        seats = [seat for seat in step.choices if seat in only]
        whole = all((ply, seat) in search.judged for seat in seats)
        searched = {seat: search.judged[ply, seat] for seat in seats} if whole else {}
        steps.append(ReviewedStep(ply, step, searched=searched))
    missing = not all(reviewed.searched for reviewed in steps)
    return Review(search.record, tuple(steps), "search", search.splits(), search.time_is_up and missing)


class _Task(NamedTuple):
    """One decision to be judged, or measured for luck or skill."""

    what: Literal["choice", "luck", "skill"]
    ply: int
    seat: Seat


class _Search:
    """Evaluates the decisions of a game on all cores."""

    def __init__(self, record: Record, bot: BestBot, seed: int) -> None:
        self.record, self.bot, self.seed = record, bot, seed
        self.judged: dict[tuple[int, Seat], Searched] = {}
        self.measured: dict[str, dict[Seat, dict[int, Measurement]]] = {"luck": {}, "skill": {}}
        self.company: Company | None = None
        self.time_is_up = False
        self.whole = False

    def run(
        self, chosen: Sequence[tuple[int, Seat]], reviewed: Sequence[Seat], ends: float | None, progress: bool
    ) -> _Search:
        """Judge choices, then measure luck, and the skill of the reviewed seats; until the time `ends`."""
        tasks = [_Task("choice", ply, seat) for ply, seat in reversed(chosen)]
        if any(step.state.is_past_round(step.before.round) for step in self.record.steps):
            self.company = company_of(self.record)
            for ply, step in enumerate(self.record.steps):
                seats = step.choices if step.before.rows else ()
                # With a known company, luck does not depend on the other seats'.
                tasks += [_Task("luck", ply, seat) for seat in seats if self.company is None or seat in reviewed]
                tasks += [_Task("skill", ply, seat) for seat in seats if seat in reviewed]
        # Results arrive in any order; entries made here keep the seats, and so the splits, in order.
        for task in sorted(tasks, key=lambda task: task.seat):
            if task.what != "choice":
                self.measured[task.what][task.seat] = {}
        work = partial(_evaluate, self.record, self.bot, self.seed, frozenset(reviewed), self.company, ends)
        meter = bar(len(tasks), "positions", progress)
        with as_far_as_it_goes(meter), closing(in_portions(work, tasks)) as results:
            for task, result in results:
                meter.update(1)
                if isinstance(result, Searched):
                    self.judged[task.ply, task.seat] = result
                elif result is not None:
                    self.measured[task.what][task.seat][task.ply] = result
                else:
                    self.time_is_up = True
            self.whole = not self.time_is_up
        return self

    def splits(self) -> dict[Seat, Split]:
        """Luck and skill by seat, if everything was evaluated."""
        luck, skill = self.measured["luck"], self.measured["skill"]
        return split(self.record, luck, skill, self.company, seed=self.seed) if self.whole else {}


def _evaluate(
    record: Record,
    bot: BestBot,
    seed: int,
    reviewed: frozenset[Seat],
    company: Company | None,
    ends: float | None,
    task: _Task,
) -> Searched | Measurement | None:
    """Evaluate one task; None if time is up."""
    if ends is not None and time.monotonic() >= ends:
        return None
    step = record.steps[task.ply]
    if task.what == "choice":
        return search_choice(step, task.ply, task.seat, bot, seed)
    own = Rng.from_seed(seed, 64 * task.ply + task.seat + 1).state
    playouts = max(2, bot.playouts // (_LUCK_SHARE if task.seat in reviewed else _OTHERS_SHARE))
    view, choice = step.before.view(task.seat), step.choices[task.seat]
    return measure(view, choice, playouts, own, skill=task.what == "skill", company=company)


def solve_position(state: GameState, *, seconds: float | None = 10.0, searcher: Searcher | None = None) -> Solution:
    """Solve a position as a review does: with the regret of every choice, as far as time allows.

    >>> from nimmt_lab import Advanced
    >>> state = Advanced(players=2).from_position("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 20 ; B: 8 9")
    >>> solve_position(state).exact
    True
    """
    whole = len(state.hands[0]) <= WHOLE_TABLE_UP_TO
    detail = "bounds" if state.queue else "full" if whole else "regrets"
    return solve(state, seconds=seconds, detail=detail, searcher=searcher)


def _check_open(game: Game) -> None:
    if game.hidden_hands:
        raise Unsupported("study.hidden_hands", game=game.name)
