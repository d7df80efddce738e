"""A puzzle of `nimmt_lab.study.puzzles` as a question: which card is best? The tutor answers with the refutation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nimmt_lab.engine.events import Json
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.judgement import number

from .questions import Question

if TYPE_CHECKING:
    from nimmt_lab.study import Puzzle


@dataclass(frozen=True)
class BestCard(Question):
    """One card is clearly best; a wrong one is met by the reply that shows why."""

    difficulty: int = 1
    margin: float = 0.0
    #: For each wrong card the other's reply, and the heads it costs.
    replies: Mapping[str, tuple[int, float]] = field(default_factory=dict, hash=False)

    def prompt(self, words: Words) -> str:
        """The question in words."""
        return words("question_best", who=words.who(self.seat))

    def hint(self, words: Words) -> str:
        """What to look at."""
        return words("hint_best", who=words.who(1 - self.seat))

    def why(self, said: str, words: Words) -> str:
        """What the best card is worth, or how the other one answers a wrong card."""
        if said in self.right:
            return words("why_best", card=said, heads=number(self.margin, words))
        reply, costs = self.replies[said]
        return words("why_not_best", who=words.who(1 - self.seat), reply=reply, heads=number(costs, words))

    def _option(self, text: str, words: Words) -> Json:
        return {"text": text, "card": int(text)}


def best_card(puzzle: Puzzle) -> Question:
    """The question a puzzle asks, for an `Exercise`.

    >>> from nimmt_lab.study.puzzles import puzzles
    >>> from nimmt_lab.widgets import Exercise
    >>> exercise = Exercise([best_card(puzzle) for puzzle in puzzles(2, seed=5, cards=2, progress=False)])
    >>> exercise.answer(next(iter(exercise.question.right)))
    True
    """
    hand = puzzle.state.hands[puzzle.seat]
    return BestCard(
        "best",
        puzzle.state,
        puzzle.seat,
        tuple(map(str, hand)),
        frozenset({str(puzzle.best)}),
        difficulty=puzzle.difficulty,
        margin=float(puzzle.margin),
        replies={str(card): (reply.card, float(reply.costs)) for card, reply in puzzle.replies.items()},
    )
