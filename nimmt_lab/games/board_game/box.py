"""A board, or tiles and cards, of one's own."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.material import MATERIAL, Entering, Filled, Grid, Material
from nimmt_lab.engine.options import OptionData

from .cards import Action, Luck
from .draw import board_svg, board_text
from .material import (
    DRAW_ACTION,
    DRAW_TILE,
    HEADS,
    NEW_FIELDS,
    PLAIN,
    SIDES,
    TAKE,
    TAKE_TILES,
    TILE_HEADS,
    TILES,
    TRACK,
    TWO,
    Board,
    Pieces,
    entries,
    write_board_template,
    write_pieces_template,
)
from .rules import BoardGame

#: Rows and fields that can be entered by clicking, and points a field may give; a file may have more.
_ROWS, _FIELDS, _POINTS = 10, 14, 10
#: How many cards of a kind can be entered by clicking.
_COUNTS = 24
_MARK = "x"
_MEANINGS = {
    PLAIN: "look.board.field_plain",
    TWO: "look.board.field_two",
    TAKE: "look.board.field_take",
    TAKE_TILES: "look.board.field_take_tiles",
    DRAW_TILE: "look.board.field_tile",
    DRAW_ACTION: "look.board.field_action",
    **{name: f"look.board.field_{name}" for name in HEADS},
}


def _is_pieces(path: Path) -> bool:
    return path.suffix.lower() == ".toml" and "tiles" in entries(path)


def _is_board(path: Path) -> bool:
    return path.suffix.lower() == ".toml" and "tiles" not in entries(path)


def _show_pieces(path: Path) -> str:
    pieces = Pieces.load(path)
    lines = [pieces.title]
    for heads in sorted(set(pieces.tile_heads)):
        tiles = [str(tile) for tile, count in enumerate(pieces.tile_heads, start=1) if count == heads]
        lines.append(f"{plural(heads, 'head')}: {' '.join(tiles)}")
    return "\n".join(lines + [f"{name}: {count}" for name, count in pieces.cards().items()])


# Entering by clicking --------------------------------------------------------------------------------------


def _board_text(side: str, title: str, filled: Filled) -> str:
    rows = []
    for number, cells in enumerate(filled["fields"], start=1):
        row = " ".join(cells).rstrip()
        if "  " in row or row.startswith(" "):
            raise DataError("board_game.row_gap", number=number, source=title)
        rows.append(row)
    while rows and not rows[-1]:
        rows.pop()
    clovers = [place for place, (mark,) in zip(_track(), filled["clovers"], strict=True) if mark]
    listed = "".join(f"    {json.dumps(row)},\n" for row in rows)
    head = f"title = {json.dumps(title, ensure_ascii=False)}\nside = {json.dumps(side)}\n"
    return f"{head}clovers = [{', '.join(clovers)}]\nrows = [\n{listed}]\n"


def _board_filled(board: OptionData) -> Filled:
    assert isinstance(board, Board)
    rows = [[*fields[:_FIELDS], *[""] * (_FIELDS - len(fields))] for fields in board.rows[:_ROWS]]
    rows += [[""] * _FIELDS for _ in range(_ROWS - len(rows))]
    return {"fields": rows, "clovers": [[_MARK if int(place) in board.clovers else ""] for place in _track()]}


def _track() -> tuple[str, ...]:
    return tuple(map(str, range(-TRACK, TRACK + 1)))


def _board_grids(side: str) -> tuple[Grid, ...]:
    points = [f"{sign}{number}" for sign in "+-" for number in range(1, _POINTS + 1)]
    fields = [PLAIN, *HEADS, *points, TWO, TAKE, *(NEW_FIELDS if side != SIDES[0] else ())]
    rows, columns = tuple(map(str, range(1, _ROWS + 1))), tuple(map(str, range(1, _FIELDS + 1)))
    return Grid("fields", rows, columns, tuple(fields), _MEANINGS), Grid("clovers", _track(), ("",), (_MARK,))


def _pieces_text(title: str, filled: Filled) -> str:
    tiles: dict[str, list[str]] = {}
    for tile, (heads,) in enumerate(filled["tiles"], start=1):
        if heads:
            tiles.setdefault(heads, []).append(str(tile))
    lines = [f"title = {json.dumps(title, ensure_ascii=False)}", "", "[tiles]"]
    lines += [f"{heads} = [{', '.join(tiles[heads])}]" for heads in sorted(tiles, key=int)]
    for name, kinds in (("action_cards", Action), ("luck_cards", Luck)):
        counts = [cells[0] or "0" for cells in filled[name]]
        lines += ["", f"[{name}]", *(f"{kind.value} = {count}" for kind, count in zip(kinds, counts, strict=True))]
    return "\n".join(lines) + "\n"


def _pieces_filled(pieces: OptionData) -> Filled:
    assert isinstance(pieces, Pieces)
    return {
        "tiles": [[str(heads)] for heads in pieces.tile_heads],
        "action_cards": [[str(count or "")] for count in pieces.action_cards],
        "luck_cards": [[str(count or "")] for count in pieces.luck_cards],
    }


_NUMBERS = tuple(map(str, range(1, _COUNTS + 1)))
_PIECES_GRIDS = (
    Grid("tiles", tuple(map(str, range(1, TILES + 1))), ("",), tuple(map(str, TILE_HEADS))),
    Grid("action_cards", tuple(f"action.{kind.value}" for kind in Action), ("",), _NUMBERS),
    Grid("luck_cards", tuple(f"luck.{kind.value}" for kind in Luck), ("",), _NUMBERS),
)


def _side(side: str) -> Material:
    return Material(
        side,
        "a side of the board (.toml)",
        partial(write_board_template, side=side),
        _is_board,
        lambda path: board_text(Board.load(path)),
        lambda path: board_svg(Board.load(path)),
        Entering("board", ".toml", _board_grids(side), partial(_board_text, side), Board.parse, _board_filled),
    )


PIECES = Material(
    "pieces",
    "tiles and cards (.toml)",
    write_pieces_template,
    _is_pieces,
    _show_pieces,
    entering=Entering("pieces", ".toml", _PIECES_GRIDS, _pieces_text, Pieces.parse, _pieces_filled),
)

MATERIAL.provide(BoardGame, (*map(_side, SIDES), PIECES))
