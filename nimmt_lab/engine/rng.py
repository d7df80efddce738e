"""An explicit random stream, stored in the game state as a plain value.

Records must replay byte for byte on any Python version, and the compiled kernels must deal the same cards. So the
generator is our own: SplitMix64 (64 bits of state) with unbiased bounded draws. There is no global random state.

>>> rng = Rng.from_seed(7)
>>> cards, rng = rng.shuffled(range(1, 11))
>>> sorted(cards) == list(range(1, 11))
True
>>> Rng.from_seed(7).shuffled(range(1, 11))[0] == cards
True
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from .errors import RulesError
from .files import shown
from .limits import is_whole

__all__ = ["Rng", "check_seed"]


T = TypeVar("T")

_MASK64 = 0xFFFFFFFFFFFFFFFF
_MASK32 = 0xFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    """The SplitMix64 output function: a bijection of 64-bit integers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK64
    return z ^ (z >> 31)


def check_seed(seed: object) -> int:
    """Reject seeds that are not whole numbers from 0 to 2**64-1."""
    if not is_whole(seed, 0, _MASK64):
        raise RulesError("engine.seed_range", got=shown(seed))
    return seed


class Rng(NamedTuple):
    """A position in a random stream. Drawing returns a value and the next position."""

    state: int

    @classmethod
    def from_seed(cls, seed: int, stream: int = 0) -> Rng:
        """The start of a stream. A seed has 2**64 independent streams, for instance one per simulated round."""
        check_seed(seed)
        return cls(_mix((cls.key(seed) + stream * _GAMMA) & _MASK64))

    @staticmethod
    def key(seed: int) -> int:
        """The common key of all streams of a seed, from which the compiled core starts them."""
        return _mix((seed + _GAMMA) & _MASK64)

    def below(self, n: int) -> tuple[int, Rng]:
        """A uniform integer 0 ≤ x < n (n < 2**32), without bias."""
        state = self.state
        while True:
            state = (state + _GAMMA) & _MASK64
            product = (_mix(state) >> 32) * n
            low = product & _MASK32
            if low >= n or low >= (0x100000000 - n) % n:
                return product >> 32, Rng(state)

    def shuffled(self, items: Iterable[T], take: int | None = None) -> tuple[tuple[T, ...], Rng]:
        """The items in random order. With `take`, only the first `take` items are shuffled, which saves draws."""
        cards = list(items)
        n = len(cards)
        state = self.state
        for i in range(n - 1 if take is None else min(take, n - 1)):
            left = n - i
            # `below(left)`, inlined: dealing is the hottest use of the stream.
            while True:
                state = (state + _GAMMA) & _MASK64
                z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
                z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK64
                product = ((z ^ (z >> 31)) >> 32) * left
                low = product & _MASK32
                if low >= left or low >= (0x100000000 - left) % left:
                    break
            j = i + (product >> 32)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards), Rng(state)
