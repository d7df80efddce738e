"""How the Mountain card is told."""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.explain.sketch import Influence, Mark, Sketch
from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.tell import FAN_CARDS, FanCardWords, influences, lays

from .rules import Mountain, MountainMarker, MountainMoved

FAN_CARDS.provide(Mountain, FanCardWords(wins_ties="placed.tie"))


@lays(MountainMarker)
def laid(tell: Teller, marker: MountainMarker) -> str:
    return tell.say("fan.mountain_laid", row=marker.row + 1)


@tells(MountainMoved)
def mountain_moved(tell: Teller, event: MountainMoved) -> str:
    return tell.say("fan.mountain_turned" if event.turned else "fan.mountain_moved", row=event.row + 1)


class Slope(Influence):
    """The second reading. Its mark: the row, and 1 while the arrows point up."""

    # Beside others it needs the numbers themselves: the way down to its row is measured.
    forgets: ClassVar[str] = "alone"

    def descends(self, mark: Mark, row: int) -> bool:
        return row == mark[0]

    def moves(self, sketch: Sketch, at: int, limit: int, row: int, took: bool) -> tuple[Sketch, int | None]:
        if not took:
            return sketch, None
        here, up = sketch.marks[at]
        to, last = here + (-1 if up else 1), len(sketch.ends) - 1
        return sketch.marked(at, (to, up if 0 < to < last else int(to == last))), None

    def sets_off(self, mark: Mark, row: int) -> bool:
        return False


@influences(Mountain, MountainMarker)
def influence(card: Mountain, marker: MountainMarker) -> Influence:
    return Slope((marker.row, int(marker.arrows == "up")))
