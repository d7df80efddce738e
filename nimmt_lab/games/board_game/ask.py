"""Exercises for the board game count points on the track."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.record import Step
from nimmt_lab.lessons.question import WORTH

from .rules import BoardGame


@WORTH.provides(BoardGame)
def worth(steps: Sequence[Step], seat: Seat) -> int:
    """The change of the score."""
    return steps[-1].state.totals[seat] - steps[0].before.totals[seat]
