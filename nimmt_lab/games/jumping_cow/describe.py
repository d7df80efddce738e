"""How the Jumping Cow looks: she stands at the end of her row, on a place that is lost to cards."""

from __future__ import annotations

from nimmt_lab.engine.events import Json
from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import CowJumped, CowMarker, JumpingCow

SIGN = "♉"


@LOOK.provides(JumpingCow)
class CowLook(FanLook[CowMarker]):
    """The cow."""

    events = (CowJumped,)

    def notes(self, marker: CowMarker, row: int) -> list[Json]:
        return self.lost(marker, row)

    def lost(self, marker: CowMarker, row: int) -> list[Json]:
        return [{"sign": SIGN, "text": self.words("look.jumping_cow.cow")}] if row == marker.row else []
