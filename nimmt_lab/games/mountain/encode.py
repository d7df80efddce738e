"""The Mountain in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.encode import one_of
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.encode import MARKER
from nimmt_lab.games.classic.fan_card import Marker

from .rules import Mountain, MountainMarker


@MARKER.provides(Mountain)
def marker_numbers(view: View, marker: Marker | None) -> Sequence[float]:
    """Its row, and whether its arrows point down."""
    if not isinstance(marker, MountainMarker):
        return one_of(5)
    return [*one_of(4, marker.row), float(marker.arrows == "down")]
