"""Tables that a spreadsheet opens, and cells that it takes for nothing else than text."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable

Cell = str | int | None


def harmless(cell: Cell) -> Cell:
    """A cell that no spreadsheet takes for a formula, whichever width its first sign is typed in.

    >>> harmless("=1+2"), harmless("＝1+2"), harmless(" @x"), harmless("Ann"), harmless(-3)
    ("'=1+2", "'＝1+2", "' @x", 'Ann', -3)
    """
    if not isinstance(cell, str) or not cell:
        return cell
    # Compatibility forms (full-width, small) become the plain sign; white space in front hides nothing.
    first = unicodedata.normalize("NFKC", cell).lstrip()[:1]
    return f"'{cell}" if first in ("=", "+", "-", "@", "−", "|", "%") or not cell[0].isprintable() else cell


def to_csv(columns: Iterable[str], lines: Iterable[Iterable[Cell]]) -> str:
    """A table as CSV.

    >>> to_csv(("name", "right"), [("Ann", 3), ("=1+2", None)])
    "name,right\\nAnn,3\\n'=1+2,\\n"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for line in lines:
        writer.writerow([harmless(cell) for cell in line])
    return text.getvalue()
