"""The words on the boards, in the reader's language: the boards' own, the tutor's, and those of every chapter.

>>> board_words("pl")("row", row=2), board_words("en", {0: "Ann"}).who(0)
('rząd 2', 'Ann')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nimmt_lab.engine.cards import Seat
from nimmt_lab.explain.catalogue import Words, own_catalogue, words

__all__ = ["ROOM", "board_words", "labels"]


ROOM: Final = "nimmt_lab.boards"


def board_words(lang: str, names: Mapping[Seat, str] | None = None) -> Words:
    """What boards may say in a language. `names` maps seats to what the players are called."""
    return words(lang, names, room=ROOM)


def labels(lang: str) -> dict[str, str]:
    """The boards' own words by key, which the browser fills in itself."""
    return dict(own_catalogue(ROOM, lang).messages)
