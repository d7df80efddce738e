"""A class without a network, threads or a clock: the hub with sockets that only collect what they get."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nimmt_lab.lessons.rules import Lesson
from nimmt_lab.live.hub import Hub
from nimmt_lab.live.journal import Journal, read
from nimmt_lab.live.session import Session
from nimmt_lab.live.start import JOURNAL, drawn_code
from nimmt_lab.live.wall import WallScreen
from nimmt_lab.live.worker import InOrder

CODE = "ABCDE"
WALL = "the wall's token"


class FakeSocket:
    """Collects every byte that would be sent."""

    count = 0

    def __init__(self, address: str = "10.0.0.1", *, local: bool = False) -> None:
        FakeSocket.count += 1
        self.number, self.address, self.local = FakeSocket.count, address, local
        self.texts: list[str] = []
        self._parsed: list[Any] = []
        self.is_closed = False

    def say(self, text: str) -> None:
        if not self.is_closed:
            self.texts.append(text)

    def close(self) -> None:
        self.is_closed = True

    @property
    def said(self) -> list[Any]:
        self._parsed += [json.loads(text) for text in self.texts[len(self._parsed) :]]
        return self._parsed


class Pupil:
    """One page, as a browser would have it: the screen, kept up to date by what comes."""

    def __init__(self, room: Room, socket: FakeSocket) -> None:
        self.room, self.socket = room, socket
        self.token = ""
        self.screen: dict[str, Any] = {}
        self._read = 0

    def send(self, *path: str, **message: Any) -> None:
        self.room.hub.receive(self.socket, json.dumps({"path": list(path), "message": message}), self.room.now)
        self.room.pump()

    def raw(self, text: str) -> None:
        self.room.hub.receive(self.socket, text, self.room.now)
        self.room.pump()

    def update(self) -> None:
        for said in self.socket.said[self._read :]:
            if said.get("type") == "joined":
                self.token = said["token"]
            elif said.get("type") == "here" and "screen" in said:
                self.screen = said["screen"]
            elif "path" in said:
                self._apply(said)
        self._read = len(self.socket.texts)

    def _apply(self, said: dict[str, Any]) -> None:
        at = self.screen
        for name in said["path"]:
            at = at["parts"].get(name)
            if at is None:
                return
        if "data" in said:
            at["data"].update(said["data"])
        if "part" in said:
            at["parts"].pop(said["part"], None)
            if said["screen"] is not None:
                at["parts"][said["part"]] = said["screen"]

    @property
    def data(self) -> dict[str, Any]:
        self.update()
        data: dict[str, Any] = self.screen["data"]
        return data

    def part(self, *names: str) -> dict[str, Any]:
        self.update()
        at = self.screen
        for name in names:
            at = at["parts"][name]
        return at

    @property
    def refused(self) -> list[str]:
        return [
            said["message"]["text"]
            for said in self.socket.said
            if said.get("message", {}).get("type") == "refused" and said["message"].get("text")
        ]


class Room:
    """A class in a folder. `again` is a new server on the same folder, as after kill -9."""

    def __init__(
        self, folder: Path, *, lesson: str = "p4", listed: dict[str, int] | None = None, now: float = 0.0,
        own: Lesson | None = None,
    ) -> None:  # fmt: skip
        folder.mkdir(exist_ok=True)
        self.own = own
        self.folder = folder
        self.now = now
        path = folder / JOURNAL
        self.journal = Journal(path)
        entries = read(path)
        if entries:
            self.session = Session.read(entries)
        else:
            self.session = Session.begin(lesson=lesson, lang="en", code=CODE, wall=WALL, seed=7, listed=listed)
            self.journal.append(self.session.first)
        self.runner = InOrder()
        self.hub = Hub(self.session, self.journal, folder, self.runner, self._wall, now, own)
        self.hub.begin()

    def _wall(self) -> WallScreen:
        address = "http://127.0.0.1:8765/"
        return WallScreen(
            lesson=self.own or self.session.lesson, seed=self.session.seed, lang="en", code=CODE, addresses=[address],
            qr=drawn_code(address), lan=False, folder="there", listed=len(self.session.listed),
        )  # fmt: skip

    def pump(self) -> None:
        self.runner.pump()

    def tick(self, seconds: float = 0.25) -> None:
        self.now += seconds
        self.hub.tick(self.now)
        self.pump()

    def socket(self, address: str = "10.0.0.1", *, local: bool = False) -> FakeSocket:
        socket = FakeSocket(address, local=local)
        self.hub.opened(socket, self.now)
        return socket

    def first(self, message: dict[str, Any], address: str = "10.0.0.1", *, local: bool = False) -> Pupil:
        page = Pupil(self, self.socket(address, local=local))
        page.raw(json.dumps(message))
        page.update()
        return page

    def join(self, name: str, lang: str = "en", address: str = "") -> Pupil:
        at = address or f"10.0.1.{len(self.session.members)}"
        page = self.first({"type": "join", "code": CODE, "name": name, "lang": lang}, at)
        assert page.token, page.socket.texts
        return page

    def back(self, token: str) -> Pupil:
        page = self.first({"type": "hello", "token": token, "version": -1})
        page.token = token
        return page

    def wall(self) -> Pupil:
        page = self.first({"type": "wall", "token": WALL}, "127.0.0.1", local=True)
        self.tick()
        return page

    def again(self) -> Room:
        """The server is killed: nothing is closed, nothing is written any more."""
        import os

        os.close(self.journal._file)  # as the system does for a killed process
        return Room(self.folder, now=self.now + 100_000, own=self.own)

    def until(self, is_so: Callable[[], bool], ticks: int = 4000) -> None:
        for _ in range(ticks):
            if is_so():
                return
            self.tick()
        raise AssertionError("it never came to that")
