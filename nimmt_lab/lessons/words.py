"""The words of the lessons, in three languages.

Lessons are data and say nothing themselves: a step has a name, and `locale/` has its text, one TOML file per language.
Counted words have the plural forms of their language, as in `nimmt_lab.explain`.

>>> words("pl").count("heads", 5), words("cs").count("heads", 2), words("en").count("heads", 1)
('5 byków', '2 krávy', '1 head')
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.explain.catalogue import LANGUAGES, plural_form

__all__ = ["LANGUAGES", "LessonWords", "catalogue", "words"]


@dataclass(frozen=True)
class LessonWords:
    """One language: sentences by key (`"first_turn.see"`), and counted words."""

    lang: str
    messages: Mapping[str, str]
    counted: Mapping[str, Mapping[str, str]]

    def __call__(self, key: str, /, **parts: object) -> str:
        """The sentence of that key with its places filled."""
        return self.messages[key].format_map(parts)

    def has(self, key: str) -> bool:
        """Whether there is such a sentence (hints are optional)."""
        return key in self.messages

    def count(self, key: str, number: int) -> str:
        """A number with its word: 1 byk, 2 byki, 5 byków."""
        return self.counted[key][plural_form(self.lang, number)].format(n=number)


@cache
def catalogue(lang: str) -> LessonWords:
    """Read a language's file."""
    if lang not in LANGUAGES:
        raise RulesError(f"no language {lang!r}; there are: {', '.join(LANGUAGES)}")
    data = tomllib.loads((files(__package__) / "locale" / f"{lang}.toml").read_text(encoding="utf-8"))
    counted = data.pop("counted")
    messages = {f"{section}.{key}": text for section, texts in data.items() for key, text in texts.items()}
    return LessonWords(lang, messages, counted)


def words(lang: str = "en") -> LessonWords:
    """The words of a language."""
    return catalogue(lang)
