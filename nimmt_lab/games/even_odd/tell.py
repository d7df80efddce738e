"""Narration of the Even/Odd card."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.explain.teller import Teller, tells
from nimmt_lab.games.classic.tell import FAN_CARDS, INFLUENCES, FanCardWords, Influence, lays

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


def out_of_reach(marker: EvenOddMarker, rows: Sequence[int]) -> EvenOddMarker:
    if marker.row not in rows:
        return marker
    # Its side doesn't matter there, and all such rows are equivalent.
    return EvenOddMarker(rows[0] if len(rows) > 1 else marker.row, "even")


INFLUENCES.provide(EvenOdd, Influence(forgets="always", asks_parity=True, out_of_reach=out_of_reach))
