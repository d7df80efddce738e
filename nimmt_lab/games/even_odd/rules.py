"""The Even/Odd card (rules: fan-cards): the marked row receives only cards of the parity it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from nimmt_lab.engine.events import Event
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.games.classic.fan_card import FanCard, Marker, Move, RowEnds, lowest_end

__all__ = ["EvenOdd", "EvenOddMarker", "EvenOddMoved", "EvenOddRule", "parity"]


class EvenOddRule(Rule):
    SETUP = ("even_odd.setup",)
    PARITY = ("even_odd.parity", "R-F1", "R-F6")
    MOVE = ("even_odd.move",)


#: Signs on boards and in the terminal.
SIGNS: Final = {"even": "◐", "odd": "◑"}


def parity(number: int) -> str:
    return "odd" if number % 2 else "even"


@dataclass(frozen=True, slots=True)
class EvenOddMarker(Marker):
    """Left of `row`, showing `side`: even or odd."""

    row: int
    side: str


@value
class EvenOddMoved(Event):
    """The card left `old_row` because `taken_row` was taken; at `row` it shows the parity of `end`."""

    old_row: int
    row: int
    side: str
    end: int
    taken_row: int


@dataclass(frozen=True)
class EvenOdd(FanCard[EvenOddMarker]):
    """Only cards of the shown parity may be added to the marked row; any take moves the card.

    >>> from nimmt_lab import Classic
    >>> game = Classic(players=2, fan_cards=(EvenOdd(),))
    >>> state = game.from_position(
    ...     "20 31 | 40 44 48 50 52 | 88 92 | 85 ; A: 90 ; B: 99 ; even_odd: 4 odd"
    ... )
    >>> game.row_for(state, 90), game.row_for(state, 91)  # 90 is even: row 4 is closed to it
    (1, 3)
    """

    name: ClassVar[str] = "even_odd"
    marker: ClassVar[type[Marker]] = EvenOddMarker
    setup_rule: ClassVar[Rule] = EvenOddRule.SETUP
    least_rows: ClassVar[int] = 2

    def setup(self, table: LiveTable, last_round: EvenOddMarker | None, edition: str) -> EvenOddMarker:
        return _at_lowest([cards[-1] for cards in table.rows])

    def closes(self, marker: EvenOddMarker, row: int, value: int) -> bool:
        return row == marker.row and parity(value) != marker.side

    def moves(self, marker: EvenOddMarker, table: RowEnds, row: int, *, took: bool) -> Move[EvenOddMarker] | None:
        # It leaves its row after any take; the restarted row counts.
        return Move(_at_lowest(table.ends, without=marker.row)) if took else None

    def moved(self, old: EvenOddMarker, new: EvenOddMarker, table: RowEnds, row: int, *, took: bool) -> Event:
        return EvenOddMoved(EvenOddRule.MOVE, old.row, new.row, new.side, table.ends[new.row], row)

    def note(self, marker: EvenOddMarker, row: int, lang: str = "en") -> str:
        only = Phrase("even_odd.only_even" if marker.side == "even" else "even_odd.only_odd")
        return f"{SIGNS[marker.side]} {only.translate(lang)}" if row == marker.row else ""

    def read(self, text: str, table: LiveTable) -> EvenOddMarker:
        row, side = self.read_words(text, "a row", "even or odd")
        return EvenOddMarker(self.read_row(row, table), self.read_side(side, "even", "odd"))


def _at_lowest(ends: Sequence[int], without: int | None = None) -> EvenOddMarker:
    row = lowest_end(ends, without)
    return EvenOddMarker(row, parity(ends[row]))
