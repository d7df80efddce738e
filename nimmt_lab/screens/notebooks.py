"""Links to the tutorials and studies in JupyterLab."""

from __future__ import annotations

import json
import re
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import parse_json, read_text
from nimmt_lab.lessons.notebooks import HOME_PAGE

from .base import Screen
from .desk import Desk
from .words import labels

__all__ = ["NotebooksScreen"]

#: Markdown around words that a plain line does without: emphasis, code, links.
_MARKS = re.compile(r"[*_`]+|\[([^\]]*)\]\([^)]*\)")
LONGEST_LINE = 140


class NotebooksScreen(Screen):
    """Every notebook of the user's folder with its heading."""

    module: ClassVar[str] = "screens/notebooks"

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        super().__init__(labels={**labels(desk.lang, "notebooks")}, books=_books(desk), lang=desk.lang)

    def receive(self, message: Obj) -> None:
        """`learn` leads to the lessons."""
        if message.get("type") == "learn" and self.desk.open is not None:
            self.desk.open("learn", None, None)
        else:
            super().receive(message)


def _books(desk: Desk) -> list[Json]:
    books: list[Json] = []
    if desk.folder is None:
        return books
    for path in sorted(desk.folder.rglob("*.ipynb")):
        inside = path.relative_to(desk.folder)
        if any(part.startswith(".") for part in inside.parts) or not path.is_file():
            continue
        if inside.as_posix() == HOME_PAGE:
            continue  # the page itself
        if inside.as_posix() != inside.as_posix().encode("utf-8", "replace").decode():
            continue  # no address can name it
        title, line = _about(path.as_posix())
        group = inside.parent.as_posix() if inside.parent.parts else ""
        books.append({"path": inside.as_posix(), "title": title or inside.name, "line": line, "group": group})
        if len(books) == 200:
            break
    return books


def _about(path: str) -> tuple[str, str]:
    """The heading of a notebook, and its first sentence."""
    try:
        book = parse_json(read_text(path))
        cells = [cell["source"] for cell in book["cells"][:3] if cell.get("cell_type", "markdown") == "markdown"]  # type: ignore
        text = "\n".join(cell if isinstance(cell, str) else "".join(cell) for cell in cells)
    except (NotationError, KeyError, IndexError, TypeError, AttributeError, json.JSONDecodeError):
        return "", ""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    title = lines[0].lstrip("# ").strip() if lines and lines[0].startswith("#") else ""
    plain = next((line for line in lines[bool(title) :] if line[0].isalpha()), "")
    sentence = re.split(r"(?<=[.!?]) ", _MARKS.sub(r"\1", plain))[0]
    return title, sentence if len(sentence) <= LONGEST_LINE else f"{sentence[: LONGEST_LINE - 1]}…"
