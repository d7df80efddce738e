"""How the Jumping Cow is told: she fills rows without being a card, and brings a trap of her own."""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.engine.events import RowTaken
from nimmt_lab.explain.placement import LATER_TAKES
from nimmt_lab.explain.shared import taken_as
from nimmt_lab.explain.sketch import Influence, Mark, Sketch
from nimmt_lab.explain.teller import Teller, tells, tells_by_rule
from nimmt_lab.explain.traps import Trap
from nimmt_lab.games.classic.tell import FAN_CARDS, FanCardWords, influences, lays

from .rules import CowJumped, CowMarker, JumpingCow, JumpingCowRule


class CowTrap(Trap):
    """What the cow can do to a card that has room."""

    #: She then jumps onto five cards, and that makes six.
    COW_JUMP = "cow_jump"


FAN_CARDS.provide(JumpingCow, FanCardWords(came="why.cow_came", full="taken.with_cow"))
LATER_TAKES.provide(JumpingCowRule, {JumpingCowRule.MAKES_SIX: CowTrap.COW_JUMP})
tells_by_rule(RowTaken, {JumpingCowRule.MAKES_SIX: taken_as("taken.cow")})


@lays(CowMarker)
def laid(tell: Teller, marker: CowMarker) -> str:
    return tell.say("fan.cow_laid", row=marker.row + 1)


@tells(CowJumped)
def cow_jumped(tell: Teller, event: CowJumped) -> str:
    return tell.say("fan.cow_jumped", row=event.row + 1, end=event.end)


class Cow(Influence):
    """The second reading. Her mark: the row she stands in."""

    forgets: ClassVar[str] = "always"
    asks_lowest: ClassVar[bool] = True
    asks_highest: ClassVar[bool] = True
    trap: ClassVar[Trap | None] = CowTrap.COW_JUMP

    def occupies(self, mark: Mark, row: int) -> int:
        return 1 if row == mark[0] else 0

    def moves(self, sketch: Sketch, at: int, limit: int, row: int, took: bool) -> tuple[Sketch, int | None]:
        if row != sketch.marks[at][0]:
            return sketch, None
        to = sketch.lowest(row)
        sketch = sketch.marked(at, (to,))
        # A row without a place for her makes six: all but its highest card are taken.
        return (sketch, None) if sketch.counts[to] < limit else (sketch.started(to, sketch.highest(to)), to)

    def sets_off(self, mark: Mark, row: int) -> bool:
        return row == mark[0]


@influences(JumpingCow, CowMarker)
def influence(card: JumpingCow, marker: CowMarker) -> Influence:
    return Cow((marker.row,))
