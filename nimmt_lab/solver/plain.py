"""Small positions in exact fractions, without the compiled core.

Same rules and numbers, but every reachable position is solved. This covers up to five cards a hand (three with a fan
card); larger positions raise an error.

>>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
>>> PlainHalf().solved(OpenPosition(rows, ((12, 16, 20), (1, 2, 18)))).value
Fraction(24, 5)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from nimmt_lab.engine.errors import CoreMissing
from nimmt_lab.solver.matrix import solve_matrix
from nimmt_lab.solver.open_position import PLAIN, Action, OpenPosition, action_of
from nimmt_lab.solver.reference import EngineSolver, ReferenceSolver

#: Cards a hand, without and with a fan card.
MOST_PLAIN, MOST_WITH_FAN_CARD = 5, 3


class OutOfTime(Exception):
    """Time limit reached."""


@dataclass(frozen=True)
class PlainTurn:
    """The table of a turn in fractions: bounds of every entry (equal once solved) and mixes."""

    actions: tuple[list[Action], list[Action]]
    lows: list[list[Fraction]]
    highs: list[list[Fraction]]
    mixes: tuple[list[Fraction], list[Fraction]]
    lo: Fraction
    hi: Fraction
    #: Positions solved so far.
    states: int

    @property
    def value(self) -> Fraction:
        return self.lo


class PlainHalf:
    """Solves small positions, with a cache."""

    def __init__(self) -> None:
        self._until: float | None = None
        self._engine = EngineSolver(self._look)
        self._reference: dict[tuple[int, ...], ReferenceSolver] = {}

    def _look(self) -> None:
        if self._until is not None and time.monotonic() >= self._until:
            raise OutOfTime

    def solved(self, position: OpenPosition, until: float | None = None) -> PlainTurn:
        """Solve the turn; raise `OutOfTime` at ``until`` (`time.monotonic`)."""
        check(position)
        self._until = until
        entry, states = self._entries(position)
        actions = position.actions
        table = [[entry(a, b) for b in actions[1]] for a in actions[0]]
        solution = solve_matrix(table)
        mixes = list(solution.row), list(solution.column)
        return PlainTurn(actions, table, table, mixes, solution.value, solution.value, states())

    def _entries(self, position: OpenPosition) -> tuple[Callable[[Action, Action], Fraction], Callable[[], int]]:
        """The payoff function of a pair of choices, and a counter of known positions."""
        if position.kind == PLAIN:
            solver = self._reference.setdefault(position.heads, ReferenceSolver(position.heads, self._look))
            rows, (a, b) = position.rows, position.hands
            return lambda mine, theirs: solver.entry(rows, a, b, mine[0], theirs[0]), lambda: solver.states
        state = position.state
        assert state is not None
        options = [{action_of(option, seat): option for option in state.pending[seat].options} for seat in (0, 1)]
        return (
            lambda mine, theirs: self._engine.after(state, {0: options[0][mine], 1: options[1][theirs]}),
            lambda: self._engine.states,
        )


def check(position: OpenPosition) -> None:
    """Reject positions that would take too long."""
    most = MOST_PLAIN if position.kind == PLAIN else MOST_WITH_FAN_CARD
    if position.cards_each > most or (position.kind != PLAIN and position.state is None):
        raise CoreMissing(
            "solver.core", cards_each=position.cards_each, most=MOST_PLAIN, most_with_fan_card=MOST_WITH_FAN_CARD
        )


def unsolved(position: OpenPosition) -> PlainTurn:
    """The trivial bounds of a turn: nobody can gain or lose more heads than there are."""
    actions = position.actions
    most = Fraction(sum(position.heads[card] for part in (*position.rows, *position.hands) for card in part))
    lows, highs = ([[sign * most for _ in actions[1]] for _ in actions[0]] for sign in (-1, 1))
    even = [Fraction(1, len(part)) for part in actions]
    mixes = [even[0]] * len(actions[0]), [even[1]] * len(actions[1])
    return PlainTurn(actions, lows, highs, mixes, -most, most, 0)
