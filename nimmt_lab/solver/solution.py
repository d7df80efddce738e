"""The answer of the solver: a value with its proof, strategies, regrets, and the most likely line of play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.state import GameState

if TYPE_CHECKING:
    from nimmt_lab.solver.exact import Searcher

#: JSON as the command line writes it.
Json = dict[str, object]
#: Longer fractions are of no use to the eye.
LONGEST_FRACTION = 24


class Bounds(NamedTuple):
    """The value is certainly in here, ends included."""

    lo: float
    hi: float

    @classmethod
    def around(cls, lo: Fraction, hi: Fraction) -> Bounds:
        """The closest floats with both numbers between them.

        >>> Bounds.around(Fraction(1, 2), Fraction(3)), Bounds.around(Fraction(1, 3), Fraction(1, 3)).middle
        (Bounds(lo=0.5, hi=3.0), 0.3333333333333333)
        """
        below, above = float(lo), float(hi)
        # One step outwards for both, so that the middle of a number's bounds is the float next to it.
        return cls(
            below if Fraction(below) == lo else nextafter(below, -inf),
            above if Fraction(above) == hi else nextafter(above, inf),
        )

    @property
    def middle(self) -> float:
        """The middle: off by half the width at most."""
        return (self.lo + self.hi) / 2

    @property
    def width(self) -> float:
        """How much is open."""
        return self.hi - self.lo


class Worth(NamedTuple):
    """What a choice is worth (heads of B minus heads of A) against the other's strategy: certain, and guessed."""

    bounds: Bounds
    #: The best guess; None where there is none.
    estimate: float | None


#: What a strategy that is shown can rest on, best first.
SUPPORT = ("exact", "certified", "estimate", "nothing")


@dataclass(frozen=True)
class LineStep:
    """One turn (or one row choice) of a line: who chose what, the heads it brought, and the value before it."""

    choices: Mapping[Seat, Choice]
    #: Chance of exactly these choices under the two strategies.
    chance: float
    #: Heads B took minus heads A took.
    heads: int
    value: float
    exact: bool

    def __str__(self) -> str:
        parts = [f"{seat_letter(seat)}{choice}" for seat, choice in sorted(self.choices.items())]
        if len(self.choices) == 1:  # a row, which people count from 1
            ((seat, row),) = self.choices.items()
            return f"{seat_letter(seat)}@{row + 1}" if isinstance(row, int) else parts[0]
        return " ".join(parts)


@dataclass(frozen=True)
class Solution:
    """What is known about an open position after a search.

    ``value`` is the expected number of heads B takes minus those A takes, from here on, if both play as well as
    possible: positive is good for A, whatever was taken before. It lies in ``bounds`` for certain.

    ``exact`` is True when the search was completed; the bounds are then closer than a millionth (``error`` is their
    width). When time ran out or the search was interrupted ``exact`` is False, ``value`` is the best guess there is
    (``estimate``, or the middle of the bounds if there is none), and the strategies are suggestions. ``bounds`` are
    certain always.

    ``fraction`` is the value itself, where it was proved (see `proof`): nearly always up to six cards a hand. ``value``
    is then the float next to it, and the strategies are optimal but for the rounding of floats. Otherwise ``fraction``
    is None.

    ``strategies``, ``payoffs`` and ``regrets`` describe the turn (or the choice of a row, if that is what is asked):

    * ``strategies[seat][choice]`` is the chance to choose it under an optimal strategy;
    * ``payoffs[a][b]`` bounds the value if A chooses ``a`` and B chooses ``b``. Entries the proof does not need may
      be left wide in large positions; ``solve(…, detail="full")`` makes all exact;
    * ``regrets[seat][choice]`` bounds what the choice loses on average against the other's optimal strategy (or, as
      long as it is not exact, against the one shown);
    * ``worth[seat][choice]`` is the value of the choice against the other's strategy: certain bounds, and an estimate;
    * ``guarantees[seat]`` is what the seat's strategy certainly brings, whatever the other does: for A at least that
      value, for B at most;
    * ``support[seat]`` says what the strategy rests on: ``"exact"``; ``"certified"``, a guarantee that cannot be
      improved by more than a head, or is all there is; ``"estimate"``; or ``"nothing"``: then no card is `best`.

    ``gap`` is computed afterwards from ``payoffs``: best reply to B's strategy minus best reply to A's. It is the
    proof that both are optimal, and does not rely on how they were found.

    A solution keeps what it shows and nothing else (it can be pickled); tables belong to the `Searcher`.
    """

    position: str
    value: float
    bounds: Bounds
    exact: bool
    fraction: Fraction | None
    interrupted: bool
    strategies: Mapping[Seat, Mapping[Choice, float]]
    payoffs: Mapping[Choice, Mapping[Choice, Bounds]]
    regrets: Mapping[Seat, Mapping[Choice, Bounds]]
    gap: float
    #: Positions with four cards a hand and more put into the table; positions searched; bytes of the tables.
    states: int
    nodes: int
    seconds: float
    memory: int
    #: The state that was solved.
    state: GameState = field(repr=False)
    #: What a search said that stopped early; None where none was made.
    estimate: float | None = None
    worth: Mapping[Seat, Mapping[Choice, Worth]] = field(default_factory=dict)
    guarantees: Mapping[Seat, float] = field(default_factory=dict)
    support: Mapping[Seat, str] = field(default_factory=dict)

    def name(self, choice: Choice) -> str:
        """A choice as people write it: a card, or a row counted from 1 (`@2`) where a row is asked."""
        return f"@{choice + 1}" if len(self.strategies) == 1 and isinstance(choice, int) else str(choice)

    @property
    def error(self) -> float:
        """How much the bounds leave open."""
        return self.bounds.width

    def best(self, seat: Seat) -> Choice | None:
        """The likeliest choice of a seat's strategy (the first of equals); None if nothing supports any."""
        if self.support.get(seat) == "nothing":
            return None
        mix = self.strategies[seat]
        return max(mix, key=lambda choice: mix[choice])

    def line(self, *, searcher: Searcher | None = None, seconds: float | None = None) -> tuple[LineStep, ...]:
        """The most likely play by both: in every turn the likeliest card of each strategy, to the end of the round.

        Each step is solved in its turn, in ``seconds`` at most; a step says if it was not solved exactly. With the
        ``searcher`` of the solution, which has the tables, that takes no time.
        """
        from nimmt_lab.solver.two_players import likely_line

        return likely_line(self, searcher, seconds)

    def to_json(self) -> Json:
        """Plain data: what ``nimmt-lab solve --json`` prints."""
        return {
            "position": self.position,
            "value": self.value,
            "exact": self.exact,
            "fraction": None if self.fraction is None else str(self.fraction),
            "bounds": [self.bounds.lo, self.bounds.hi],
            "strategies": {
                seat_letter(seat): {self.name(choice): chance for choice, chance in mix.items() if chance > 0}
                for seat, mix in self.strategies.items()
            },
            "regrets": {
                seat_letter(seat): {self.name(choice): list(bounds) for choice, bounds in regrets.items()}
                for seat, regrets in self.regrets.items()
            },
            "gap": self.gap,
            "estimate": self.estimate,
            "worth": {
                seat_letter(seat): {
                    self.name(choice): {"bounds": list(worth.bounds), "estimate": worth.estimate}
                    for choice, worth in choices.items()
                }
                for seat, choices in self.worth.items()
            },
            "guarantees": {seat_letter(seat): value for seat, value in self.guarantees.items()},
            "support": {seat_letter(seat): text for seat, text in self.support.items()},
            "states": self.states,
            "seconds": self.seconds,
            "memory": self.memory,
        }

    def __str__(self) -> str:
        if self.exact:
            lines = [f"value {self.value:+.6g} for A ({self._how_exact()})"]
        else:
            why = "interrupted" if self.interrupted else "not solved in the time given"
            about = "" if self.estimate is None else f"about {self.value:+.2f}, certainly "
            lines = [f"value {about}between {self.bounds.lo:+.6g} and {self.bounds.hi:+.6g} for A ({why})"]
        for seat, mix in self.strategies.items():
            support = self.support.get(seat, "exact")
            who, ahead = seat_letter(seat), "at least" if seat == 0 else "at most"
            if support == "nothing":
                lines.append(f"{who}: nothing supports any choice yet")
                continue
            chances = ", ".join(f"{self.name(choice)}: {chance:.1%}" for choice, chance in mix.items() if chance > 0)
            rests = "" if self.exact else f" ({support}; certainly {ahead} {self.guarantees[seat]:+.3g} for A)"
            lines.append(f"{who} {'plays' if self.exact else 'might play'} {chances}{rests}")
        lines.append(f"{self.states:,} positions stored in {self.seconds:.2f} s")
        return "\n".join(lines)

    def _how_exact(self) -> str:
        if self.fraction is None:
            return f"exact to {max(self.error, 1e-12):.1g}"
        if self.fraction.denominator == 1:
            return "exact"
        written = str(self.fraction)
        return (
            f"exactly {written}" if len(written) <= LONGEST_FRACTION else f"exact, a fraction of {len(written)} signs"
        )
