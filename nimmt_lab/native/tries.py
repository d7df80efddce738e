"""Playouts from a view by the core: the interface of a chapter's search, and its estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple, Protocol

from nimmt_lab.engine.decisions import Choice

from .loader import Argument, Pace
from .work import CREDIT, STATS, Workspace

#: A decision with more options gets no more playouts than one with this many.
_MOST_AT_ONCE = 8


class Estimate(NamedTuple):
    """An option with the means of its playouts, up to the end of the round."""

    option: Choice
    playouts: int
    #: Loss to the seat's total: heads or, where more is better, negative points.
    heads: float
    credit: float
    #: Standard errors of the two.
    error: float = 0.0
    credit_error: float = 0.0
    #: Advantage over the default choice on the same hidden cards, in the chapter's own measure; None if not compared.
    gain: float | None = None
    gain_error: float = 0.0


def estimate(
    option: Choice, playouts: int, heads: float, squares: float, credits: float, credit_squares: float
) -> Estimate:
    """Means and standard errors from sums over playouts.

    >>> found = estimate("a", 4, 8.0, 19.0, 2.0, 1.75)
    >>> found.playouts, found.heads, found.credit, found.error, found.credit_error, found.gain
    (4, 2.0, 0.5, 0.5, 0.25, None)
    """
    errors = _error(playouts, heads, squares), _error(playouts, credits, credit_squares)
    return Estimate(option, playouts, heads / playouts, credits / playouts, *errors)


def summed(option: Choice, playouts: int, sums: Sequence[int]) -> Estimate:
    """An estimate from the core's sums (`nl_note`)."""
    lost, squares, credits, credit_squares = sums
    return estimate(option, playouts, lost, squares, credits / CREDIT, credit_squares / CREDIT**2)


def _error(count: int, total: float, squares: float) -> float:
    """Standard error of a mean from the sample variance."""
    mean = total / count
    return sqrt(max(0.0, squares / count - mean * mean) / max(1, count - 1))


class Tries(Protocol):
    """Playouts from one view, by a kernel or by the engine."""

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """Play `playouts` more for each option."""


class CoreTries:
    """Playouts from one view by a function of the core; repeated calls for an option accumulate.

    The workspace describes the view and has the fields `key`, `first` (index of the next playout), `n_options`,
    `options` (as `code` writes them) and `stats`: for each option the sums of the loss, of the win credit in units of
    1/`CREDIT`, and of their squares (`nl_note` in `work.h`). Playout p of a key deals the same hidden cards for every
    option, so results depend only on the playout numbers.
    """

    def __init__(
        self, work: Workspace, function: str, code: Callable[[Choice], int], *, most: int, weight: int = 1
    ) -> None:
        self.work = work
        self.function = function
        self.code = code
        #: Largest number of options per call.
        self.most = most
        #: Approximate cost of a playout relative to the fastest chapter.
        self.weight = weight
        #: Heads the seat took this round that estimates exclude.
        self.already = 0
        self.done: dict[Choice, tuple[int, list[int]]] = {}
        #: The baseline option, if any, and its results so far.
        self.usual: Choice | None = None
        self.gained: dict[Choice, tuple[int, int]] = {}

    def begin(self) -> tuple[Argument, ...]:
        """Prepare the workspace; return the function's arguments before the number of playouts."""
        return ()

    def budget(self, playouts: int, options: int) -> int:
        """Total playouts for a number of options at about `playouts` each, capped for very many options."""
        return playouts * min(options, _MOST_AT_ONCE) // self.weight

    def compare(self) -> Choice | None:
        """Compare all options with the playout policy's own choice from now on and return it; None if unsupported.
        (Uses the fields `usual`, its index, and `gains`, the sum and sum of squares of each option's gain.)"""
        return None

    def deepen(self, options: Sequence[Choice], playouts: int) -> list[Estimate] | None:
        """Share about `playouts` playouts among the options by the chapter's own preference; None if it has none."""
        return None

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """At most `most` promising options out of very many; None if the chapter has no preference."""
        return None

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """Play `playouts` more for each option. All need equal counts so far, to meet the same hidden cards."""
        found: list[Estimate] = []
        with self.work.claim:
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
        compared = self.usual is not None and self.usual in options
        if self.usual is not None:
            work.set("usual", options.index(self.usual) if compared else -1)
            work.set("gains", [0] * (2 * count))
        given = self.begin()
        for some in Pace(max(1, 256 // self.weight)).portions(playouts):
            work.call(self.function, *given, some)
        stats = work.get("stats", STATS * count)
        gains = work.get("gains", 2 * count) if compared else ()
        estimates = []
        for at, option in enumerate(options):
            known = self.done.get(option, (0, [0] * STATS))[1]
            sums = [old + new for old, new in zip(known, stats[STATS * at : STATS * (at + 1)], strict=True)]
            number = first + playouts
            self.done[option] = number, sums
            one = summed(option, number, sums)
            if gains:
                before = self.gained.get(option, (0, 0))
                gain, apart = self.gained[option] = before[0] + gains[2 * at], before[1] + gains[2 * at + 1]
                one = one._replace(gain=gain / number, gain_error=_error(number, gain, apart))
            estimates.append(one)
        return estimates
