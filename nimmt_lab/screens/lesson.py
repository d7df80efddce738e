"""A lesson: see it happen, do it yourself, a check at the end. Everything is done by clicking.

What is shown, asked and right is data in `nimmt_lab.lessons`. Where the learner is, every try, and what was asked for
are kept at the desk, so that a lesson goes on where it was left.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.lessons.again import IN_A_ROW, again, practice
from nimmt_lab.lessons.classroom import grade, lesson_names, number_of, problems
from nimmt_lab.lessons.codes import seed_of
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.results import MOST_TRIES, Results
from nimmt_lab.lessons.rules import LessonStep, question_of, rules_lesson
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import question_text

from .base import Screen
from .desk import Desk
from .exercise import ExerciseScreen
from .experiment import ExperimentScreen
from .hand_in import hand_in
from .problem import ProblemScreen
from .replay import ReplayScreen
from .words import LANGUAGE_NAMES

#: The step at the end of a lesson: fresh questions, until so many in a row are right.
PRACTICE: Final = "practice"
#: Nobody practises one lesson longer than that.
MOST_PRACTICE: Final = 10_000
#: Sheets have numbers up to this.
LARGEST_SHEET = 10**15 + 999


class LessonExercise(ExerciseScreen):
    """One question of a lesson. It tells the lesson of every try, and goes on with it. After the third wrong answer and
    the solution, the same idea is asked with other cards; that is for the learner alone."""

    def __init__(self, question: Question, step: LessonStep, lang: str, lesson: LessonScreen) -> None:
        self._step, self._lesson = step, lesson
        super().__init__([question], lang=lang)

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
        """Whether the same idea with other cards comes next."""
        return self._number == 0 and len(self._given) > 1

    def next(self) -> None:
        self._lesson.go(self._lesson.at + 1)

    def turn_to_other_cards(self) -> None:
        """The same idea again."""
        self._ask(1)

    def labels(self) -> Mapping[str, str]:
        return {"exercise_of": ""}  # the page says which step it is

    def receive(self, message: Obj) -> None:
        super().receive(message)
        if message.get("question") != self._number:
            return
        if message.get("type") == "hint":
            self._lesson.asked_for_hint(self._step.name)
        elif message.get("type") == "show":
            self._lesson.asked_for_hint(self._step.name)
            self._lesson.solved(self._step.name)


class PracticeExercise(ExerciseScreen):
    """A fresh question at the end of a lesson. It counts if it is right at once and without help."""

    def __init__(self, question: Question, lang: str, lesson: LessonScreen) -> None:
        self._lesson = lesson
        super().__init__([question], lang=lang)

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        right = super().answer(said, seconds=seconds)
        if right or self.misses >= MISSES:
            self._lesson.practised(right and not self.misses and not self._hinted)
        return right

    def next(self) -> None:
        self._lesson.go(self._lesson.at + 1)

    def labels(self) -> Mapping[str, str]:
        return {"exercise_of": ""}

    def receive(self, message: Obj) -> None:
        super().receive(message)
        if message.get("type") == "show":
            self._lesson.practised(False)


class LessonScreen(Screen):
    """Steps one after the other, with progress, an end that leads on, and answers to hand in.

    `leave` is called with the name of the lesson to open next, or with nothing to go back to the map.
    """

    module: ClassVar[str] = "screens/lesson"

    def __init__(self, name: str, desk: Desk, *, seed: int = 0, leave: Callable[[str], None] | None = None) -> None:
        super().__init__()
        self.name, self.seed, self.desk, self._leave = name, seed, desk, leave
        self.say = words(desk.lang)
        #: Every try by question, in order, and the questions for which a hint was asked.
        self.tries: dict[str, list[str]] = {}
        self.hinted: set[str] = set()
        #: For the teacher: which opening of the lesson this is, how often it was begun, and the sheets looked at.
        self.sitting = secrets.token_hex(8)
        self.starts = 1
        self.looked_at: set[int] = set()
        self.at = 0
        #: Questions of the practice so far, and how many of the last ones were right at once.
        self.count = self.streak = 0
        self._open: set[str] = set()  # questions that may be left behind
        self._alone = desk.trouble is None  # a page with a door says it there
        if self._alone:
            desk.trouble = self._unkept
        self._recall(desk.memory.get(f"lesson {name}"))
        self._step()

    # What a lesson says ----------------------------------------------------------------------------------

    def questions(self) -> list[str]:
        """The names of the steps; the last one, the end, is not among them."""
        raise TypeError(f"{type(self).__name__} has no steps")

    def make(self, at: int) -> tuple[Obj, Screen | None]:
        """The words of a step, and the board below them."""
        raise TypeError(f"{type(self).__name__} has no steps")

    def asks(self, at: int) -> str | None:
        """The question a step waits for; None if one may go on at once."""
        return None

    def recap(self) -> list[tuple[str, str]]:
        """Every question of the lesson with its text."""
        raise TypeError(f"{type(self).__name__} has no questions")

    def verify(self) -> None:
        """Answer every question as the engine says and see that it counts; raises what is wrong with the lesson."""
        raise TypeError(f"{type(self).__name__} cannot be verified")

    # Moving ----------------------------------------------------------------------------------------------

    @property
    def board(self) -> Screen | None:
        """What is below the words of this step."""
        return self.parts.get("board")

    @property
    def ready(self) -> bool:
        """Whether one may go on."""
        return self.at < len(self.questions()) and (self._other_cards is not None or not self._waits(self.at))

    @property
    def _other_cards(self) -> LessonExercise | None:
        board = self.board
        return board if isinstance(board, LessonExercise) and board.other_cards and self._waits(self.at) else None

    def may_go_on(self) -> None:
        """Something has happened that may let one go on."""
        self.show(ready=self.ready)

    def go(self, at: int) -> None:
        """Show a step; a question on the way that still waits for its answer comes first."""
        steps = self.questions()
        if at > self.at and self._practising and PRACTICE in self._open and self.streak < IN_A_ROW:
            # Right, but not often enough in a row: another one.
            self.count += 1
            self._open.discard(PRACTICE)
            self._step()
            return
        if at > self.at and (other := self._other_cards) is not None:
            other.turn_to_other_cards()
            self.may_go_on()
            return
        at = max(0, min(at, len(steps)))
        at = next((step for step in range(self.at, at) if self._waits(step)), at)
        if at != self.at:
            self.at = at
            self._step()

    def place(self, at: int) -> str:
        """`Step 2 of 6`."""
        return self.say("page.step", at=at + 1, all=len(self.questions()))

    def _step(self) -> None:
        steps, at = self.questions(), self.at
        if at:
            self.looked_at.add(self.seed)
        ended = at == len(steps)
        if ended:
            right, of = self.first_tries
            self.desk.update(lambda now: now.with_lesson(self.name, right, of))
        text, board = ({}, None) if ended else self.make(at)
        self.put(
            "board",
            board,
            labels={key: self.say.catalogue.message(f"page.{key}") for key in LABELS},
            lang=self.say.lang,
            languages=[[lang, LANGUAGE_NAMES[lang]] for lang in LANGUAGES],
            inside=self._leave is not None,
            name=self.name,
            title=self.say(f"{self.name}.title"),
            steps=len(steps) + 1,
            at=at,
            place="" if ended else self.place(at),
            ready=not ended and not self._waits(at),  # the board that is still there belongs to the step before
            text=text,
            end=self._end() if ended else None,
            told=self._not_kept(),
        )
        self._keep()
        self._unkept()

    def _unkept(self) -> None:
        if self.data.get("told") != (told := self._not_kept()):
            self.show(told=told)

    def _not_kept(self) -> str:
        """What to say while something cannot be kept; a page with a door says more of it there."""
        trouble = self.desk.why if self._alone else not self.desk.keeps
        return self.say("page.not_saved", folder=self.desk.folder) if trouble else ""

    def _waits(self, at: int) -> bool:
        """Whether a step's question has still to be answered."""
        question = self.asks(at)
        return question is not None and question not in self._open

    def heard(self, question: str, said: str, right: bool) -> None:
        """A try."""
        before = self.tries.setdefault(question, [])
        if len(before) < MOST_TRIES:
            before.append(said)
        if right:
            self.solved(question)
        self._keep()

    @property
    def _practising(self) -> bool:
        return self.questions()[self.at : self.at + 1] == [PRACTICE]

    @property
    def fresh(self) -> int:
        """What this learner's own questions are made from."""
        return zlib.crc32(self.sitting.encode())

    def practised(self, right: bool) -> None:
        """A question of the practice is behind the learner: right at once, or not."""
        if PRACTICE in self._open:
            return
        self.streak = self.streak + 1 if right else 0
        self.solved(PRACTICE)
        self.show(text=self._practice_words())

    def _practice_words(self) -> Obj:
        so_far = self.say("page.in_a_row", streak=min(self.streak, IN_A_ROW), all=IN_A_ROW)
        return {"title": self.say("page.practice"), "note": so_far}

    def asked_for_hint(self, question: str) -> None:
        """A hint was asked for."""
        self.hinted.add(question)
        self._keep()

    def solved(self, question: str) -> None:
        """The question may be left behind."""
        self._open.add(question)
        self.show(ready=self.ready)
        self._keep()

    # The end ---------------------------------------------------------------------------------------------

    @property
    def results(self) -> Results:
        """What there is to hand in."""
        tries = {question: tuple(said) for question, said in self.tries.items()}
        return Results(
            self.desk.progress.name or "?",
            self.name,
            self.seed,
            tries,
            frozenset(self.hinted),
            sitting=self.sitting,
            starts=self.starts,
            sheets=len(self.looked_at),
        )

    @property
    def first_tries(self) -> tuple[int, int]:
        """Questions right at the first try, without a hint having been the answer, and how many there are."""
        grades = grade(self.name, self.seed, self.tries)
        return sum(mark.first for mark in grades), len(grades)

    def _end(self) -> Obj:
        right, of = self.first_tries
        grades = {mark.question: mark for mark in grade(self.name, self.seed, self.tries)}
        recap: list[Json] = []
        for question, text in self.recap():
            mark = grades[question]
            how = "first" if mark.first else "later" if mark.right else "open"
            recap.append({"text": text, "mark": how, "words": self.say(f"page.recap_{how}")})
        names = lesson_names()
        after = names[names.index(self.name) + 1 :][:1]
        return {
            "done": self.say("page.done", right=right, all=of),
            "name": self.desk.progress.name,
            "recap": recap,
            "next": [{"name": name, "title": self.say(f"{name}.title")} for name in after],
        }

    def restart(self) -> None:
        """Forget the tries and begin again."""
        self.tries, self.hinted, self._open = {}, set(), set()
        self.starts += 1
        self.count, self.streak = self.count + 1, 0
        self.at = 0
        self._step()

    def switch(self, lang: str) -> None:
        """Change the language of everything on the page, for this and every other lesson."""
        if lang not in LANGUAGES:
            raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
        self.desk.switch(lang)
        self.say = words(lang)
        self._step()

    # The browser's side ----------------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`go` by so many steps, `restart`, `save` or `download` under a name, `lang`, `leave` for elsewhere."""
        kind = message.get("type")
        if kind == "go":
            at = message.get("at")
            self.go(at if isinstance(at, int) else self.at)
        elif kind == "restart":
            self.restart()
        elif kind in ("save", "download"):
            self.show(told=hand_in(self, str(message.get("name")), download=kind == "download"))
        elif kind == "lang":
            self.switch(str(message.get("lang")))
        elif kind == "leave" and self._leave is not None:
            self._leave(str(message.get("to") or ""))
        elif kind == "sheet":
            self.other(message.get("seed"))
        else:
            super().receive(message)

    def other(self, seed: object) -> None:
        """Other numbers, where a lesson has them."""
        raise RulesError("screens.only_probability_lessons")

    # What is kept ----------------------------------------------------------------------------------------

    def _keep(self) -> None:
        self.desk.memory.put(
            f"lesson {self.name}",
            {
                "at": self.at,
                "seed": self.seed,
                "tries": {question: [*said] for question, said in self.tries.items()},
                "hinted": [*sorted(self.hinted)],
                "open": [*sorted(self._open)],
                "sitting": self.sitting,
                "starts": self.starts,
                "sheets": [*sorted(self.looked_at)],
                "practised": self.count,
                "streak": self.streak,
            },
        )

    def _recall(self, kept: Mapping[str, Json]) -> None:
        """Go on where the learner was; what does not fit this lesson (any more) is passed over."""
        at, tries, sheets = kept.get("at"), kept.get("tries"), kept.get("sheets")
        seed, starts, sitting = kept.get("seed"), kept.get("starts"), kept.get("sitting")
        if not isinstance(at, int) or not isinstance(tries, dict) or not isinstance(seed, int):
            return
        if isinstance(sitting, str) and isinstance(starts, int):
            self.sitting, self.starts = sitting, starts
        self.looked_at = {sheet for sheet in sheets if isinstance(sheet, int)} if isinstance(sheets, list) else set()
        count, streak = kept.get("practised"), kept.get("streak")
        self.count = count if isinstance(count, int) and 0 <= count < MOST_PRACTICE else 0
        self.streak = streak if isinstance(streak, int) and 0 <= streak <= IN_A_ROW else 0
        if not self._sheet(seed):
            return
        known = set(self.questions())
        self.tries = {name: _texts(said) for name, said in tries.items() if name in known}
        self.hinted = set(_texts(kept.get("hinted"))) & known
        self._open = set(_texts(kept.get("open"))) & known
        steps = len(known)
        at = max(0, min(at, steps))
        if at < steps:  # one that was finished begins at its end, and offers to begin again
            at = next((step for step in range(at) if self._waits(step)), at)
        self.at = at

    def _sheet(self, seed: int) -> bool:
        """Take the numbers of that sheet; whether there are such."""
        return seed == self.seed


class RulesLesson(LessonScreen):
    """A rules lesson."""

    def __init__(self, name: str, desk: Desk, *, leave: Callable[[str], None] | None = None) -> None:
        self.lesson = rules_lesson(name)
        super().__init__(name, desk, leave=leave)

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
        return {"title": "", "text": said, "note": say("page.see")}, ReplayScreen(step.record, lang=say.lang)

    def verify(self) -> None:
        for at, step in enumerate(self.lesson.steps):
            _, board = self.make(at)
            if step.ask:
                assert isinstance(board, LessonExercise)
                right = next(iter(board.question.right))
                wrong = [choice for choice in board.question.choices if choice not in board.question.right]
                judge = ExerciseScreen.answer
                assert wrong and not judge(board, wrong[0]) and judge(board, right), step.name


class ClassroomLesson(LessonScreen):
    """A probability lesson: aims and activity, then its questions, each with an experiment where there is one."""

    def __init__(
        self,
        number: int,
        desk: Desk,
        *,
        seed: int = 0,
        draws: int | None = None,
        leave: Callable[[str], None] | None = None,
    ) -> None:
        self.number = number
        #: What the experiments are drawn from. Every page has its own, so that no two pupils see the same runs.
        self.draws = secrets.randbits(62) if draws is None else draws
        super().__init__(f"p{number}", desk, seed=seed, leave=leave)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The questions of this sheet."""
        return problems(self.number, self.seed)

    def questions(self) -> list[str]:
        return ["start", *(problem.key for problem in self.problems), PRACTICE]

    def recap(self) -> list[tuple[str, str]]:
        return [(problem.key, question_text(problem, self.say)) for problem in self.problems]

    def make(self, at: int) -> tuple[Obj, Screen | None]:
        say = self.say
        if at == 0:
            # The notes for the teacher are in the key to the worksheets: they tell what pupils should find.
            parts: list[Json] = [
                {"title": say(f"page.{part}"), "text": say(f"{self.name}.{part}")} for part in ("aims", "activity")
            ]
            return {"parts": parts, "sheet": self.seed}, None
        if at > len(self.problems):
            return self._practice_words(), self._fresh_problem()
        problem = self.problems[at - 1]

        def heard(said: str, right: bool) -> None:
            self.heard(problem.key, said, right)

        draws = zlib.crc32(f"{self.draws} {problem.key}".encode())
        solved = problem.key in self._open
        earlier = [one for one in self.problems[: at - 1] if one.key in self._open]  # no answer is given away
        return {}, ProblemScreen(problem, self.number, say, heard, seed=draws, solved=solved, earlier=earlier)

    def _fresh_problem(self) -> ProblemScreen:
        """A question of the lesson with numbers of the learner's own: right at once, or not. Who wants may leave it."""
        seed = zlib.crc32(f"{self.fresh} {self.count}".encode())
        made = problems(self.number, seed)
        problem = made[self.count % len(made)]

        def heard(said: str, right: bool) -> None:
            if right or screen.misses >= MISSES:
                self.practised(right and not screen.misses)

        screen = ProblemScreen(problem, self.number, self.say, heard, seed=seed, earlier=made)  # not asked: given
        return screen

    def other(self, seed: object) -> None:
        if isinstance(seed, str):
            seed = seed_of(seed)
        if not isinstance(seed, int) or not 0 <= seed <= LARGEST_SHEET:
            raise RulesError("screens.sheet_numbers", most=LARGEST_SHEET, got=shown(seed))
        self.seed = seed
        self.tries, self.hinted, self._open = {}, set(), set()
        self._keep()

    def _sheet(self, seed: int) -> bool:
        if 0 <= seed <= LARGEST_SHEET:
            self.seed = seed
        return 0 <= seed <= LARGEST_SHEET

    def restart(self) -> None:
        self.draws += 1
        super().restart()

    def verify(self) -> None:
        for at, problem in enumerate(self.problems, 1):
            self.make(at)
            answer = problem.answer
            said = f"{float(answer):.4f}" if problem.slack and not isinstance(answer, str) else str(answer)
            assert problem.is_right(said), problem.key
            if problem.trial is not None:
                experiment = ExperimentScreen(problem, self.say, seed=len(problem.key))  # the same at every check
                experiment.run(200)
                assert isinstance(problem.answer, Fraction)
                # Five standard errors: a right answer fails once in a million lessons, a wrong one soon.
                assert abs(experiment.mean - float(problem.answer)) <= 5 * experiment.error + 1e-9, problem.key


#: Words that the browser fills in itself.
LABELS = (
    "again", "back", "language", "map", "name", "next", "next_lesson", "no_kernel", "other", "recap", "save",
    "download",
)  # fmt: skip


def _texts(found: object) -> list[str]:
    return [text for text in found if isinstance(text, str)] if isinstance(found, Iterable) else []


def lesson(
    name: str, desk: Desk, *, seed: int = 0, leave: Callable[[str], None] | None = None
) -> RulesLesson | ClassroomLesson:
    """A lesson to click through: a rules lesson by name, or a probability lesson as p1 to p9.

    >>> page = lesson("first_turn", Desk(None, lang="pl"))
    >>> page.questions()[:3]
    ['see', 'row', 'closest']
    >>> page.go(1); page.at
    1
    >>> page.go(2); page.at  # the question comes first
    1
    """
    number = number_of(name)
    if number is not None:
        return ClassroomLesson(number, desk, seed=seed, leave=leave)
    if seed:
        raise RulesError("screens.only_probability_lessons")
    return RulesLesson(name, desk, leave=leave)
