"""A revealed card on its way to a row."""

from __future__ import annotations

from typing import NamedTuple

from .cards import Card, Cards, Seat, seat_letter

__all__ = ["Play", "Turn"]


class Play(NamedTuple):
    """A revealed card that is placed in its turn. Sorting plays gives the order of placing.

    `value` is what the card counts as while it is placed: its own number, or the twisted one. On equal
    values the twisted card goes first (Number Twister), hence `plain` before the rest.

    >>> sorted([Play.of(0, 42), Play(42, False, 1, 24)])
    [B24 as 42, A42]
    """

    value: int
    plain: bool
    seat: Seat
    card: Card

    @classmethod
    def of(cls, seat: Seat, card: Card) -> Play:
        """The ordinary play: the card counts as its own number."""
        return cls(card, True, seat, card)

    def to_json(self) -> dict[str, int]:
        """Plain data for records and boards."""
        return {"seat": self.seat, "card": self.card, "value": self.value}

    def __repr__(self) -> str:
        return f"{seat_letter(self.seat)}{self.card}" + ("" if self.plain else f" as {self.value}")


class Turn(NamedTuple):
    """A turn that everybody saw: the rows as they lay, and the cards that were turned up, in the order of placing.

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
