"""Rounds played by the core, in slices: any chapter's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nimmt_lab.engine.rng import Rng

from .loader import Pace
from .outcomes import FIELDS, WIN_CREDIT, Outcomes, Totals
from .work import TOTALS, Workspace

#: Rounds in the first of the slices in which the core is called.
_SLICE = 16_384
#: Rounds that are kept at once while only their totals are wanted.
_PORTION = 10_000


@dataclass(frozen=True, slots=True)
class CoreRounds:
    """A workspace in which the game and its policies are written (and which has the fields `key` and `first`), and the
    function of the core that plays rounds of it: so many, into a block of so many bytes."""

    work: Workspace
    function: str
    sides: int
    #: Adds rounds to totals in the core, where there is such a function (outcomes of bytes).
    totals: str | None = None
    #: Bytes per field, or (`i`) whole numbers of four and the win credit behind the fields.
    code: Literal["B", "i"] = "B"
    #: Rounds that the core plays in about a slice, to begin with.
    slice: int = _SLICE

    def play(self, seed: int, first: int, rounds: int) -> Outcomes:
        """Rounds first … first + rounds - 1 of that seed."""
        with self.work.claim:
            return self._play(seed, first, rounds)

    def _play(self, seed: int, first: int, rounds: int) -> Outcomes:
        self._begin(seed, first)
        size = self.sides * (len(FIELDS) if self.code == "B" else 4 * len((*FIELDS, WIN_CREDIT)))
        out = self.work.core.memory(rounds * size)
        pace, done = Pace(self.slice, most=1 << 20), 0
        while done < rounds:
            with pace:
                some = min(pace.amount, rounds - done)
                self.work.call(self.function, some, out.part(done * size), some * size)
                done += some
        return Outcomes(self.sides, first, rounds, out.get(0, rounds * size), self.code)

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The same as running totals, in constant memory."""
        with self.work.claim:
            return self._count(seed, first, rounds)

    def _count(self, seed: int, first: int, rounds: int) -> Totals:
        if self.totals is None:
            totals = Totals.nothing(self.sides)
            for at in range(first, first + rounds, _PORTION):
                totals += self.play(seed, at, min(_PORTION, first + rounds - at)).totals()
            return totals
        self._begin(seed, first)
        counted = self.work.core.memory(8 * TOTALS * self.sides)
        pace, done = Pace(self.slice, most=1 << 20), 0
        while done < rounds:
            with pace:
                some = min(pace.amount, rounds - done)
                self.work.call(self.totals, some, counted, TOTALS * self.sides)
                done += some
        return Totals.of_core(self.sides, rounds, counted.read("q", TOTALS * self.sides))

    def _begin(self, seed: int, first: int) -> None:
        self.work.set("key", Rng.key(seed))
        self.work.set("first", first)
