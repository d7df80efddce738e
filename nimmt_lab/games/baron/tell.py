"""How Bull Baron is told: colours decide, and what is counted is whole bulls."""

from __future__ import annotations

from typing import ClassVar, cast

from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.report import LOSSES, heads_taken
from nimmt_lab.explain.rows import ROWS, RowOption, RowReader
from nimmt_lab.explain.shared import one_too_many, placed_as, taken_as
from nimmt_lab.explain.teller import UNITS, Part, Teller, tells, tells_by_rule

from .rules import Baron, BaronRule, CardTucked, HandsRefilled

UNITS.provide(Baron, "bulls")
UNITS.provide(BaronRule, "bulls")


class BaronRows(RowReader):
    """Rows that share a colour receive a card; which of them, the player chooses."""

    compares_ends: ClassVar[bool] = False

    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        game = cast(Baron, state.game)
        found = []
        for row, cards in enumerate(state.rows):
            matches = bool(game.deck.share(value, cards[-1]))
            full = len(cards) >= game.row_limit and game.variant != "colour_counts"
            full = full or game.deck.reaches_six(cards, value)
            found.append(RowOption(row, cards[-1], 0 if matches else None, full, matches))
        return tuple(found)


ROWS.provide(Baron, BaronRows())
LOSSES.provide(Baron, heads_taken)


def sixth_card(tell: Teller, event: RowTaken) -> str:
    return one_too_many(tell, event, path=_where(tell, event))


def six_of_a_colour(tell: Teller, event: RowTaken) -> str:
    if tell.before is None:
        return taken_as("taken.six_of_a_colour")(tell, event)
    return one_too_many(tell, event, "taken.six_of_a_colour", _where(tell, event))


def _where(tell: Teller, event: RowTaken) -> str:
    return tell.say("placed.colour", card=tell.card(event.seat, event.card), row=event.row + 1)


tells_by_rule(CardPlaced, {BaronRule.COLOUR: placed_as("placed.colour")})
tells_by_rule(
    RowTaken,
    {
        BaronRule.SIXTH_CARD: sixth_card,
        BaronRule.SIX_OF_A_COLOUR: six_of_a_colour,
        BaronRule.NO_COLOUR: taken_as("taken.no_colour"),
    },
)


@tells(CardTucked, Part.PLACES)
def card_tucked(tell: Teller, event: CardTucked) -> str:
    return tell.say("baron.tucked", card=tell.card(event.seat, event.card))


@tells(HandsRefilled, Part.ENDS)
def hands_refilled(tell: Teller, event: HandsRefilled) -> str:
    drawn = [f"{tell.who(seat)} {count}" for seat, count in enumerate(event.counts) if count]
    return tell.say("baron.refilled", drawn=tell.say.list(drawn))
