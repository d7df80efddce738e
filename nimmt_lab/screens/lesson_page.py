"""What all lessons share as a screen: steps, tries and hints, saved at the desk, and handing in at the end."""

from __future__ import annotations

import secrets
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import CannotWrite, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import folder_in, shown
from nimmt_lab.lessons.again import IN_A_ROW
from nimmt_lab.lessons.classroom import Ref, find, grade, lesson_names
from nimmt_lab.lessons.codes import seed_of
from nimmt_lab.lessons.progress import HAND_IN
from nimmt_lab.lessons.results import MOST_TRIES, Results, check_name
from nimmt_lab.lessons.words import LANGUAGES, Words, words

from .base import Screen
from .desk import Desk
from .lesson_exercise import LessonExercise
from .words import LANGUAGE_NAMES

#: The last step: fresh questions until `IN_A_ROW` are right.
PRACTICE: Final = "practice"
MOST_PRACTICE: Final = 10_000
LARGEST_SHEET = 10**15 + 999
#: Messages that the browser fills in.
LABELS = (
    "again", "back", "language", "map", "name", "onward", "skip", "step_on", "watch_again", "watch_first", "hand_in",
    "next_lesson", "no_kernel", "other", "recap", "recap_first", "save", "download", "share",
)  # fmt: skip
#: Stars for a finished lesson: one, two if at least this share was right at once, three if everything was.
TWO_STARS: Final = 0.5


class LessonScreen(Screen, ABC):
    """The steps of a lesson, then a recap with answers to hand in. `leave` gets the next lesson, or "" for the map."""

    module: ClassVar[str] = "screens/lesson"

    def __init__(self, name: str, desk: Desk, *, seed: int = 0, leave: Callable[[str], None] | None = None) -> None:
        super().__init__()
        self.name, self.seed, self.desk, self._leave = name, seed, desk, leave
        self.say = self.words_in(desk.lang)
        #: The tries of each question, and the questions with a hint.
        self.tries: dict[str, list[str]] = {}
        self.hinted: set[str] = set()
        #: For the teacher: this sitting, the number of starts, and the sheets opened.
        self.sitting = secrets.token_hex(8)
        self.starts = 1
        self.looked_at: set[int] = set()
        self.at = 0
        #: Practice questions so far, and the current streak.
        self.count = self.streak = 0
        self._open: set[str] = set()  # solved questions
        self._alone = desk.trouble is None  # otherwise Home shows the notice
        if self._alone:
            desk.trouble = self._unkept
        self._recall(desk.memory.get(f"lesson {name}"))
        self._step()

    @abstractmethod
    def questions(self) -> list[str]:
        """The names of the steps, without the end."""

    @abstractmethod
    def make(self, at: int) -> tuple[Obj, Screen | None]:
        """The text of a step, and the board below it."""

    def asks(self, at: int) -> str | None:
        """The question that a step waits for, if any."""
        return None

    @abstractmethod
    def recap(self) -> list[tuple[str, str]]:
        """The questions with their texts."""

    @abstractmethod
    def verify(self) -> None:
        """Check that the engine's answer to every question is accepted; raises if one is not."""

    @property
    def seat_names(self) -> Mapping[Seat, str]:
        """Names on this lesson's boards that differ from those in sentences."""
        return {}

    @property
    def asked_by(self) -> Ref:
        """The lesson whose answers count."""
        return self.name

    def words_in(self, lang: str) -> Words:
        return words(lang)

    def question_words(self) -> Words:
        """The words of questions about the rules."""
        return words(self.say.lang)

    @property
    def _version(self) -> list[Json]:
        """The version of the lesson, and of one's own also the fingerprint of what decides its answers."""
        lesson = find(self.asked_by)
        return [lesson.version, lesson.mark if self.name not in lesson_names() else ""]

    @property
    def board(self) -> Screen | None:
        return self.parts.get("board")

    @property
    def ready(self) -> bool:
        """Whether the next step may be opened."""
        return self.at < len(self.questions()) and (self._other_cards is not None or not self._waits(self.at))

    @property
    def _other_cards(self) -> LessonExercise | None:
        board = self.board
        return board if isinstance(board, LessonExercise) and board.other_cards and self._waits(self.at) else None

    @property
    def waits_now(self) -> bool:
        """Whether this step waits for an answer."""
        return self._waits(self.at)

    def may_go_on(self) -> None:
        self.show(ready=self.ready)

    def go(self, at: int) -> None:
        """Show a step, or the first unanswered question before it."""
        steps = self.questions()
        practising = steps[self.at : self.at + 1] == [PRACTICE]
        if at > self.at and practising and PRACTICE in self._open and self.streak < IN_A_ROW:
            # Not enough in a row yet: ask another one.
            self.count += 1
            self._open.discard(PRACTICE)
            self._step()
            return
        if at > self.at and (other := self._other_cards) is not None:
            other.turn_to_other_cards()
            self.may_go_on()
            return
        at = max(0, min(at, len(steps)))
        at = next((step for step in range(self.at, at) if self._waits(step) or self._practises(step)), at)
        if at != self.at:
            self.at = at
            self._step()

    def _practises(self, at: int) -> bool:
        """Whether this is the practice at the end, and not enough in a row were right."""
        return self.questions()[at] == PRACTICE and self.streak < IN_A_ROW

    def _step(self) -> None:
        steps, at = self.questions(), self.at
        if at:
            self.looked_at.add(self.seed)
        ended = at == len(steps)
        if ended:
            right, of = self.first_tries
            self.desk.update(lambda now: now.with_lesson(self.name, right, of))
        text, board = ({}, None) if ended else self.make(at)
        place = "" if ended else self.say("page.step", at=at + 1, all=len(steps))
        ready = not ended and not self._waits(at)  # the old board is still there
        end = self._end() if ended else None
        by = self.desk.progress.name if ended or self._early(at) else None
        self._put(board, text, at=at, steps=len(steps), place=place, ready=ready, end=end, hand_in=by)
        self._keep()
        self._unkept()

    def _put(
        self,
        board: Screen | None,
        text: Obj,
        *,
        at: int,
        steps: int,
        place: str,
        ready: bool,
        end: Obj | None,
        hand_in: str | None = None,
    ) -> None:
        """Show one page of the lesson: a board, what is said about it, and how far one is."""
        self.put(
            "board",
            board,
            labels={key: self.say.catalogue.message(f"page.{key}") for key in LABELS},
            lang=self.say.lang,
            languages=[[lang, LANGUAGE_NAMES[lang]] for lang in LANGUAGES],
            inside=self._leave is not None,
            name=self.name,
            title=self.say(f"{self.name}.title"),
            browser=in_browser(),
            # A program that nobody has confirmed yet can't be asked, and nothing has been answered then.
            stars=self.first_tries[0] if self.tries else 0,
            steps=steps + 1,
            at=at,
            place=place,
            ready=ready,
            text=text,
            end=end,
            hand_in=hand_in,
            skip=self._skip_words() if board is not None else "",
            testing=board is not None and self.testing,
            told=self._not_kept(),
        )

    def _skip_words(self) -> str:
        """The offer to skip the lesson by a test, where there is one."""
        return ""

    @property
    def testing(self) -> bool:
        """Whether such a test is on."""
        return False

    def _early(self, at: int) -> bool:
        """Whether answers can be handed in before the end."""
        return False

    def _unkept(self) -> None:
        if self.data.get("told") != (told := self._not_kept()):
            self.show(told=told)

    def _not_kept(self) -> str:
        trouble = self.desk.why if self._alone else not self.desk.keeps
        return self.say("page.not_saved", folder=self.desk.folder) if trouble else ""

    def _waits(self, at: int) -> bool:
        """Whether the question of a step is unanswered."""
        question = self.asks(at)
        return question is not None and question not in self._open

    def heard(self, question: str, said: str, right: bool) -> None:
        before = self.tries.setdefault(question, [])
        if len(before) < MOST_TRIES:
            before.append(said)
        if right:
            self.solved(question)
        self._keep()

    @property
    def fresh(self) -> int:
        """The seed of this learner's own questions."""
        return zlib.crc32(self.sitting.encode())

    def practised(self, right: bool) -> None:
        """Count a practice question: right at once, or not."""
        if PRACTICE in self._open:
            return
        self.streak = self.streak + 1 if right else 0
        self.solved(PRACTICE)
        self.show(text=self._practice_words())

    def _practice_words(self) -> Obj:
        so_far = self.say("page.in_a_row", streak=min(self.streak, IN_A_ROW), all=IN_A_ROW)
        return {"title": self.say("page.practice"), "note": so_far}

    def asked_for_hint(self, question: str) -> None:
        self.hinted.add(question)
        self._keep()

    def solved(self, question: str) -> None:
        """Let the learner move past a question."""
        self._open.add(question)
        self.show(ready=self.ready)
        self._keep()

    @property
    def results(self) -> Results:
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
            by=find(self.asked_by),
        )

    @property
    def first_tries(self) -> tuple[int, int]:
        """The number of questions right on the first try, and of all questions."""
        grades = grade(self.asked_by, self.seed, self.tries)
        return sum(mark.first for mark in grades), len(grades)

    def hand_in(self, name: str, *, download: bool = False) -> str:
        """Write the answers into the learner's folder (or the current one), or send them to the browser to download;
        returns a notice for the learner."""
        if not check_name(name):
            return self.say("page.name_first")
        name = name.strip()
        self.desk.update(lambda now: replace(now, name=name))
        results = replace(self.results, name=name)
        if download:
            self.tell({"type": "file", "name": results.file, "text": results.to_json()})
            return self.say("page.downloaded", file=results.file)
        around = self.desk.folder or Path.cwd()
        try:
            path = results.save(folder_in(around, HAND_IN))
        except CannotWrite:
            return self.say("page.not_saved", folder=around / HAND_IN)
        self.tell({"type": "handed", "name": results.file, "text": results.to_json()})
        if in_browser():  # the page downloads what is written there
            return self.say("page.downloaded", file=results.file)
        return self.say("page.saved", file=f"{HAND_IN}/{path.name}")

    def _end(self) -> Obj:
        right, of = self.first_tries
        grades = {mark.question: mark for mark in grade(self.asked_by, self.seed, self.tries)}
        recap: list[Json] = []
        for question, text in self.recap():
            mark = grades[question]
            without = "open" if question in self._open else "none"  # shown, or not answered yet
            how = "first" if mark.first else "later" if mark.right else without
            recap.append({"text": text, "mark": how, "words": self.say(f"page.recap_{how}")})
        return self._ended(self.say("page.done", right=right, all=of), stars(right, of), recap)

    def _ended(self, done: str, count: int, recap: list[Json]) -> Obj:
        names = lesson_names()
        after = names[names.index(self.name) + 1 :][:1] if self.name in names else ()
        closing = f"{self.name}.summary"
        return {
            "done": done,
            "closing": self.say(closing) if self.say.has(closing) else "",
            "stars": count,
            "recap": recap,
            "next": [{"name": name, "title": self.say(f"{name}.title")} for name in after],
        }

    def restart(self) -> None:
        """Forget the tries and start again."""
        self.tries, self.hinted, self._open = {}, set(), set()
        self.starts += 1
        self.count, self.streak = self.count + 1, 0
        self.at = 0
        self._step()

    def switch(self, lang: str) -> None:
        """Change the language of this and every other page."""
        if lang not in LANGUAGES:
            raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
        self.desk.switch(lang)
        self.say = self.words_in(lang)
        self._step()

    def receive(self, message: Obj) -> None:
        """`go` to a step, `restart`, `save` or `download` under a name, `lang`, `sheet`, `leave`."""
        kind = message.get("type")
        if kind == "go":
            at = message.get("at")
            self.go(at if isinstance(at, int) else self.at)
        elif kind == "restart":
            self.restart()
        elif kind in ("save", "download"):
            self.show(told=self.hand_in(str(message.get("name")), download=kind == "download"))
        elif kind == "lang":
            self.switch(str(message.get("lang")))
        elif kind == "leave" and self._leave is not None:
            self._leave(str(message.get("to") or ""))
        elif kind == "sheet":
            self.other(message.get("seed"))
        else:
            super().receive(message)

    def other(self, seed: object) -> None:
        """Switch to another sheet, in lessons that have sheets."""
        raise RulesError("screens.only_probability_lessons")

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
                "version": self._version,
                "practised": self.count,
                "streak": self.streak,
            },
        )

    def _recall(self, kept: Mapping[str, Json]) -> None:
        """Continue from the saved state; what does not fit this lesson is ignored."""
        of = kept.get("version")  # earlier ones saved none
        if of != self._version and (of is not None or self._version[0] != 1):
            return  # another version asks other questions under the same names
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
        if at < steps:  # a finished lesson opens at its end
            at = next((step for step in range(at) if self._waits(step)), at)
        self.at = at

    def _sheet(self, seed: int) -> bool:
        """Take the numbers of a sheet; whether it exists."""
        return seed == self.seed


def stars(right: int, of: int) -> int:
    """One to three stars for a finished lesson.

    >>> stars(4, 4), stars(2, 4), stars(1, 4), stars(0, 0)
    (3, 2, 1, 3)
    """
    return 3 if right == of else 2 if right >= TWO_STARS * of else 1


def in_browser() -> bool:
    """Whether Python runs in the learner's browser, which has no folder that a person could open."""
    return sys.platform == "emscripten"


def _texts(saved: object) -> list[str]:
    return [text for text in saved if isinstance(text, str)] if isinstance(saved, Iterable) else []


class SheetLesson(LessonScreen):
    """A lesson whose numbers come from a sheet, and its experiments from draws."""

    def __init__(
        self,
        name: str,
        desk: Desk,
        *,
        seed: int = 0,
        draws: int | None = None,
        leave: Callable[[str], None] | None = None,
    ) -> None:
        #: The seed of the experiments; every page has its own, so that no two pupils see the same runs.
        self.draws = secrets.randbits(62) if draws is None else draws
        super().__init__(name, desk, seed=seed, leave=leave)

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
