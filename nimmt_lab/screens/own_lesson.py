"""A lesson of one's own: texts, tables to watch, and questions of all kinds, in the order of its file."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.events import Json
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons.asked import own_words_of, words_of
from nimmt_lab.lessons.classroom import Ref, problems
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.rules import Lesson, LessonStep, question_of
from nimmt_lab.lessons.worksheet import question_text

from .base import Screen
from .desk import Desk
from .exercise import ExerciseScreen
from .lesson_exercise import LessonExercise
from .lesson_page import SheetLesson
from .problem import ProblemScreen
from .replay import ReplayScreen

#: The first step of a lesson with aims or an activity. No step of a file has this name.
START = "start-page"


class OwnLesson(SheetLesson):
    """A lesson from a file.

    >>> from nimmt_lab.lessons.authoring import template
    >>> from nimmt_lab.lessons.lessonfile import read_lesson
    >>> page = OwnLesson(read_lesson(template("mine", "en")), Desk(None))
    >>> page.questions()
    ['start-page', 'see', 'row', 'pick', 'chance']
    >>> page.go(4); page.at  # the first question comes before
    2
    """

    module: ClassVar[str] = "screens/lesson"

    def __init__(
        self,
        lesson: Lesson,
        desk: Desk,
        *,
        seed: int = 0,
        draws: int | None = None,
        leave: Callable[[str], None] | None = None,
    ) -> None:
        self.lesson = lesson
        super().__init__(lesson.name, desk, seed=seed, draws=draws, leave=leave)

    @property
    def asked_by(self) -> Ref:
        return self.lesson

    def words_in(self, lang: str) -> Words:
        return words_of(self.lesson, lang)

    def question_words(self) -> Words:
        return own_words_of(self.lesson, self.desk.lang)

    @property
    def _starts(self) -> bool:
        return any(self.say.has(f"{self.name}.{part}") for part in ("aims", "activity"))

    def questions(self) -> list[str]:
        return [*([START] if self._starts else []), *(step.name for step in self.lesson.steps)]

    def _step_at(self, at: int) -> LessonStep | None:
        name = self.questions()[at] if at < len(self.questions()) else START
        return next((step for step in self.lesson.steps if step.name == name), None)

    def asks(self, at: int) -> str | None:
        step = self._step_at(at)
        return step.name if step is not None and step.ask else None

    @property
    def problems(self) -> dict[str, Problem]:
        """The questions by step."""
        made = problems(self.lesson, self.seed)
        return {step.name: problem for step, problem in zip(self.lesson.questions, made, strict=True)}

    def recap(self) -> list[tuple[str, str]]:
        return [(name, question_text(problem, self.say)) for name, problem in self.problems.items()]

    def make(self, at: int) -> tuple[Obj, Screen | None]:
        say, step = self.say, self._step_at(at)
        if step is None:
            parts: list[Json] = [
                {"title": say(f"page.{part}"), "text": say(f"{self.name}.{part}")}
                for part in ("aims", "activity")
                if say.has(f"{self.name}.{part}")
            ]
            return {"parts": parts, **({"sheet": self.seed} if self.lesson.drawn else {})}, None
        if step.in_words:
            return {}, self._problem(step)
        if step.ask:
            title = say("page.check") if step.check else ""
            return {"title": title}, LessonExercise(question_of(step, self.name), step, say.lang, self)
        text = say(f"{self.name}.{step.name}")
        if not step.position:
            return {"title": "", "text": text}, None
        panels: list[Json] = [*sorted(step.show)]
        return {"title": "", "text": text, "show": panels}, ReplayScreen(step.record, lang=say.lang)

    def _problem(self, step: LessonStep) -> ProblemScreen:
        problem = self.problems[step.name]

        def heard(said: str, right: bool) -> None:
            self.heard(step.name, said, right)
            if screen.misses >= MISSES:  # the answer is shown
                self.solved(step.name)

        draws = zlib.crc32(f"{self.draws} {problem.key}".encode())
        solved = step.name in self._open
        screen = ProblemScreen(problem, self.lesson.heads, self.say, heard, seed=draws, solved=solved)
        return screen

    def verify(self) -> None:
        for at in range(len(self.questions())):
            _, board = self.make(at)
            if isinstance(board, LessonExercise):
                assert ExerciseScreen.answer(board, next(iter(board.question.right)))
            elif isinstance(board, ProblemScreen):
                answer = board.problem.answer
                assert board.problem.is_right(str(answer)), board.problem.key
