"""`nimmt-lab worksheet`: make worksheets for a class, each with its own numbers, and the key, on paper or for
Moodle."""

from __future__ import annotations

import argparse
from pathlib import Path

from .words import LANGUAGES, language, say


def arguments(parser: argparse.ArgumentParser) -> None:
    from nimmt_lab.lessons.sets import FORMATS

    parser.add_argument("--lesson", required=True)
    parser.add_argument("--pupils", type=int, default=1)
    parser.add_argument("--class-list", "--roster", type=Path, metavar="FILE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--format", choices=FORMATS, default="html")
    parser.add_argument("--deck", action="store_true")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--force", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Write the folder, all of it or nothing."""
    from nimmt_lab.lessons.class_list import read_class_list
    from nimmt_lab.lessons.library import Library
    from nimmt_lab.lessons.progress import find_folder
    from nimmt_lab.lessons.sets import files_of
    from nimmt_lab.lessons.worksheet import class_set, write_folder

    of = class_set(args.pupils, args.seed) if args.class_list is None else read_class_list(args.class_list).sheets
    lesson = Library(find_folder() or Path.cwd()).find(args.lesson)
    made = files_of(lesson, of, args.lang, form=args.format, deck=args.deck)
    removed = write_folder(made, args.out, force=args.force)
    others = [name for name in made if "-sheet-" not in name]
    print(say("out.sheets", pupils=len(of), folder=args.out, files=", ".join(others)))
    if removed:
        print(say("out.sheets_gone", count=len(removed)))
    return 0
