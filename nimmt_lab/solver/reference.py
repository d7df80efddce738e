"""The plain solver: exact fractions, every position, no tricks.

It is the test oracle of the fast search, its substitute without the compiled core, and the version to read first. Two
players see both hands and choose cards simultaneously. The result is again a position, so a turn is a matrix game:

    value(position) = value of the matrix game
    [ heads(a, b) + value(after a, b) ]   for all cards a of A, b of B

The value is the expected number of heads B takes minus those A takes under best play: positive is good for A. Up to
five cards a hand take seconds; beyond that, fractions get too long.

>>> solver = ReferenceSolver()
>>> solver.value(rows=((6, 11, 13, 15), (1, 5, 9), (14, 16, 17, 19, 20), (18, 21, 22, 24)), a=(10,), b=(23,))
Fraction(7, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from nimmt_lab.engine.cards import PRINTED_HEADS
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.matrix import MatrixSolution, solve_matrix

__all__ = ["ROW_LIMIT", "Cards", "EngineSolver", "ReferenceSolver", "Rows", "place", "row_for"]


Cards = tuple[int, ...]
Rows = tuple[Cards, ...]

#: The sixth card of a row takes the five before it.
ROW_LIMIT = 5


def row_for(rows: Rows, card: int) -> int | None:
    """The row with the highest last card below a card; None for a low card.

    >>> row_for(((3,), (12, 20), (15,), (7,)), 16), row_for(((3,), (12, 20), (15,), (7,)), 2)
    (2, None)
    """
    fitting = [index for index, row in enumerate(rows) if row[-1] < card]
    return max(fitting, key=lambda index: rows[index][-1]) if fitting else None


def place(rows: Rows, card: int, chosen: int | None = None, heads: Sequence[int] = PRINTED_HEADS) -> tuple[Rows, int]:
    """Place a card; return the rows and the heads its player takes. ``chosen`` is a low card's row.

    >>> place(((3, 4, 5, 8, 9), (20,), (30,), (40,)), 10)
    (((10,), (20,), (30,), (40,)), 6)
    >>> place(((3,), (20, 22), (30,), (40,)), 1, chosen=1)
    (((3,), (1,), (30,), (40,)), 8)
    """
    target = row_for(rows, card)
    if target is None:
        if chosen is None:
            raise ValueError(f"{card} fits nowhere: its player must choose a row")
        target = chosen
        full = True
    else:
        full = len(rows[target]) == ROW_LIMIT
    taken = sum(heads[each] for each in rows[target]) if full else 0
    new_row = (card,) if full else (*rows[target], card)
    return rows[:target] + (new_row,) + rows[target + 1 :], taken


class ReferenceSolver:
    """Exact values of open two-player positions, cached. ``heads`` is indexed by card. ``look`` is called at every new
    position and may raise to stop the work."""

    def __init__(self, heads: Sequence[int] = PRINTED_HEADS, look: Callable[[], None] = lambda: None) -> None:
        self._known: dict[tuple[Rows, Cards, Cards], Fraction] = {}
        self._heads, self._look = heads, look

    @property
    def states(self) -> int:
        """Number of distinct positions solved."""
        return len(self._known)

    def value(self, rows: Rows, a: Cards, b: Cards) -> Fraction:
        """Expected heads of B minus heads of A under best play."""
        if not a:
            return Fraction(0)
        # The order of rows and cards is irrelevant.
        key = (tuple(sorted(rows, key=lambda row: row[-1])), tuple(sorted(a)), tuple(sorted(b)))
        known = self._known.get(key)
        if known is None:
            self._look()
            known = self._known[key] = self.turn(*key).value
        return known

    def turn(self, rows: Rows, a: Cards, b: Cards) -> MatrixSolution[Fraction]:
        """Solve the matrix game of this turn."""
        return solve_matrix(self.payoffs(rows, a, b))

    def payoffs(self, rows: Rows, a: Cards, b: Cards) -> list[list[Fraction]]:
        """The payoff matrix: one row per card of A, one column per card of B, in the given order."""
        return [[self.entry(rows, a, b, mine, theirs) for theirs in b] for mine in a]

    def entry(self, rows: Rows, a: Cards, b: Cards, mine: int, theirs: int) -> Fraction:
        """Value of choosing ``mine`` (A) and ``theirs`` (B).

        The lower card is placed first. If it is low, its player picks the row knowing both cards, so that choice is a
        plain maximum (A) or minimum (B); the higher card then always fits.
        """
        left_a = tuple(card for card in a if card != mine)
        left_b = tuple(card for card in b if card != theirs)
        first, second = min(mine, theirs), max(mine, theirs)
        sign_first, sign_second = (-1, 1) if mine < theirs else (1, -1)
        choices: list[int | None] = [None] if row_for(rows, first) is not None else list(range(len(rows)))
        worth = []
        for choice in choices:
            between, heads_first = place(rows, first, choice, self._heads)
            after, heads_second = place(between, second, None, self._heads)
            now = sign_first * heads_first + sign_second * heads_second
            worth.append(now + self.value(after, left_a, left_b))
        return max(worth) if mine < theirs else min(worth)


class EngineSolver:
    """The same on engine states, including fan cards and positions in mid-turn.

    Far slower, but it shares no rules with the fast search and so is the better oracle.

    >>> from nimmt_lab import Advanced
    >>> state = Advanced(players=2).from_position("4 | 5 | 9 10 18 | 20 23 24 ; A: 17 22 ; B: 1 8")
    >>> EngineSolver().value(state)
    Fraction(1, 1)
    """

    def __init__(self, look: Callable[[], None] = lambda: None) -> None:
        self._known: dict[tuple[object, ...], Fraction] = {}
        self._look = look

    @property
    def states(self) -> int:
        """Number of distinct positions solved."""
        return len(self._known)

    def value(self, state: GameState) -> Fraction:
        """Expected heads of B minus heads of A to the end of the round, under best play."""
        key = (state.rows, state.hands, state.extra, state.queue)
        known = self._known.get(key)
        if known is None:
            self._look()
            known = self._known[key] = self._solve(state)
        return known

    def _solve(self, state: GameState) -> Fraction:
        if len(state.pending) == 1:  # a low card's player chooses a row
            ((seat, decision),) = state.pending.items()
            worth = [self.after(state, {seat: option}) for option in decision.options]
            return max(worth) if seat == 0 else min(worth)
        mine, theirs = state.pending[0].options, state.pending[1].options
        return solve_matrix([[self.after(state, {0: a, 1: b}) for b in theirs] for a in mine]).value

    def after(self, state: GameState, choices: dict[int, Choice]) -> Fraction:
        """The heads of these choices plus the value of what follows."""
        after, events = state.choose(choices)
        now = Fraction(0)
        for event in events:
            if isinstance(event, RowTaken):
                now += event.heads if event.seat == 1 else -event.heads
        return now if after.is_past_round(state.round) else now + self.value(after)
