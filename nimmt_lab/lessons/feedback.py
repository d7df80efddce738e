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


def slip_text(problem: Problem, slip: str, say: Words) -> str:
    """The sentence for a wrong idea: the question's own, that of the idea, or one for any number."""
    key = f"{problem.key}_slip_{slip}"
    if slip in problem.slips:
        return say(key if say.has(key) else f"slip_text.{slip}", **{**problem.parts, **problem.working})
    return say(f"missed.{slip}")


def missed(problem: Problem, said: str, say: Words) -> str:
    """Feedback on a wrong answer in readable form."""
    if slip := slip_of(problem, said):
        return slip_text(problem, slip, say)
    if isinstance(problem.answer, str):
        return say("missed.choice")
    return say("missed.too_large" if read_number(said).value > problem.answer else "missed.too_small")


def slip_of(problem: Problem, said: str) -> str:
    """The name of the wrong idea behind a wrong answer, or "": one of the question's own, or one that any number can
    come from. `slip.<name>` is what people call it.

    >>> slip_of(Problem("p2.one", Fraction(3, 14), probability=True), "11/14")
    'opposite'
    """
    answer = problem.answer
    if isinstance(answer, str):
        return problem.slip(said)
    given = read_number(said)
    # One place of the right answer may be that of a wrong idea, too: 1/3 and 2/7 are both 0.3.
    if answer.denominator > 1 and abs(given.value - answer) <= given.slack:
        return "rounding"
    if slip := problem.slip(said):
        return slip
    value, slack = given.value, max(given.reach, problem.slack)

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
    if answer.denominator > 1 and abs(value - answer) <= NEAR * abs(answer):
        return "rounding"
    return ""
