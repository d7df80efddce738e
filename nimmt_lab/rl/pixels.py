"""Boards as pixels, for `render_mode="rgb_array"`: lesson boards with all hands, in frames of one size per game.

>>> from nimmt_lab import Classic
>>> game = Classic(players=2)
>>> frame = Camera(game).photograph(game.deal(seed=7))
>>> frame.shape, frame.dtype
((496, 640, 3), dtype('uint8'))
"""

from __future__ import annotations

import re
import zlib

from nimmt_lab.boards.film import Film
from nimmt_lab.boards.picture import WIDTH, svg
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

with wanted("rl"):
    import numpy as np
    import vl_convert
    from numpy.typing import NDArray

__all__ = ["Camera", "decoded", "drawing"]

#: Block size of video codecs, in pixels.
_BLOCK = 16
#: Steps after which every part of a drawing has occurred: cards to place, special cards, a second round.
_QUESTIONS = 60
#: Bytes per pixel, by PNG colour type.
_CHANNELS = {2: 3, 6: 4}


def drawing(state: GameState) -> str:
    """The table with all hands, as an SVG document."""
    film = Film(state.game)
    film.position(state)
    return svg(film.scene(), 0)


def _height(picture: str) -> float:
    match = re.search(r'^<svg [^>]*?\bheight="([\d.]+)"', picture)
    assert match is not None  # `picture.svg` writes it
    return float(match[1])


class Camera:
    """Renders the states of a game. Frames are as tall as the tallest drawing of one random game; the few taller ones
    are scaled down."""

    def __init__(self, game: Game) -> None:
        rng = Rng.from_seed(0, stream=1)
        state = game.deal(seed=0)
        highest = _height(drawing(state))
        for _ in range(_QUESTIONS):
            if state.is_over:
                break
            choices, rng = random_choices(state, rng)
            state, _events = state.choose(choices)
            highest = max(highest, _height(drawing(state)))
        self.height = -int(-highest // _BLOCK) * _BLOCK

    def photograph(self, state: GameState) -> NDArray[np.uint8]:
        """Render a state as height × width × RGB, on white."""
        picture = drawing(state)
        scale = min(1.0, self.height / _height(picture))
        image = decoded(vl_convert.svg_to_png(picture, scale=scale))[: self.height, :WIDTH]
        frame = np.full((self.height, WIDTH, 3), 255, np.uint8)
        left = (WIDTH - image.shape[1]) // 2
        frame[: image.shape[0], left : left + image.shape[1]] = image
        return frame


# A decoder for the PNG files that vl_convert writes, to avoid another dependency.


def decoded(png: bytes) -> NDArray[np.uint8]:
    """Decode a PNG with 8-bit colours to RGB, on white."""
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at + 8 <= len(png):
        size, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        chunks[kind] = chunks.get(kind, b"") + png[at + 8 : at + 8 + size]
        at += 12 + size
    header = chunks.get(b"IHDR", b"").ljust(13, b"\0")
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:8], "big")
    channels = _CHANNELS.get(header[9])
    if not png.startswith(b"\x89PNG\r\n\x1a\n") or channels is None or header[8] != 8 or header[12]:
        raise Unsupported("rl.picture_must_png")
    try:
        raw = np.frombuffer(zlib.decompress(chunks.get(b"IDAT", b"")), np.uint8)
        lines = raw.reshape(height, 1 + width * channels)
    except (zlib.error, ValueError) as error:
        raise Unsupported("rl.png_cannot_read", error=error) from None
    pixels = _unfiltered(lines[:, 0], lines[:, 1:].reshape(height, width, channels))
    if channels == 3:
        return pixels
    colour, alpha = pixels[..., :3].astype(np.uint16), pixels[..., 3:].astype(np.uint16)
    return ((colour * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)


def _unfiltered(filters: NDArray[np.uint8], lines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Undo the filter of each line: differences to the left, above, or both."""
    made = np.empty_like(lines)
    above = np.zeros_like(lines[0]) if len(lines) else lines
    for at, (kind, line) in enumerate(zip(filters.tolist(), lines, strict=True)):
        if kind == 0:
            made[at] = line
        elif kind == 1:
            made[at] = np.cumsum(line, axis=0, dtype=np.uint8)
        elif kind == 2:
            made[at] = line + above
        elif kind in (3, 4):
            made[at] = np.array(_by_both(kind, line.tolist(), above.tolist()), np.uint8)
        else:
            raise Unsupported("rl.png_cannot_read_no", kind=kind)
        above = made[at]
    return made


def _by_both(kind: int, line: list[list[int]], above: list[list[int]]) -> list[list[int]]:
    """Undo the Average (3) or Paeth (4) filter of a line."""
    left = corner = [0] * len(line[0]) if line else []
    made = []
    for now, up in zip(line, above, strict=True):
        if kind == 3:
            left = [(number + (a + b) // 2) % 256 for number, a, b in zip(now, left, up, strict=True)]
        else:
            left = [
                (number + min((a, b, c), key=lambda value, to=a + b - c: abs(to - value))) % 256  # type: ignore[misc]
                for number, a, b, c in zip(now, left, up, corner, strict=True)
            ]
        corner = up
        made.append(left)
    return made
