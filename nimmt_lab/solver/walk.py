"""Choose thresholds to narrow a value's bounds, from wide around an estimate inwards.

A question asks whether the value exceeds a threshold. Far from the value the answer is quick, close to it slow, so
thresholds approach from both sides. An answer on the unexpected side is also a bound and recentres the walk. A question
that happens to take too long is given up and repeated at a slightly different threshold with more patience, since its
work stays in the tables.

All numbers are integer units; this module does no searching.

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
WIDE = (64, 48, 32, 24, 16)
STEPS = (*WIDE, 8, 4, 2)
#: Shifts of a repeated question, in fractions of its distance.
ASIDE = (0, 3, -2, 6, -4)
_PARTS = 16


class Walk:
    """Progress on one value, certainly in [lo, hi]."""

    def __init__(self, estimate: int, lo: int, hi: int, one: int, steps: tuple[int, ...] = STEPS) -> None:
        self._distances = steps
        self._lo, self._hi, self._one = lo, hi, one
        self._centre = min(max(estimate, lo), hi)
        self._steps = [0, 0]
        self._given_up = [0, 0]

    @property
    def bounds(self) -> tuple[int, int]:
        return self._lo, self._hi

    @property
    def finished(self) -> bool:
        """Whether neither side has questions left, so that the rest is best solved at once."""
        return self.threshold(LOWER) is None and self.threshold(UPPER) is None

    def learn(self, lo: int, hi: int) -> None:
        """The value is certainly in [lo, hi]."""
        if lo > self._lo or hi < self._hi:
            self._given_up = [0, 0]
        self._lo, self._hi = max(self._lo, lo), min(self._hi, hi)
        if not self._lo < self._centre < self._hi:  # an answer on the unexpected side
            near = self._lo if self._centre <= self._lo else self._hi
            inwards = self._one if near == self._lo else -self._one
            aside = near + inwards
            self._centre = aside if self._lo < aside < self._hi else (self._lo + self._hi) // 2

    def give_up(self, side: int) -> None:
        """Give up this side's question."""
        self._given_up[side] += 1

    def patience(self, side: int) -> int:
        """Multiple of the usual effort for this side's next question."""
        return 1 << min(self._given_up[side], 12)

    def threshold(self, side: int) -> int | None:
        """This side's next threshold; None if it has no more."""
        while self._steps[side] < len(self._distances):
            distance = self._distances[self._steps[side]] * self._one // 8
            distance += distance * ASIDE[self._given_up[side] % len(ASIDE)] // _PARTS
            at = self._centre - distance if side == LOWER else self._centre + distance
            if self._lo < at < self._hi:
                return at
            inside = self._distances[self._steps[side]] * self._one // 8
            plain = self._centre - inside if side == LOWER else self._centre + inside
            if self._lo < plain < self._hi:
                return plain
            self._steps[side] += 1
        return None

    def side(self) -> int:
        """The side with the wider gap."""
        if self.threshold(LOWER) is None:
            return UPPER
        if self.threshold(UPPER) is None:
            return LOWER
        tired = self._given_up[UPPER] - self._given_up[LOWER]
        if tired:
            return LOWER if tired > 0 else UPPER
        return LOWER if self._centre - self._lo >= self._hi - self._centre else UPPER
