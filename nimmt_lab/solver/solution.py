"""The solver's answer: a value with its proof, strategies, regrets and the most likely line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter, seat_number
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.engine.state import GameState

if TYPE_CHECKING:
    from nimmt_lab.solver.exact import Searcher

Json = dict[str, object]
#: Longer fractions are not shown.
LONGEST_FRACTION = 24


class Bounds(NamedTuple):
    """Certain bounds of a value, inclusive."""

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
        return (self.lo + self.hi) / 2

    @property
    def width(self) -> float:
        return self.hi - self.lo


class Worth(NamedTuple):
    """Value of a choice (heads of B minus heads of A) against the other's strategy: certain bounds and, within them, an
    estimate with its mean error."""

    bounds: Bounds
    estimate: float | None
    error: float | None = None


@dataclass(frozen=True)
class Unfinished:
    """How an unfinished search continues: the searcher with its tables, if it still exists."""

    searcher: Callable[[], Searcher | None]
    detail: str | None


#: Differences in heads that don't count.
_NOTHING = 1e-6
#: Support of a strategy, best first.
SUPPORT = ("exact", "certified", "estimate", "nothing")


@dataclass(frozen=True)
class LineStep:
    """One turn (or row choice) of a line: choices, heads, and the value before it."""

    choices: Mapping[Seat, Choice]
    #: Probability of exactly these choices under the two strategies.
    chance: float
    #: Heads B took minus heads A took.
    heads: int
    value: float
    exact: bool

    def __str__(self) -> str:
        parts = [f"{seat_letter(seat)}{choice}" for seat, choice in sorted(self.choices.items())]
        if len(self.choices) == 1:  # rows count from 1 in text
            ((seat, row),) = self.choices.items()
            return f"{seat_letter(seat)}@{row + 1}" if isinstance(row, int) else parts[0]
        return " ".join(parts)


class Mix(Shown, dict[Choice, float]):
    """The chances with which a seat plays its choices; those it never plays are left out."""

    def __init__(self, solution: Solution, seat: Seat) -> None:
        super().__init__({choice: chance for choice, chance in solution.strategies[seat].items() if chance > 0})
        self.solution, self.seat = solution, seat

    def sheet(self) -> Sheet:
        solution, seat = self.solution, self.seat
        support = "" if solution.exact else f" ({solution.support.get(seat, 'exact')})"
        lines = [
            Figure((solution.name(choice), f"{chance:.1%}"), chance, card=solution.card_of(choice))
            for choice, chance in sorted(self.items(), key=lambda item: -item[1])
        ]
        return Sheet(f"{seat_letter(seat)} plays{support}", [Figures(("", "chance"), lines)], game=solution.state.game)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class WhatIf(Shown):
    """One choice against the other's best play: what it earns on average, what it loses, and each reply. Values are
    heads of B minus heads of A, as everywhere in a solution."""

    solution: Solution
    seat: Seat
    choice: Choice
    worth: Worth
    #: Heads lost on average against the seat's best choice.
    loses: Bounds
    #: The value after each reply of the other; empty for a choice of a row.
    replies: Mapping[Choice, Bounds]

    def sheet(self) -> Sheet:
        solution, other = self.solution, 1 - self.seat
        who, name = seat_letter(self.seat), solution.name(self.choice)
        lost = "nothing" if self.loses.hi < _NOTHING else f"{_ranged(self.loses)} heads"
        lead = [f"Value {_ranged(self.worth.bounds, '+')} for A against best play; it loses {lost} on average."]
        chances = solution.strategies.get(other, {})
        lines = [
            Figure((solution.name(reply), f"{chances[reply]:.1%}", _ranged(value, "+")), chances[reply])
            for reply, value in self.replies.items()
        ]
        parts = [Figures((f"{seat_letter(other)} plays", "chance", "value for A"), lines)] if lines else []
        return Sheet(f"What if {who} plays {name}?", parts, lead, game=solution.state.game)

    def __repr__(self) -> str:
        return str(self)


def _ranged(bounds: Bounds, sign: str = "") -> str:
    """A value, or its bounds, to two places."""
    lo, hi = (round(end, 2) + 0.0 for end in bounds)
    return f"{lo:{sign}.2f}" if lo == hi else f"{lo:{sign}.2f} to {hi:{sign}.2f}"


@dataclass(frozen=True, repr=False)
class Solution(Shown):
    """Result of searching an open position.

    ``value`` is the expected number of heads B takes minus those A takes from here on, under best play: positive is
    good for A, whatever was taken before. It is certainly within ``bounds``.

    ``exact`` is True if the search finished; the bounds are then closer than a millionth (``error`` is their width). If
    time ran out or the search was interrupted, ``value`` is the best guess (``estimate``, or the middle of the bounds)
    and the strategies are suggestions. ``bounds`` are always certain.

    ``fraction`` is the exact value if it was proved (see `proof`), nearly always up to six cards a hand. ``value`` is
    then the float next to it, and the strategies are optimal up to rounding.

    ``strategies``, ``payoffs`` and ``regrets`` describe the turn (or the pending row choice):

    * ``strategies[seat][choice]`` is its probability in an optimal strategy;
    * ``payoffs[a][b]`` bounds the value if A chooses ``a`` and B chooses ``b``. Entries the proof does not need may
      stay wide in large positions; ``solve(…, detail="full")`` makes all exact;
    * ``regrets[seat][choice]`` bounds its expected loss against the other's optimal strategy (or, if not exact, the one
      shown);
    * ``worth[seat][choice]`` is its value against the other's strategy: certain bounds, and an estimate (or None) with
      its mean error;
    * ``guarantees[seat]`` is the value the seat's strategy ensures: for A at least, for B at most;
    * ``support[seat]`` is the strategy's basis: ``"exact"``; ``"certified"``, a guarantee within one head of the best
      possible; ``"estimate"``; or ``"nothing"``: then no card is `best`.

    ``gap`` is computed from ``payoffs``: best reply to B's strategy minus best reply to A's. It proves both optimal,
    however they were obtained.

    An unfinished solution keeps its tables, unless they belong to a `Searcher` of yours, so that `search_on` continues
    where it stopped. It can be pickled without them.
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
    #: Positions with four or more cards a hand stored, positions searched, bytes of the tables.
    states: int
    nodes: int
    seconds: float
    memory: int
    state: GameState = field(repr=False)
    #: Result of a search that stopped early, if any.
    estimate: float | None = None
    #: Mean error of such estimates.
    estimate_error: float | None = None
    worth: Mapping[Seat, Mapping[Choice, Worth]] = field(default_factory=dict)
    guarantees: Mapping[Seat, float] = field(default_factory=dict)
    support: Mapping[Seat, str] = field(default_factory=dict)
    unfinished: Unfinished | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "unfinished": None}

    def name(self, choice: Choice) -> str:
        """A choice in notation: a card, or a row counted from 1 (`@2`)."""
        return f"@{choice + 1}" if len(self.strategies) == 1 and isinstance(choice, int) else str(choice)

    def card_of(self, choice: Choice) -> int | None:
        """The card of a choice that is simply a card."""
        return choice if len(self.strategies) > 1 and isinstance(choice, int) else None

    def mix(self, seat: Seat | str) -> Mix:
        """The chances with which a seat plays each choice.

        >>> from nimmt_lab.solver import solve
        >>> dict(solve("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8").mix("A"))
        {17: 1.0}
        """
        return Mix(self, self._asked(seat))

    def what_if(self, seat: Seat | str, choice: Choice | str) -> WhatIf:
        """What one choice earns against the other's best play.

        >>> from nimmt_lab.solver import solve
        >>> start = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
        >>> print(round(solve(start).what_if("A", 16).loses.hi, 2))
        7.11
        """
        number = self._asked(seat)
        known = self.strategies[number]
        found = next((one for one in known if choice in (one, self.name(one), str(one))), None)
        if found is None:
            names = ", ".join(map(self.name, known))
            raise RulesError("solver.no_such_choice", who=seat_letter(number), choice=shown(choice), known=names)
        replies: Mapping[Choice, Bounds] = {}
        if len(self.strategies) > 1:
            column = {a: row[found] for a, row in self.payoffs.items() if found in row} if number else {}
            replies = column if number else self.payoffs[found]
        worth = self.worth[number][found]
        return WhatIf(self, number, found, worth, self.regrets[number][found], replies)

    def _asked(self, seat: Seat | str) -> Seat:
        number = seat_number(seat, 2)
        if number not in self.strategies:
            raise RulesError("solver.not_asked", who=seat_letter(number))
        return number

    @property
    def error(self) -> float:
        """Width of the bounds."""
        return self.bounds.width

    def best(self, seat: Seat | str) -> Choice | None:
        """The likeliest choice of a seat's strategy (the first of equals); None if nothing supports any."""
        seat = self._asked(seat)
        if self.support.get(seat) == "nothing":
            return None
        mix = self.strategies[seat]
        return max(mix, key=lambda choice: mix[choice])

    def better_by_estimate(self, seat: Seat) -> Choice | None:
        """A choice whose estimated worth exceeds that of `best`, the highest first; None if there is none.

        Estimated strategies fit the estimates of choices, so it can only differ if a strategy is certified instead.
        """
        ranked = self._ranked(seat)
        return ranked[0][0] if ranked and ranked[0][1] > _NOTHING else None

    def gain_by_estimate(self, seat: Seat) -> float:
        """Heads that `better_by_estimate` gains; 0 without one."""
        ranked = self._ranked(seat)
        return ranked[0][1] if ranked and ranked[0][1] > _NOTHING else 0.0

    def _ranked(self, seat: Seat) -> list[tuple[Choice, float]]:
        """Choices and how much more than `best` they earn by estimate, the most first."""
        best, sign = self.best(seat), 1 if seat == 0 else -1
        guesses = {choice: worth.estimate for choice, worth in self.worth.get(seat, {}).items()}
        about = {choice: sign * guess for choice, guess in guesses.items() if guess is not None}
        if best not in about:
            return []
        gains = [(choice, worth - about[best]) for choice, worth in about.items()]
        return sorted(gains, key=lambda gain: -gain[1])

    def search_on(self, seconds: float | None = None, *, nodes: int | None = None, progress: bool = False) -> Solution:
        """Continue an unfinished search for a number of seconds, or to the end, and return the new solution.

        It searches what one longer call would have searched. Without its tables (see above) it starts with the bounds.

        >>> from nimmt_lab.solver import solve
        >>> first = solve("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 20 ; B: 8 9")
        >>> first.search_on(seconds=1) is first  # nothing left to search
        True
        """
        from nimmt_lab.solver.two_players import search_on

        return search_on(self, seconds, nodes, progress)

    def line(self, *, searcher: Searcher | None = None, seconds: float | None = None) -> tuple[LineStep, ...]:
        """The most likely play: in every turn the likeliest card of each strategy, to the end of the round.

        Each step is solved in at most ``seconds`` and says if it is not exact. With the solution's own ``searcher``,
        whose tables are filled, this is immediate.
        """
        from nimmt_lab.solver.two_players import likely_line

        return likely_line(self, searcher, seconds)

    def to_json(self) -> Json:
        """Plain data, as ``nimmt-lab solve --json`` prints it."""
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
            "estimate_error": self.estimate_error,
            "worth": {
                seat_letter(seat): {
                    self.name(choice): {
                        "bounds": list(worth.bounds),
                        "estimate": worth.estimate,
                        "error": worth.error,
                    }
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

    def sheet(self) -> Sheet:
        lead, *others = self._told()
        parts = []
        for seat in self.strategies:
            best = self.best(seat)
            lines = [
                Figure(
                    (self.name(choice), f"{chance:.1%}", "" if loss.hi < _NOTHING else _ranged(loss)),
                    chance,
                    best=choice == best,
                    card=self.card_of(choice),
                )
                for choice, chance, loss in (
                    (choice, chance, self.regrets[seat][choice]) for choice, chance in self.strategies[seat].items()
                )
            ]
            parts.append(Figures(("", "chance", "loses"), lines, f"{seat_letter(seat)} plays"))
        notes = [line for line in others if self.exact is False or "stored" in line]
        notes.insert(0, "The value is how many heads more B takes than A from here on, on average.")
        return Sheet(lead[:1].upper() + lead[1:], parts, (), notes, self.state)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return "\n".join(self._told())

    def _told(self) -> list[str]:
        if self.exact:
            lines = [f"value {self.value:+.6g} for A ({self._how_exact()})"]
        else:
            why = "interrupted" if self.interrupted else "not solved in time"
            certain = f"between {self.bounds.lo:+.6g} and {self.bounds.hi:+.6g} for A"
            if self.estimate is None or self.estimate_error is None:
                lines = [f"value {certain} ({why})"]
            else:
                about = f"estimated at {self.estimate:+.2f} with a typical error of {self.estimate_error:.1f}"
                lines = [f"value certainly {certain}, {about} ({why})"]
        for seat, mix in self.strategies.items():
            support = self.support.get(seat, "exact")
            who, ahead = seat_letter(seat), "at least" if seat == 0 else "at most"
            if support == "nothing":
                lines.append(f"{who}: no recommendation yet")
                continue
            chances = ", ".join(f"{self.name(choice)}: {chance:.1%}" for choice, chance in mix.items() if chance > 0)
            rests = "" if self.exact else f" ({support}; guarantees {ahead} {self.guarantees[seat]:+.3g} for A)"
            lines.append(f"{who} {'plays' if self.exact else 'might play'} {chances}{rests}")
            better = self.better_by_estimate(seat)
            if better is not None:
                gains = f"{self.name(better)} gains {self.gain_by_estimate(seat):.2f} more against this play"
                lines.append(f"{who}: by estimate {gains}, but a proof comes before an estimate")
        positions = "position" if self.states == 1 else "positions"
        return [*lines, f"{self.states:,} {positions} stored in {self.seconds:.2f} s"]

    def _how_exact(self) -> str:
        if self.fraction is None:
            return f"exact to {max(self.error, 1e-12):.1g}"
        if self.fraction.denominator == 1:
            return "exact"
        written = str(self.fraction)
        return (
            f"exactly {written}"
            if len(written) <= LONGEST_FRACTION
            else f"exact, a fraction of {len(written)} characters"
        )
