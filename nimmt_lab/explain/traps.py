"""What went wrong, or nearly did: the traps that the classic page names, and their like under the fan cards.

The *row now* of a card is where it would go if it were placed first, on the table as it stands when the card is chosen.
A *tempting row* is another row with room that looks as if the card could go there.
"""

from __future__ import annotations

from enum import Enum


class Trap(Enum):
    """A kind of trap. Chapters may declare further ones in a class of their own, and name them (`trap.<value>`)."""


class RowTrap(Trap):
    """The traps of rows. The first four are the page's own; the last exists only where something can close a row."""

    #: The row now is full, and there is a tempting row: rule 2 does not let the card go there (tip 1).
    CLOSEST_ROW = "closest_row"
    #: The row now had room, but lower cards of the same turn (or what else takes up places) filled it.
    FILLED_ROW = "filled_row"
    #: The row now had room, but a lower card of the same turn took it away (tip 2).
    VANISHED_ROW = "vanished_row"
    #: A lower card of the same turn made another row the closest one.
    DIVERTED = "diverted"
    #: The row now had room, but may not receive the card any more: a marker moved, or the row went past the card.
    CLOSED_ROW = "closed_row"


def verdict_key(trap: Trap, *, met: bool) -> str:
    """The message about a trap: met, got past, or (a card that was diverted to its good) sheer luck."""
    if met:
        return "why.met"
    return "why.lucky" if trap is RowTrap.DIVERTED else "why.avoided"


def trap_of(
    *,
    row_now: int | None,
    was_full: bool,
    tempted: bool,
    row: int | None,
    took: bool,
    knock_on: Trap | None,
    taken_before: bool,
    still_open: bool,
) -> Trap | None:
    """The trap that a placement met (if it took cards) or got past (if not); None where none is involved.

    `row` is None for a card that fits nowhere. `knock_on` is the trap of a take that the placement set off although the
    card had room; a chapter that has such takes says which. `taken_before` and `still_open` speak of the row now at the
    moment of placing: somebody took it this turn; it may receive the card.

    Tip 1 of the rulebook: 45, with row 3 ending in 41 and row 4, full, in 42.

    >>> trap_of(row_now=3, was_full=True, tempted=True, row=3, took=True, knock_on=None,
    ...         taken_before=False, still_open=True)
    <RowTrap.CLOSEST_ROW: 'closest_row'>

    Tip 2: 62 was meant for row 1, a low card took that row, and row 4 is full.

    >>> trap_of(row_now=0, was_full=False, tempted=False, row=3, took=True, knock_on=None,
    ...         taken_before=True, still_open=True)
    <RowTrap.VANISHED_ROW: 'vanished_row'>
    """
    if knock_on is not None:
        return knock_on
    if row_now is None:
        # It fitted nowhere; a lower card has started a row for it.
        return None if row is None else RowTrap.DIVERTED
    closest = RowTrap.CLOSEST_ROW if tempted else None
    if row == row_now:
        if was_full and not (took and taken_before):
            return closest
        return RowTrap.FILLED_ROW if took else None
    untouched = still_open and not taken_before
    if was_full:
        return RowTrap.DIVERTED if untouched else None if took else closest
    if taken_before:
        return RowTrap.VANISHED_ROW
    return RowTrap.DIVERTED if untouched else RowTrap.CLOSED_ROW
