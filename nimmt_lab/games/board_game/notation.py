"""Positions of the board game: its sections, and checks of impossible tables.

    50 | 70 - 71 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2 ; stock: 4 9 ; actions: A stop skip B swap ; stops: 2

`luck:` and `actions:` list cards by seat, `stacks:` the remaining luck cards (plus_five, then positive_heads), `deck:`
and `discards:` the action cards (next first), `stops:` rows with a marker. During a turn, `plan:` has the cards played
for the next tile (`skip 1 row 3 start luck plus_five`); with `starting: 1` that tile took row 1 and starts a new one;
with `owed: A 2` a seat draws luck cards. `over:` is the reason why a game has ended.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from nimmt_lab.engine.cards import EMPTY, seat_letter
from nimmt_lab.engine.errors import NotationError, PositionError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.notation import read_by_seat, write_by_seat
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable

from .events import BoardRule
from .material import ACTIVE_ROWS
from .parts import NO_PLAN, Action, BoardExtra, Luck, Plan
from .plays import landing, sort_cards

if TYPE_CHECKING:
    from .rules import BoardGame

K = TypeVar("K", Action, Luck)
_ENDS = {rule.key: rule for rule in (BoardRule.ALL_PLAYED, BoardRule.OUT_OF_TILES)}


def write_sections(state: GameState) -> dict[str, str]:
    """The sections, without empty ones."""
    extra = BoardExtra.of(state)
    sections = {
        "luck": write_by_seat(extra.luck),
        "stacks": " ".join(map(str, extra.luck_stacks)) if any(extra.luck_stacks) else "",
        "actions": write_by_seat(extra.actions),
        "deck": " ".join(map(str, extra.action_deck)),
        "discards": " ".join(map(str, extra.discards)),
        "stops": " ".join(str(row + 1) for row in extra.stops),
        "plan": _write_plan(extra.plan),
        "starting": "" if extra.starting is None else str(extra.starting + 1),
        "owed": f"{seat_letter(extra.owed[0])} {extra.owed[1]}" if extra.owed else "",
        "over": state.outcome.reason.key if state.outcome else "",
    }
    return {key: text for key, text in sections.items() if text}


def _write_plan(plan: Plan) -> str:
    words: list[str] = []
    if plan.skips:
        words += ["skip", str(plan.skips)]
    if plan.row is not None:
        words += ["start" if plan.at_start else "row", str(plan.row + 1)]
    if plan.luck:
        words += ["luck", str(plan.luck), *map(str, plan.tiles)]
    return " ".join(words)


def read_sections(game: BoardGame, table: LiveTable, sections: Mapping[str, str]) -> dict[str, str]:
    """Read the extra, and return the unknown sections."""
    left = dict(sections)
    players = game.players
    luck = read_by_seat(left.pop("luck", ""), "luck", players)
    actions = read_by_seat(left.pop("actions", ""), "actions", players)
    stacks = [_number(word, "stacks") for word in _words(left.pop("stacks", ""))] or [0, 0]
    if len(stacks) != 2:
        raise NotationError("board_game.stacks_expected_two", got=len(stacks))
    owed = _words(left.pop("owed", ""))
    starting = left.pop("starting", "")
    table.extra = BoardExtra(
        luck=tuple(sort_cards(_kinds(words, Luck, "luck")) for words in luck),
        luck_stacks=(stacks[0], stacks[1]),
        actions=tuple(sort_cards(_kinds(words, Action, "actions")) for words in actions),
        action_deck=_kinds(_words(left.pop("deck", "")), Action, "deck"),
        discards=_kinds(_words(left.pop("discards", "")), Action, "discards"),
        stops=tuple(sorted(_row(word, "stops", game) for word in _words(left.pop("stops", "")))),
        plan=_read_plan(_words(left.pop("plan", "")), game),
        owed=_read_owed(owed, players) if owed else None,
        starting=_row(starting.strip(), "starting", game) if starting.strip() else None,
    )
    over = left.pop("over", "").strip()
    if over:
        if over not in _ENDS:
            raise NotationError("shared.over_expected_one", known=", ".join(_ENDS), got=shown(over))
        table.outcome = game.final_outcome(table, _ENDS[over])
    return left


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _number(word: str, section: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 4):
        raise NotationError("shared.expected_number_got", section=section, got=shown(word))
    return int(word)


def _row(word: str, section: str, game: BoardGame) -> int:
    rows = len(game.layout.rows)
    if not 1 <= _number(word, section) <= rows:
        raise NotationError("shared.expected_row_from", section=section, most=rows, got=word)
    return int(word) - 1


def _kinds(words: list[str], kinds: type[K], section: str) -> tuple[K, ...]:
    known = {kind.value: kind for kind in kinds}
    for word in words:
        if word not in known:
            raise NotationError("shared.expected_got", key=section, words=", ".join(known), got=shown(word))
    return tuple(known[word] for word in words)


def _read_owed(words: list[str], players: int) -> tuple[int, int]:
    seat = ord(words[0].upper()) - ord("A") if len(words) == 2 and re.fullmatch("[A-Za-z]", words[0]) else -1
    if not 0 <= seat < players:
        raise NotationError("board_game.owed_expected_seat", got=shown(" ".join(words)))
    return seat, _number(words[1], "owed")


def _read_plan(words: list[str], game: BoardGame) -> Plan:
    skips, row, at_start, luck = 0, None, False, None
    tiles: tuple[int, ...] = ()
    while words:
        word = words.pop(0)
        if not words or word not in ("skip", "row", "start", "luck"):
            raise NotationError("board_game.plan_expected_skip", got=shown(word))
        if word == "skip":
            skips = _number(words.pop(0), "plan")
        elif word == "luck":
            (luck,) = _kinds([words.pop(0)], Luck, "plan")
            tiles = tuple(sorted(_number(tile, "plan") for tile in words))
            words = []
        else:
            row, at_start = _row(words.pop(0), "plan", game), word == "start"
    return Plan(skips, row, at_start, luck, tiles)


def check(game: BoardGame, table: LiveTable, ordered: bool) -> None:
    """Refuse an impossible table; `ordered` also requires four active rows."""
    _check_rows(game, table, ordered)
    extra = BoardExtra.of(table)
    if not game.luck and (any(extra.luck) or any(extra.luck_stacks) or extra.owed or extra.plan.luck):
        raise PositionError("board_game.no_luck")
    if not game.advanced and (any(extra.actions) or extra.action_deck or extra.discards or extra.stops):
        raise PositionError("board_game.no_actions")
    if len(extra.stops) > game.markers or len(set(extra.stops)) < len(extra.stops):
        raise PositionError("board_game.there_stop_markers", markers=game.markers)
    for row in extra.stops:
        if not table.rows[row]:
            raise PositionError("board_game.row_has_no", row=row + 1)
    if any(not play.plain for play in table.queue):
        raise PositionError("board_game.tiles_count_their")
    if table.outcome is not None:
        if table.queue or extra.owed or extra.starting is not None:
            raise PositionError("board_game.game_over_but")
    elif not table.queue and not any(table.hands) and not extra.owed:
        raise PositionError("board_game.nobody_tile")
    if extra.owed and not 1 <= extra.owed[1] <= sum(extra.luck_stacks):
        raise PositionError("board_game.luck_cards_cannot", owed=extra.owed[1], luck_stacks=sum(extra.luck_stacks))
    if extra.starting is not None and (not table.queue or table.rows[extra.starting] or extra.plan != NO_PLAN):
        raise PositionError("board_game.tile_starts_new")
    if extra.plan != NO_PLAN and not (
        table.queue and _sound(extra.plan, table) and landing(game, table, extra.plan, table.queue[0].card)
    ):
        raise PositionError("board_game.plan_cannot_carried")


def _sound(plan: Plan, table: LiveTable) -> bool:
    """Whether cards can make this plan."""
    if plan.row is None:
        return bool(plan.skips or plan.luck)
    tiles, tile = table.rows[plan.row], table.queue[0].card
    if not tiles:
        return False
    return tiles[0] > tile and not plan.skips if plan.at_start else tiles[-1] < tile


def _check_rows(game: BoardGame, table: LiveTable, ordered: bool) -> None:
    fields = game.layout.rows
    if len(table.rows) != len(fields):
        raise PositionError("board_game.board_rows", count=len(fields), got=len(table.rows))
    for row, tiles in enumerate(table.rows):
        if len(tiles) >= len(fields[row]):
            raise PositionError("board_game.row_too_long", row=row + 1, count=len(fields[row]))
        if tiles and EMPTY in (tiles[0], tiles[-1]):
            raise PositionError("board_game.row_begins_ends", row=row + 1)
    active = sum(map(bool, table.rows))
    wanted = ACTIVE_ROWS - (BoardExtra.of(table).starting is not None)
    if active == 0 or (ordered and active != wanted):
        raise PositionError("board_game.board_active", wanted=wanted, got=active)
