"""How the Number Twister is told."""

from __future__ import annotations

from nimmt_lab.explain.teller import Part, Teller, tells
from nimmt_lab.games.classic.fan_card import Marker
from nimmt_lab.games.classic.tell import LAID

from .rules import CardRegainedValue, CardTwisted, TwisterMarker


@LAID.provides(TwisterMarker)
def laid(tell: Teller, marker: Marker) -> str:
    return tell.say("fan.twisters_dealt")


@tells(CardTwisted, Part.APART)
def card_twisted(tell: Teller, event: CardTwisted) -> str:
    return tell.say("fan.twisted", card=tell.card(event.seat, event.card), value=event.value)


@tells(CardRegainedValue)
def card_regained_value(tell: Teller, event: CardRegainedValue) -> str:
    return tell.say("fan.own_value", card=event.card, row=event.row + 1)
