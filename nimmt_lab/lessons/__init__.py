"""Lessons and exercises as data, and what is right about them.

The rules lessons are in `data/rules.toml`, their words in `locale/`; the nine probability lessons and the exercises
make their questions from a seed. Nothing here needs more than the standard library: `nimmt_lab.widgets.lesson` shows
it in a notebook.

>>> from nimmt_lab.lessons import lesson_names, problems
>>> lesson_names()[:2]
('first_turn', 'taking_rows')
>>> problems(1, seed=7)[2].shown_answer
'77/47 ≈ 1.6383'
"""

from __future__ import annotations

from . import kinds as _general_kinds  # noqa: F401  (they make themselves known)
from .classbook import gradebook
from .classroom import CLASSROOM, Grade, grade, lesson_names, problems
from .exercises import generate, kinds_of
from .problem import Problem
from .question import Kind, Option, Question, Spot, ask
from .results import Results
from .rules import Lesson, LessonStep, question_of, rules_lesson, rules_lessons
from .words import LANGUAGES, words

__all__ = [
    "CLASSROOM",
    "LANGUAGES",
    "Grade",
    "Kind",
    "Lesson",
    "LessonStep",
    "Option",
    "Problem",
    "Question",
    "Results",
    "Spot",
    "ask",
    "generate",
    "grade",
    "gradebook",
    "kinds_of",
    "lesson_names",
    "problems",
    "question_of",
    "rules_lesson",
    "rules_lessons",
    "words",
]
