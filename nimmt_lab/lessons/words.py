r"""The texts of lessons and exercises, in three languages.

A lesson's texts are in its file, those that lessons share in `locale/`. Texts about a single chapter are in that
chapter.

>>> words("pl").count("heads", 5), words("en")("page.back")
('5\xa0byków', 'Back one step')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nimmt_lab.engine.cards import Seat
from nimmt_lab.explain.catalogue import ELSEWHERE, LANGUAGES, Words
from nimmt_lab.explain.catalogue import words as words_of

__all__ = ["LANGUAGES", "PACKAGE", "Words", "words"]

PACKAGE: Final = "nimmt_lab.lessons"


def _of_lessons(lang: str) -> Mapping[str, str]:
    from .shipped import texts

    return texts(lang)


ELSEWHERE[PACKAGE] = _of_lessons


def words(lang: str = "en", names: Mapping[Seat, str] | None = None) -> Words:
    """The catalogue in a language. `names` maps seats to the names of players."""
    return words_of(lang, names, package=PACKAGE)
