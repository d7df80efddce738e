"""The rules have names, so that everything that happens can say which one caused it."""

from __future__ import annotations

from enum import Enum

__all__ = ["Rule"]


class Rule(Enum):
    """A numbered rule of some chapter. Each chapter's module declares its own members.

    A member's value is its place in the rulebook pages (`"classic.2"`), followed by the rulings that
    settle it where the rulebooks disagree or are silent (`"R-C5"`).

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
