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
from functools import lru_cache
from struct import Struct
from typing import NamedTuple, TypeVar

from .errors import RulesError
from .files import shown
from .limits import is_whole

__all__ = ["Rng", "check_seed"]


T = TypeVar("T")

_MASK64 = 0xFFFFFFFFFFFFFFFF
_MASK32 = 0xFFFFFFFF
_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
#: The most draws computed at once: a deck.
_MOST_LANES = 128


def _mix(z: int) -> int:
    """The SplitMix64 output function: a bijection of 64-bit integers."""
    z = ((z ^ (z >> 30)) * _FIRST) & _MASK64
    z = ((z ^ (z >> 27)) * _SECOND) & _MASK64
    return z ^ (z >> 31)


@lru_cache(maxsize=_MOST_LANES)
def _lanes(count: int) -> tuple[int, int, int, Struct]:
    """Numbers with a lane of 128 bits for each draw: 1, the step from the first state and 64 bits; and their form."""
    ones = sum(1 << 128 * lane for lane in range(count))
    steps = sum(((lane + 1) * _GAMMA & _MASK64) << 128 * lane for lane in range(count))
    return ones, steps, ones * _MASK64, Struct("<" + count * "4xI8x")


def _draws(state: int, count: int) -> tuple[int, ...]:
    """The upper halves of the next outputs. All are computed at once, in the lanes of one long number: dealing is the
    hottest use of the stream. Products of 64 bits by 64 stay in their lanes."""
    ones, steps, low, form = _lanes(count)
    z = ((state & _MASK64) * ones + steps) & low
    z = ((z ^ (z >> 30 & low)) * _FIRST) & low
    z = ((z ^ (z >> 27 & low)) * _SECOND) & low
    z ^= z >> 31 & low
    return form.unpack(z.to_bytes(16 * count, "little"))


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
        left, at, state = len(cards), 0, self.state
        end = left - 1 if take is None else min(take, left - 1)
        while at < end:
            draws = min(end - at, _MOST_LANES)
            for high in _draws(state, draws):
                # `below(left)`; a rejected draw is followed by the next one.
                product = high * left
                low = product & _MASK32
                if low < left and low < (0x100000000 - left) % left:
                    continue
                other = at + (product >> 32)
                card = cards[at]
                cards[at] = cards[other]
                cards[other] = card
                at += 1
                left -= 1
            state = (state + draws * _GAMMA) & _MASK64
        return tuple(cards), Rng(state)
