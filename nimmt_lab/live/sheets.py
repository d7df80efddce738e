"""A class's results without a network: what follows from its sheets, its hand-ins, and codes that were read out.

>>> from nimmt_lab.lessons.class_list import ClassList
>>> pooled = pool_sheets(ClassList(7, {"Ann": 7001, "Bob": 7002}), 4, codes=["ECV-YK"])
>>> [one.key for one in pooled][:2], pooled[0].sheets.dots, pooled[0].found.runs
(['p4.estimate', 'p4.exact'], (0.225, 0.3), 40)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.lessons.class_list import ClassList
from nimmt_lab.lessons.classroom import problems
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.words import words
from nimmt_lab.lessons.worksheet import question_text

from .found import Found
from .pool import Pooled, pool


@dataclass(frozen=True)
class QuestionPool:
    """One question of a lesson, over all sheets of a class."""

    key: str
    #: The question as the first sheet asks it.
    problem: Problem
    #: The right answers of all sheets, one value each; None if the answer is a choice, or if the sheets ask with other
    #: numbers: the mean of the answers to different questions says nothing.
    sheets: Pooled | None
    #: How many pupils have handed in an answer to it, and how many were right in the end.
    answered: int
    right: int
    #: Results of experiments, from codes.
    found: Pooled | None


def pool_sheets(
    class_list: ClassList, lesson: int, *, hand_ins: Path | None = None, codes: Iterable[str] = ()
) -> tuple[QuestionPool, ...]:
    """Pool a class's sheets of a lesson. Files that aren't answers to this lesson and these sheets don't count."""
    seeds = list(class_list.pupils.values())
    typed = [Found.read(code) for code in dict.fromkeys(codes)]
    grades: dict[str, list[bool]] = {}
    for results in _handed_in(hand_ins, f"p{lesson}", set(seeds)):
        for mark in results.grades:
            if mark.tries:
                grades.setdefault(mark.question, []).append(mark.right)
    made: list[QuestionPool] = []
    sheets, say = [problems(lesson, seed) for seed in seeds], words("en")
    for at, first in enumerate(sheets[0]):
        values = [own[at].answer for own in sheets]
        same = len({question_text(own[at], say) for own in sheets}) == 1
        numbers = [[(float(value), 1)] for value in values if same and not isinstance(value, str)]
        marks = grades.get(first.key, [])
        found = pool((), [one for one in typed if one.question == at + 1])
        made.append(QuestionPool(first.key, first, pool(numbers), len(marks), sum(marks), found))
    return tuple(made)


def _handed_in(folder: Path | None, lesson: str, seeds: set[int]) -> list[Results]:
    """The answers of a folder, the last file of each sheet."""
    if folder is None:
        return []
    latest: dict[int, Results] = {}
    for path in sorted(folder.rglob("*.json")):
        try:
            results = Results.load(path, follow=False)
        except NimmtError:
            continue
        if results.lesson == lesson and results.seed in seeds:
            latest[results.seed] = results
    return list(latest.values())
