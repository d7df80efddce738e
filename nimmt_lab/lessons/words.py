"""The words of lessons and exercises, in three languages.

Lessons are data and say nothing themselves: a step has a name, and `locale/` has its text, one TOML file per language.
What is about one chapter alone, its chapter says.

>>> words("pl").count("heads", 5), words("en")("page.back")
('5 byków', 'Back')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nimmt_lab.engine.cards import Seat
from nimmt_lab.explain.catalogue import LANGUAGES, Words
from nimmt_lab.explain.catalogue import words as words_of

__all__ = ["LANGUAGES", "ROOM", "Words", "words"]

ROOM: Final = "nimmt_lab.lessons"


def words(lang: str = "en", names: Mapping[Seat, str] | None = None) -> Words:
    """What lessons may say in a language. `names` maps seats to what the players are called."""
    return words_of(lang, names, room=ROOM)
