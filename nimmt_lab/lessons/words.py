"""The texts of lessons and exercises, in three languages.

Lessons are data without text: a step has a name, and `locale/` has its text, in one TOML file per language. Texts about
a single chapter are in that chapter.

>>> words("pl").count("heads", 5), words("en")("page.back")
('5\xa0byków', 'Back')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nimmt_lab.engine.cards import Seat
from nimmt_lab.explain.catalogue import LANGUAGES, Words
from nimmt_lab.explain.catalogue import words as words_of

__all__ = ["LANGUAGES", "PACKAGE", "Words", "words"]

PACKAGE: Final = "nimmt_lab.lessons"


def words(lang: str = "en", names: Mapping[Seat, str] | None = None) -> Words:
    """The catalogue in a language. `names` maps seats to the names of players."""
    return words_of(lang, names, package=PACKAGE)
