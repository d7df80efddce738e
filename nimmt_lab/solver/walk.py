"""Which questions to ask about a value: from wide around an estimate inwards, until the bounds meet.

A question has a threshold: is the value above it, or at most that? Far from the value the answer is quick, close to it
slow, so thresholds come in from both sides. An answer on the unexpected side is a bound, too: the walk then centres
anew. Some questions take longer than all others by chance; those are given up, and asked again a little aside with more
patience, because what was searched for them stays in the tables.

Everything here is in whole units; nothing here searches.

>>> walk = Walk(estimate=300, lo=-4000, hi=4000, one=100)
>>> walk.threshold(LOWER), walk.threshold(UPPER)
(-500, 1100)
>>> walk.learn(-499, 4000)
>>> walk.threshold(LOWER), walk.bounds
(-300, (-499, 4000))
"""

from __future__ import annotations

LOWER, UPPER = 0, 1
#: Distances from the estimate, in eighths of a head.
STEPS = (64, 48, 32, 24, 16, 8, 4, 2)
#: A question that was given up is asked again so many parts of its distance farther out, or in.
ASIDE = (0, 3, -2, 6, -4)
_PARTS = 16


class Walk:
    """The state of the questions about one value that certainly lies in [lo, hi]."""

    def __init__(self, estimate: int, lo: int, hi: int, one: int) -> None:
        self._lo, self._hi, self._one = lo, hi, one
        self._centre = min(max(estimate, lo), hi)
        self._steps = [0, 0]
        self._given_up = [0, 0]

    @property
    def bounds(self) -> tuple[int, int]:
        """What is known."""
        return self._lo, self._hi

    @property
    def finished(self) -> bool:
        """Nothing is left to ask from either side: the rest is best solved at once."""
        return self.threshold(LOWER) is None and self.threshold(UPPER) is None

    def learn(self, lo: int, hi: int) -> None:
        """The value is certainly in here."""
        if lo > self._lo or hi < self._hi:
            self._given_up = [0, 0]
        self._lo, self._hi = max(self._lo, lo), min(self._hi, hi)
        if not self._lo < self._centre < self._hi:  # an answer on the unexpected side
            near = self._lo if self._centre <= self._lo else self._hi
            inwards = self._one if near == self._lo else -self._one
            aside = near + inwards
            self._centre = aside if self._lo < aside < self._hi else (self._lo + self._hi) // 2

    def give_up(self, side: int) -> None:
        """The question of this side takes too long."""
        self._given_up[side] += 1

    def patience(self, side: int) -> int:
        """How much longer than usual the next question of this side may take."""
        return 1 << min(self._given_up[side], 12)

    def threshold(self, side: int) -> int | None:
        """What to ask next from a side; None if its questions are done."""
        while self._steps[side] < len(STEPS):
            distance = STEPS[self._steps[side]] * self._one // 8
            distance += distance * ASIDE[self._given_up[side] % len(ASIDE)] // _PARTS
            at = self._centre - distance if side == LOWER else self._centre + distance
            if self._lo < at < self._hi:
                return at
            inside = STEPS[self._steps[side]] * self._one // 8
            plain = self._centre - inside if side == LOWER else self._centre + inside
            if self._lo < plain < self._hi:
                return plain
            self._steps[side] += 1
        return None

    def side(self) -> int:
        """The side to ask from if only one is asked: where more is open."""
        if self.threshold(LOWER) is None:
            return UPPER
        if self.threshold(UPPER) is None:
            return LOWER
        tired = self._given_up[UPPER] - self._given_up[LOWER]
        if tired:
            return LOWER if tired > 0 else UPPER
        return LOWER if self._centre - self._lo >= self._hi - self._centre else UPPER
