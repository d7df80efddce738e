"""`nimmt-lab class-list NAMES`: give each pupil of a list a seed and a code."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .words import say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", type=Path, metavar="NAMES")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)


def run(args: argparse.Namespace) -> int:
    """Write the class list; pupils who are already in the file keep their sheets."""
    from nimmt_lab.engine.files import write_file
    from nimmt_lab.lessons.class_list import make_class_list, read_class_list, read_names

    before = read_class_list(args.out) if os.path.lexists(args.out) else None
    made = make_class_list(read_names(args.names), args.seed, before)
    write_file(args.out, made.to_csv())
    print(say("out.pupils", count=len(made.pupils), file=args.out))
    return 0
