"""What cards look like, as data: paths, proportions and colours of our own.

Every card on screen, in print and in a still picture is drawn from these tables: `pieces` writes them as SVG, and
`tools/shapes.py` as the stylesheet and the module that browsers get.

Paths lie in a square of 24, in absolute coordinates, with the commands M, L, C and Z only, so that they can be moved
and scaled as text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

__all__ = [
    "BACKS", "BAND", "BOX", "BULL", "CARD", "CLASSES", "COLOURED_BAND", "COLOURED_FIGURE", "EDGE", "FELT",
    "FELT_INK", "FELT_LANE", "FELT_PLACE", "FIELDS", "FIGURE", "HEIGHT", "HORNED", "ICONS", "INK", "KINDS",
    "LETTER", "LONG_FIGURE", "MEDAL", "MOST", "ONE_OF_MANY", "ON_FELT", "ON_PAPER", "OUTLINE", "PEN", "ROUND",
    "TILE_BAND", "TILE_EDGE", "TILE_FIGURE", "TILE_ROUND", "WIDTH", "Icon", "Paint", "Square", "Stripes",
    "bulls_path", "class_colour", "class_of", "hatch", "moved", "spots",
]  # fmt: skip

# Proportions, for a card of width 100 --------------------------------------------------------------------

WIDTH: Final = 100
HEIGHT: Final = 140
ROUND: Final = 11
#: The band with the bulls, as part of the height.
BAND: Final = 0.32
#: Size of the number, and of one with three digits.
FIGURE: Final = 46
LONG_FIGURE: Final = 40
#: More bulls than on any printed card are one bull and a number.
MOST: Final = 7
#: The side of the square in which paths lie.
BOX: Final = 24

# Colours ---------------------------------------------------------------------------------------------------

CARD: Final = "#fffdf7"
#: Darker than on screen, where cards have a shadow.
EDGE: Final = "#b4a88f"
INK: Final = "#232a36"
#: The band by number of heads: the greatest key that is not above it. The number of bulls says the same without colour.
CLASSES: Final = {1: "#6b7c8d", 2: "#2b7bd0", 3: "#b86e00", 5: "#d33b26", 7: "#7435b4"}


def class_of(count: int) -> int:
    """The class of a card with that many heads.

    >>> [class_of(count) for count in (0, 1, 4, 5, 12)]
    [1, 1, 3, 5, 7]
    """
    return max((least for least in CLASSES if least <= count), default=1)


def class_colour(count: int) -> str:
    """The colour of the band of a card with `count` heads."""
    return CLASSES[class_of(count)]


#: The table, and the places on it.
FELT: Final = "#226b4f"
FELT_LANE: Final = "#2c7658"
FELT_PLACE: Final = "#1b5740"
FELT_INK: Final = "#ffffff"


class Stripes(NamedTuple):
    """The place of the card that takes the row: its ground, the hatching, and the number on it."""

    ground: str
    hatch: str
    ink: str


ON_FELT: Final = Stripes("#5f4a38", "#8a4a38", "#ffffff")
ON_PAPER: Final = Stripes("#fdf1ec", "#f0c3b4", "#8a2413")


class Paint(NamedTuple):
    """A field of a board: its ground, and what is printed on it. The frame tells the kind without colour."""

    ground: str
    ink: str
    dash: str = ""


FIELDS: Final = {
    "plain": Paint("#1b5740", "#ffffff"),
    "good": Paint("#ddf3e6", "#14693e"),
    "bad": Paint("#fce4e1", "#a3260b", "2 5"),
    "take": Paint("#fff0d6", "#8a4b00", "12 5"),
    "draw": Paint("#e4eefc", "#1f5aad"),
}

# Paths -----------------------------------------------------------------------------------------------------


def _mirrored(half: str) -> str:
    """Close a right half, drawn from the middle of the top to the middle of the bottom, with its mirror image.

    >>> _mirrored("M12 2 L20 4 C21 5 21 6 12 9")
    'M12 2 L20 4 C21 5 21 6 12 9 C3 6 3 5 4 4 L12 2 Z'
    """
    steps = [(step[0], _pairs(step)) for step in re.findall(r"[MLC][^MLC]*", half)]
    points = [point for _, pairs in steps for point in pairs]
    back, end = "", len(points)
    for command, pairs in reversed(steps[1:]):
        begin = end - len(pairs) - 1
        flipped = [(BOX - x, y) for x, y in reversed(points[begin : end - 1])]
        back += f" {command}{_written(flipped)}"
        end = begin + 1
    return f"{half}{back} Z"


def _pairs(text: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _written(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{round(x, 2):g} {round(y, 2):g}" for x, y in points)


def moved(path: str, x: float, y: float, size: float) -> str:
    """A path in a square of `size` with its corner at (x, y).

    >>> moved("M0 0 L12 24 Z", 10, 20, 12)
    'M10 20L16 32Z'
    """
    scale = size / BOX
    steps = re.findall(r"[MLCZ][^MLCZ]*", path)
    return "".join(step[0] + _written((x + a * scale, y + b * scale) for a, b in _pairs(step)) for step in steps)


#: The head of a bull: horns, ears, and a face that narrows to the muzzle.
BULL: Final = _mirrored(
    "M12 6.6 L14.6 6.6 C18.2 6.6 20 4.6 20.2 1 C23.6 4.6 23.4 9.4 18.6 10.9"
    " C20.2 10.9 21.8 11.6 22.8 13 C21.4 14.9 19.3 15.3 17.2 14.6"
    " C16.9 16.6 16.3 18 15.9 19.4 C15.3 21.8 14 23 12 23"
)
#: A bull as broad as a tile, with room for a letter on its face.
HORNED: Final = _mirrored(
    "M12 5.4 L16.4 5.4 C19 5.2 20.5 3.6 20.6 .6 C23.4 2.6 24 5.6 22.2 8.2"
    " L22.2 18 C22.2 21.6 20.4 23.4 16.8 23.4 L12 23.4"
)


class Square(NamedTuple):
    """The square of one bull on a card of width 100."""

    x: float
    y: float
    size: float


#: The bull beside a number of bulls.
ONE_OF_MANY: Final = Square(11, 8, 29)


def spots(count: int, *, largest: float = 26, height: float = BAND * HEIGHT, gap: float = 3) -> list[Square]:
    """Where that many bulls lie in a band: up to three side by side, more in two rows, the upper one not the shorter.

    >>> [len({spot.y for spot in spots(count)}) for count in (0, 1, 3, 5, 10)]
    [0, 1, 1, 2, 2]
    """
    if not count:
        return []
    lines = 1 if count <= 3 else 2
    across = math.ceil(count / lines)
    size = min(largest, (WIDTH - 10 - gap * (across - 1)) / across, (height - 5 - gap / 2 * (lines - 1)) / lines)
    top = (height - lines * size - (lines - 1) * gap / 2) / 2
    placed = []
    for line, number in enumerate((across, count - across)[:lines]):
        left = (WIDTH - number * size - (number - 1) * gap) / 2
        y = top + line * (size + gap / 2)
        placed += [Square(round(left + at * (size + gap), 2), round(y, 2), round(size, 2)) for at in range(number)]
    return placed


def bulls_path(count: int) -> str:
    """The bulls of a card as one path; of more than `MOST`, one bull beside its number."""
    return "".join(moved(BULL, *spot) for spot in (spots(count) if count <= MOST else [ONE_OF_MANY]))


# Tiles, coloured bulls, backs --------------------------------------------------------------------------------

TILE_ROUND: Final = 16
#: The band of a card, smaller.
TILE_BAND: Final = 36.0
TILE_FIGURE: Final = 46
#: How much of a tile's lower edge is seen.
TILE_EDGE: Final = 6


class Lettering(NamedTuple):
    """Size and baseline of a letter on a bull, as parts of the bull's size."""

    size: float
    middle: float


#: Painted bulls need more room, for their letters.
COLOURED_BAND: Final[dict[str, float]] = {"largest": 34, "height": 66}
COLOURED_FIGURE: Final = 42
LETTER: Final = Lettering(0.66, 0.84)

#: How broad the line around a coloured bull is.
OUTLINE: Final = 1.2
#: Radius of the disc on a back.
MEDAL: Final = 25


class Back(NamedTuple):
    """The paint and the sign of a back, and whether it is a tile's."""

    paint: str
    sign: str
    tile: bool = False


BACKS: Final = {
    "card": Back("#8a3413", "bull"),
    "horns": Back("#3d3044", "horns"),
    "tile": Back("#8a3413", "bull", tile=True),
}


def hatch(inset: float, height: float, step: float = 13) -> str:
    """Diagonals inside a frame of width 100.

    >>> hatch(40, 100, 15)
    'M40 55L55 40M50 60L60 50'
    """
    low, right, bottom = inset, WIDTH - inset, height - inset
    drawn, total = "", 2 * low + step
    while total < right + bottom:
        start = (low, total - low) if total - low <= bottom else (total - bottom, bottom)
        end = (total - low, low) if total - low <= right else (right, total - right)
        drawn += f"M{_written([start])}L{_written([end])}"
        total += step
    return drawn


# Pictograms ------------------------------------------------------------------------------------------------


class Icon(NamedTuple):
    """A pictogram in the colour of the text around it: what is filled (by the even-odd rule), and what is drawn with a
    round pen."""

    fill: str = ""
    line: str = ""


#: How wide the pen is.
PEN: Final = 2.2


def _circle(x: float, y: float, r: float) -> str:
    k = 0.5523 * r
    points = [
        (x, y - r), (x + k, y - r), (x + r, y - k), (x + r, y), (x + r, y + k), (x + k, y + r), (x, y + r),
        (x - k, y + r), (x - r, y + k), (x - r, y), (x - r, y - k), (x - k, y - r), (x, y - r),
    ]  # fmt: skip
    return f"M{_written(points[:1])} C{_written(points[1:])} Z"


def _box(x: float, y: float, width: float, height: float, r: float = 0) -> str:
    if not r:
        return f"M{x:g} {y:g} L{x + width:g} {y:g} L{x + width:g} {y + height:g} L{x:g} {y + height:g} Z"
    right, bottom, k = x + width, y + height, r * 0.4477
    corners = [
        ((right - r, y), (right - k, y), (right, y + k), (right, y + r)),
        ((right, bottom - r), (right, bottom - k), (right - k, bottom), (right - r, bottom)),
        ((x + r, bottom), (x + k, bottom), (x, bottom - k), (x, bottom - r)),
        ((x, y + r), (x, y + k), (x + k, y), (x + r, y)),
    ]
    drawn = "".join(f" L{_written(corner[:1])} C{_written(corner[1:])}" for corner in corners)
    return f"M{_written([(x + r, y)])}{drawn} Z"


def _star(x: float, y: float, r: float) -> str:
    points = []
    for corner in range(10):
        radius, angle = r * (0.46 if corner % 2 else 1), math.tau * corner / 10 - math.pi / 2
        points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return "M" + " L".join(_written([point]) for point in points) + " Z"


_COW = (
    _mirrored(
        "M12 4.6 C14 4.6 15.4 5 16.6 5.8 C16.6 4.4 17.2 3 18.4 2.2 C19.4 3.6 19.4 5.4 18.4 7"
        " C20.4 6.4 22.4 7 23.4 8.6 C22.4 11.2 20 12.2 17.4 11.4 C17.2 13 17.2 14 17.6 15.4"
        " C18.8 19.6 16 22.6 12 22.6"
    )
    + _circle(9.2, 10.4, 1.2)
    + _circle(14.8, 10.4, 1.2)
    + _circle(10, 18.4, 1.1)
    + _circle(14, 18.4, 1.1)
)
_HORNS = (
    _mirrored(
        "M12 5.4 C14.2 5.4 15.4 7 16.4 7.6 C19 7.4 20.4 6.2 20.2 3.6 C23.2 5.4 24.2 9.4 21.6 12"
        " C20.4 13.2 18.8 13.6 17.2 13.4 C17 15.6 16.4 17.2 15.8 18.8 C15.2 21.4 14 22.6 12 22.6"
    )
    + _circle(9.4, 12.4, 1.1)
    + _circle(14.6, 12.4, 1.1)
)
_CLOVER = _circle(7.6, 7, 4.3) + _circle(16.4, 7, 4.3) + _circle(7.6, 15.6, 4.3) + _circle(16.4, 15.6, 4.3)
_PEAK = "M1.5 21 L8.5 8 L11.8 13.8 L13.6 11.2 L20 21 Z"
_CARD = _box(6, 2.6, 12, 18.8, 2.4)

#: By what they mean. No game is named: several of them use the same signs.
ICONS: Final = {
    "bull": Icon(BULL),
    "horns": Icon(_HORNS),
    "cow": Icon(_COW),
    # Pairs, and one without a partner.
    "even": Icon("".join(_circle(x, y, 3.3) for x in (7, 17) for y in (7, 17))),
    "odd": Icon(_circle(7, 7, 3.3) + _circle(17, 7, 3.3) + _circle(12, 17, 3.3)),
    "peak_up": Icon(_PEAK, "M19.5 11 L19.5 2.6 M16 6 L19.5 2.4 L23 6"),
    "peak_down": Icon(_PEAK, "M19.5 2.4 L19.5 11 M16 7.6 L19.5 11.2 L23 7.6"),
    "twist": Icon(
        line="M4.5 12 C4.5 7.8 7.8 4.5 12 4.5 C14.8 4.5 17.2 6 18.6 8.2 M18.9 3.4 L18.9 8.5 L13.8 8.5"
        " M19.5 12 C19.5 16.2 16.2 19.5 12 19.5 C9.2 19.5 6.8 18 5.4 15.8 M5.1 20.6 L5.1 15.5 L10.2 15.5"
    ),
    "stop": Icon("M8 2 L16 2 L22 8 L22 16 L16 22 L8 22 L2 16 L2 8 Z" + _box(6.4, 10.2, 11.2, 3.6)),
    "seven": Icon(line=_box(4, 2.2, 16, 19.6, 3) + "M8.4 7.4 L15.4 7.4 L10.8 17"),
    "swap": Icon(line="M3.5 8 L20 8 M16 4 L20 8 L16 12 M20.5 16 L4 16 M8 12 L4 16 L8 20"),
    "insert": Icon(line="M12 3 L12 16 M7.8 11.8 L12 16 L16.2 11.8 M3.5 7 L3.5 21 M20.5 7 L20.5 21"),
    "push": Icon(line="M3 18 C3 9.5 7 5.5 11.5 5.5 C16 5.5 18.8 8.6 18.8 15.5 M14.6 11.8 L18.8 16 L23 11.8"),
    "first": Icon(line="M4 4 L4 20 M20.5 12 L9 12 M14 6.8 L8.8 12 L14 17.2"),
    "last": Icon(line="M20 4 L20 20 M3.5 12 L15 12 M10 6.8 L15.2 12 L10 17.2"),
    "sort": Icon(line="M7.5 20.5 L7.5 4 M3.4 8 L7.5 3.8 L11.6 8 M16.5 3.5 L16.5 20 M12.4 16 L16.5 20.2 L20.6 16"),
    "rising": Icon(_box(3, 14, 4.6, 7, 1) + _box(9.7, 9, 4.6, 12, 1) + _box(16.4, 3, 4.6, 18, 1)),
    "skip": Icon(
        line="M3 15 C4.5 8.5 8.5 6 12.5 6 C16 6 18.6 8 20 12 M21.2 6.4 L20.2 12.2 L14.6 10.6 M9.6 19 L14.4 19"
    ),
    "flag": Icon("M6.4 3.6 C10 1.8 13 5.8 19.4 3.6 L19.4 13 C13 15.2 10 11.2 6.4 13 Z", "M5.2 2.6 L5.2 21.6"),
    "two_cards": Icon(
        _box(9.5, 7, 11.5, 15, 2), "M5.6 16.6 L3.6 5.6 C3.5 4.8 4 4.2 4.7 4 L13 2.6 C13.8 2.5 14.4 3 14.6 3.8"
    ),
    "plus_five": Icon(
        line="M2 12.4 L9.6 12.4 M5.8 8.6 L5.8 16.2 M20.4 5 L14.2 5 L13.5 11.2 C15.6 9.8 21.6 10.4 21.6 15"
        " C21.6 19.8 15.4 20.4 12.8 17.6"
    ),
    "plus_bull": Icon(moved(BULL, 0, 6.6, 17), "M19 2 L19 10 M15 6 L23 6"),
    "clover": Icon(_CLOVER, "M12 12 C12.4 16.6 13.8 20 17 22.4"),
    "crown": Icon(_mirrored("M12 3.4 L15.8 10.4 L21.6 6.6 L19.8 17 L12 17") + _box(4.2, 18.6, 15.6, 2.8, 1)),
    "star": Icon(_star(12, 12.8, 11.4)),
    "spark": Icon(_mirrored("M12 1 C12.8 7.6 16.4 11.2 23 12 C16.4 12.8 12.8 16.4 12 23")),
    "card": Icon(_box(6, 3, 12, 6, 2), _CARD),
    "pile": Icon(_box(7.6, 1.9, 13.4, 15.4, 2.4), "M4 6.4 L4 18.4 C4 20 5 21 6.6 21 L16.4 21"),
    "take": Icon(line="M12 2.6 L12 14 M7 9.6 L12 14.6 L17 9.6 M3.4 15.4 L3.4 20.8 L20.6 20.8 L20.6 15.4"),
    "take_tiles": Icon(
        _box(7, 13, 10, 9.4, 2),
        "M12 1.8 L12 9 M8.4 5.8 L12 9.4 L15.6 5.8 M3.4 12 L3.4 22 M20.6 12 L20.6 22",
    ),
    "tile": Icon(line=_box(3.6, 3.6, 16.8, 16.8, 4)),
    "dice": Icon(
        "".join(_circle(x, y, 1.9) for x, y in ((7.6, 7.6), (16.4, 7.6), (12, 12), (7.6, 16.4), (16.4, 16.4))),
        _box(2.6, 2.6, 18.8, 18.8, 4.6),
    ),
    "bull_tile": Icon(moved(BULL, 6, 6, 12), _box(2.6, 2.6, 18.8, 18.8, 4.6)),
    "down": Icon(line="M12 3 L12 20 M5.4 13.6 L12 20.2 L18.6 13.6"),
}


class Kind(NamedTuple):
    """A kind of cards with a sign instead of a number: its paint, and the emblem in its band."""

    paint: str
    emblem: str


KINDS: Final = {
    "coloured": Kind("#e4dac6", "bull"),
    "fan": Kind("#0b6e69", "spark"),
    "special": Kind("#2f4a8c", "horns"),
    "luck": Kind("#2d7a33", "clover"),
    "action": Kind("#a3296f", "star"),
}
