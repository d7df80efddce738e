"""Rendered environments: PettingZoo's own test, frames that make a video, and the PNG reader for them."""

from __future__ import annotations

import re
import zlib

import numpy as np
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pettingzoo.test import render_test

from nimmt_lab import Classic
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.rl import aec_env, parallel_env
from nimmt_lab.rl.pixels import Camera, _height, decoded, drawing
from nimmt_lab.rl.zoo import Aec, Parallel
from tests.support import SHOWN, random_record, refused


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", SHOWN)
def test_their_test_of_rendering_passes(label: str) -> None:
    """PettingZoo's test first asks every environment for a window; here it gets one without pictures."""

    def env(render_mode: str) -> Aec:
        return aec_env(SHOWN[label], render_mode=None if render_mode == "human" else render_mode)

    assert env("human").metadata["render_modes"] == ["ansi", "html", "rgb_array"]
    render_test(env, custom_tests={"html": lambda drawn: drawn.count("<svg") == 1})


def white(frame: NDArray[np.uint8]) -> bool:
    return bool((frame == 255).all())


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", SHOWN)
def test_a_game_is_a_film(label: str) -> None:
    """One size from the deal to the end, a picture that changes with the table, on white, with nothing cut off."""
    game = SHOWN[label]
    env = parallel_env(game, render_mode="rgb_array")
    frames: list[NDArray[np.uint8]] = []
    seen, _ = env.reset(seed=3)
    for _ in range(12):
        frame = env.render()
        assert isinstance(frame, np.ndarray) and frame.dtype == np.uint8
        frames.append(frame)
        seen, *_ = env.step({agent: int(np.flatnonzero(seen[agent]["action_mask"])[-1]) for agent in env.agents})
    assert {frame.shape for frame in frames} == {(frames[0].shape[0], 640, 3)} and frames[0].shape[0] % 16 == 0
    assert len({frame.tobytes() for frame in frames}) > 8
    assert all(
        white(frame[:, :2]) and white(frame[:, -2:]) and white(frame[:2]) and white(frame[-2:]) for frame in frames
    )
    assert np.array_equal(Camera(game).photograph(game.deal(seed=3)), frames[0])


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", SHOWN)
def test_what_is_written_can_be_read(label: str) -> None:
    """Every text of a drawing leaves ink at its place: fonts are found, also for symbols."""
    state = random_record(SHOWN[label], seed=3, choices=12).final
    picture = drawing(state)
    whole = decoded(vl_convert.svg_to_png(picture))
    texts = re.findall(r"(<text [^>]*>([^<]+)</text>)", picture)
    assert len(texts) > 20
    met: set[str] = set()
    for text, said in texts:
        if not set(said) <= met:  # a symbol that has not been checked yet
            met |= set(said)
            assert (whole != decoded(vl_convert.svg_to_png(picture.replace(text, "")))).any(), text


def test_without_a_mode_nothing_is_drawn() -> None:
    env = parallel_env("classic", players=2)
    env.reset(seed=1)
    assert env.render() is None
    assert isinstance(env, Parallel)


def test_what_is_higher_than_the_frame_is_drawn_smaller() -> None:
    game = Classic(players=2)
    camera, state = Camera(game), game.deal(seed=1)
    full = camera.photograph(state)
    assert _height(drawing(state)) <= camera.height
    camera.height = 208
    small = camera.photograph(state)
    assert small.shape == (208, 640, 3) and not white(small)
    assert white(small[:, :100]) and white(small[:, -100:]) and not white(full[:, :100])
    assert not white(small[150:])  # the hands are there, too


@pytest.mark.sampled(5)
@pytest.mark.parametrize("label", SHOWN)
def test_frames_are_as_high_as_the_drawings_of_a_game(label: str) -> None:
    """Nearly everything is drawn at full size, and no video has a block cut in two."""
    game = SHOWN[label]
    height = Camera(game).height
    highest = max(_height(drawing(step.before)) for step in random_record(game, seed=6, choices=40).steps)
    assert height % 16 == 0 and 0.9 * height < highest < 1.01 * height


# PNG


def chunk(kind: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")


def encoded(pixels: NDArray[np.uint8], filters: list[int], pieces: int = 1) -> bytes:
    """A PNG built from the standard, number by number, with lines filtered in these ways in turn."""
    height, width, channels = pixels.shape
    rows = [[0] * width * channels, *(pixels.reshape(height, -1).tolist())]
    raw = bytearray()
    for at in range(1, height + 1):
        kind, now, up = filters[at % len(filters)], rows[at], rows[at - 1]
        raw.append(kind)
        for x, number in enumerate(now):
            a, b = now[x - channels] if x >= channels else 0, up[x]
            c = up[x - channels] if x >= channels else 0
            p = a + b - c
            pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
            paeth = a if pa <= pb and pa <= pc else b if pb <= pc else c
            raw.append((number - (0, a, b, (a + b) // 2, paeth)[kind]) % 256)
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, {3: 2, 4: 6}[channels], 0, 0, 0])
    packed = zlib.compress(bytes(raw))
    cuts = [packed[at * len(packed) // pieces : (at + 1) * len(packed) // pieces] for at in range(pieces)]
    data = b"".join(chunk(b"IDAT", cut) for cut in cuts)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + data + chunk(b"IEND", b"")


@settings(max_examples=60)
@given(st.data())
def test_pngs_with_any_filter_are_read(data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 6))
    numbers = data.draw(st.binary(min_size=3 * width * height, max_size=3 * width * height))
    pixels = np.frombuffer(numbers, np.uint8).reshape(height, width, 3)
    filters = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=5))
    assert np.array_equal(decoded(encoded(pixels, filters, data.draw(st.integers(1, 3)))), pixels)
    solid = np.concatenate([pixels, np.full((height, width, 1), 255, np.uint8)], axis=2)
    assert np.array_equal(decoded(encoded(solid, filters)), pixels)


def test_what_can_be_seen_through_is_on_white() -> None:
    pixels = np.array([[[10, 20, 30, 0], [10, 20, 30, 255], [0, 100, 255, 128]]], np.uint8)
    assert decoded(encoded(pixels, [0])).tolist() == [[[255, 255, 255], [10, 20, 30], [127, 177, 255]]]


GOOD = encoded(np.zeros((2, 2, 3), np.uint8), [0])
HEADER = 16  # the offset of the header's numbers


@pytest.mark.parametrize(
    ("png", "key"),
    [
        (b"", "rl.picture_must_png"),
        (b"x" + GOOD[1:], "rl.picture_must_png"),
        (GOOD[: HEADER + 8] + b"\x10" + GOOD[HEADER + 9 :], "rl.picture_must_png"),
        (GOOD[: HEADER + 9] + b"\x03" + GOOD[HEADER + 10 :], "rl.picture_must_png"),
        (GOOD[: HEADER + 12] + b"\x01" + GOOD[HEADER + 13 :], "rl.picture_must_png"),
        (GOOD[:HEADER] + b"\0\0\0\x09" + GOOD[HEADER + 4 :], "rl.png_cannot_read"),
        (GOOD[:-20], "rl.png_cannot_read"),
        (GOOD[:33] + chunk(b"IDAT", zlib.compress(bytes([7, *[0] * 6, 0, *[0] * 6]))), "rl.png_cannot_read_no"),
    ],
)
def test_another_file_is_refused(png: bytes, key: str) -> None:
    with refused(Unsupported, key):
        decoded(png)
