"""How the Even/Odd card is told."""

from __future__ import annotations

from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.fan_card import Marker
from nimmt_lab.games.classic.tell import FAN_CARDS, LAID, FanCardWords

from .rules import EvenOdd, EvenOddMarker, EvenOddMoved


def closed(marker: Marker) -> str:
    assert isinstance(marker, EvenOddMarker)
    return "why.only_odd" if marker.side == "odd" else "why.only_even"


FAN_CARDS.provide(EvenOdd, FanCardWords(closed=closed))


@LAID.provides(EvenOddMarker)
def laid(tell: Teller, marker: Marker) -> str:
    assert isinstance(marker, EvenOddMarker)
    return tell.say("fan.even_odd_laid_odd" if marker.side == "odd" else "fan.even_odd_laid_even", row=marker.row + 1)


@tells(EvenOddMoved)
def even_odd_moved(tell: Teller, event: EvenOddMoved) -> str:
    key = "fan.even_odd_moved_odd" if event.side == "odd" else "fan.even_odd_moved_even"
    return tell.say(key, row=event.row + 1, end=event.end)
