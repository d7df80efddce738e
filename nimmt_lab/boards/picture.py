"""A frame as a still picture: SVG for print, for slides, and for readers who have no kernel running.

Drawn from the same frame the browser draws, so it shows no more than that: hidden hands stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from nimmt_lab.engine.draw import CARD_HEIGHT, CARD_WIDTH, GAP, card_svg

__all__ = [
    "ACCENT",
    "HAZARD",
    "HAZARD_BG",
    "INK",
    "LEFT",
    "MARGIN",
    "MUTED",
    "RULE",
    "TINTS",
    "WIDTH",
    "Scene",
    "fallback",
    "svg",
]


INK = "#1b1f23"
MUTED = "#4d5660"
RULE = "#c3cad1"
HAZARD = "#8a4b00"
HAZARD_BG = "#fff3dc"
ACCENT = "#00568a"
#: A row's tint, in the lane and on the number line; the pattern tells rows apart without colour.
TINTS = (
    "#cfe3f7", "#fbe2b6", "#cdeede", "#f6d3e6", "#e3dbf7", "#f3f0b8", "#c9eef2", "#f7d4cc", "#dfe3e6", "#e3efc4",
)  # fmt: skip
_HATCH = ("", "M-1 7 L7 -1 M-1 1 L1 -1 M5 7 L7 5", "M3 2.2 v1.6 M2.2 3 h1.6", "M0 3 H6", "M-1 -1 L7 7 M-1 5 L1 7")
LEFT = 34
WIDTH = 640
MARGIN = 12

Scene = Mapping[str, Any]


def _text(
    x: float, y: float, said: object, *, size: float = 12, fill: str = INK, bold: bool = False, anchor: str = "start"
) -> str:
    look = f'font-size="{size:g}" fill="{fill}" text-anchor="{anchor}" font-weight="{700 if bold else 400}"'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(str(said))}</text>'


def _box(x: float, y: float, width: float, height: float, **look: str) -> str:
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
    """Where labels stand that belong to these places, from left to right: none on another, and all on the page.

    >>> _apart([100.0, 300.0, 310.0], [20, 20, 20]), _apart([620.0, 630.0], [16, 24])
    ([100.0, 295.0, 315.0], [604.0, 624.0])
    """
    right, left = list(middles), list(middles)
    for at in range(1, len(middles)):
        right[at] = max(right[at], right[at - 1] + (widths[at - 1] + widths[at]) / 2)
    for at in reversed(range(len(middles) - 1)):
        left[at] = min(left[at], left[at + 1] - (widths[at] + widths[at + 1]) / 2)
    # Pushed to the right they have room, pushed to the left as well: so they have half way, closest to their places.
    found = [(one + other) / 2 for one, other in zip(right, left, strict=True)]
    edge = WIDTH - 4.0
    for at in reversed(range(len(found))):
        found[at] = min(found[at], edge - widths[at] / 2)
        edge = found[at] - widths[at] / 2
    return found


class _Page:
    """A picture in the making: parts, and how far down it has come."""

    def __init__(self, scene: Scene, frame: Mapping[str, Any]) -> None:
        self.scene = scene
        self.frame = frame
        self.pool: Sequence[Any] = scene["pool"]
        self.labels: Mapping[str, str] = scene["labels"]
        self.parts: list[str] = []
        self.y = float(MARGIN)

    def card(self, card: int, x: float, y: float) -> str:
        heads = self.scene["faces"]["heads"].get(str(card), 0)
        colours = self.scene["faces"].get("colours", {}).get(str(card))
        if colours is None:
            return card_svg(card, x, y, count=heads)
        parts = [_box(x, y, CARD_WIDTH, CARD_HEIGHT, rx="5", fill="#fbfcfd", stroke=INK)]
        for at, colour in enumerate([one for one in colours for _ in range(one["count"])]):
            left, top = x + 4 + at % 4 * 8.5, y + 4 + at // 4 * 9
            parts.append(_box(left, top, 8, 8, rx="2", fill=colour["fill"], stroke=INK, stroke_width=".5"))
            look = {"size": 6.5, "fill": colour["ink"], "bold": True, "anchor": "middle"}
            parts.append(_text(left + 4, top + 6.4, colour["letter"], **look))
        parts.append(_text(x + CARD_WIDTH / 2, y + 46, card, size=17, bold=True, anchor="middle"))
        return "".join(parts)

    def wrapped(self, said: str, *, size: float = 13, fill: str = INK, bold: bool = False, x: float = MARGIN) -> None:
        """Text over as many lines as it needs."""
        room = int((WIDTH - x - MARGIN) / (size * 0.54))
        line = ""
        for word in [*said.split(), ""]:
            if line and (not word or len(line) + 1 + len(word) > room):
                self.y += size * 1.35
                self.parts.append(_text(x, self.y, line, size=size, fill=fill, bold=bold))
                line = word
            else:
                line = f"{line} {word}".strip()

    def row(self, row: int, data: Mapping[str, Any]) -> None:
        y = self.y + 3
        cards, fields = data["cards"], data.get("fields")
        places = max(data["places"], len(cards))
        step = min(CARD_WIDTH + GAP, (WIDTH - LEFT - 150) / max(places, 1)) if places > 9 else CARD_WIDTH + GAP
        self.parts.append(_box(MARGIN, y, WIDTH - 2 * MARGIN, CARD_HEIGHT + 6, rx="6", fill="#f2f5f7"))
        self.parts.append(_box(MARGIN + 3, y + 20, 18, 20, rx="4", fill=f"url(#nl-row-{row % 10})"))
        self.parts.append(_text(MARGIN + 12, y + 35, row + 1, bold=True, anchor="middle"))
        for place in range(places):
            x = LEFT + 6 + place * step
            if place < len(cards) and cards[place]:
                self.parts.append(self.card(cards[place], x, y + 3))
            else:
                self.parts.append(
                    _box(x, y + 3, CARD_WIDTH, CARD_HEIGHT, rx="5", fill="none", stroke=RULE, stroke_dasharray="3 3")
                )
                if fields:
                    sign = fields[place]["sign"]
                    self.parts.append(_text(x + CARD_WIDTH / 2, y + 35, sign, size=11, bold=True, anchor="middle"))
        x = LEFT + 8 + places * step
        if data["takes"] and not fields:
            for lost in data["lost"]:
                self.parts.append(_text(x + 14, y + 38, lost["sign"], size=20, fill=HAZARD, anchor="middle"))
                x += step
            self.parts.append(
                f'<path d="M{x:g} {y + 6:g} l16 {CARD_HEIGHT / 2 - 3:g} l-16 {CARD_HEIGHT / 2 - 3:g} z" '
                f'fill="{HAZARD_BG}" stroke="{HAZARD}" stroke-width="1.4"/>'
            )
            self.parts.append(_text(x + 3, y + 35, data["takes"], size=11, fill=HAZARD, bold=True))
            x += 20
        notes = [f"{note['sign']} {note['text']}".strip() for note in data["notes"]]
        self.parts.append(_text(x + 6, y + 35, " · ".join([f"♉ {data['heads']}", *notes]), fill=MUTED))
        self.y = y + CARD_HEIGHT + 7

    def line(self) -> None:
        """The number line, as wide as the page."""
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
            self.parts.append(_box(x(start), top, x(end + 1) - x(start), 18, **look))
            room = x(end + 1) - x(start)
            said = self.labels["row"].format(row=row + 1) if row >= 0 else self.labels["low_zone"]
            if room > 7 * len(said):
                self.parts.append(_text(x(start) + room / 2, top + 13, said, size=11, anchor="middle"))
            elif row >= 0 and room > 9:
                self.parts.append(_text(x(start) + room / 2, top + 13, row + 1, size=11, anchor="middle"))
        ends = sorted(cards[-1] for data in rows if (cards := [card for card in data["cards"] if card]))
        middles = [x(end) + cell / 2 for end in ends]
        labels = _apart(middles, [8 * len(str(end)) for end in ends])
        for end, middle, label in zip(ends, middles, labels, strict=True):
            self.parts.append(f'<path d="M{middle:g} {top - 3:g} v24" stroke="{INK}" stroke-width="2"/>')
            self.parts.append(_text(label, top + 32, end, size=11, bold=True, anchor="middle"))
        self.y = top + 36

    def cards_of(self, said: str, cards: Iterable[int], hidden: int = 0) -> None:
        """A caption and some cards behind it, small."""
        y = self.y + 4
        self.parts.append(_text(MARGIN, y + 20, said, size=12, bold=True))
        x, scale = 150.0, 0.62
        for card in cards:
            self.parts.append(f'<g transform="translate({x:g} {y:g}) scale({scale})">{self.card(card, 0, 0)}</g>')
            x += CARD_WIDTH * scale + 3
            if x > WIDTH - MARGIN - CARD_WIDTH * scale:
                x, y = 150.0, y + CARD_HEIGHT * scale + 3
        for _ in range(hidden):
            look = {"rx": "3", "fill": "#e4e9ed", "stroke": RULE}
            self.parts.append(_box(x, y, CARD_WIDTH * scale, CARD_HEIGHT * scale, **look))
            x += CARD_WIDTH * scale + 3
        self.y = y + CARD_HEIGHT * scale + 2


def svg(scene: Scene, at: int = -1) -> str:
    """Frame `at` of a scene as an SVG document on white."""
    frame = scene["frames"][at]
    page = _Page(scene, frame)
    pool, labels = page.pool, page.labels
    game = scene["game"]
    turn = min(frame["turn"], game["turns"])
    when = labels["over"] if frame["over"] else labels["turn_only"].format(turn=turn, turns=game["turns"])
    page.wrapped(f"{game['title']} · {when}", bold=True)
    if frame["text"]:
        page.wrapped(frame["text"])
    page.y += 4
    for row, place in enumerate(frame["rows"]):
        page.row(row, pool[place])
    names = {seat["seat"]: seat["name"] for seat in scene["seats"]}
    queue = pool[frame["queue"]]
    if queue:
        page.cards_of(labels["queue"], [play["card"] for play in queue])
        whose = " · ".join(f"{names.get(play['seat'], '?')} {play['card']}" for play in queue)
        page.wrapped(whose, size=11, fill=MUTED)
    for panel in pool[frame["panels"]]:
        if panel.get("cards"):
            page.cards_of(panel["title"], panel["cards"])
        words = [f"{item.get('sign', '')} {item['text']}".strip() for item in panel.get("items", [])]
        if words:
            page.wrapped(f"{panel['title']}: {', '.join(words)}", size=12)
    page.line()
    for seat, place in zip(scene["seats"], frame["seats"], strict=True):
        data = pool[place]
        points = "" if data["points"] is None else f" ({data['points']})"
        hidden = data["count"] if data["hand"] is None else 0
        page.cards_of(f"{seat['name']}{points}"[:22], data["hand"] or [], hidden)
    height = page.y + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" '
        f'role="img" aria-label="{escape(_words(scene, frame))}" font-family="system-ui, DejaVu Sans, sans-serif">'
        f'{_patterns()}<rect width="{WIDTH}" height="{height:g}" fill="#ffffff"/>{"".join(page.parts)}</svg>'
    )


def _words(scene: Scene, frame: Mapping[str, Any]) -> str:
    """What the picture shows, for who cannot see it."""
    label = scene["labels"]["row"]
    rows = [" ".join(str(card) for card in scene["pool"][at]["cards"] if card) for at in frame["rows"]]
    said = "; ".join(f"{label.format(row=row + 1)}: {cards}" for row, cards in enumerate(rows))
    return f"{scene['game']['title']}. {said}. {frame['text']}".strip()


def fallback(scene: Scene, at: int) -> str:
    """What a notebook shows where no kernel runs: the picture, and what happened so far in words."""
    lines = "".join(f"<li>{escape(frame['text'])}</li>" for frame in scene["frames"][: at + 1][-60:] if frame["text"])
    log = f"<details><summary>{escape(scene['labels']['log'])}</summary><ol>{lines}</ol></details>" if lines else ""
    return f'<div class="nimmt-fallback" style="max-width:100%;overflow-x:auto">{svg(scene, at)}{log}</div>'
