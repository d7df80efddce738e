"""The rules of the board game by name, and its events."""

from __future__ import annotations

from nimmt_lab.engine.cards import Card, Cards, Seat
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.values import value

from .parts import Action, Luck


class BoardRule(Rule):
    """The rules of the board game's chapter."""

    SETUP = ("board.setup", "R-P1")
    TURN = ("board.turn",)
    SMALLEST_DIFFERENCE = ("board.2",)
    TOO_LOW = ("board.3", "R-P2", "R-P4")
    TAKE_HEADS = ("board.take",)
    TAKE_TILES = ("board.take-tiles",)
    NEW_ROW = ("board.new-row", "R-P7", "R-P9")
    HEADS_FIELD = ("board.heads",)
    POINTS_FIELD = ("board.points",)
    PLAY_TWO_FIELD = ("board.two", "R-P8", "R-P10")
    DRAW_TILE = ("board.tile", "R-P3", "R-P11")
    DRAW_ACTION = ("board.action", "R-P11")
    REFILL = ("board.refill", "R-P11")
    CLOVERS = ("board.clovers", "R-P5", "R-P11")
    PLUS_FIVE = ("board.plus-five",)
    POSITIVE_HEADS = ("board.positive-heads",)
    BEFORE_PLACING = ("board.cards", "R-P19")
    STOP = ("board.stop", "R-P4", "R-P13", "R-P17")
    STOPS_OFF = ("board.stops-off",)
    SWAP = ("board.swap", "R-P18")
    SKIP = ("board.skip", "R-P6", "R-P15")
    START = ("board.start", "R-P13", "R-P14", "R-P16")
    ASCENDING = ("board.ascending",)
    PLAY_TWO = ("board.play-two",)
    TILES_LEFT = ("board.tiles-left", "R-P12")
    ACTIONS_LEFT = ("board.actions-left", "R-P12")
    ALL_PLAYED = ("board.end",)
    OUT_OF_TILES = ("board.end-advanced",)


LUCK_RULES = {kind: BoardRule[kind.name] for kind in Luck}
ACTION_RULES = {kind: BoardRule[kind.name] for kind in Action}


@value
class FieldActed(Event):
    """A field acts for `seat` because `tile` covers it."""

    seat: Seat
    row: int
    slot: int
    field: str
    tile: Card


@value
class PointsScored(Event):
    """A score changes by `points` within the track. With luck cards, `clovers` are those a loss passed or reached."""

    seat: Seat
    points: int
    before: int
    after: int
    clovers: tuple[int, ...] = ()


@value
class TilesDrawn(Event):
    """A seat drew tiles from the stock, which only that seat sees."""

    seat: Seat
    count: int


@value
class ActionDrawn(Event):
    """A seat drew an action card, if any were left; `reshuffled` if the discards made a new stack."""

    seat: Seat
    count: int
    reshuffled: bool


@value
class LuckGranted(Event):
    """A seat draws luck cards for the clovers that its score passed."""

    seat: Seat
    luck: tuple[Luck, ...]


@value
class LuckPlayed(Event):
    """A luck card is played for `tile` and goes back to its stack."""

    seat: Seat
    tile: Card
    luck: Luck
    tiles: Cards


@value
class ActionPlayed(Event):
    """An action card is played before placing `tile`; it names `row` or `other` (a tile)."""

    seat: Seat
    tile: Card
    action: Action
    row: int | None
    other: Card | None


@value
class StopSet(Event):
    """A Stop! marker was laid at the end of a row."""

    row: int


@value
class StopsLifted(Event):
    """A row was taken, and all markers were removed."""

    rows: tuple[int, ...]


@value
class OrderChanged(Event):
    """The tiles to place, after a swap or an additional tile."""

    plays: tuple[Play, ...]


@value
class TilesMoved(Event):
    """Tiles of a row moved one field to make room at its start; `slot` is newly covered."""

    row: int
    tiles: Cards
    slot: int
