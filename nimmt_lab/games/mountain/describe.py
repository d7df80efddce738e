"""Display of the Mountain card: an arrow beside its row shows its next move."""

from __future__ import annotations

from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import Mountain, MountainMarker, MountainMoved


@LOOK.provides(Mountain)
class MountainLook(FanLook[MountainMarker]):
    events = (MountainMoved,)

    def icon(self, marker: MountainMarker) -> str:
        return f"peak_{marker.arrows}"
