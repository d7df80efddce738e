"""Feedback on a wrong answer: the likely slip, or whether a number is too large or too small. Never the answer.

>>> from nimmt_lab.lessons.words import words
>>> problem = Problem("p2.one", Fraction(3, 14), probability=True)
>>> missed(problem, "11/14", words("en"))
'That is the probability of the opposite.'
>>> missed(problem, "14/3", words("en")), missed(problem, "0.5", words("en"))
('Upside down: divide the other way round.', 'That is too large.')
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .problem import Problem, read_number
from .words import Words

#: Relative errors up to this look like rounding.
NEAR: Final = Fraction(1, 50)


#: Slips in numbers that every question knows.
_COMMON: Final = {
    "opposite": "missed.opposite",
    "upside_down": "missed.upside_down",
    "sign": "missed.sign",
    "per_cent": "missed.per_cent",
    "rounding": "missed.rounding",
}


def slip_of(problem: Problem, said: str) -> str:
    """The name of the wrong idea behind a wrong answer: one of the question's own, or one that every question knows.
    Empty if there is no telling.

    >>> slip_of(Problem("p2.one", Fraction(3, 14), probability=True), "11/14")
    'opposite'
    """
    if own := problem.slip(said):
        return own
    answer = problem.answer
    if isinstance(answer, str):
        return ""
    given = read_number(said)
    value, slack = given.value, max(given.slack, problem.slack)

    def like(other: Fraction) -> bool:
        return abs(value - other) <= slack

    if problem.probability and like(1 - answer):
        return "opposite"
    if answer and like(1 / answer):
        return "upside_down"
    if answer and like(-answer):
        return "sign"
    if 0 < answer < 1 and like(100 * answer):
        return "per_cent"
    # Whole numbers are not rounded.
    if answer.denominator > 1 and abs(value - answer) <= NEAR * max(Fraction(1), abs(answer)):
        return "rounding"
    return ""


def slip_text(problem: Problem, slip: str, say: Words) -> str:
    """The sentence for a wrong idea."""
    if slip in _COMMON and slip not in problem.slips:
        return say(_COMMON[slip])
    return say(f"{problem.key}_slip_{slip}", **{**problem.parts, **problem.working})


def missed(problem: Problem, said: str, say: Words) -> str:
    """Feedback on a wrong answer in readable form."""
    if slip := slip_of(problem, said):
        return slip_text(problem, slip, say)
    if isinstance(problem.answer, str):
        return say("missed.choice")
    return say("missed.too_large" if read_number(said).value > problem.answer else "missed.too_small")
