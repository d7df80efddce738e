"""Encoding of the Number Twister."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.encode import from_seat, one_of
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.encode import MARKER
from nimmt_lab.games.classic.fan_card import Marker

from .rules import NumberTwister, TwisterMarker


@MARKER.provides(NumberTwister)
def marker_numbers(view: View, marker: Marker | None) -> Sequence[float]:
    """Unused twisters, starting from the viewing seat."""
    unused = marker.unused if isinstance(marker, TwisterMarker) else ()
    return from_seat(one_of(view.game.players, *unused), view.seat)
