"""The rules of Beat the Buffalo by name, its special cards, its table and its events."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from nimmt_lab.engine.cards import EMPTY, Card, Cards, Seat
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.values import replace, value


class BuffaloRule(Rule):
    """The rules of the Buffalo page."""

    SETUP = ("buffalo.setup",)
    TURN = ("buffalo.turn",)
    BUFFALOS_LOW_CARD = ("buffalo.low_card", "R-B3", "R-B14")
    LOW_CARD = ("classic.4", "R-C5", "R-B3", "R-B14")
    SPECIALS = ("buffalo.specials", "R-B12", "R-B18")
    SEVEN_TAKES = ("buffalo.seven_takes", "R-B2", "R-B15")
    STOP = ("buffalo.stop", "R-B2", "R-B3", "R-B10", "R-B12")
    SWAP = ("buffalo.swap", "R-B4", "R-B16", "R-B18")
    INSERT = ("buffalo.insert", "R-B6", "R-B7", "R-B9", "R-B10", "R-B16")
    PUSH = ("buffalo.push", "R-B6", "R-B7", "R-B10", "R-B20")
    FIRST = ("buffalo.first", "R-B5", "R-B17")
    LAST = ("buffalo.last", "R-B5", "R-B17")
    SORT = ("buffalo.sort", "R-B5", "R-B17")
    FULL_ROW = ("buffalo.full_row", "R-B8", "R-B11")
    EMPTY_ROW = ("buffalo.empty_row", "R-B13", "R-B19", "R-B21")
    SCORING = ("buffalo.scoring",)
    END = ("buffalo.end", "R-B1")


class Special(StrEnum):
    """The eight kinds of special card; there are two of each."""

    SEVEN_TAKES = "seven_takes"
    STOP = "stop"
    SWAP = "swap"
    INSERT = "insert"
    PUSH = "push"
    FIRST = "first"
    LAST = "last"
    SORT = "sort"


OF_EACH: Final = 2
ALL_SPECIALS: Final = tuple(kind for kind in Special for _ in range(OF_EACH))
#: The number of special cards in play, by number of players.
SPECIALS_IN_PLAY: Final = {1: 0, 2: 2, 3: 4, 4: 6, 5: 11, 6: 16}
#: The number of special cards that are face up.
FACE_UP: Final = 2


@value
class BuffaloTable(Extra):
    """Everything on the table except rows and hands."""

    #: The buffalo's face-down cards, next first; `EMPTY` each in a view.
    deck: Cards = ()
    #: The special cards that may be used.
    up: tuple[Special, ...] = ()
    #: The face-down special cards, next first; None each in a view.
    special_deck: tuple[Special | None, ...] = ()
    #: The special cards that have left the game, in that order.
    used: tuple[Special, ...] = ()
    #: The rows with a 7 takes! and with a Stop!, top row first.
    seven_takes: tuple[int, ...] = ()
    stopped: tuple[int, ...] = ()
    #: Rows that Push emptied, in that order; each waits for a number card (R-B19).
    empty: tuple[int, ...] = ()
    #: The cards that First card and Last card have set this turn (R-B17).
    first: Card | None = None
    last: Card | None = None
    #: Whether the team has had its say before the next placement (or turn).
    passed: bool = False
    #: The seat that must name the card it swaps in.
    swapping: Seat | None = None

    def face_down(self) -> BuffaloTable:
        """The table as players see it."""
        return replace(self, deck=(EMPTY,) * len(self.deck), special_deck=(None,) * len(self.special_deck))


@value
class SpecialsTurnedUp(Event):
    """The special cards that are face up at the start, and the number of the others."""

    up: tuple[Special, ...]
    left: int


@value
class SpecialUsed(Event):
    """The team used a special card before `card` (None: between turns); `turned_up` replaces it."""

    kind: Special
    card: Card | None
    turned_up: Special | None


@value
class RowEvent(Event):
    """Something happened to a row."""

    row: int


class SevenTakesLaid(RowEvent):
    """From now on the 7th card takes that row."""

    __slots__ = ()


class SevenTakesLeft(RowEvent):
    """The row was taken, and its 7 takes! left the game."""

    __slots__ = ()


class RowStopped(RowEvent):
    """The row is closed until the team lifts the Stop!"""

    __slots__ = ()


class StopLifted(RowEvent):
    """The row is open again; the Stop! left the game."""

    __slots__ = ()


class RowEmptied(RowEvent):
    """The next number card must go to that row."""

    __slots__ = ()


@value
class CardSwapped(Event):
    """A seat took `back` into its hand and plays `card` instead, at once."""

    seat: Seat
    back: Card
    card: Card


@value
class CardPushed(Event):
    """A card moved from one row to slot `slot` of another."""

    card: Card
    old_row: int
    row: int
    slot: int


@value
class OrderChanged(Event):
    """The remaining cards to place, in their new order."""

    kind: Special
    plays: tuple[Play, ...]
