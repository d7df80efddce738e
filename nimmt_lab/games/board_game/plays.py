"""Luck and action cards: their legal uses before a tile is placed, and their effects.

A card that changes where or how the tile is placed becomes part of its *plan*; Stop!, Swap and Play two tiles act at
once. A card is legal only if the tile can still be placed by its plan. Plans never pass to another tile: Swap comes
before any other card for a tile (R-P18; a Stop! is for a row), and Play two tiles can add only higher tiles to a tile
with a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from nimmt_lab.engine.cards import EMPTY, Card, Seat
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import HasRows
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import replace

from .events import ACTION_RULES, LUCK_RULES, ActionPlayed, BoardRule, LuckPlayed, OrderChanged, StopSet
from .material import TAKES
from .parts import NO_PLAN, Action, BoardExtra, Luck, Plan
from .uses import PASS, Use

if TYPE_CHECKING:
    from .rules import BoardGame

T = TypeVar("T")


def given(hands: tuple[T, ...], seat: Seat, hand: T) -> tuple[T, ...]:
    """Replace the hand of a seat."""
    return (*hands[:seat], hand, *hands[seat + 1 :])


def sort_cards(cards: Iterable[T]) -> tuple[T, ...]:
    return tuple(sorted(cards, key=lambda card: _ORDER[card]))


_ORDER: dict[object, int] = {kind: at for at, kind in enumerate((*Luck, *Action))}


class Landing(NamedTuple):
    """The place of a tile. `slot` is the field that acts."""

    row: int
    slot: int
    rule: Rule
    difference: int | None


def landing(
    game: BoardGame, table: HasRows, plan: Plan, tile: Card, stops: Sequence[int] | None = None
) -> Landing | None:
    """The place of a tile by the rules and its plan; None if the plan is impossible."""
    stops = BoardExtra.of(table).stops if stops is None else stops
    difference: int | None = None
    rule: Rule
    if plan.row is None:
        home = game.row_for(table, tile, stops)
        if home is None:
            return None
        row, rule, difference = home
    else:
        row, rule = plan.row, BoardRule.START if plan.at_start else BoardRule.ASCENDING
        if row in stops:
            return None
    tiles = table.rows[row]
    last = len(game.layout.rows[row]) - 1
    if plan.at_start:  # the first free field, which may be a gap (R-P14), acts, also for luck cards (R-P16)
        slot = tiles.index(EMPTY) if EMPTY in tiles else len(tiles)
    else:
        slot = len(tiles) + plan.skips  # R-P15
        if slot > last:  # the last field of a row cannot be skipped
            return None
        if plan.skips:
            rule = BoardRule.SKIP
    if plan.luck is Luck.PLUS_FIVE and slot == last:
        return None
    if plan.luck is Luck.POSITIVE_HEADS and not (
        game.layout.rows[row][slot] in TAKES and set(plan.tiles) <= set(tiles)
    ):
        return None
    return Landing(row, slot, rule, difference)


def uses(game: BoardGame, table: LiveTable, play: Play) -> tuple[Use, ...]:
    """All legal uses before placing the tile, passing first."""
    extra = BoardExtra.of(table)
    lucks, actions = extra.luck[play.seat], extra.actions[play.seat]
    if not lucks and not actions:
        return (PASS,)
    options = [PASS]
    if extra.plan.luck is None:
        for luck in dict.fromkeys(lucks):
            options += _luck_uses(game, table, play, luck)
    for action in dict.fromkeys(actions):
        if action is not None:
            options += _action_uses(game, table, play, action)
    return tuple(options)


def _luck_uses(game: BoardGame, table: LiveTable, play: Play, luck: Luck) -> Iterator[Use]:
    plan = BoardExtra.of(table).plan
    place = landing(game, table, replace(plan, luck=luck), play.card)
    if place is None:
        return
    if luck is Luck.PLUS_FIVE:
        yield Use(luck)
        return
    others = sorted(tile for tile in table.rows[place.row] if tile != EMPTY)
    for tiles in combinations(others, min(2, len(others))):
        yield Use(luck, tiles=tiles)


def _action_uses(game: BoardGame, table: LiveTable, play: Play, action: Action) -> Iterator[Use]:
    extra = BoardExtra.of(table)
    plan, tile = extra.plan, play.card
    if action in (Action.SWAP, Action.PLAY_TWO):
        # Both need another tile. A tile with a plan must stay the next one.
        others = table.hands[play.seat]
        if plan != NO_PLAN:  # R-P18
            next_anyway = action is Action.PLAY_TWO and play == min(p for p in table.queue if p.seat == play.seat)
            others = tuple(other for other in others if next_anyway and other > tile)
        yield from (Use(action, tile=other) for other in others)
        return
    if action is Action.SKIP:
        if not plan.at_start and landing(game, table, replace(plan, skips=plan.skips + 1), tile):
            yield Use(action)
        return
    for row, tiles in enumerate(table.rows):
        if not tiles or row in extra.stops:  # R-P13, R-P17
            continue
        if action is Action.STOP:
            if len(extra.stops) < game.markers and landing(game, table, plan, tile, (*extra.stops, row)):
                yield Use(action, row=row)
        elif plan.row is None:
            to_start = action is Action.START
            fits = tiles[0] > tile and not plan.skips if to_start else tiles[-1] < tile
            if fits and landing(game, table, replace(plan, row=row, at_start=to_start), tile):
                yield Use(action, row=row)


def use(game: BoardGame, table: LiveTable, play: Play, choice: Use) -> None:
    """Play a card for the tile that is placed next."""
    extra = BoardExtra.of(table)
    seat, tile, kind = play.seat, play.card, choice.kind
    if isinstance(kind, Luck):
        hand = _without(extra.luck[seat], kind)
        fives, heads = extra.luck_stacks
        back = (fives + 1, heads) if kind is Luck.PLUS_FIVE else (fives, heads + 1)
        plan = replace(extra.plan, luck=kind, tiles=choice.tiles)
        table.extra = replace(extra, luck=given(extra.luck, seat, hand), luck_stacks=back, plan=plan)
        table.emit(LuckPlayed(LUCK_RULES[kind], seat, tile, kind, choice.tiles))
        return
    assert kind is not None
    rule = ACTION_RULES[kind]
    extra = replace(
        extra,
        actions=given(extra.actions, seat, _without(extra.actions[seat], kind)),
        discards=(*extra.discards, kind),
    )
    table.emit(ActionPlayed(rule, seat, tile, kind, choice.row, choice.tile))
    if kind is Action.SKIP:
        extra = replace(extra, plan=replace(extra.plan, skips=extra.plan.skips + 1))
    elif kind is Action.STOP:
        assert choice.row is not None
        extra = replace(extra, stops=tuple(sorted((*extra.stops, choice.row))))
        table.emit(StopSet(rule, choice.row))
    elif choice.tile is None:
        extra = replace(extra, plan=replace(extra.plan, row=choice.row, at_start=kind is Action.START))
    else:
        table.leave_hand(seat, choice.tile)
        other = Play.of(seat, choice.tile)
        if kind is Action.SWAP:
            table.hands[seat] = game.sort_hand((*table.hands[seat], tile))
            table.queue[0] = other
        else:
            # All remaining tiles of the player go first, lowest first.
            own = sorted([other, *(waiting for waiting in table.queue if waiting.seat == seat)])
            table.queue = own + [waiting for waiting in table.queue if waiting.seat != seat]
        table.emit(OrderChanged(rule, tuple(table.queue)))
    table.extra = extra


def _without(cards: tuple[T, ...], card: T) -> tuple[T, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
