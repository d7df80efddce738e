"""Traps of the classic rules and their counterparts with fan cards.

A card's *current row* (`row_now`) is where it would go if placed first, on the table when it was chosen. A *tempting
row* is another row with room that seems to accept it.
"""

from __future__ import annotations

from enum import Enum


class Trap(Enum):
    """A kind of trap. Chapters may define more in their own classes, named in their catalogues (`trap.<value>`)."""


class RowTrap(Trap):
    """Traps of rows. The first four come from the rules; the last needs a marker that closes rows."""

    #: The current row is full, and rule 2 keeps the card out of a tempting row (tip 1).
    CLOSEST_ROW = "closest_row"
    #: The current row had room, but lower cards of the turn (or markers) filled it.
    FILLED_ROW = "filled_row"
    #: The current row had room, but a lower card of the turn took it (tip 2).
    VANISHED_ROW = "vanished_row"
    #: A lower card of the turn made another row the closest.
    DIVERTED = "diverted"
    #: The current row had room, but no longer accepts the card: a marker moved, or the row's end is now higher.
    CLOSED_ROW = "closed_row"


def verdict_key(trap: Trap, *, met: bool) -> str:
    """Message about a trap: met, avoided or, for a lucky diversion, luck."""
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
    """The trap that a placement met (if it took cards) or avoided; None if no trap is involved.

    `row` is None for a card that fits nowhere. `knock_on` is the trap of a take set off although the card had room, if
    the chapter has such takes. `taken_before` and `still_open` describe the current row when the card was placed.

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
        # It fitted nowhere until a lower card restarted a row.
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
