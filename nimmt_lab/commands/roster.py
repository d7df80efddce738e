"""`nimmt-lab roster NAMES`: who has which sheet: a seed and a code for each pupil of a list."""

from __future__ import annotations

import argparse
from pathlib import Path

from .material import is_there
from .words import say


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("names", type=Path, metavar="NAMES")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)


def run(args: argparse.Namespace) -> int:
    """Write the roster."""
    from nimmt_lab.engine.files import write_file
    from nimmt_lab.lessons.roster import make_roster, read_names, read_roster

    before = read_roster(args.out) if is_there(args.out) else None
    made = make_roster(read_names(args.names), args.seed, before)
    write_file(args.out, made.to_csv())
    print(say("out.pupils", count=len(made.pupils), file=args.out))
    return 0
