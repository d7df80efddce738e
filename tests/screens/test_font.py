"""The font of our own pages: small, with every letter of our languages, licensed, and never sent to a notebook."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from nimmt_lab.screens import assets
from nimmt_lab.widgets import Home

ROOT = Path(__file__).parents[2]
FONT = Path(assets.__file__).parent / "font"
RANGE = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


def characters() -> set[int]:
    """What the font is asked for."""
    spans = [(int(low, 16), int(high or low, 16)) for low, high in RANGE.findall(assets.font_styles())]
    return {code for low, high in spans for code in range(low, high + 1)}


def test_it_is_small_and_has_its_licence() -> None:
    parts = sorted(FONT.glob("*.woff2"))
    assert len(parts) == assets.font_styles().count("@font-face") == 2
    assert sum(path.stat().st_size for path in parts) < 80_000
    assert all(path.read_bytes()[:4] == b"wOF2" for path in parts)
    licence = FONT / "OFL.txt"
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence.read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert str(licence.relative_to(ROOT)) in project["project"]["license-files"]
    assert "**/*.woff2" in project["tool"]["setuptools"]["package-data"]["nimmt_lab"]


def test_it_has_every_letter_of_our_languages() -> None:
    letters = {letter for path in (ROOT / "nimmt_lab").rglob("locale/*.toml") for letter in path.read_text("utf-8")}
    wanted = {letter for letter in letters if letter.isalnum() and ord(letter) < 0x250}
    assert {"ř", "ł", "ů"} <= wanted and {ord(letter) for letter in wanted} <= characters()


def test_widgets_do_not_send_it() -> None:
    assert "Nunito" not in assets.styles() and "Nunito" not in str(Home._css)
    assert not re.search(r"url\((?!\"data:font/woff2;base64,)|https?:", assets.font_styles())
