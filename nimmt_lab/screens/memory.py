"""What pages save between two visits: JSON by name, in a file beside the learner's progress.

Closing a tab may end its Python. Without a folder nothing outlives the page. Changes that cannot be written (full disk,
read-only folder) stay in memory and are tried again with the next change.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import CannotWrite, Left, Locked, NotationError
from nimmt_lab.engine.files import Patience, locked, parse_json, read_text, write_file
from nimmt_lab.lessons.progress import AT_ONCE, LOCK, PATIENCE, check_epoch, epoch_of, set_aside

from .base import plain
from .merge import Page, merge_page

FILE = "nimmt-lab-pages.json"
FORMAT = "nimmt-pages/1"
#: A longer file could not be read again.
LARGEST = 20_000_000
#: Why something is not saved: the folder is not writable, it is locked, a page is too large,
#: or somebody else has sat down at this computer since.
FOLDER: Final = "folder"
LOCKED: Final = "locked"
TOO_LARGE: Final = "too_large"
PAST: Final = "past"
#: Pages and screens by the names they had in earlier versions.
EARLIER_NAMES: Final = {
    "chances": "odds",
    "chances table": "odds table",
    "material": "box",
    "analyse take_down": "analyse record_game",
    "take_down": "record_game",
}


def name_now(name: str) -> str:
    """The name that a page or screen has today.

    >>> name_now("chances"), name_now("material baron"), name_now("play")
    ('odds', 'box baron', 'play')
    """
    if name.startswith("material "):
        return name.replace("material", "box", 1)
    return EARLIER_NAMES.get(name, name)


class Memory:
    """Plain JSON by name.

    >>> memory = Memory(None)
    >>> memory.put("place", {"screen": "play"})
    >>> memory.get("place"), memory.get("game")
    ({'screen': 'play'}, {})
    """

    def __init__(self, folder: Path | None, patience: Patience = PATIENCE, epoch: str | None = None) -> None:
        self.folder = folder
        #: The epoch of this page, read before anything else.
        self._epoch = epoch if epoch is not None or folder is None else epoch_of(folder)
        self._patience = patience
        #: Unsaved changes by name: the version this page started from, and its own.
        self._waits: dict[str, tuple[Page, Page]] = {}
        #: `FOLDER`, `LOCKED`, `TOO_LARGE` or `PAST`; empty if everything is saved.
        self.why = ""
        #: Called once when something cannot be saved.
        self.trouble: Callable[[], None] | None = None
        self._kept: dict[str, Page] = self._load() or {}
        #: The version last read or saved; the difference to it is this page's own change.
        self._known: dict[str, Page] = dict(self._kept)

    @property
    def keeps(self) -> bool:
        return not self._waits

    def get(self, name: str) -> Page:
        """The saved page of a name; empty if there is none."""
        self._known[name] = self._kept.get(name, {})
        return dict(self._known[name])

    def put(self, name: str, what: Page) -> None:
        """Save a page, merged with the changes of other pages; an empty one is forgotten."""
        base = self._known.get(name, {})
        self._known[name] = what
        if what == base:
            return
        if self.folder is None:
            _change(self._kept, name, what)
            return
        first, _ = self._waits.get(name, (base, base))
        self._waits[name] = (first, what)
        self._flush()

    def retry(self) -> None:
        """Try again to save pages that could not be written."""
        if self.why in (FOLDER, LOCKED):
            self._flush()

    def _flush(self) -> None:
        assert self.folder is not None
        before = self.why
        # Wait for a lock once, not at every click.
        patience = AT_ONCE if before == LOCKED else self._patience
        try:
            with locked(self.folder, LOCK, patience):
                check_epoch(self.folder, self._epoch or "")
                self.why = self._write()
        except Locked:
            self._remember()
            self.why = LOCKED
        except Left:
            self._remember()
            self.why = PAST
        if self.why and self.why != before and self.trouble is not None:
            self.trouble()

    def _remember(self) -> None:
        for name, (_, what) in self._waits.items():
            _change(self._kept, name, what)

    def _write(self) -> str:
        """Write all unsaved changes; returns the reason if some remain."""
        assert self.folder is not None
        there = self._load()
        if there is None:
            self._remember()
            return FOLDER
        own = {name: merge_page(name, *waiting, there.get(name, {})) for name, waiting in self._waits.items()}
        sizes = {name: len(json.dumps(page)) for name, page in own.items()}
        # A page that has grown too large stays as it was in the file, and does not stop the others.
        large = [name for name, size in sizes.items() if size >= LARGEST]
        rest = sorted(sizes.keys() - large, key=lambda name: (-sizes[name], name))
        while len(text := _text({**there, **own, **{name: there.get(name, {}) for name in large}})) >= LARGEST and rest:
            large.append(rest.pop(0))
        self._kept = {name: page for name, page in {**there, **own}.items() if page}
        if len(text) >= LARGEST:
            return TOO_LARGE
        try:
            write_file(self.folder / FILE, text, follow=False)
        except CannotWrite:
            return FOLDER
        self._waits = {name: self._waits[name] for name in large}
        return TOO_LARGE if large else ""

    def _load(self) -> dict[str, Page] | None:
        """The pages of the file. An unreadable file is set aside, not overwritten; None if that fails too."""
        path = None if self.folder is None else self.folder / FILE
        if path is None or not os.path.lexists(path):
            return {}
        try:
            data = parse_json(read_text(path, largest=LARGEST), source=FILE)
            if not isinstance(data, dict) or data.get("format") != FORMAT:
                raise NotationError("shared.another_format", source=FILE)
            pages = plain(data.get("pages"))
            if not isinstance(pages, dict):
                raise NotationError("screens.expected_pages", source=FILE)
            known = {name: page for name, page in pages.items() if isinstance(page, dict)}
            if len(known) < len(pages):
                raise NotationError("screens.expected_pages", source=FILE)
            return {name_now(name): page for name, page in known.items()} | {
                name: page for name, page in known.items() if name_now(name) == name
            }
        except (NotationError, RecursionError):
            return {} if set_aside(path) else None


def _change(pages: dict[str, Page], name: str, page: Page) -> None:
    if page:
        pages[name] = page
    else:
        pages.pop(name, None)


def _text(pages: dict[str, Page]) -> str:
    """The text of the file, in ASCII, which keeps lone surrogates."""
    return json.dumps({"format": FORMAT, "pages": {name: page for name, page in pages.items() if page}}) + "\n"
