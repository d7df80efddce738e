"""A board, or tiles and cards, of one's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.material import MATERIAL, Material

from .draw import board_svg, board_text
from .material import SIDES, Board, Pieces, entries, write_board_template, write_pieces_template
from .rules import BoardGame


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


def _side(side: str) -> Material:
    return Material(
        side,
        "a side of the board (.toml)",
        partial(write_board_template, side=side),
        _is_board,
        lambda path: board_text(Board.load(path)),
        lambda path: board_svg(Board.load(path)),
    )


PIECES = Material("pieces", "tiles and cards (.toml)", write_pieces_template, _is_pieces, _show_pieces)

MATERIAL.provide(BoardGame, (*map(_side, SIDES), PIECES))
