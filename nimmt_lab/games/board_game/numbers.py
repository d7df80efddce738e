"""Games, states and choices of the board game as numbers for the compiled kernel (`board_work.h`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from math import comb
from typing import TypeAlias

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .material import DRAW_ACTION, DRAW_TILE, HEADS, PLAIN, TAKE, TAKE_TILES, TILES, TRACK, TWO
from .parts import Action, BoardExtra, Luck
from .rules import BoardGame
from .uses import ChooseLuck, ChooseTiles, LuckDraw, Tiles, Use, UseCards

SEATS, ROWS, FIELDS, ACTIONS, QUEUE, OPTIONS, PLACES = 6, 16, 24, 64, 104, 512, 128

#: The kinds of fields with their numbers, except heads and points.
_FIELDS = {PLAIN: 0, TWO: 1, TAKE: 2, TAKE_TILES: 3, DRAW_TILE: 4, DRAW_ACTION: 5}
_HEADS, _POINTS = 6, 7
#: Codes of the kinds of decisions.
_ASKED: dict[type[Decision], int] = {ChooseCard: 1, ChooseTiles: 1, UseCards: 2, ChooseLuck: 3, ChooseRow: 4}
_LUCK, _ACTIONS = tuple(Luck), tuple(Action)
_KINDS = {None: 0, **{kind: at for at, kind in enumerate((*Luck, *Action), start=1)}}


def fits(game: BoardGame) -> bool:
    """Whether the kernel has room for this board and these cards.

    >>> fits(BoardGame(players=4))
    True
    """
    rows = game.layout.rows
    return len(rows) <= ROWS and max(map(len, rows)) <= FIELDS and sum(game.box.action_cards) <= ACTIONS


#: Fields of the workspace with their numbers.
Numbers: TypeAlias = dict[str, int | Sequence[int]]


def settings(game: BoardGame) -> Numbers:
    """The material and settings of a game.

    >>> settings(BoardGame(players=3))["n_twos"]
    3
    """
    rows = game.layout.rows
    twos = [(row, slot) for row, fields in enumerate(rows) for slot, field in enumerate(fields) if field == TWO]
    return {
        "players": game.players,
        "advanced": int(game.advanced),
        "luck": int(game.luck),
        "first_acts": int(game.first_field_acts),
        "refills": int(game.refills),
        "n_rows": len(rows),
        "widest": max(map(len, rows)),
        "fields": [len(fields) for fields in rows],
        "kind": _table([_kind(field) for field in fields] for fields in rows),
        "points": _table(
            [HEADS.get(field) or (0 if field in _FIELDS else int(field)) for field in fields] for fields in rows
        ),
        "n_twos": len(twos),
        "two_row": [row for row, _ in twos],
        "two_slot": [slot for _, slot in twos],
        "heads": [0, *game.box.tile_heads],
        "clovers": [int(place in game.layout.clovers) for place in range(-TRACK, TRACK + 1)],
        "action_cards": game.box.action_cards,
        "luck_cards": game.box.luck_cards,
        "chance": list(chain(*chances(game.players - 1), *chances(2 * (game.players - 1)))),
        "risk": risks(game.players - 1),
    }


def _kind(field: str) -> int:
    return _HEADS if field in HEADS else _FIELDS.get(field, _POINTS)


def _table(rows: Iterable[Sequence[int]]) -> list[int]:
    return [number for row in rows for number in (*row, *(0,) * (FIELDS - len(row)))]


@cache
def chances(others: int) -> tuple[tuple[int, int, int, int], ...]:
    """By the size of a gap: the probability, in 256ths, that none, one or two of `others` random tiles fall into it.

    >>> chances(3)[0], chances(3)[50]
    ((256, 0, 0, 0), (32, 96, 96, 0))
    """
    by_gap = []
    for gap in range(PLACES):
        inside = min(gap, TILES)
        outside = TILES - inside
        ways = [256 * comb(others, k) * inside**k * outside ** max(0, others - k) // TILES**others for k in range(3)]
        by_gap.append((ways[0], ways[1], ways[2], 0))
    return tuple(by_gap)


@cache
def risks(others: int) -> tuple[int, ...]:
    """The risk of a gap after a number of cards in a row, for the policies `least-risk` and `edges-first`."""
    table = [0] * (FIELDS * PLACES)
    for gap in range(TILES):
        chance = [comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t) for t in range(others + 1)]
        for count in range(1, FIELDS):
            due = sum(chance[t] for t in range(others + 1) if (count + t) % 5 == 0)
            table[PLACES * count + gap] = int(4096 * due // LAST_CARD**others)
    return tuple(table)


def code_of(choice: Choice) -> int:
    """A choice as a number of the kernel (`board.h`).

    >>> code_of(14), code_of(Tiles(3, 14)), code_of(Use(None))
    (14, 3587, 0)
    """
    if isinstance(choice, Tiles):
        return choice.low | choice.high << 8
    if isinstance(choice, LuckDraw):
        return choice.plus_five | choice.positive_heads << 8
    if isinstance(choice, Use):
        named = choice.tiles or (choice.tile or 0 if choice.row is None else choice.row + 1,)
        return _KINDS[choice.kind] | named[0] << 8 | (named[1] << 16 if len(named) > 1 else 0)
    if isinstance(choice, int):
        return choice
    raise RulesError("board_game.board_game_has", choice=repr(choice))


def laid(table: GameState | View) -> Numbers:
    """A state, or a view with the sizes of its hidden parts."""
    game, extra, plan = table.game, BoardExtra.of(table), BoardExtra.of(table).plan
    assert isinstance(game, BoardGame)
    asked = table.decision if isinstance(table, View) else next(iter(table.pending.values()), None)
    question = 0 if asked is None else _ASKED[type(asked)]
    owed_seat, owed = extra.owed or (-1, 0)
    numbers: Numbers = {
        "hands": [word for hand in table.hands for word in _set(hand or ())],
        "totals": table.totals,
        "round": table.round,
        "turn": table.turn,
        "over": int(asked is None),
        "asked": question,
        "two": int(question == 1 and game.plays_two(table)),
        "stops": sum(1 << row for row in extra.stops),
        "owed_seat": owed_seat,
        "owed": owed,
        "starting": -1 if extra.starting is None else extra.starting,
        "luck_held": [held.count(kind) for held in extra.luck for kind in _LUCK],
        "luck_stacks": extra.luck_stacks,
        "actions": [held.count(kind) for held in extra.actions for kind in _ACTIONS],
        "skips": plan.skips,
        "plan_row": -1 if plan.row is None else plan.row,
        "at_start": int(plan.at_start),
        "plan_luck": -1 if plan.luck is None else _LUCK.index(plan.luck),
        "n_plan_tiles": len(plan.tiles),
        "plan_tiles": [*plan.tiles, 0, 0][:2],
        "length": [len(tiles) for tiles in table.rows],
        "rows": _table(table.rows),
        "n_queue": len(table.queue),
        "queue_tile": [play.card for play in table.queue],
        "queue_seat": [play.seat for play in table.queue],
        "n_deck": len(extra.action_deck),
        "n_discards": len(extra.discards),
        "discards": [_ACTIONS.index(card) for card in extra.discards],
        "take_turn": [-1] * game.players,
    }
    if isinstance(table, View):
        return numbers | _hidden(table, game, extra)
    deck = [_ACTIONS.index(card) for card in extra.action_deck[::-1] if card is not None]
    return numbers | {
        "n_stock": len(table.stock),
        "state_rng": table.rng.state,
        "stock": table.stock[::-1],
        "deck": deck,
    }


def _hidden(view: View, game: BoardGame, extra: BoardExtra) -> Numbers:
    """The hidden parts of a view: their sizes and possible contents (as in `guess.py`)."""
    left = [at for at, count in enumerate(game.box.action_cards) for _ in range(count)] if game.advanced else []
    for card in (*chain(*extra.actions), *extra.discards):
        if card is not None:
            left.remove(_ACTIONS.index(card))
    sizes = zip(view.hands, view.hand_sizes, strict=True)
    return {
        "me": view.seat,
        "n_stock": view.stock_size,
        "tiles_of": [size if hand is None else 0 for hand, size in sizes],
        "actions_of": [sum(card is None for card in held) for held in extra.actions],
        "n_unseen": len(view.unseen),
        "unseen": view.unseen,
        "n_unseen_actions": len(left),
        "unseen_actions": left,
    }


def unlooked(view: View) -> Numbers:
    """A view before the seat has looked at its own tiles and action cards (`blind` in `board_work.h`).

    >>> view = BoardGame(players=2).deal(seed=1).view(0)
    >>> unlooked(view)["n_unseen"] == len(view.unseen) + 12
    True
    """
    game, extra = view.game, BoardExtra.of(view)
    assert isinstance(game, BoardGame)
    numbers, seat = _hidden(view, game, extra), view.seat
    own = [_ACTIONS.index(card) for card in extra.actions[seat] if card is not None]
    unseen, actions = sorted((*view.unseen, *view.hand)), sorted((*numbers["unseen_actions"], *own))  # type: ignore[misc]
    return {
        "blind": 1,
        "hands": [0] * (2 * SEATS),
        "actions": [0] * (len(_ACTIONS) * SEATS),
        "tiles_of": view.hand_sizes,
        "actions_of": [len(held) for held in extra.actions],
        "n_unseen": len(unseen),
        "unseen": unseen,
        "n_unseen_actions": len(actions),
        "unseen_actions": actions,
    }


def _set(tiles: Iterable[int]) -> tuple[int, int]:
    bits = sum(1 << tile for tile in tiles)
    return bits & (1 << 64) - 1, bits >> 64
