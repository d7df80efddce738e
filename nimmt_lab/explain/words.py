"""Every sentence a person reads, in three languages.

The sentences are in `locale/`, one TOML file per language, each read when it is first needed. A message is a text
with {places} for what it speaks of; a counted word has the plural forms of its language. Code names a message by its
key and never puts sentences together from words, so that each language can use its own order.

>>> words("pl").count("heads", 5), words("cs").count("heads", 2), words("en").count("heads", 1)
('5 byków', '2 krávy', '1 head')
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import RulesError

#: The plural forms of each language, in the order its translators know them by.
PLURAL_FORMS: Final = {"en": ("one", "other"), "pl": ("one", "few", "many"), "cs": ("one", "few", "other")}
LANGUAGES: Final = tuple(PLURAL_FORMS)


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


@dataclass(frozen=True)
class Catalogue:
    """The messages and counted words of one language, as its file has them."""

    lang: str
    messages: Mapping[str, str]
    counted: Mapping[str, Mapping[str, str]]


@cache
def catalogue(lang: str) -> Catalogue:
    """Read a language's file."""
    if lang not in PLURAL_FORMS:
        raise RulesError(f"no language {lang!r}; there are: {', '.join(LANGUAGES)}")
    data = tomllib.loads((files(__package__) / "locale" / f"{lang}.toml").read_text(encoding="utf-8"))
    counted = data.pop("counted")
    messages = {f"{section}.{key}": text for section, texts in data.items() for key, text in texts.items()}
    return Catalogue(lang, messages, counted)


@dataclass(frozen=True)
class Words:
    """One language, and what the players are called (letters where nothing else is said)."""

    catalogue: Catalogue
    names: Mapping[Seat, str] = field(default_factory=dict)

    def __call__(self, key: str, /, **parts: object) -> str:
        """The message of that key with its places filled."""
        return self.catalogue.messages[key].format_map(parts)

    def count(self, key: str, number: int) -> str:
        """A number with its word: 1 byk, 2 byki, 5 byków."""
        forms = self.catalogue.counted[key]
        return forms[plural_form(self.catalogue.lang, number)].format(n=number)

    def who(self, seat: Seat) -> str:
        """A player. Names are only ever used in the form they are given: as subjects, or behind a colon."""
        return self.names.get(seat) or (self("who.team") if seat < 0 else seat_letter(seat))

    def list(self, items: Iterable[object]) -> str:
        """Things one after the other: 43, 44, 45."""
        return ", ".join(map(str, items))


def words(lang: str = "en", names: Mapping[Seat, str] | None = None) -> Words:
    """The words of a language. `names` maps seats to what the players are called."""
    return Words(catalogue(lang), dict(names or {}))
