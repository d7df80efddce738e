"""Effects of fan special cards on the classic game (rules: fan-cards).

A fan card is a small frozen value that defines only what differs: rows it closes or reverses, places it fills, more
ways to play a card, and its move after a placement. Its *marker*, in the state's extra, is its place on the table. The
hooks are pure, so that the engine and the hints share them.

A new kind is a folder whose `rules.py` has subclasses of `FanCard` and `Marker`, registered with the games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from nimmt_lab.engine.capability import Capability
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
    "PACKED", "AnyFanCard", "FanCard", "FanCardLaid", "FanCards", "Marker", "Markers", "Move", "RowEnds", "Take",
    "fan_cards", "in_order", "lowest_end", "register_fan_card",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Marker:
    """Base of the markers. A field named `row` is 0-based."""

    def to_json(self) -> dict[str, object]:
        """The marker as JSON, with rows from 1."""
        data = {f.name: getattr(self, f.name) for f in fields(self)}
        return data | {"row": data["row"] + 1} if "row" in data else data


M = TypeVar("M", bound=Marker)


class RowEnds(Protocol):
    """The part of a table that decides a marker's move: the engine's rows, or a sketch in a proof."""

    @property
    def ends(self) -> Sequence[int]: ...

    @property
    def counts(self) -> Sequence[int]: ...

    @property
    def limit(self) -> int: ...

    def highest(self, row: int) -> int: ...


class TableEnds:
    __slots__ = ("_rows", "limit")

    def __init__(self, rows: Sequence[Cards], limit: int) -> None:
        self._rows = rows
        self.limit = limit

    @property
    def ends(self) -> Sequence[int]:
        return [cards[-1] for cards in self._rows]

    @property
    def counts(self) -> Sequence[int]:
        return list(map(len, self._rows))

    def highest(self, row: int) -> int:
        return max(self._rows[row])


class Take(NamedTuple):
    """A take caused by a marker's move: the player of the placed card takes all of `row` but the card `keeps`."""

    row: int
    keeps: int
    rule: Rule


class Move(NamedTuple, Generic[M]):
    """A marker's move: the marker at its new place, and the take that follows."""

    marker: M
    take: Take | None = None


@dataclass(frozen=True, slots=True)
class Markers(Extra):
    """The markers of the fan cards in play, in the order of the game's fan cards."""

    all: tuple[Marker, ...] = ()

    def __getitem__(self, kind: type[M]) -> M:
        marker = self.find(kind)
        if marker is None:
            raise KeyError(kind.__name__)
        return marker

    def find(self, kind: type[M]) -> M | None:
        return next((marker for marker in self.all if isinstance(marker, kind)), None)

    def moved(self, marker: Marker) -> Markers:
        """Replace the marker of that kind."""
        return Markers(tuple(marker if type(old) is type(marker) else old for old in self.all))


@value
class FanCardLaid(Event):
    """A fan card was set up at the start of a round; `name` is its kind."""

    name: str
    marker: Marker


class FanCard(Generic[M]):
    """Base of the fan cards, without effects. Subclasses are frozen dataclasses (of their options), generic in their
    marker: `class EvenOdd(FanCard[EvenOddMarker])`.

    `row` is always 0-based; `value` is what a card counts as while it is placed (R-F6).
    """

    #: The name in options, records and vectors.
    name: ClassVar[str]
    marker: ClassVar[type[Marker]]
    setup_rule: ClassVar[Rule]
    #: Whether rows stay in ascending order.
    keeps_rows_ascending: ClassVar[bool] = True
    #: The smallest table: rows, and cards in a row.
    least_rows: ClassVar[int] = 1
    least_limit: ClassVar[int] = 1

    def __post_init__(self) -> None:
        """Check the types of options. Subclasses call this first."""
        check_options(self, self.name)

    def setup(self, table: LiveTable, last_round: M | None, edition: str) -> M:
        """The marker at the start of a round; the rows have their first cards. `last_round` comes from `left_over`."""
        raise TypeError(f"{type(self).__name__} has no setup")

    def left_over(self, marker: M, edition: str) -> M | None:
        """The marker to remember for the next round."""
        return None

    def descends(self, marker: M, row: int) -> bool:
        """Whether cards join that row in descending order."""
        return False

    def closes(self, marker: M, row: int, value: int) -> bool:
        """Whether that row rejects a card of that value."""
        return False

    def occupies(self, marker: M, row: int) -> int:
        """Number of places of the row that the card fills."""
        return 0

    def ways(self, hand: Cards) -> Sequence[CardOption]:
        """More ways to play these cards, for any player."""
        return ()

    def plays(self, marker: M, seat: Seat, hand: Cards) -> Sequence[CardOption]:
        """More ways open to that seat now."""
        return self.ways(hand)

    def revealed(self, table: LiveTable, marker: M, plays: Iterable[Play]) -> None:
        """Act after the reveal."""

    def landed(self, table: LiveTable, play: Play, row: int) -> None:
        """Act once the played card is in its row, before any marker moves."""

    def moves(self, marker: M, table: RowEnds, row: int, *, took: bool) -> Move[M] | None:
        """The marker's move after a card joined `row` or, if `took`, the row was taken and restarted; None if it stays.
        It must depend only on these arguments: hints follow thousands of moves."""
        return None

    def moved(self, old: M, new: M, table: RowEnds, row: int, *, took: bool) -> Event:
        raise TypeError(f"{type(self).__name__} has no event for its move")

    def note(self, marker: M, row: int, lang: str = "en") -> str:
        """A symbol and a word beside that row, or nothing."""
        return ""

    def table_note(self, marker: M, lang: str = "en") -> str:
        """A line about the table as a whole, or nothing."""
        return ""

    def to_json(self) -> Json:
        """Plain data: the name and the options that differ from their defaults.

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
        raise TypeError(f"{type(self).__name__} cannot be read")

    def read_words(self, text: str, *names: str) -> list[str]:
        words = text.lower().split()
        if len(words) != len(names):
            raise NotationError("classic.expected_words", name=self.name, words=" and ".join(names), got=shown(text))
        return words

    def read_row(self, word: str, table: LiveTable) -> int:
        """Parse a row, counted from 1."""
        rows = len(table.rows)
        if not (word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= rows):
            raise NotationError("shared.expected_row_from", section=self.name, most=rows, got=shown(word))
        return int(word) - 1

    def read_side(self, word: str, first: str, second: str) -> str:
        if word not in (first, second):
            raise NotationError("classic.expected_got", name=self.name, first=first, second=second, got=shown(word))
        return word


#: A fan card of any kind, with markers of its own type.
AnyFanCard: TypeAlias = FanCard[Any]


class FanCards:
    """Rules 1 to 3 with fan cards. `markers` are in the order of the cards."""

    __slots__ = ("cards", "closing", "filling", "turning")

    def __init__(self, cards: Sequence[AnyFanCard]) -> None:
        self.cards = cards
        # Only call cards that define a hook: hints place millions of cards.
        self.closing = self._defining("closes")
        self.turning = self._defining("descends")
        self.filling = self._defining("occupies")

    def _defining(self, hook: str) -> tuple[tuple[int, AnyFanCard], ...]:
        base = getattr(FanCard, hook)
        return tuple((at, card) for at, card in enumerate(self.cards) if getattr(type(card), hook) is not base)

    def descends(self, markers: Sequence[Marker], row: int) -> bool:
        return any(card.descends(markers[at], row) for at, card in self.turning)

    def closes(self, markers: Sequence[Marker], row: int, value: int) -> bool:
        return any(card.closes(markers[at], row, value) for at, card in self.closing)

    def occupied(self, markers: Sequence[Marker], row: int) -> int:
        return sum([card.occupies(markers[at], row) for at, card in self.filling])

    def distance(self, markers: Sequence[Marker], row: int, end: int, value: int) -> int:
        """Distance of a value beyond a row's end in the row's direction. Rule 1 requires it to be positive."""
        return end - value if self.turning and self.descends(markers, row) else value - end

    def row_for(self, markers: Sequence[Marker], ends: Sequence[int], value: int) -> int | None:
        """Rules 1 and 2: the open row with the smallest difference (R-F1); None if the card fits nowhere."""
        closest, smallest = None, 0
        for row, end in enumerate(ends):
            distance = self.distance(markers, row, end, value)
            if distance <= 0 or (self.closing and self.closes(markers, row, value)):
                continue
            # The Mountain's row wins a tie; ascending rows can't tie.
            tie = distance == smallest and self.descends(markers, row)
            if closest is None or distance < smallest or tie:
                closest, smallest = row, distance
        return closest


#: A fan card and its marker as two numbers for the solver (`solve_marked.c`). A derived card may have other rules.
PACKED: Capability[Callable[[Any, Any], tuple[int, int]]] = Capability("packed marker", face="kernel", inherited=False)


def lowest_end(ends: Sequence[int], without: int | None = None) -> int:
    """The row with the lowest last card, optionally excluding one."""
    return min((end, row) for row, end in enumerate(ends) if row != without)[1]


_FAN_CARDS: dict[str, type[AnyFanCard]] = {}


def register_fan_card(card: type[AnyFanCard]) -> None:
    """Add a fan card to the known ones. Cards move in the order in which they were added (R-F0)."""
    _FAN_CARDS[card.name] = card
    register_chapter(card)


def fan_cards() -> dict[str, type[AnyFanCard]]:
    """Every fan card by name, in the order of R-F0."""
    return dict(_FAN_CARDS)


def in_order(cards: Iterable[AnyFanCard | str | Mapping[str, object]]) -> tuple[AnyFanCard, ...]:
    """Fan cards (or their names, or their plain data) in the order of R-F0."""
    ordered: list[AnyFanCard] = []
    for card in cards:
        if isinstance(card, (str, Mapping)):
            card = _from_json(card)
        if not isinstance(card, FanCard):
            raise RulesError("classic.expected_fan_card", got=shown(card))
        if any(card.name == other.name for other in ordered):
            raise RulesError("classic.fan_twice", card=card.name)
        ordered.append(card)
    places = {name: place for place, name in enumerate(_FAN_CARDS)}
    # A card that isn't registered comes after all others.
    return tuple(sorted(ordered, key=lambda card: (places.get(card.name, len(places)), card.name)))


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
