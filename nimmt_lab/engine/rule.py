"""Rules by name, so that every event can cite its cause."""

from __future__ import annotations

from enum import Enum

__all__ = ["Rule"]


class Rule(Enum):
    """A rule of a chapter; each chapter declares its own members.

    The value is the place in the rules pages (`"classic.2"`), followed by the rulings that settle it where rulebooks
    disagree or are silent (`"R-C5"`).

    >>> from nimmt_lab.games.classic.rules import ClassicRule
    >>> ClassicRule.SMALLEST_DIFFERENCE.key, ClassicRule.TIE.rulings
    ('classic.2', ('R-C1',))
    """

    key: str
    rulings: tuple[str, ...]

    def __init__(self, key: str, *rulings: str) -> None:
        self.key = key
        self.rulings = rulings

    def __str__(self) -> str:
        return " ".join((self.key, *self.rulings))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
