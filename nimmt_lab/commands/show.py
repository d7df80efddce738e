"""`nimmt-lab show`: a position or a recorded game in the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt_lab import Position, Record
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record_text import read_rules


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("what", metavar="POSITION|FILE")
    parser.add_argument("--game", default="classic")
    parser.add_argument("--rules", default="")
    parser.add_argument("--turn", type=int)


def is_file(text: str) -> bool:
    """Whether there is such a file; text that cannot name one is none."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def run(args: argparse.Namespace) -> int:
    """Draw it as text."""
    if ";" not in args.what and "|" not in args.what and is_file(args.what):
        record = Record.load(args.what)
        if args.turn is None:
            print(record.final)
            return 0
        if not 1 <= args.turn <= len(record.lines):
            raise NotationError("commands.no_line", turn=args.turn, most=len(record.lines))
        print(record.lines[args.turn - 1][1][0].before)
        return 0
    if not set(args.what) & set(";| "):
        missing = f"there is no file {shown(args.what)}, and it is no position"
        raise NotationError("commands.rows_parted", missing=missing)
    position = Position.parse(args.what)
    rules = args.rules if "players" in args.rules else f"{args.rules} players={max(position.hands, default=1) + 1}"
    print(read_rules(args.game, rules, paths=True).from_position(position))
    return 0
