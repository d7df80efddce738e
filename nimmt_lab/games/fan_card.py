"""What a fan special card may change about the classic game (rules: fan-cards).

A fan card is a small frozen value that states only what differs: which rows are closed or descending, how
many places of a row it occupies, further ways to play a card, and what it does after a placement. What lies
on the table for it is its *marker*, kept in the state's extra.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, TypeVar

from nimmt_lab.engine.cards import Cards, Seat
from nimmt_lab.engine.decisions import CardOption
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.table import Table


@dataclass(frozen=True, slots=True)
class Marker:
    """Base of what a fan card has lying on the table. A field named `row` is 0-based."""

    def to_json(self) -> dict[str, object]:
        """The marker as people count: rows from 1."""
        return {f.name: getattr(self, f.name) + (f.name == "row") for f in fields(self)}


M = TypeVar("M", bound=Marker)


@dataclass(frozen=True, slots=True)
class Markers(Extra):
    """The markers of the fan cards in play, in the order of the game's fan cards."""

    all: tuple[Marker, ...] = ()

    def __getitem__(self, kind: type[M]) -> M:
        """The marker of that kind: `Markers.of(state)[EvenOddMarker].row`."""
        for marker in self.all:
            if isinstance(marker, kind):
                return marker
        raise KeyError(kind.__name__)

    def moved(self, marker: Marker) -> Markers:
        """With that marker in place of the one of its kind."""
        return Markers(tuple(marker if type(old) is type(marker) else old for old in self.all))


class FanCard:
    """Base of the fan cards: it changes nothing. Subclasses are frozen dataclasses (their options).

    `marker` is always this card's own marker, `row` a 0-based row.
    """

    #: The name in options, records and vectors.
    name: ClassVar[str]
    #: R-F0: after a take the cards move in this order.
    order: ClassVar[int]
    #: Whether a row's cards still ascend from first to last.
    keeps_rows_ascending: ClassVar[bool] = True

    def setup(self, table: Table, last_round: Marker | None) -> Marker:
        """Lay the card at the start of a round, once the rows have their first cards."""
        raise TypeError(f"{type(self).__name__} has no setup")

    def descends(self, marker: Marker, row: int) -> bool:
        """Whether cards are added to that row in descending order."""
        return False

    def closes(self, marker: Marker, row: int, value: int) -> bool:
        """Whether that row may not receive a card of that value."""
        return False

    def occupies(self, marker: Marker, row: int) -> int:
        """How many of the row's places the card takes up."""
        return 0

    def plays(self, marker: Marker, seat: Seat, hand: Cards) -> Sequence[CardOption]:
        """Further ways to play a card of that hand."""
        return ()

    def revealed(self, table: Table, marker: Marker, plays: Iterable[Play]) -> None:
        """After the reveal."""

    def placed(self, table: Table, marker: Marker, play: Play, row: int, *, took: bool) -> None:
        """After a card was placed in `row` (and, where `took`, started it after a take)."""

    def write(self, marker: Marker) -> str:
        """The marker in position notation: its fields, rows counted from 1."""
        return " ".join(str(value) for value in marker.to_json().values())

    def read(self, text: str, rows: Sequence[Cards], players: int) -> Marker:
        """The marker that notation describes."""
        raise TypeError(f"{type(self).__name__} cannot be read")

    def read_row(self, word: str, rows: Sequence[Cards]) -> int:
        """A row as people count it."""
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= len(rows)):
            raise NotationError(f"{self.name}: expected a row from 1 to {len(rows)}, got {word!r}")
        return int(word) - 1


_FAN_CARDS: dict[str, type[FanCard]] = {}


def register_fan_card(card: type[FanCard]) -> None:
    """Make a fan card known by its name."""
    _FAN_CARDS[card.name] = card


def fan_cards() -> dict[str, type[FanCard]]:
    """Every fan card by name, in the order of R-F0."""
    return dict(sorted(_FAN_CARDS.items(), key=lambda item: item[1].order))


def in_order(cards: Iterable[FanCard | str]) -> tuple[FanCard, ...]:
    """Fan cards (or their names) in the order of R-F0."""
    found: list[FanCard] = []
    for card in cards:
        if isinstance(card, str):
            if card not in _FAN_CARDS:
                raise RulesError(f"no fan card {card!r}; there are: {', '.join(fan_cards()) or 'none yet'}")
            card = _FAN_CARDS[card]()
        if not isinstance(card, FanCard):
            raise RulesError(f"expected a fan card or its name, got {card!r}")
        if any(card.name == other.name for other in found):
            raise RulesError(f"fan card {card.name} is there twice")
        found.append(card)
    return tuple(sorted(found, key=lambda card: card.order))
