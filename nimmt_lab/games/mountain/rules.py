"""The Mountain card (rules: fan-cards): the marked row goes down instead of up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.games.classic.fan_card import FanCard, Marker, Move, RowEnds

__all__ = ["Mountain", "MountainMarker", "MountainMoved", "MountainRule"]


class MountainRule(Rule):
    SETUP = ("mountain.setup",)
    DESCENDING = ("mountain.descending", "R-F1", "R-F6")
    MOVE = ("mountain.move",)


@dataclass(frozen=True, slots=True)
class MountainMarker(Marker):
    """Left of `row`; its `arrows` show the direction of its next move: up or down."""

    row: int
    arrows: str


@value
class MountainMoved(Event):
    """The card went from `old_row` to `row` because `taken_row` was taken; `turned`: it reversed there."""

    old_row: int
    row: int
    arrows: str
    turned: bool
    taken_row: int


@dataclass(frozen=True)
class Mountain(FanCard[MountainMarker]):
    """To the marked row a card is added only if it is lower than the last one; any take moves the card.

    >>> from nimmt_lab import Classic
    >>> game = Classic(players=2, fan_cards=(Mountain(),))
    >>> state = game.from_position("2 | 8 12 | 70 | 40 36 33 30 26 ; A: 21 ; B: 95 ; mountain: 4 up")
    >>> game.difference(state, 1, 21), game.difference(state, 3, 21), game.row_for(state, 21)
    (9, 5, 3)
    """

    name: ClassVar[str] = "mountain"
    marker: ClassVar[type[Marker]] = MountainMarker
    setup_rule: ClassVar[Rule] = MountainRule.SETUP
    least_rows: ClassVar[int] = 2
    keeps_rows_ascending: ClassVar[bool] = False

    def setup(self, table: LiveTable, last_round: MountainMarker | None, edition: str) -> MountainMarker:
        return MountainMarker(len(table.rows) - 1, "up")

    def descends(self, marker: MountainMarker, row: int) -> bool:
        return row == marker.row

    def moves(self, marker: MountainMarker, table: RowEnds, row: int, *, took: bool) -> Move[MountainMarker] | None:
        if not took:
            return None
        to = marker.row + (1 if marker.arrows == "down" else -1)
        # It reverses at the first and the last row.
        arrows = "down" if to == 0 else "up" if to == len(table.ends) - 1 else marker.arrows
        return Move(MountainMarker(to, arrows))

    def moved(self, old: MountainMarker, new: MountainMarker, table: RowEnds, row: int, *, took: bool) -> Event:
        return MountainMoved(MountainRule.MOVE, old.row, new.row, new.arrows, new.arrows != old.arrows, row)

    def note(self, marker: MountainMarker, row: int, lang: str = "en") -> str:
        sign = "▲" if marker.arrows == "up" else "▼"
        return f"{sign} {Phrase('mountain.goes_down').translate(lang)}" if row == marker.row else ""

    def read(self, text: str, table: LiveTable) -> MountainMarker:
        word, side = self.read_words(text, "a row", "up or down")
        row, arrows = self.read_row(word, table), self.read_side(side, "up", "down")
        if row == (0 if arrows == "up" else len(table.rows) - 1):
            raise PositionError("mountain.arrows", row=row + 1, got=arrows)
        return MountainMarker(row, arrows)
