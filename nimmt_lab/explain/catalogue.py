"""Message catalogues of all packages and chapters, in three languages.

Each package and chapter keeps its messages in its `locale/` folder, one TOML file per language. A message is a text
with {fields}; its key is section and name (`trap.diverted`), or just the name at the top of the file. Words in the
section `counted` have the plural forms of their language. Code never builds sentences from words, so that each language
can use its own order.

>>> say = words("pl")
>>> say.count("heads", 5), words("cs").count("heads", 2), words("en").count("heads", 1)
('5\xa0byków', '2\xa0krávy', '1 head')
>>> say("table.chess", who="Ala")
Traceback (most recent call last):
nimmt_lab.engine.errors.MissingWords: no message 'table.chess' in pl
>>> words("de")
Traceback (most recent call last):
nimmt_lab.engine.errors.RulesError: unknown language 'de'; choose from: en, pl, cs
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import DataError, MissingWords, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.inflect import PLURAL_FORMS, Forms, Listing, fill, for_browser, number, plural_form, typeset
from nimmt_lab.engine.registry import chapters
from nimmt_lab.engine.sentences import OWN

__all__ = [
    "LANGUAGES",
    "PLURAL_FORMS",
    "Catalogue",
    "Words",
    "catalogue",
    "number",
    "own_catalogue",
    "plural_form",
    "words",
]


LANGUAGES: Final = tuple(PLURAL_FORMS)
#: Messages available everywhere.
EXPLAIN: Final = "nimmt_lab.explain"
#: Its `[counted]` section is shared by all packages.
ENGINE: Final = "nimmt_lab.engine"


@dataclass(frozen=True)
class Catalogue:
    """Messages and counted words of one language, from one file or several."""

    lang: str
    messages: Mapping[str, str]
    counted: Forms

    def message(self, key: str) -> str:
        if key not in self.messages:
            raise MissingWords("explain.no_message", key=repr(key), lang=self.lang)
        return self.messages[key]

    def template(self, key: str) -> str:
        """A message with unfilled fields, for the browser."""
        return for_browser(self.message(key), self.lang, self.counted)


#: Packages with messages in files of their own, beside those in `locale/`: what reads those of a language.
ELSEWHERE: Final[dict[str, Callable[[str], Mapping[str, str]]]] = {}


@cache
def own_catalogue(package: str, lang: str) -> Catalogue:
    """The file of one package or chapter; empty if it has none."""
    if lang not in PLURAL_FORMS:
        raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
    messages: dict[str, str] = {}
    counted: dict[str, Sequence[str]] = {}
    path = None
    with suppress(ModuleNotFoundError):
        path = files(package) / "locale" / f"{lang}.toml" if package else None
    if path is None or not path.is_file():
        return Catalogue(lang, messages, counted)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError.of(error, source=str(path)) from error
    for section, texts in data.items():
        if section == "counted":
            counted.update(texts)
        elif section in OWN:
            continue  # by chapter, for nimmt_lab.engine.sentences
        elif isinstance(texts, str):
            messages[section] = texts
        else:
            messages.update({f"{section}.{key}": text for key, text in texts.items()})
    if package in ELSEWHERE:
        further = ELSEWHERE[package](lang)
        if twice := messages.keys() & further.keys():
            raise DataError("explain.said_another_room", key=repr(min(twice)), source=f"{package}, {lang}")
        messages.update(further)
    wrong = [key for key, text in messages.items() if not isinstance(text, str)]
    complete = [str] * len(PLURAL_FORMS[lang])
    wrong += [
        key for key, forms in counted.items() if not isinstance(forms, list) or list(map(type, forms)) != complete
    ]
    if wrong:
        raise DataError("explain.expected_text_counted", wrong=repr(wrong[0]), source=str(path))
    return Catalogue(lang, {key: typeset(text, lang) for key, text in messages.items()}, counted)


def catalogue(lang: str, package: str = EXPLAIN) -> Catalogue:
    """Messages of a package: its own, the tutor's, and those of all registered chapters.

    >>> "rule.classic.3" in catalogue("cs").messages
    True
    """
    return _together(lang, tuple(dict.fromkeys((package, EXPLAIN, *chapters()))))


@cache
def _together(lang: str, packages: tuple[str, ...]) -> Catalogue:
    messages: dict[str, str] = {}
    counted = dict(own_catalogue(ENGINE, lang).counted)
    for package in packages:
        own = own_catalogue(package, lang)
        for key in (messages.keys() & own.messages.keys()) | (counted.keys() & own.counted.keys()):
            # Of two texts with one key, one would never be read.
            raise DataError("explain.said_another_room", key=repr(key), source=f"{package}, {lang}")
        messages |= own.messages
        counted |= own.counted
    return Catalogue(lang, messages, counted)


@dataclass(frozen=True)
class Words:
    """Messages of one language, with player names (letters by default)."""

    catalogue: Catalogue
    names: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def lang(self) -> str:
        return self.catalogue.lang

    def __call__(self, key: str, /, **parts: object) -> str:
        """The message of that key with its fields filled."""
        text = self.catalogue.message(key)
        try:
            return fill(text, parts, self.lang, self.catalogue.counted)
        except KeyError as place:
            raise MissingWords("explain.message_nothing_fills", key=repr(key), lang=self.lang, place=place) from None

    def has(self, key: str) -> bool:
        return key in self.catalogue.messages

    def count(self, key: str, number: float | str) -> str:
        """A number with its word: 1 byk, 2 byki, 5 byków, 1,5 byka."""
        if key not in self.catalogue.counted:
            raise MissingWords("explain.no_counted_word", key=repr(key), lang=self.lang)
        return fill(f"{{n:{key}}}", {"n": number}, self.lang, self.catalogue.counted)

    def many(self, key: str) -> str:
        """A counted word as it follows "number of": heads, byków, krav."""
        forms = dict(zip(PLURAL_FORMS[self.lang], self.catalogue.counted[key], strict=True))
        return forms[plural_form(self.lang, 5)]

    def who(self, seat: Seat) -> str:
        """A player. Names are never inflected: use them as subjects or after a colon."""
        return self.names.get(seat) or (self("who.team") if seat < 0 else seat_letter(seat))

    def list(self, items: Iterable[object]) -> str:
        """Join items: 43, 44, 45. Messages can count them: `{who:|Winner|Winners}`."""
        return Listing(items)


def words(lang: str = "en", names: Mapping[Seat, str] | None = None, *, package: str = EXPLAIN) -> Words:
    """Messages of a package in a language, with player names by seat."""
    return Words(catalogue(lang, package), dict(names or {}))
