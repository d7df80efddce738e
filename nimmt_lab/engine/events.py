"""Events: small typed values, each with the rule that caused it.

Boards animate them, the tutor explains them, data frames count them. The events here are common to all games; chapters
declare further ones. Events never contain hidden information.
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
    """Base of everything that happens in a game; `rule` is the rule that caused it."""

    rule: Rule


@value
class RoundStarted(Event):
    """The hands are dealt (or drafted) and the rows have their first cards."""

    round: int
    rows: tuple[Cards, ...]


@value
class CardsRevealed(Event):
    """All chosen cards are revealed. `plays` are in the order of placing."""

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
    """A card was placed in a row. `difference` is its distance from the previous card, None in slot 0."""

    seat: Seat
    card: Card
    row: int
    slot: int
    difference: int | None


@value
class RoundEnded(Event):
    """The round is over: the heads of each seat in it, and the new totals."""

    round: int
    heads: tuple[int, ...]
    totals: tuple[int, ...]


@value
class GameEnded(Event):
    """The game is over."""

    outcome: Outcome


def to_json(item: object) -> Json:
    """Convert dataclasses, rules, enums, tuples and numbers to plain JSON data.

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
    """One canonical line of JSON per event, for comparing games byte for byte."""
    return "".join(
        json.dumps(to_json(event), sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n" for event in events
    )
