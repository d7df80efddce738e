"""Revealed cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .cards import Card, Cards, Seat, seat_letter

__all__ = ["Play", "Turn"]

#: The constructor of a `NamedTuple` is a Python function around this one, and takes twice as long.
_new = tuple.__new__


class Play(NamedTuple):
    """A revealed card. Sorting plays gives the order of placing.

    `value` is the number that decides its place: its own or a twisted one. Of equal values the twisted card goes first
    (Number Twister), so `plain` comes second in the sort order.

    >>> sorted([Play.of(0, 42), Play(42, False, 1, 24)])
    [B24 as 42, A42]
    """

    value: int
    plain: bool
    seat: Seat
    card: Card

    @classmethod
    def of(cls, seat: Seat, card: Card) -> Play:
        """A card that counts as its own number."""
        return _new(cls, (card, True, seat, card))

    def to_json(self) -> dict[str, int]:
        return {"seat": self.seat, "card": self.card, "value": self.value}

    def __repr__(self) -> str:
        return f"{seat_letter(self.seat)}{self.card}" + ("" if self.plain else f" as {self.value}")


class Turn(NamedTuple):
    """A turn as everybody saw it: the rows before it, and the revealed cards in the order of placing.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    >>> state, _ = state.choose({0: 14, 1: 15})
    >>> [(turn.number, turn.plays) for turn in state.view(0).history]
    [(8, (A14, B15))]
    """

    round: int
    number: int
    rows: tuple[Cards, ...]
    plays: tuple[Play, ...]

    @classmethod
    def of(cls, round_: int, number: int, rows: Iterable[Cards], plays: tuple[Play, ...]) -> Turn:
        """A turn, from rows that may change later."""
        return _new(cls, (round_, number, tuple(rows), plays))
