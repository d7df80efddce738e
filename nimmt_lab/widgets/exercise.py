"""Exercise: a position, a question, and the tutor's answer to what you said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.game import Game
from nimmt_lab.lessons import Question
from nimmt_lab.screens.exercise import Answer, ExerciseScreen

from .base import SceneWidget

__all__ = ["Answer", "Exercise"]


class Exercise(SceneWidget):
    """Questions to answer by mouse or keyboard, one after the other.

    Give the questions, or a game to make them from: `kinds` in turn, of a `difficulty` from 1 to 3, by `seed`.

    >>> from nimmt_lab import Classic
    >>> exercise = Exercise(Classic(players=4), kinds=["takes"], seed=3)
    >>> exercise.answer(next(iter(exercise.question.right)))
    True
    >>> exercise.answers[0].right, exercise.score
    (True, (1, 1))
    """

    _module: ClassVar[str] = "exercise"
    screen: ExerciseScreen

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
        super().__init__(ExerciseScreen(what, kinds=kinds, difficulty=difficulty, seed=seed, names=names, lang=lang))

    @property
    def question(self) -> Question:
        """What is asked now."""
        return self.screen.question

    @property
    def answers(self) -> list[Answer]:
        """Every try, in order."""
        return self.screen.answers

    @property
    def score(self) -> tuple[int, int]:
        """Questions answered right at the first try, and questions answered."""
        return self.screen.score

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        """Answer the question on show, as its options are written; whether it was right."""
        return self.screen.answer(said, seconds=seconds)

    def next(self) -> None:
        """Go on to the next question; given questions start again after the last."""
        self.screen.next()
