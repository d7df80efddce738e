"""Screens in notebook cells: the connection to the browser, pictures and files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets
from IPython import get_ipython

from nimmt_lab.boards import picture
from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import write_file
from nimmt_lab.screens.assets import bundle, styles
from nimmt_lab.screens.base import Screen, Work, at_once
from nimmt_lab.screens.board import BoardScreen
from nimmt_lab.screens.connection import Connection, in_slices


def between_messages(work: Work) -> None:
    """Run long work in slices, so that a kernel can handle clicks in between; without a kernel, run it at once."""
    if not hasattr(get_ipython(), "kernel"):
        at_once(work)
        return
    loop = asyncio.get_event_loop()
    in_slices(lambda go: loop.call_later(0.001, go))(work)


class ScreenWidget(anywidget.AnyWidget):
    """A screen in a notebook cell.

    Clicks and changes are messages, as on the web page (see `connection`): synced traits would be coalesced, and of ten
    quick plays only the last would arrive. The trait `page` is what a browser draws first, and all it can draw when no
    kernel answers. It follows the screen until a browser connects; from then on the browser keeps its own copy current,
    so that a notebook saved at any time shows the page as it was.
    """

    _css: ClassVar[str] = styles()

    page: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    #: The number of changes in `page`.
    version: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._connected = False
        super().__init__(page=screen.whole())
        self._connection = Connection(screen, self._carry, between_messages)
        self.on_msg(self._receive)

    def _carry(self, change: Obj) -> None:
        if self._connected:
            self.send(change)
        else:
            with self.hold_sync():
                self.page, self.version = self.screen.whole(), self._connection.version

    def _receive(self, _widget: object, message: object, _buffers: object) -> None:
        if isinstance(message, dict):
            self._connected = True
            self._connection.receive(message)


class Page(ScreenWidget):
    """A screen with other screens inside it."""

    _esm: ClassVar[str] = bundle("page")


class Board(ScreenWidget):
    """A board that is both widget and screen: `class Replay(ReplayScreen, Board)`. The screen comes first and brings
    the signature, the attributes and the methods; its `__init__` leads here."""

    screen: BoardScreen

    def __init__(self) -> None:
        assert isinstance(self, BoardScreen)
        super().__init__(self)

    def to_png(self, *, scale: float = 2.0) -> bytes:
        """The frame on show as a PNG picture."""
        try:
            import vl_convert
        except ImportError as error:
            raise RulesError("widgets.png_needs_vl") from error
        png: bytes = vl_convert.svg_to_png(self.screen.to_svg(), scale=scale)
        return png

    def save(self, path: str | Path) -> None:
        """Write the board to a file: .svg, .png or .html."""
        path = Path(path)
        if path.suffix == ".png":
            write_file(path, self.to_png())
        elif path.suffix in (".svg", ".html"):
            write_file(path, self.screen.to_svg() if path.suffix == ".svg" else self.screen.to_html())
        else:
            raise RulesError("widgets.board_saved_svg", got=repr(path.name))

    def _fallback(self) -> str:
        """HTML for a notebook without a kernel or saved widget state."""
        return picture.fallback(self.screen.scene, self.screen.at)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        made = super()._repr_mimebundle_(**options)
        if made is None:
            return None
        data, metadata = made
        return {**data, "text/html": self._fallback()}, metadata
