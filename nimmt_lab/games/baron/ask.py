"""Exercises for Bull Baron: which row a card may join, and which card is safe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, cast

from nimmt_lab.boards.describe import describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.teller import rule_text
from nimmt_lab.games.classic.ask import OfHand, Safe
from nimmt_lab.lessons.kinds import NOTHING
from nimmt_lab.lessons.question import ASKS, Asks, Option, PlayedOut, Question, Spot

from .rules import Baron, BaronRule


class Match(OfHand):
    """Which row may this card join? Any that shares a colour is right."""

    name: ClassVar[str] = "match"

    def ask(self, spot: Spot) -> Question:
        state = spot.state
        rows = cast(Baron, state.game).matching_rows(state, spot.card)
        if len(rows) == len(state.rows):
            raise PositionError("baron.every_row_matches")
        right = frozenset(str(row + 1) for row in rows) or frozenset({NOTHING})
        options = [Option(str(row + 1), row=row) for row in range(len(state.rows))]
        return Question(self, state, spot.seat, (*options, Option(NOTHING)), right, spot.card)

    def level(self, state: GameState, choices: Mapping[Seat, Choice]) -> int:
        return 1

    def why(self, question: Question, said: str, say: Words) -> str:
        if said not in question.right:
            return ""
        describe = describer(question.state.game, board_words(say.lang, say.names))
        aim = describe.aim(question.state, question.seat, question.card)
        return "" if aim is None else f"{aim['text']}."

    def rule_hint(self, question: Question, say: Words) -> str:
        return rule_text(BaronRule.COLOUR, say)

    def refute(self, question: Question, said: str, say: Words) -> PlayedOut:
        if said == NOTHING:
            return PlayedOut(rule=BaronRule.COLOUR, said=say("wrong.some_colour", card=question.card))
        end = question.state.rows[int(said) - 1][-1]
        text = say("wrong.no_colour", row=said, end=end, card=question.card)
        return PlayedOut(rule=BaronRule.COLOUR, said=text)

    def label(self, question: Question, option: Option, say: Words) -> str:
        return say("label.no_row")


class SafeColour(Safe):
    """Which card is certain to take nothing?"""

    def hint(self, question: Question, say: Words) -> str:
        return say("hint.safe_colour")

    def rule_hint(self, question: Question, say: Words) -> str:
        return rule_text(BaronRule.SIX_OF_A_COLOUR, say)


def exercises(game: Game) -> tuple[str, ...]:
    """Players choose rows so often that few turns can be predicted. With many players hardly anything is certain, and
    if bulls are good nobody wants to be safe."""
    safe = not game.heads_are_good and game.players <= _FEW
    return ("row", "match", "safe") if safe else ("row", "match")


_FEW: Final = 4
ASKS.provide(Baron, Asks((Match(), SafeColour()), exercises))
