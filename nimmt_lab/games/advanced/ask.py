"""What advanced mode is asked besides: which card starts a row when the draft is over."""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.engine.errors import PositionError
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.lessons.question import ASKS, Asks, Kind, Option, Question, Spot

from .rules import Advanced


class Starts(Kind):
    """After the last pick of a draft: which card starts a row?"""

    name: ClassVar[str] = "starts"

    def ask(self, spot: Spot) -> Question:
        steps = spot.turn()
        rows = steps[-1].state.rows
        if not rows:
            raise PositionError("the draft goes on: no row is started")
        options = tuple(Option(str(card), card=card) for card in spot.state.stock)
        return Question(self, spot.state, spot.seat, options, frozenset({str(rows[spot.row][0])}), proof=steps)


_CLASSIC = ASKS.of(Classic)
ASKS.provide(Advanced, Asks((*_CLASSIC.kinds, Starts()), _CLASSIC.exercises))
