"""What a screen is: plain data with a name each, messages in, changes out, and smaller screens inside it.

A screen never waits. What takes long is a generator (`work`) that yields often; whoever carries the screen lets it go
on between two messages, so that a click to stop it is heard.

>>> class Bell(Screen):
...     module = "bell"
...     def receive(self, message):
...         self.show(rung=int(self.data["rung"]) + 1)
>>> bell = Bell(rung=0)
>>> heard = []
>>> bell.listen(heard.append)
>>> bell.handle({"path": [], "message": {"type": "ring"}})
>>> heard
[{'path': [], 'data': {'rung': 1}}]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite
from typing import ClassVar, TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.errors import translate

#: What a screen says goes here: changed data, a message, or a part that was put in or taken out.
Emit: TypeAlias = Callable[[Obj], None]
#: Long work, a little at a time.
Work: TypeAlias = Iterator[None]
#: Lets work go on until it is done; it may do so later.
Driver: TypeAlias = Callable[[Work], None]


def at_once(work: Work) -> None:
    """Do all of it now."""
    for _ in work:
        pass


def plain(value: Json) -> Json:
    """What a browser said, without what cannot be said back to it: halves of letters, and numbers that are none.

    >>> plain({"name": "A" + chr(0xD83D), "at": [float("nan")]})
    {'name': 'A?', 'at': [None]}
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(plain(name)): plain(one) for name, one in value.items()}
    return value


class Screen:
    """A part of the page. `data` is what its module draws, by name; `parts` are screens inside it, by name."""

    #: The ES module that draws it, a path below `js/`.
    module: ClassVar[str] = ""
    #: What of its data a browser may set by itself, and not only show.
    settable: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **data: Json) -> None:
        self.data: Obj = dict(data)
        self.parts: dict[str, Screen] = {}
        self._emit: Emit | None = None
        self._driver: Driver = at_once
        self._works = 0
        self._parent: Screen | None = None
        self._name = ""

    # Saying something ------------------------------------------------------------------------------------

    def listen(self, emit: Emit, driver: Driver | None = None) -> None:
        """Tell everything that changes from now on; `driver` lets long work go on."""
        self._emit = emit
        if driver is not None:
            self._driver = driver

    def show(self, **data: Json) -> None:
        """Change some of the data."""
        self.data |= data
        self._say({"path": [], "data": data})

    def tell(self, message: Obj) -> None:
        """A message to the module: something that happens once."""
        self._say({"path": [], "message": message})

    def put(self, name: str, part: Screen | None, /, **data: Json) -> None:
        """Put a screen inside this one, or (None) take it out.

        `data` changes with it, in one message: a page never shows the words of one step above the board of another,
        where an answer typed in between would be lost.
        """
        if (old := self.parts.pop(name, None)) is not None:
            old.stop()
        if part is not None:
            part._parent, part._name = self, name
            self.parts[name] = part
        self.data |= data
        said: Obj = {"path": [], "part": name, "screen": None if part is None else part.whole()}
        self._say({**said, "data": data} if data else said)

    def _say(self, said: Obj) -> None:
        if self._emit is not None:
            self._emit(said)
        elif self._parent is not None and self._parent.parts.get(self._name) is self:
            path = said["path"]
            assert isinstance(path, list)
            self._parent._say({**said, "path": [self._name, *path]})

    def whole(self) -> Obj:
        """Everything there is to draw, parts included."""
        return {
            "module": self.module,
            "data": dict(self.data),
            "parts": {name: part.whole() for name, part in self.parts.items()},
        }

    @property
    def language(self) -> str:
        """What is spoken here: the screen's own language, or that of the screen around it."""
        own = getattr(self, "say", None)
        said = own.lang if isinstance(own, Words) else self.data.get("lang")
        if isinstance(said, str):
            return said
        return "en" if self._parent is None else self._parent.language

    # Hearing something -----------------------------------------------------------------------------------

    def handle(self, said: Obj) -> None:
        """What came from the browser: a message, or data that was set there, for this screen or one inside it."""
        if self._parent is None:
            try:
                heard = plain(said)
            except RecursionError:  # no click is nested so deeply
                return
            assert isinstance(heard, dict)
            said = heard
        path = said.get("path")
        if not isinstance(path, list):
            return
        if path:
            part = self.parts.get(str(path[0]))
            if part is not None:  # else it was meant for something that is gone
                part.handle({**said, "path": path[1:]})
            return
        message, data = said.get("message"), said.get("data")
        try:
            if isinstance(message, dict):
                self.receive(message)
            elif isinstance(data, dict):
                self.was_set(data)
        except NimmtError as error:
            self.tell({"type": "refused", "text": translate(error, self.language)})

    def receive(self, message: Obj) -> None:
        """Act on one message; what cannot be done is refused with a typed error, and said in words."""
        raise NotationError("screens.no_message", get=shown(message.get("type")))

    def was_set(self, data: Obj) -> None:
        """The browser set some data itself (where a replay stands, say). What it may not set, or not so, stays."""
        for name in self.settable:
            if name in data and type(data[name]) is type(self.data.get(name)):
                self.data[name] = data[name]

    # Long work -------------------------------------------------------------------------------------------

    def work(self, steps: Work) -> None:
        """Do something long. Whatever this screen was doing before is given up."""
        self._works += 1
        self._drive(self._mine(steps, self._works))

    def stop(self) -> None:
        """Give up what this screen and those inside it are doing."""
        self._works += 1
        for part in self.parts.values():
            part.stop()

    def _mine(self, steps: Work, number: int) -> Work:
        for _ in steps:
            yield
            if self._works != number:
                return

    def _drive(self, steps: Work) -> None:
        if self._emit is None and self._parent is not None:
            self._parent._drive(steps)
        else:
            self._driver(steps)
