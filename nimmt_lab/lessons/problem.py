"""Classroom questions and how their answers are judged.

A problem is made from a seed, so every pupil can have another one. Its answer is an exact fraction where possible. If
the answer is a probability or a mean, `trial` runs the experiment once with the engine, and the mean of many trials
must approach the answer: pupils try it, and so do the tests.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

#: One experiment: its result (None if a condition was not met and it does not count), and the random stream after it.
Trial: TypeAlias = Callable[[Rng], tuple[float | None, Rng]]

# Spaces inside a number may separate thousands (2 400), or a whole number from a proper fraction (8 23/104).
_SIGN = r"(?P<sign>[-+−]?) ?"
_WHOLE = r"(?P<whole>[0-9]{1,12}|[0-9]{1,3}(?: [0-9]{3}){1,3})"
_NUMBER = re.compile(rf"{_SIGN}{_WHOLE}(?:[.,](?P<places>[0-9]{{1,12}}))?(?: ?(?P<percent>%))?")
_FRACTION = re.compile(rf"{_SIGN}(?:(?P<whole>[0-9]{{1,12}}) )?(?P<top>[0-9]{{1,12}}) ?/ ?(?P<bottom>[0-9]{{1,12}})")

#: What a run of an experiment can be: a turn of the game, a draw, a new hand for B, coins, cards from a mixed strategy.
#: It selects the text about the experiment.
RUNS = ("turn", "draw", "deal", "coins", "mix")

#: A decimal answer needs this many places unless it is exact.
PLACES = 2


@dataclass(frozen=True)
class Given:
    """A numerical answer: its value, and half a unit in its last place (0 for whole numbers and fractions)."""

    value: Fraction
    slack: Fraction


#: The longest number, spaces included.
LONGEST_ANSWER = 1000


def read_number(text: str) -> Given:
    """Read a number as people write it: 3/14, 8 23/104, 0.214, 0,214, 21.4%, 5, 2 400.

    >>> read_number("3/14").value, read_number("21,4 %")
    (Fraction(3, 14), Given(value=Fraction(107, 500), slack=Fraction(1, 2000)))
    >>> read_number("8 23/104").value == 8 + Fraction(23, 104)
    True
    """
    # Splitting a megabyte costs 50 ms for each question asked, and no answer is that long.
    bare = " ".join(text.split()) if len(text) <= LONGEST_ANSWER else ""
    if match := _FRACTION.fullmatch(bare):
        top, bottom = int(match["top"]), int(match["bottom"])
        if bottom == 0:
            raise NotationError("lessons.divided_0", text=repr(text[:40]))
        if match["whole"] and top >= bottom:  # 1 024/3 is ambiguous
            raise NotationError("lessons.proper", got=repr(text[:40]))
        value = int(match["whole"] or 0) + Fraction(top, bottom)
        return Given(-value if match["sign"] in ("-", "−") else value, Fraction(0))
    if match := _NUMBER.fullmatch(bare):
        places = match["places"] or ""
        unit = Fraction(1, 10 ** len(places) * (100 if match["percent"] else 1))
        value = int(match["whole"].replace(" ", "") + places) * unit
        rounded = bool(places or match["percent"])
        return Given(-value if match["sign"] in ("-", "−") else value, unit / 2 if rounded else Fraction(0))
    raise NotationError("lessons.answer_number", got=repr(text[:40]))


@dataclass(frozen=True)
class Chart:
    """A small table of numbers. `names` are the keys of the row labels."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Approximate width in characters, with two for each border."""
        return max(sum(len(cell) + 2 for cell in line) for line in (self.head, *self.lines))


@dataclass(frozen=True)
class Problem:
    """One question of a classroom lesson. `key` names its text; `parts` fill the text in."""

    key: str
    answer: Fraction | str
    parts: Mapping[str, object] = field(default_factory=dict)
    #: The options, if the answer is a choice; their texts are `choice.<name>`, or the name itself.
    choices: tuple[str, ...] = ()
    #: The table shown.
    state: GameState | None = None
    chart: Chart | None = None
    #: The tolerance, if the answer is a rounded number such as a square root.
    slack: Fraction = Fraction(0)
    #: Whether the answer is a probability, which can be mistaken for that of the complement.
    probability: bool = False
    trial: Trial | None = None
    #: A run of the trial, one of `RUNS`.
    a_run: str = "draw"
    #: Keys of earlier questions whose answers it needs; on paper they are above, a page has to show them again.
    rests_on: tuple[str, ...] = ()
    #: Fills in the text of the solution, `<key>_why`.
    working: Mapping[str, object] = field(default_factory=dict)
    #: What wrong ideas lead to, by name; `<key>_slip_<name>` says what was probably thought. For a choice, the number
    #: of the option.
    slips: Mapping[str, Fraction] = field(default_factory=dict)

    def slip(self, answer: str) -> str:
        """The name of the wrong idea that leads to this wrong answer, if one is known."""
        if self.choices:
            return next((name for name, at in self.slips.items() if answer == self.choices[int(at) - 1]), "")
        given = read_number(answer)
        near = ((name, abs(given.value - value)) for name, value in self.slips.items())
        return next((name for name, off in near if off <= max(given.slack, self.slack)), "")

    def is_right(self, answer: str) -> bool:
        """Whether an answer counts: the exact value, or the value rounded to as many places (two or more).

        >>> problem = Problem("p2.one", Fraction(3, 14))
        >>> problem.is_right("3/14"), problem.is_right("0.214"), problem.is_right("21 %"), problem.is_right("0.2")
        (True, True, True, False)
        """
        if self.choices:
            return answer == self.answer
        assert isinstance(self.answer, Fraction)
        given = read_number(answer)
        off = abs(given.value - self.answer)
        if off <= self.slack:
            return True
        return 0 < given.slack <= Fraction(1, 2 * 10**PLACES) and off <= given.slack

    @property
    def shown_answer(self) -> str:
        """The answer as the key prints it: a fraction with its decimals, or the name of the choice."""
        return self.answer if isinstance(self.answer, str) else show(self.answer, exact=self.slack == 0)


def show(value: Fraction, *, exact: bool = True) -> str:
    """Format a number for people.

    >>> show(Fraction(3, 14)), show(Fraction(4)), show(Fraction(5, 2)), show(Fraction(12345, 100000), exact=False)
    ('3/14 ≈ 0.2143', '4', '5/2 = 2.5', '≈ 0.123')
    """
    if not exact:
        return f"≈ {float(value):.3f}"
    if value.denominator == 1:
        return str(value.numerator)
    decimals = f"{float(value):.4f}".rstrip("0")
    return f"{value} {'=' if Fraction(decimals) == value else '≈'} {decimals}"


def root(value: Fraction) -> Fraction:
    return Fraction(math.isqrt(value.numerator * 10**24 // value.denominator), 10**12)


def mean(values: Sequence[int | Fraction]) -> Fraction:
    return Fraction(sum(values)) / len(values)


def sample_variance(values: Sequence[int | Fraction]) -> Fraction:
    """The exact sample variance (divided by n − 1)."""
    middle = mean(values)
    return sum(((value - middle) ** 2 for value in values), Fraction(0)) / (len(values) - 1)


def run(trial: Trial, times: int, seed: int) -> Iterator[float]:
    """The results of `times` experiments that count."""
    rng = Rng.from_seed(seed, stream=9)
    while times:
        result, rng = trial(rng)
        if result is not None:
            times -= 1
            yield result
