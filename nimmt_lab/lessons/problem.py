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
from unicodedata import decomposition, normalize

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

from .arithmetic import LONGEST, evaluate, square_root

#: One experiment: its result (None if a condition was not met and it does not count), and the random stream after it.
Trial: TypeAlias = Callable[[Rng], tuple[float | None, Rng]]

# Spaces inside a number may separate thousands (2 400), or a whole number from a proper fraction (8 23/104).
_SIGN = r"(?P<sign>[-+−]?) ?"
_WHOLE = r"(?P<whole>[0-9]{1,12}|[0-9]{1,3}(?: [0-9]{3}){1,3})"
_PLACES = r"[.,](?P<places>[0-9]{1,12})"
_NUMBER = re.compile(rf"{_SIGN}(?:{_WHOLE}(?:{_PLACES})?|{_PLACES.replace('places', 'only')})(?: ?(?P<percent>%))?")
_FRACTION = re.compile(rf"{_SIGN}(?:(?P<whole>[0-9]{{1,12}}) )?(?P<top>[0-9]{{1,12}}) ?/ ?(?P<bottom>[0-9]{{1,12}})")

#: What an answer may begin with: P(A) = 3/14, ≈ 0.214.
_NAMED = re.compile(r"(?:[PpEeXx](?: ?\([^()=≈]{0,20}\))? ?)?[=≈] ?(?=.)")
_EQUALS = re.compile(r" ?[=≈] ?")
_DECIMALS = re.compile(r"[0-9]*(?:[.,]([0-9]+))? ?(%?)")
_SUM = re.compile(r"[-−–+0-9., %]+")
#: Digits of a number inside a calculation, and sides of an equation.
_LONG_NUMBER = re.compile(r"[0-9]{13,}")
MOST_SIDES = 4
#: A fraction with a larger denominator is shown as a decimal.
MOST_SHOWN = 10**6

#: What a run of an experiment can be: a turn of the game, a draw, a new hand for B, coins, cards from a mixed strategy.
#: It selects the text about the experiment.
RUNS = ("turn", "draw", "deal", "coins", "mix")

#: Values that two decimals cannot tell apart are the same wrong idea.
CLOSEST = Fraction(1, 200)
#: A decimal answer needs this many places unless it is exact.
PLACES = 2


@dataclass(frozen=True)
class Given:
    """A numerical answer: its value, and half a unit in its last place (0 for whole numbers and fractions)."""

    value: Fraction
    slack: Fraction

    @property
    def reach(self) -> Fraction:
        """How far the value of a wrong idea may be from the number, so that it says something about the pupil.

        >>> [str(Given(Fraction(said), Fraction(1, 20)).reach) for said in ("0.3", "14.9")]
        ['3/500', '1/20']
        """
        return min(self.slack, max(CLOSEST, abs(self.value) / 50))


#: The longest number, spaces included.
LONGEST_ANSWER = 1000


def read_number(text: str) -> Given:
    """Read an answer as people write it: 3/14, 8 23/104, 0.214, 0,214, .214, 21.4%, 5, 2 400, or a calculation:
    9*21/435, C(6,2)/C(30,2), 6/30 = 0.2, ½, ≈ 0.21. Sides of an equation must agree, and the most exact one counts.

    >>> read_number("3/14").value, read_number("21,4 %")
    (Fraction(3, 14), Given(value=Fraction(107, 500), slack=Fraction(1, 2000)))
    >>> read_number("8 23/104").value == 8 + Fraction(23, 104)
    True
    >>> [str(read_number(said).value) for said in (".3", "9*21/435", "C(6,2)/C(30,2)", "6/30 = 0.2")]
    ['3/10', '63/145', '1/29', '1/5']
    >>> [str(read_number(said).value) for said in ("½", "1½", "2⁄3", "≈ 0.5")]
    ['1/2', '3/2', '2/3', '1/2']
    """
    # Splitting a megabyte costs 50 ms for each question asked, and no answer is that long.
    bare = " ".join(_plain_fractions(text).split()) if len(text) <= LONGEST_ANSWER else ""
    bare = bare[match.end() :] if (match := _NAMED.match(bare)) else bare
    sides = _EQUALS.split(bare)
    if len(sides) > MOST_SIDES:
        raise NotationError("lessons.answer_number", got=repr(text[:40]))
    found = [_side(side, text) for side in sides]
    best = min(found, key=lambda given: given.slack)
    for given in found:
        if abs(given.value - best.value) > given.slack + best.slack:
            raise NotationError("lessons.answer_unequal", one=show(found[0].value), other=show(given.value))
    return best


def _plain_fractions(text: str) -> str:
    """Fractions in one character, which phones like to write, in several: ½ is 1/2, 1½ is 1 1/2."""
    return "".join(
        f" {normalize('NFKC', char)}" if decomposition(char).startswith("<fraction>") else char for char in text
    ).replace("\u2044", "/")


def _side(bare: str, text: str) -> Given:
    """A number, or a calculation."""
    if match := _FRACTION.fullmatch(bare):
        top, bottom = int(match["top"]), int(match["bottom"])
        if bottom == 0:
            raise NotationError("lessons.divided_0", text=repr(text[:40]))
        if match["whole"] and top >= bottom:  # 1 024/3 is ambiguous
            raise NotationError("lessons.proper", got=repr(text[:40]))
        value = int(match["whole"] or 0) + Fraction(top, bottom)
        return Given(-value if match["sign"] in ("-", "−") else value, Fraction(0))
    if match := _NUMBER.fullmatch(bare):
        places = match["places"] or match["only"] or ""
        unit = Fraction(1, 10 ** len(places) * (100 if match["percent"] else 1))
        value = int((match["whole"] or "").replace(" ", "") + places) * unit
        rounded = bool(places or match["percent"])
        return Given(-value if match["sign"] in ("-", "−") else value, unit / 2 if rounded else Fraction(0))
    if bare[:2] in ("--", "++", "+-", "-+") or _LONG_NUMBER.search(bare) or len(bare) > LONGEST:
        raise NotationError("lessons.answer_number", got=repr(text[:40]))
    try:
        value = evaluate(bare, comma=True)
    except NotationError as error:
        if error.key == "lessons.divided_0":
            raise
        raise NotationError("lessons.answer_number", got=repr(text[:40])) from None
    # A sum of rounded numbers is rounded; a product would be worse than it looks.
    decimals: list[tuple[str, str]] = _DECIMALS.findall(bare)
    digits = [len(after) + 2 * bool(percent) for after, percent in decimals if after or percent]
    unit = Fraction(1, 10 ** min(digits)) if digits and _SUM.fullmatch(bare) else Fraction(0)
    return Given(value, unit / 2)


#: How a plain answer is written; another one is repeated as it was read.
_PLAIN = re.compile(r"[-−]?[0-9]+(?:\.[0-9]+|/[0-9]+)?")


def read_as(text: str) -> str:
    """An answer as it was read, if that is not how it was written; the text must be readable.

    >>> read_as("6/30"), read_as("9*21/435"), read_as("30 %"), read_as(",3")
    ('', '63/145 ≈ 0.4345', '3/10 = 0.3', '3/10 = 0.3')
    """
    if _PLAIN.fullmatch(text.strip()):
        return ""
    value = read_number(text).value
    return show(value) if value.denominator < MOST_SHOWN else f"≈ {decimal(value, 4)}"


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


def wrong_ideas(answer: Fraction, slack: Fraction = Fraction(0), /, **values: Fraction) -> dict[str, Fraction]:
    """What wrong ideas lead to, by name: those that lead to the answer itself, or where an earlier one leads, say
    nothing about a pupil and are left out.

    >>> wrong_ideas(Fraction(1, 2), added=Fraction(3, 4), half=Fraction(1, 2), twice=Fraction(3, 4))
    {'added': Fraction(3, 4)}
    """
    kept: dict[str, Fraction] = {}
    for name, value in values.items():
        if all(abs(value - other) > max(slack, CLOSEST) for other in (answer, *kept.values())):
            kept[name] = value
    return kept


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
        return next((name for name, off in near if off <= max(given.reach, self.slack)), "")

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
    """Format a number for people: with a real minus sign, and halves rounded up.

    >>> show(Fraction(3, 14)), show(Fraction(4)), show(Fraction(5, 2)), show(Fraction(12345, 100000), exact=False)
    ('3/14 ≈ 0.2143', '4', '5/2 = 2.5', '≈ 0.123')
    >>> show(Fraction(-29, 32))
    '−29/32 ≈ −0.9063'
    """
    if not exact:
        return f"≈ {decimal(value, 3)}"
    if value.denominator == 1:
        return minus(str(value.numerator))
    decimals = decimal(value, 4).rstrip("0")
    return f"{minus(str(value))} {'=' if Fraction(decimals.replace('−', '-')) == value else '≈'} {decimals}"


def decimal(value: Fraction, places: int) -> str:
    """A number with that many places, halves rounded away from zero.

    >>> decimal(Fraction(29, 32), 4), decimal(Fraction(-1, 200), 2), decimal(Fraction(7), 1)
    ('0.9063', '−0.01', '7.0')
    """
    units = math.floor(abs(value) * 10**places + Fraction(1, 2))
    sign = "−" if value < 0 and units else ""
    digits = str(units).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def about(value: Fraction, places: int) -> str:
    """A number after its sign of equality, with more places if it would look like a whole number.

    >>> about(Fraction(2100), 1), about(Fraction(1, 3), 2), about(Fraction("27.04"), 1)
    ('= 2100', '≈ 0.33', '≈ 27.04')
    """
    if value.denominator == 1:
        return f"= {minus(str(value))}"
    while decimal(value, places).endswith("." + "0" * places):
        places += 1
    return f"≈ {decimal(value, places)}"


def minus(text: str) -> str:
    """A number with a real minus sign."""
    return text.replace("-", "−")


def bracketed(value: Fraction) -> str:
    """A number as a factor or before a power: fractions and negative numbers in brackets.

    >>> bracketed(Fraction(19, 28)), bracketed(Fraction(-2)), bracketed(Fraction(3))
    ('(19/28)', '(−2)', '3')
    """
    text = minus(str(value))
    return text if value >= 0 and value.denominator == 1 else f"({text})"


def root(value: Fraction) -> Fraction:
    return square_root(value)


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
