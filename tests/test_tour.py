"""The README's tour: a small animated PNG, joined from frames by a tool of ours."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from tools.animation import FILE, LARGEST, SIGNATURE, Shot, animated, chunk, chunks

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def dot(level: int, size: int = 2) -> bytes:
    """A grey square as a PNG, its data in two chunks as some encoders write it."""
    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes([level] * size) for _ in range(size)))
    parts = [chunk(b"IHDR", head), chunk(b"IDAT", data[:5]), chunk(b"IDAT", data[5:]), chunk(b"IEND", b"")]
    return SIGNATURE + b"".join(parts)


def test_frames_are_joined_in_order_with_their_times() -> None:
    made = list(chunks(animated([Shot(dot(10), 500), Shot(dot(20), 1500)])))
    assert [kind for kind, _ in made] == [b"IHDR", b"acTL", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"IEND"]
    numbers = [struct.unpack(">I", data[:4])[0] for kind, data in made if kind in (b"fcTL", b"fdAT")]
    assert numbers == [0, 1, 2], "one numbering for all of them"
    assert [struct.unpack(">HH", data[20:24]) for kind, data in made if kind == b"fcTL"] == [(500, 1000), (1500, 1000)]
    assert zlib.decompress(made[3][1])[1] == 10 and zlib.decompress(made[5][1][4:])[1] == 20
    with pytest.raises(ValueError, match="one size"):
        animated([Shot(dot(1), 1), Shot(dot(1, size=3), 1)])


def test_the_tour_moves_is_small_and_is_in_the_readme() -> None:
    drawn = FILE.read_bytes()
    assert len(drawn) < LARGEST and drawn.startswith(SIGNATURE)
    for at, (kind, data) in enumerate(chunks(drawn)):
        if kind == b"acTL":
            assert at == 1 and struct.unpack(">II", data) == (6, 0), "six frames, for ever"
    assert f"({FILE.relative_to(FILE.parent.parent).as_posix()})" in README
