"""Exercises for Beat the Buffalo, where a team wins and loses together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.games.classic.ask import Safe
from nimmt_lab.lessons.kinds import NOTHING, Winner
from nimmt_lab.lessons.question import ASKS, WORTH, Asks, Option, Question, heads_won

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
ASKS.provide(Buffalo, Asks((TeamOrBuffalo(), Safe()), exercises))
