"""Ways in which the others' cards decide the fate of a card, for the proofs behind hints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .cards import Cards

__all__ = ["Needed", "TooMany", "shortest"]


class TooMany(Exception):
    """There are too many cases for a proof."""


class Needed(NamedTuple):
    """At least `needed` of these cards must come before it."""

    needed: int
    cards: Cards


def shortest(ways: Mapping[int, int]) -> Needed | None:
    """The way with the fewest cards. Ways are sets of cards as bits, by the number of cards needed.

    >>> shortest({2: 0b110, 1: 0b1001000})
    Needed(needed=1, cards=(3, 6))
    """
    if not ways:
        return None
    needed = min(ways)
    return Needed(needed, tuple(card for card in range(ways[needed].bit_length()) if ways[needed] >> card & 1))
