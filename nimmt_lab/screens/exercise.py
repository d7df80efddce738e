"""Exercise: a position, a question, and the tutor's answer to what you said.

A wrong answer is played out on the board (`nimmt_lab.lessons.reply`), hints come in steps, and after the third wrong
answer the solution is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.table import Moment
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons import Question, generate, kinds_of, words
from nimmt_lab.lessons.reply import MISSES, answered, film_for, hints, solution

from .base import Screen


@dataclass(frozen=True)
class Answer:
    """One try: what was asked (counting from 0), what was said, whether it is right, how long it took."""

    question: int
    kind: str
    said: str
    right: bool
    seconds: float
    hinted: bool


class ExerciseScreen(Screen):
    """Questions to answer by mouse or keyboard, one after the other.

    Give the questions, or a game to make them from: `kinds` in turn, of a `difficulty` from 1 to 3, by `seed`.

    >>> from nimmt_lab import Classic
    >>> exercise = ExerciseScreen(Classic(players=4), kinds=["takes"], seed=3)
    >>> exercise.answer(next(iter(exercise.question.right)))
    True
    >>> exercise.answers[0].right, exercise.score
    (True, (1, 1))
    """

    module: ClassVar[str] = "exercise"

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
        self._difficulty = difficulty
        self._seed = seed
        self._names = dict(names or {})
        self._lang = lang
        #: Every try, in order.
        self.answers: list[Answer] = []
        self._hints = 0
        self._number = 0
        super().__init__(live=True)
        self._ask(0)

    @property
    def question(self) -> Question:
        """What is asked now."""
        return self._given[self._number]

    @property
    def score(self) -> tuple[int, int]:
        """Questions answered right at the first try, and questions answered."""
        first: dict[int, bool] = {}
        for answer in self.answers:
            first.setdefault(answer.question, answer.right)
        return sum(first.values()), len(first)

    @property
    def misses(self) -> int:
        """How often the question on show was answered wrong."""
        return sum(answer.question == self._number and not answer.right for answer in self.answers)

    @property
    def _hinted(self) -> bool:
        return self._hints > 0

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        """Answer the question on show, as its options are written; whether it was right."""
        question = self.question
        if said not in question.choices:
            raise NotationError("shared.expected_one", known=", ".join(question.choices), got=shown(said))
        right = said in question.right
        self.answers.append(Answer(self._number, question.kind, said, right, seconds, self._hinted))
        return right

    def next(self) -> None:
        """Go on to the next question; given questions start again after the last."""
        self._ask(self._number + 1 if self._game else (self._number + 1) % len(self._given))

    def labels(self) -> Mapping[str, str]:
        """Words on the controls that are other ones here."""
        return {}

    # The browser's side ----------------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`answer`, `hint`, `show` or `next`."""
        kind = message.get("type")
        if kind == "next":
            self.next()
        elif message.get("question") != self._number:
            return  # it was meant for the question before
        elif kind == "answer":
            said, took = str(message.get("choice")), message.get("seconds")
            self.answer(said, seconds=took if isinstance(took, (int, float)) else 0.0)
            reply = answered(self.question, said, self.misses, lang=self._lang, names=self._names)
            self._verdict({**reply, "then": self.then() if self.misses >= MISSES else ""})
        elif kind == "show":
            why = self.question.why(min(self.question.right), self._words())
            shown_now = solution(self.question, self._lang, self._names)
            self._verdict({"right": None, "choice": None, "why": why, **shown_now})
        elif kind == "hint":
            found = hints(self.question, self._words())
            self._hints = min(self._hints + 1, len(found))
            self.tell({"type": "hint", "text": found[self._hints - 1], "number": self._hints, "of": len(found)})
        else:
            raise NotationError("screens.no_message", get=shown(kind))

    def then(self) -> str:
        """What to say after the last wrong answer, behind the solution."""
        return ""

    def _verdict(self, reply: Obj) -> None:
        tries = sum(answer.question == self._number for answer in self.answers)
        score: list[Json] = [*self.score]
        self.tell({"type": "verdict", **reply, "tries": tries, "score": score})

    def _words(self) -> Words:
        return words(self._lang, film_for(self.question, self._lang, self._names).words.names)

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
        labels = scene["labels"]
        assert isinstance(labels, dict)
        self.show(
            scene={
                **scene,
                "labels": {**labels, **self.labels()},
                "question": {
                    "number": number,
                    "kind": question.kind,
                    "seat": max(question.seat, 0),
                    "prompt": question.prompt(say),
                    "options": question.shown(film.describe, say),
                    "aims": {},
                },
            }
        )
