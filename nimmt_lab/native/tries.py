"""Playouts from a view by the core: what is asked of a chapter's search, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple, Protocol

from nimmt_lab.engine.decisions import Choice

from .loader import Pace
from .work import CREDIT, STATS, Workspace


class Estimate(NamedTuple):
    """An option with the means of its playouts, up to the end of the round."""

    option: Choice
    playouts: int
    #: What the seat's total loses by it: heads, or (where more is better) points with their sign turned.
    heads: float
    credit: float
    #: Standard error of `heads`.
    error: float = 0.0

    @property
    def credit_error(self) -> float:
        """Standard error of `credit`, at most: shared wins only make it smaller."""
        return sqrt(self.credit * (1 - self.credit) / self.playouts)


def estimate(option: Choice, playouts: int, heads: float, squares: float, credits: float) -> Estimate:
    """The means, from sums over playouts.

    >>> estimate("a", 4, 8.0, 20.0, 1.0)
    Estimate(option='a', playouts=4, heads=2.0, credit=0.25, error=0.5773502691896257)
    """
    mean = heads / playouts
    spread = max(0.0, squares / playouts - mean * mean) * playouts / max(1, playouts - 1)
    return Estimate(option, playouts, mean, credits / playouts, sqrt(spread / playouts))


class Tries(Protocol):
    """Playouts from one view, by a kernel or by the engine."""

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options."""


class CoreTries:
    """Playouts from one view by a function of the core; asked again for an option, it adds to what it knows of it.

    The workspace describes the view and has the fields `key`, `first` (number of the next playout), `n_options`,
    `options` (as `code` writes them) and `stats`: of each option the sums of what the seat's total loses, of its
    square, and of the win credit in parts of `CREDIT`. Playout p of a key deals the same hidden cards whatever the
    option, so results depend on the numbers of the playouts alone.
    """

    def __init__(
        self, work: Workspace, function: str, code: Callable[[Choice], int], *, most: int, weight: int = 1
    ) -> None:
        self.work = work
        self.function = function
        self.code = code
        #: So many options at once.
        self.most = most
        #: How many times longer than a playout of the classic game one of these takes, roughly.
        self.weight = weight
        self.done: dict[Choice, tuple[int, list[int]]] = {}

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """Of very many options those to look at, at most so many; None: the chapter has no opinion."""
        return None

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options; equally many so far, so that all meet the same hidden cards."""
        found: list[Estimate] = []
        for at in range(0, len(options), self.most):
            found += self._run(options[at : at + self.most], playouts)
        return found

    def _run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        work, count = self.work, len(options)
        first, _ = self.done.get(options[0], (0, []))
        work.set("options", [self.code(option) for option in options])
        work.set("n_options", count)
        work.set("stats", [0] * (STATS * count))
        work.set("first", first)
        pace, left = Pace(max(1, 256 // self.weight)), playouts
        while left:
            with pace:
                some = min(pace.amount, left)
                work.call(self.function, some)
                left -= some
        stats = work.get("stats", STATS * count)
        estimates = []
        for at, option in enumerate(options):
            known = self.done.get(option, (0, [0] * STATS))[1]
            sums = [old + new for old, new in zip(known, stats[STATS * at : STATS * (at + 1)], strict=True)]
            number = first + playouts
            self.done[option] = number, sums
            estimates.append(estimate(option, number, sums[0], sums[1], sums[2] / CREDIT))
        return estimates
