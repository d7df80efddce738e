"""How Beat the Buffalo is told: the team and the buffalo as one each, special cards before the card they help."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import ClassVar, Final, cast

from nimmt_lab.engine.cards import EMPTY, Card
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.events import CardPlaced, GameEnded, RowTaken
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import NOTHING, GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.explain.assess import ASSESSES, Assessment, Verdict, Way, assess
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.placement import LATER_TAKES
from nimmt_lab.explain.report import LOSSES, heads_taken
from nimmt_lab.explain.rows import ROWS, RowOption, RowReader
from nimmt_lab.explain.shared import game_ended, one_too_many, placed_as, taken_as
from nimmt_lab.explain.teller import Part, Teller, tells, tells_by_rule
from nimmt_lab.games.classic.rules import Classic, ClassicRule

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
from .team import considered
from .uses import ChooseSwap, Pass, Swap, UseSpecials


class BuffaloRows(RowReader):
    """The classic rules, as far as Stop! and 7 takes! let them stand."""

    order: ClassVar[Rule | None] = ClassicRule.ASCENDING
    nearest: ClassVar[Rule | None] = ClassicRule.SMALLEST_DIFFERENCE

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


# Hints -------------------------------------------------------------------------------------------------------


#: Uses that are assessed at once; of very many orders, those that move one card.
_MOST_USES: Final = 150


@ASSESSES.provides(Buffalo)
def assessments(view: View) -> dict[Choice, Assessment]:
    """Cards before the reveal: proved against every card of the others and the buffalo, as long as no special card is
    used and none lies at a row. After it: what the rest of the turn comes to, from what lies open (R-B18)."""
    decision = view.decision
    if isinstance(decision, ChooseCard) and not isinstance(decision, ChooseSwap):
        return _cards(view)
    assert decision is not None
    state = guess(view, Rng.from_seed(0))
    options: Iterable[Choice] = decision.options
    if isinstance(decision, UseSpecials) and len(decision.options) > _MOST_USES:
        options = [Pass(), *considered(decision)]
    without = _rest(view, state)
    return {option: _settled(view, decision, state, option, without) for option in options}


def _cards(view: View) -> dict[Choice, Assessment]:
    """The classic proof with one more at the table: the buffalo's card is one that nobody has seen."""
    game, extra = cast(Buffalo, view.game), BuffaloTable.of(view)
    players = game.players + 1
    table = replace(
        view,
        game=Classic(players=players, rounds=1),
        hands=(*view.hands, None),
        hand_sizes=(*view.hand_sizes, len(extra.deck)),
        asked=tuple(range(players)),
        extra=NOTHING,
    )
    special = bool(extra.seven_takes or extra.stopped or extra.empty)
    found = {}
    for card, one in assess(table).items():
        if game.players == 1 and not special:
            one = _alone(view, one)
        if special:
            one = replace(one, verdict=Verdict.RISK, risks=(), escape=None, proved=False)
        found[card] = replace(one, _own=_noted(one, special, game.players == 1), settled=True)
    return found


def _noted(one: Assessment, special: bool, alone: bool) -> Callable[[Words], str]:
    """What was found in the classic way, and what it holds against."""

    def own(say: Words) -> str:
        if special:
            return say("buffalo.hint_beside")
        note = say("buffalo.hint_with_buffalo") if alone else say("buffalo.hint_with_others")
        return f"{one.text(say.lang)} {note}"

    return own


def _alone(view: View, one: Assessment) -> Assessment:
    """Against the buffalo alone, whose low card takes the cheapest row and no other: every card of its tried."""
    takes: list[Card] = []
    spared: list[Card] = []
    for card in view.unseen:
        rows = {at: list(row) for at, row in enumerate(view.rows)}
        took = False
        for played, mine in sorted([(card, False), (one.card, True)]):
            below = [at for at, row in rows.items() if row[-1] < played]
            if below:
                to = max(below, key=lambda at: rows[at][-1])
                full = len(rows[to]) >= view.game.places_in_row
            else:
                to = min(rows, key=lambda at: (view.game.heads_in(tuple(rows[at])), -rows[at][-1]))
                full = True
            took = took or (mine and full)
            rows[to] = [played] if full else [*rows[to], played]
        (takes if took else spared).append(card)
    if not takes or not spared:
        return replace(one, verdict=Verdict.TAKES if takes else Verdict.SAFE, risks=(), escape=None)
    # As it stands, a card of the buffalo that comes later changes nothing.
    later = max(view.unseen) > one.card
    now = later and max(view.unseen) in takes
    before = tuple(card for card in (spared if now else takes) if card < one.card)
    way = Way(None, 1, before)
    risks = (Way(None, 0, ()),) if now else (way,)
    return replace(one, verdict=Verdict.RISK, risks=risks, escape=way if now else Way(None, 0, ()))


def _rest(view: View, state: GameState) -> tuple[int, int]:
    """Heads that the team and the buffalo take in the rest of the turn, with no special card used."""
    before = [state.game.heads_in(pile) for pile in state.piles]
    while state.queue and not state.is_past_round(view.round):
        state, _ = state.choose(habitual_choices(state, Rng(0))[0])
    if state.is_past_round(view.round):
        counted = 2 if state.game.players <= 2 else 1
        return state.totals[0] // counted - before[0], state.totals[1] - before[1]
    team, buffalo = (state.game.heads_in(pile) - had for pile, had in zip(state.piles, before, strict=True))
    return team, buffalo


def _settled(view: View, decision: Decision, state: GameState, option: Choice, without: tuple[int, int]) -> Assessment:
    """What the rest of the turn comes to with that option: nothing hidden takes part, but for what a swap brings."""
    swaps = isinstance(option, Swap)
    if isinstance(option, Swap):
        table = LiveTable.of(state)
        table.queue = [play for play in table.queue if play.seat != option.seat]
        after = state.game._run(table)
    else:
        after, _ = state.choose({view.seat: option})
    had = [state.game.heads_in(pile) for pile in state.piles]
    if after.is_past_round(view.round):
        counted = 2 if state.game.players <= 2 else 1
        taken = [after.totals[0] // counted - had[0], after.totals[1] - had[1]]
    else:
        so_far = [after.game.heads_in(pile) - was for pile, was in zip(after.piles, had, strict=True)]
        taken = [one + more for one, more in zip(so_far, _rest(view, after), strict=True)]

    def own(say: Words) -> str:
        team, buffalo = (say.count("heads", heads) for heads in taken)
        said = [say("buffalo.hint_swap" if swaps else "buffalo.hint_rest", team=team, buffalo=buffalo)]
        if isinstance(decision, UseSpecials) and not isinstance(option, Pass) and tuple(taken) != without:
            plain = [say.count("heads", heads) for heads in without]
            said.append(say("buffalo.hint_instead", team=plain[0], buffalo=plain[1]))
        return " ".join(said)

    card = option if isinstance(decision, ChooseCard) and isinstance(option, int) else 0
    return Assessment(
        card, card, option if isinstance(decision, ChooseRow) and isinstance(option, int) else None, None, False, (),
        tuple(row[-1] if row else EMPTY for row in view.rows), Verdict.TAKES if taken[0] else Verdict.SAFE, (), None,
        0, 0, not swaps, _own=own, settled=True,
    )  # fmt: skip
