"""From close bounds to the exact value of a turn, as a proved fraction.

The search leaves bounds a few hundred-millionths apart. In a turn most choices are worse by more than that, so only the
entries that the two optimal strategies play, and near ties, need an exact value. Each entry is a position with one card
less, solved the same way; if nobody has to mix, both bounds already agree.

The entries between the most likely cards are made exact and that small game is solved in fractions. Then every other
card is compared with the solution, by its bounds if possible and exactly if not. A card that does better joins the
small game. Once none does, its value is the value of the turn.

>>> from nimmt_lab import Advanced
>>> state = Advanced(players=2).from_position("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
>>> Prover(Searcher()).value(state)
Fraction(24, 5)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.core import shift_of
from nimmt_lab.solver.exact import Searcher, TurnTable
from nimmt_lab.solver.matrix import solve_matrix
from nimmt_lab.solver.open_position import OpenPosition, action_of, heads_difference, two_player_game

#: Lower probabilities in the search's mixes count as zero (a card dropped by mistake joins again).
LEAST_CHANCE = 1e-6

Mix = dict[int, Fraction]


class TooMuchWork(Exception):
    """The proof would need more positions or time than allowed."""


def choices_of(state: GameState, table: TurnTable) -> tuple[list[Choice], list[Choice]]:
    """The choices of A and B in table order."""
    both = []
    for seat, actions in enumerate(table.actions):
        options = {action_of(option, seat): option for option in state.pending[seat].options}
        both.append([options[action] for action in actions])
    return both[0], both[1]


@dataclass
class ExactTurn:
    """A turn solved in fractions: value, both mixes (by index in the table) and the number of entries needed."""

    value: Fraction
    mixes: tuple[Mix, Mix]
    entries: dict[tuple[int, int], Fraction]


class Prover:
    """Exact values of open two-player positions from a searcher's tables, cached. Proves at most ``most`` positions,
    and none after ``until`` (`time.monotonic`)."""

    def __init__(self, searcher: Searcher, most: int | None = None, until: float | None = None) -> None:
        self._searcher, self._most, self._until = searcher, most, until
        self._shift: int | None = None
        self._known: dict[tuple[object, ...], Fraction] = {}

    @property
    def positions(self) -> int:
        """Number of positions proved."""
        return len(self._known)

    def allow(self, most: int | None, until: float | None) -> None:
        """Reset the limits for another position: ``most`` more positions, or until then."""
        self._most = None if most is None else self.positions + most
        self._until = until
        self._shift = None

    def value(self, state: GameState) -> Fraction:
        """Expected heads of B minus heads of A to the end of the round, under best play."""
        # Row order is irrelevant unless a fan card is in a row.
        rows = state.rows if two_player_game(state).fan_cards else tuple(sorted(state.rows))
        key = (rows, state.hands, state.extra, state.queue)
        known = self._known.get(key)
        if known is None:
            known = self._row_choice(state) if state.queue else self.turn(state, self._table(state)).value
            self._known[key] = known
        return known

    def turn(self, state: GameState, table: TurnTable) -> ExactTurn:
        """Solve a turn in fractions, given bounds for its table."""
        if self._most is not None and self.positions >= self._most:
            raise TooMuchWork
        if self._until is not None and time.monotonic() >= self._until:
            raise TooMuchWork
        self._question(state)
        game = _Turn(self, state, table)
        mine = [i for i, chance in enumerate(table.mixes[0]) if chance > LEAST_CHANCE]
        theirs = [j for j, chance in enumerate(table.mixes[1]) if chance > LEAST_CHANCE]
        while True:
            small = solve_matrix([[game.entry(i, j) for j in theirs] for i in mine])
            x = {i: chance for i, chance in zip(mine, small.row, strict=True) if chance}
            y = {j: chance for j, chance in zip(theirs, small.column, strict=True) if chance}
            better = [i for i in range(len(table.lows)) if i not in mine and game.row_beats(i, y, small.value)]
            cheaper = [j for j in range(len(table.lows[0])) if j not in theirs and game.column_beats(j, x, small.value)]
            if not better and not cheaper:
                return ExactTurn(small.value, (x, y), game.exact)
            mine += better
            theirs += cheaper

    def complete(self, state: GameState, table: TurnTable, solved: ExactTurn) -> None:
        """Make every entry of a solved turn exact, so that the mixes apply to the whole table."""
        game = _Turn(self, state, table, solved.entries)
        whole = solve_matrix([[game.entry(i, j) for j in range(len(row))] for i, row in enumerate(table.lows)])
        if whole.value != solved.value:
            raise ArithmeticError(
                f"the whole table of {state.position} has another value than the part that was proved"
            )
        mine, theirs = ({at: p for at, p in enumerate(mix) if p} for mix in (whole.row, whole.column))
        solved.mixes = mine, theirs

    def after(self, state: GameState, choices: Mapping[Seat, Choice]) -> Fraction:
        """The heads of these choices plus the value of what follows."""
        after, events = state.choose(choices)
        now = heads_difference(events)
        return Fraction(now) if after.is_past_round(state.round) else now + self.value(after)

    def _row_choice(self, state: GameState) -> Fraction:
        """A low card: the best row for its player, skipping rows that are worse by their bounds."""
        ((seat, decision),) = state.pending.items()
        sign = 1 if seat == 0 else -1
        most: dict[Choice, Fraction] = {}
        least: list[Fraction] = []
        for row in decision.options:
            after, events = state.choose({seat: row})
            lo = hi = Fraction(0)
            if not after.is_past_round(state.round):
                lo, hi = self._bounds(after)
            if sign < 0:
                lo, hi = -hi, -lo
            now = sign * heads_difference(events)
            most[row] = now + hi
            least.append(now + lo)
        best = max(least)
        return sign * max(sign * self.after(state, {seat: row}) for row in decision.options if most[row] >= best)

    def _bounds(self, state: GameState) -> tuple[Fraction, Fraction]:
        if state.queue:  # another row choice, possible only with a fan card
            worth = self.value(state)
            return worth, worth
        lo, hi = self._searcher.bounds(*self._question(state))
        return Fraction(lo), Fraction(hi)

    def _table(self, state: GameState) -> TurnTable:
        return self._searcher.table(*self._question(state))

    def _question(self, state: GameState) -> tuple[OpenPosition, int]:
        """A position in the tables' unit, which is the first position's; otherwise they would have to be rebuilt."""
        position = OpenPosition.of(state)
        if self._shift is None:
            self._shift = shift_of(position)
        return position, self._shift


class _Turn:
    """The table of a turn: bounds from the search, exact entries on demand."""

    def __init__(
        self, prover: Prover, state: GameState, table: TurnTable, exact: dict[tuple[int, int], Fraction] | None = None
    ) -> None:
        self._prover, self._state, self._table = prover, state, table
        self._choices = choices_of(state, table)
        self.exact: dict[tuple[int, int], Fraction] = {} if exact is None else exact

    def entry(self, i: int, j: int) -> Fraction:
        if (i, j) not in self.exact:
            lo, hi = self._table.lows[i][j], self._table.highs[i][j]
            choices = {0: self._choices[0][i], 1: self._choices[1][j]}
            worth = Fraction(lo) if lo == hi else self._prover.after(self._state, choices)
            if not lo <= worth <= hi:
                raise ArithmeticError(f"the search and the proof disagree on {choices} in {self._state.position}")
            self.exact[i, j] = worth
        return self.exact[i, j]

    def row_beats(self, i: int, y: Mix, value: Fraction) -> bool:
        """Whether A does better than ``value`` with row ``i`` against ``y``."""
        if _mean((chance, Fraction(self._table.highs[i][j])) for j, chance in y.items()) <= value:
            return False
        return _mean((chance, self.entry(i, j)) for j, chance in y.items()) > value

    def column_beats(self, j: int, x: Mix, value: Fraction) -> bool:
        """Whether B does better than ``value`` with column ``j`` against ``x``."""
        if _mean((chance, Fraction(self._table.lows[i][j])) for i, chance in x.items()) >= value:
            return False
        return _mean((chance, self.entry(i, j)) for i, chance in x.items()) < value


def _mean(parts: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((chance * worth for chance, worth in parts), Fraction(0))
