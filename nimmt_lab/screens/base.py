"""A screen: named plain data, messages in, changes out, and smaller screens inside it.

A screen never blocks. Long work is a generator that yields often (`work`), and runs between two messages, so that a
click on Stop takes effect.

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
from nimmt_lab.engine.limits import is_whole
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.errors import translate

#: Receives a screen's output: changed data, a message, or a part that was added or removed.
Emit: TypeAlias = Callable[[Obj], None]
Work: TypeAlias = Iterator[None]
#: Runs work to its end, now or in slices.
Driver: TypeAlias = Callable[[Work], None]


def at_once(work: Work) -> None:
    for _ in work:
        pass


def plain(value: Json) -> Json:
    """A value from a browser, without parts that cannot be sent back: lone surrogates and non-finite numbers.

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


def as_object(value: object) -> Obj:
    """A JSON object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def whole_number(value: object, least: int, most: int) -> int | None:
    """A whole number within bounds, or None.

    >>> whole_number(3, 1, 5), whole_number(True, 0, 5), whole_number(6, 1, 5)
    (3, None, None)
    """
    return value if is_whole(value, least, most) else None


class Screen:
    """A part of a page. `data` is what its module draws, `parts` are the screens inside it, both by name."""

    #: The ES module that draws it, as a path below `js/`.
    module: ClassVar[str] = ""
    #: Data that a browser may set by itself.
    settable: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **data: Json) -> None:
        self.data: Obj = dict(data)
        self.parts: dict[str, Screen] = {}
        self._emit: Emit | None = None
        self._driver: Driver = at_once
        self._works = 0
        self._parent: Screen | None = None
        self._name = ""
        super().__init__()  # the widget behind it, where a screen is one (`nimmt_lab.widgets`)

    def listen(self, emit: Emit, driver: Driver | None = None) -> None:
        """Send every later change to `emit`; `driver` runs long work."""
        self._emit = emit
        if driver is not None:
            self._driver = driver

    def show(self, **data: Json) -> None:
        self.data |= data
        self._say({"path": [], "data": data})

    def tell(self, message: Obj) -> None:
        """Send a message to the module: something that happens once."""
        self._say({"path": [], "message": message})

    def put(self, name: str, part: Screen | None, /, **data: Json) -> None:
        """Put a screen inside this one, or remove it (None).

        `data` changes in the same message: were the words of a step to change before its board, an answer typed in
        between would be lost.
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
        """The screen with its parts, as the browser draws it."""
        return {
            "module": self.module,
            "data": dict(self.data),
            "parts": {name: part.whole() for name, part in self.parts.items()},
        }

    @property
    def language(self) -> str:
        """The screen's own language, or that of the screen around it."""
        own = getattr(self, "say", None)
        said = own.lang if isinstance(own, Words) else self.data.get("lang")
        if isinstance(said, str):
            return said
        return "en" if self._parent is None else self._parent.language

    def handle(self, said: Obj) -> None:
        """Pass a message or data from the browser to this screen, or to one inside it."""
        if self._parent is None:
            try:
                heard = plain(said)
            except RecursionError:  # no real click is nested so deeply
                return
            assert isinstance(heard, dict)
            said = heard
        path = said.get("path")
        if not isinstance(path, list):
            return
        if path:
            part = self.parts.get(str(path[0]))
            if part is not None:  # otherwise it is for a part that was removed
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
        """Act on one message, or raise a `NimmtError`, whose sentence the browser shows."""
        raise NotationError("screens.no_message", get=shown(message.get("type")))

    def was_set(self, data: Obj) -> None:
        """Accept data set by the browser, such as the frame of a replay, if it may set them and their type is right."""
        for name in self.settable:
            if name in data and type(data[name]) is type(self.data.get(name)):
                self.data[name] = data[name]

    def work(self, steps: Work) -> None:
        """Run long work in place of any work this screen is still doing."""
        self._works += 1
        self._drive(self._mine(steps, self._works))

    def stop(self) -> None:
        """Stop the work of this screen and its parts."""
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
