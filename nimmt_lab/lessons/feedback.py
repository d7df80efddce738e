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


def missed(problem: Problem, said: str, say: Words) -> str:
    """Feedback on a wrong answer in readable form."""
    answer = problem.answer
    if slip := problem.slip(said):
        return say(f"{problem.key}_slip_{slip}", **{**problem.parts, **problem.working})
    if isinstance(answer, str):
        return say("missed.choice")
    given = read_number(said)
    value, slack = given.value, max(given.slack, problem.slack)

    def like(other: Fraction) -> bool:
        return abs(value - other) <= slack

    if problem.probability and like(1 - answer):
        return say("missed.opposite")
    if answer and like(1 / answer):
        return say("missed.upside_down")
    if answer and like(-answer):
        return say("missed.sign")
    if 0 < answer < 1 and like(100 * answer):
        return say("missed.per_cent")
    # Whole numbers are not rounded.
    if answer.denominator > 1 and abs(value - answer) <= NEAR * max(Fraction(1), abs(answer)):
        return say("missed.rounding")
    return say("missed.too_large" if value > answer else "missed.too_small")
