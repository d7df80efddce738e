"""Cards, tiles, backs and pictograms as SVG, for print, still pictures and documentation.

They are drawn from the tables of `shapes`, as are those of the screens. Every function returns a group, in a frame of
its own, which a caller puts on its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from . import shapes as art
from .cards import Card, heads
from .draw import CARD_WIDTH, plural
from .sentences import Phrase
from .shapes import HEIGHT, WIDTH, bulls_path, class_colour, hatch, moved, spots

__all__ = [
    "Bulls", "back_svg", "card_svg", "coloured_svg", "field_svg", "icon_svg", "place_svg", "sign_card_svg",
    "taking_svg", "tile_svg", "wide",
]  # fmt: skip

_BAND = art.BAND * HEIGHT


class Bulls(NamedTuple):
    """Bulls of one colour on a card: their letter, its colour, the paint, and how many there are."""

    letter: str
    ink: str
    fill: str
    number: int


def _piece(title: str, body: str, x: float, y: float, width: float) -> str:
    named = f"<title>{escape(title)}</title>" if title else ""
    return f'<g transform="translate({x:g} {y:g}) scale({width / WIDTH:g})">{named}{body}</g>'


def _paper(height: float = HEIGHT, rounded: float = art.ROUND, fill: str = art.CARD) -> str:
    return f'<rect width="{WIDTH}" height="{height:g}" rx="{rounded:g}" fill="{fill}"/>'


def _edge(height: float = HEIGHT, rounded: float = art.ROUND, colour: str = art.EDGE) -> str:
    inside = f'width="{WIDTH - 1.5:g}" height="{height - 1.5:g}" rx="{rounded - 0.75:g}"'
    return f'<rect x=".75" y=".75" {inside} fill="none" stroke="{colour}" stroke-width="1.5"/>'


def _band(colour: str, height: float = _BAND, rounded: float = art.ROUND) -> str:
    r, right = rounded, WIDTH
    path = f"M0 {height:g}V{r}A{r} {r} 0 0 1 {r} 0H{right - r}A{r} {r} 0 0 1 {right} {r}V{height:g}Z"
    return f'<path d="{path}" fill="{colour}"/>'


def _bulls(count: int) -> str:
    drawn = f'<path class="nl-bulls" d="{bulls_path(count)}" fill="#fff"/>' if count else ""
    if count > art.MOST:
        look = 'font-size="26" font-weight="900" letter-spacing="-.03em" fill="#fff"'
        drawn += f'<text x="44" y="{_BAND / 2 + 9:g}" {look}>×{count}</text>'
    return drawn


def _figure(text: object, size: float, top: float, bottom: float, ink: str = art.INK) -> str:
    # Where a browser puts the base line of a text that it centres.
    look = f'text-anchor="middle" font-size="{size:g}" font-weight="900" letter-spacing="-.03em" fill="{ink}"'
    return f'<text x="{WIDTH / 2:g}" y="{(top + bottom) / 2 + size * 0.348:g}" {look}>{escape(str(text))}</text>'


def _figure_size(card: Card, size: float = art.FIGURE, long: float = art.LONG_FIGURE) -> float:
    return long if card > 99 else size


def card_svg(
    card: Card,
    x: float = 0,
    y: float = 0,
    *,
    count: int | None = None,
    lang: str = "en",
    width: float = CARD_WIDTH,
) -> str:
    """A card with its top left corner at (x, y), titled in a language. `count` overrides the printed number of heads.

    >>> "55, 7 heads" in card_svg(55)
    True
    """
    count = heads(card) if count is None else count
    body = (
        f"{_paper()}{_band(class_colour(count))}{_bulls(count)}"
        f"{_figure(card, _figure_size(card), _BAND, HEIGHT)}{_edge()}"
    )
    return _piece(f"{card}, {plural(count, 'heads', lang)}", body, x, y, width)


def tile_svg(tile: Card, x: float = 0, y: float = 0, *, count: int, lang: str = "en", width: float = CARD_WIDTH) -> str:
    """A tile of a board, square and thicker than a card."""
    small, top = art.TILE_BAND / _BAND, WIDTH - art.TILE_EDGE
    body = (
        f'<rect width="{WIDTH}" height="{WIDTH}" rx="{art.TILE_ROUND}" fill="{art.EDGE}"/>'
        f"{_paper(top, art.TILE_ROUND)}{_band(class_colour(count), art.TILE_BAND, art.TILE_ROUND)}"
        f'<g transform="translate({(1 - small) * WIDTH / 2:.4g} 0) scale({small:.4g})">{_bulls(count)}</g>'
        f"{_figure(tile, _figure_size(tile, art.TILE_FIGURE, art.LONG_FIGURE), art.TILE_BAND, top)}"
        f"{_edge(WIDTH, art.TILE_ROUND)}"
    )
    return _piece(f"{tile}, {plural(count, 'heads', lang)}", body, x, y, width)


def coloured_svg(card: Card, bulls: Sequence[Bulls], x: float = 0, y: float = 0, *, width: float = CARD_WIDTH) -> str:
    """A card whose bulls have colours: each is painted, and has its letter on the face."""
    painted = [(one, one.letter) for one in bulls for _ in range(one.number)]
    if len(painted) > art.MOST:
        painted = [(one, f"{one.number}{one.letter}") for one in bulls]
    drawn = []
    for (one, text), spot in zip(painted, spots(len(painted), **art.COLOURED_BAND), strict=True):
        drawn.append(
            f'<path class="nl-bulls" d="{moved(art.HORNED, *spot)}" fill="{one.fill}" stroke="{art.INK}" '
            f'stroke-width="{art.OUTLINE}"/>'
            f'<text x="{spot.x + spot.size / 2:g}" y="{spot.y + spot.size * art.LETTER.middle:g}" text-anchor="middle" '
            f'font-size="{spot.size * art.LETTER.size * (1 if len(text) == 1 else 0.7):g}" font-weight="800" '
            f'fill="{one.ink}">{escape(text)}</text>'
        )
    top = art.COLOURED_BAND["height"]
    figure = _figure(card, _figure_size(card, art.COLOURED_FIGURE, art.LONG_FIGURE), top, HEIGHT)
    band = _band(art.KINDS["coloured"].paint, top)
    title = f"{card}, {', '.join(f'{one.letter} {one.number}' for one in bulls)}"
    return _piece(title, f"{_paper()}{band}{''.join(drawn)}{figure}{_edge()}", x, y, width)


def back_svg(kind: str, x: float = 0, y: float = 0, *, width: float = CARD_WIDTH) -> str:
    """The back of a card or a tile, hatched, with its sign in the middle."""
    return _piece("", back_body(kind), x, y, width)


def back_body(kind: str) -> str:
    """The back, in a frame of 100 × 140 (a tile's is square)."""
    paint, sign, tile = art.BACKS[kind]
    height, rounded = (WIDTH, art.TILE_ROUND) if tile else (HEIGHT, art.ROUND)
    middle, r = height / 2, art.MEDAL
    drawn = moved(art.ICONS[sign].fill, WIDTH / 2 - r * 0.72, middle - r * 0.72, r * 1.44)
    medal = (
        f'<circle cx="{WIDTH / 2:g}" cy="{middle:g}" r="{r}" fill="{paint}" stroke="{art.CARD}" stroke-width="3"/>'
        f'<path d="{drawn}" fill="{art.CARD}" fill-rule="evenodd"/>'
    )
    return (
        f"{_paper(height, rounded)}"
        f'<rect x="6" y="6" width="{WIDTH - 12}" height="{height - 12:g}" rx="{rounded - 4}" fill="{paint}"/>'
        f'<path d="{hatch(11, height)}" stroke="#fff" stroke-opacity=".22" stroke-width="4"/>'
        f"{medal}{_edge(height, rounded)}"
    )


def icon_svg(name: str, x: float = 0, y: float = 0, *, size: float = art.BOX, colour: str = "currentColor") -> str:
    """A pictogram in a square of `size`.

    >>> icon_svg("stop", size=12).count("<path")
    1
    """
    icon = art.ICONS[name]
    parts = []
    if icon.fill:
        parts.append(f'<path d="{icon.fill}" fill="{colour}" fill-rule="evenodd"/>')
    if icon.line:
        parts.append(
            f'<path d="{icon.line}" fill="none" stroke="{colour}" stroke-width="{art.PEN:g}" stroke-linecap="round" '
            'stroke-linejoin="round"/>'
        )
    return f'<g transform="translate({x:g} {y:g}) scale({size / art.BOX:g})">{"".join(parts)}</g>'


def sign_card_body(kind: str, icon: str) -> str:
    paint, emblem = art.KINDS[kind]
    size = 60.0
    return (
        f"{_paper()}{_band(paint)}{icon_svg(emblem, 35.5, _BAND / 2 - 14.5, size=29, colour='#fff')}"
        f"{icon_svg(icon, (WIDTH - size) / 2, (_BAND + HEIGHT - size) / 2, size=size, colour=paint)}{_edge()}"
    )


def sign_card_svg(
    kind: str, icon: str, x: float = 0, y: float = 0, *, width: float = CARD_WIDTH, title: str = ""
) -> str:
    """A card that does something instead of having a number: its kind in the band, what it does below."""
    return _piece(title, sign_card_body(kind, icon), x, y, width)


# Places on the table ---------------------------------------------------------------------------------------


def place_svg(x: float, y: float, *, width: float = CARD_WIDTH, tile: bool = False, fill: str = art.FELT_PLACE) -> str:
    """An empty place of a row; on paper, without a fill, its outline."""
    height, rounded = (WIDTH, art.TILE_ROUND) if tile else (HEIGHT, art.ROUND)
    if fill != "none":
        return _piece("", _paper(height, rounded, fill), x, y, width)
    outline = f'width="{WIDTH - 4}" height="{height - 4}" rx="{rounded - 2}" fill="none"'
    look = 'stroke="currentColor" stroke-opacity=".4" stroke-width="2.5" stroke-dasharray="7 7"'
    return _piece("", f'<rect x="2" y="2" {outline} {look}/>', x, y, width)


def taking_svg(
    number: int, x: float, y: float, *, width: float = CARD_WIDTH, lang: str = "en", on: art.Stripes = art.ON_PAPER
) -> str:
    """The hatched place of the card that takes the row, with its number."""
    ground, lines, ink = on
    body = (
        f"{_paper(fill=ground)}"
        f'<path d="{hatch(2, HEIGHT, 22)}" stroke="{lines}" stroke-width="10"/>'
        f"{_edge(colour=lines)}{_figure(number, 40, 0, HEIGHT, ink)}"
    )
    return _piece(Phrase("drawn.notch", number=number).translate(lang), body, x, y, width)


def field_svg(
    kind: str,
    icon: str = "",
    before: str = "",
    x: float = 0,
    y: float = 0,
    *,
    width: float = CARD_WIDTH,
    title: str = "",
) -> str:
    """A field of a board: what it does as a number before a pictogram, or either."""
    paint = art.FIELDS[kind]
    dash = f' stroke-dasharray="{paint.dash}"' if paint.dash else ""
    edge = "" if kind == "plain" else f' stroke="{paint.ink}" stroke-width="5"{dash}'
    size, square = (32, 38) if before else (0, 52)
    if not icon:
        size, square = 42, 0
    left = (WIDTH - wide(before, size) - square) / 2
    look = f'font-size="{size}" font-weight="800" fill="{paint.ink}"'
    words = f'<text x="{left:g}" y="{50 + size * 0.36:g}" {look}>{escape(before)}</text>' if before else ""
    x_of = left + wide(before, size)
    drawn = icon_svg(icon, x_of, 50 - square / 2, size=square, colour=paint.ink) if icon else ""
    box = f'<rect x="3" y="3" width="94" height="94" rx="{art.TILE_ROUND - 2}" fill="{paint.ground}"{edge}/>'
    return _piece(title, f"{box}{words}{drawn}", x, y, width)


def wide(text: str, size: float) -> float:
    """About how wide a text is.

    >>> wide("+2", 10)
    13.8
    """
    return round(len(text) * size * 0.69, 1)
