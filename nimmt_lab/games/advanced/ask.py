"""An exercise of advanced mode: which card starts a row after the draft?"""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.engine.errors import PositionError
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.teller import rule_text
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.lessons.question import ASKS, Asks, Kind, Option, PlayedOut, Question, Spot

from .rules import Advanced, AdvancedRule


class Starts(Kind):
    """After the last pick of a draft: which card starts a row?"""

    name: ClassVar[str] = "starts"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        rows = steps[-1].state.rows
        if not rows:
            raise PositionError("advanced.draft_goes_no")
        options = tuple(Option(str(card), card=card) for card in spot.state.stock)
        return Question(self, spot.state, spot.seat, options, frozenset({str(rows[spot.row][0])}), proof=steps)

    def prompt(self, question: Question, say: Words) -> str:
        (step,) = question.proof
        firsts = [str(row[0]) for row in step.state.rows]
        (picked,) = step.choices.values()
        who = say.who(question.seat)
        return say("ask.starts", row=firsts.index(min(question.right)) + 1, who=who, card=picked)

    def rule_hint(self, question: Question, say: Words) -> str:
        return rule_text(AdvancedRule.DRAFT, say, question.state.game)

    def refute(self, question: Question, said: str, say: Words) -> PlayedOut:
        """Picked cards are gone; the remaining ones start the rows, lowest first."""
        rows = [row[0] for row in question.proof[-1].state.rows]
        text = say("wrong.starts_other", card=said) if int(said) in rows else say("wrong.is_picked", card=said)
        return PlayedOut(question.proof, self.settled(question), AdvancedRule.DRAFT, text)


_CLASSIC = ASKS.of(Classic)
ASKS.provide(Advanced, Asks((*_CLASSIC.kinds, Starts()), _CLASSIC.exercises))
