"""How the board game is told: fields act, points are scored, cards are played before a tile."""

from __future__ import annotations

from collections.abc import Iterable

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rule import Rule
from nimmt_lab.explain.report import LOSSES
from nimmt_lab.explain.shared import placed_as, taken_as
from nimmt_lab.explain.teller import Part, Teller, rule_name, tells, tells_by_rule

from .events import (
    ActionDrawn,
    ActionPlayed,
    BoardRule,
    FieldActed,
    LuckGranted,
    LuckPlayed,
    OrderChanged,
    PointsScored,
    StopSet,
    StopsLifted,
    TilesDrawn,
    TilesMoved,
)
from .rules import BoardGame

tells_by_rule(
    CardPlaced,
    {
        BoardRule.TOO_LOW: placed_as("placed.too_low"),
        BoardRule.START: placed_as("placed.at_start"),
        BoardRule.ASCENDING: placed_as("placed.ascending"),
        BoardRule.SKIP: placed_as("placed.skipping"),
    },
)
tells_by_rule(
    RowTaken,
    {
        BoardRule.TAKE_HEADS: taken_as("taken.field", "tiles"),
        BoardRule.TAKE_TILES: taken_as("taken.tiles", "tiles"),
    },
)


@LOSSES.provides(BoardGame)
def losses(game: Game, event: Event) -> Iterable[tuple[Seat, Rule, int]]:
    """Points are scored on the track; tiles taken cost nothing by themselves."""
    if isinstance(event, PointsScored) and event.after < event.before:
        yield event.seat, event.rule, event.before - event.after



@tells(FieldActed)
def field_acted(tell: Teller, event: FieldActed) -> str:
    return tell.say("board.field", row=event.row + 1, place=event.slot + 1, what=rule_name(event.rule, tell.say))


@tells(PointsScored)
def points_scored(tell: Teller, event: PointsScored) -> str:
    points = f"{event.points:+d}".replace("-", "−")
    parts = {"who": tell.who(event.seat), "points": points, "total": str(event.after).replace("-", "−")}
    if event.rule is BoardRule.TILES_LEFT:
        return tell.say("board.tiles_left", **parts)
    if event.rule is BoardRule.ACTIONS_LEFT:
        return tell.say("board.actions_left", **parts)
    scored = tell.say("board.scored", **parts)
    if event.clovers:
        scored += " " + tell.say("board.clovers", number=len(event.clovers))
    return scored


@tells(TilesDrawn)
def tiles_drawn(tell: Teller, event: TilesDrawn) -> str:
    if not event.count:
        return tell.say("board.no_tiles", who=tell.who(event.seat))
    return tell.say("board.drew", who=tell.who(event.seat), what=tell.say.count("tiles", event.count))


@tells(ActionDrawn)
def action_drawn(tell: Teller, event: ActionDrawn) -> str:
    if not event.count:
        return tell.say("board.no_actions", who=tell.who(event.seat))
    drew = tell.say("board.drew", who=tell.who(event.seat), what=tell.say.count("actions", event.count))
    return f"{tell.say('board.reshuffled')} {drew}" if event.reshuffled else drew


@tells(LuckGranted)
def luck_granted(tell: Teller, event: LuckGranted) -> str:
    cards = tell.say.list(tell.say(f"luck.{luck.value}") for luck in event.luck)
    return tell.say("board.granted", who=tell.who(event.seat), cards=cards) if event.luck else tell.say("board.no_luck")


@tells(LuckPlayed, Part.BEFORE)
def luck_played(tell: Teller, event: LuckPlayed) -> str:
    parts = {"who": tell.who(event.seat), "card": tell.say(f"luck.{event.luck.value}"), "tile": event.tile}
    if event.tiles:
        return tell.say("board.luck_for", **parts, tiles=tell.say.list(event.tiles))
    return tell.say("board.card_played", **parts)


@tells(ActionPlayed, Part.BEFORE)
def action_played(tell: Teller, event: ActionPlayed) -> str:
    parts = {"who": tell.who(event.seat), "card": tell.say(f"action.{event.action.value}"), "tile": event.tile}
    if event.other is not None:
        return tell.say("board.action_tile", **parts, other=event.other)
    if event.row is not None:
        return tell.say("board.action_row", **parts, row=event.row + 1)
    return tell.say("board.card_played", **parts)


@tells(StopSet)
def stop_set(tell: Teller, event: StopSet) -> str:
    return tell.say("board.stop_set", row=event.row + 1)


@tells(StopsLifted)
def stops_lifted(tell: Teller, event: StopsLifted) -> str:
    return tell.say("board.stops_lifted")


@tells(OrderChanged)
def order_changed(tell: Teller, event: OrderChanged) -> str:
    return tell.say("table.order", plays=tell.plays(event.plays))


@tells(TilesMoved)
def tiles_moved(tell: Teller, event: TilesMoved) -> str:
    return tell.say("board.moved", row=event.row + 1, place=event.slot + 1)
