"""What the parts of the hub share: the session, the journal, the open pages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.rules import Lesson
from nimmt_lab.screens.base import Screen

from . import limits
from .journal import Journal
from .lesson import Follow, Taught
from .session import Session
from .wall import WallScreen
from .worker import Output, Runner, Worker

#: The folder of finished games, and their results as a table.
GAMES: Final = "games"
RESULTS: Final = "games.csv"
LONGEST_TIMER: Final = 3600
#: Messages of one page that wait to be handled; more are a flood.
MOST_WAITING: Final = 100
#: Ticks between two attempts to survive a power failure, and to save games that could not be saved.
SYNC_EVERY: Final = 8


class Socket(Protocol):
    """A connection to a page."""

    number: int
    address: str
    #: Whether it comes from this machine.
    local: bool

    def say(self, text: str) -> None: ...
    def close(self) -> None: ...


class Online:
    """A page that somebody has open, or had open, with its sockets."""

    def __init__(self, page: Screen, worker: Worker, output: Output) -> None:
        self.page, self.worker, self.output = page, worker, output
        self.sockets: dict[int, Socket] = {}
        #: Sockets that have the whole page: changes mean nothing to the others.
        self._greeted: set[int] = set()

    def say(self) -> None:
        """Send what the page has said."""
        for target, said in self.output.drain():
            text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
            if target is None:
                for number in self._greeted & self.sockets.keys():
                    self.sockets[number].say(text)
            elif target in self.sockets:
                self._greeted.add(target)
                self.sockets[target].say(text)


def mark_of(token: str) -> str:
    """The fingerprint of a token: the journal contains no tokens of pupils."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class Core:
    """`wall` makes the teacher's screen; `folder` gets finished games."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        folder: Path,
        runner: Runner,
        wall: Callable[[], WallScreen],
        now: float = 0.0,
        lesson: Lesson | None = None,
    ) -> None:
        self.session, self.journal, self.folder, self._runner = session, journal, folder, runner
        self._make_wall = wall
        #: The lesson of a file, or the name of one of the package.
        self.lesson: Taught = session.lesson if lesson is None else lesson
        self.now = now
        self._door, self.knocks = limits.Door(), limits.Knocks()
        #: Sockets that have not said who they are, with the time they came; and the pupils of the others (0: the wall).
        self._strangers: dict[int, float] = {}
        self._who: dict[int, int] = {}
        self._buckets: dict[int, limits.Bucket] = {}
        self._sockets: dict[int, Socket] = {}
        self._pages: dict[int, Online] = {}
        self._dirty = True
        self._until: float | None = None
        self._thinking: set[tuple[int, int, int, Seat]] = set()
        self._saving: set[int] = set()
        self._unsaved = False
        self._ticks = 0

    def _write(self, entry: Obj) -> None:
        """Journal an entry, then make its change."""
        self.journal.append(entry)
        self.session.apply(entry)
        self._dirty = True

    def _follow(self) -> Follow:
        return Follow(self.session.pace, self.session.at, frozenset(self.session.revealed))

    def _forget(self, who: int) -> None:
        online = self._pages.pop(who, None)
        if online is not None:
            online.worker.stop()
            for number, socket in list(online.sockets.items()):
                self._who.pop(number, None)
                socket.close()

    def _show_out(self, who: int) -> None:
        """The name is free again: pages that had it go back to the door."""
        online = self._pages.get(who)
        if online is not None:
            for socket in online.sockets.values():
                tell(socket, {"type": "out"})
        self._forget(who)


def hear(online: Online, number: int, message: Mapping[str, Json]) -> None:
    """Handle a message in the page's thread."""
    output, page = online.output, online.page
    if message.get("type") == "hello":
        whole: Obj = {} if message.get("version") == output.version else {"screen": page.whole()}
        output.answer(number, {"type": "here", **whole})
        return
    before = output.version
    page.handle(dict(message))
    if output.version == before:
        output.answer(number, {"type": "heard"})


def tell(socket: Socket, said: Obj) -> None:
    socket.say(json.dumps(said, ensure_ascii=False))
