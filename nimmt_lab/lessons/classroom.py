"""The nine probability lessons, and every question of every lesson by name.

>>> [problem.key for problem in problems(2, seed=7)][:2]
['p2.between', 'p2.one']
>>> grade("p2", 7, {"p2.between": ["3", "10"]})[0]
Grade(question='p2.between', tries=2, right=True, first=False)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import shown

from .chance import conditional, counting, risk, safe
from .problem import Problem
from .rules import question_of, rules_lesson, rules_lessons
from .samples import claim, distributions, simulation
from .skill import luck_and_skill
from .strategy import matrix_games

#: The lessons by number: each makes its questions from a seed.
CLASSROOM: Mapping[int, Callable[[int], tuple[Problem, ...]]] = dict(
    enumerate(
        (counting, safe, conditional, simulation, distributions, risk, matrix_games, claim, luck_and_skill), start=1
    )
)

#: Lessons that count heads: their sheets and pages explain how many heads a card has.
COUNTS_HEADS = frozenset({1, 2, 6, 7})


@lru_cache(maxsize=64)
def problems(lesson: int, seed: int) -> tuple[Problem, ...]:
    """The questions of a classroom lesson; each seed has its own numbers."""
    if lesson not in CLASSROOM:
        raise RulesError("shared.no_lesson_of", lesson=shown(lesson), known=", ".join(map(str, CLASSROOM)))
    return CLASSROOM[lesson](seed)


def lesson_names() -> tuple[str, ...]:
    """Every lesson: the rules lessons by name, the classroom ones as p1 to p9."""
    return (*(lesson.name for lesson in rules_lessons()), *(f"p{number}" for number in CLASSROOM))


def number_of(name: str) -> int | None:
    """The number of a classroom lesson (`p2`); None for a rules lesson."""
    match = re.fullmatch(r"p(\d)", name)
    return int(match.group(1)) if match else None


def judges(name: str, seed: int = 0) -> dict[str, Callable[[str], bool]]:
    """A judge for each question of a lesson: whether an answer is right."""
    number = number_of(name)
    if number is not None:
        return {problem.key: problem.is_right for problem in problems(number, seed)}
    tasks = {step.name: question_of(step).right for step in rules_lesson(name).questions}
    return {question: right.__contains__ for question, right in tasks.items()}


@dataclass(frozen=True)
class Grade:
    """How a question was answered."""

    question: str
    tries: int
    right: bool
    first: bool


def grade(name: str, seed: int, tries: Mapping[str, Sequence[str]]) -> tuple[Grade, ...]:
    """Judge every try again; marks in a file would not count."""
    grades = []
    for question, is_right in judges(name, seed).items():
        verdicts = [judged(is_right, answer) for answer in tries.get(question, ())]
        grades.append(Grade(question, len(verdicts), any(verdicts), bool(verdicts) and verdicts[0]))
    return tuple(grades)


def judged(is_right: Callable[[str], bool], answer: str) -> bool:
    """Whether an answer is right; an unreadable one is wrong."""
    try:
        return is_right(answer)
    except NotationError:
        return False
