"""How Beat the Buffalo is told: the team and the buffalo as one each, special cards before the card they help."""

from __future__ import annotations

from typing import cast

from nimmt_lab.engine.events import CardPlaced, GameEnded, RowTaken
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.placement import LATER_TAKES
from nimmt_lab.explain.report import LOSSES, heads_taken
from nimmt_lab.explain.rows import ROWS, RowOption, RowReader
from nimmt_lab.explain.shared import game_ended, one_too_many, placed_as, taken_as
from nimmt_lab.explain.teller import Part, Teller, tells, tells_by_rule

from .effects import row_limit
from .parts import (
    BuffaloRule,
    BuffaloTable,
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
from .rules import Buffalo


class BuffaloRows(RowReader):
    """The classic rules, as far as Stop! and 7 takes! let them stand."""

    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        game, extra = cast(Buffalo, state.game), BuffaloTable.of(state)
        found = []
        for row, cards in enumerate(state.rows):
            if cards:
                lower = cards[-1] < value
                full = len(cards) >= row_limit(extra, row, game.places_in_row)
                difference = value - cards[-1] if lower and row not in extra.stopped else None
                found.append(RowOption(row, cards[-1], difference, full, lower))
        return tuple(found)

    def closed(self, state: GameState, value: int, option: RowOption) -> str:
        return "why.stopped"


ROWS.provide(Buffalo, BuffaloRows())
LOSSES.provide(Buffalo, heads_taken)
# Insert and Push may take a row; that belongs to the story of the card before which they were used.
LATER_TAKES.provide(BuffaloRule, {BuffaloRule.FULL_ROW: None})


def seven_takes(tell: Teller, event: RowTaken) -> str:
    return one_too_many(tell, event, "taken.seventh")


def end(tell: Teller, event: GameEnded) -> str:
    """The team wins as one, whoever plays in it."""
    winners = event.outcome.winners
    if not winners:
        return game_ended(tell, event)
    return tell.say("table.won", who=tell.say("who.team") if 0 in winners else tell.say("who.buffalo"))


tells_by_rule(
    CardPlaced,
    {BuffaloRule.EMPTY_ROW: placed_as("placed.empty_row"), BuffaloRule.INSERT: placed_as("placed.inserted")},
)
tells_by_rule(
    RowTaken,
    {
        BuffaloRule.LOW_CARD: taken_as("taken.low"),
        BuffaloRule.BUFFALOS_LOW_CARD: taken_as("taken.buffalos_low"),
        BuffaloRule.FULL_ROW: taken_as("taken.too_many"),
        BuffaloRule.SEVEN_TAKES: seven_takes,
    },
)
tells_by_rule(GameEnded, {BuffaloRule.END: end})



def special_name(tell: Teller, kind: Special) -> str:
    """What a special card is called."""
    return tell.say(f"special.{kind.value}")


@tells(SpecialsTurnedUp)
def specials_turned_up(tell: Teller, event: SpecialsTurnedUp) -> str:
    if not event.up:
        return tell.say("buffalo.no_specials")
    up = tell.say.list(special_name(tell, kind) for kind in event.up)
    return tell.say("buffalo.turned_up", up=up, left=event.left)


@tells(SpecialUsed, Part.BEFORE)
def special_used(tell: Teller, event: SpecialUsed) -> str:
    kind = special_name(tell, event.kind)
    if event.card is None:
        used = tell.say("buffalo.used_between", kind=kind)
    else:
        used = tell.say("buffalo.used", kind=kind, card=event.card)
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


@tells(StopLifted, Part.BEFORE)
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
