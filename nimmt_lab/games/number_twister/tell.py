"""How the Number Twister is told."""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.engine.cards import Card
from nimmt_lab.explain.sketch import Influence
from nimmt_lab.explain.teller import Part, Teller, tells
from nimmt_lab.games.classic.tell import influences, lays

from .rules import CardRegainedValue, CardTwisted, NumberTwister, TwisterMarker, twisted


@lays(TwisterMarker)
def laid(tell: Teller, marker: TwisterMarker) -> str:
    # Where a used one does not come back (R-F3), a later round begins with those that are left.
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


class Twisters(Influence):
    """The second reading: nothing lies at a row, but some of the others may play a card as another number."""

    forgets: ClassVar[str] = "always"
    said: ClassVar[tuple[str, str]] = ("assess.twisted", "assess.both")

    def __init__(self, card: NumberTwister, marker: TwisterMarker) -> None:
        super().__init__(users=marker.unused)
        self.card = card

    def otherwise(self, card: Card) -> int | None:
        return twisted(card) if self.card.ways((card,)) else None


@influences(NumberTwister, TwisterMarker)
def influence(card: NumberTwister, marker: TwisterMarker) -> Influence:
    return Twisters(card, marker)
