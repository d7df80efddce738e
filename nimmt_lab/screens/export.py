"""A board as a file: one HTML page that works from a disk, without a server or network."""

from __future__ import annotations

import json
from html import escape

from nimmt_lab.boards.describe import Obj

from .assets import board_bundle, styles

# The part of a notebook's model that `carry.js` uses. Nothing answers messages here: `ready` keeps the page from
# waiting, and the boards say so themselves (`live`).
_MODEL = """
const state = JSON.parse(document.getElementById("state").textContent);
const model = {
  ready: false,
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  on: () => {}, off: () => {}, send: () => {},
};
widget.render({ model, el: document.getElementById("board") });
"""


def page(module: str, data: Obj, title: str, lang: str) -> str:
    """An HTML page around one board: the module that draws it, and its data."""
    whole = {"module": module, "data": {**data, "live": False}, "parts": {}}
    # `<` is written as an escape: no text in the data can end the script element.
    state = json.dumps({"page": whole, "version": 0}, ensure_ascii=False).replace("<", "\\u003c")
    script = board_bundle(module, "const widget =")
    return (
        f'<!doctype html>\n<html lang="{escape(lang)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n:root {{ color-scheme: light dark; }}\n"
        "body { margin: 0 auto; padding: 8px; max-width: 1100px; background: Canvas; }\n"
        f'{styles()}\n</style>\n</head>\n<body>\n<div id="board"></div>\n'
        f'<script type="application/json" id="state">{state}</script>\n'
        f'<script type="module">\n{script}\n{_MODEL}</script>\n</body>\n</html>\n'
    )
