"""A lesson in a notebook cell: a tutorial's code cell contains only `show("first_turn")`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.again import again
from nimmt_lab.lessons.classroom import find, problems
from nimmt_lab.lessons.lessonfile import load_lesson
from nimmt_lab.lessons.notebooks import contents
from nimmt_lab.lessons.rules import question_of
from nimmt_lab.lessons.words import words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.lesson_page import LessonScreen
from nimmt_lab.screens.own_lesson import OwnLesson
from nimmt_lab.screens.problem import ProblemScreen

from .base import Page

__all__ = ["Contents", "Lesson", "LessonPage", "ask", "progress", "show"]


class LessonPage(Page):
    """A lesson as one widget. It continues where the learner left it."""

    screen: LessonScreen

    def __init__(self, name: str, *, seed: int = 0, lang: str | None = None, folder: str | Path | None = None) -> None:
        super().__init__(lesson(name, Desk.found(folder, lang), seed=seed))

    def verify(self) -> None:
        """Check that the engine's answer to every question is accepted; raises if one is not."""
        self.screen.verify()


def show(name: str, *, seed: int = 0, lang: str | None = None) -> LessonPage:
    """A lesson to click through: a rules lesson by name, or a probability lesson as p1 to p9.

    >>> page = show("first_turn", lang="pl")
    >>> page.screen.questions()[:3]
    ['goal', 'row', 'closest']
    """
    return LessonPage(name, seed=seed, lang=lang)


class QuestionPage(Page):
    """One question of a lesson. Nothing is kept."""

    screen: ProblemScreen | ExerciseScreen


def ask(question: str, *, seed: int = 0, lang: str | None = None) -> QuestionPage:
    """One question of a lesson: `ask("p2.two", seed=7)`. With a seed, a question about the rules has other cards.

    >>> ask("p2.two", seed=7).screen.problem.key, ask("first_turn.row").screen.question.card
    ('p2.two', 25)
    """
    name, _, step_name = question.partition(".")
    lesson, lang = find(name), lang or memory.current().lang
    step = next((step for step in lesson.questions if step.name == step_name), None)
    if step is None:
        known = ", ".join(f"{name}.{step.name}" for step in lesson.questions)
        raise RulesError("lessons.no_question", question=shown(question), known=known)
    if step.in_words:
        made = problems(name, seed)
        problem = next(one for one in made if one.key == question)
        screen = ProblemScreen(
            problem, lesson.heads, words(lang), lambda said, right: None, seed=seed, earlier=dict(enumerate(made, 1))
        )
        return QuestionPage(screen)
    return QuestionPage(ExerciseScreen([again(step, seed, name) if seed else question_of(step, name)], lang=lang))


class Lesson(Page):
    """A lesson of one's own, from its file. A program in it runs only if you have confirmed this file, with
    `nimmt-lab lesson check FILE`.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from nimmt_lab.lessons.authoring import template
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.toml")
    ...     _ = file.write_text(template("mine", "en"))
    ...     page = Lesson(file)
    >>> page.screen.lesson.steps[0].name
    'see'
    """

    screen: OwnLesson

    def __init__(
        self, file: str | Path, *, seed: int = 0, lang: str | None = None, folder: str | Path | None = None
    ) -> None:
        super().__init__(OwnLesson(load_lesson(Path(file)), Desk.found(folder, lang), seed=seed))


@dataclass(frozen=True)
class Contents:
    """The list of lessons with the progress, for the index page."""

    markdown: str

    def _repr_markdown_(self) -> str:
        return self.markdown


def progress() -> Contents:
    """The progress, with links to every lesson.

    >>> "first_turn.ipynb" in progress().markdown
    True
    """
    now = memory.current()
    return Contents(contents(now.lang, now.done))
