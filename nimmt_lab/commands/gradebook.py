"""`nimmt-lab gradebook DIR`: one table of what a class handed in."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterator
from pathlib import Path

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import write_file


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder with the pupils' files (and folders)")
    parser.add_argument("--out", type=Path, help="write the table here, .csv or .parquet (default: print it as CSV)")


def run(args: argparse.Namespace) -> int:
    """The table, then a line for every file that could not be used; 1 if there was one."""
    from nimmt_lab.lessons.results import COLUMNS, gradebook

    if not args.folder.is_dir():
        raise RulesError(f"{args.folder} is not a folder")
    if args.out is not None and args.out.suffix not in (".csv", ".parquet"):
        raise RulesError(f"--out must end in .csv or .parquet, got {args.out}")
    book = gradebook(_files(args.folder), args.folder)
    if args.out is None:
        print(_csv(COLUMNS, book.lines), end="")
    else:
        _write(args.out, COLUMNS, book.lines)
        print(f"{len(book.lines)} lines in {args.out}")
    for problem in book.problems:
        print(f"not counted: {problem}")
    return 1 if book.problems else 0


def _files(folder: Path) -> Iterator[Path]:
    """Everything named .json; the learner's own progress file and editors' copies are not answers."""
    for path in folder.rglob("*.json"):
        if path.name != "nimmt-lab.json" and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


def _csv(columns: tuple[str, ...], lines: tuple[tuple[str | int, ...], ...]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for line in lines:
        # A name that begins like a formula must not become one in a spreadsheet.
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t" else cell for cell in line])
    return text.getvalue()


def _write(path: Path, columns: tuple[str, ...], lines: tuple[tuple[str | int, ...], ...]) -> None:
    try:
        if path.suffix == ".csv":
            write_file(path, _csv(columns, lines))
            return
        try:
            import polars
        except ImportError:
            raise RulesError("Parquet needs polars: pip install 'nimmt_lab[lab]', or use .csv") from None
        kinds = {name: polars.String if name in ("name", "lesson", "file") else polars.Int64 for name in columns}
        polars.DataFrame(lines, schema=kinds, orient="row").write_parquet(path)
    except OSError as error:
        raise RulesError(f"{path}: cannot be written: {error.strerror or error}") from None
