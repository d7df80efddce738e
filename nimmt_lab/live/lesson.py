"""Lessons in step with a class.

They are the lessons of `nimmt_lab.screens.lesson`, with the same questions for everybody. While the class waits, an
answer is kept and judged when the teacher reveals the right one. What a pupil answers and finds goes to `effects`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import DataError, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.asked import words_of
from nimmt_lab.lessons.classroom import asked_in, find, lesson_names, number_of
from nimmt_lab.lessons.lessonfile import ENDINGS, load_lesson
from nimmt_lab.lessons.library import Library
from nimmt_lab.lessons.problem import Problem, read_number
from nimmt_lab.lessons.progress import find_folder
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.rules import Lesson
from nimmt_lab.lessons.words import Words, words
from nimmt_lab.screens import reading
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.experiment import ExperimentScreen
from nimmt_lab.screens.lesson import ClassroomLesson, RulesLesson
from nimmt_lab.screens.lesson_page import PRACTICE, LessonScreen
from nimmt_lab.screens.memory import Memory
from nimmt_lab.screens.own_lesson import START, OwnLesson
from nimmt_lab.screens.problem import ProblemScreen
from nimmt_lab.screens.sampling import SamplingScreen

from .pool import Counts, label
from .session import FREE, LONGEST_ANSWER, MOST_VALUES, WAIT, Refused
from .words import live_words

#: The first step of a probability lesson.
BEGINS: Final = "start"

#: A lesson of the package by name, or one from a file.
Taught: TypeAlias = Lesson | str

#: Tries at one question that are kept.
MOST_TRIES: Final = 60


@dataclass(frozen=True)
class Follow:
    """What a pupil's lesson knows of the class."""

    pace: str = FREE
    at: int = 0
    revealed: frozenset[str] = frozenset()


class ClassMemory(Memory):
    """What screens keep, held in memory; `changed` gets the name of a page and its changed parts (None: removed)."""

    def __init__(self, pages: Mapping[str, Obj], changed: Callable[[str, Obj], None]) -> None:
        super().__init__(None)
        self._changed = changed
        for name, page in pages.items():
            super().put(name, dict(page))

    def put(self, name: str, what: Obj) -> None:
        before = self.get(name)
        super().put(name, what)
        changes = {key: value for key, value in what.items() if before.get(key) != value}
        changes |= dict.fromkeys(before.keys() - what.keys())
        if changes:
            self._changed(name, changes)


class InClass(LessonScreen):
    """The part of a lesson that follows the class; mixed into both kinds of lessons."""

    def enter(self, effects: list[Obj], held: Mapping[str, str], ran: Mapping[str, Counts]) -> None:
        """Called before the lesson opens its first step: `held` are answers that wait for the reveal, `ran` results of
        experiments, both by question."""
        self.follow, self.effects = Follow(), effects
        self.held, self.ran = dict(held), dict(ran)
        self._told_runs: dict[str, int] = {}

    @property
    def taught(self) -> Taught:
        lesson = self.asked_by
        return lesson if isinstance(lesson, Lesson) else self.name

    @property
    def asked(self) -> str | None:
        """The question of the step on show."""
        names = self.questions()
        name = names[self.at] if self.at < len(names) else None
        return name if name in questions_of(self.taught, self.seed) else None

    @property
    def holds(self) -> bool:
        """Whether an answer now waits for the reveal."""
        asked = self.asked
        return self.follow.pace == WAIT and asked is not None and asked not in self.follow.revealed | self._open

    def keep_in_step(self, new: Follow) -> None:
        before, self.follow = self.follow, new
        moved = (before.pace, before.at) != (new.pace, new.at)
        if new.pace == WAIT and moved:
            self.at = max(0, min(new.at, len(self.questions())))
            self._step()
        for question in sorted(new.revealed - before.revealed):
            self._reveal(question)
        if moved:
            self.may_go_on()

    def _waits(self, at: int) -> bool:
        return at >= self.follow.at if self.follow.pace == WAIT else super()._waits(at)

    def may_go_on(self) -> None:
        ended = self.at >= len(self.questions())
        self.show(ready=not ended and not self._waits(self.at))

    def make(self, at: int) -> tuple[Obj, Screen | None]:
        text, board = super().make(at)  # type: ignore[safe-super]  # both kinds of lessons have one
        text.pop("sheet", None)  # everybody has the sheet of the class
        asked = self.questions()[at]
        if isinstance(board, ProblemScreen) and board.experiment is not None and self.ran.get(asked):
            board.experiment.resume(self.ran[asked])
        if asked in self.held and self.follow.pace == WAIT and asked not in self.follow.revealed | self._open:
            self._say_kept(board, self.held[asked])
        return text, board

    def go(self, at: int) -> None:
        """Nobody runs ahead of the class."""
        if self.follow.pace == WAIT and at > self.follow.at:
            self.tell({"type": "refused", "text": live_words(self.say.lang)("page.waits")})
            return
        super().go(at)

    def handle(self, said: Obj) -> None:
        message = said.get("message")
        if said.get("path") == ["board"] and isinstance(message, dict) and self.holds:
            if message.get("type") == "answer":
                self._hold(message)
                return
            if message.get("type") == "show" or (message.get("type") == "hint" and self._tells_all):
                self._note(self.board, live_words(self.say.lang)("page.wait_reveal"))
                return
        super().handle(said)

    @property
    def _tells_all(self) -> bool:
        """Whether the next hint is the last, which leaves only one answer."""
        return isinstance(self.board, ExerciseScreen) and self.board.hints_left <= 1

    def receive(self, message: Obj) -> None:
        if message.get("type") in ("save", "download", "sheet", "lang", "test"):
            raise Refused("live.not_in_class")
        super().receive(message)

    def _hold(self, message: Obj) -> None:
        """Keep an answer for the reveal; one that can't be read is not kept."""
        asked, board = self.asked, self.board
        assert asked is not None
        said = message.get("choice") if isinstance(board, ExerciseScreen) else message.get("text")
        if not isinstance(said, str) or len(said) > LONGEST_ANSWER or not said.strip():
            return
        said = said.strip()
        if isinstance(board, ExerciseScreen) and said not in board.question.choices:
            return
        if isinstance(board, ProblemScreen):
            if board.problem.choices:
                if said not in board.problem.choices:
                    return
            else:
                try:
                    read_number(said)
                except NotationError:
                    board.show(told=self.say("page.not_read"), verdict="unread")
                    return
        self.held[asked] = said
        self.effects.append({"do": "said", "question": asked, "said": said, "held": True})
        self._say_kept(board, said)

    def _say_kept(self, board: Screen | None, said: str) -> None:
        shown = said
        if isinstance(board, (ProblemScreen, ExerciseScreen)):
            asked = board.problem if isinstance(board, ProblemScreen) else board.question
            shown = label(asked, said, self.say)
        self._note(board, live_words(self.say.lang)("page.kept", answer=shown))

    def _note(self, board: Screen | None, text: str) -> None:
        if isinstance(board, ProblemScreen):
            board.show(told=text, verdict="")
        elif board is not None:
            board.tell({"type": "refused", "text": text})

    def _reveal(self, question: str) -> None:
        """Judge the answer that was kept, and show the right one."""
        said, board = self.held.pop(question, None), self.board
        if question != self.asked:
            if said is not None:
                self.heard(question, said, is_right(self.taught, self.seed, question, said))
        elif isinstance(board, ProblemScreen):
            if said is None:
                board.solve()
            else:
                board.misses = MISSES - 1  # a wrong answer brings the solution
                board.respond(said)
        elif isinstance(board, ExerciseScreen):
            right = said is not None and said in board.question.right
            if right:
                board.receive({"type": "answer", "question": 0, "choice": said})
            else:
                if said is not None:
                    self.heard(question, said, False)
                board.receive({"type": "show", "question": 0})
        self._open.add(question)
        self.may_go_on()
        self._keep()

    def heard(self, question: str, said: str, right: bool) -> None:
        if not said or len(self.tries.get(question, ())) >= MOST_TRIES:
            return
        self.held.pop(question, None)  # judged: no reveal does it a second time
        super().heard(question, said, right)
        self.effects.append({"do": "said", "question": question, "said": said})

    def _say(self, said: Obj) -> None:
        data = said.get("data")
        if said.get("path") == ["board", "experiment"] and isinstance(data, dict) and "bars" in data:
            self._found(data.get("running") is False)
        if said.get("path") == ["board"] and isinstance(data, dict) and ("stacks" in data or "running" in data):
            self._dotted(data.get("running") is False)
        super()._say(said)

    def _found(self, ended: bool) -> None:
        """Tell the class about the results of an experiment."""
        board, asked = self.board, self.asked
        if isinstance(board, ProblemScreen) and asked is not None and board.experiment is not None:
            experiment: ExperimentScreen = board.experiment
            self._tell_class(asked, sorted(experiment.counts.items()), ended)

    def _dotted(self, ended: bool) -> None:
        """Tell the class about the dots of a step to try."""
        board = self.board
        if isinstance(board, SamplingScreen):
            counts = board.counts
            name = cloud(self.questions()[self.at], board.at)
            self._tell_class(name, counts if len(counts) <= MOST_VALUES else board.stacks, ended)

    def _tell_class(self, name: str, counts: list[tuple[float, int]], ended: bool) -> None:
        """Often at first, then after every tenth more, and at the end.

        After a fresh start, only once there are more than before.
        """
        runs = sum(count for _, count in counts)
        told = self._told_runs.setdefault(name, sum(count for _, count in self.ran.get(name, ())))
        enough = runs - told >= max(5, told // 10)
        if runs <= told or not (ended or enough) or len(counts) > MOST_VALUES:
            return
        self._told_runs[name] = runs
        self.ran[name] = counts
        pairs: list[Json] = [[value, count] for value, count in counts]
        self.effects.append({"do": "ran", "question": name, "counts": pairs})


def cloud(step: str, way: int) -> str:
    """The name under which the class keeps the dots made in one way at a step to try."""
    return f"{step} {way + 1}"


class LiveRules(InClass, RulesLesson):
    """A rules lesson in class, where nobody skips it."""

    offers_test = False

    def __init__(
        self, name: str, desk: Desk, effects: list[Obj], held: Mapping[str, str], ran: Mapping[str, Counts]
    ) -> None:
        self.enter(effects, held, ran)
        super().__init__(name, desk)


class LiveClassroom(InClass, ClassroomLesson):
    """A probability lesson in class: the class's sheet, but other draws for every pupil, so that their results are a
    sample together."""

    def __init__(
        self,
        number: int,
        desk: Desk,
        effects: list[Obj],
        held: Mapping[str, str],
        ran: Mapping[str, Counts],
        *,
        seed: int,
    ) -> None:
        self.enter(effects, held, ran)
        super().__init__(number, desk, seed=seed, draws=secrets.randbits(62))


class LiveOwn(InClass, OwnLesson):
    """A lesson from the teacher's file in class: one sheet for everybody, other draws for every pupil."""

    def __init__(
        self,
        lesson: Lesson,
        desk: Desk,
        effects: list[Obj],
        held: Mapping[str, str],
        ran: Mapping[str, Counts],
        *,
        seed: int,
    ) -> None:
        self.enter(effects, held, ran)
        super().__init__(lesson, desk, seed=seed, draws=secrets.randbits(62))


def own_lesson(text: str, folder: Path | None = None) -> Lesson | None:
    """The lesson of a file, or one by name from the folder `lessons` of the learner's folder; None for the package's.

    >>> own_lesson("p2") is None, own_lesson("") is None
    (True, True)
    """
    if not text or text in lesson_names():
        return None
    if not text.endswith(ENDINGS):
        return Library(folder or find_folder()).find(text)
    lesson = load_lesson(Path(text))
    if lesson.name in lesson_names():
        raise DataError("lessons.file_of_package", name=lesson.name, source=lesson.source)
    return lesson


def said_in(lesson: Taught, lang: str) -> Words:
    """The words of a lesson."""
    return words_of(lesson, lang) if isinstance(lesson, Lesson) else words(lang)


def name_of(lesson: Taught) -> str:
    return lesson.name if isinstance(lesson, Lesson) else lesson


def questions_of(lesson: Taught, seed: int) -> Mapping[str, Problem | Question]:
    """The questions of a lesson by name, as everybody in the class has them.

    >>> list(questions_of("p4", 7))[:2], list(questions_of("first_turn", 0))[:2]
    (['p4.estimate', 'p4.exact'], ['row', 'closest'])
    """
    return _questions(_Key(lesson), seed)


def number_in(lesson: Taught, seed: int, question: str) -> int:
    """The number of a question, from 1, as sheets count it; 0 for a step that asks nothing.

    >>> number_in("p4", 7, "p4.exact"), number_in("p4", 7, "start")
    (2, 0)
    """
    names = [*questions_of(lesson, seed)]
    return names.index(question) + 1 if question in names else 0


class _Key:
    """A lesson as the key of a cache: a file by its content."""

    def __init__(self, lesson: Taught) -> None:
        self.lesson = lesson
        self._known = lesson.fingerprint if isinstance(lesson, Lesson) else lesson

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._known == other._known

    def __hash__(self) -> int:
        return hash(self._known)


@lru_cache(maxsize=16)
def _questions(key: _Key, seed: int) -> Mapping[str, Problem | Question]:
    return asked_in(key.lesson, seed)


def steps_of(lesson: Taught, seed: int) -> list[str]:
    """All steps of a lesson, without its end."""
    found = find(lesson)
    if found.questions_by:
        return [*reading.steps_of(found), PRACTICE]
    names = [step.name for step in found.steps]
    if not isinstance(lesson, Lesson):
        return [*names, PRACTICE]
    say = words_of(lesson, "en")
    starts = any(say.has(f"{lesson.name}.{part}") for part in ("aims", "activity"))
    return [START, *names] if starts else names


def is_right(lesson: Taught, seed: int, question: str, said: str) -> bool:
    asked = questions_of(lesson, seed)[question]
    if isinstance(asked, Question):
        return said in asked.right
    with suppress(NotationError):
        return asked.is_right(said)
    return False


def class_lesson(
    lesson: Taught,
    desk: Desk,
    *,
    seed: int,
    follow: Follow,
    effects: list[Obj],
    held: Mapping[str, str],
    ran: Mapping[str, Counts],
) -> InClass:
    """A lesson as a pupil of a class has it."""
    made: InClass
    if isinstance(lesson, Lesson):
        made = LiveOwn(lesson, desk, effects, held, ran, seed=seed)
    elif (number := number_of(lesson)) is None:
        made = LiveRules(lesson, desk, effects, held, ran)
    else:
        made = LiveClassroom(number, desk, effects, held, ran, seed=seed)
    made.keep_in_step(follow)
    return made
