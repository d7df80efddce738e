"""A puzzle of `nimmt_lab.study.puzzles` as a question: which card is best? The tutor answers with the refutation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from nimmt_lab.engine.errors import PositionError
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.judgement import number

from .question import Kind, Option, Question, Spot

if TYPE_CHECKING:
    from nimmt_lab.study import Puzzle


@dataclass(frozen=True)
class BestCard(Kind):
    """One card is clearly best; a wrong one is met by the reply that shows why."""

    name: ClassVar[str] = "best_card"

    difficulty: int = 1
    margin: float = 0.0
    #: For each wrong card the other's reply, and the heads it costs.
    replies: Mapping[str, tuple[int, float]] = field(default_factory=dict, hash=False)

    def ask(self, spot: Spot) -> Question:
        hand = tuple(map(str, spot.state.hands[spot.seat]))
        right = frozenset(hand) - self.replies.keys()
        if len(right) != 1:
            raise PositionError("all cards but one must have a reply that refutes them")
        options = tuple(Option(text, card=int(text)) for text in hand)
        return Question(self, spot.state, spot.seat, options, right)

    def hint(self, question: Question, say: Words) -> str:
        return say("hint.best_card", who=say.who(1 - question.seat))

    def why(self, question: Question, said: str, say: Words) -> str:
        if said in question.right:
            return say("label.best_card", card=said, heads=number(self.margin, say))
        reply, costs = self.replies[said]
        return say("label.not_best_card", who=say.who(1 - question.seat), reply=reply, heads=number(costs, say))


def best_card(puzzle: Puzzle) -> Question:
    """The question a puzzle asks, for an `Exercise`.

    >>> from nimmt_lab.study.puzzles import puzzles
    >>> from nimmt_lab.widgets import Exercise
    >>> exercise = Exercise([best_card(puzzle) for puzzle in puzzles(2, seed=5, cards=2, progress=False)])
    >>> exercise.answer(next(iter(exercise.question.right)))
    True
    """
    replies = {str(card): (reply.card, float(reply.costs)) for card, reply in puzzle.replies.items()}
    kind = BestCard(puzzle.difficulty, float(puzzle.margin), replies)
    return kind.ask(Spot(puzzle.state, seat=puzzle.seat))
