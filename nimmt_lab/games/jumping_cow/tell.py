"""How the Jumping Cow is told: she fills rows without being a card, and brings a trap of her own."""

from __future__ import annotations

from nimmt_lab.engine.events import RowTaken
from nimmt_lab.explain.placement import LATER_TAKES
from nimmt_lab.explain.shared import taken_as
from nimmt_lab.explain.teller import Teller, tells, tells_by_rule
from nimmt_lab.explain.traps import Trap
from nimmt_lab.games.classic.fan_card import Marker
from nimmt_lab.games.classic.tell import FAN_CARDS, LAID, FanCardWords

from .rules import CowJumped, CowMarker, JumpingCow, JumpingCowRule


class CowTrap(Trap):
    """What the cow can do to a card that has room."""

    #: She then jumps onto five cards, and that makes six.
    COW_JUMP = "cow_jump"


FAN_CARDS.provide(JumpingCow, FanCardWords(came="why.cow_came", full="taken.with_cow"))
LATER_TAKES.provide(JumpingCowRule, {JumpingCowRule.MAKES_SIX: CowTrap.COW_JUMP})
tells_by_rule(RowTaken, {JumpingCowRule.MAKES_SIX: taken_as("taken.cow")})


@LAID.provides(CowMarker)
def laid(tell: Teller, marker: Marker) -> str:
    assert isinstance(marker, CowMarker)
    return tell.say("fan.cow_laid", row=marker.row + 1)


@tells(CowJumped)
def cow_jumped(tell: Teller, event: CowJumped) -> str:
    return tell.say("fan.cow_jumped", row=event.row + 1, end=event.end)
