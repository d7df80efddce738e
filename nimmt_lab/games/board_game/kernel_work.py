"""The board game as the compiled kernel has it: every field of `board_work.h`, choices as numbers, a game laid out."""

from __future__ import annotations

from functools import cache
from itertools import chain
from math import comb

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.native.loader import Core
from nimmt_lab.native.work import Workspace, card_set

from .cards import Action, BoardExtra, ChooseLuck, ChooseTiles, Luck, LuckDraw, Tiles, Use, UseCards
from .material import DRAW_ACTION, DRAW_TILE, HEADS, PLAIN, TAKE, TAKE_TILES, TILES, TRACK, TWO
from .rules import BoardGame
SEATS, ROWS, FIELDS, ACTIONS, QUEUE, OPTIONS, PLACES = 6, 16, 24, 64, 104, 512, 128

#: Type code and count of every field, in the order of `board_work.h`.
LAYOUT = {
    "key": ("Q", 1), "first": ("Q", 1), "dice": ("Q", 1), "stats": ("q", 3 * OPTIONS),
    "rng": ("Q", 1), "hands": ("Q", 2 * SEATS), "totals": ("i", SEATS),
    "round": ("i", 1), "turn": ("i", 1), "over": ("i", 1), "asked": ("i", 1), "two": ("i", 1), "stops": ("i", 1),
    "owed_seat": ("i", 1), "owed": ("i", 1), "starting": ("i", 1),
    "luck_held": ("i", 2 * SEATS), "luck_stacks": ("i", 2), "actions": ("i", 6 * SEATS), "sum": ("i", ROWS),
    "takes": ("i", SEATS), "take_turns": ("i", SEATS), "take_turn": ("i", SEATS),
    "n_queue": ("i", 1), "n_stock": ("i", 1), "n_deck": ("i", 1), "n_discards": ("i", 1), "filler": ("i", 1),
    "skips": ("i", 1), "plan_row": ("i", 1), "at_start": ("i", 1), "plan_luck": ("i", 1), "n_plan_tiles": ("i", 1),
    "plan_tiles": ("B", 4),
    "length": ("B", ROWS), "end": ("B", ROWS), "rows": ("B", ROWS * FIELDS),
    "queue_tile": ("B", QUEUE), "queue_seat": ("B", QUEUE), "stock": ("B", QUEUE),
    "deck": ("B", ACTIONS), "discards": ("B", ACTIONS),
    "players": ("i", 1), "advanced": ("i", 1), "luck": ("i", 1), "first_acts": ("i", 1), "refills": ("i", 1),
    "n_rows": ("i", 1), "n_twos": ("i", 1), "widest": ("i", 1),
    "action_cards": ("i", 6), "luck_cards": ("i", 2), "policies": ("i", SEATS), "lows": ("i", SEATS),
    "choices": ("i", SEATS), "me": ("i", 1), "tiles_of": ("i", SEATS), "actions_of": ("i", SEATS),
    "n_unseen": ("i", 1), "n_unseen_actions": ("i", 1), "n_options": ("i", 1), "options": ("i", OPTIONS),
    "chance": ("i", 2 * PLACES * 4), "risk": ("i", FIELDS * PLACES),
    "fields": ("B", ROWS), "kind": ("B", ROWS * FIELDS), "points": ("b", ROWS * FIELDS),
    "two_row": ("B", ROWS * FIELDS), "two_slot": ("B", ROWS * FIELDS),
    "heads": ("B", PLACES), "clovers": ("B", PLACES), "unseen": ("B", PLACES), "unseen_actions": ("B", ACTIONS),
}  # fmt: skip

#: The kinds of fields with their numbers; heads and points beside these.
_FIELDS = {PLAIN: 0, TWO: 1, TAKE: 2, TAKE_TILES: 3, DRAW_TILE: 4, DRAW_ACTION: 5}
_HEADS, _POINTS = 6, 7
#: What is asked, by the kind of decision.
_ASKED: dict[type[Decision], int] = {ChooseCard: 1, ChooseTiles: 1, UseCards: 2, ChooseLuck: 3, ChooseRow: 4}
_LUCK, _ACTIONS = tuple(Luck), tuple(Action)
_KINDS = {None: 0, **{kind: at for at, kind in enumerate((*Luck, *Action), start=1)}}
_BY_NUMBER = {number: kind for kind, number in _KINDS.items()}


def fits(game: BoardGame) -> bool:
    """Whether the kernel has room for this board and these cards; the printed ones, and any like them.

    >>> fits(BoardGame(players=4))
    True
    """
    rows = game.layout.rows
    return len(rows) <= ROWS and max(map(len, rows)) <= FIELDS and sum(game.box.action_cards) <= ACTIONS


def workspace(core: Core, game: BoardGame) -> Workspace:
    """A workspace with the material and the settings of a game in it."""
    work = Workspace(core, LAYOUT, "nl_board_size")
    rows = game.layout.rows
    work.set("players", game.players)
    work.set("advanced", int(game.advanced))
    work.set("luck", int(game.luck))
    work.set("first_acts", int(game.first_field_acts))
    work.set("refills", int(game.refills))
    work.set("n_rows", len(rows))
    work.set("widest", max(map(len, rows)))
    work.set("fields", [len(fields) for fields in rows])
    twos = []
    for row, fields in enumerate(rows):
        for slot, field in enumerate(fields):
            kind, points = _FIELDS.get(field, _POINTS), 0
            if field in HEADS:
                kind, points = _HEADS, HEADS[field]
            elif kind == _POINTS:
                points = int(field)
            elif field == TWO:
                twos.append((row, slot))
            work.set("kind", kind, FIELDS * row + slot)
            work.set("points", points, FIELDS * row + slot)
    work.set("n_twos", len(twos))
    work.set("two_row", [row for row, _ in twos])
    work.set("two_slot", [slot for _, slot in twos])
    work.set("heads", [0, *game.box.tile_heads])
    work.set("clovers", [int(place in game.layout.clovers) for place in range(-TRACK, TRACK + 1)])
    work.set("action_cards", game.box.action_cards)
    work.set("luck_cards", game.box.luck_cards)
    return work


def write_policies(work: Workspace, game: BoardGame, policies: list[int], low_cards: list[int]) -> None:
    """How everybody plays, and the chances that some policies weigh."""
    work.set("policies", policies)
    work.set("lows", low_cards)
    work.set("chance", list(chain(*chances(game.players - 1), *chances(2 * (game.players - 1)))))
    work.set("risk", risks(game.players - 1))


@cache
def chances(others: int) -> tuple[tuple[int, int, int, int], ...]:
    """By the size of a gap: how likely none, one or two of so many tiles fall into it, in parts of 256, if each falls
    anywhere.

    >>> chances(3)[0], chances(3)[50]
    ((256, 0, 0, 0), (32, 96, 96, 0))
    """
    found = []
    for gap in range(PLACES):
        inside = min(gap, TILES)
        ways = [
            256 * comb(others, k) * inside**k * (TILES - inside) ** max(0, others - k) // TILES**others for k in range(3)
        ]
        found.append((ways[0], ways[1], ways[2], 0))
    return tuple(found)


@cache
def risks(others: int) -> tuple[int, ...]:
    """What the policies that weigh cards (`least-risk`, `edges-first`) think of a gap behind so many cards in a row."""
    found = [0] * (FIELDS * PLACES)
    for gap in range(TILES):
        chance = [comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t) for t in range(others + 1)]
        for count in range(1, FIELDS):
            due = sum(chance[t] for t in range(others + 1) if (count + t) % 5 == 0)
            found[PLACES * count + gap] = int(4096 * due // LAST_CARD**others)
    return tuple(found)


def code_of(choice: Choice) -> int:
    """A choice as the kernel's number (`board.h`).

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
    raise RulesError(f"the board game has no choice {choice!r}")


def choice_of(code: int, decision: Decision) -> Choice:
    """The choice that a number means as the answer to a decision."""
    if isinstance(decision, ChooseTiles):
        return Tiles(code & 255, code >> 8)
    if isinstance(decision, ChooseLuck):
        return LuckDraw(code & 255, code >> 8)
    if not isinstance(decision, UseCards):
        return code
    kind, first, second = _BY_NUMBER[code & 255], code >> 8 & 255, code >> 16
    if kind is Luck.POSITIVE_HEADS:
        return Use(kind, tiles=tuple(tile for tile in (first, second) if tile))
    if kind in (Action.STOP, Action.START, Action.ASCENDING):
        return Use(kind, row=first - 1)
    return Use(kind, tile=first or None)


def lay(work: Workspace, table: GameState | View) -> None:
    """A game as it lies, or as a seat sees it: then what is hidden is said by its size."""
    extra, players = BoardExtra.of(table), table.game.players
    hidden = isinstance(table, View)
    hands = [hand or () for hand in table.hands]
    work.set("hands", list(chain(*(card_set(hand) for hand in hands))))
    work.set("totals", table.totals)
    work.set("round", table.round)
    work.set("turn", table.turn)
    asked = table.decision if isinstance(table, View) else next(iter(table.pending.values()), None)
    work.set("over", int(asked is None))
    work.set("asked", 0 if asked is None else _ASKED[type(asked)])
    game = table.game
    assert isinstance(game, BoardGame)
    work.set("two", int(asked is not None and _ASKED[type(asked)] == 1 and game.plays_two(table)))
    work.set("stops", sum(1 << row for row in extra.stops))
    seat, count = extra.owed or (-1, 0)
    work.set("owed_seat", seat)
    work.set("owed", count)
    work.set("starting", -1 if extra.starting is None else extra.starting)
    work.set("luck_held", [held.count(kind) for held in extra.luck for kind in _LUCK])
    work.set("luck_stacks", extra.luck_stacks)
    work.set("actions", [held.count(kind) for held in extra.actions for kind in _ACTIONS])
    plan = extra.plan
    work.set("skips", plan.skips)
    work.set("plan_row", -1 if plan.row is None else plan.row)
    work.set("at_start", int(plan.at_start))
    work.set("plan_luck", -1 if plan.luck is None else _LUCK.index(plan.luck))
    work.set("n_plan_tiles", len(plan.tiles))
    work.set("plan_tiles", [*plan.tiles, 0, 0][:2])
    work.set("length", [len(row) for row in table.rows])
    for row, tiles in enumerate(table.rows):
        work.set("rows", tiles, FIELDS * row)
    work.set("n_queue", len(table.queue))
    work.set("queue_tile", [play.card for play in table.queue])
    work.set("queue_seat", [play.seat for play in table.queue])
    work.set("n_stock", table.stock_size if isinstance(table, View) else len(table.stock))
    work.set("n_deck", len(extra.action_deck))
    work.set("n_discards", len(extra.discards))
    work.set("discards", [_ACTIONS.index(card) for card in extra.discards])
    work.set("take_turn", [-1] * players)
    if not hidden:
        work.set("rng", table.rng.state)
        work.set("stock", table.stock[::-1])
        work.set("deck", [_ACTIONS.index(card) for card in extra.action_deck[::-1] if card is not None])
        return
    assert isinstance(table, View)
    work.set("me", table.seat)
    sizes = zip(table.hands, table.hand_sizes, strict=True)
    work.set("tiles_of", [size if hand is None else 0 for hand, size in sizes])
    work.set("actions_of", [sum(card is None for card in held) for held in extra.actions])
    work.set("n_unseen", len(table.unseen))
    work.set("unseen", table.unseen)
    left = [at for at, count in enumerate(game.box.action_cards) for _ in range(count)] if game.advanced else []
    for card in (*chain(*extra.actions), *extra.discards):
        if card is not None:
            left.remove(_ACTIONS.index(card))
    work.set("n_unseen_actions", len(left))
    work.set("unseen_actions", left)
