"""Rounds of any chapter, played by the core in slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nimmt_lab.engine.rng import Rng

from .loader import Pace
from .outcomes import FIELDS, WIN_CREDIT, Outcomes, Totals
from .work import TOTALS, Workspace

#: Rounds in the first slice.
_SLICE = 16_384
#: Rounds kept at once if only totals are wanted.
_PORTION = 10_000


@dataclass(frozen=True, slots=True)
class CoreRounds:
    """A workspace with a game and its policies, and the core's function that plays rounds into a block of bytes."""

    work: Workspace
    function: str
    sides: int
    #: The core's function that adds byte outcomes to totals, if any.
    totals: str | None = None
    #: Bytes per field, or (`i`) 32-bit integers followed by the win credit.
    code: Literal["B", "i"] = "B"
    #: Initial rounds per slice.
    slice: int = _SLICE

    def play(self, seed: int, first: int, rounds: int) -> Outcomes:
        """Play rounds first … first + rounds - 1 of that seed."""
        size, done = self.sides * (len(FIELDS) if self.code == "B" else 4 * len((*FIELDS, WIN_CREDIT))), 0
        out = self.work.core.memory(rounds * size)
        with self.work.claim:
            self._begin(seed, first)
            for some in Pace(self.slice, most=1 << 20).portions(rounds):
                self.work.call(self.function, some, out.part(done * size), some * size)
                done += some
        return Outcomes(self.sides, first, rounds, out.get(0, rounds * size), self.code)

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The same as running totals, in constant memory."""
        if self.totals is None:
            totals = Totals.nothing(self.sides)
            for at in range(first, first + rounds, _PORTION):
                totals += self.play(seed, at, min(_PORTION, first + rounds - at)).totals()
            return totals
        counted = self.work.core.memory(8 * TOTALS * self.sides)
        with self.work.claim:
            self._begin(seed, first)
            for some in Pace(self.slice, most=1 << 20).portions(rounds):
                self.work.call(self.totals, some, counted, TOTALS * self.sides)
        return Totals.of_core(self.sides, rounds, counted.read("q", TOTALS * self.sides))

    def _begin(self, seed: int, first: int) -> None:
        self.work.set("key", Rng.key(seed))
        self.work.set("first", first)
