"""How the Mountain card looks: an arrow beside its row shows where it moves next."""

from __future__ import annotations

from nimmt_lab.engine.events import Json
from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import Mountain, MountainMarker, MountainMoved


@LOOK.provides(Mountain)
class MountainLook(FanLook[MountainMarker]):
    """The arrows."""

    events = (MountainMoved,)

    def notes(self, marker: MountainMarker, row: int) -> list[Json]:
        if row != marker.row:
            return []
        return [{"sign": "▲" if marker.arrows == "up" else "▼", "text": self.words("look.mountain.goes_down")}]
