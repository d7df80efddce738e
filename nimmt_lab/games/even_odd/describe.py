"""How the Even/Odd card looks: a half moon beside its row, and which cards it lets in."""

from __future__ import annotations

from nimmt_lab.engine.events import Json
from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import EvenOdd, EvenOddMarker, EvenOddMoved


@LOOK.provides(EvenOdd)
class EvenOddLook(FanLook[EvenOddMarker]):
    """The side that shows."""

    events = (EvenOddMoved,)

    def notes(self, marker: EvenOddMarker, row: int) -> list[Json]:
        if row != marker.row:
            return []
        sign = "◑" if marker.side == "odd" else "◐"
        return [{"sign": sign, "text": self.words(f"look.even_odd.only_{marker.side}")}]
