"""Write what browsers get of the shapes in `nimmt_lab/engine/shapes.py`: a stylesheet of faces and backs, a module, and
the site's icon.

    python tools/shapes.py    after a change of the shapes or of how `nimmt_lab/engine/pieces.py` draws them

A test compares the committed files with what this writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from nimmt_lab.engine import shapes
from nimmt_lab.engine.files import write_file
from nimmt_lab.engine.pieces import back_body, icon_svg

ROOT = Path(__file__).resolve().parent.parent
_BULL = shapes.moved(shapes.BULL, 0, 0, shapes.BOX)
_ORIGIN = "Written by tools/shapes.py from nimmt_lab/engine/shapes.py."


def picture(body: str, width: float, height: float) -> str:
    """A drawing as a value in CSS: nothing is loaded from anywhere.

    >>> picture("<g/>", 2, 3)[:39]
    'url("data:image/svg+xml,%3Csvg xmlns=\\'h'
    """
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">{body}</svg>'
    for sign, code in (("%", "%25"), ('"', "'"), ("<", "%3C"), (">", "%3E"), ("#", "%23")):
        text = text.replace(sign, code)
    return f'url("data:image/svg+xml,{text}")'


def bulls(spots: Sequence[shapes.Square]) -> str:
    """White bulls, with the path written once."""
    scale = spots[0].size / shapes.BOX
    used = "".join(f'<use href="#b" x="{spot.x / scale:.1f}" y="{spot.y / scale:.1f}"/>' for spot in spots)
    return f'<g transform="scale({scale:.4g})" fill="white"><defs><path id="b" d="{_BULL}"/></defs>{used}</g>'


def _rule(selector: str, **values: str) -> str:
    inside = "".join(f" {name.replace('_', '-')}: {value};" for name, value in values.items())
    return f"{selector} {{{inside} }}"


def stylesheet() -> str:
    width, band = shapes.WIDTH, shapes.BAND * shapes.HEIGHT
    rules = [f"/* {_ORIGIN} */"]
    rules.append(_rule(".nl-heads-0", __band="var(--h1)", __face="none"))
    for count in range(1, shapes.MOST + 1):
        drawn = picture(bulls(shapes.spots(count)), width, band)
        rules.append(_rule(f".nl-heads-{count}", __band=f"var(--h{shapes.class_of(count)})", __face=drawn))
    one = picture(bulls([shapes.ONE_OF_MANY]), width, band)
    rules.append(_rule(".nl-heads-many", __band=f"var(--h{shapes.class_of(shapes.MOST + 1)})", __face=one))
    for name, kind in shapes.KINDS.items():
        emblem = icon_svg(kind.emblem, 35.5, band / 2 - 14.5, size=29, colour="white")
        drawn = "none" if name == "coloured" else picture(emblem, width, band)
        rules.append(_rule(f".nl-kind-{name}", __band=f"var(--kind-{name})", __face=drawn))
    for name, back in shapes.BACKS.items():
        height = shapes.WIDTH if back.tile else shapes.HEIGHT
        rules.append(_rule(f".nl-back-{name}", __backside=picture(back_body(name), width, height)))
    return "\n".join(rules) + "\n"


def _terse(path: str) -> str:
    """A path without the blanks that mean nothing.

    >>> _terse("M12 5.4 L16.4 0.6 C19 5.2 -2 3.6 20.6 .6 Z")
    'M12 5.4L16.4.6C19 5.2-2 3.6 20.6.6Z'
    """
    path = re.sub(r"(?<![\d.])0(?=\.\d)", "", re.sub(r" *([A-Z]) *", r"\1", path))
    return re.sub(r" (?=-)|(?<=\.\d) (?=\.)|(?<=\.\d\d) (?=\.)", "", path)


def module() -> str:
    """The shapes that scripts draw themselves, because they have a letter or the colour of the text around them."""
    icons = {name: {"fill": _terse(icon.fill), "line": _terse(icon.line)} for name, icon in shapes.ICONS.items()}
    spots = [shapes.spots(count, **shapes.COLOURED_BAND) for count in range(shapes.MOST + 1)]
    parts = {
        "ICONS": ("Pictograms: what is filled, and what is drawn with a pen.", icons),
        "MOST": ("More bulls are one bull and a number.", shapes.MOST),
        "PEN": ("How wide the pen is.", shapes.PEN),
        "HORNED": ("A bull as broad as a tile, with room for a letter.", _terse(shapes.HORNED)),
        "COLOURED": (
            "A band of coloured bulls: its height, the letters, and by the number of bulls where they lie.",
            {"height": shapes.COLOURED_BAND["height"], "letter": shapes.LETTER._asdict(), "spots": spots},
        ),
    }
    lines = [f"// {_ORIGIN}"]
    for name, (what, value) in parts.items():
        text = re.sub(r"\.0(?=[,\]])", "", json.dumps(value, separators=(",", ":")))
        if name == "ICONS":
            lines.append("/** @type {Record<string, { fill: string, line: string }>} */")
        lines += [f"// {what}", "// biome-ignore format: a program wrote it.", f"export const {name} = {text};"]
    return "\n".join(lines) + "\n"


def emblem() -> str:
    """The bull in a page's icon."""
    ground = f'<rect width="64" height="64" rx="14" fill="{shapes.BACKS["card"].paint}"/>'
    bull = f'<path d="{shapes.moved(shapes.BULL, 11, 11, 42)}" fill="{shapes.CARD}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{ground}{bull}</svg>\n'


FILES = {
    "nimmt_lab/screens/css/14-shapes.css": stylesheet,
    "nimmt_lab/screens/js/shapes.js": module,
    "nimmt_lab/site/data/icon.svg": emblem,
}

if __name__ == "__main__":
    for name, written in FILES.items():
        write_file(ROOT / name, written().encode())
