"""A board as a file: a page that works from a disk with no server and no network."""

from __future__ import annotations

import json
from html import escape

from .assets import bundle, styles

# The part of a notebook's model that the boards use. Nothing answers messages here, and the boards know it (`live`).
_MODEL = """
const state = JSON.parse(document.getElementById("state").textContent);
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  save_changes: () => {}, on: () => {}, off: () => {}, send: () => {},
};
widget.render({ model, el: document.getElementById("board") });
"""


def page(name: str, traits: dict[str, object], title: str, lang: str) -> str:
    """A whole HTML page around the widget module `name` with these traits.

    What stands in the page as data cannot end its script element: `<` is written as an escape.
    """
    data = json.dumps({**traits, "live": False}, ensure_ascii=False).replace("<", "\\u003c")
    script = bundle(name, "const widget =")
    return (
        f'<!doctype html>\n<html lang="{escape(lang)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n:root {{ color-scheme: light dark; }}\n"
        "body { margin: 0 auto; padding: 8px; max-width: 1100px; background: Canvas; }\n"
        f'{styles()}\n</style>\n</head>\n<body>\n<div id="board"></div>\n'
        f'<script type="application/json" id="state">{data}</script>\n'
        f'<script type="module">\n{script}\n{_MODEL}</script>\n</body>\n</html>\n'
    )
