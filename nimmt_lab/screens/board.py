"""What the boards share: a scene (see `nimmt_lab.boards.film`), the frame on show, and pictures of it."""

from __future__ import annotations

from typing import Any

from nimmt_lab.boards import picture

from . import export
from .base import Screen


class BoardScreen(Screen):
    """A screen whose data is a `scene`, and for most boards `at`, the number of the frame on show."""

    @property
    def scene(self) -> dict[str, Any]:
        scene = self.data["scene"]
        assert isinstance(scene, dict)
        return scene

    @property
    def frames(self) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = self.scene["frames"]
        return frames

    @property
    def at(self) -> int:
        """The number of the frame on show; setting it moves the board."""
        last = len(self.frames) - 1
        at = self.data.get("at", last)
        return min(max(at, 0), last) if isinstance(at, int) else last

    @at.setter
    def at(self, at: int) -> None:
        self.show(at=at)

    def to_svg(self) -> str:
        """The frame on show as an SVG document."""
        return picture.svg(self.scene, self.at)

    def to_html(self) -> str:
        """A page with this board that works from a file, without a server or network."""
        title = f"nimmt_lab: {self.scene['game']['title']}"
        return export.page(self.module, self.data, title, self.scene["lang"])


def frame_number(at: int, frames: int) -> int:
    """An index from the start or, if negative, from the end; past either end it is the last frame.

    >>> frame_number(2, 5), frame_number(-1, 5), frame_number(9, 5)
    (2, 4, 4)
    """
    return range(frames)[at] if -frames <= at < frames else frames - 1
