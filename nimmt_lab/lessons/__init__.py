"""Lessons and exercises as data, with their answers worked out by the engine.

A lesson is a file (`lessonfile.py`), those of the package in `shipped/`; the nine probability lessons and the exercises
make their questions from a seed. This package needs only the standard library; `nimmt_lab.widgets.lesson` shows lessons
in a notebook.

>>> from nimmt_lab.lessons import lesson_names, problems
>>> lesson_names()[:2]
('first_turn', 'taking_rows')
>>> problems(1, seed=7)[2].shown_answer
'77/47 ≈ 1.6383'
"""

from . import kinds as _general_kinds  # noqa: F401  (registers them)
from .classbook import gradebook
from .classroom import CLASSROOM, Grade, grade, lesson_names, problems
from .exercises import generate, kinds_of
from .lessonfile import load_lesson, read_lesson
from .library import Library
from .problem import Problem
from .question import Kind, Option, Question, Spot, ask
from .results import Results
from .rules import Lesson, LessonStep, question_of, rules_lesson, rules_lessons
from .words import LANGUAGES, words

__all__ = [
    "CLASSROOM", "LANGUAGES", "Grade", "Kind", "Lesson", "LessonStep", "Library", "Option", "Problem", "Question",
    "Results", "Spot", "ask", "generate", "grade", "gradebook", "kinds_of", "lesson_names", "load_lesson", "problems",
    "question_of", "read_lesson", "rules_lesson", "rules_lessons", "words",
]  # fmt: skip
