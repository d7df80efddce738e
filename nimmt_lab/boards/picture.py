"""A frame as SVG, for print, slides and readers without a running kernel. Hidden hands stay hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from nimmt_lab.engine.draw import CARD_HEIGHT, CARD_WIDTH, GAP
from nimmt_lab.engine.inflect import fill
from nimmt_lab.engine.pieces import (
    Bulls,
    back_svg,
    card_svg,
    coloured_svg,
    field_svg,
    icon_svg,
    place_svg,
    sign_card_svg,
    taking_svg,
    tile_svg,
    wide,
)  # fmt: skip
from nimmt_lab.engine.shapes import FELT, FELT_INK, FELT_LANE, KINDS, ON_FELT

__all__ = [
    "WIDTH",
    "Scene",
    "board_drawing",
    "board_svg",
    "box_svg",
    "drawn_card",
    "fallback",
    "small_card",
    "svg",
    "text_svg",
]


INK = "#1b1f23"
MUTED = "#4d5660"
RULE = "#c3cad1"
#: Tint and pattern of each row; the pattern distinguishes rows without colour.
TINTS = (
    "#cfe3f7", "#fbe2b6", "#cdeede", "#f6d3e6", "#e3dbf7", "#f3f0b8", "#c9eef2", "#f7d4cc", "#dfe3e6", "#e3efc4",
)  # fmt: skip
_HATCH = ("", "M-1 7 L7 -1 M-1 1 L1 -1 M5 7 L7 5", "M3 2.2 v1.6 M2.2 3 h1.6", "M0 3 H6", "M-1 -1 L7 7 M-1 5 L1 7")
LEFT = 34
WIDTH = 640
MARGIN = 12

Scene = Mapping[str, Any]


def text_svg(
    x: float, y: float, text: object, *, size: float = 12, fill: str = INK, bold: bool = False, anchor: str = "start"
) -> str:
    """A text with its base line at `y`."""
    look = f'font-size="{size:g}" fill="{fill}" text-anchor="{anchor}" font-weight="{700 if bold else 400}"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(str(text))}</text>'


def box_svg(x: float, y: float, width: float, height: float, **look: str) -> str:
    """A rectangle; `look` are its other attributes, with underscores for hyphens."""
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in look.items())
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{extra}/>'


def _patterns() -> str:
    parts = []
    for row, tint in enumerate(TINTS):
        hatch = f'<path d="{_HATCH[row % 5]}" stroke="{INK}" stroke-opacity=".25" fill="none"/>' if row % 5 else ""
        parts.append(
            f'<pattern id="nl-row-{row}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f'<rect width="6" height="6" fill="{tint}"/>{hatch}</pattern>'
        )
    return f"<defs>{''.join(parts)}</defs>"


def _apart(middles: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Spread labels from left to right around their places, without overlap and on the page.

    >>> _apart([100.0, 300.0, 310.0], [20, 20, 20]), _apart([620.0, 630.0], [16, 24])
    ([100.0, 295.0, 315.0], [604.0, 624.0])
    """
    right, left = list(middles), list(middles)
    for at in range(1, len(middles)):
        right[at] = max(right[at], right[at - 1] + (widths[at - 1] + widths[at]) / 2)
    for at in reversed(range(len(middles) - 1)):
        left[at] = min(left[at], left[at + 1] - (widths[at] + widths[at + 1]) / 2)
    # Halfway between pushing all to the right and all to the left, closest to their places.
    spread = [sum(pair) / 2 for pair in zip(right, left, strict=True)]
    edge = WIDTH - 4.0
    for at in reversed(range(len(spread))):
        spread[at] = min(spread[at], edge - widths[at] / 2)
        edge = spread[at] - widths[at] / 2
    return spread


def drawn_card(scene: Scene, card: int, x: float = 0, y: float = 0, *, width: float = CARD_WIDTH) -> str:
    """A card or tile of a scene."""
    faces = scene["faces"]
    colours = faces.get("colours", {}).get(str(card))
    if colours is not None:
        bulls = [Bulls(one["letter"], one["ink"], one["fill"], one["count"]) for one in colours]
        return coloured_svg(card, bulls, x, y, width=width)
    draw = tile_svg if faces.get("shape") == "tile" else card_svg
    return draw(card, x, y, count=faces["heads"].get(str(card), 0), lang=scene["lang"], width=width)


class _Page:
    """A picture under construction."""

    def __init__(self, scene: Scene, frame: Mapping[str, Any], *, paper: bool = True) -> None:
        self.scene = scene
        #: Colours of text beside the board: dark on paper, else those of the page around the picture.
        self.ink, self.muted = (INK, MUTED) if paper else ("currentColor", "currentColor")
        self.frame = frame
        self.pool: Sequence[Any] = scene["pool"]
        self.labels: Mapping[str, str] = scene["labels"]
        self.parts: list[str] = []
        self.y = float(MARGIN)

    @property
    def tiles(self) -> bool:
        return bool(self.scene["faces"].get("shape") == "tile")

    def high(self, width: float) -> float:
        """The height of a card or a tile of that width."""
        return width if self.tiles else width * CARD_HEIGHT / CARD_WIDTH

    def card(self, card: int, x: float, y: float, width: float = CARD_WIDTH) -> str:
        return drawn_card(self.scene, card, x, y, width=width)

    def sign(self, sign: Mapping[str, Any], x: float, y: float, size: float, fill: str = INK) -> float:
        """Add a sign with its pictogram, on a base line. Return where it ends."""
        if "icon" not in sign:
            self.parts.append(text_svg(x, y, sign["sign"], size=size, fill=fill, bold=True))
            return x + wide(sign["sign"], size)
        before, after = sign.get("before", ""), sign.get("after", "")
        if before:
            self.parts.append(text_svg(x, y, before, size=size, fill=fill, bold=True))
            x += wide(before, size) + 1
        self.parts.append(icon_svg(sign["icon"], x, y - size, size=size * 1.15, colour=fill))
        x += size * 1.15 + 2
        if after:
            self.parts.append(text_svg(x, y, after, size=size, fill=fill, bold=True))
            x += wide(after, size)
        return x

    def wrapped(self, text: str, *, size: float = 13, fill: str = "", bold: bool = False, x: float = MARGIN) -> None:
        """Add text, wrapped."""
        fill = fill or self.ink
        room = int((WIDTH - x - MARGIN) / (size * 0.54))
        line = ""
        for word in [*text.split(), ""]:
            if line and (not word or len(line) + 1 + len(word) > room):
                self.y += size * 1.35
                self.parts.append(text_svg(x, self.y, line, size=size, fill=fill, bold=bold))
                line = word
            else:
                line = f"{line} {word}".strip()

    def felt(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add the table with its rows."""
        behind = len(self.parts)
        top = self.y
        self.y += 5
        for row, data in enumerate(rows):
            self.row(row, data)
        look = {"rx": "12", "fill": FELT}
        self.parts.insert(behind, box_svg(MARGIN, top, WIDTH - 2 * MARGIN, self.y - top + 2, **look))

    def row(self, row: int, data: Mapping[str, Any]) -> None:
        cards, fields = data["cards"], data.get("fields")
        places = max(data["places"], len(cards))
        taken = len(data["lost"]) + 1 if data["takes"] and not fields else 0
        step = min(CARD_WIDTH + GAP, (WIDTH - LEFT - 150) / max(places + taken, 1))
        width = step - GAP if step == CARD_WIDTH + GAP else step - 3
        high = self.high(width)
        y, middle = self.y + 3, self.y + 3 + high / 2 + 5
        self.parts.append(box_svg(MARGIN + 5, self.y, WIDTH - 2 * MARGIN - 10, high + 6, rx="9", fill=FELT_LANE))
        self.parts.append(box_svg(MARGIN + 11, middle - 15, 20, 20, rx="6", fill=f"url(#nl-row-{row % 10})"))
        self.parts.append(text_svg(MARGIN + 21, middle, row + 1, size=13, bold=True, anchor="middle"))
        x = LEFT + 18.0
        for place in range(places):
            if place < len(cards) and cards[place]:
                self.parts.append(self.card(cards[place], x, y, width))
            elif fields:
                field = fields[place]
                text = field.get("before", "" if "icon" in field else field["sign"])
                look = {"width": width, "title": field["text"]}
                self.parts.append(field_svg(field["kind"], field.get("icon", ""), text, x, y, **look))
            else:
                self.parts.append(place_svg(x, y, width=width, tile=self.tiles))
            x += step
        if taken:
            for lost in data["lost"]:
                if "icon" in lost:
                    self.parts.append(sign_card_svg("fan", lost["icon"], x, y, width=width, title=lost["text"]))
                else:
                    self.parts.append(
                        text_svg(x + width / 2, middle, lost["sign"], size=20, fill=FELT_INK, anchor="middle")
                    )
                x += step
            look = {"width": width, "lang": self.scene["lang"], "on": ON_FELT}
            self.parts.append(taking_svg(data["takes"], x, y, **look))
            x += step
        heads = {"sign": f"♉{data['heads']}", "icon": "bull", "after": f"{data['heads']}"}
        x = self.sign(heads, x + 4, middle, 13, FELT_INK) + 10
        for note in data["notes"]:
            x = self.sign(note, x, middle, 12, FELT_INK) + 3
            self.parts.append(text_svg(x, middle, note["text"], size=12, fill=FELT_INK))
            x += wide(note["text"], 12) + 8
        self.y += high + 9

    def line(self) -> None:
        """Add the number line across the page."""
        zones = self.pool[self.frame["zones"]]
        if not zones:
            return
        first, last = map(int, self.scene["deck"])
        cell = (WIDTH - 2 * MARGIN) / (last - first + 1)
        top = self.y + 12

        def x(value: int) -> float:
            return MARGIN + (value - first) * cell

        rows = [self.pool[at] for at in self.frame["rows"]]
        for start, end, row in zones:
            look = {"fill": f"url(#nl-row-{row % 10})" if row >= 0 else "#ffffff", "stroke": RULE, "stroke_width": ".6"}
            self.parts.append(box_svg(x(start), top, x(end + 1) - x(start), 18, **look))
            room = x(end + 1) - x(start)
            text = self.labels["row"].format(row=row + 1) if row >= 0 else self.labels["low_zone"]
            if room > 7 * len(text):
                self.parts.append(text_svg(x(start) + room / 2, top + 13, text, size=11, anchor="middle"))
            elif row >= 0 and room > 9:
                self.parts.append(text_svg(x(start) + room / 2, top + 13, row + 1, size=11, anchor="middle"))
        ends = sorted(cards[-1] for data in rows if (cards := [card for card in data["cards"] if card]))
        middles = [x(end) + cell / 2 for end in ends]
        labels = _apart(middles, [8 * len(str(end)) for end in ends])
        for end, middle, label in zip(ends, middles, labels, strict=True):
            self.parts.append(f'<path d="M{middle:g} {top - 3:g} v24" stroke="{self.ink}" stroke-width="2"/>')
            self.parts.append(text_svg(label, top + 32, end, size=11, fill=self.ink, bold=True, anchor="middle"))
        self.y = top + 36

    def cards_of(
        self,
        text: str,
        cards: Iterable[int],
        backs: Sequence[str] = (),
        badges: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """Add a caption with badges and a row of small cards, and cards face down, each with its back."""
        y, cards, badges = self.y + 4, list(cards), list(badges)
        self.parts.append(text_svg(MARGIN, y + (14 if badges else 20), text, size=12, fill=self.ink, bold=True))
        at = float(MARGIN)
        for badge in badges:
            at = self.sign(badge, at, y + 30, 11, self.muted) + 6
        x, width = 150.0, CARD_WIDTH * 0.62
        for card in cards:
            self.parts.append(self.card(card, x, y, width))
            x += width + 3
            if x > WIDTH - MARGIN - width:
                x, y = 150.0, y + self.high(width) + 3
        for back in backs:
            self.parts.append(back_svg(back, x, y, width=width))
            x += width + 3
        self.y = y + max(self.high(width) if cards or backs else 22, 32 if badges else 0) + 2

    def items(self, panel: Mapping[str, Any]) -> None:
        """Add the things of a panel: its cards with signs as small cards, then all of them in words."""
        items = panel.get("items", [])
        if not items:
            return
        words = [item["text"] if "icon" in item else f"{item.get('sign', '')} {item['text']}".strip() for item in items]
        self.wrapped(f"{panel['title']}: {', '.join(words)}", size=12)
        faces = [face for item in items for face in item.get("faces", [])]
        faces += [item for item in items if item.get("kind") in KINDS and "icon" in item]
        x, width = float(MARGIN), CARD_WIDTH * 0.62
        for face in faces:
            look = {"width": width, "title": face["text"]}
            self.parts.append(sign_card_svg(face["kind"], face["icon"], x, self.y + 6, **look))
            x += width + 3
        if faces:
            self.y += width * CARD_HEIGHT / CARD_WIDTH + 8


def svg(scene: Scene, at: int = -1, *, paper: bool = True) -> str:
    """Draw frame `at` of a scene as an SVG document on white `paper`, or with nothing behind it and with text in the
    colour of the page around it, for light and dark notebooks."""
    frame = scene["frames"][at]
    page = _Page(scene, frame, paper=paper)
    pool, labels = page.pool, page.labels
    game = scene["game"]
    turn = min(frame["turn"], game["turns"])
    when = labels["over"] if frame["over"] else fill(labels["turn_only"], {"turn": turn, "turns": game["turns"]}, "en")
    page.wrapped(f"{game['title']} · {when}", bold=True)
    if frame["text"]:
        page.wrapped(frame["text"])
    page.y += 4
    page.felt([pool[place] for place in frame["rows"]])
    names = {seat["seat"]: seat["name"] for seat in scene["seats"]}
    queue = pool[frame["queue"]]
    if queue:
        page.cards_of(labels["queue"], [play["card"] for play in queue])
        whose = " · ".join(f"{names.get(play['seat'], '?')} {play['card']}" for play in queue)
        page.wrapped(whose, size=11, fill=page.muted)
    for panel in pool[frame["panels"]]:
        if panel.get("cards"):
            page.cards_of(panel["title"], panel["cards"])
        page.items(panel)
    page.line()
    for seat, place in zip(scene["seats"], frame["seats"], strict=True):
        data = pool[place]
        points = "" if data["points"] is None else f" ({data['points']})"
        faces = scene["faces"]
        back = faces.get("backs", {}).get(str(seat["seat"]), faces.get("shape", "card"))
        hidden = [back] * data["count"] if data["hand"] is None else []
        page.cards_of(f"{seat['name']}{points}"[:22], data["hand"] or [], hidden, data["badges"])
    height = page.y + MARGIN
    behind = f'<rect width="{WIDTH}" height="{height:g}" fill="#ffffff"/>' if paper else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" '
        f'role="img" aria-label="{escape(_words(scene, frame))}" font-family="system-ui, DejaVu Sans, sans-serif">'
        f"{_patterns()}{behind}{''.join(page.parts)}</svg>"
    )


def board_drawing(scene: Scene, at: int = -1) -> tuple[str, float, float]:
    """The rows of frame `at` on felt, from (0, 0) on, with their width and height."""
    page = _Page(scene, scene["frames"][at])
    page.y = 0
    page.felt([scene["pool"][place] for place in page.frame["rows"]])
    drawn = f'{_patterns()}<g transform="translate({-MARGIN} 0)">{"".join(page.parts)}</g>'
    return drawn, WIDTH - 2 * MARGIN, page.y + 4


def board_svg(scene: Scene, at: int = -1, width: int = 460) -> str:
    """Draw the rows of frame `at` only, on felt, with nothing behind them."""
    drawn, wide, high = board_drawing(scene, at)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{width}" '
        f'style="max-width:100%;height:auto" role="img" aria-label="{escape(_words(scene, scene["frames"][at]))}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif">{drawn}</svg>'
    )


def small_card(scene: Scene, card: int, width: float = 26) -> str:
    """A card of a scene by itself, in a line of text."""
    high = width if scene["faces"].get("shape") == "tile" else width * CARD_HEIGHT / CARD_WIDTH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{high:g}" role="img" aria-label="{card}" '
        f'style="vertical-align:middle" font-family="system-ui, DejaVu Sans, sans-serif">'
        f"{drawn_card(scene, card, width=width)}</svg>"
    )


def _words(scene: Scene, frame: Mapping[str, Any]) -> str:
    """Alternative text."""
    label = scene["labels"]["row"]
    rows = [" ".join(str(card) for card in scene["pool"][at]["cards"] if card) for at in frame["rows"]]
    text = "; ".join(f"{label.format(row=row + 1)}: {cards}" for row, cards in enumerate(rows))
    return f"{scene['game']['title']}. {text}. {frame['text']}".strip()


def fallback(scene: Scene, at: int) -> str:
    """Static view for a notebook without a kernel: the picture and the story so far."""
    lines = "".join(f"<li>{escape(frame['text'])}</li>" for frame in scene["frames"][: at + 1][-60:] if frame["text"])
    log = f"<details><summary>{escape(scene['labels']['log'])}</summary><ol>{lines}</ol></details>" if lines else ""
    return f'<div class="nimmt-fallback" style="max-width:100%;overflow-x:auto">{svg(scene, at)}{log}</div>'
