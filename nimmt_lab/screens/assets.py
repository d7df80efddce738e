"""The browser side of the screens, bundled without a build step.

The modules under `js/` are plain ES modules that import each other by relative path. A notebook cell gets one module
per widget: the files it needs in import order, each in a scope of its own (see `bundler`).
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from .bundler import Module, in_order, joined, parse

_HERE = Path(__file__).parent


@cache
def source(name: str) -> str:
    return (_HERE / "js" / f"{name}.js").read_text(encoding="utf-8")


@cache
def _module(name: str) -> Module:
    return parse(name, source(name))


def order(name: str) -> list[str]:
    """A module and its dependencies, each after the modules it imports.

    >>> order("replay")[-1]
    'replay'
    """
    return [module.name for module in in_order(name, _module)]


@cache
def bundle(name: str, result: str = "export default") -> str:
    """One self-contained ES module with a default export, as anywidget wants it; for a script inside a page, `result`
    replaces the export (`const widget =`).

    >>> bundle("page").count("export default")
    1
    """
    return joined(in_order(name, _module), result)


@cache
def board_bundle(name: str, result: str = "export default") -> str:
    """The module of one board, with the connection that carries it and nothing else.

    >>> len(board_bundle("replay")) < len(bundle("page")) / 2
    True
    """
    imports = f'import board from "./{name}.js";\nimport {{ carry }} from "./carry.js";\n'
    entry = parse("cell", f"{imports}export default carry({{ {name}: board }});\n")
    return joined(in_order("cell", lambda needed: entry if needed == "cell" else _module(needed)), result)


@cache
def styles() -> str:
    """All style sheets as one, without comments and blanks that mean nothing."""
    return "\n".join(_small(path.read_text(encoding="utf-8")) for path in sorted((_HERE / "css").glob("*.css")))


#: A string, which stays as it is, or a comment.
_APART = re.compile(r"(\"[^\"\n]*\")|/\*.*?\*/", re.DOTALL)


def _small(css: str) -> str:
    """A style sheet to send.

    >>> _small('/* A note. */\\n.a > b,\\n.c { width: calc(1px + 2px); content: "; "; }\\n')
    '.a>b,.c{width:calc(1px + 2px);content:"; "}'
    """
    pieces = _APART.split(css)  # what is outside strings, then a string or None, in turn
    for at in range(0, len(pieces), 2):
        plain = re.sub(r"\s*([{};,>])\s*|(?<=:)\s+", r"\1", re.sub(r"\s+", " ", pieces[at]))
        pieces[at] = plain.replace(";}", "}")
    return "".join(piece or "" for piece in pieces).strip()


#: The parts of our font, and the characters each has. Its licence is beside it.
_FONT = {
    "nunito-latin": (
        "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,"
        "U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD"
    ),
    "nunito-latin-ext": (
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,"
        "U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF"
    ),
}


#: The files of our font.
FONTS = tuple(f"{name}.woff2" for name in _FONT)


@cache
def font(name: str) -> bytes:
    """One of `FONTS`."""
    return (_HERE / "font" / name).read_bytes()


@cache
def font_styles(*, inside: bool = True) -> str:
    """Our font inside a stylesheet, for pages of our own: Home and the site. A notebook keeps its font.

    Otherwise the stylesheet names the files: a server of ours sends them beside it, and the page is shown before they
    come. A browser asks only for the one whose characters it needs.
    """
    faces = []
    for name, characters in zip(FONTS, _FONT.values(), strict=True):
        mark = hashlib.sha256(font(name)).hexdigest()[:16]
        place = f"data:font/woff2;base64,{base64.b64encode(font(name)).decode()}" if inside else f"{name}?{mark}"
        faces.append(
            '@font-face { font-family: "Nunito"; font-weight: 200 1000; font-display: swap; '
            f'src: url("{place}") format("woff2"); unicode-range: {characters}; }}'
        )
    family = '"Nunito", system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif'
    return "\n".join([*faces, f":root .nl {{ --font: {family}; font-family: var(--font); }}"])
