"""The playout policy for the board game, in Python (`board_policy.h` is the same in C, number for number).

- *Tiles:* the expected effect of the field, now or after one or two random tiles of others in its row; of two tiles the
  two best.
- *5 plus points* if it gains at least 4 points, *Positive heads* if it gains 6, for the tiles with the most heads.
- *Action cards* only for a tile that would cost points: the card that saves most, if it saves at least 3 points.
  "Play two tiles" is kept.
- *Luck cards* balanced between both kinds; *a new row* where the first field gains most.

Points are counted in eighths. Ties go to the first option; nothing is random.
"""

from __future__ import annotations

from nimmt_lab.engine.cards import EMPTY, Card, Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.state import GameState, HasRows
from nimmt_lab.engine.view import View

from .material import DRAW_ACTION, DRAW_TILE, TAKE, TAKES, points_of
from .numbers import PLACES, chances, risks
from .parts import NO_PLAN, Action, BoardExtra, Luck, Plan
from .plays import landing
from .rules import BoardGame
from .uses import PASS, ChooseLuck, ChooseTiles, Tiles, Use, UseCards

POINT = 8
_TILE, _ACTION, _UNSEEN_HEADS = -POINT, POINT, 2
#: The bonus of `edges-first` per step from the middle tile, and that tile.
_EDGE_BONUS, _MIDDLE = 1700, 52
_FIVE_GAIN, _HEADS_GAIN, _ACTION_GAIN = 4 * POINT, 6 * POINT, 3 * POINT


def sensible(table: GameState | View, seat: Seat, decision: Decision) -> Choice:
    """The choice of that seat.

    >>> state = BoardGame(players=2).from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2")
    >>> sensible(state, 0, state.pending[0])  # 57 would cover +3 in row 4, 1 a plain field
    57
    """
    game = table.game
    assert isinstance(game, BoardGame)
    if isinstance(decision, (ChooseCard, ChooseTiles)):
        hand = table.hands[seat] or ()
        ranked = sorted(hand, key=lambda tile: -worth_of_tile(game, table, tile))
        return ranked[0] if isinstance(decision, ChooseCard) else Tiles.of(ranked[0], ranked[1])
    if isinstance(decision, UseCards):
        return _card(game, table, seat, decision)
    if isinstance(decision, ChooseLuck):
        held = BoardExtra.of(table).luck[seat]
        surplus = held.count(Luck.PLUS_FIVE) - held.count(Luck.POSITIVE_HEADS)
        return min(decision.options, key=lambda draw: abs(surplus + draw.plus_five - draw.positive_heads))
    assert isinstance(decision, ChooseRow)
    return max(decision.options, key=lambda row: worth(game, table, row, 0, decision.card))


def promising(view: View, decision: Decision, most: int) -> list[Choice]:
    """The `most` best-looking options, in their listed order, including passing.

    >>> view = BoardGame(players=2).from_position("50 | 70 | | 56 | | 9 | | | | ; A: 57 1 30 ; B: 93 2").view(0)
    >>> promising(view, view.decision, 1)
    [Tiles(low=1, high=57)]
    """
    game = view.game
    assert isinstance(game, BoardGame)
    worths: dict[Choice, int] = {}
    if isinstance(decision, ChooseTiles):
        alone = {tile: worth_of_tile(game, view, tile) for tile in decision.hand}
        pairs = [pair for pair in decision.options if isinstance(pair, Tiles)]
        worths = {pair: alone[pair.low] + alone[pair.high] for pair in pairs}
    elif isinstance(decision, UseCards):
        to = landing(game, view, BoardExtra.of(view).plan, decision.card)
        assert to is not None
        for use in decision.options:
            assert isinstance(use, Use)
            value = None
            if isinstance(use.kind, Luck):
                value = POINT * (game.heads_in(use.tiles) or 5)
            elif use.kind is Action.PLAY_TWO and use.tile is not None:
                value = _worth_of_plan(game, view, NO_PLAN, use.tile)
            elif use.kind is not None:
                value = _after_action(game, view, use, decision.card, to.row)
            worths[use] = 0 if value is None else value
        worths[PASS] = 1 << 20
    else:
        return list(decision.options[:most])
    best = set(sorted(worths, key=lambda option: -worths[option])[:most])
    return [option for option in worths if option in best]


def worth(game: BoardGame, table: HasRows, row: int, slot: int, tile: Card, more: int = 0) -> int:
    """The value of a field for the tile that covers it, after `more` unknown tiles have joined the row."""
    field = game.layout.rows[row][slot]
    if field in TAKES:
        return -POINT * (game.heads_in(table.rows[row]) + _UNSEEN_HEADS * more)
    if field == DRAW_TILE:
        return _TILE
    if field == DRAW_ACTION:
        return _ACTION
    return POINT * (points_of(field, game.box.heads(tile)) or 0)


def worth_of_tile(game: BoardGame, table: HasRows, tile: Card) -> int:
    """The value of a hand tile before the reveal, in 256ths of an eighth."""
    home = game.row_for(table, tile, BoardExtra.of(table).stops)
    assert home is not None
    row, end = home[0], table.rows[home[0]][-1]
    others = (game.players - 1) * (2 if game.plays_two(table) else 1)
    chance = chances(others)[tile - end - 1 if end < tile else tile - 1]
    slots = range(len(table.rows[row]), len(game.layout.rows[row]))
    return sum(chance[k] * worth(game, table, row, slot, tile, k) for k, slot in enumerate(slots[:3]))


def cost_of_tile(game: BoardGame, table: HasRows, policy: str, tile: Card) -> int:
    """The cost that policies without knowledge of the board minimise (`cost_of_tile` in `board_policy.h`).

    >>> state = BoardGame(players=2).from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2")
    >>> [cost_of_tile(state.game, state, "closest-safe", tile) >> 8 for tile in (57, 1)]
    [1, 69]
    """
    home = game.row_for(table, tile, BoardExtra.of(table).stops)
    assert home is not None
    tiles = table.rows[home[0]]
    apart, heads = abs(tile - tiles[-1]), game.heads_in(tiles)
    if policy == "closest-safe":
        return (1 << 24) + (heads << 8) + tile if len(tiles) >= game.places_in_row else (apart << 8) + tile
    weighed = 8 * heads + 13 * (game.places_in_row - len(tiles))
    cost = weighed * risks(game.players - 1)[PLACES * len(tiles) + apart - 1]
    return cost - (_EDGE_BONUS * abs(tile - _MIDDLE) if policy == "edges-first" else 0)


def _worth_of_plan(
    game: BoardGame, table: GameState | View, plan: Plan, tile: Card, stops: tuple[int, ...] | None = None
) -> int | None:
    """The immediate value of placing a tile by a plan; None if that is impossible."""
    to = landing(game, table, plan, tile, stops)
    if to is None:
        return None
    acting = table.rows[to.row][to.slot - 1] if plan.at_start else tile
    return worth(game, table, to.row, to.slot, acting)


def _card(game: BoardGame, table: GameState | View, seat: Seat, decision: UseCards) -> Choice:
    extra, tile = BoardExtra.of(table), decision.card
    plan = extra.plan
    if plan.luck is not None:
        return PASS
    to, now = landing(game, table, plan, tile), _worth_of_plan(game, table, plan, tile)
    assert to is not None and now is not None
    field = game.layout.rows[to.row][to.slot]
    best, gain = PASS, 0
    for use in decision.options:
        assert isinstance(use, Use)
        if use.kind is None:
            continue
        if use.kind is Luck.PLUS_FIVE:
            more, least = 5 * POINT - now, _FIVE_GAIN
        elif use.kind is Luck.POSITIVE_HEADS:
            more, least = game.heads_in(use.tiles) * POINT * (2 if field == TAKE else 1), _HEADS_GAIN
            if use.tiles != _most_heads(game, table.rows[to.row]):
                continue
        else:
            then = _after_action(game, table, use, tile, to.row) if now < 0 and plan == NO_PLAN else None
            if then is None:
                continue
            more, least = then - now, _ACTION_GAIN
        if more >= least and more > gain:
            best, gain = use, more
    return best


def _most_heads(game: BoardGame, tiles: tuple[Card, ...]) -> tuple[Card, ...]:
    """The two tiles with the most heads; ties go to the lower one."""
    lying = [tile for tile in tiles if tile != EMPTY]
    return tuple(sorted(sorted(lying, key=lambda tile: (-game.box.heads(tile), tile))[:2]))


def _after_action(game: BoardGame, table: GameState | View, use: Use, tile: Card, row: int) -> int | None:
    """The value of the tile after playing that card; None for a card to keep."""
    if use.kind is Action.STOP:
        stops = (*BoardExtra.of(table).stops, row)
        return _worth_of_plan(game, table, NO_PLAN, tile, stops) if use.row == row else None
    if use.kind is Action.SWAP:
        assert use.tile is not None
        return _worth_of_plan(game, table, NO_PLAN, use.tile)
    if use.kind is Action.SKIP:
        return _worth_of_plan(game, table, Plan(skips=1), tile)
    if use.kind in (Action.START, Action.ASCENDING):
        return _worth_of_plan(game, table, Plan(row=use.row, at_start=use.kind is Action.START), tile)
    return None
