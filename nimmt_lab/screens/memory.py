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
from typing import Final

from nimmt_lab.engine.errors import CannotWrite, Left, Locked, NotationError
from nimmt_lab.engine.files import Patience, locked, parse_json, read_text, write_file
from nimmt_lab.lessons.progress import AT_ONCE, LOCK, PATIENCE, check_epoch, epoch_of, set_aside

from .base import plain
from .merge import Page, merge_page

FILE = "nimmt-lab-pages.json"
FORMAT = "nimmt-pages/1"
#: What is longer is not written: it could not be read again.
LARGEST = 20_000_000
#: Why something cannot be kept: the folder cannot be written, another program holds its lock, a page is too large.
FOLDER: Final = "folder"
LOCKED: Final = "locked"
TOO_LARGE: Final = "too_large"
#: Or somebody else has sat down at this computer since: that doesn't pass.
PAST: Final = "past"


class Memory:
    """Plain JSON by name.

    >>> memory = Memory(None)
    >>> memory.put("place", {"screen": "play"})
    >>> memory.get("place"), memory.get("game")
    ({'screen': 'play'}, {})
    """

    def __init__(self, folder: Path | None, patience: Patience = PATIENCE, epoch: str | None = None) -> None:
        self.folder = folder
        #: The epoch this page belongs to, read before anything else: what is loaded after it may be of a later one.
        self._epoch = epoch if epoch is not None or folder is None else epoch_of(folder)
        self._patience = patience
        #: Changes that could not be written yet, by name: what this page started from, and what it wants to keep.
        self._waits: dict[str, tuple[Page, Page]] = {}
        #: Why something cannot be kept: `FOLDER`, `LOCKED`, `TOO_LARGE` or `PAST`; empty if everything is.
        self.why = ""
        #: Called when something cannot be kept; once, until it can be again.
        self.trouble: Callable[[], None] | None = None
        self._kept: dict[str, Page] = self._load() or {}
        #: What this page last read or kept under a name: the difference to it is this page's own change.
        self._known: dict[str, Page] = dict(self._kept)

    @property
    def keeps(self) -> bool:
        """Whether all that was to be kept is in the file (or there is none to keep it in)."""
        return not self._waits

    def get(self, name: str) -> Page:
        """What was kept under that name; nothing, if nothing was."""
        self._known[name] = self._kept.get(name, {})
        return dict(self._known[name])

    def put(self, name: str, what: Page) -> None:
        """Keep something; empty forgets it. What another page has changed meanwhile is merged with it."""
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
        """Try again to write what could not be written; what is too large waits until it changes."""
        if self.why in (FOLDER, LOCKED):
            self._flush()

    def _flush(self) -> None:
        assert self.folder is not None
        before = self.why
        # Whoever has waited once is not made to wait at every click.
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
        """Go on knowing what could not be written."""
        for name, (_, what) in self._waits.items():
            _change(self._kept, name, what)

    def _write(self) -> str:
        """Write everything that waits; why something still does."""
        assert self.folder is not None
        there = self._load()
        if there is None:
            self._remember()
            return FOLDER
        own = {name: merge_page(name, *waiting, there.get(name, {})) for name, waiting in self._waits.items()}
        sizes = {name: len(json.dumps(page)) for name, page in own.items()}
        # One page that has grown too large must not stop the others: it stays as it was in the file.
        large = [name for name, size in sizes.items() if size >= LARGEST]
        for name in sorted(sizes.keys() - large, key=lambda name: (-sizes[name], name)):
            text = _text({**there, **own, **{one: there.get(one, {}) for one in large}})
            if len(text) < LARGEST:
                break
            large.append(name)
        text = _text({**there, **own, **{one: there.get(one, {}) for one in large}})
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
        """What is in the file. One that cannot be read is set aside, not overwritten, and a new one begun; None if it
        can neither be read nor set aside."""
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
            found = {name: page for name, page in pages.items() if isinstance(page, dict)}
            if len(found) < len(pages):
                raise NotationError("screens.expected_pages", source=FILE)
            return found
        except (NotationError, RecursionError):
            return {} if set_aside(path) else None


def _change(pages: dict[str, Page], name: str, page: Page) -> None:
    if page:
        pages[name] = page
    else:
        pages.pop(name, None)


def _text(pages: dict[str, Page]) -> str:
    """The file's text, in ASCII: half a letter is kept, too."""
    return json.dumps({"format": FORMAT, "pages": {name: page for name, page in pages.items() if page}}) + "\n"
