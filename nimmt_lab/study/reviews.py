"""The coach: a played game, choice by choice. In an open game for two the solver says what best play would have been;
elsewhere a search from what each player could see estimates what every choice cost, with its error.

>>> from nimmt_lab import Advanced, Record
>>> start = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
>>> found = review(Record(Advanced(players=2), ({0: 16, 1: 18},), start=start), progress=False)
>>> print(found.to_text())
Choices, against best play by both:
1/8: A ahead by 4.80. A 16: 7.11 heads lost on average; better: 12. Blunder. B 18: nothing better.
A, heads lost by choices: 7.11.
B, heads lost by choices: 0.00.
A, accuracy: 0 of 100.
B, accuracy: 100 of 100.
>>> from nimmt_lab import Classic
>>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
>>> found = review(Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=start), seat=0, progress=False)
>>> found.judgements[0].best, found.judgements[0].least > 1
('104', True)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from nimmt_lab.bots import BestBot
from nimmt_lab.bots.company import Company, company_of
from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_seconds
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Report, report, words
from nimmt_lab.explain.judgement import (
    NOTHING,
    VERDICTS,
    Judgement,
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

from .luck import Measured, Split, measure, split
from .searched import Searched, search_choice
from .work import Bar, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

#: Above so many cards a hand only what the regrets need is made exact: the whole table of the turn would take long.
WHOLE_TABLE_UP_TO = 7
#: Playouts for each option; in the classic game the error of a loss is then below 0.15 heads.
PLAYOUTS = 7000
#: Luck and skill are sums of fewer options; and the luck of who is not reviewed counts only in the table's share.
_LUCK_SHARE, _OTHERS_SHARE = 2, 10


@dataclass(frozen=True)
class ReviewedStep:
    """One decision of the game (cards, a low card's row, a special card), and what was found about it."""

    #: Number of the step in the record, from 0.
    ply: int
    step: Step
    #: For two: heads B took minus heads A took in this round, before the step and in it.
    taken: int = 0
    heads: int = 0
    #: What the solver found; None where it was not asked, or the review was interrupted before it came here.
    solution: Solution | None = None
    #: What the search found, by seat.
    searched: Mapping[Seat, Searched] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The turn as people count it: round/turn."""
        return f"{self.step.before.round + 1}/{self.step.before.turn + 1}"

    @property
    def expected(self) -> Bounds | None:
        """How the round will end if both play on as well as possible: heads of B minus heads of A."""
        if self.solution is None:
            return None
        lo, hi = self.solution.bounds
        return Bounds(self.taken + lo, self.taken + hi)

    @property
    def solved(self) -> bool:
        """Whether the position was solved exactly."""
        return self.solution is not None and self.solution.exact

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """What each choice cost."""
        solution, before = self.solution, self.step.before
        if solution is None:
            return tuple(found.judgement(self.step, seat) for seat, found in self.searched.items())
        found = []
        for seat, choice in self.step.choices.items():
            regret, best = solution.regrets[seat][choice], solution.best(seat)
            found.append(
                Judgement(
                    before.round,
                    before.turn,
                    seat,
                    "row" if before.queue else "card",
                    solution.name(choice),
                    "" if best is None else solution.name(best),
                    regret.lo,
                    regret.hi,
                    solution.exact,
                    share=(regret.lo + regret.hi) / 2,
                    stake=max((one.lo + one.hi) / 2 for one in solution.regrets[seat].values()),
                )
            )
        return tuple(found)


@dataclass(frozen=True)
class Review:
    """What every choice of a game was worth. `steps` has each decision of play in order; drafts are left out.

    By the solver (`method`), regret is what a choice loses on average if the other one plays an optimal strategy. By
    search it is what the choice promised less than the option that looked best, with everybody playing on as the
    searching bot's playouts do, and nothing known but what the player could see. Neither is what it happened to lose.
    """

    record: Record
    steps: tuple[ReviewedStep, ...]
    #: `solver` or `search`.
    method: str = "solver"
    #: The finished rounds of the seats reviewed, as luck and skill; nobody's, if the review is not complete.
    splits: Mapping[Seat, Split] = field(default_factory=dict)
    #: Whether its time was up before it had come to the first decision.
    time_is_up: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether every position was looked at (solved or not)."""
        if self.method == "search":
            return all(reviewed.judgements for reviewed in self.steps)
        return all(reviewed.solution is not None and not reviewed.solution.interrupted for reviewed in self.steps)

    @property
    def unsolved(self) -> tuple[ReviewedStep, ...]:
        """Decisions that were not solved: for want of time, not looked at, or in a game that cannot be."""
        return tuple(reviewed for reviewed in self.steps if not reviewed.solved)

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All choices in order, seat A first."""
        return tuple(judgement for reviewed in self.steps for judgement in reviewed.judgements)

    def lost(self, seat: Seat) -> Bounds:
        """What a seat's choices lost in all, over the decisions that were looked at: at least and at most; by search,
        with 95 % confidence."""
        return Bounds(*lost([judgement for judgement in self.judgements if judgement.seat == seat]))

    def accuracy(self, seat: Seat) -> float | None:
        """How much of what could be lost the choices of a seat kept, of 100; None if there was nothing to lose. By
        search what counts is the chance to win, by the solver heads."""
        return accuracy([judgement for judgement in self.judgements if judgement.seat == seat])

    def verdicts(self, seat: Seat) -> dict[str, int]:
        """How often a seat's choices were called what; those that have no name are left out."""
        named = [judgement.verdict for judgement in self.judgements if judgement.seat == seat]
        return {verdict: named.count(verdict) for verdict in VERDICTS}

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Whose choices were looked at."""
        return tuple(sorted({judgement.seat for judgement in self.judgements}))

    @cached_property
    def turning_points(self) -> tuple[ReviewedStep, ...]:
        """Decisions after which another one is ahead in the round than before (or nobody, or no longer nobody).

        Only where both are known: a position that was not solved may count neither way.
        """
        found = []
        for at, reviewed in enumerate(self.steps):
            before, after = _ahead(reviewed.expected), _ahead(self._afterwards(at))
            if before is not None and after is not None and before != after:
                found.append(reviewed)
        return tuple(found)

    def _afterwards(self, at: int) -> Bounds | None:
        """What is expected once the choices of a step are made."""
        reviewed = self.steps[at]
        step = reviewed.step
        if step.state.is_past_round(step.before.round):
            return Bounds(reviewed.taken + reviewed.heads, reviewed.taken + reviewed.heads)
        return self.steps[at + 1].expected if at + 1 < len(self.steps) else None

    @property
    def names(self) -> dict[Seat, str]:
        """What the players are called, as far as the record says."""
        seats = range(self.record.game.players)
        return {seat: name for seat in seats if (name := self.record.tags.get(seat_letter(seat)))}

    def report(self) -> Report:
        """The report of the game with what each choice cost beside what happened."""
        return report(self.record, self.judgements)

    def to_text(self, lang: str = "en") -> str:
        """A line per decision, then what the choices of each player lost."""
        say = words(lang, self.names)
        turning = {reviewed.ply for reviewed in self.turning_points}
        lines: list[tuple[str, str | None, tuple[Judgement, ...], bool]] = []
        for reviewed in self.steps:
            expected = reviewed.expected
            stands = None if expected is None else standing(*expected, reviewed.solved, say)
            lines.append((reviewed.label, stands, reviewed.judgements, reviewed.ply in turning))
        points = self.record.game.more_is_better
        title = review_title(say, searched=self.method == "search", points=points)
        by_seat: dict[Seat, list[Judgement]] = {} if self.method == "search" else {0: [], 1: []}
        for judgement in self.judgements:
            by_seat.setdefault(judgement.seat, []).append(judgement)
        totals = [lost_line(seat, by_seat[seat], say) for seat in sorted(by_seat)]
        totals += filter(None, [accuracy_line(seat, by_seat[seat], say) for seat in sorted(by_seat)])
        for seat, one in sorted(self.splits.items()):
            parts = (one.share.value, one.deal.value, one.turns.value, one.skill.value)
            totals.append(split_line(seat, one.result, parts, (one.luck.error, one.skill.error), say, points=points))
        return "\n".join([title, *review_lines(lines, say, time_is_up=self.time_is_up), *totals])

    def to_json(self, lang: str = "en") -> dict[str, Json]:
        """All of it as plain data, with the words of a language: what screens show."""
        from .review_json import plain

        return plain(self, lang)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """A row per choice. Rounds, turns and rows count from 1; `exact` is False where time ran out, and by search,
        which knows neither the chance of a choice under best play nor who will be ahead, but its own `error`."""
        with wanted("lab"):
            import polars as pl

        turning = {reviewed.ply for reviewed in self.turning_points}
        schema = {
            "round": pl.Int64, "turn": pl.Int64, "seat": pl.String, "kind": pl.String, "choice": pl.String,
            "best": pl.String, "chance": pl.Float64, "regret_lo": pl.Float64, "regret_hi": pl.Float64,
            "expected_lo": pl.Float64, "expected_hi": pl.Float64, "exact": pl.Boolean, "turning_point": pl.Boolean,
            "method": pl.String, "regret": pl.Float64, "error": pl.Float64, "verdict": pl.String,
        }  # fmt: skip
        rows = []
        for reviewed in self.steps:
            solution, expected = reviewed.solution, reviewed.expected
            for said in reviewed.judgements:
                chance = None if solution is None else solution.strategies[said.seat][reviewed.step.choices[said.seat]]
                middle = (said.least + said.most) / 2 if said.about is None else said.about
                rows.append(
                    (said.round + 1, said.turn + 1, seat_letter(said.seat), said.kind, said.choice, said.best, chance)
                    + (said.least, said.most, *(expected or (None, None)), said.solved, reviewed.ply in turning)
                    + (said.method, middle, said.error, said.verdict)
                )
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        if self.method == "search":
            looked = sum(bool(reviewed.judgements) for reviewed in self.steps)
            return f"<Review: {looked} of {len(self.steps)} decisions looked at, by search>"
        solved = len(self.steps) - len(self.unsolved)
        return f"<Review: {solved} of {len(self.steps)} decisions solved, {len(self.turning_points)} turning points>"


def _ahead(expected: Bounds | None) -> int | None:
    """1 if A is ahead, -1 if B is, 0 if neither; None if it is not known."""
    if expected is None:
        return None
    if expected.lo >= NOTHING:
        return 1
    if expected.hi <= -NOTHING:
        return -1
    return 0 if expected.width < NOTHING else None


def review(
    record: Record,
    *,
    seat: Seat | None = None,
    method: str | None = None,
    seed: int = 0,
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    memory: int | None = None,
    threads: int = 1,
    progress: bool = True,
) -> Review:
    """Judge every choice of a game (or those of one seat), finished or not.

    `method` is `solver` (open games for two) or `search` (any game); without it the solver judges what it can. For the
    search, `playouts` is what each option gets (fewer where they take long), and equal seeds and playouts give equal
    numbers. `seconds` only cuts off: what is not looked at then says so. By search it is the most time for the review,
    by the solver for each position, which then has bounds. (None: as long as it takes.) Positions are looked at from
    the last one back, because the last ones are quick: an interrupt keeps all that is done, and the early positions are
    then missing.
    """
    if method not in (None, "solver", "search"):
        raise RulesError("study.method", got=shown(method))
    if seat is not None and seat not in (*range(record.game.players), TEAM):
        raise RulesError("shared.no_seat_to", who=shown(seat), most=record.game.players - 1)
    if seconds != 0:  # which is to look at nothing
        check_seconds(seconds)
    bot = BestBot(playouts, "heads")
    plies = [(ply, step) for ply, step in enumerate(record.steps) if step.before.rows]  # otherwise it is the draft
    if method == "solver" or (method is None and seat is None and is_solvable(record.game, plies)):
        return _solved(record, plies, seconds, Searcher(memory, threads), bot, seed, progress)
    asked = [(ply, step) for ply, step in plies if seat is None or seat in step.choices]
    return _searched(record, asked, seat, bot, seed, seconds, progress)


def is_solvable(game: Game, plies: Sequence[tuple[int, Step]]) -> bool:
    """Whether the solver knows the game. (Without a decision of play there is nothing to judge by anybody.)"""
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
    record: Record,
    plies: Sequence[tuple[int, Step]],
    seconds: float | None,
    searcher: Searcher,
    bot: BestBot,
    seed: int,
    progress: bool,
) -> Review:
    _check_open(record.game)
    steps = []
    for ply, step in plies:
        two_player_game(step.before)
        piles = [record.game.heads_in(pile) for pile in step.before.piles]
        steps.append(ReviewedStep(ply, step, piles[1] - piles[0], heads_difference(step.events)))
    solved: dict[int, Solution] = {}
    with _shown(len(steps), progress) as shown:
        for reviewed in reversed(steps):
            solved[reviewed.ply] = look(reviewed.step.before, seconds=seconds, searcher=searcher)
            shown.update(1)
            if solved[reviewed.ply].interrupted:
                break
    found = Review(record, tuple(replace(reviewed, solution=solved.get(reviewed.ply)) for reviewed in steps))
    if not found.is_complete:
        return found
    return replace(found, splits=_Search(record, bot, seed).run([], [0, 1], None, progress).splits())


def _searched(
    record: Record,
    plies: Sequence[tuple[int, Step]],
    only: Seat | None,
    bot: BestBot,
    seed: int,
    seconds: float | None,
    progress: bool,
) -> Review:
    chosen = [(ply, seat) for ply, step in plies for seat in step.choices if only in (None, seat)]
    ends = None if seconds is None else time.monotonic() + seconds
    search = _Search(record, bot, seed).run(chosen, sorted({seat for _, seat in chosen}), ends, progress)
    steps = []
    for ply, step in plies:
        seats = [seat for seat in step.choices if only in (None, seat)]
        whole = all((ply, seat) in search.judged for seat in seats)
        searched = {seat: search.judged[ply, seat] for seat in seats} if whole else {}
        steps.append(ReviewedStep(ply, step, searched=searched))
    missing = not all(reviewed.searched for reviewed in steps)
    return Review(record, tuple(steps), "search", search.splits(), search.time_is_up and missing)


class _Task(NamedTuple):
    """One decision to be looked at: judged, or measured for luck or skill."""

    what: Literal["choice", "luck", "skill"]
    ply: int
    seat: Seat


class _Search:
    """The decisions of a game, looked at on all cores."""

    def __init__(self, record: Record, bot: BestBot, seed: int) -> None:
        self.record, self.bot, self.seed = record, bot, seed
        self.judged: dict[tuple[int, Seat], Searched] = {}
        self.measured: dict[str, dict[Seat, dict[int, Measured]]] = {"luck": {}, "skill": {}}
        self.company: Company | None = None
        self.time_is_up = False
        self.whole = False

    def run(
        self, chosen: Sequence[tuple[int, Seat]], reviewed: Sequence[Seat], ends: float | None, progress: bool
    ) -> _Search:
        """Judge choices, then measure everybody's luck and the skill of the seats reviewed; up to a point in time."""
        tasks = [_Task("choice", ply, seat) for ply, seat in reversed(chosen)]
        if any(step.state.is_past_round(step.before.round) for step in self.record.steps):
            self.company = company_of(self.record)
            for ply, step in enumerate(self.record.steps):
                seats = step.choices if step.before.rows else ()
                # In known company luck needs nobody else's.
                tasks += [_Task("luck", ply, seat) for seat in seats if self.company is None or seat in reviewed]
                tasks += [_Task("skill", ply, seat) for seat in seats if seat in reviewed]
        work = partial(_looked, self.record, self.bot, self.seed, frozenset(reviewed), self.company, ends)
        with _shown(len(tasks), progress) as shown, closing(in_portions(work, tasks)) as looked:
            for task, found in looked:
                shown.update(1)
                if isinstance(found, Searched):
                    self.judged[task.ply, task.seat] = found
                elif found is not None:
                    self.measured[task.what].setdefault(task.seat, {})[task.ply] = found
                else:
                    self.time_is_up = True
            self.whole = not self.time_is_up
        return self

    def splits(self) -> dict[Seat, Split]:
        """Luck and skill, if everything was looked at."""
        found = self.measured
        return split(self.record, found["luck"], found["skill"], self.company, seed=self.seed) if self.whole else {}


def _looked(
    record: Record,
    bot: BestBot,
    seed: int,
    reviewed: frozenset[Seat],
    company: Company | None,
    ends: float | None,
    task: _Task,
) -> Searched | Measured | None:
    """One of the tasks; None: its time is up."""
    if ends is not None and time.monotonic() >= ends:
        return None
    step = record.steps[task.ply]
    if task.what == "choice":
        return search_choice(step, task.ply, task.seat, bot, seed)
    own = Rng.from_seed(seed, 64 * task.ply + task.seat + 1).state
    playouts = max(2, bot.playouts // (_LUCK_SHARE if task.seat in reviewed else _OTHERS_SHARE))
    view, choice = step.before.view(task.seat), step.choices[task.seat]
    return measure(view, choice, playouts, own, skill=task.what == "skill", company=company)


@contextmanager
def _shown(positions: int, progress: bool) -> Iterator[Bar]:
    """A progress bar; an interrupt ends what is done under it, and what is done is kept."""
    shown = bar(positions, "positions", progress)
    try:
        yield shown
    except KeyboardInterrupt:
        pass
    finally:
        shown.close()


def look(state: GameState, *, seconds: float | None = 10.0, searcher: Searcher | None = None) -> Solution:
    """One position of an open game as a review looks at it: with the regret of every choice, as far as time allows.

    >>> from nimmt_lab import Advanced
    >>> state = Advanced(players=2).from_position("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 20 ; B: 8 9")
    >>> look(state).exact
    True
    """
    _check_open(state.game)
    # A row choice is judged by what each row is worth; with many cards only what the regrets need is made exact.
    whole = len(state.hands[0]) <= WHOLE_TABLE_UP_TO
    detail = "bounds" if state.queue else "full" if whole else "regrets"
    return solve(state, seconds=seconds, detail=detail, searcher=searcher)


def _check_open(game: Game) -> None:
    if game.hidden_hands:
        raise Unsupported("study.hidden_hands", game=game.name)
