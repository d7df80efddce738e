"""Encoding of the Mountain card."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.encode import MARKER, row_numbers
from nimmt_lab.games.classic.fan_card import Marker

from .rules import Mountain, MountainMarker


@MARKER.provides(Mountain)
def marker_numbers(view: View, marker: Marker | None) -> Sequence[float]:
    if not isinstance(marker, MountainMarker):
        return [*row_numbers(view, None), 0.0]
    return [*row_numbers(view, marker.row), float(marker.arrows == "down")]
