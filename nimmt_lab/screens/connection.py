"""The connection between a screen and a browser, the same for a notebook's kernel and the web page's own Python.

Changes are numbered. A browser that connects (or reconnects) names the last change it knows, and gets the whole page
if it has missed any.

>>> from nimmt_lab.screens.base import Screen
>>> heard, screen = [], Screen(rung=0)
>>> wire = Connection(screen, heard.append)
>>> screen.show(rung=1)
>>> wire.receive({"type": "hello", "version": 0})
>>> [said["version"] for said in heard], heard[1]["screen"]["data"]
([1, 1], {'rung': 1})
"""

from __future__ import annotations

import time
from collections.abc import Callable

from nimmt_lab.boards.describe import Obj

from .base import Driver, Emit, Screen, Work, at_once

#: Seconds of work between two looks at the messages.
SLICE = 0.05


def in_slices(later: Callable[[Callable[[], None]], object]) -> Driver:
    """A driver that runs work in slices; `later` schedules the next one behind the waiting messages.

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
    """Carries a screen: `send` goes to the browser, `receive` takes what came from it."""

    def __init__(self, screen: Screen, send: Emit, driver: Driver = at_once) -> None:
        self.screen = screen
        #: The number of changes so far.
        self.version = 0
        self._send = send
        screen.listen(self._said, driver)

    def _said(self, said: Obj) -> None:
        self.version += 1
        self._send({**said, "version": self.version})

    def receive(self, message: Obj) -> None:
        """Answer a hello, with the whole page if the browser's is older, or pass a message to the screen."""
        if message.get("type") == "hello":
            whole: Obj = {} if message.get("version") == self.version else {"screen": self.screen.whole()}
            self._send({"type": "here", "version": self.version, **whole})
            return
        before = self.version
        self.screen.handle(message)
        if self.version == before:  # without any answer a browser would report that Python is gone
            self._send({"type": "heard", "version": before})
