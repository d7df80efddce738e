"""Links to the tutorials and studies in JupyterLab."""

from __future__ import annotations

import json
from typing import ClassVar

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import parse_json, read_text
from nimmt_lab.lessons.notebooks import HOME_PAGE

from .base import Screen
from .desk import Desk
from .words import labels

__all__ = ["NotebooksScreen"]


class NotebooksScreen(Screen):
    """Every notebook of the user's folder with its heading."""

    module: ClassVar[str] = "screens/notebooks"

    def __init__(self, desk: Desk) -> None:
        super().__init__(labels={**labels(desk.lang, "notebooks")}, books=_books(desk), lang=desk.lang)


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
        books.append({"path": inside.as_posix(), "title": _title(path.as_posix()) or inside.as_posix()})
        if len(books) == 200:
            break
    return books


def _title(path: str) -> str:
    try:
        book = parse_json(read_text(path))
        first = book["cells"][0]["source"]  # type: ignore[index]
        text = first if isinstance(first, str) else "".join(first)
    except (NotationError, KeyError, IndexError, TypeError, json.JSONDecodeError):
        return ""
    return text.strip().splitlines()[0].lstrip("# ").strip() if text.strip().startswith("#") else ""
