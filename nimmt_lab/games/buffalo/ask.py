"""Exercises for Beat the Buffalo, where a team wins and loses together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.games.classic.ask import Safe
from nimmt_lab.lessons.kinds import NOTHING, Best, Winner
from nimmt_lab.lessons.question import ASKS, WORTH, Asks, Option, PlayedOut, Question, heads_won

from .rules import Buffalo


class TeamOrBuffalo(Winner):
    """Who wins when this last turn is over: the team, the buffalo, or nobody?"""

    def sides(self, state: GameState) -> list[str]:
        game = cast(Buffalo, state.game)
        return [" ".join(map(seat_letter, range(game.players))), seat_letter(game.buffalo), NOTHING]

    def label(self, question: Question, option: Option, say: Words) -> str:
        if option.text == NOTHING:
            return say("label.draw")
        buffalo = seat_letter(cast(Buffalo, question.state.game).buffalo)
        return say("who.buffalo") if option.text == buffalo else say("who.team")


class BestForTeam(Best):
    """Which use of a special card is best for the team? The price is what both sides take."""

    def sought(self, question: Question) -> str:
        return "ask.best_team" if question.seat == TEAM else super().sought(question)

    def why(self, question: Question, answer: str, say: Words) -> str:
        if question.seat != TEAM:
            return super().why(question, answer, say)
        return say("wrong.best_team", **_both(question, answer))

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        played = super().refute(question, answer, say)
        if question.seat != TEAM:
            return played
        return replace(played, said=say("wrong.team", **_both(question, answer)))

    def nearly(self, question: Question, say: Words) -> str:
        if question.seat != TEAM or len(question.options) > 2:
            return super().nearly(question, say)
        (wrong,) = [option for option in question.options if option.text not in question.right]
        return say("hint.team", other=self.worded(question, wrong, say), **_both(question, wrong.text))


def _both(question: Question, answer: str) -> dict[str, int]:
    """What the team and the buffalo take in the turn after an answer."""
    game, line = cast(Buffalo, question.state.game), question.lines[answer]
    takes = [event for step in line for event in step.events if isinstance(event, RowTaken)]
    theirs = sum(take.heads for take in takes if take.seat == game.buffalo)
    ours = sum(take.heads for take in takes) - theirs
    return {"ours": ours, "theirs": theirs}


@WORTH.provides(Buffalo)
def worth(steps: Sequence[Step], seat: Seat) -> int:
    """For the team, the heads of the buffalo minus its own."""
    if seat != TEAM:
        return heads_won(steps, seat)
    game = cast(Buffalo, steps[0].before.game)
    takes = [event for step in steps for event in step.events if isinstance(event, RowTaken)]
    return sum(take.heads if take.seat == game.buffalo else -take.heads for take in takes)


def exercises(game: Game) -> tuple[str, ...]:
    """Ask for safe cards only with few special cards, because nothing is proved while some lie beside rows."""
    return ("row", "takes", "safe") if game.players <= _FEW else ("row", "takes")


_FEW: Final = 3
ASKS.provide(Buffalo, Asks((TeamOrBuffalo(), BestForTeam(), Safe()), exercises))
