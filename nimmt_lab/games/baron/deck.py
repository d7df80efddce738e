"""The deck of Bull Baron as data: the bulls on each card (rules: baron, R-O2).

The rulebook does not list the printed bulls, so the package comes with a sample deck that is labelled as one. Owners of
the game can write an empty list (`write_template`), fill it in and load it (`BaronDeck.load`).

>>> SAMPLE_DECK.letters(52), SAMPLE_DECK.bulls_in((52, 104))
('bygrkw', 12)
>>> SAMPLE_DECK
<sample deck (not the printed bulls)>
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import ClassVar, Final, NoReturn, overload

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import name_of, read_text, shown, write_file
from nimmt_lab.engine.options import LARGEST_MATERIAL, OptionData, check_title, clean_title
from nimmt_lab.engine.sentences import Phrase

#: The six colours by letter, in the order of the CSV columns.
COLOURS: Final = {"b": "blue", "y": "yellow", "g": "green", "r": "red", "k": "black", "w": "white"}
LETTERS: Final = "".join(COLOURS)
CARDS: Final = 110
#: The Bull Barons: one bull of each colour, so they match every card.
BARONS: Final = (52, 104)
HEADER: Final = ("value", *COLOURS.values())
#: Printed cards have up to seven bulls; a file may have 99 of each colour.
MOST_BULLS: Final = 99 * len(COLOURS)


@dataclass(frozen=True, repr=False)
class BaronDeck(OptionData, Sequence[Card]):
    """The cards 1 to 110 with their bulls, one letter per bull.

    >>> deck = BaronDeck.of({"7": "rrb"}, title="an example")
    >>> deck.letters(7), deck.letters(8), deck.share(7, 52)
    ('brr', 'b', True)
    """

    title: str
    bulls: tuple[str, ...]
    is_sample: bool = False

    #: By card (index 0 is unused): bulls of each colour, their sum, and the colours as bits.
    _counts: tuple[tuple[int, ...], ...] = field(init=False, compare=False)
    _total: tuple[int, ...] = field(init=False, compare=False)
    _colours: tuple[int, ...] = field(init=False, compare=False)

    what: ClassVar[Phrase] = Phrase("baron.of_deck")

    def __post_init__(self) -> None:
        check_title(self.title, self.what)
        if len(self.bulls) != CARDS:
            raise RulesError("baron.deck_cards", cards=CARDS, got=len(self.bulls))
        for card, letters in enumerate(self.bulls, start=1):
            if not isinstance(letters, str) or not letters or not set(letters) <= set(LETTERS):
                raise RulesError("baron.deck_letters", card=card, letters=repr(LETTERS), got=shown(letters))
            if len(letters) > MOST_BULLS:
                raise RulesError("baron.deck_bulls", card=card, count=len(letters), most_bulls=MOST_BULLS)
        bulls = tuple("".join(sorted(letters, key=LETTERS.index)) for letters in self.bulls)
        counts = ((0,) * 6, *(tuple(letters.count(colour) for colour in LETTERS) for letters in bulls))
        object.__setattr__(self, "bulls", bulls)
        object.__setattr__(self, "_counts", counts)
        object.__setattr__(self, "_total", tuple(map(sum, counts)))
        object.__setattr__(
            self, "_colours", tuple(sum(1 << bit for bit, n in enumerate(count) if n) for count in counts)
        )

    # The cards -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return CARDS

    @overload
    def __getitem__(self, at: int) -> Card: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Card]: ...
    def __getitem__(self, at: int | slice) -> Card | Sequence[Card]:
        return range(1, CARDS + 1)[at]

    def __contains__(self, card: object) -> bool:
        return card in range(1, CARDS + 1)

    def letters(self, card: Card) -> str:
        """One letter per bull, in the order of `COLOURS`."""
        return self.bulls[card - 1]

    def colours(self, card: Card) -> int:
        """The colours of a card's bulls, one bit each."""
        return self._colours[card]

    def share(self, first: Card, second: Card) -> bool:
        return bool(self._colours[first] & self._colours[second])

    def bulls_in(self, cards: Iterable[Card]) -> int:
        total = self._total
        return sum([total[card] for card in cards])

    def bulls_of(self, card: Card, colour: str) -> int:
        return self._counts[card][LETTERS.index(colour)]

    def reaches_six(self, row: Cards, card: Card) -> bool:
        """Rule 2: whether `card` brings one of its own colours in `row` to six bulls or more (R-O6)."""
        counts = self._counts
        own = counts[card]
        return any(
            more and more + sum([counts[other][colour] for other in row]) >= 6 for colour, more in enumerate(own)
        )

    # Making, reading and writing -------------------------------------------------------------------------

    @classmethod
    def of(cls, cards: Mapping[str, str], *, title: str, is_sample: bool = False, other: str = "b") -> BaronDeck:
        """Make a deck from the letters of some cards; the Barons default to the printed ones, the rest to `other`."""
        for key in cards:
            if key not in _NAMES:
                raise RulesError("baron.deck_no_card", key=shown(key), most=CARDS)
        barons = {str(card): LETTERS for card in BARONS}
        return cls(title, tuple(cards.get(name, barons.get(name, other)) for name in _NAMES), is_sample)

    @property
    def our_title(self) -> Phrase:
        return Phrase("baron.sample_deck")

    def to_json(self) -> dict[str, Json]:
        return {"title": self.title, "stand_in": self.is_sample, "bulls": list(self.bulls)}

    @classmethod
    def made(cls, source: object) -> BaronDeck:
        """Accept a deck, the path of its CSV file, or its plain data."""
        if isinstance(source, cls):
            return source
        if isinstance(source, (str, os.PathLike)):
            return cls.load(source)
        if isinstance(source, Mapping):
            title, bulls, is_sample = (source.get(key) for key in ("title", "bulls", "stand_in"))
            texts = isinstance(bulls, Sequence) and all(isinstance(letters, str) for letters in bulls)
            if isinstance(title, str) and texts and isinstance(is_sample, bool) and len(source) == 3:
                assert isinstance(bulls, Sequence)
                return cls(title, tuple(bulls), is_sample)
        raise RulesError("baron.deck_barondeck_path")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> BaronDeck:
        """Read a CSV file with a header and a line of bulls per card. Errors name the line."""
        text = read_text(path, largest=LARGEST_MATERIAL, error=DataError, what="CSV")
        return cls.parse(text, name_of(path))

    @classmethod
    def shipped(cls) -> Mapping[str, BaronDeck]:
        return {"baron_stand_in": SAMPLE_DECK}  # the name in records

    @classmethod
    def parse(cls, text: str, source: str = "deck") -> BaronDeck:
        """Read the text of a CSV file."""
        return _Reader(text, source).deck()

    def to_csv(self) -> str:
        remarks = ["# sample"] if self.is_sample else []
        return csv_text(self.title, ([str(number) for number in self._counts[card]] for card in self), remarks)


def csv_text(title: str, cells: Iterable[Sequence[str]], remarks: Sequence[str] = ()) -> str:
    """The text of a deck's file: a line of `cells` per card, from card 1 on."""
    lines = [f"# title: {title}", *remarks, ",".join(HEADER)]
    lines += [",".join((str(card), *numbers)) for card, numbers in enumerate(cells, start=1)]
    return "\n".join(lines) + "\n"


_NAMES: Final = tuple(map(str, range(1, CARDS + 1)))


class _Reader:
    """Reads a CSV file; errors name the line."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.title = clean_title(Path(source).stem, "deck")
        self.is_sample = False
        self.lines: list[tuple[int, str]] = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.startswith("#"):
                self.remark(line[1:].strip())
            elif line.strip(" \t,;"):
                self.lines.append((number, line))
        self.last = self.lines[-1][0] if self.lines else 1

    def remark(self, text: str) -> None:
        key, colon, rest = text.partition(":")
        if colon and key.strip().lower() == "title" and rest.strip():
            self.title = clean_title(rest, "deck")
        elif text.lower() in ("sample", "stand-in"):  # the second in files of earlier versions
            self.is_sample = True

    def fail(self, key: str, line: int, /, **fields: object) -> NoReturn:
        raise DataError.of(Phrase(key, **fields), line=line, source=self.source)

    def cells(self, at: int, delimiter: str) -> list[str]:
        number, line = self.lines[at]
        try:
            row = next(csv.reader([line], delimiter=delimiter, strict=True))
        except (csv.Error, StopIteration):
            self.fail("baron.not_csv", number)
        return [cell.strip() for cell in row]

    def deck(self) -> BaronDeck:
        if not self.lines:
            self.fail("baron.file_empty_expected", 1, header=",".join(HEADER))
        # Spreadsheets use semicolons where the comma is the decimal mark.
        delimiter = max(",;\t", key=self.lines[0][1].count)
        columns = self.columns(delimiter)
        cards: dict[Card, tuple[str, int]] = {}
        for at in range(1, len(self.lines)):
            number = self.lines[at][0]
            cells = self.cells(at, delimiter)
            if len(cells) != len(HEADER):
                self.fail("baron.expected_columns_got", number, count=len(HEADER), got=len(cells))
            value = cells[columns["value"]]
            if not _is_number(value, 3):
                self.fail("baron.value_expected", number, got=shown(value))
            card = int(value)
            if not 1 <= card <= CARDS:
                self.fail("baron.there_no_card", number, card=card, most=CARDS)
            if card in cards:
                self.fail("baron.card_there_twice", number, card=card, found=cards[card][1])
            bulls = "".join(
                letter * self.bulls(cells[columns[name]], name, card, number) for letter, name in COLOURS.items()
            )
            if not bulls:
                self.fail("baron.card_has_no", number, card=card)
            if card in BARONS and bulls != LETTERS:
                self.fail("baron.card_bull_baron", number, card=card)
            cards[card] = bulls, number
        missing = [card for card in range(1, CARDS + 1) if card not in cards]
        if missing:
            if len(missing) == 1:
                self.fail("baron.card_missing", self.last, missing=missing[0], most=CARDS)
            self.fail("baron.cards_missing", self.last, missing=missing[0], more=len(missing) - 1, most=CARDS)
        return BaronDeck(self.title, tuple(cards[card][0] for card in range(1, CARDS + 1)), self.is_sample)

    def columns(self, delimiter: str) -> dict[str, int]:
        number = self.lines[0][0]
        columns: dict[str, int] = {}
        for at, cell in enumerate(self.cells(0, delimiter)):
            name = cell.lower()
            if name not in HEADER:
                self.fail("baron.unknown_column_expected", number, cell=shown(cell), header=", ".join(HEADER))
            if name in columns:
                self.fail("baron.column_there_twice", number, name=shown(name))
            columns[name] = at
        for name in HEADER:
            if name not in columns:
                self.fail("baron.no_column_expected", number, name=shown(name), header=", ".join(HEADER))
        return columns

    def bulls(self, cell: str, column: str, card: Card, line: int) -> int:
        """The number in a cell; an empty one means no bulls."""
        if cell and not _is_number(cell, 2):
            self.fail("baron.bulls_expected", line, name=column, card=card, got=shown(cell))
        return int(cell or 0)


def _is_number(cell: str, most_digits: int) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) <= most_digits


def write_template(path: str | os.PathLike[str]) -> None:
    """Write an empty list of cards to fill in. An empty cell means no bull of that colour."""
    cells = (("1" if card in BARONS else "",) * len(COLOURS) for card in range(1, CARDS + 1))
    write_file(path, csv_text("my Bull Baron deck", cells))


#: The sample deck, which is not the printed one.
SAMPLE_DECK: Final = BaronDeck.parse(
    resources.files(__package__).joinpath("data/baron_stand_in.csv").read_text(encoding="utf-8"), "baron_stand_in.csv"
)
