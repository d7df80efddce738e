"""Vectors of the board game, which bring their board, heads, clovers and stacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from nimmt_lab.conformance import adapter
from nimmt_lab.conformance.adapter import VECTORS, Object, VectorError, as_int, as_ints, as_object, by_seat
from nimmt_lab.conformance.cards import CardAdapter, numbered
from nimmt_lab.engine.cards import EMPTY, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseRow
from nimmt_lab.engine.events import Event, Json, to_json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position, write_by_seat
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState

from .events import BoardRule, PointsScored
from .material import TILES, Board, Pieces
from .parts import KINDS, BoardExtra, Luck
from .rules import BoardGame
from .uses import PASS, ChooseLuck, LuckDraw, Tiles, Use, UseCards

GIVEN = frozenset(
    {"board", "tiles", "tile_heads", "scores", "hands", "luck", "actions", "luck_stacks", "action_deck", "clovers"}
    | {"stops", "stock"}
)


@VECTORS.provides(BoardGame)
class BoardAdapter(CardAdapter):
    unordered: ClassVar[frozenset[str]] = CardAdapter.unordered | {"luck", "actions", "stops"}
    #: The seats whose hands the vector lists.
    listed: frozenset[Seat] = frozenset()

    def game(self, options: Object, given: Object) -> Game:
        mode = options.get("mode", "basic")
        rows = given.get("board")
        if not isinstance(rows, list):
            raise VectorError("board_game.given_needs_board")
        fields = tuple(_texts(row, "a row of fields") for row in rows)
        board = Board("the vector's board", str(mode), fields, as_ints(given.get("clovers", []), "clovers"))
        heads = [1] * TILES
        for tile, count in as_object(given.get("tile_heads", {}), "tile_heads").items():
            heads[adapter.as_number(tile, TILES, "a tile") - 1] = as_int(count, "tile_heads")
        return from_options({**options, "board": board, "pieces": Pieces("the vector's pieces", tuple(heads))})

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        assert isinstance(game, BoardGame)
        adapter.known(given, GIVEN)
        players = game.players
        tiles = as_object(given.get("tiles", {}), "tiles")
        for row in tiles:
            adapter.as_number(row, len(game.layout.rows), "a row")
        listed = by_seat(given.get("hands", {}), players, "hands")
        self.listed = frozenset(listed)
        hands = {seat: as_ints(cards, "a hand") for seat, cards in listed.items()}
        for seat, tiles_shown in by_seat(reveal, players, "reveal").items():
            hands[seat] = tuple({*hands.get(seat, ()), *_shown(tiles_shown)})
        scores = by_seat(given.get("scores", {}), players, "scores")
        stacks = as_object(given.get("luck_stacks", {}), "luck_stacks")
        for kind in stacks:
            if kind not in {luck.value for luck in Luck}:
                raise VectorError("board_game.luck_stacks_there", kind=shown(kind))
        sections = {
            "luck": _cards(given, "luck", players),
            "actions": _cards(given, "actions", players),
            "stacks": " ".join(str(as_int(stacks.get(kind.value, 0), "luck_stacks")) for kind in Luck),
            "deck": " ".join(_texts(given.get("action_deck", []), "action_deck")),
            "stops": " ".join(map(str, as_ints(given.get("stops", []), "stops"))),
        }
        position = Position(
            rows=tuple(_row(tiles.get(str(row + 1), [])) for row in range(len(game.layout.rows))),
            hands=hands,
            stock=as_ints(given.get("stock", []), "stock"),
            totals=tuple(as_int(scores.get(seat, 0), "a score") for seat in range(players)),
            sections=sections,
        )
        return game.from_position(position, ordered=False)

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        choices: dict[Seat, Choice] = {}
        for seat, revealed in by_seat(reveal, state.game.players, "reveal").items():
            tiles = _shown(revealed)
            if not 1 <= len(tiles) <= 2:
                raise VectorError("board_game.seat_reveals_one", who=seat + 1, got=revealed)
            choices[seat] = tiles[0] if len(tiles) == 1 else Tiles.of(*tiles)
        return choices

    def in_turn(self, state: GameState) -> bool:
        return bool(state.queue) or (not state.is_over and BoardExtra.of(state).owed is not None)

    def alternatives(self, state: GameState, listed: list[Object]) -> list[tuple[Mapping[Seat, Choice], list[Object]]]:
        """With several tiles to place, a card may also belong to a later tile of its seat."""
        readings = super().alternatives(state, listed)
        ((seat, choice),) = readings[0][0].items()
        if isinstance(choice, Use) and choice != PASS and any(play.seat == seat for play in state.queue[1:]):
            readings.append(({seat: PASS}, listed))
        return readings

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        ((seat, decision),) = state.pending.items()
        if isinstance(decision, UseCards):
            # A vector lists optional uses in the order in which they come up.
            if not listed or listed[0].get("seat") != seat + 1 or not {"luck", "action"} & listed[0].keys():
                return {seat: PASS}
            use = _use(listed[0], decision)
            if use not in decision.options:
                return {seat: PASS}
            listed.pop(0)
            return {seat: use}
        key = "draw_luck" if isinstance(decision, ChooseLuck) else "new_row"
        for choice in listed:
            if choice.get("seat") == seat + 1 and key in choice:
                listed.remove(choice)
                if isinstance(decision, ChooseRow):
                    return {seat: as_int(choice[key], key) - 1}
                kinds = _texts(choice[key], key)
                return {seat: LuckDraw(*(kinds.count(kind.value) for kind in Luck))}
        raise VectorError("board_game.must_choose_but", who=seat_letter(seat), key=key)

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        extra = BoardExtra.of(after)
        tiles = {str(row + 1): [tile or None for tile in tiles] for row, tiles in enumerate(after.rows) if tiles}
        return super().facts(before, after, events) | {
            "tiles": to_json(tiles),
            "scores": numbered(self.scores(after, events)),
            "luck": numbered(extra.luck),
            "actions": numbered(extra.actions),
            "stops": [row + 1 for row in extra.stops],
            "luck_stacks": {kind.value: count for kind, count in zip(Luck, extra.luck_stacks, strict=True)},
            "action_deck": to_json(extra.action_deck),
            "stock": list(after.stock),
        }

    def scores(self, after: GameState, events: tuple[Event, ...]) -> tuple[int, ...]:
        """The scores after the turn. The final scoring counts only if a hand that the vector lists has run out."""
        scores = list(after.totals)
        if all(after.hands[seat] for seat in self.listed):
            for event in reversed(events):
                if isinstance(event, PointsScored) and event.rule in (BoardRule.TILES_LEFT, BoardRule.ACTIONS_LEFT):
                    scores[event.seat] = event.before
        return tuple(scores)


def _use(choice: Object, decision: UseCards) -> Use:
    """A listed use of a luck or action card."""
    name = choice.get("luck", choice.get("action"))
    kind = KINDS.get(str(name))
    if kind is None or isinstance(kind, Luck) != ("luck" in choice):
        raise VectorError("board_game.there_no_card", name=shown(name))
    options = [option for option in decision.options if isinstance(option, Use) and option.kind is kind]
    if len(options) == 1 and not {"row", "tile", "tiles"} & choice.keys():
        return options[0]  # a vector need not name a single option
    return Use(
        kind,
        row=as_int(choice["row"], "row") - 1 if "row" in choice else None,
        tile=as_int(choice["tile"], "tile") if "tile" in choice else None,
        tiles=tuple(sorted(as_ints(choice["tiles"], "tiles"))) if "tiles" in choice else (),
    )


def _shown(tiles: Json) -> tuple[int, ...]:
    return as_ints(tiles, "revealed tiles") if isinstance(tiles, list) else (as_int(tiles, "a revealed tile"),)


def _texts(data: Json, name: str) -> tuple[str, ...]:
    if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
        raise VectorError("board_game.must_list_texts", name=name, got=shown(data))
    return tuple(str(item) for item in data)


def _row(data: Json) -> tuple[int, ...]:
    if not isinstance(data, list):
        raise VectorError("board_game.rows_tiles_must", got=shown(data))
    return tuple(EMPTY if tile is None else as_int(tile, "a tile") for tile in data)


def _cards(given: Object, key: str, players: int) -> str:
    cards = by_seat(given.get(key, {}), players, key)
    return write_by_seat([_texts(cards.get(seat, []), key) for seat in range(players)])
