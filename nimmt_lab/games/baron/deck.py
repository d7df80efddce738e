"""Bull Baron's deck as data: which bulls each card shows (rules: baron, R-O2).

The printed bulls are not in the rulebook's text, so the deck that comes with the package is a stand-in and says
so. Who owns the game can write an empty list (`write_template`), fill it in and load it (`BaronDeck.load`).

>>> STAND_IN.letters(52), STAND_IN.bulls_in((52, 104))
('bygrkw', 12)
>>> STAND_IN
<stand-in deck (not the printed bulls)>
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

#: The six colours by their letter, in the order of the CSV's columns.
COLOURS: Final = {"b": "blue", "y": "yellow", "g": "green", "r": "red", "k": "black", "w": "white"}
LETTERS: Final = "".join(COLOURS)
CARDS: Final = 110
#: The Bull Barons: one bull of each colour, so they match every card.
BARONS: Final = (52, 104)
HEADER: Final = ("value", *COLOURS.values())
#: Printed cards have seven; a file may say up to 99 of each colour.
MOST_BULLS: Final = 99 * len(COLOURS)


@dataclass(frozen=True, repr=False)
class BaronDeck(OptionData, Sequence[Card]):
    """The cards 1 to 110 with their bulls: one letter a bull, card 1 first.

    >>> deck = BaronDeck.of({"7": "rrb"}, title="an example")
    >>> deck.letters(7), deck.letters(8), deck.share(7, 52)
    ('brr', 'b', True)
    """

    title: str
    bulls: tuple[str, ...]
    #: Whether the bulls are ours instead of the printed ones.
    stand_in: bool = False

    #: By card (0 is no card): bulls of each colour, their sum, and the colours as bits.
    _counts: tuple[tuple[int, ...], ...] = field(init=False, compare=False)
    _total: tuple[int, ...] = field(init=False, compare=False)
    _colours: tuple[int, ...] = field(init=False, compare=False)

    what: ClassVar[str] = "deck"

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

    def __repr__(self) -> str:
        return f"<{self.title}>"

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
        """One letter a bull, in the order of `COLOURS`."""
        return self.bulls[card - 1]

    def colours(self, card: Card) -> int:
        """The colours of a card's bulls, one bit each."""
        return self._colours[card]

    def share(self, one: Card, other: Card) -> bool:
        """Whether two cards have a colour in common."""
        return bool(self._colours[one] & self._colours[other])

    def bulls_in(self, cards: Iterable[Card]) -> int:
        """The bulls on some cards."""
        total = self._total
        return sum([total[card] for card in cards])

    def bulls_of(self, card: Card, colour: str) -> int:
        """A card's bulls of one colour (its letter)."""
        return self._counts[card][LETTERS.index(colour)]

    def reaches_six(self, row: Cards, card: Card) -> bool:
        """Rule 2: whether `card` brings one of its colours in `row` to six bulls or more; of a colour that it has not,
        any number may lie there (R-O6)."""
        counts = self._counts
        own = counts[card]
        return any(
            more and more + sum([counts[other][colour] for other in row]) >= 6 for colour, more in enumerate(own)
        )

    # Making, reading and writing -------------------------------------------------------------------------

    @classmethod
    def of(cls, cards: Mapping[str, str], *, title: str, stand_in: bool = False, other: str = "b") -> BaronDeck:
        """A deck from the letters of some cards; the Barons are as printed unless given, the rest is `other`."""
        for key in cards:
            if key not in _NAMES:
                raise RulesError("baron.deck_no_card", key=shown(key), most=CARDS)
        barons = {str(card): LETTERS for card in BARONS}
        return cls(title, tuple(cards.get(name, barons.get(name, other)) for name in _NAMES), stand_in)

    def to_json(self) -> dict[str, Json]:
        """The deck as plain data, for records."""
        return {"title": self.title, "stand_in": self.stand_in, "bulls": list(self.bulls)}

    @classmethod
    def made(cls, source: object) -> BaronDeck:
        """A deck, the path of its CSV file, or its plain data, as a deck."""
        if isinstance(source, cls):
            return source
        if isinstance(source, (str, os.PathLike)):
            return cls.load(source)
        if isinstance(source, Mapping):
            title, bulls, stand_in = (source.get(key) for key in ("title", "bulls", "stand_in"))
            texts = isinstance(bulls, Sequence) and all(isinstance(letters, str) for letters in bulls)
            if isinstance(title, str) and texts and isinstance(stand_in, bool) and len(source) == 3:
                assert isinstance(bulls, Sequence)
                return cls(title, tuple(bulls), stand_in)
        raise RulesError("baron.deck_barondeck_path")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> BaronDeck:
        """Read a CSV file: a header, then a line for each card with its bulls per colour. Errors name the line."""
        text = read_text(path, largest=LARGEST_MATERIAL, error=DataError, what="a CSV file")
        return cls.parse(text, name_of(path))

    @classmethod
    def shipped(cls) -> Mapping[str, BaronDeck]:
        return {"baron_stand_in": STAND_IN}

    @classmethod
    def parse(cls, text: str, source: str = "deck") -> BaronDeck:
        """The deck that the text of a CSV file describes."""
        return _Reader(text, source).deck()

    def to_csv(self) -> str:
        """The deck as its CSV file."""
        lines = [f"# title: {self.title}", *(["# stand-in"] if self.stand_in else []), ",".join(HEADER)]
        lines += [",".join(map(str, (card, *self._counts[card]))) for card in self]
        return "\n".join(lines) + "\n"


_NAMES: Final = tuple(map(str, range(1, CARDS + 1)))


class _Reader:
    """Reads a CSV file, keeping line numbers for messages."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.title = clean_title(Path(source).stem, "deck")
        self.stand_in = False
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
        elif text.lower() == "stand-in":
            self.stand_in = True

    def fail(self, key: str, line: int, /, **fields: object) -> NoReturn:
        raise DataError.of(Phrase(key, **fields), line=line, source=self.source)

    def cells(self, at: int, delimiter: str) -> list[str]:
        number, line = self.lines[at]
        try:
            row = next(csv.reader([line], delimiter=delimiter, strict=True))
        except (csv.Error, StopIteration) as error:
            self.fail("baron.not_csv", number, error=error)
        return [cell.strip() for cell in row]

    def deck(self) -> BaronDeck:
        if not self.lines:
            self.fail("baron.file_empty_expected", 1, header=",".join(HEADER))
        # Spreadsheets write semicolons where the comma is the decimal mark.
        delimiter = max(",;\t", key=self.lines[0][1].count)
        columns = self.columns(delimiter)
        found: dict[Card, tuple[str, int]] = {}
        for at in range(1, len(self.lines)):
            number = self.lines[at][0]
            cells = self.cells(at, delimiter)
            if len(cells) != len(HEADER):
                self.fail("baron.expected_columns_got", number, count=len(HEADER), got=len(cells))
            card = self.number(cells[columns["value"]], "a value", number)
            if not 1 <= card <= CARDS:
                self.fail("baron.there_no_card", number, card=card, most=CARDS)
            if card in found:
                self.fail("baron.card_there_twice", number, card=card, found=found[card][1])
            bulls = "".join(
                letter * self.number(cells[columns[name]], f"the {name} bulls of card {card}", number)
                for letter, name in COLOURS.items()
            )
            if not bulls:
                self.fail("baron.card_has_no", number, card=card)
            if card in BARONS and bulls != LETTERS:
                self.fail("baron.card_bull_baron", number, card=card)
            found[card] = bulls, number
        missing = [card for card in range(1, CARDS + 1) if card not in found]
        if missing:
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            self.fail("baron.card_missing_expected", self.last, missing=missing[0], more=more, most=CARDS)
        return BaronDeck(self.title, tuple(found[card][0] for card in range(1, CARDS + 1)), self.stand_in)

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

    def number(self, cell: str, what: str, line: int) -> int:
        if not cell and what != "a value":
            return 0
        if not (cell.isascii() and cell.isdigit() and len(cell) <= (3 if what == "a value" else 2)):
            self.fail("baron.expected_whole_number", line, what=what, got=shown(cell))
        return int(cell)


def write_template(path: str | os.PathLike[str]) -> None:
    """Write an empty list of cards to fill in from the printed ones. A cell left empty is no bull of that colour."""
    lines = ["# title: my Bull Baron deck", ",".join(HEADER)]
    lines += [f"{card},1,1,1,1,1,1" if card in BARONS else f"{card},,,,,," for card in range(1, CARDS + 1)]
    write_file(path, "\n".join(lines) + "\n")


#: The deck that comes with the package. It is not the printed one.
STAND_IN: Final = BaronDeck.parse(
    resources.files(__package__).joinpath("data/baron_stand_in.csv").read_text(encoding="utf-8"), "baron_stand_in.csv"
)
