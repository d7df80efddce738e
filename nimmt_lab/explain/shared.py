"""What is told of the events that all games share, and what a chapter's rules may make of them."""

from __future__ import annotations

from collections.abc import Callable

from nimmt_lab.engine.events import CardPlaced, CardsRevealed, GameEnded, RoundEnded, RoundStarted, RowTaken

from .rows import ROWS, closest
from .teller import Part, Teller, tells, unit


@tells(RoundStarted, Part.APART)
def round_started(tell: Teller, event: RoundStarted) -> str:
    cards = tell.say.list(row[0] for row in event.rows if row)
    return tell.say("table.round", round=event.round + 1, cards=cards)


@tells(CardsRevealed, Part.APART)
def revealed(tell: Teller, event: CardsRevealed) -> str:
    return tell.say("table.revealed", turn=event.turn + 1, plays=tell.plays(event.plays))


@tells(RoundEnded, Part.ENDS)
def round_ended(tell: Teller, event: RoundEnded) -> str:
    seats = tell.game.pile_seats if tell.game is not None else range(len(event.heads))
    scores = tell.say.list(
        tell.say("table.score", who=tell.who(seat), more=more, total=total)
        for seat, more, total in zip(seats, event.heads, event.totals, strict=True)
    )
    return tell.say("table.round_over", round=event.round + 1, scores=scores)


@tells(GameEnded, Part.ENDS)
def game_ended(tell: Teller, event: GameEnded) -> str:
    winners = event.outcome.winners
    if not winners:
        return tell.say("table.draw")
    names = tell.say.list(tell.who(seat) for seat in winners)
    return tell.say("table.won" if len(winners) == 1 else "table.shared", who=names)


# Placing -------------------------------------------------------------------------------------------------


@tells(CardPlaced, Part.PLACES)
def placed(tell: Teller, event: CardPlaced) -> str:
    """Where a card goes; on a table whose rows can be read, why."""
    if event.difference is None and event.slot == 0:
        return tell.say("placed.starts", card=event.card, row=event.row + 1)
    return where(tell, event, event.difference)


def placed_as(key: str) -> Callable[[Teller, CardPlaced], str]:
    """A placement by a rule that needs a message of its own: {card}, {row} and {place}."""

    def told(tell: Teller, event: CardPlaced) -> str:
        return tell.say(key, card=tell.card(event.seat, event.card), row=event.row + 1, place=event.slot + 1)

    return told


def where(tell: Teller, event: CardPlaced | RowTaken, difference: int | None = None) -> str:
    """Where a card goes and, where the rows can be read, why: the end it is closest to, and the next best one."""
    parts = {"card": tell.card(event.seat, event.card), "row": event.row + 1}
    state = tell.before
    reader = ROWS.find(state.game) if state is not None else None
    if state is not None and reader is not None and reader.compares_ends:
        value = next((play.value for play in state.queue if play.card == event.card), event.card)
        options = reader.options(state, value)
        # A reason is given only where it is the reason.
        if closest(options) == event.row:
            mine = next(option for option in options if option.row == event.row)
            others = [option for option in options if option.difference is not None and option.row != event.row]
            if not others:
                return tell.say("placed.only", **parts, end=mine.end)
            other = min(others, key=lambda option: option.difference or 0)
            key = mine.wins_ties if other.difference == mine.difference else "placed.closer"
            if key:
                return tell.say(key, **parts, end=mine.end, other=other.end)
    if difference is None:
        return tell.say("placed.row", **parts)
    return tell.say("placed.difference", **parts, difference=difference)


# Taking --------------------------------------------------------------------------------------------------


@tells(RowTaken)
def taken(tell: Teller, event: RowTaken) -> str:
    """Who takes what from which row: true of every take."""
    return taken_as("taken.field")(tell, event)


def taken_as(key: str, things: str = "cards") -> Callable[[Teller, RowTaken], str]:
    """A take by a rule that needs a message of its own: {who}, {card}, {row}, {cards} and {heads}."""

    def told(tell: Teller, event: RowTaken) -> str:
        return tell.say(
            key,
            who=tell.who(event.seat),
            heads=tell.say.count(unit(event.rule), event.heads),
            row=event.row + 1,
            card=event.card,
            cards=tell.say.count(things, len(event.cards)),
        )

    return told


def one_too_many(tell: Teller, event: RowTaken, last: str = "", path: str = "") -> str:
    """A take by one card too many in the card's own row: where the card goes (`path`, or why it goes there), then what
    that does (`last`: a message with {who} and {heads}; without one, which card of the row it is)."""
    if tell.before is None:
        return taken_as("taken.full")(tell, event)
    number = len(tell.before.rows[event.row]) + 1
    parts = {"who": tell.who(event.seat), "heads": tell.say.count(unit(event.rule), event.heads), "number": number}
    last = last or ("taken.sixth" if number == 6 else "taken.one_too_many")
    return f"{path or where(tell, event)} {tell.say(last, **parts)}"
