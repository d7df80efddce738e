"""A table reduced to what decides placements, small enough to follow thousands of turns at once.

A sketch keeps each row's last card, size and whether it was taken this turn, plus a number per marker. A `Reading`
places cards on sketches using the game's own rules; each chapter provides a subclass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, NamedTuple

from nimmt_lab.engine.cards import Card, Seat

from .traps import Trap

NOWHERE: Final = -1


class Sketch(NamedTuple):
    """Rows and markers. `taken` has a bit for each row taken this turn."""

    ends: tuple[int, ...]
    counts: tuple[int, ...]
    #: Cards per row.
    limit: int
    taken: int = 0
    marks: tuple[int, ...] = ()
    #: Highest card per row, if moves depend on it and it may differ from the last.
    tops: tuple[int, ...] = ()

    def highest(self, row: int) -> int:
        return self.tops[row] if self.tops else self.ends[row]

    def marked(self, at: int, mark: int) -> Sketch:
        return self._replace(marks=_with(self.marks, at, mark))

    def started(self, row: int, end: int) -> Sketch:
        """The sketch after the row was taken and restarted with one card."""
        return self._replace(
            ends=_with(self.ends, row, end),
            counts=_with(self.counts, row, 1),
            taken=self.taken | 1 << row,
            tops=self.tops and _with(self.tops, row, end),
        )

    def added(self, row: int, end: int) -> Sketch:
        """The sketch after a card joined the row."""
        return self._replace(
            ends=_with(self.ends, row, end),
            counts=_with(self.counts, row, self.counts[row] + 1),
            tops=self.tops and _with(self.tops, row, max(self.tops[row], end)),
        )


class Placed(NamedTuple):
    """One way to place a card. `row` is None for a card that fits nowhere (it took some row)."""

    sketch: Sketch
    row: int | None
    took: bool
    #: The trap, if the card had room and only a marker's move makes its player take.
    knock_on: Trap | None


class Reading(ABC):
    """A table as sketches see it, and its placement rules."""

    #: The current table.
    sketch: Sketch
    #: Whether ends may be reduced to their order (see `sweep`).
    forgets: bool = True
    #: Whether a row may descend, at most one at a time.
    turns: bool = False
    #: Number of rows that may be closed to a card above their ends.
    closing: int = 0
    #: Whether moves depend on an end's parity or on the lowest end, which must then be kept.
    asks_parity: bool = False
    asks_lowest: bool = False
    #: Whether a move may cause a take although the placed card had room.
    knocks_on: bool = False
    #: Seats that may play a card as another number this turn, and messages about such cards: alone and with {others}.
    users: Sequence[Seat] = ()
    said: tuple[str, str] = ("", "")

    @abstractmethod
    def row_for(self, sketch: Sketch, value: int) -> int | None:
        """The row that accepts a card of that value; None if it fits nowhere."""

    @abstractmethod
    def is_full(self, sketch: Sketch, row: int) -> bool:
        """Whether the next card takes that row."""

    @abstractmethod
    def looks_open(self, sketch: Sketch, row: int, value: int) -> bool:
        """Whether that row's end alone would accept a card of that value."""

    @abstractmethod
    def is_open(self, sketch: Sketch, row: int, value: int) -> bool:
        """Whether that row accepts a card of that value."""

    def after(self, sketch: Sketch, row: int, took: bool) -> tuple[Sketch, Trap | None]:
        """The sketch after the moves that follow a card in `row` (restarted if `took`), and the trap of a take they
        cause."""
        return sketch, None

    def down(self, sketch: Sketch) -> int:
        return NOWHERE

    def out_of_reach(self, marks: tuple[int, ...], rows: Sequence[int]) -> tuple[int, ...]:
        """Normalise marks once later cards can't reach these rows: equivalent marks become equal."""
        return marks

    def reordered(self, marks: tuple[int, ...], order: Sequence[int]) -> tuple[int, ...]:
        """The marks after reordering the rows."""
        return marks

    def otherwise(self, card: Card) -> int | None:
        """The other number a card may be played as; unique per card."""
        return None

    def fate(self, sketch: Sketch, value: int) -> tuple[int | None, bool, Trap | None]:
        """A card's row, whether its player takes, and the trap if only a marker's move causes that."""
        row = self.row_for(sketch, value)
        if row is None or self.is_full(sketch, row):
            return row, True, None
        if not self.knocks_on:
            return row, False, None
        knock_on = self.after(sketch.added(row, value), row, False)[1]
        return row, knock_on is not None, knock_on

    def place(self, sketch: Sketch, value: int, end: int) -> list[Placed]:
        """Place a card that counts as `value` and then as `end`: one result, or one per row it may take."""
        row = self.row_for(sketch, value)
        if row is None:
            lows = range(len(sketch.ends))
            return [Placed(self.after(sketch.started(low, end), low, True)[0], None, True, None) for low in lows]
        if self.is_full(sketch, row):
            return [Placed(self.after(sketch.started(row, end), row, True)[0], row, True, None)]
        sketch, knock_on = self.after(sketch.added(row, end), row, False)
        return [Placed(sketch, row, knock_on is not None, knock_on)]


def _with(items: tuple[int, ...], at: int, item: int) -> tuple[int, ...]:
    return items[:at] + (item,) + items[at + 1 :]
