"""What is told of the classic game, advanced mode, the fan cards and Bull Baron."""

from __future__ import annotations

from nimmt_lab.engine.events import CardPlaced, CardsRevealed, GameEnded, RoundEnded, RoundStarted, RowTaken
from nimmt_lab.engine.rule import Rule
from nimmt_lab.games.advanced.rules import CardPicked, DraftStarted
from nimmt_lab.games.baron.rules import Baron, BaronRule, CardTucked, HandsRefilled
from nimmt_lab.games.board_game.events import BoardRule
from nimmt_lab.games.buffalo.parts import BuffaloRule
from nimmt_lab.games.classic.fan_card import FanCardLaid
from nimmt_lab.games.classic.rules import Classic, ClassicRule
from nimmt_lab.games.even_odd.rules import EvenOddMarker, EvenOddMoved
from nimmt_lab.games.jumping_cow.rules import CowJumped, CowMarker, JumpingCowRule
from nimmt_lab.games.mountain.rules import MountainMarker, MountainMoved
from nimmt_lab.games.number_twister.rules import CardRegainedValue, CardTwisted

from .teller import Teller, tells


@tells(RoundStarted)
def round_started(tell: Teller, event: RoundStarted) -> str:
    cards = tell.say.list(row[0] for row in event.rows if row)
    return tell.say("table.round", round=event.round + 1, cards=cards)


@tells(CardsRevealed)
def revealed(tell: Teller, event: CardsRevealed) -> str:
    return tell.say("table.revealed", turn=event.turn + 1, plays=tell.plays(event.plays))


@tells(CardPlaced)
def placed(tell: Teller, event: CardPlaced) -> str:
    parts = {"card": tell.card(event.seat, event.card), "row": event.row + 1}
    if event.rule in _PLACED:
        return tell.say(_PLACED[event.rule], **parts, place=event.slot + 1)
    if event.difference is None and event.slot == 0:
        return tell.say("placed.starts", card=event.card, row=event.row + 1)
    return _where(tell, event.card, parts, event.row, event.difference)


_PLACED: dict[Rule, str] = {
    BaronRule.COLOUR: "placed.colour",
    BuffaloRule.EMPTY_ROW: "placed.empty_row",
    BuffaloRule.INSERT: "placed.inserted",
    BoardRule.TOO_LOW: "placed.too_low",
    BoardRule.START: "placed.at_start",
    BoardRule.ASCENDING: "placed.ascending",
    BoardRule.SKIP: "placed.skipping",
}


def _where(tell: Teller, card: int, parts: dict[str, object], row: int, difference: int | None) -> str:
    """Where a card goes and, on a known table, why: the end it is closest to, and the next best one."""
    table = tell.table
    if table is None or not table.has_choice_of_rows():
        if difference is None:
            return tell.say("placed.row", **parts)
        return tell.say("placed.difference", **parts, difference=difference)
    options = table.options(tell.value(card))
    mine = next(option for option in options if option.row == row)
    others = [option for option in options if option.difference is not None and option.row != row]
    if others:
        other = min(others, key=lambda option: option.difference or 0)
        key = "placed.tie" if other.difference == mine.difference else "placed.closer"
        return tell.say(key, **parts, end=mine.end, other=other.end)
    return tell.say("placed.only", **parts, end=mine.end)


@tells(RowTaken)
def taken(tell: Teller, event: RowTaken) -> str:
    say = tell.say
    # Bull Baron counts whole bulls of six colours, the other games the heads on their cards.
    heads = say.count("bulls" if isinstance(event.rule, BaronRule) else "heads", event.heads)
    who = tell.who(event.seat)
    parts = {"who": who, "heads": heads, "row": event.row + 1, "card": event.card}
    if event.rule not in _SIXTH:
        tiles = event.rule in (BoardRule.TAKE_HEADS, BoardRule.TAKE_TILES)
        return say(_TAKEN[event.rule], **parts, cards=say.count("tiles" if tiles else "cards", len(event.cards)))
    table = tell.table
    if table is None:
        return say("taken.full", **parts, cards=say.count("cards", len(event.cards)))
    game = table.game
    if isinstance(game, Baron):
        where = say("placed.colour", card=tell.card(event.seat, event.card), row=event.row + 1)
    else:
        where = _where(
            tell, event.card, {"card": tell.card(event.seat, event.card), "row": event.row + 1}, event.row, None
        )
    cow = isinstance(game, Classic) and bool(game.fan_cards) and game.occupied(table, event.row)
    last = say("taken.with_cow" if cow else _SIXTH[event.rule], who=who, heads=heads)
    return f"{where} {last}"


#: Takes by one card too many in the card's own row.
_SIXTH: dict[Rule, str] = {
    ClassicRule.FULL_ROW: "taken.sixth",
    BaronRule.SIXTH_CARD: "taken.sixth",
    BaronRule.SIX_OF_A_COLOUR: "taken.six_of_a_colour",
    BuffaloRule.SEVEN_TAKES: "taken.seventh",
}
_TAKEN: dict[Rule, str] = {
    ClassicRule.LOW_CARD: "taken.low",
    BuffaloRule.LOW_CARD: "taken.low",
    BuffaloRule.BUFFALOS_LOW_CARD: "taken.buffalos_low",
    BuffaloRule.FULL_ROW: "taken.too_many",
    JumpingCowRule.MAKES_SIX: "taken.cow",
    BaronRule.NO_COLOUR: "taken.no_colour",
    BoardRule.TAKE_HEADS: "taken.field",
    BoardRule.TAKE_TILES: "taken.tiles",
}


@tells(RoundEnded)
def round_ended(tell: Teller, event: RoundEnded) -> str:
    seats = tell.game.pile_seats if tell.game is not None else range(len(event.heads))
    scores = tell.say.list(
        tell.say("table.score", who=tell.who(seat), more=more, total=total)
        for seat, more, total in zip(seats, event.heads, event.totals, strict=True)
    )
    return tell.say("table.round_over", round=event.round + 1, scores=scores)


@tells(GameEnded)
def game_ended(tell: Teller, event: GameEnded) -> str:
    say, game = tell.say, tell.game
    winners = event.outcome.winners
    if not winners:
        return say("table.draw")
    if event.rule is BuffaloRule.END:
        # The team wins as one, whoever plays in it.
        return say("table.won", who=say("who.team") if 0 in winners else say("who.buffalo"))
    seats = game.pile_seats if game is not None else range(len(event.outcome.totals))
    names = say.list(tell.who(seat) for seat in winners if seat in seats)
    return say("table.won" if len(winners) == 1 else "table.shared", who=names)


@tells(DraftStarted)
def draft_started(tell: Teller, event: DraftStarted) -> str:
    return tell.say(
        "table.draft", round=event.round + 1, who=tell.who(event.first), cards=f"{event.cards[0]}–{event.cards[-1]}"
    )


@tells(CardPicked)
def picked(tell: Teller, event: CardPicked) -> str:
    return tell.say("table.picked", who=tell.who(event.seat), card=event.card)


# Fan cards -----------------------------------------------------------------------------------------------


@tells(FanCardLaid)
def fan_card_laid(tell: Teller, event: FanCardLaid) -> str:
    match event.marker:
        case EvenOddMarker(row=row, side=side):
            return tell.say("fan.even_odd_laid_odd" if side == "odd" else "fan.even_odd_laid_even", row=row + 1)
        case MountainMarker(row=row):
            return tell.say("fan.mountain_laid", row=row + 1)
        case CowMarker(row=row):
            return tell.say("fan.cow_laid", row=row + 1)
        case _:
            return tell.say("fan.twisters_dealt")


@tells(EvenOddMoved)
def even_odd_moved(tell: Teller, event: EvenOddMoved) -> str:
    key = "fan.even_odd_moved_odd" if event.side == "odd" else "fan.even_odd_moved_even"
    return tell.say(key, row=event.row + 1, end=event.end)


@tells(MountainMoved)
def mountain_moved(tell: Teller, event: MountainMoved) -> str:
    return tell.say("fan.mountain_turned" if event.turned else "fan.mountain_moved", row=event.row + 1)


@tells(CowJumped)
def cow_jumped(tell: Teller, event: CowJumped) -> str:
    return tell.say("fan.cow_jumped", row=event.row + 1, end=event.end)


@tells(CardTwisted)
def card_twisted(tell: Teller, event: CardTwisted) -> str:
    return tell.say("fan.twisted", card=tell.card(event.seat, event.card), value=event.value)


@tells(CardRegainedValue)
def card_regained_value(tell: Teller, event: CardRegainedValue) -> str:
    return tell.say("fan.own_value", card=event.card, row=event.row + 1)


# Bull Baron ----------------------------------------------------------------------------------------------


@tells(CardTucked)
def card_tucked(tell: Teller, event: CardTucked) -> str:
    return tell.say("baron.tucked", card=tell.card(event.seat, event.card))


@tells(HandsRefilled)
def hands_refilled(tell: Teller, event: HandsRefilled) -> str:
    drawn = [f"{tell.who(seat)} {count}" for seat, count in enumerate(event.counts) if count]
    return tell.say("baron.refilled", drawn=tell.say.list(drawn))
