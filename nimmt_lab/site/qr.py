"""QR codes for addresses that a class scans from the board.

Byte mode, error correction level M (15%), versions 1 to 10, the best of the eight masks. Addresses of more than 213
bytes are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from nimmt_lab.engine.errors import RulesError

#: For versions 1 to 10 at level M: correction bytes per block, then (number of blocks, data bytes in each).
BLOCKS: Final = (
    (10, ((1, 16),)), (16, ((1, 28),)), (26, ((1, 44),)), (18, ((2, 32),)), (24, ((2, 43),)), (16, ((4, 27),)),
    (18, ((4, 31),)), (22, ((2, 38), (2, 39))), (22, ((3, 36), (2, 37))), (26, ((4, 43), (1, 44))),
)  # fmt: skip
#: Centres of the alignment patterns, by version.
ALIGNED: Final[tuple[tuple[int, ...], ...]] = (
    (), (6, 18), (6, 22), (6, 26), (6, 30), (6, 34), (6, 22, 38), (6, 24, 42), (6, 26, 46), (6, 28, 50),
)  # fmt: skip
MASKS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
)

# The field GF(256): powers of 2 modulo x^8 + x^4 + x^3 + x^2 + 1.
_POWER = [1]
for _ in range(254):
    _POWER.append((_POWER[-1] << 1) ^ (0x11D if _POWER[-1] & 0x80 else 0))
_LOG = {value: at for at, value in enumerate(_POWER)}


def times(left: int, right: int) -> int:
    """Multiply in GF(256).

    >>> times(2, 0x80), times(0, 7)
    (29, 0)
    """
    return _POWER[(_LOG[left] + _LOG[right]) % 255] if left and right else 0


def correction(data: Sequence[int], count: int) -> list[int]:
    """Reed-Solomon correction bytes."""
    divisor = [1]
    for at in range(count):
        longer = [*divisor, 0]
        for place, value in enumerate(divisor):
            longer[place + 1] ^= times(value, _POWER[at])
        divisor = longer
    rest = [*data, *[0] * count]
    for at in range(len(data)):
        if lead := rest[at]:
            for place, value in enumerate(divisor):
                rest[at + place] ^= times(value, lead)
    return rest[len(data) :]


def _version(size: int) -> int:
    for version, (_, groups) in enumerate(BLOCKS, 1):
        room = sum(count * length for count, length in groups)
        if size + (2 if version < 10 else 3) <= room:
            return version
    raise RulesError("site.address_long", size=size)


def _words(content: bytes, version: int) -> list[int]:
    """The codewords to draw: data blocks interleaved, then their correction bytes interleaved."""
    extra, groups = BLOCKS[version - 1]
    room = sum(count * length for count, length in groups)
    bits = f"0100{len(content):0{8 if version < 10 else 16}b}" + "".join(f"{byte:08b}" for byte in content)
    bits += "0" * min(4, 8 * room - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    data += [(0xEC, 0x11)[at % 2] for at in range(room - len(data))]
    blocks, at = [], 0
    for count, length in groups:
        for _ in range(count):
            blocks.append(data[at : at + length])
            at += length
    checks = [correction(block, extra) for block in blocks]
    longest = max(map(len, blocks))
    data_words = [block[place] for place in range(longest) for block in blocks if place < len(block)]
    return data_words + [check[place] for place in range(extra) for check in checks]


class _Square:
    def __init__(self, version: int) -> None:
        self.size = 17 + 4 * version
        self.dark = [[False] * self.size for _ in range(self.size)]
        #: Modules that carry no data.
        self.fixed = [[False] * self.size for _ in range(self.size)]
        for row, column in ((0, 0), (0, self.size - 7), (self.size - 7, 0)):
            self._rings(row + 3, column + 3, 4, 3)
        for at in range(8, self.size - 8):
            self.put(6, at, at % 2 == 0)
            self.put(at, 6, at % 2 == 0)
        centres = ALIGNED[version - 1]
        for row in centres:
            for column in centres:
                if (row, column) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):  # finder patterns
                    self._rings(row, column, 2, 2)
        for at in range(9):  # reserved for the format, which is written last
            for row, column in ((8, at), (at, 8), (8, self.size - 1 - at), (self.size - 1 - at, 8)):
                if not self.fixed[row][column] and (at < 8 or (row, column) == (8, 8)):
                    self.put(row, column, False)
        self.put(self.size - 8, 8, True)
        if version >= 7:
            word = _checked(version, 12, 0x1F25)
            for at in range(18):
                for row, column in ((at // 3, self.size - 11 + at % 3), (self.size - 11 + at % 3, at // 3)):
                    self.put(row, column, bool(word >> at & 1))

    def put(self, row: int, column: int, dark: bool) -> None:
        self.dark[row][column], self.fixed[row][column] = dark, True

    def _rings(self, row: int, column: int, reach: int, edge: int) -> None:
        """Concentric squares with a light border."""
        for down in range(-reach, reach + 1):
            for across in range(-reach, reach + 1):
                if 0 <= row + down < self.size and 0 <= column + across < self.size:
                    far = max(abs(down), abs(across))
                    self.put(row + down, column + across, far <= edge and far != edge - 1)

    def places(self) -> list[tuple[int, int]]:
        """Data modules in order: column pairs from the right, alternately upwards and downwards."""
        places = []
        for turn, right in enumerate(column - (column <= 6) for column in range(self.size - 1, 0, -2)):
            rows = range(self.size - 1, -1, -1) if turn % 2 == 0 else range(self.size)
            places += [(row, column) for row in rows for column in (right, right - 1) if not self.fixed[row][column]]
        return places

    def format(self, mask: int) -> None:
        word = _checked(mask, 10, 0x537) ^ 0x5412  # level M is 00, followed by the mask number
        for at in range(15):
            dark = bool(word >> at & 1)
            if at < 8:
                self.dark[8][self.size - 1 - at] = dark
                self.dark[at + (at > 5)][8] = dark
            else:
                self.dark[self.size - 15 + at][8] = dark
                self.dark[8][15 - at - (at > 8)] = dark

    def badness(self) -> int:
        """Penalty score: long runs, blocks, patterns like a finder, an uneven share of dark modules."""
        lines = [*self.dark, *[[*column] for column in zip(*self.dark, strict=True)]]
        bad = 0
        for line in lines:
            text = "".join("#" if dark else "." for dark in line)
            for colour in "#.":
                for run in filter(None, text.replace("." if colour == "#" else "#", " ").split()):
                    bad += len(run) - 2 if len(run) >= 5 else 0
            bad += 40 * sum(text[at : at + 11] in ("#.###.#....", "....#.###.#") for at in range(len(text)))
        for row in range(self.size - 1):
            for column in range(self.size - 1):
                block = {self.dark[row + down][column + across] for down in (0, 1) for across in (0, 1)}
                bad += 3 * (len(block) == 1)
        share = 100 * sum(map(sum, self.dark)) / self.size**2
        return bad + 10 * int(abs(share - 50) / 5)


def _checked(value: int, count: int, divisor: int) -> int:
    """A number followed by its BCH remainder of `count` bits."""
    rest = value << count
    while rest.bit_length() > count:
        rest ^= divisor << (rest.bit_length() - count - 1)
    return value << count | rest


def code(text: str) -> list[list[bool]]:
    """The modules row by row, True for dark. Draw it with a light border of four modules.

    >>> len(code("http://lab.school/"))
    25
    """
    content = text.encode()
    version = _version(len(content))
    bits = "".join(f"{word:08b}" for word in _words(content, version))
    squares = []
    for number, mask in enumerate(MASKS):
        square = _Square(version)
        for at, (row, column) in enumerate(square.places()):
            dark = at < len(bits) and bits[at] == "1"
            square.dark[row][column] = dark ^ mask(row, column)
        square.format(number)
        squares.append(square)
    return min(squares, key=_Square.badness).dark


def svg(text: str) -> str:
    square = code(text)
    size = len(square) + 8
    dark = "".join(
        f"M{column + 4} {row + 4}h1v1h-1z" for row, line in enumerate(square) for column, one in enumerate(line) if one
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{dark}" fill="#000"/></svg>'
    )
