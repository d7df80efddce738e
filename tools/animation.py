"""The README's animation: python tools/animation.py [FILE]. Home, a lesson and a puzzle, as a small animated PNG.

A browser draws the frames from the real widget. They are joined here, because the format is PNG with a few chunks more.
"""

from __future__ import annotations

import argparse
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.engine.files import write_file
from nimmt_lab.widgets import Home
from tools.browser import Stage, open_browser
from tools.ensure_chromium import ADVICE, find_chromium

FILE: Final = Path(__file__).resolve().parent.parent / "docs" / "tour.png"
WIDTH, HEIGHT = 1180, 664
#: Frames are drawn at this share of the window's size.
SCALE: Final = 0.6
#: The most that a README should load.
LARGEST: Final = 1_000_000
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
#: The date of the puzzle.
DAY: Final = "2026-11-16"


class Shot(NamedTuple):
    """One frame: a PNG, and the milliseconds that it stays."""

    png: bytes
    stays: int


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG, by type."""
    at = len(SIGNATURE)
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        yield kind, png[at + 8 : at + 8 + size]
        at += 12 + size


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def animated(shots: Sequence[Shot]) -> bytes:
    """Join PNGs of one size into an animated one that repeats for ever."""
    heads = {data for shot in shots for kind, data in chunks(shot.png) if kind == b"IHDR"}
    if len(heads) != 1:
        raise ValueError("frames must have one size and format")
    (head,) = heads
    width, height = struct.unpack(">II", head[:8])
    parts = [SIGNATURE, chunk(b"IHDR", head), chunk(b"acTL", struct.pack(">II", len(shots), 0))]
    number = 0
    for at, shot in enumerate(shots):
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, shot.stays, 1000, 0, 0)
        parts.append(chunk(b"fcTL", control))
        number += 1
        data = b"".join(part for kind, part in chunks(shot.png) if kind == b"IDAT")
        data = zlib.compress(zlib.decompress(data), 9)
        if at == 0:
            parts.append(chunk(b"IDAT", data))
        else:
            parts.append(chunk(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    return b"".join([*parts, chunk(b"IEND", b"")])


def shots(chromium: str) -> Iterator[Shot]:
    """The tour: the first page, a question with a wrong and a right answer, and the puzzle of a day."""
    with open_browser(chromium) as browser, tempfile.TemporaryDirectory() as folder:
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE, reduced_motion="reduce"
        )
        stage = Stage(page)
        home: Any = Home(folder=Path(folder))
        stage.show(home)

        def shot(stays: int) -> Shot:
            stage.settle()
            stage.laid_out()
            return Shot(page.screenshot(), stays)

        def answer(option: str) -> None:
            count = len(stage.clicks)
            page.locator(f".nl-option[data-option='{option}']").click()
            stage.hear(count + 1)

        yield shot(2200)
        learn = home.screen.parts["screen"]
        learn.open("first_turn")
        lesson = learn.parts["lesson"]
        lesson.go(next(at for at, step in enumerate(lesson.lesson.steps) if step.ask))
        yield shot(1800)
        question = lesson.board.question
        answer(next(choice for choice in question.choices if choice not in question.right))
        yield shot(2000)
        answer(min(question.right))
        yield shot(2200)
        home.screen.open("learn")
        learn = home.screen.parts["screen"]
        learn.visit("")
        home.screen.handle({"path": ["screen"], "message": {"type": "daily", "date": DAY}})
        yield shot(2200)
        answer(min(home.screen.parts["screen"].exercise.question.right))
        yield shot(2400)
        if stage.errors:
            raise RuntimeError(stage.errors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    file = parser.parse_args().file
    chromium = find_chromium()
    if chromium is None:
        sys.exit(ADVICE)
    drawn = animated([*shots(chromium)])
    if len(drawn) > LARGEST:
        sys.exit(f"{len(drawn)} bytes are too many: at most {LARGEST}")
    write_file(file, drawn)
    print(f"{file.name}: {len(drawn)} bytes")


if __name__ == "__main__":
    main()
