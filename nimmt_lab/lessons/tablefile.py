"""CSV tables that are safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable

Cell = str | int | None


def harmless(cell: Cell) -> Cell:
    """Quote a cell that a spreadsheet would read as a formula, in any typographic form.

    >>> harmless("=1+2"), harmless("＝1+2"), harmless(" @x"), harmless("Ann"), harmless(-3)
    ("'=1+2", "'＝1+2", "' @x", 'Ann', -3)
    """
    if not isinstance(cell, str) or not cell:
        return cell
    # Normalise compatibility forms (full-width, small) and ignore leading white space.
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
