"""`nimmt-lab gradebook DIR`: collect a class's answer files in one table.

The files prove nothing: a pupil who can program can write any file. The table shows tries, seeds, restarts and
identical files, so that a teacher knows what to ask about.
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

from .words import LANGUAGES, language, say

if TYPE_CHECKING:
    from nimmt_lab.lessons.classbook import Gradebook

#: Skipped files that are named: a folder of photographs must not push everything else off the screen.
MOST_NAMED = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--summary", type=Path)
    parser.add_argument("--class-list", "--roster", type=Path, metavar="FILE")
    parser.add_argument("--lesson", default="")
    parser.add_argument("--lang", choices=LANGUAGES, default=language())
    parser.add_argument("--seed", type=int)
    parser.add_argument("--lessons", type=Path, metavar="DIR")


def run(args: argparse.Namespace) -> int:
    """Print or write the table; return 1 if a file could not be used (its line says why)."""
    from nimmt_lab.lessons.class_list import read_class_list
    from nimmt_lab.lessons.classbook import SUMMARY, gradebook
    from nimmt_lab.lessons.library import Library
    from nimmt_lab.lessons.progress import find_folder

    if not os.path.isdir(args.folder):  # unlike Path.is_dir, False for names that the system does not allow
        raise RulesError("commands.not_folder", folder=name_of(args.folder))
    for option, path in (("--out", args.out), ("--summary", args.summary)):
        if path is not None and path.suffix not in (".csv", ".parquet"):
            raise RulesError("commands.must_end", option=option, got=name_of(path))
    class_list = None if args.class_list is None else read_class_list(args.class_list)
    library = Library.of(args.lessons) if args.lessons is not None else Library(find_folder() or Path.cwd())
    book = gradebook(
        args.folder, seed=args.seed, class_list=class_list, lang=args.lang, library=library, lesson=args.lesson
    )
    if args.out is None:
        print(book.to_csv(), end="")
    else:
        _write(args.out, book)
        print(say("out.lines", count=len(book.lines), file=args.out))
    if args.summary is not None:
        _write(args.summary, replace(book, columns=SUMMARY, lines=book.summary))
        print(say("out.questions", count=len(book.summary), file=args.summary))
    for key, count in (("out.missing", book.missing), ("out.not_counted", book.unusable)):
        if count:
            print(say(key, count=count), file=sys.stderr)
    if names := book.passed_over:
        print(say("out.passed_over"), *(f"  {name}" for name in names[:MOST_NAMED]), sep="\n", file=sys.stderr)
        if len(names) > MOST_NAMED:
            print(f"  {say('out.and_more', count=len(names) - MOST_NAMED)}", file=sys.stderr)
    return 1 if book.unusable else 0


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
