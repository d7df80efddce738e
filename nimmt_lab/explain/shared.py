"""Sentences for the events that all games share, and variants for chapters whose rules differ."""

from __future__ import annotations

from collections.abc import Callable

from nimmt_lab.engine.events import CardPlaced, CardsRevealed, GameEnded, RoundEnded, RoundStarted, RowTaken

from .rows import closest, comparing
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


@tells(CardPlaced, Part.PLACES)
def placed(tell: Teller, event: CardPlaced) -> str:
    """Describe a placement and, if the rows can be read, the reason for it."""
    if event.difference is None and event.slot == 0:
        return tell.say("placed.starts", card=event.card, row=event.row + 1)
    return where(tell, event, event.difference)


def placed_as(key: str) -> Callable[[Teller, CardPlaced], str]:
    """Placement sentence with its own message: {card}, {row} and {place}."""

    def told(tell: Teller, event: CardPlaced) -> str:
        return tell.say(key, card=tell.card(event.seat, event.card), row=event.row + 1, place=event.slot + 1)

    return told


def where(tell: Teller, event: CardPlaced | RowTaken, difference: int | None = None) -> str:
    """Describe where a card goes. If the rows can be read, name the closest end and the runner-up."""
    parts = {"card": tell.card(event.seat, event.card), "row": event.row + 1}
    state = tell.before
    reader = comparing(state.game) if state is not None else None
    if state is not None and reader is not None:
        value = next((play.value for play in state.queue if play.card == event.card), event.card)
        options = reader.options(state, value)
        # Give a reason only if it really decided.
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


def taken_as(key: str) -> Callable[[Teller, RowTaken], str]:
    """Take sentence with its own message: {who}, {card}, {row}, {cards} and {heads}."""

    def told(tell: Teller, event: RowTaken) -> str:
        return tell.say(
            key,
            who=tell.who(event.seat),
            heads=tell.say.count(unit(event.rule), event.heads),
            row=event.row + 1,
            card=event.card,
            cards=len(event.cards),
        )

    return told


tells(RowTaken)(taken_as("taken.field"))


def one_too_many(tell: Teller, event: RowTaken, last: str = "", path: str = "") -> str:
    """Describe a take by overfilling the card's own row: first the placement (`path`, by default with its reason), then
    the take (`last`, a message with {who} and {heads}, by default the number of the card in the row)."""
    if tell.before is None:
        return taken_as("taken.full")(tell, event)
    number = len(tell.before.rows[event.row]) + 1
    parts = {"who": tell.who(event.seat), "heads": tell.say.count(unit(event.rule), event.heads), "number": number}
    last = last or ("taken.sixth" if number == 6 else "taken.one_too_many")
    return f"{path or where(tell, event)} {tell.say(last, **parts)}"
