"""Display of the Jumping Cow at the end of her row, in a place that cards lose."""

from __future__ import annotations

from nimmt_lab.engine.events import Json
from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import CowJumped, CowMarker, JumpingCow


@LOOK.provides(JumpingCow)
class CowLook(FanLook[CowMarker]):
    events = (CowJumped,)

    def icon(self, marker: CowMarker) -> str:
        return "cow"

    def lost(self, marker: CowMarker, row: int) -> list[Json]:
        return self.notes(marker, row)
