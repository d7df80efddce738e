"""A shared random stream for tests that write invalid values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from nimmt_lab.engine.rng import Rng

T = TypeVar("T")


class Dice:
    """A stream that advances by itself."""

    def __init__(self, seed: int) -> None:
        self.rng = Rng.from_seed(seed)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        found, self.rng = self.rng.below(n)
        return found

    def bits(self, count: int) -> int:
        return sum(self.below(2) << bit for bit in range(count))

    def choice(self, items: Sequence[T]) -> T:
        """One of them."""
        return items[self.below(len(items))]
