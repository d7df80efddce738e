"""Encoding of the Jumping Cow."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.encode import MARKER, row_numbers
from nimmt_lab.games.classic.fan_card import Marker

from .rules import CowMarker, JumpingCow


@MARKER.provides(JumpingCow)
def marker_numbers(view: View, marker: Marker | None) -> Sequence[float]:
    return row_numbers(view, marker.row if isinstance(marker, CowMarker) else None)
