"""How the Mountain card is told."""

from __future__ import annotations

from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.fan_card import Marker
from nimmt_lab.games.classic.tell import FAN_CARDS, LAID, FanCardWords

from .rules import Mountain, MountainMarker, MountainMoved

FAN_CARDS.provide(Mountain, FanCardWords(wins_ties="placed.tie"))


@LAID.provides(MountainMarker)
def laid(tell: Teller, marker: Marker) -> str:
    assert isinstance(marker, MountainMarker)
    return tell.say("fan.mountain_laid", row=marker.row + 1)


@tells(MountainMoved)
def mountain_moved(tell: Teller, event: MountainMoved) -> str:
    return tell.say("fan.mountain_turned" if event.turned else "fan.mountain_moved", row=event.row + 1)
