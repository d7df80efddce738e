"""`nimmt-lab material`: decks and boards of one's own: write an empty file, check a filled one, draw it."""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt_lab.engine.draw import plural
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import write_file
from nimmt_lab.games.baron import deck as baron_deck
from nimmt_lab.games.board_game import draw as board_draw
from nimmt_lab.games.board_game import material as board_data

KINDS = ("baron", "basic", "advanced", "pieces")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", choices=("template", "show"), help="write an empty file, or check and draw one")
    parser.add_argument("file", metavar="FILE", help="a Bull Baron deck (.csv); a board, or tiles and cards (.toml)")
    parser.add_argument("--kind", choices=KINDS, help="of a template: a deck, a side of the board, or tiles and cards")
    parser.add_argument("--svg", metavar="OUT", help="of a board: write the drawing to this file, too")


def run(args: argparse.Namespace) -> int:
    """A template is never written over a file that is there."""
    path = Path(args.file)
    if args.what == "template":
        _write(path, args.kind)
        print(f"{path}: fill it in, then look at it with: nimmt-lab material show {path}")
        return 0
    if path.suffix.lower() == ".csv":
        deck = baron_deck.BaronDeck.load(path)
        print(f"{deck.title}: {len(deck)} cards, {plural(deck.bulls_in(deck), 'bull')}")
        for card in deck:
            print(f"{card:>4}  {deck.letters(card)}")
        return 0
    if "tiles" in board_data.entries(path):
        _show_pieces(board_data.Pieces.load(path))
        return 0
    board = board_data.Board.load(path)
    print(board_draw.board_text(board))
    if args.svg:
        write_file(Path(args.svg), board_draw.board_svg(board) + "\n")
    return 0


def _write(path: Path, kind: str | None) -> None:
    if kind is None:
        raise RulesError(f"say what to write: --kind {' or '.join(KINDS)}")
    if path.exists():
        raise RulesError(f"{path} is there already")
    try:
        if kind == "baron":
            baron_deck.write_template(path)
        elif kind == "pieces":
            board_data.write_pieces_template(path)
        else:
            board_data.write_board_template(path, kind)
    except OSError as error:
        raise NotationError(f"cannot be written: {error.strerror or error}", source=str(path)) from error


def _show_pieces(pieces: board_data.Pieces) -> None:
    print(pieces.title)
    for heads in sorted(set(pieces.tile_heads)):
        tiles = [str(tile) for tile, count in enumerate(pieces.tile_heads, start=1) if count == heads]
        print(f"{plural(heads, 'head')}: {' '.join(tiles)}")
    for name, count in pieces.cards().items():
        print(f"{name}: {count}")
