"""The picture of a review, to share: accuracy, the costliest choices, what every decision cost, and the board before
the costliest one.

Its proportions are those of a link's preview. Colours come with a sign or a figure, so they are never needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import pi

from nimmt_lab.engine.pieces import wide
from nimmt_lab.engine.shapes import FELT, FELT_INK

from .picture import MUTED, RULE, Scene, board_drawing, box_svg, text_svg

__all__ = ["Costly", "ReviewPicture", "review_svg"]

SIZE = (1200, 630)
EDGE = 48
#: Where the board begins, and the room for it.
BOARD = (700, 96, 452, 366)
PAPER = "#ffffff"
BAD = "#b3261e"
GOOD = "#1f6b3d"
HIGH = 108  # of the bars


@dataclass(frozen=True)
class Costly:
    """One of the costliest choices: its sign (?!, ? or ??), a sentence, and what it cost."""

    mark: str
    text: str
    cost: str


@dataclass(frozen=True)
class ReviewPicture:
    """The contents of the picture. `costs` are those of all decisions in order, each with its sign."""

    title: str
    who: str
    figures: Sequence[str]
    worst: Sequence[Costly]
    costs: Sequence[tuple[float, str]]
    strip: str
    accuracy: int | None = None
    accuracy_label: str = ""
    caption: str = ""
    #: The frame of the board.
    frame: int = -1


def _broken(text: str, size: float, room: float) -> list[str]:
    """The text in lines that fit."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and wide(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _cut(text: str, size: float, room: float) -> str:
    """The text, shortened where it doesn't fit in one line."""
    if wide(text, size) <= room:
        return text
    while text and wide(f"{text}…", size) > room:
        text = text[:-1].rstrip()
    return f"{text}…"


def _ring(x: float, y: float, share: int) -> str:
    """The accuracy as a ring with its figure."""
    radius = 52
    around = 2 * pi * radius
    circle = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke-width="14"'
    part = f'{circle} stroke="{GOOD}" stroke-dasharray="{around * share / 100:.1f} {around:.1f}" '
    return (
        f'{circle} stroke="{RULE}"/>{part}transform="rotate(-90 {x} {y})"/>'
        + text_svg(x, y + 13, share, size=38, bold=True, anchor="middle")
    )  # fmt: skip


def review_svg(scene: Scene, picture: ReviewPicture) -> str:
    """Draw the picture as an SVG document."""
    width, height = SIZE
    left, room = EDGE, BOARD[0] - 2 * EDGE
    parts = [box_svg(0, 0, width, height, fill=PAPER), box_svg(0, 0, width, 68, fill=FELT)]
    parts.append(text_svg(left, 45, _cut(picture.title, 28, width - 420), size=28, fill=FELT_INK, bold=True))
    parts.append(text_svg(width - left, 45, _cut(picture.who, 24, 300), size=24, fill=FELT_INK, anchor="end"))
    y = 96.0
    text_x = float(left)
    if picture.accuracy is not None:
        parts.append(_ring(left + 60, y + 60, picture.accuracy))
        text_x = left + 144
        parts.append(text_svg(text_x, y + 28, picture.accuracy_label, size=24, bold=True))
        y += 34
    for figure in picture.figures:
        for part in _broken(figure, 20, BOARD[0] - EDGE - text_x):
            y += 27
            parts.append(text_svg(text_x, y, part, size=20))
    y = max(y + 24, 236.0)
    for one in picture.worst:
        parts.append(box_svg(left, y, room, 62, rx="10", fill="#fbeceb", stroke=RULE))
        parts.append(text_svg(left + 36, y + 40, one.mark, size=26, bold=True, fill=BAD, anchor="middle"))
        cost = f"−{one.cost}"
        parts.append(text_svg(left + room - 16, y + 40, cost, size=26, bold=True, anchor="end"))
        space = room - 100 - wide(cost, 26)
        lines = _broken(one.text, 20, space)[:2]
        for at, words in enumerate(lines):
            parts.append(text_svg(left + 70, y + (28 if len(lines) > 1 else 38) + 24 * at, words, size=20))
        y += 72
    parts.append(_bars(picture))
    parts.append(_board(scene, picture.frame, picture.caption))
    parts.append(text_svg(width - left, height - 16, "nimmt_lab", size=16, fill=MUTED, anchor="end"))
    said = [picture.title, picture.who, picture.accuracy_label and f"{picture.accuracy_label}: {picture.accuracy}"]
    said += [*picture.figures, *(f"{one.mark} {one.text} −{one.cost}" for one in picture.worst)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(". ".join(filter(None, said)))}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif">{"".join(parts)}</svg>'
    )


def _bars(picture: ReviewPicture) -> str:
    """A bar for each decision, as under the board of a review."""
    width, height = SIZE
    bottom = height - 44.0
    parts = [text_svg(EDGE, height - 16, picture.strip, size=16, fill=MUTED)]
    parts.append(box_svg(EDGE, bottom, width - 2 * EDGE, 1.5, fill=RULE))
    most = max(2.0, *(cost for cost, _ in picture.costs)) if picture.costs else 2.0
    step = (width - 2 * EDGE) / max(len(picture.costs), 1)
    for at, (cost, mark) in enumerate(picture.costs):
        high = max(2.0, min(1.0, cost / most) * (HIGH - 24))
        thick = min(step * 0.6, 44)
        x = EDGE + (at + 0.5) * step - thick / 2
        bad = mark in ("?", "??")
        parts.append(box_svg(x, bottom - high, thick, high, rx="2", fill=BAD if bad else MUTED))
        if mark:
            parts.append(text_svg(x + thick / 2, bottom - high - 6, mark, size=15, bold=True, anchor="middle"))
    return "".join(parts)


def _board(scene: Scene, frame: int, words: str) -> str:
    """The rows before the costliest choice, as large as there is room."""
    drawn, wide_, high = board_drawing(scene, frame)
    x, y, room, most = BOARD
    scale = min(room / wide_, (most - 34) / high)
    caption = text_svg(x, y + 20, _cut(words, 20, room), size=20, bold=True)
    return f'{caption}<g transform="translate({x} {y + 34}) scale({scale:.4f})">{drawn}</g>'
