"""Lessons and exercises as data, and what is right about them.

The rules lessons are in `data/rules.toml`, their words in `locale/`; the eight probability lessons make their questions
from a seed. Nothing here needs more than the standard library: `nimmt_lab.widgets.lesson` shows it in a notebook.

>>> from nimmt_lab.lessons import lesson_names, problems
>>> lesson_names()[:2]
('first_turn', 'taking_rows')
>>> problems(1, seed=7)[2].shown_answer
'77/47 ≈ 1.6383'
"""

from __future__ import annotations

from .classbook import gradebook
from .classroom import CLASSROOM, Grade, grade, lesson_names, problems
from .problem import Problem
from .results import Results
from .rules import Lesson, Step, rules_lesson, rules_lessons
from .tasks import Task, task_of
from .words import LANGUAGES, words

__all__ = [
    "CLASSROOM",
    "LANGUAGES",
    "Grade",
    "Lesson",
    "Problem",
    "Results",
    "Step",
    "Task",
    "grade",
    "gradebook",
    "lesson_names",
    "problems",
    "rules_lesson",
    "rules_lessons",
    "task_of",
    "words",
]
