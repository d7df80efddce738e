"""The board game's rules by name, and the events that only it has."""

from __future__ import annotations

from nimmt_lab.engine.cards import Card, Cards, Seat
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.values import value

from .cards import Action, Luck


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


LUCK_RULES = {Luck.PLUS_FIVE: BoardRule.PLUS_FIVE, Luck.POSITIVE_HEADS: BoardRule.POSITIVE_HEADS}
ACTION_RULES = {
    Action.STOP: BoardRule.STOP,
    Action.SWAP: BoardRule.SWAP,
    Action.SKIP: BoardRule.SKIP,
    Action.START: BoardRule.START,
    Action.ASCENDING: BoardRule.ASCENDING,
    Action.PLAY_TWO: BoardRule.PLAY_TWO,
}


@value
class FieldActed(Event):
    """A field does what it shows, for `seat`, because `tile` lies on it now."""

    seat: Seat
    row: int
    slot: int
    field: str
    tile: Card


@value
class PointsScored(Event):
    """A score changes by `points`, as far as the track goes: what is over is lost. With luck cards, a loss counts
    the `clovers` passed or reached."""

    seat: Seat
    points: int
    before: int
    after: int
    clovers: tuple[int, ...] = ()


@value
class TilesDrawn(Event):
    """A seat drew tiles from the stock (which ones only that seat knows)."""

    seat: Seat
    count: int


@value
class ActionDrawn(Event):
    """A seat drew an action card (or, with none left, nothing); `reshuffled` says the discards made a new stack."""

    seat: Seat
    count: int
    reshuffled: bool


@value
class LuckGranted(Event):
    """A seat takes luck cards for the clovers its score passed going down."""

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
    """An action card is played before placing `tile`; `row` and `other` (a tile) are what it names."""

    seat: Seat
    tile: Card
    action: Action
    row: int | None
    other: Card | None


@value
class StopSet(Event):
    """A Stop! marker lies at the end of a row."""

    row: int


@value
class StopsLifted(Event):
    """A row was taken: all markers come off."""

    rows: tuple[int, ...]


@value
class OrderChanged(Event):
    """The tiles to place and their order, after a swap or a further tile."""

    plays: tuple[Play, ...]


@value
class TilesMoved(Event):
    """Tiles of a row moved one field on to make room at its start; `slot` is the field newly covered."""

    row: int
    tiles: Cards
    slot: int
