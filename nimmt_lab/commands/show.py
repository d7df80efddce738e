"""`nimmt-lab show`: draw a position or a recorded game in the terminal."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from nimmt_lab import GameState, Position
from nimmt_lab.engine.asked import view_of
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.notes_text import record_of
from nimmt_lab.engine.record_text import read_rules

from .words import language


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="POSITION|FILE")
    parser.add_argument("--game", default="classic")
    parser.add_argument("--rules", default="")
    parser.add_argument("--turn", type=int)


def run(args: argparse.Namespace) -> int:
    """Print the position, or the table of a record (`--turn`: before that line of play)."""
    if ";" not in args.what and "|" not in args.what and os.path.exists(args.what):
        record = record_of(Path(args.what))
        if args.turn is None:
            _print(record.final)
        elif 1 <= args.turn <= len(record.lines):
            _print(record.lines[args.turn - 1][1][0].before)
        else:
            raise NotationError("commands.no_line", turn=args.turn, most=len(record.lines))
        return 0
    if not set(args.what) & set(";| "):
        raise NotationError("commands.file_or_position", got=shown(args.what))
    position = Position.parse(args.what)
    rules = args.rules if "players" in args.rules else f"{args.rules} players={max(position.hands, default=1) + 1}"
    game = read_rules(args.game, rules, paths=True)
    if position.hands and game.hidden_hands and len(position.hands) < game.players:
        view = view_of(position, game=game)
        print(game.view_text(view, language()))
    else:
        _print(game.from_position(position))
    return 0


def _print(state: GameState) -> None:
    print(state.game.text(state, language()))
