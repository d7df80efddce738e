"""Python's side of the page: Home at one end of a connection, and the files that the browser stores.

The page sends and receives text. A folder in the page's memory serves as the learner's folder; the page
learns which files change there, stores them in the browser and restores them on the next visit.

>>> import json, tempfile
>>> from pathlib import Path
>>> heard, kept = [], []
>>> with tempfile.TemporaryDirectory() as folder:
...     inside = Inside(Path(folder), heard.append, kept.append, lang="pl")
...     inside.hear(json.dumps({"type": "hello", "version": -1}))
...     inside.hear(json.dumps({"path": [], "message": {"type": "go", "to": "play"}}))
>>> json.loads(heard[0])["screen"]["data"]["lang"], sorted(set(kept))
('pl', ['nimmt-lab-pages.json', 'nimmt-lab.json'])
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import parse_json
from nimmt_lab.lessons.progress import FILE, LOCK
from nimmt_lab.screens.base import Driver, Screen, Work, at_once
from nimmt_lab.screens.connection import Connection, in_slices
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.pupil import PupilScreen

#: The learner's folder in the page's memory.
FOLDER: Final = "/home/nimmt-lab"
#: Screens that a page cannot offer.
WITHOUT: Final = frozenset({"notebooks"})
#: Screens hidden from the pupils of a class, because answer keys are made there.
TEACHERS: Final = frozenset({"teach"})


@dataclass(frozen=True)
class Begin:
    """How a page opens: with a certain lesson, or by asking for one of a class's codes."""

    lesson: str = ""
    codes: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Json]) -> Begin:
        """Read the page's settings.

        >>> Begin.of({"lesson": "p2", "codes": ["PFKS"]})
        Begin(lesson='p2', codes=('PFKS',))
        """
        codes = data.get("codes")
        return cls(str(data.get("lesson") or ""), tuple(map(str, codes)) if isinstance(codes, list) else ())


def first_screen(desk: Desk, begin: Begin) -> Screen:
    """The screen that a visitor sees first."""

    def home() -> Screen:
        if begin.lesson and not desk.memory.get("home"):  # on later visits Home resumes where it was left
            desk.memory.put("learn", {"lesson": begin.lesson})
        return HomeScreen(desk, without=WITHOUT | TEACHERS if begin.codes else WITHOUT)

    return PupilScreen(desk, begin.codes, home) if begin.codes else home()


class Inside:
    """Home in a page. `say` receives JSON for the page, `keep` the path of each file that was written or removed."""

    def __init__(
        self,
        folder: Path,
        say: Callable[[str], object],
        keep: Callable[[str], object],
        *,
        lang: str | None = None,
        begin: Begin | None = None,
        driver: Driver = at_once,
    ) -> None:
        self.folder = folder
        self._say, self._keep, self._driver = say, keep, driver
        self._files = self._look()
        desk = Desk(folder)
        if lang is not None and FILE not in self._files:  # the learner has not chosen a language yet
            desk.switch(lang)
        self._wire = Connection(first_screen(desk, begin or Begin()), self._send, self._drive)
        self._kept()

    def hear(self, text: str) -> None:
        """Handle a message from the page; anything else is ignored."""
        try:
            said = parse_json(text)
        except NotationError:
            return
        if isinstance(said, dict):
            self._wire.receive(said)
            self._kept()

    def _send(self, said: Obj) -> None:
        self._say(json.dumps(said, ensure_ascii=False))

    def _drive(self, work: Work) -> None:
        """Run long work, reporting the files it writes as it goes."""

        def steps() -> Work:
            for _ in work:
                self._kept()
                yield
            self._kept()

        self._driver(steps())

    def _look(self) -> dict[str, tuple[int, int]]:
        files = {}
        for path in self.folder.rglob("*"):
            if path.is_file() and path.name != LOCK:
                about = path.stat()
                files[path.relative_to(self.folder).as_posix()] = (about.st_mtime_ns, about.st_size)
        return files

    def _kept(self) -> None:
        before, self._files = self._files, self._look()
        for name in sorted(before.keys() | self._files.keys()):
            if before.get(name) != self._files.get(name):
                self._keep(name)


def open_page(
    say: Callable[[str], object], keep: Callable[[str], object], lang: str | None, begin: str = "{}"
) -> Inside:
    """Open the page; called once by its worker. `begin` is JSON."""
    asked = parse_json(begin)
    loop = asyncio.get_event_loop()
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    how = Begin.of(asked) if isinstance(asked, dict) else Begin()
    return Inside(folder, say, keep, lang=lang, begin=how, driver=in_slices(lambda go: loop.call_later(0, go)))
