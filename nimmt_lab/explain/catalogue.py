"""Every sentence a person reads, in three languages: one kind of catalogue for all rooms.

A room keeps its words in its `locale/` folder, one TOML file per language, and so does the folder of every chapter (a
game or a fan card) for what it says of itself. A message is a text with {places} for what it speaks of; its key is its
section and name (`trap.diverted`), or its name alone at the top of the file. A counted word (section `counted`) has the
plural forms of its language. Code names a message by its key and never puts sentences together from words, so that each
language can use its own order.

>>> say = words("pl")
>>> say.count("heads", 5), words("cs").count("heads", 2), words("en").count("heads", 1)
('5 byków', '2 krávy', '1 head')
>>> say("table.chess", who="Ala")
Traceback (most recent call last):
nimmt_lab.engine.errors.MissingWords: no message 'table.chess' in pl
>>> words("de")
Traceback (most recent call last):
nimmt_lab.engine.errors.RulesError: no language 'de'; there are: en, pl, cs
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import DataError, MissingWords, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.registry import chapters

__all__ = [
    "LANGUAGES",
    "PLURAL_FORMS",
    "TUTOR",
    "Catalogue",
    "Words",
    "catalogue",
    "number",
    "own_catalogue",
    "plural_form",
    "words",
]


#: The plural forms of each language, in the order its translators know them by.
PLURAL_FORMS: Final = {"en": ("one", "other"), "pl": ("one", "few", "many"), "cs": ("one", "few", "other")}
LANGUAGES: Final = tuple(PLURAL_FORMS)
#: What every room may say: the tutor's own words.
TUTOR: Final = "nimmt_lab.explain"


def plural_form(lang: str, number: int) -> str:
    """Which plural form a number takes.

    >>> [plural_form("pl", n) for n in (1, 2, 5, 12, 22, 25)]
    ['one', 'few', 'many', 'many', 'few', 'many']
    >>> [plural_form("cs", n) for n in (1, 2, 5, 22)]
    ['one', 'few', 'other', 'other']
    """
    number = abs(number)
    if number == 1:
        return "one"
    if lang == "pl":
        return "few" if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else "many"
    if lang == "cs" and number in (2, 3, 4):
        return "few"
    return "other"


def number(value: float, form: str, lang: str) -> str:
    """A number as the language writes it: a decimal comma in Polish and Czech, blanks between thousands, and in Czech
    one before the sign of per cent.

    >>> number(1234.5, ",.2f", "en"), number(1234.5, ",.2f", "pl"), number(0.25, ".1%", "cs")
    ('1,234.50', '1\xa0234,50', '25,0\xa0%')
    """
    text = format(value, form)
    if lang == "en":
        return text
    text = re.sub(r"(?<=\d)\.(?=\d)", "\0", text).replace(",", "\N{NO-BREAK SPACE}").replace("\0", ",")
    return text.replace("%", "\N{NO-BREAK SPACE}%") if lang == "cs" else text


@dataclass(frozen=True)
class Catalogue:
    """Messages and counted words of one language: those of one file, or of several put together."""

    lang: str
    messages: Mapping[str, str]
    counted: Mapping[str, Mapping[str, str]]

    def message(self, key: str) -> str:
        """The text of that key."""
        if key not in self.messages:
            raise MissingWords("explain.no_message", key=repr(key), lang=self.lang)
        return self.messages[key]

    def forms(self, key: str) -> Mapping[str, str]:
        """The plural forms of a counted word."""
        if key not in self.counted:
            raise MissingWords("explain.no_counted_word", key=repr(key), lang=self.lang)
        return self.counted[key]


@cache
def own_catalogue(package: str, lang: str) -> Catalogue:
    """The file of one room or chapter alone; empty where it has none (a game of rules alone brings no words)."""
    if lang not in PLURAL_FORMS:
        raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
    messages: dict[str, str] = {}
    counted: dict[str, Mapping[str, str]] = {}
    if not package:
        return Catalogue(lang, messages, counted)
    try:
        path = files(package) / "locale" / f"{lang}.toml"
    except ModuleNotFoundError:
        return Catalogue(lang, messages, counted)
    if not path.is_file():
        return Catalogue(lang, messages, counted)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError.of(error, source=str(path)) from error
    for section, texts in data.items():
        if section == "counted":
            counted.update(texts)
        elif section == "errors":
            continue  # by chapter, for nimmt_lab.engine.sentences
        elif isinstance(texts, str):
            messages[section] = texts
        else:
            messages.update({f"{section}.{key}": text for key, text in texts.items()})
    wrong = [key for key, text in messages.items() if not isinstance(text, str)]
    wrong += [key for key, forms in counted.items() if not isinstance(forms, Mapping)]
    if wrong:
        raise DataError("explain.expected_text_counted", wrong=repr(wrong[0]), source=str(path))
    return Catalogue(lang, messages, counted)


def catalogue(lang: str, room: str = TUTOR) -> Catalogue:
    """What a room may say: its own words, the tutor's, and those of every chapter there is by now.

    >>> "rule.classic.3" in catalogue("cs").messages
    True
    """
    return _together(lang, tuple(dict.fromkeys((room, TUTOR, *chapters()))))


@cache
def _together(lang: str, packages: tuple[str, ...]) -> Catalogue:
    messages: dict[str, str] = {}
    counted: dict[str, Mapping[str, str]] = {}
    for package in packages:
        own = own_catalogue(package, lang)
        for key in (messages.keys() & own.messages.keys()) | (counted.keys() & own.counted.keys()):
            # Nothing stands twice: of two texts one would never be read.
            raise DataError("explain.said_another_room", key=repr(key), source=f"{package}, {lang}")
        messages |= own.messages
        counted |= own.counted
    return Catalogue(lang, messages, counted)


@dataclass(frozen=True)
class Words:
    """One language, and what the players are called (letters where nothing else is said)."""

    catalogue: Catalogue
    names: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def lang(self) -> str:
        """Which language it is."""
        return self.catalogue.lang

    def __call__(self, key: str, /, **parts: object) -> str:
        """The message of that key with its places filled."""
        text = self.catalogue.message(key)
        try:
            return text.format_map(parts)
        except KeyError as place:
            raise MissingWords("explain.message_nothing_fills", key=repr(key), lang=self.lang, place=place) from None

    def has(self, key: str) -> bool:
        """Whether there is such a message."""
        return key in self.catalogue.messages

    def count(self, key: str, number: int) -> str:
        """A number with its word: 1 byk, 2 byki, 5 byków."""
        form = plural_form(self.lang, number)
        forms = self.catalogue.forms(key)
        if form not in forms:
            raise MissingWords("explain.counted_word_has", key=repr(key), form=repr(form), lang=self.lang)
        return forms[form].format(n=number)

    def who(self, seat: Seat) -> str:
        """A player. Names are only ever used in the form they are given: as subjects, or behind a colon."""
        return self.names.get(seat) or (self("who.team") if seat < 0 else seat_letter(seat))

    def list(self, items: Iterable[object]) -> str:
        """Things one after the other: 43, 44, 45."""
        return ", ".join(map(str, items))


def words(lang: str = "en", names: Mapping[Seat, str] | None = None, *, room: str = TUTOR) -> Words:
    """The words of a room in a language. `names` maps seats to what the players are called."""
    return Words(catalogue(lang, room), dict(names or {}))
