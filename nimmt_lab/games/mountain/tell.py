"""Narration of the Mountain card."""

from __future__ import annotations

from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.tell import FAN_CARDS, INFLUENCES, FanCardWords, Influence, lays

from .rules import Mountain, MountainMarker, MountainMoved

FAN_CARDS.provide(Mountain, FanCardWords(wins_ties="placed.tie"))


@lays(MountainMarker)
def laid(tell: Teller, marker: MountainMarker) -> str:
    return tell.say("fan.mountain_laid", row=marker.row + 1)


@tells(MountainMoved)
def mountain_moved(tell: Teller, event: MountainMoved) -> str:
    return tell.say("fan.mountain_turned" if event.turned else "fan.mountain_moved", row=event.row + 1)


# With other fan cards the distance down to its row needs the actual numbers.
INFLUENCES.provide(Mountain, Influence(forgets="alone"))
