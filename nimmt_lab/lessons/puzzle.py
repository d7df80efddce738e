"""A puzzle of `nimmt_lab.study` as a question: which card is best? With open hands the tutor replies with a refutation,
with hidden ones with the expected cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from nimmt_lab.engine.errors import PositionError
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.judgement import number

from .question import Kind, Option, PlayedOut, Question, Spot, option_of, play_turn

if TYPE_CHECKING:
    from nimmt_lab.study import ClearChoice, Puzzle


@dataclass(frozen=True)
class BestCard(Kind):
    """One card is clearly best; the opponent's reply refutes a wrong one."""

    name: ClassVar[str] = "best_card"

    difficulty: int = 1
    margin: float = 0.0
    #: For each wrong card, the opponent's reply and the heads it costs.
    replies: Mapping[str, tuple[int, float]] = field(default_factory=dict, hash=False)

    def ask(self, spot: Spot) -> Question:
        hand = tuple(map(str, spot.state.hands[spot.seat]))
        right = frozenset(hand) - self.replies.keys()
        if len(right) != 1:
            raise PositionError("lessons.all_cards_but")
        options = tuple(Option(text, card=int(text)) for text in hand)
        return Question(self, spot.state, spot.seat, options, right)

    def hint(self, question: Question, say: Words) -> str:
        return say("hint.best_card", who=say.who(1 - question.seat))

    def why(self, question: Question, answer: str, say: Words) -> str:
        return say("label.best_card", card=answer, heads=number(self.margin, say))

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        """Play the reply that refutes the card."""
        reply, costs = self.replies[answer]
        steps = play_turn(question.state, {question.seat: int(answer), 1 - question.seat: reply})
        text = say("label.not_best_card", who=say.who(1 - question.seat), reply=reply, heads=number(costs, say))
        return PlayedOut(steps, None, None, text)


def best_card(puzzle: Puzzle) -> Question:
    """A puzzle's question, for an `Exercise`.

    >>> from nimmt_lab.study.puzzles import puzzles
    >>> from nimmt_lab.widgets import Exercise
    >>> exercise = Exercise([best_card(puzzle) for puzzle in puzzles(2, seed=5, cards=2, progress=False)])
    >>> exercise.answer(next(iter(exercise.question.right)))
    True
    """
    replies = {str(card): (reply.card, float(reply.costs)) for card, reply in puzzle.replies.items()}
    kind = BestCard(puzzle.difficulty, float(puzzle.margin), replies)
    return kind.ask(Spot(puzzle.state, seat=puzzle.seat))


@dataclass(frozen=True)
class BestChoice(Kind):
    """One option is clearly best, given what the seat may know; a wrong one costs points on average."""

    name: ClassVar[str] = "best_choice"
    open_hand: ClassVar[bool] = True

    #: The expected loss of each option, in points; 0 for the best.
    costs: Mapping[str, float] = field(default_factory=dict, hash=False)

    def ask(self, spot: Spot) -> Question:
        decision = spot.state.pending[spot.seat]
        options = [option_of(decision, choice) for choice in decision.options]
        right = frozenset(option.text for option in options if self.costs.get(option.text) == 0)
        if len(right) != 1 or self.costs.keys() != {option.text for option in options}:
            raise PositionError("lessons.every_option_must")
        return Question(self, spot.state, spot.seat, tuple(options), right)

    def why(self, question: Question, answer: str, say: Words) -> str:
        next_best = min(cost for cost in self.costs.values() if cost > 0)
        return self._about("label.best_choice", question, answer, next_best, say)

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        """State the average cost, which no single turn can show."""
        return PlayedOut(said=self._about("label.not_best_choice", question, answer, self.costs[answer], say))

    def _about(self, key: str, question: Question, answer: str, cost: float, say: Words) -> str:
        """A sentence about an option, with rows by their names and not in notation."""
        option = next(option for option in question.options if option.text == answer)
        said = say(key, what=self.worded(question, option, say), points=number(cost, say))
        return said[:1].upper() + said[1:]


def best_choice(puzzle: ClearChoice) -> Question:
    """The question of a puzzle with hidden hands, for an `Exercise`.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import clear_choices
    >>> (puzzle,) = clear_choices(Classic(players=3), 1, seed=2, playouts=200, progress=False)
    >>> question = best_choice(puzzle)
    >>> question.right == {puzzle.advice.decision.write(puzzle.best)}, question.seat == puzzle.seat
    (True, True)
    """
    advice = puzzle.advice
    best = advice.promises[0].points
    costs = {advice.decision.write(promise.option): abs(promise.points - best) for promise in advice}
    return BestChoice(costs).ask(Spot(puzzle.state, seat=puzzle.seat))
