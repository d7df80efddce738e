"""What Beat the Buffalo has besides cards: its rules' names, the special cards, what lies on the table, its events."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Final

from nimmt_lab.engine.cards import EMPTY, Card, Cards, Seat
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.values import value


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


#: Special cards of each kind.
OF_EACH: Final = 2
#: The whole special deck.
ALL_SPECIALS: Final = tuple(kind for kind in Special for _ in range(OF_EACH))
#: How many special cards are in play, by number of players.
SPECIALS_IN_PLAY: Final = {1: 0, 2: 2, 3: 4, 4: 6, 5: 11, 6: 16}
#: How many of them lie face up.
FACE_UP: Final = 2


@value
class BuffaloTable(Extra):
    """Everything on the table that is no row and no hand."""

    #: The buffalo's cards, face down, next first. In a view each is `EMPTY`: nobody knows them.
    deck: Cards = ()
    #: The special cards that may be used.
    up: tuple[Special, ...] = ()
    #: Those face down, next first; None each in a view.
    special_deck: tuple[Special | None, ...] = ()
    #: Those that have left the game, in that order.
    used: tuple[Special, ...] = ()
    #: Rows with a 7 takes! and rows with a Stop!, top row first.
    seven_takes: tuple[int, ...] = ()
    stopped: tuple[int, ...] = ()
    #: Rows emptied by Push that wait for a number card, in the order they were emptied (R-B19).
    empty: tuple[int, ...] = ()
    #: The cards that First card and Last card have set this turn, while that holds (R-B17).
    first: Card | None = None
    last: Card | None = None
    #: The team has had its say before the next placement (or turn).
    passed: bool = False
    #: The seat that the team has told to swap: it names the card now.
    swapping: Seat | None = None

    def face_down(self) -> BuffaloTable:
        """As any player sees it."""
        return replace(self, deck=(EMPTY,) * len(self.deck), special_deck=(None,) * len(self.special_deck))


@value
class SpecialsTurnedUp(Event):
    """At the start: the special cards that lie face up, and how many more there are."""

    up: tuple[Special, ...]
    left: int


@value
class SpecialUsed(Event):
    """The team used a special card before `card` was placed (None: between two turns); `turned_up` took its place."""

    kind: Special
    card: Card | None
    turned_up: Special | None


@value
class SevenTakesLaid(Event):
    """From now on that row is taken by its 7th card."""

    row: int


@value
class SevenTakesLeft(Event):
    """The row was taken, and its 7 takes! left the game."""

    row: int


@value
class RowStopped(Event):
    """Nothing may be done to that row until the team lifts the Stop!"""

    row: int


@value
class StopLifted(Event):
    """The row is open again; the Stop! left the game."""

    row: int


@value
class CardSwapped(Event):
    """A seat took `back` into its hand again and plays `card` instead, at once."""

    seat: Seat
    back: Card
    card: Card


@value
class CardPushed(Event):
    """A card was moved from one row into another, where it has place `slot`."""

    card: Card
    old_row: int
    row: int
    slot: int


@value
class RowEmptied(Event):
    """The next number card placed must go to that row."""

    row: int


@value
class OrderChanged(Event):
    """The cards still to be placed, in their new order."""

    kind: Special
    plays: tuple[Play, ...]
