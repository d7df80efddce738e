"""What is told of Beat the Buffalo."""

from __future__ import annotations

from nimmt_lab.games.buffalo.parts import (
    CardPushed,
    CardSwapped,
    OrderChanged,
    RowEmptied,
    RowStopped,
    SevenTakesLaid,
    SevenTakesLeft,
    Special,
    SpecialsTurnedUp,
    SpecialUsed,
    StopLifted,
)

from .teller import Teller, tells


def special_name(tell: Teller, kind: Special) -> str:
    """What a special card is called."""
    return tell.say(f"special.{kind.value}")


@tells(SpecialsTurnedUp)
def specials_turned_up(tell: Teller, event: SpecialsTurnedUp) -> str:
    if not event.up:
        return tell.say("buffalo.no_specials")
    up = tell.say.list(special_name(tell, kind) for kind in event.up)
    return tell.say("buffalo.turned_up", up=up, left=event.left)


@tells(SpecialUsed)
def special_used(tell: Teller, event: SpecialUsed) -> str:
    used = tell.say("buffalo.used", kind=special_name(tell, event.kind), card=event.card)
    if event.turned_up is None:
        return used
    return used + " " + tell.say("buffalo.replaced", kind=special_name(tell, event.turned_up))


@tells(SevenTakesLaid)
def seven_takes_laid(tell: Teller, event: SevenTakesLaid) -> str:
    return tell.say("buffalo.seven_laid", row=event.row + 1)


@tells(SevenTakesLeft)
def seven_takes_left(tell: Teller, event: SevenTakesLeft) -> str:
    return tell.say("buffalo.seven_left", row=event.row + 1)


@tells(RowStopped)
def row_stopped(tell: Teller, event: RowStopped) -> str:
    return tell.say("buffalo.stopped", row=event.row + 1)


@tells(StopLifted)
def stop_lifted(tell: Teller, event: StopLifted) -> str:
    return tell.say("buffalo.lifted", row=event.row + 1)


@tells(CardSwapped)
def card_swapped(tell: Teller, event: CardSwapped) -> str:
    return tell.say("buffalo.swapped", who=tell.who(event.seat), back=event.back, card=event.card)


@tells(CardPushed)
def card_pushed(tell: Teller, event: CardPushed) -> str:
    return tell.say("buffalo.pushed", card=event.card, old_row=event.old_row + 1, row=event.row + 1)


@tells(RowEmptied)
def row_emptied(tell: Teller, event: RowEmptied) -> str:
    return tell.say("buffalo.emptied", row=event.row + 1)


@tells(OrderChanged)
def order_changed(tell: Teller, event: OrderChanged) -> str:
    return tell.say("table.order", plays=tell.plays(event.plays))
