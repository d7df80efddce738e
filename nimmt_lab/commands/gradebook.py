"""`nimmt-lab gradebook DIR`: one table of what a class handed in.

The files are a convenience, not proof: a pupil who programs can write any file. The table shows tries, seeds, fresh
starts and files that are alike, so that a teacher can ask.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import name_of, write_file

from .words import language, say

if TYPE_CHECKING:
    from nimmt_lab.lessons.classbook import Gradebook


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    from nimmt_lab.lessons.words import LANGUAGES

    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--roster", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--seed", type=int)


def run(args: argparse.Namespace) -> int:
    """The table; 1 if a file could not be used (its line says why)."""
    from nimmt_lab.lessons.classbook import SUMMARY, gradebook
    from nimmt_lab.lessons.roster import read_roster

    if not os.path.isdir(args.folder):  # False also for names that are none here
        raise RulesError("commands.not_folder", folder=name_of(args.folder))
    for option, path in (("--out", args.out), ("--summary", args.summary)):
        if path is not None and path.suffix not in (".csv", ".parquet"):
            raise RulesError("commands.must_end", option=option, got=name_of(path))
    roster = None if args.roster is None else read_roster(args.roster)
    book = gradebook(args.folder, seed=args.seed, roster=roster, lang=args.lang)
    if args.out is None:
        print(book.to_csv(), end="")
    else:
        _write(args.out, book)
        print(say("out.lines", count=len(book.lines), file=args.out))
    if args.summary is not None:
        _write(args.summary, replace(book, columns=SUMMARY, lines=book.summary))
        print(say("out.questions", count=len(book.summary), file=args.summary))
    if book.missing:
        print(say("out.missing", count=book.missing), file=sys.stderr)
    if book.unusable:
        print(say("out.not_counted", count=book.unusable), file=sys.stderr)
    if book.passed_over:
        print("\n".join(_passed_over(book.passed_over)), file=sys.stderr)
    return 1 if book.unusable else 0


#: Files of another kind are named up to here: a folder of photographs must not push everything else off the screen.
MOST_NAMED = 20


def _passed_over(names: tuple[str, ...]) -> list[str]:
    """Files of another kind, one a line."""
    lines = [say("out.passed_over"), *(f"  {name}" for name in names[:MOST_NAMED])]
    return lines if len(names) <= MOST_NAMED else [*lines, f"  {say('out.and_more', count=len(names) - MOST_NAMED)}"]


def _write(path: Path, book: Gradebook) -> None:
    from nimmt_lab.lessons.classbook import TEXTS

    if path.suffix == ".csv":
        write_file(path, book.to_csv())
        return
    try:
        import polars
    except ImportError:
        raise RulesError("commands.parquet") from None
    kinds = {name: polars.String if name in TEXTS else polars.Int64 for name in book.columns}
    table = io.BytesIO()
    polars.DataFrame(list(book.lines), schema=kinds, orient="row").write_parquet(table)
    write_file(path, table.getvalue())
