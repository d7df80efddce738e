"""Display of the Even/Odd card: pairs of dots, or one without a partner, beside its row."""

from __future__ import annotations

from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import EvenOdd, EvenOddMarker, EvenOddMoved


@LOOK.provides(EvenOdd)
class EvenOddLook(FanLook[EvenOddMarker]):
    events = (EvenOddMoved,)

    def icon(self, marker: EvenOddMarker) -> str:
        return marker.side
