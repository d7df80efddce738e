"""What a lesson's program draws from: a stream of random numbers that a seed starts.

>>> draw = Draw(Rng.from_seed(7))
>>> draw.number(1, 6), draw.one_of("abc"), draw.some(range(1, 11), 3)
(6, 'c', [10, 2, 8])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from nimmt_lab.engine.rng import Rng

T = TypeVar("T")


class Draw:
    """Draws in order; the same seed draws the same things."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        if most < least:
            raise ValueError(f"no number from {least} to {most}")
        drawn, self.rng = self.rng.below(most - least + 1)
        return least + drawn

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.number(0, len(items) - 1)]

    def some(self, items: Iterable[T], count: int) -> list[T]:
        """Different items, in random order."""
        pool = list(items)
        if not 0 <= count <= len(pool):
            raise ValueError(f"cannot draw {count} of {len(pool)}")
        drawn, self.rng = self.rng.shuffled(pool, take=count)
        return list(drawn[:count])

    def shuffled(self, items: Iterable[T]) -> list[T]:
        drawn, self.rng = self.rng.shuffled(items)
        return list(drawn)

    def chance(self, times: int, of: int) -> bool:
        """Whether something happens that does so `times` times out of `of`."""
        return self.number(1, of) <= times
