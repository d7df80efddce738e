"""Narration of the Jumping Cow, which fills places of rows and adds a trap."""

from __future__ import annotations

from nimmt_lab.engine.events import RowTaken
from nimmt_lab.explain.placement import LATER_TAKES
from nimmt_lab.explain.shared import taken_as
from nimmt_lab.explain.teller import Teller, tells, tells_by_rule
from nimmt_lab.explain.traps import Trap
from nimmt_lab.games.classic.tell import FAN_CARDS, INFLUENCES, FanCardWords, Influence, lays

from .rules import CowJumped, CowMarker, JumpingCow, JumpingCowRule


class CowTrap(Trap):
    #: The cow jumps to a full row although the card had room.
    COW_JUMP = "cow_jump"


FAN_CARDS.provide(JumpingCow, FanCardWords(came="why.cow_came", full="taken.with_cow"))
LATER_TAKES.provide(JumpingCowRule, {JumpingCowRule.MAKES_SIX: CowTrap.COW_JUMP})


def makes_six(tell: Teller, event: RowTaken) -> str:
    six = tell.game is None or tell.game.places_in_row == 5
    return taken_as("taken.cow" if six else "taken.cow_other")(tell, event)


tells_by_rule(RowTaken, {JumpingCowRule.MAKES_SIX: makes_six})


@lays(CowMarker)
def laid(tell: Teller, marker: CowMarker) -> str:
    return tell.say("fan.cow_laid", row=marker.row + 1)


@tells(CowJumped)
def cow_jumped(tell: Teller, event: CowJumped) -> str:
    return tell.say("fan.cow_jumped", row=event.row + 1, end=event.end)


INFLUENCES.provide(JumpingCow, Influence(forgets="always", asks_lowest=True, asks_highest=True, trap=CowTrap.COW_JUMP))
