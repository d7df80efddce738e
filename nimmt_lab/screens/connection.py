"""A screen at the end of a wire: a notebook's kernel or a page's own Python, the same words pass.

Every change has a number. A browser that comes (or comes back) says which one it knows, and hears the whole page if
it has missed something.

>>> from nimmt_lab.screens.base import Screen
>>> class Bell(Screen):
...     module = "bell"
...     def receive(self, message):
...         self.show(rung=int(self.data["rung"]) + 1)
>>> heard = []
>>> wire = Connection(Bell(rung=0), heard.append)
>>> wire.receive({"path": [], "message": {"type": "ring"}})
>>> wire.receive({"type": "hello", "version": 0})
>>> [said["version"] for said in heard], heard[1]["screen"]["data"]
([1, 1], {'rung': 1})
"""

from __future__ import annotations

import time
from collections.abc import Callable

from nimmt_lab.boards.describe import Obj

from .base import Driver, Emit, Screen, Work, at_once

#: How long work may go on before messages are listened to again, in seconds.
SLICE = 0.05


def in_slices(later: Callable[[Callable[[], None]], object]) -> Driver:
    """Lets long work go on a little at a time; `later` calls what it is given when messages have been heard.

    >>> waiting, done = [], []
    >>> in_slices(waiting.append)(iter([None]))
    >>> waiting
    []
    """

    def drive(work: Work) -> None:
        def go() -> None:
            until = time.monotonic() + SLICE
            for _ in work:
                if time.monotonic() >= until:
                    later(go)
                    return

        go()

    return drive


class Connection:
    """Carries a screen: `send` takes what is to be said to the browser, `receive` what came from it."""

    def __init__(self, screen: Screen, send: Emit, driver: Driver = at_once) -> None:
        self.screen = screen
        #: How many changes there have been.
        self.version = 0
        self._send = send
        screen.listen(self._said, driver)

    def _said(self, said: Obj) -> None:
        self.version += 1
        self._send({**said, "version": self.version})

    def receive(self, message: Obj) -> None:
        """A browser that knows an older page is told the whole; one that is up to date hears that we are here."""
        if message.get("type") == "hello":
            whole: Obj = {} if message.get("version") == self.version else {"screen": self.screen.whole()}
            self._send({"type": "here", "version": self.version, **whole})
            return
        before = self.version
        self.screen.handle(message)
        if self.version == before:  # a browser that hears nothing at all would think nobody is here
            self._send({"type": "heard", "version": before})
