"""`nimmt-lab worksheet`: sheets for a class, each with its own numbers, and the key: to print, or for Moodle."""

from __future__ import annotations

import argparse
from pathlib import Path

from .words import language, say


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.lessons.sets import FORMATS
    from nimmt_lab.lessons.words import LANGUAGES

    parser.add_argument("--lesson", type=int, required=True)
    parser.add_argument("--pupils", type=int, default=1)
    parser.add_argument("--roster", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--format", choices=FORMATS, default="html")
    parser.add_argument("--deck", action="store_true")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--force", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Write the folder: all of it or nothing."""
    from nimmt_lab.lessons.roster import read_roster
    from nimmt_lab.lessons.sets import files_of
    from nimmt_lab.lessons.worksheet import class_set, write_folder

    of = class_set(args.pupils, args.seed) if args.roster is None else read_roster(args.roster).sheets
    made = files_of(args.lesson, of, args.lang, form=args.format, deck=args.deck)
    gone = write_folder(made, args.out, force=args.force)
    others = [name for name in made if "-sheet-" not in name]
    print(say("out.sheets", pupils=len(of), folder=args.out, files=", ".join(others)))
    if gone:
        print(say("out.sheets_gone", count=len(gone)))
    return 0
