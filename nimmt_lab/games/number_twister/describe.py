"""Display of the Number Twister: a badge for every seat that hasn't used it."""

from __future__ import annotations

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.events import Json
from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import CardRegainedValue, CardTwisted, NumberTwister, TwisterMarker


@LOOK.provides(NumberTwister)
class TwisterLook(FanLook[TwisterMarker]):
    events = (CardTwisted, CardRegainedValue)

    def badges(self, marker: TwisterMarker, seat: Seat) -> list[Json]:
        if seat not in marker.unused:
            return []
        return [{"sign": "⇄", "icon": "twist", "text": self.words("look.number_twister.unused")}]

    def table_notes(self, marker: TwisterMarker) -> list[Json]:
        return []  # shown as badges
