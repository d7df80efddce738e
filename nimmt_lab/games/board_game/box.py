"""Users' own boards, tiles and cards."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.material import MATERIAL, Entering, Filled, Grid, Material
from nimmt_lab.engine.options import OptionData
from nimmt_lab.engine.sentences import Phrase

from . import material
from .draw import board_svg, board_text, card_name
from .material import Board, Pieces
from .parts import Action, Luck
from .rules import BoardGame

#: Rows, fields and points that can be entered on screen; a file may have more.
_ROWS, _FIELDS, _POINTS = 10, 14, 10
_COUNTS = 24
_MARK = "x"
_SIDE_FILE = Phrase("board_game.side_file")
_MEANINGS = {
    material.PLAIN: "look.board.field_plain",
    material.TWO: "look.board.field_two",
    material.TAKE: "look.board.field_take",
    material.TAKE_TILES: "look.board.field_take_tiles",
    material.DRAW_TILE: "look.board.field_tile",
    material.DRAW_ACTION: "look.board.field_action",
    **{name: f"look.board.field_{name}" for name in material.HEADS},
}


def _has_tiles(path: Path, expected: bool) -> bool:
    """Whether a file of pieces (with tiles) or boards (without) is expected and given."""
    return path.suffix.lower() == ".toml" and ("tiles" in material.entries(path)) is expected


def _show_pieces(path: Path, lang: str) -> str:
    pieces = Pieces.load(path)
    lines = [pieces.title_in(lang)]
    for heads in sorted(set(pieces.tile_heads)):
        tiles = [str(tile) for tile, count in enumerate(pieces.tile_heads, start=1) if count == heads]
        lines.append(f"{plural(heads, 'tile_heads', lang, __package__)}: {' '.join(tiles)}")
    counts = zip((*Action, *Luck), (*pieces.action_cards, *pieces.luck_cards), strict=True)
    return "\n".join(lines + [f"{card_name(kind, lang)}: {count}" for kind, count in counts])


# Entering on screen ------------------------------------------------------------------------------------------


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
    return tuple(map(str, range(-material.TRACK, material.TRACK + 1)))


def _board_grids(side: str) -> tuple[Grid, ...]:
    points = [f"{sign}{number}" for sign in "+-" for number in range(1, _POINTS + 1)]
    fields = [
        material.PLAIN,
        *material.HEADS,
        *points,
        material.TWO,
        material.TAKE,
        *(material.NEW_FIELDS if side != material.SIDES[0] else ()),
    ]
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
    Grid("tiles", tuple(map(str, range(1, material.TILES + 1))), ("",), tuple(map(str, material.TILE_HEADS))),
    Grid("action_cards", tuple(f"action.{kind.value}" for kind in Action), ("",), _NUMBERS),
    Grid("luck_cards", tuple(f"luck.{kind.value}" for kind in Luck), ("",), _NUMBERS),
)


def _side(side: str) -> Material:
    return Material(
        side,
        _SIDE_FILE,
        partial(material.write_board_template, side=side),
        partial(_has_tiles, expected=False),
        lambda path, lang: board_text(Board.load(path), lang=lang),
        lambda path, lang: board_svg(Board.load(path), lang),
        Entering("board", ".toml", _board_grids(side), partial(_board_text, side), Board.parse, _board_filled),
    )


PIECES = Material(
    "pieces",
    Phrase("board_game.pieces_file"),
    material.write_pieces_template,
    partial(_has_tiles, expected=True),
    _show_pieces,
    entering=Entering("pieces", ".toml", _PIECES_GRIDS, _pieces_text, Pieces.parse, _pieces_filled),
)

MATERIAL.provide(BoardGame, (*map(_side, material.SIDES), PIECES))
