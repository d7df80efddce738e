"""Exercises: a position, a question, and the tutor's reply.

A wrong answer is played out on the board (`nimmt_lab.lessons.reply`), hints come in steps, and the third wrong answer
brings the solution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.table import Moment
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons import Question, generate, kinds_of, words
from nimmt_lab.lessons.reply import MISSES, answered, film_for, frames_of, hints, solution

from .base import as_object
from .board import BoardScreen


@dataclass(frozen=True)
class Answer:
    """One try: the number of the question (from 0), the answer, whether it is right, and the seconds it took."""

    question: int
    kind: str
    said: str
    right: bool
    seconds: float
    hinted: bool


class ExerciseScreen(BoardScreen):
    """Questions one after the other: given ones, or of a game, by `kinds` in turn, `difficulty` (1 to 3) and `seed`."""

    module: ClassVar[str] = "exercise"
    #: The panels beside the board: the number line (`line`), everybody's cards (`hands`).
    panels: tuple[str, ...] = ("line",)
    #: Whether the count of tries and right answers is visible.
    counted: ClassVar[bool] = True

    def __init__(
        self,
        what: Game | Sequence[Question],
        *,
        kinds: Sequence[str] | None = None,
        difficulty: int = 1,
        seed: int = 0,
        names: Mapping[Seat, str] | None = None,
        lang: str = "en",
    ) -> None:
        if isinstance(what, Game):
            self._game: Game | None = what
            self._given: list[Question] = []
            self._kinds = tuple(kinds_of(what) if kinds is None else kinds)
        else:
            self._game = None
            self._given = list(what)
            self._kinds = ()
            if not self._given:
                raise RulesError("screens.exercise_needs_question")
        self._difficulty, self._seed = difficulty, seed
        self._names, self._lang = dict(names or {}), lang
        #: Every try, in order.
        self.answers: list[Answer] = []
        self._hints = self._number = 0
        super().__init__(live=True)
        self._ask(0)

    @property
    def question(self) -> Question:
        return self._given[self._number]

    @property
    def score(self) -> tuple[int, int]:
        """The number of questions right on the first try, and of questions answered."""
        first: dict[int, bool] = {}
        for answer in self.answers:
            first.setdefault(answer.question, answer.right)
        return sum(first.values()), len(first)

    @property
    def misses(self) -> int:
        """Wrong answers to the current question."""
        return sum(answer.question == self._number and not answer.right for answer in self.answers)

    @property
    def hints_left(self) -> int:
        """Hints to the current question that have not been given. The last one is all but the answer."""
        return len(hints(self.question, self._words())) - self._hints

    @property
    def _hinted(self) -> bool:
        return self._hints > 0

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        """Answer the current question with one of its options; whether it is right."""
        question = self.question
        if said not in question.choices:
            raise NotationError("shared.expected_one", known=", ".join(question.choices), got=shown(said))
        right = said in question.right
        self.answers.append(Answer(self._number, question.kind, said, right, seconds, self._hinted))
        return right

    def next(self) -> None:
        """Ask the next question; after the last given one comes the first."""
        self._ask(self._number + 1 if self._game else (self._number + 1) % len(self._given))

    def is_you(self, question: Question) -> bool:
        """Whether the seat of the question is the learner's."""
        return False

    def seat_names(self) -> Mapping[Seat, str]:
        """Names on the board that differ from those in sentences."""
        return {}

    @property
    def helped(self) -> bool:
        """Whether hints and the answer are offered."""
        return True

    @property
    def free(self) -> bool:
        """Whether the next question may come before this one is answered."""
        return True

    def labels(self) -> Mapping[str, str]:
        """Labels that differ from the board's own."""
        return {}

    def receive(self, message: Obj) -> None:
        """`answer`, `hint`, `show` or `next`."""
        kind = message.get("type")
        if kind == "next":
            self.next()
        elif message.get("question") != self._number:
            return  # for the question before
        elif kind == "answer":
            said, took = str(message.get("choice")), message.get("seconds")
            self.answer(said, seconds=took if isinstance(took, (int, float)) else 0.0)
            met = answered(self.question, said, self.misses, lang=self._lang, names=self._names, say=self._words())
            reply = self._played(met)
            self._verdict({**reply, "then": self.then() if self.misses >= MISSES else ""})
        elif kind == "show":
            why = self.question.why(min(self.question.right), self._words())
            shown_now = self._played({"right": None, **solution(self.question, self._lang, self._names)})
            self._verdict({**shown_now, "choice": None, "why": why})
        elif kind == "hint":
            steps = hints(self.question, self._words())
            self._hints = min(self._hints + 1, len(steps))
            self.tell({"type": "hint", "text": steps[self._hints - 1], "number": self._hints, "of": len(steps)})
        else:
            raise NotationError("screens.no_message", get=shown(kind))

    def line(self) -> tuple[Step, ...]:
        """What follows the right answer on the board; nothing if the question's own proof does."""
        return ()

    def _played(self, reply: Obj) -> Obj:
        """A reply whose right answer is followed by the line."""
        if reply["right"] is False:
            right = reply.get("solution")
            return {**reply, "solution": self._played({**right, "right": None})} if isinstance(right, dict) else reply
        steps = self.line()
        return {**reply, **frames_of(self.question, steps, None, self._lang, self._names)} if steps else reply

    def prompt(self) -> str:
        return self.question.prompt(self._words())

    def then(self) -> str:
        """A sentence to add after the last wrong answer."""
        return ""

    def _verdict(self, reply: Obj) -> None:
        tries = sum(answer.question == self._number for answer in self.answers)
        score: list[Json] = [*self.score]
        self.tell({"type": "verdict", **reply, "tries": tries, "score": score})

    def catalogue(self) -> Words:
        """The words of the questions and of the tutor."""
        return words(self._lang)

    def _words(self) -> Words:
        return replace(self.catalogue(), names=film_for(self.question, self._lang, self._names).words.names)

    def _ask(self, number: int) -> None:
        if self._game is not None and number >= len(self._given):
            kind = self._kinds[number % len(self._kinds)]
            self._given.append(generate(self._game, kind, seed=self._seed + number, difficulty=self._difficulty))
        self._number = number
        self._hints = 0
        question, say = self.question, self._words()
        film = film_for(question, self._lang, self._names)
        film.still(Moment(None, question.state))
        scene = film.scene()
        for seat in scene["seats"]:  # type: ignore[union-attr]
            assert isinstance(seat, dict)
            seat["you"] = self.is_you(question) and seat["seat"] == question.seat
            seat["name"] = self.seat_names().get(seat["seat"], seat["name"])  # type: ignore[arg-type]
        asked: Obj = {
            "number": number,
            "kind": question.kind,
            "seat": max(question.seat, 0),
            "prompt": self.prompt(),
            "options": question.shown(film.describe, say),
            "aims": {},
            "card": question.card,
            "panels": [*self.panels],
            "free": self.free,
            "counted": self.counted,
            "helped": self.helped,
        }
        self.show(scene={**scene, "labels": as_object(scene["labels"]) | dict(self.labels()), "question": asked})
