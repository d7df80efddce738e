"""Narration and hints for Beat the Buffalo. Special cards belong to the story of the card they are used before."""

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
from nimmt_lab.explain.teller import PARTS, Part, Teller, tells, tells_by_rule
from nimmt_lab.games.classic.rules import Classic, ClassicRule

from . import parts
from .effects import row_limit
from .parts import BuffaloRule, BuffaloTable, Special
from .rules import Buffalo
from .team import considered
from .uses import ChooseSwap, Pass, Swap, UseSpecials


class BuffaloRows(RowReader):
    """The classic rules, as modified by Stop! and 7 takes!"""

    order: ClassVar[Rule | None] = ClassicRule.ASCENDING
    nearest: ClassVar[Rule | None] = ClassicRule.SMALLEST_DIFFERENCE

    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        game, extra = cast(Buffalo, state.game), BuffaloTable.of(state)
        options = []
        for row, cards in enumerate(state.rows):
            if cards:
                lower = cards[-1] < value
                full = len(cards) >= row_limit(extra, row, game.places_in_row)
                difference = value - cards[-1] if lower and row not in extra.stopped else None
                options.append(RowOption(row, cards[-1], difference, full, lower))
        return tuple(options)

    def closed(self, state: GameState, value: int, option: RowOption) -> str:
        return "why.stopped"


ROWS.provide(Buffalo, BuffaloRows())
LOSSES.provide(Buffalo, heads_taken)
# A row taken by Insert or Push belongs to the story of the card they are used before.
LATER_TAKES.provide(BuffaloRule, {BuffaloRule.FULL_ROW: None})


def end(tell: Teller, event: GameEnded) -> str:
    """The team wins as one."""
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
        BuffaloRule.SEVEN_TAKES: lambda tell, event: one_too_many(tell, event, "taken.seventh"),
    },
)
tells_by_rule(GameEnded, {BuffaloRule.END: end})


def special_name(tell: Teller, kind: Special) -> str:
    return tell.say(f"special.{kind.value}")


@tells(parts.SpecialsTurnedUp)
def specials_turned_up(tell: Teller, event: parts.SpecialsTurnedUp) -> str:
    if not event.up:
        return tell.say("buffalo.no_specials")
    up = tell.say.list(special_name(tell, kind) for kind in event.up)
    return tell.say("buffalo.turned_up", up=up, left=event.left)


@tells(parts.SpecialUsed, Part.BEFORE)
def special_used(tell: Teller, event: parts.SpecialUsed) -> str:
    kind = special_name(tell, event.kind)
    between = tell.say("buffalo.used_between", kind=kind)
    used = between if event.card is None else tell.say("buffalo.used", kind=kind, card=event.card)
    if event.turned_up is None:
        return used
    return used + " " + tell.say("buffalo.replaced", kind=special_name(tell, event.turned_up))


_ROW_MESSAGES: Final = {
    parts.SevenTakesLaid: "buffalo.seven_laid",
    parts.SevenTakesLeft: "buffalo.seven_left",
    parts.RowStopped: "buffalo.stopped",
    parts.StopLifted: "buffalo.lifted",
    parts.RowEmptied: "buffalo.emptied",
}
PARTS.provide(parts.StopLifted, Part.BEFORE)


tells(parts.RowEvent)(lambda tell, event: tell.say(_ROW_MESSAGES[type(event)], row=event.row + 1))
tells(parts.CardSwapped)(
    lambda tell, event: tell.say("buffalo.swapped", who=tell.who(event.seat), back=event.back, card=event.card)
)
tells(parts.CardPushed)(
    lambda tell, event: tell.say("buffalo.pushed", card=event.card, old_row=event.old_row + 1, row=event.row + 1)
)
tells(parts.OrderChanged)(lambda tell, event: tell.say("table.order", plays=tell.plays(event.plays)))


# Hints -------------------------------------------------------------------------------------------------------


#: The most uses to assess one by one. If there are more, only those sorts are assessed that move a single card.
_MOST_USES: Final = 150


@ASSESSES.provides(Buffalo)
def assessments(view: View) -> dict[Choice, Assessment]:
    """Assess every option.

    Before the reveal a card is proved against every card of the others and the buffalo, as long as nobody uses a
    special card and none lies beside a row. After it, open information decides the rest of the turn (R-B18).
    """
    decision = view.decision
    if isinstance(decision, ChooseCard) and not isinstance(decision, ChooseSwap):
        return _cards(view)
    assert decision is not None
    state = guess(view, Rng.from_seed(0))
    options: Iterable[Choice] = decision.options
    if isinstance(decision, UseSpecials) and len(decision.options) > _MOST_USES:
        options = [Pass(), *considered(decision)]
    without = _taken(view, state, state)
    return {option: _settled(view, decision, state, option, without) for option in options}


def _cards(view: View) -> dict[Choice, Assessment]:
    """The classic proof with one more player: the buffalo's card is unseen, too."""
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
    alone = game.players == 1
    assessed: dict[Choice, Assessment] = {}
    for card, assessment in assess(table).items():
        if special:
            assessment = replace(assessment, verdict=Verdict.RISK, risks=(), escape=None, proved=False)
        elif alone:
            assessment = _alone(view, assessment)
        assessed[card] = replace(assessment, _own=_noted(assessment, special, alone), settled=True)
    return assessed


def _noted(assessment: Assessment, special: bool, alone: bool) -> Callable[[Words], str]:
    """The text of the classic proof, and what it was proved against."""

    def own(say: Words) -> str:
        if special:
            return say("buffalo.hint_beside")
        note = say("buffalo.hint_with_buffalo") if alone else say("buffalo.hint_with_others")
        return f"{assessment.text(say.lang)} {note}"

    return own


def _alone(view: View, assessment: Assessment) -> Assessment:
    """Try every card of the buffalo, whose low card takes the cheapest row and no other."""
    takes: list[Card] = []
    spared: list[Card] = []
    for card in view.unseen:
        rows = {at: list(row) for at, row in enumerate(view.rows)}
        took = False
        for played, mine in sorted([(card, False), (assessment.card, True)]):
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
        return replace(assessment, verdict=Verdict.TAKES if takes else Verdict.SAFE, risks=(), escape=None)
    # A card of the buffalo that comes later leaves the table as it is now.
    takes_now = max(view.unseen) > assessment.card and max(view.unseen) in takes
    before = tuple(card for card in (spared if takes_now else takes) if card < assessment.card)
    now, then = Way(None, 0, ()), Way(None, 1, before)
    risk, escape = (now, then) if takes_now else (then, now)
    return replace(assessment, verdict=Verdict.RISK, risks=(risk,), escape=escape)


def _taken(view: View, before: GameState, state: GameState) -> tuple[int, int]:
    """Heads that the team and the buffalo take from `before` to the end of the turn without further special cards."""
    while state.queue and not state.is_past_round(view.round):
        state, _ = state.choose(habitual_choices(state, Rng(0))[0])
    had = [before.game.heads_in(pile) for pile in before.piles]
    if state.is_past_round(view.round):
        team, buffalo = state.totals
        team //= 2 if state.game.players <= 2 else 1
    else:
        team, buffalo = (state.game.heads_in(pile) for pile in state.piles)
    return team - had[0], buffalo - had[1]


def _settled(view: View, decision: Decision, state: GameState, option: Choice, without: tuple[int, int]) -> Assessment:
    """The rest of the turn with that option, which depends on hidden cards only for a swap."""
    swaps = isinstance(option, Swap)
    if isinstance(option, Swap):
        table = LiveTable.of(state)
        table.queue = [play for play in table.queue if play.seat != option.seat]
        after = state.game._run(table)
    else:
        after, _ = state.choose({view.seat: option})
    taken = _taken(view, state, after)

    def own(say: Words) -> str:
        team, buffalo = (say.count("heads", heads) for heads in taken)
        sentences = [say("buffalo.hint_swap" if swaps else "buffalo.hint_rest", team=team, buffalo=buffalo)]
        if isinstance(decision, UseSpecials) and not isinstance(option, Pass) and taken != without:
            team, buffalo = (say.count("heads", heads) for heads in without)
            sentences.append(say("buffalo.hint_instead", team=team, buffalo=buffalo))
        return " ".join(sentences)

    number = option if isinstance(option, int) else None
    card = number or 0 if isinstance(decision, ChooseCard) else 0
    return Assessment(
        card, card, number if isinstance(decision, ChooseRow) else None, None, False, (),
        tuple(row[-1] if row else EMPTY for row in view.rows), Verdict.TAKES if taken[0] else Verdict.SAFE, (), None,
        0, 0, not swaps, _own=own, settled=True,
    )  # fmt: skip
