"""How the Even/Odd card is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from nimmt_lab.explain.sketch import Influence, Mark, Sketch
from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.tell import FAN_CARDS, FanCardWords, influences, lays

from .rules import EvenOdd, EvenOddMarker, EvenOddMoved


def closed(marker: EvenOddMarker) -> str:
    return "why.only_odd" if marker.side == "odd" else "why.only_even"


FAN_CARDS.provide(EvenOdd, FanCardWords(closed=closed))


@lays(EvenOddMarker)
def laid(tell: Teller, marker: EvenOddMarker) -> str:
    return tell.say("fan.even_odd_laid_odd" if marker.side == "odd" else "fan.even_odd_laid_even", row=marker.row + 1)


@tells(EvenOddMoved)
def even_odd_moved(tell: Teller, event: EvenOddMoved) -> str:
    key = "fan.even_odd_moved_odd" if event.side == "odd" else "fan.even_odd_moved_even"
    return tell.say(key, row=event.row + 1, end=event.end)


class Parity(Influence):
    """The second reading. Its mark: the row, and 1 for odd."""

    forgets: ClassVar[str] = "always"
    asks_parity: ClassVar[bool] = True

    def closes(self, mark: Mark, row: int, value: int) -> bool:
        return row == mark[0] and value & 1 != mark[1]

    def moves(self, sketch: Sketch, at: int, limit: int, row: int, took: bool) -> tuple[Sketch, int | None]:
        if not took:
            return sketch, None
        to = sketch.lowest(sketch.marks[at][0])
        return sketch.marked(at, (to, sketch.ends[to] & 1)), None

    def sets_off(self, mark: Mark, row: int) -> bool:
        return False

    def out_of_reach(self, mark: Mark, rows: Sequence[int]) -> Mark:
        if mark[0] not in rows:
            return mark
        # Which side it shows there is all the same; and of two such rows, either is as good.
        return (rows[0] if len(rows) > 1 else mark[0]), 0


@influences(EvenOdd, EvenOddMarker)
def influence(card: EvenOdd, marker: EvenOddMarker) -> Influence:
    return Parity((marker.row, int(marker.side == "odd")))
