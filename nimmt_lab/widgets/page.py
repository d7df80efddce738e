"""A screen with all that is inside it in one widget: one connection, however many boards."""

from __future__ import annotations

from typing import Any, ClassVar

import traitlets

from nimmt_lab.boards.describe import Obj
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.connection import Connection

from .base import ScreenWidget, between_messages


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
        super().__init__(screen, page=screen.whole())

    def connect(self) -> None:
        self._connection = Connection(self.screen, lambda said: self.send(said), between_messages)

    def receive(self, message: Obj) -> None:
        self._connection.receive(message)
