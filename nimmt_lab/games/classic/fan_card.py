"""What a fan special card may change about the classic game (rules: fan-cards).

A fan card is a small frozen value that states only what differs: which rows are closed or descending, how
many places of a row it occupies, further ways to play a card, and what it does after a placement. What lies
on the table for it is its *marker*, kept in the state's extra.

A new kind is a folder whose `rules.py` has a subclass of `FanCard` and one of `Marker`, registered beside the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from nimmt_lab.engine.cards import Cards, Seat
from nimmt_lab.engine.decisions import CardOption
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.options import check_options
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.registry import register_chapter
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value

__all__ = [
    "AnyFanCard",
    "FanCard",
    "FanCardLaid",
    "Marker",
    "Markers",
    "fan_cards",
    "in_order",
    "lowest_end",
    "register_fan_card",
]


@dataclass(frozen=True, slots=True)
class Marker:
    """Base of what a fan card has lying on the table. A field named `row` is 0-based."""

    def to_json(self) -> dict[str, object]:
        """The marker as people count: rows from 1."""
        data = {f.name: getattr(self, f.name) for f in fields(self)}
        return data | {"row": data["row"] + 1} if "row" in data else data


M = TypeVar("M", bound=Marker)


@dataclass(frozen=True, slots=True)
class Markers(Extra):
    """The markers of the fan cards in play, in the order of the game's fan cards."""

    all: tuple[Marker, ...] = ()

    def __getitem__(self, kind: type[M]) -> M:
        """The marker of that kind: `Markers.of(state)[EvenOddMarker].row`."""
        marker = self.find(kind)
        if marker is None:
            raise KeyError(kind.__name__)
        return marker

    def find(self, kind: type[M]) -> M | None:
        """The marker of that kind, or None."""
        for marker in self.all:
            if isinstance(marker, kind):
                return marker
        return None

    def moved(self, marker: Marker) -> Markers:
        """With that marker in place of the one of its kind."""
        return Markers(tuple(marker if type(old) is type(marker) else old for old in self.all))


@value
class FanCardLaid(Event):
    """At the start of a round a fan card lies on the table; `name` is its kind."""

    name: str
    marker: Marker


class FanCard(Generic[M]):
    """Base of the fan cards: it changes nothing. Subclasses are frozen dataclasses (their options), of the type of
    their marker: `class EvenOdd(FanCard[EvenOddMarker])`.

    `row` is always 0-based; the `value` of a card is what it counts as while it is placed (R-F6).
    """

    #: The name in options, records and vectors.
    name: ClassVar[str]
    #: R-F0: after a take the cards move in this order.
    order: ClassVar[int]
    #: The type of its marker.
    marker: ClassVar[type[Marker]]
    #: The rule of its setup.
    setup_rule: ClassVar[Rule]
    #: Whether a row's cards still ascend from first to last.
    keeps_rows_ascending: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """The check of every fan card: options of the right type. A card's own `__post_init__` begins with it."""
        check_options(self, self.name)

    # The start of a round --------------------------------------------------------------------------------

    def setup(self, table: LiveTable, last_round: M | None, edition: str) -> M:
        """Lay the card, once the rows have their first cards. `last_round` is what `left_over` gave."""
        raise TypeError(f"{type(self).__name__} has no setup")

    def left_over(self, marker: M, edition: str) -> M | None:
        """What the next round must know of this one."""
        return None

    # Where a card may go ---------------------------------------------------------------------------------

    def descends(self, marker: M, row: int) -> bool:
        """Whether cards are added to that row in descending order."""
        return False

    def closes(self, marker: M, row: int, value: int) -> bool:
        """Whether that row may not receive a card of that value."""
        return False

    def occupies(self, marker: M, row: int) -> int:
        """How many of the row's places the card takes up."""
        return 0

    # Playing cards in another way ------------------------------------------------------------------------

    def ways(self, hand: Cards) -> Sequence[CardOption]:
        """Further ways in which cards can be played, whoever plays them."""
        return ()

    def plays(self, marker: M, seat: Seat, hand: Cards) -> Sequence[CardOption]:
        """Further ways open to that seat now."""
        return self.ways(hand)

    def revealed(self, table: LiveTable, marker: M, plays: Iterable[Play]) -> None:
        """After the reveal."""

    # After a placement -----------------------------------------------------------------------------------

    def landed(self, table: LiveTable, play: Play, row: int) -> None:
        """The played card lies in a row now; no marker has moved yet."""

    def moves(self, table: LiveTable, marker: M, play: Play, row: int, *, took: bool) -> int | None:
        """Move the marker after a card was added to `row` or, where `took`, that row was taken and started again.

        Gives the row that was taken in consequence, if any: all cards then move after that take, too.
        """
        return None

    # What people read and write --------------------------------------------------------------------------

    def note(self, marker: M, row: int) -> str:
        """What a board shows beside that row: a symbol and a word; empty where there is nothing."""
        return ""

    def table_note(self, marker: M) -> str:
        """What a board says about it where no row is concerned; empty where there is nothing."""
        return ""

    def to_json(self) -> Json:
        """The card as plain data: its name, with its options where they are not the usual ones.

        >>> from nimmt_lab.games import EvenOdd, NumberTwister
        >>> EvenOdd().to_json(), NumberTwister(comes_back="game").to_json()
        ('even_odd', {'name': 'number_twister', 'comes_back': 'game'})
        """
        options: dict[str, Json] = {
            f.name: getattr(self, f.name)
            for f in fields(self)  # type: ignore[arg-type]
            if getattr(self, f.name) != f.default
        }
        return {"name": self.name, **options} if options else self.name

    def write(self, marker: M) -> str:
        """The marker in position notation: its fields, rows counted from 1."""
        return " ".join(str(part) for part in marker.to_json().values())

    def read(self, text: str, table: LiveTable) -> M:
        """The marker that notation describes."""
        raise TypeError(f"{type(self).__name__} cannot be read")

    def read_words(self, text: str, *names: str) -> list[str]:
        """The words of a section, one for each name."""
        words = text.lower().split()
        if len(words) != len(names):
            raise NotationError("shared.expected_got", key=self.name, words=" and ".join(names), got=shown(text))
        return words

    def read_row(self, word: str, table: LiveTable) -> int:
        """A row as people count it."""
        rows = len(table.rows)
        if not (word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= rows):
            raise NotationError("shared.expected_row_from", section=self.name, most=rows, got=shown(word))
        return int(word) - 1

    def read_side(self, word: str, first: str, second: str) -> str:
        """Which of its two sides a card shows."""
        if word not in (first, second):
            raise NotationError("classic.expected_got", name=self.name, first=first, second=second, got=shown(word))
        return word


#: A fan card of some kind or other; what it gets is the marker that it laid itself.
AnyFanCard: TypeAlias = FanCard[Any]


def lowest_end(rows: Sequence[Cards], without: int | None = None) -> int:
    """The row with the lowest last card, of all rows or of the others."""
    return min((cards[-1], row) for row, cards in enumerate(rows) if row != without)[1]


_FAN_CARDS: dict[str, type[AnyFanCard]] = {}


def register_fan_card(card: type[AnyFanCard]) -> None:
    """Make a fan card known by its name."""
    _FAN_CARDS[card.name] = card
    register_chapter(card)


def fan_cards() -> dict[str, type[AnyFanCard]]:
    """Every fan card by name, in the order of R-F0."""
    return dict(sorted(_FAN_CARDS.items(), key=lambda item: item[1].order))


def in_order(cards: Iterable[AnyFanCard | str | Mapping[str, object]]) -> tuple[AnyFanCard, ...]:
    """Fan cards (or their names, or their plain data) in the order of R-F0."""
    found: list[AnyFanCard] = []
    for card in cards:
        if isinstance(card, (str, Mapping)):
            card = _from_json(card)
        if not isinstance(card, FanCard):
            raise RulesError("classic.expected_fan_card", got=shown(card))
        if any(card.name == other.name for other in found):
            raise RulesError("classic.fan_twice", card=card.name)
        found.append(card)
    return tuple(sorted(found, key=lambda card: card.order))


def _from_json(data: str | Mapping[str, object]) -> AnyFanCard:
    options = {"name": data} if isinstance(data, str) else dict(data)
    name = options.pop("name", None)
    if not isinstance(name, str) or name not in _FAN_CARDS:
        raise RulesError("classic.no_fan", name=shown(name), known=", ".join(fan_cards()))
    kind = _FAN_CARDS[name]
    known = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    for option in options:
        if option not in known:
            raise RulesError("classic.no_fan_option", name=name, option=shown(option), known=", ".join(known) or "none")
    return kind(**options)
