"""The questions of every lesson by name, with the numbers of a seed, and how answers are judged.

>>> [problem.key for problem in problems(2, seed=7)][:2]
['p2.between', 'p2.one']
>>> grade("p2", 7, {"p2.between": ["3", "10"]})[0]
Grade(question='p2.between', tries=2, right=True, first=False, marks=1, marks_of=1)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import shown

from .asked import problems_of
from .problem import Problem
from .question import Question
from .reply import MISSES
from .rules import Lesson, question_of
from .shipped import full_name, names, order, shipped
from .words import Words

#: The numbers of the classroom lessons, p1 to p9.
CLASSROOM: Final = range(1, len(order()["probability"]) + 1)

#: A lesson: read from a file, or one of the package by name or, in the classroom, by number.
Ref: TypeAlias = Lesson | str | int


def find(lesson: Ref) -> Lesson:
    """A lesson of the package; a lesson that was read is passed on.

    >>> find(2).name, find("first_turn").name
    ('p2', 'first_turn')
    """
    if isinstance(lesson, Lesson):
        return lesson
    name = full_name(str(lesson))
    if name not in lesson_names():
        known = map(str, CLASSROOM) if isinstance(lesson, int) else lesson_names()
        raise RulesError("shared.no_lesson_of", lesson=shown(lesson), known=", ".join(known))
    return shipped(name)


def lesson_names() -> tuple[str, ...]:
    """Every lesson of the package: the rules lessons by name, the classroom ones as p1 to p9."""
    return names()


def problems(lesson: Ref, seed: int) -> tuple[Problem, ...]:
    """The questions of a lesson; each seed has its own numbers."""
    if isinstance(lesson, Lesson):
        return problems_of(lesson, seed)
    return _problems(find(lesson).name, seed)


@lru_cache(maxsize=64)
def _problems(name: str, seed: int) -> tuple[Problem, ...]:
    return problems_of(shipped(name), seed)


def number_of(name: str) -> int | None:
    """The number of a classroom lesson (`p2`); None for any other."""
    match = re.fullmatch(r"p(\d)", name)
    return int(match.group(1)) if match else None


def label_of(lesson: Lesson) -> str:
    """What files and commands call a lesson: its number in the classroom, otherwise its name."""
    number = number_of(lesson.name)
    return lesson.name if number is None else str(number)


def title_of(lesson: Lesson, say: Words) -> str:
    """The title, with the number in the classroom."""
    title, number = say(f"{lesson.name}.title"), number_of(lesson.name)
    return title if number is None else say("sheet.title", number=number, title=title)


def asked_in(lesson: Ref, seed: int = 0) -> dict[str, Problem | Question]:
    """What a lesson asks, by the names under which answers are saved."""
    found = find(lesson)
    if found.questions_by:
        return {problem.key: problem for problem in problems(lesson, seed)}
    in_words = problems(found, seed) if any(step.in_words for step in found.questions) else ()
    return {
        step.name: in_words[at] if step.in_words else question_of(step, found.name)
        for at, step in enumerate(found.questions)
    }


def judges(lesson: Ref, seed: int = 0) -> dict[str, Callable[[str], bool]]:
    """A judge for each question of a lesson: whether an answer is right."""
    return {
        name: asked.right.__contains__ if isinstance(asked, Question) else asked.is_right
        for name, asked in asked_in(lesson, seed).items()
    }


@dataclass(frozen=True)
class Grade:
    """How a question was answered. An answer that was right only after the solution was shown earns no marks."""

    question: str
    tries: int
    right: bool
    first: bool
    marks: int = 0
    marks_of: int = 1


def grade(lesson: Ref, seed: int, tries: Mapping[str, Sequence[str]]) -> tuple[Grade, ...]:
    """Judge every try again; marks in a file would not count."""
    grades = []
    worth = (step.marks for step in find(lesson).questions)
    for (question, is_right), marks in zip(judges(lesson, seed).items(), worth, strict=True):
        verdicts = [judged(is_right, answer) for answer in tries.get(question, ())]
        earned = marks if any(verdicts[:MISSES]) else 0
        first = bool(verdicts) and verdicts[0]
        grades.append(Grade(question, len(verdicts), any(verdicts), first, earned, marks))
    return tuple(grades)


def judged(is_right: Callable[[str], bool], answer: str) -> bool:
    """Whether an answer is right; an unreadable one is wrong."""
    try:
        return is_right(answer)
    except NotationError:
        return False
