"""How the Number Twister looks: a sign beside everybody who has not used it."""

from __future__ import annotations

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.events import Json
from nimmt_lab.games.classic.describe import LOOK, FanLook

from .rules import CardRegainedValue, CardTwisted, NumberTwister, TwisterMarker


@LOOK.provides(NumberTwister)
class TwisterLook(FanLook[TwisterMarker]):
    """Twisters that are left."""

    events = (CardTwisted, CardRegainedValue)

    def badges(self, marker: TwisterMarker, seat: Seat) -> list[Json]:
        return [{"sign": "⇄", "text": self.words("look.number_twister.unused")}] if seat in marker.unused else []

    def table_notes(self, marker: TwisterMarker) -> list[Json]:
        return []  # the badges say it
