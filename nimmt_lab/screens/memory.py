"""What a page remembers between two visits: a small file in the user's folder, beside the learner's progress.

Closing a tab may end its Python. Where somebody was, the game that runs, the choices made last: they are kept under a
name each, as plain JSON. Without a folder nothing is kept longer than the page. Where nothing can be written (a full
disk, a folder of somebody else's), the page goes on knowing it and tries again the next time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from nimmt_lab.engine.errors import CannotWrite, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import locked, parse_json, read_text, write_file
from nimmt_lab.lessons.progress import LOCK, set_aside

from .base import plain

FILE = "nimmt-lab-pages.json"
FORMAT = "nimmt-pages/1"
#: What is longer is not written: it could not be read again.
LARGEST = 20_000_000


class Memory:
    """Plain JSON by name.

    >>> memory = Memory(None)
    >>> memory.put("place", {"screen": "play"})
    >>> memory.get("place"), memory.get("game")
    ({'screen': 'play'}, {})
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        #: What could not be written yet, by name.
        self._waits: dict[str, dict[str, Json]] = {}
        #: Called when something cannot be kept; once, until it can be again.
        self.trouble: Callable[[], None] | None = None
        self._kept: dict[str, dict[str, Json]] = self._load() or {}

    @property
    def keeps(self) -> bool:
        """Whether all that was to be kept is in the file (or there is none to keep it in)."""
        return not self._waits

    def get(self, name: str) -> dict[str, Json]:
        """What was kept under that name; nothing, if nothing was."""
        return dict(self._kept.get(name, {}))

    def put(self, name: str, what: dict[str, Json]) -> None:
        """Keep something; empty forgets it."""
        if self._kept.get(name, {}) == what:
            return
        if self.folder is None:
            self._change({name: what})
            return
        kept = self.keeps
        self._waits[name] = what
        # Another page of the same folder may have kept something meanwhile: that stays.
        with locked(self.folder, LOCK):
            there = self._load()
            if there is not None:
                self._kept = there
            self._change(self._waits)
            if there is not None and self._write():
                self._waits = {}
        if kept and not self.keeps and self.trouble is not None:
            self.trouble()

    def _change(self, changes: dict[str, dict[str, Json]]) -> None:
        for name, what in changes.items():
            if what:
                self._kept[name] = what
            else:
                self._kept.pop(name, None)

    def _write(self) -> bool:
        assert self.folder is not None
        text = json.dumps({"format": FORMAT, "pages": self._kept})  # in ASCII: half a letter is kept, too
        if len(text) >= LARGEST:
            return False
        try:
            write_file(self.folder / FILE, text + "\n")
        except CannotWrite:
            return False
        return True

    def _load(self) -> dict[str, dict[str, Json]] | None:
        """What is in the file. One that cannot be read is set aside, not overwritten, and a new one begun; None if it
        can neither be read nor set aside."""
        path = None if self.folder is None else self.folder / FILE
        if path is None or not os.path.lexists(path):
            return {}
        try:
            data = parse_json(read_text(path, largest=LARGEST), source=FILE)
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise NotationError("another format", source=FILE)
            pages = plain(data.get("pages"))
            if not isinstance(pages, dict):
                raise NotationError("expected pages", source=FILE)
            found = {name: page for name, page in pages.items() if isinstance(page, dict)}
            if len(found) < len(pages):
                raise NotationError("expected pages", source=FILE)
            return found
        except (NotationError, RecursionError):
            return {} if set_aside(path) else None
