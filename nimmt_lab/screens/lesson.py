"""Lessons: see it happen, do it yourself, and a check at the end.

Questions and answers are data in `nimmt_lab.lessons`. The step, the tries and the hints are saved at the desk, so
that a lesson continues where it was left.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.again import practice, skip_question
from nimmt_lab.lessons.classroom import find, lesson_names, number_of, problems
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.rules import question_of, rules_lesson
from nimmt_lab.lessons.worksheet import question_text

from .base import Screen
from .desk import Desk
from .exercise import ExerciseScreen
from .experiment import ExperimentScreen
from .lesson_exercise import LessonExercise, PracticeExercise, SkipExercise
from .lesson_page import PRACTICE, LessonScreen, SheetLesson, stars
from .lesson_words import names_traps, simple
from .problem import ProblemScreen
from .reading import page_of, steps_of
from .replay import ReplayScreen

#: The number of questions in the test that skips a rules lesson.
TEST_QUESTIONS: Final = 3


class RulesLesson(LessonScreen):
    """A rules lesson. A test of `TEST_QUESTIONS` fresh questions, all right at once, skips it."""

    #: Whether the test is offered.
    offers_test: ClassVar[bool] = True

    def __init__(self, name: str, desk: Desk, *, leave: Callable[[str], None] | None = None) -> None:
        self.lesson = rules_lesson(name)
        #: Whether each question of the test so far was right; None without a test.
        self.test: list[bool] | None = None
        self._asked = 0
        super().__init__(name, desk, leave=leave)

    def start_test(self) -> None:
        """Ask the questions that skip the lesson."""
        self.test, self._asked = [], 0
        self.count += 1  # other cards than in a test before
        self._ask_next()

    def tested(self, right: bool) -> None:
        """Note how the question on show was answered; the first answer counts."""
        if self.test is not None and len(self.test) == self._asked:
            self.test.append(right)
            self._unkept()

    def next_in_test(self) -> None:
        """Ask the next question of the test, or end it."""
        if self.test is None or len(self.test) == self._asked:
            return
        self._asked += 1
        if self._asked < TEST_QUESTIONS:
            self._ask_next()
            return
        right, self.test = sum(self.test), None
        if right < TEST_QUESTIONS:
            self.at = 0
            self._step()
            self.show(told=self.say("page.test_failed", right=right, all=TEST_QUESTIONS))
            return
        self.desk.update(lambda now: now.with_lesson(self.name, right, right))
        end = self._ended(self.say("page.test_passed", all=TEST_QUESTIONS), stars(right, right), [])
        self._put(None, {}, at=TEST_QUESTIONS, steps=TEST_QUESTIONS, place="", ready=False, end=end)
        self._keep()
        self._unkept()

    def _ask_next(self) -> None:
        question = skip_question(self.lesson, self.fresh + self.count, self._asked, TEST_QUESTIONS)
        place = self.say("page.test_place", at=self._asked + 1, all=TEST_QUESTIONS)
        board = SkipExercise(question, self.say.lang, self)
        text: Obj = {"title": self.say("page.test")}
        self._put(board, text, at=self._asked, steps=TEST_QUESTIONS, place=place, ready=False, end=None)

    @property
    def testing(self) -> bool:
        return self.test is not None

    @property
    def waits_now(self) -> bool:
        return super().waits_now if self.test is None else len(self.test) == self._asked

    def _skip_words(self) -> str:
        offered = self.offers_test and self.test is None and self.at == 0
        if not offered or self.name in self.desk.progress.done:
            return ""
        return self.say("page.skip_lesson", count=TEST_QUESTIONS)

    def go(self, at: int) -> None:
        if self.test is None:
            super().go(at)
        else:  # back to the lesson
            self.test = None
            self._step()

    def restart(self) -> None:
        self.test = None
        super().restart()

    def switch(self, lang: str) -> None:
        self.test = None
        super().switch(lang)

    def receive(self, message: Obj) -> None:
        """In addition, `test`."""
        if message.get("type") == "test" and self.offers_test:
            self.start_test()
        else:
            super().receive(message)

    def questions(self) -> list[str]:
        return [*(step.name for step in self.lesson.steps), PRACTICE]

    def asks(self, at: int) -> str | None:
        steps = self.lesson.steps
        if at == len(steps):
            return PRACTICE
        return steps[at].name if at < len(steps) and steps[at].ask else None

    def recap(self) -> list[tuple[str, str]]:
        return [(step.name, question_of(step, self.name).prompt(self.say)) for step in self.lesson.questions]

    def make(self, at: int) -> tuple[Obj, Screen | None]:
        say = self.say
        if at == len(self.lesson.steps):
            question = practice(self.lesson, self.fresh, self.count)
            return self._practice_words(), PracticeExercise(question, say.lang, self)
        step = self.lesson.steps[at]
        if step.ask:
            title = say("page.check") if step.check else ""
            return {"title": title}, LessonExercise(question_of(step, self.name), step, say.lang, self)
        said = say(f"{self.name}.{step.name}")
        shown: list[Json] = [*sorted(step.show)]
        board = ReplayScreen(step.record, lang=say.lang)
        scene = simple(board.scene, say, traps=names_traps(self.name))
        _rename(scene, self.seat_names)
        board.show(scene=scene)
        return {"title": "", "text": said, "show": shown}, board

    @property
    def seat_names(self) -> Mapping[Seat, str]:
        """The learner sits at A in the rules lessons: "You (A)"."""
        return {0: self.say("page.you_seat", who=seat_letter(0))}

    def verify(self) -> None:
        for at, step in enumerate(self.lesson.steps):
            _, board = self.make(at)
            if step.ask:
                assert isinstance(board, LessonExercise)
                right = next(iter(board.question.right))
                wrong = [choice for choice in board.question.choices if choice not in board.question.right]
                judge = ExerciseScreen.answer
                assert wrong and not judge(board, wrong[0]) and judge(board, right), step.name


class ClassroomLesson(SheetLesson):
    """A probability lesson: aims and activity, then the questions, some with an experiment."""

    def __init__(
        self,
        number: int,
        desk: Desk,
        *,
        seed: int = 0,
        draws: int | None = None,
        leave: Callable[[str], None] | None = None,
    ) -> None:
        self.number, self.lesson = number, find(number)
        super().__init__(f"p{number}", desk, seed=seed, draws=draws, leave=leave)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return problems(self.number, self.seed)

    def questions(self) -> list[str]:
        return [*steps_of(self.lesson), PRACTICE]

    def asks(self, at: int) -> str | None:
        names = self.questions()
        name = names[at] if at < len(names) else ""
        return name if name == PRACTICE or name in self._by_key else None

    @property
    def _by_key(self) -> dict[str, Problem]:
        return {problem.key: problem for problem in self.problems}

    def recap(self) -> list[tuple[str, str]]:
        return [(problem.key, question_text(problem, self.say)) for problem in self.problems]

    def make(self, at: int) -> tuple[Obj, Screen | None]:
        # The notes for the teacher give away what pupils should find: they are in the key to the worksheets.
        say, name = self.say, self.questions()[at]
        if name == PRACTICE:
            return self._practice_words(), self._fresh_problem()
        draws = zlib.crc32(f"{self.draws} {name}".encode())
        if name not in self._by_key:
            text, read = page_of(self.lesson, name, say, seed=draws)
            return ({**text, "sheet": self.seed} if at == 0 else text), read
        problem = self._by_key[name]

        def heard(said: str, right: bool) -> None:
            self.heard(problem.key, said, right)
            if screen.misses >= MISSES:  # the answer is shown
                self.solved(problem.key)

        solved = problem.key in self._open
        before = enumerate(self.problems[: self.problems.index(problem)], 1)
        earlier = {number: one for number, one in before if one.key in self._open}  # no answer is given away
        screen = ProblemScreen(problem, self.lesson.heads, say, heard, seed=draws, solved=solved, earlier=earlier)
        return {}, screen

    def _early(self, at: int) -> bool:
        """During the practice: when the bell rings, everything that counts has been answered."""
        return self.questions()[at] == PRACTICE

    def _fresh_problem(self) -> ProblemScreen:
        """A question of the lesson with the learner's own numbers."""
        seed = zlib.crc32(f"{self.fresh} {self.count}".encode())
        made = problems(self.number, seed)
        problem = made[self.count % len(made)]

        def heard(said: str, right: bool) -> None:
            if right or screen.misses >= MISSES:
                self.practised(right and not screen.misses)

        by_number = dict(enumerate(made, 1))  # their answers are given
        screen = ProblemScreen(problem, self.lesson.heads, self.say, heard, seed=seed, earlier=by_number)
        return screen

    def restart(self) -> None:
        self.draws += 1
        super().restart()

    def verify(self) -> None:
        for at, name in enumerate(steps_of(self.lesson)):
            self.make(at)
            if name not in self._by_key:
                continue
            problem = self._by_key[name]
            answer = problem.answer
            said = f"{float(answer):.4f}" if problem.slack and not isinstance(answer, str) else str(answer)
            assert problem.is_right(said), problem.key
            if problem.trial is not None:
                experiment = ExperimentScreen(problem, self.say, seed=len(problem.key))  # the same at every check
                experiment.run(200)
                assert isinstance(problem.answer, Fraction)
                # At five standard errors a right answer fails once in a million lessons.
                assert abs(experiment.mean - float(problem.answer)) <= 5 * experiment.error + 1e-9, problem.key


def _rename(scene: Json, names: Mapping[Seat, str]) -> None:
    assert isinstance(scene, dict) and isinstance(scene["seats"], list)
    for seat in scene["seats"]:
        assert isinstance(seat, dict) and isinstance(seat["seat"], int)
        seat["name"] = names.get(seat["seat"], seat["name"])


def lesson(name: str, desk: Desk, *, seed: int = 0, leave: Callable[[str], None] | None = None) -> LessonScreen:
    """A rules lesson by name, a probability lesson (p1 to p9), or one of the learner's own.

    >>> page = lesson("first_turn", Desk(None, lang="pl"))
    >>> page.questions()[:3]
    ['goal', 'row', 'closest']
    >>> page.go(1); page.at
    1
    >>> page.go(2); page.at  # the question comes first
    1
    """
    if name not in lesson_names():
        from .own_lesson import OwnLesson  # which builds on this module

        return OwnLesson(desk.library.find(name), desk, seed=seed, leave=leave)
    number = number_of(name)
    if number is not None:
        return ClassroomLesson(number, desk, seed=seed, leave=leave)
    if seed:
        raise RulesError("screens.only_probability_lessons")
    return RulesLesson(name, desk, leave=leave)
