"""What all widgets of the package share: a screen inside, one stylesheet, messages in order, pictures for paper and for
readers without a kernel."""

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
from nimmt_lab.screens import export
from nimmt_lab.screens.assets import bundle, styles
from nimmt_lab.screens.base import Screen, Work, at_once
from nimmt_lab.screens.connection import in_slices


def between_messages(work: Work) -> None:
    """Let long work go on a little at a time, so that a kernel hears what is clicked meanwhile; elsewhere, at once."""
    if not hasattr(get_ipython(), "kernel"):
        at_once(work)
        return
    loop = asyncio.get_event_loop()
    in_slices(lambda go: loop.call_later(0.001, go))(work)


class ScreenWidget(anywidget.AnyWidget):
    """A screen in a notebook cell. Subclasses name its ES module, and `_esm` follows.

    What is clicked comes from the browser as messages, one each and in order: a trait would be coalesced, and of ten
    quick plays only the last would arrive. Traits hold only the state of now.
    """

    _css: ClassVar[str] = styles()
    #: The browser module; subclasses name theirs, and `_esm` follows.
    _module: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        # anywidget makes a further subclass when it adds its traits; that one has its module already.
        if "_module" in cls.__dict__:
            cls._esm = bundle(cls._module)
        super().__init_subclass__(**options)

    def __init__(self, screen: Screen, **traits: object) -> None:
        self.screen = screen
        super().__init__(**traits)
        self.connect()
        self.on_msg(self._heard)

    def connect(self) -> None:
        """Listen to the screen."""
        self.screen.listen(self.said, between_messages)

    def _heard(self, _widget: object, message: object, _buffers: object) -> None:
        if isinstance(message, dict):
            self.receive(message)

    def said(self, said: Obj) -> None:
        """Carry to the browser what the screen says."""
        raise TypeError(f"{type(self).__name__} carries nothing")

    def receive(self, message: Obj) -> None:
        """Act on one message from the browser."""
        raise TypeError(f"{type(self).__name__} expects no messages")


class SceneWidget(ScreenWidget):
    """A widget that shows the scene (see `film`) of one screen without parts: its data are the widget's traits."""

    scene: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    #: Whether Python is there to answer; a board saved to a file says no.
    live: traitlets.Bool[bool, bool | int] = traitlets.Bool(True).tag(sync=True)

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen, **screen.data)
        self.observe(self._was_set, names=list(screen.data))

    def _was_set(self, change: Any) -> None:
        self.screen.data[change["name"]] = change["new"]

    def said(self, said: Obj) -> None:
        data, message = said.get("data"), said.get("message")
        if isinstance(data, dict):
            for name, value in data.items():
                setattr(self, name, value)
        elif isinstance(message, dict):
            self.send(message)

    def receive(self, message: Obj) -> None:
        self.screen.handle({"path": [], "message": message})

    # Files and pictures ----------------------------------------------------------------------------------

    def _shown(self) -> int:
        """The number of the frame that a picture shows."""
        last = len(self.scene["frames"]) - 1
        at = self.screen.data.get("at", last)
        return min(max(at, 0), last) if isinstance(at, int) else last

    def to_svg(self) -> str:
        """The board as it stands, as an SVG document."""
        return picture.svg(self.scene, self._shown())

    def to_png(self, *, scale: float = 2.0) -> bytes:
        """The board as it stands, as a PNG picture."""
        try:
            import vl_convert
        except ImportError as error:
            raise RulesError("widgets.png_needs_vl") from error
        png: bytes = vl_convert.svg_to_png(self.to_svg(), scale=scale)
        return png

    def to_html(self) -> str:
        """A page with this board that works from a file, without server or network."""
        title = f"nimmt_lab: {self.scene['game']['title']}"
        return export.page(self._module, dict(self.screen.data), title, self.scene["lang"])

    def save(self, path: str | Path) -> None:
        """Write the board to a file: .svg, .png or .html."""
        path = Path(path)
        if path.suffix == ".png":
            write_file(path, self.to_png())
        elif path.suffix in (".svg", ".html"):
            write_file(path, self.to_svg() if path.suffix == ".svg" else self.to_html())
        else:
            raise RulesError("widgets.board_saved_svg", got=repr(path.name))

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, and beside it a still picture that a notebook shows when no kernel runs."""
        made = super()._repr_mimebundle_(**options)
        if made is None:
            return None
        data, metadata = made
        return {**data, "text/html": picture.fallback(self.scene, self._shown())}, metadata
