"""The coach: a played open game for two, choice by choice, against best play.

>>> from nimmt_lab import Advanced, Record
>>> start = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
>>> found = review(Record(Advanced(players=2), ({0: 16, 1: 18},), start=start), progress=False)
>>> print(found.to_text())
Choices, against best play by both:
1/8: A ahead by 4.80. A 16: 7.11 heads lost on average; better: 12. B 18: nothing better.
A, heads lost by choices: 7.11.
B, heads lost by choices: 0.00.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Report, report, words
from nimmt_lab.explain.judgement import NOTHING, Judgement, lost_line, review_lines, standing
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import heads_difference, two_player_game
from nimmt_lab.solver.solution import Bounds, Solution
from nimmt_lab.solver.two_players import solve

from .work import bar

if TYPE_CHECKING:
    import polars as pl

#: Above so many cards a hand only what the regrets need is made exact: the whole table of the turn would take long.
WHOLE_TABLE_UP_TO = 7


@dataclass(frozen=True)
class Moment:
    """One decision of the game (cards, or a low card's row), and what the solver found about it."""

    #: Number of the step in the record, from 0.
    ply: int
    step: Step
    #: Heads B took minus heads A took in this round: before the step, and in it.
    taken: int
    heads: int
    #: None where the review was interrupted before it came here.
    solution: Solution | None

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
            return ()
        found = []
        for seat, choice in self.step.choices.items():
            regret = solution.regrets[seat][choice]
            found.append(
                Judgement(
                    before.round,
                    before.turn,
                    seat,
                    "row" if before.queue else "card",
                    solution.name(choice),
                    solution.name(solution.best(seat)),
                    regret.lo,
                    regret.hi,
                    solution.exact,
                )
            )
        return tuple(found)


@dataclass(frozen=True)
class Review:
    """What every choice of a game was worth. `moments` has each decision of play in order; drafts are left out.

    Regret is what a choice loses on average if the other one plays an optimal strategy: not what it happened to lose.
    """

    record: Record
    moments: tuple[Moment, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every position was looked at (solved or not)."""
        return all(moment.solution is not None and not moment.solution.interrupted for moment in self.moments)

    @property
    def unsolved(self) -> tuple[Moment, ...]:
        """Decisions that were not solved in the time given, or not looked at."""
        return tuple(moment for moment in self.moments if not moment.solved)

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All choices in order, seat A first."""
        return tuple(judgement for moment in self.moments for judgement in moment.judgements)

    def lost(self, seat: Seat) -> Bounds:
        """Heads a seat's choices lost in all: at least and at most, over the decisions that were looked at."""
        mine = [judgement for judgement in self.judgements if judgement.seat == seat]
        return Bounds(sum(judgement.least for judgement in mine), sum(judgement.most for judgement in mine))

    @cached_property
    def turning_points(self) -> tuple[Moment, ...]:
        """Decisions after which another one is ahead in the round than before (or nobody, or no longer nobody).

        Only where both are known: a position that was not solved may count neither way.
        """
        found = []
        for at, moment in enumerate(self.moments):
            before, after = _ahead(moment.expected), _ahead(self._afterwards(at))
            if before is not None and after is not None and before != after:
                found.append(moment)
        return tuple(found)

    def _afterwards(self, at: int) -> Bounds | None:
        """What is expected once the choices of a moment are made."""
        moment = self.moments[at]
        step = moment.step
        if step.state.is_past_round(step.before.round):
            return Bounds(moment.taken + moment.heads, moment.taken + moment.heads)
        return self.moments[at + 1].expected if at + 1 < len(self.moments) else None

    @property
    def names(self) -> dict[Seat, str]:
        """What the players are called, as far as the record says."""
        return {seat: name for seat in (0, 1) if (name := self.record.tags.get(seat_letter(seat)))}

    def report(self) -> Report:
        """The report of the game with what each choice cost beside what happened."""
        return report(self.record, self.judgements)

    def to_text(self, lang: str = "en") -> str:
        """A line per decision, then what the choices of each player lost."""
        say = words(lang, self.names)
        turning = {moment.ply for moment in self.turning_points}
        lines: list[tuple[str, str | None, tuple[Judgement, ...], bool]] = []
        for moment in self.moments:
            expected = moment.expected
            stands = None if expected is None else standing(*expected, moment.solved, say)
            lines.append((moment.label, stands, moment.judgements, moment.ply in turning))
        totals = [lost_line(seat, *self.lost(seat), say) for seat in (0, 1)]
        return "\n".join(review_lines(lines, say) + totals)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """A row per choice. Rounds, turns and rows count from 1; `exact` is False where time ran out."""
        import polars as pl

        turning = {moment.ply for moment in self.turning_points}
        schema = {
            "round": pl.Int64, "turn": pl.Int64, "seat": pl.String, "kind": pl.String, "choice": pl.String,
            "best": pl.String, "chance": pl.Float64, "regret_lo": pl.Float64, "regret_hi": pl.Float64,
            "expected_lo": pl.Float64, "expected_hi": pl.Float64, "exact": pl.Boolean, "turning_point": pl.Boolean,
        }  # fmt: skip
        rows = []
        for moment in self.moments:
            solution, expected = moment.solution, moment.expected
            if solution is None or expected is None:
                continue
            for said in moment.judgements:
                chance = solution.strategies[said.seat][moment.step.choices[said.seat]]
                rows.append(
                    (said.round + 1, said.turn + 1, seat_letter(said.seat), said.kind, said.choice, said.best, chance)
                    + (said.least, said.most, *expected, said.solved, moment.ply in turning)
                )
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        solved = len(self.moments) - len(self.unsolved)
        return f"<Review: {solved} of {len(self.moments)} decisions solved, {len(self.turning_points)} turning points>"


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
    record: Record, *, seconds: float | None = 10.0, memory: int | None = None, threads: int = 1, progress: bool = True
) -> Review:
    """Judge every choice of a two-player game with open hands, finished or not.

    `seconds` is the most time for one position (None: as long as it takes); what is not solved in it has bounds, and
    says so. Positions are looked at from the last one back, because the last ones are quick: an interrupt keeps all
    that is done, and the early positions are then missing.
    """
    _check_open(record.game)
    moments = _moments(record)
    searcher = Searcher(memory, threads)
    solved: dict[int, Solution] = {}
    shown = bar(len(moments), "positions", progress)
    try:
        for moment in reversed(moments):
            solved[moment.ply] = look(moment.step.before, seconds=seconds, searcher=searcher)
            shown.update(1)
            if solved[moment.ply].interrupted:
                break
    except KeyboardInterrupt:
        # Between two searches nothing catches it; what is done is kept all the same.
        pass
    finally:
        shown.close()
    return Review(
        record,
        tuple(Moment(m.ply, m.step, m.taken, m.heads, solved.get(m.ply)) for m in moments),
    )


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
        raise RulesError(
            f"{game.name}: hands are hidden, so nobody can know the best choice; the solver needs an open game"
        )


def _moments(record: Record) -> list[Moment]:
    """Every decision of play, not yet solved."""
    moments = []
    for ply, step in enumerate(record.steps):
        if step.before.rows:  # otherwise it is the draft
            two_player_game(step.before)
            piles = [record.game.heads_in(pile) for pile in step.before.piles]
            moments.append(Moment(ply, step, piles[1] - piles[0], heads_difference(step.events), None))
    return moments
