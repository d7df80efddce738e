"""The questions of a lesson: those of its steps, and the fresh ones at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons.again import again
from nimmt_lab.lessons.kinds import AtTheEnd
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.rules import LessonStep

from .exercise import ExerciseScreen
from .lesson_words import names_traps, simple

if TYPE_CHECKING:
    from .lesson import RulesLesson
    from .lesson_page import LessonScreen


#: The number of words for a right answer, in turn.
PRAISES: Final = 6


class LessonQuestion(ExerciseScreen):
    """A question inside a lesson, which numbers the steps itself."""

    counted = False

    def __init__(
        self, question: Question, lang: str, lesson: LessonScreen, panels: frozenset[str] = frozenset()
    ) -> None:
        self._lesson = lesson
        # Who wins is read off what everybody has: without it there is nothing to add up.
        needed = panels | {"hands"} if isinstance(question.asked, AtTheEnd) else panels
        self.panels = tuple(sorted(needed))
        super().__init__([question], lang=lang)

    def next(self) -> None:
        self._lesson.go(self._lesson.at + 1)

    @property
    def free(self) -> bool:
        return not self._lesson.waits_now

    def catalogue(self) -> Words:
        return self._lesson.question_words()

    def _verdict(self, reply: Obj) -> None:
        super()._verdict(simple(reply, self._lesson.say, traps=names_traps(self._lesson.name)))

    def labels(self) -> Mapping[str, str]:
        return {"exercise_of": "", "right": self._praise()}

    def seat_names(self) -> Mapping[Seat, str]:
        return self._lesson.seat_names

    def _praise(self) -> str:
        """The word for a right answer: another one at each step, or the step's own."""
        return self._lesson.say(f"praise.{1 + self._lesson.at % PRAISES}")


class LessonExercise(LessonQuestion):
    """The question of a step. After the third wrong answer and the solution, the same idea is asked with other cards,
    which does not count."""

    def __init__(self, question: Question, step: LessonStep, lang: str, lesson: LessonScreen) -> None:
        self._step = step
        super().__init__(question, lang, lesson, step.show)

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        right = super().answer(said, seconds=seconds)
        if self._number == 0:
            self._lesson.heard(self._step.name, said, right)
            if self.misses == MISSES and not right:
                self._given.append(again(self._step, self._lesson.fresh, self._lesson.name))
                self._lesson.may_go_on()
        elif right or self.misses == MISSES:
            self._lesson.solved(self._step.name)
        return right

    def then(self) -> str:
        return self._lesson.say("page.same_again") if self._number == 0 else ""

    @property
    def other_cards(self) -> bool:
        """Whether the question with other cards comes next."""
        return self._number == 0 and len(self._given) > 1

    def turn_to_other_cards(self) -> None:
        self._ask(1)

    def receive(self, message: Obj) -> None:
        super().receive(message)
        if message.get("question") != self._number:
            return
        if message.get("type") == "hint":
            self._lesson.asked_for_hint(self._step.name)
        elif message.get("type") == "show":
            self._lesson.asked_for_hint(self._step.name)
            self._lesson.solved(self._step.name)


class SkipExercise(LessonQuestion):
    """A question of the test that skips a lesson: the first try counts, and then the answer is shown."""

    def __init__(self, question: Question, lang: str, lesson: RulesLesson) -> None:
        self._test = lesson
        super().__init__(question, lang, lesson)

    @property
    def misses(self) -> int:
        return MISSES * super().misses

    def labels(self) -> Mapping[str, str]:
        # There is no second try, so "not yet" would promise too much.
        return {**super().labels(), "retry": self._lesson.say("page.test_wrong")}

    @property
    def helped(self) -> bool:
        return False

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        right = super().answer(said, seconds=seconds)
        self._test.tested(right and not self._hinted)
        return right

    def next(self) -> None:
        self._test.next_in_test()

    def receive(self, message: Obj) -> None:
        super().receive(message)
        if message.get("type") == "show":
            self._test.tested(False)


class PracticeExercise(LessonQuestion):
    """A fresh question at the end of a lesson. It counts if answered right the first time, without a hint."""

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        right = super().answer(said, seconds=seconds)
        if right or self.misses >= MISSES:
            self._lesson.practised(right and not self.misses and not self._hinted)
        return right

    def receive(self, message: Obj) -> None:
        super().receive(message)
        if message.get("type") == "show":
            self._lesson.practised(False)
