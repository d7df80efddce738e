"""Narration of the Number Twister."""

from __future__ import annotations

from nimmt_lab.explain.teller import Part, Teller, tells
from nimmt_lab.games.classic.tell import INFLUENCES, Influence, lays

from .rules import CardRegainedValue, CardTwisted, NumberTwister, TwisterMarker


@lays(TwisterMarker)
def laid(tell: Teller, marker: TwisterMarker) -> str:
    # If used twisters don't come back (R-F3), a later round starts with the remaining ones.
    if tell.game is not None and len(marker.unused) == tell.game.players:
        return tell.say("fan.twisters_dealt")
    if not marker.unused:
        return tell.say("fan.twisters_gone")
    return tell.say("fan.twisters_left", who=tell.say.list(map(tell.who, marker.unused)))


@tells(CardTwisted, Part.APART)
def card_twisted(tell: Teller, event: CardTwisted) -> str:
    return tell.say("fan.twisted", card=tell.card(event.seat, event.card), value=event.value)


@tells(CardRegainedValue)
def card_regained_value(tell: Teller, event: CardRegainedValue) -> str:
    return tell.say("fan.own_value", card=event.card, row=event.row + 1)


INFLUENCES.provide(NumberTwister, Influence(forgets="always", said=("assess.twisted", "assess.both")))
