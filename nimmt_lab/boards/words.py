"""Texts on boards: the boards' own, the tutor's and all chapters'.

>>> board_words("pl")("row", row=2), board_words("en", {0: "Ann"}).who(0)
('rząd 2', 'Ann')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nimmt_lab.engine.cards import Seat
from nimmt_lab.explain.catalogue import Words, catalogue, own_catalogue, words

__all__ = ["PACKAGE", "board_words", "labels"]


PACKAGE: Final = "nimmt_lab.boards"


def board_words(lang: str, names: Mapping[Seat, str] | None = None) -> Words:
    """Messages for boards, with player names by seat."""
    return words(lang, names, package=PACKAGE)


def labels(lang: str) -> dict[str, str]:
    """The boards' own messages by key, for the browser to fill."""
    template = catalogue(lang, PACKAGE).template
    return {key: template(key) for key in own_catalogue(PACKAGE, lang).messages}
