"""Exercise: a position, a question, and the tutor's answer to what you said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.table import Moment
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons import Question, generate, kinds_of, words

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
                raise RulesError("an exercise needs a question")
        self._difficulty = difficulty
        self._seed = seed
        self._names = dict(names or {})
        self._lang = lang
        #: Every try, in order.
        self.answers: list[Answer] = []
        self._hinted = False
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

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        """Answer the question on show, as its options are written; whether it was right."""
        question = self.question
        if said not in question.choices:
            raise NotationError(f"expected one of {', '.join(question.choices)}, got {shown(said)}")
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
            right = self.answer(said, seconds=took if isinstance(took, (int, float)) else 0.0)
            why = self.question.why(said, self._words())
            self.tell({"type": "verdict", "right": right, "choice": said, "why": why, **self._reply(right)})
        elif kind == "show":
            why = self.question.why(min(self.question.right), self._words())
            self.tell({"type": "verdict", "right": None, "choice": None, "why": why, **self._reply(True)})
        elif kind == "hint":
            self._hinted = True
            self.tell({"type": "hint", "text": self.question.hint(self._words())})
        else:
            raise NotationError(f"no message {shown(kind)}")

    def _reply(self, solved: bool) -> Obj:
        """What the tutor says, and (once it is solved) the right answers and what happens on the table."""
        tries = sum(answer.question == self._number for answer in self.answers)
        reply: Obj = {"tries": tries, "score": list(self.score)}
        if not solved:
            return reply
        question, film = self.question, self._film()
        for at, step in enumerate(question.proof):
            film.step(step, 0, earlier=question.proof[:at])
        scene = film.scene()
        frames = scene["frames"]
        assert isinstance(frames, list)
        answers: list[Json] = [*sorted(question.right)]
        # Where the cards lie revealed already, the first frame shows nothing new.
        revealed = bool(question.proof) and question.state == question.proof[0].moments[0].state
        return {**reply, "answers": answers, "pool": scene["pool"], "frames": frames[1:] if revealed else frames}

    def _film(self) -> Film:
        # What lies open is what the question needs: the own hand, or nothing but the table.
        question = self.question
        seats = (question.seat,) if question.asked.open_hand else question.open
        return Film(question.state.game, lang=self._lang, names=self._names, seats=seats)

    def _words(self) -> Words:
        return words(self._lang, self._film().words.names)

    def _ask(self, number: int) -> None:
        if self._game is not None and number >= len(self._given):
            kind = self._kinds[number % len(self._kinds)]
            self._given.append(generate(self._game, kind, seed=self._seed + number, difficulty=self._difficulty))
        self._number = number
        self._hinted = False
        question, film, say = self.question, self._film(), self._words()
        film.still(Moment(None, question.state))
        scene = film.scene()
        labels = scene["labels"]
        assert isinstance(labels, dict)
        self.show(scene={
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
        })
