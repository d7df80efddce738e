"""A classroom question, what is right, and whether an answer is.

A problem is made from a seed, so every pupil can have another one; its answer is exact (a fraction) wherever it can be.
Where the answer is a probability or an average, `trial` plays the experiment once with the engine, and the mean of
many trials must come to the answer: pupils try it, and the tests do.
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

#: One experiment: its result (None if it does not count, because a condition was not met), and the stream after it.
Trial: TypeAlias = Callable[[Rng], tuple[float | None, Rng]]

# A blank inside a number may only part thousands (2 400), or a whole number from a proper fraction (8 23/104).
_SIGN = r"(?P<sign>[-+−]?) ?"
_WHOLE = r"(?P<whole>[0-9]{1,12}|[0-9]{1,3}(?: [0-9]{3}){1,3})"
_NUMBER = re.compile(rf"{_SIGN}{_WHOLE}(?:[.,](?P<places>[0-9]{{1,12}}))?(?: ?(?P<percent>%))?")
_FRACTION = re.compile(rf"{_SIGN}(?:(?P<whole>[0-9]{{1,12}}) )?(?P<top>[0-9]{{1,12}}) ?/ ?(?P<bottom>[0-9]{{1,12}})")

#: What a run of an experiment may be: a turn by the rules, a draw, a new hand for B, coins, cards drawn by a mix. It
#: names the text that says so.
RUNS = ("turn", "draw", "deal", "coins", "mix")

#: A decimal number must be given to so many places unless it is exact.
PLACES = 2


@dataclass(frozen=True)
class Said:
    """An answer as read: its value, and half a unit of its last place (0 for whole numbers and fractions)."""

    value: Fraction
    slack: Fraction


def read_number(text: str) -> Said:
    """Read an answer as people write it: 3/14, 8 23/104, 0.214, 0,214, 21.4 %, 5, 2 400.

    >>> read_number("3/14").value, read_number("21,4 %")
    (Fraction(3, 14), Said(value=Fraction(107, 500), slack=Fraction(1, 2000)))
    >>> read_number("8 23/104").value == 8 + Fraction(23, 104)
    True
    """
    bare = " ".join(text.split())
    if match := _FRACTION.fullmatch(bare):
        top, bottom = int(match["top"]), int(match["bottom"])
        if bottom == 0:
            raise NotationError("lessons.divided_0", text=repr(text[:40]))
        if match["whole"] and top >= bottom:  # 1 024/3 may be meant in two ways
            raise NotationError("lessons.proper", got=repr(text[:40]))
        value = int(match["whole"] or 0) + Fraction(top, bottom)
        return Said(-value if match["sign"] in ("-", "−") else value, Fraction(0))
    if match := _NUMBER.fullmatch(bare):
        places = match["places"] or ""
        unit = Fraction(1, 10 ** len(places) * (100 if match["percent"] else 1))
        value = int(match["whole"].replace(" ", "") + places) * unit
        rounded = bool(places or match["percent"])
        return Said(-value if match["sign"] in ("-", "−") else value, unit / 2 if rounded else Fraction(0))
    raise NotationError("lessons.answer_number", got=repr(text[:40]))


@dataclass(frozen=True)
class Chart:
    """A small table of numbers shown with a problem. `names` are the keys of the words that stand before the lines."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Problem:
    """One question of a classroom lesson. `key` names its text; `parts` are what the text speaks of."""

    key: str
    answer: Fraction | str
    parts: Mapping[str, object] = field(default_factory=dict)
    #: For a choice: the answers offered (`answer` is one of them); their texts are `choice.<name>` or the name itself.
    choices: tuple[str, ...] = ()
    #: The table to look at.
    state: GameState | None = None
    chart: Chart | None = None
    #: Whether the answer is a rounded number (a square root, say): what is accepted is within `slack` of it.
    slack: Fraction = Fraction(0)
    #: Whether the answer is a probability: only then there is an opposite to mistake it for.
    probability: bool = False
    trial: Trial | None = None
    #: What a run of the trial is, one of `RUNS`.
    a_run: str = "draw"
    #: Keys of earlier questions whose answers it needs: paper has them above it, a page has to show them again.
    rests_on: tuple[str, ...] = ()
    #: How the answer comes about: the parts of the text `<key>_why`.
    working: Mapping[str, object] = field(default_factory=dict)

    def is_right(self, said: str) -> bool:
        """Whether an answer counts: the exact value, or the value rounded as the answer is (to two places or more).

        >>> problem = Problem("p2.one", Fraction(3, 14))
        >>> problem.is_right("3/14"), problem.is_right("0.214"), problem.is_right("21 %"), problem.is_right("0.2")
        (True, True, True, False)
        """
        if self.choices:
            return said == self.answer
        assert isinstance(self.answer, Fraction)
        given = read_number(said)
        off = abs(given.value - self.answer)
        if off <= self.slack:
            return True
        return 0 < given.slack <= Fraction(1, 2 * 10**PLACES) and off <= given.slack

    @property
    def shown_answer(self) -> str:
        """The answer as the key prints it: a fraction with its decimals, or the choice's name."""
        return self.answer if isinstance(self.answer, str) else show(self.answer, exact=self.slack == 0)


def show(value: Fraction, *, exact: bool = True) -> str:
    """A number for people.

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
    """A square root, near enough for any answer."""
    return Fraction(math.isqrt(value.numerator * 10**24 // value.denominator), 10**12)


def mean(values: Sequence[int | Fraction]) -> Fraction:
    """The exact mean."""
    return Fraction(sum(values)) / len(values)


def sample_variance(values: Sequence[int | Fraction]) -> Fraction:
    """The exact variance of a sample (divided by n − 1)."""
    middle = mean(values)
    return sum(((value - middle) ** 2 for value in values), Fraction(0)) / (len(values) - 1)


def run(trial: Trial, times: int, seed: int) -> Iterator[float]:
    """The results of so many experiments that count."""
    rng = Rng.from_seed(seed, stream=9)
    while times:
        result, rng = trial(rng)
        if result is not None:
            times -= 1
            yield result
