"""`nimmt-lab worksheet`: sheets for a class, each with its own numbers, and the key: to print, or for Moodle."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.lessons.sets import FORMATS
    from nimmt_lab.lessons.words import LANGUAGES

    parser.add_argument("--lesson", type=int, required=True, help="the number of the probability lesson, from 1")
    parser.add_argument("--pupils", type=int, default=1, help="how many sheets (default: 1)")
    parser.add_argument("--roster", type=Path, metavar="FILE", help="a sheet for each pupil of this roster")
    parser.add_argument("--seed", type=int, default=0, help="other numbers for another class (default: 0)")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--format", choices=FORMATS, default="html", help="pages, PDF or Moodle XML (default: html)")
    parser.add_argument("--deck", action="store_true", help="also a deck of cards to print and cut")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language (default: en)")
    parser.add_argument("--force", action="store_true", help="replace the sheets and the key in a folder that is there")


def run(args: argparse.Namespace) -> int:
    """Write the folder: all of it or nothing."""
    from nimmt_lab.lessons.roster import read_roster
    from nimmt_lab.lessons.sets import files_of
    from nimmt_lab.lessons.worksheet import class_set, write_folder

    of = class_set(args.pupils, args.seed) if args.roster is None else read_roster(args.roster).sheets
    made = files_of(args.lesson, of, args.lang, form=args.format, deck=args.deck)
    gone = write_folder(made, args.out, force=args.force)
    others = [name for name in made if "-sheet-" not in name]
    print(f"{len(of)} sheets in {args.out}: {', '.join(others)}")
    if gone:
        print(f"{len(gone)} sheets of an earlier set are gone: they would not match the key")
    return 0
