"""What happened, one small typed value at a time, each naming the rule that caused it.

Boards animate events, the tutor explains them, records are checked against them, data frames count them.
The events here are those every card game of the family shares; a chapter with effects of its own
declares further ones in its module. Events never hold anything hidden from a player.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TypeAlias

from .cards import Card, Cards, Seat
from .outcome import Outcome
from .play import Play
from .rule import Rule
from .values import value

__all__ = [
    "CardPlaced",
    "CardsRevealed",
    "Event",
    "GameEnded",
    "Json",
    "RoundEnded",
    "RoundStarted",
    "RowTaken",
    "events_text",
    "to_json",
]


Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


@value
class Event:
    """Base of all events."""

    rule: Rule


@value
class RoundStarted(Event):
    """The rows have their first cards and the hands are dealt (or drafted)."""

    round: int
    rows: tuple[Cards, ...]


@value
class CardsRevealed(Event):
    """Everybody's choice is turned up. `plays` are in the order they will be placed."""

    turn: int
    plays: tuple[Play, ...]


@value
class RowTaken(Event):
    """A seat takes `cards` from `row` into its pile, because of `card`."""

    seat: Seat
    card: Card
    row: int
    cards: Cards
    heads: int


@value
class CardPlaced(Event):
    """A card lies in a row now. `slot` 0 means that it started the row; `difference` is the distance to the
    end it was added to (None for a row's first card)."""

    seat: Seat
    card: Card
    row: int
    slot: int
    difference: int | None


@value
class RoundEnded(Event):
    """The hands are empty: each seat's heads of this round, and the totals with them."""

    round: int
    heads: tuple[int, ...]
    totals: tuple[int, ...]


@value
class GameEnded(Event):
    """The game is over."""

    outcome: Outcome


def to_json(item: object) -> Json:
    """A value made of dataclasses, rules, enums, tuples and numbers as plain JSON data.

    >>> from nimmt_lab.games.classic.rules import ClassicRule
    >>> to_json(CardPlaced(ClassicRule.SMALLEST_DIFFERENCE, seat=0, card=14, row=0, slot=1, difference=2))
    {'type': 'CardPlaced', 'rule': 'classic.2', 'seat': 0, 'card': 14, 'row': 0, 'slot': 1, 'difference': 2}
    """
    if isinstance(item, Rule):
        return item.key
    if isinstance(item, Enum):
        return to_json(item.value)
    if item is None or isinstance(item, (bool, int, float, str)):
        return item
    if is_dataclass(item) and not isinstance(item, type):
        return {"type": type(item).__name__} | {f.name: to_json(getattr(item, f.name)) for f in fields(item)}
    if isinstance(item, Play):
        return dict(item.to_json())
    if isinstance(item, Mapping):
        return {str(key): to_json(part) for key, part in item.items()}
    if isinstance(item, Iterable):
        return [to_json(part) for part in item]
    raise TypeError(f"{type(item).__name__} has no JSON form")


def events_text(events: Iterable[Event]) -> str:
    """One canonical line of JSON per event: what "the same events, byte for byte" means."""
    return "".join(
        json.dumps(to_json(event), sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n" for event in events
    )
