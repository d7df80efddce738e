"""`nimmt-lab worksheet`: printable sheets for a class, each with its own numbers, and the teacher's key."""

from __future__ import annotations

import argparse
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.lessons.words import LANGUAGES

    parser.add_argument("--lesson", type=int, required=True, help="the number of the probability lesson, from 1")
    parser.add_argument("--pupils", type=int, default=1, help="how many sheets (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="other numbers for another class (default: 0)")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language (default: en)")
    parser.add_argument("--force", action="store_true", help="replace the sheets and the key in a folder that is there")


def run(args: argparse.Namespace) -> int:
    """Write the folder: all of it or nothing."""
    from nimmt_lab.lessons.worksheet import sheets, write_folder

    pages = sheets(args.lesson, args.pupils, args.seed, args.lang)
    gone = write_folder(pages, args.out, force=args.force)
    print(f"{len(pages) - 1} sheets and lesson-{args.lesson}-key.html in {args.out}")
    if gone:
        print(f"{len(gone)} sheets of an earlier set are gone: they would not match the key")
    return 0
