"""Playouts from a view by the core: what is asked of a chapter's search, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple, Protocol

from nimmt_lab.engine.decisions import Choice

from .loader import Argument, Pace
from .work import CREDIT, STATS, Workspace

#: A decision with more options than this gets no more playouts than one with so many.
_MOST_AT_ONCE = 8


class Estimate(NamedTuple):
    """An option with the means of its playouts, up to the end of the round."""

    option: Choice
    playouts: int
    #: What the seat's total loses by it: heads, or (where more is better) points with their sign turned.
    heads: float
    credit: float
    #: Standard errors of the two.
    error: float = 0.0
    credit_error: float = 0.0
    #: How much better it did than what is usual, in the chapter's own measure, on the same hidden cards; None: not
    #: compared.
    gain: float | None = None
    gain_error: float = 0.0


def estimate(
    option: Choice, playouts: int, heads: float, squares: float, credits: float, credit_squares: float
) -> Estimate:
    """The means and their errors, from sums over playouts.

    >>> found = estimate("a", 4, 8.0, 19.0, 2.0, 1.75)
    >>> found.playouts, found.heads, found.credit, found.error, found.credit_error, found.gain
    (4, 2.0, 0.5, 0.5, 0.25, None)
    """
    errors = _error(playouts, heads, squares), _error(playouts, credits, credit_squares)
    return Estimate(option, playouts, heads / playouts, credits / playouts, *errors)


def summed(option: Choice, playouts: int, sums: Sequence[int]) -> Estimate:
    """The same from what the core sums up (`nl_note`)."""
    lost, squares, credits, credit_squares = sums
    return estimate(option, playouts, lost, squares, credits / CREDIT, credit_squares / CREDIT**2)


def _error(count: int, total: float, squares: float) -> float:
    """The standard error of a mean, from the numbers' own spread: a chance that varies little is known well."""
    mean = total / count
    return sqrt(max(0.0, squares / count - mean * mean) / max(1, count - 1))


class Tries(Protocol):
    """Playouts from one view, by a kernel or by the engine."""

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options."""


class CoreTries:
    """Playouts from one view by a function of the core; asked again for an option, it adds to what it knows of it.

    The workspace describes the view and has the fields `key`, `first` (number of the next playout), `n_options`,
    `options` (as `code` writes them) and `stats`: of each option the sums of what the seat's total loses, of the win
    credit in parts of `CREDIT`, and of their squares (`nl_note` in `work.h`). Playout p of a key deals the same hidden
    cards whatever the option, so results depend on the numbers of the playouts alone.
    """

    def __init__(
        self, work: Workspace, function: str, code: Callable[[Choice], int], *, most: int, weight: int = 1
    ) -> None:
        self.work = work
        self.function = function
        self.code = code
        #: So many options at once.
        self.most = most
        #: How many times longer than the quickest chapter's playouts these take, roughly.
        self.weight = weight
        #: What the seat has taken in this round that estimates do not count.
        self.already = 0
        self.done: dict[Choice, tuple[int, list[int]]] = {}
        #: What the others are compared with, if anything; and what came of it so far.
        self.usual: Choice | None = None
        self.gained: dict[Choice, tuple[int, int]] = {}

    def begin(self) -> tuple[Argument, ...]:
        """Get the workspace ready to play on; what the function is given before the number of playouts."""
        return ()

    def budget(self, playouts: int, options: int) -> int:
        """How many playouts a choice among so many options gets, where each is to get about that many: very many
        options must not take very long."""
        return playouts * min(options, _MOST_AT_ONCE) // self.weight

    def compare(self) -> Choice | None:
        """From now on compare all options with what is done here in playouts: that option; None: the chapter cannot.
        (The workspace then has the fields `usual`, its place among the options, and `gains`, of each option the sum of
        what it gains, and of its squares.)"""
        return None

    def deepen(self, options: Sequence[Choice], playouts: int) -> list[Estimate] | None:
        """About so many playouts that the chapter shares out among the options by itself: those that it came to prefer.
        None: it leaves that to who asks."""
        return None

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """Of very many options those to look at, at most so many; None: the chapter has no opinion."""
        return None

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options; equally many so far, so that all meet the same hidden cards."""
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
        pace, left = Pace(max(1, 256 // self.weight)), playouts
        while left:
            with pace:
                some = min(pace.amount, left)
                work.call(self.function, *given, some)
                left -= some
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
