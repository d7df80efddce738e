"""A screen with all that is inside it in one widget: one connection, however many boards."""

from __future__ import annotations

from typing import Any, ClassVar

import traitlets

from nimmt_lab.boards.describe import Obj
from nimmt_lab.screens.base import Screen

from .base import ScreenWidget


class Page(ScreenWidget):
    """Everything goes as messages: what changes in a screen, and what is clicked in it, each with the way to it.

    The trait `page` is what a browser draws before it has spoken with Python, or where there is none: the page as it
    was when it was made, or (in a saved notebook) when it was last seen.
    """

    _module: ClassVar[str] = "page"

    page: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    #: How many changes there were when `page` was current.
    version: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)

    def __init__(self, screen: Screen) -> None:
        self._changes = 0
        super().__init__(screen, page=screen.whole())

    def said(self, said: Obj) -> None:
        self._changes += 1
        self.send({**said, "version": self._changes})

    def receive(self, message: Obj) -> None:
        if message.get("type") == "hello":
            # A browser that knows an older page is told the whole; one that is up to date hears that we are here.
            known = message.get("version") == self._changes
            whole: Obj = {} if known else {"screen": self.screen.whole()}
            self.send({"type": "here", "version": self._changes, **whole})
        else:
            before = self._changes
            self.screen.handle(message)
            if self._changes == before:  # a browser that hears nothing at all would think nobody is here
                self.send({"type": "heard", "version": before})
