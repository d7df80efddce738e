"""Colours, sizes of type, radii and times are named once, among the tokens; drawings (14-shapes) bring their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nimmt_lab.screens

CSS = Path(nimmt_lab.screens.__file__).parent / "css"
TOKENS = CSS / "05-tokens.css"
SHEETS = [path for path in sorted(CSS.glob("*.css")) if path not in (TOKENS, CSS / "14-shapes.css")]
#: Words that stand for a colour without naming one.
KEYWORDS = {"transparent", "currentcolor", "inherit", "none", "canvastext", "highlight"}

COLOUR = re.compile(
    r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|oklch)\(|\b(?:white|black|red|green|blue|gr[ae]y)\b(?!-)"
)
TIME = re.compile(r"(?<![\w-])\d*\.?\d+m?s\b")
SIZE = re.compile(r"(?:font-size|font|border-radius):([^;}]*)")
LENGTH = re.compile(r"(?<![\w.-])[1-9]\d*(?:\.\d+)?px")


def wrong_in(text: str) -> list[str]:
    """What should have been a token."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    declared = "; ".join(re.findall(r"[\w-]+\s*:[^;{}]*(?=[;}])", text))
    sizes = [length for value in SIZE.findall(declared) for length in LENGTH.findall(value)]
    return [*COLOUR.findall(declared), *TIME.findall(declared), *sizes]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_a_style_sheet_only_uses_tokens(sheet: Path) -> None:
    assert wrong_in(sheet.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "rule", ["a { color: #fff; }", "a { transition: all .2s; }", "a { font-size: 13px }", "a { border-radius: 6px; }"]
)
def test_what_is_no_token_is_found(rule: str) -> None:
    assert len(wrong_in(rule)) == 1


def test_every_token_that_is_used_is_named() -> None:
    sheets = "".join(path.read_text(encoding="utf-8") for path in CSS.glob("*.css"))
    used = set(re.findall(r"var\((--[\w-]+)[),]", sheets))
    named = set(re.findall(r"(--[\w-]+)\s*:", sheets))
    # Set by scripts for one element, or by the page around a cell.
    assert {name for name in used - named if not name.startswith("--jp-")} <= {
        "--firm",
        "--heat",
        "--log",
        "--plays",
        "--rows",
        "--share",
    }


def test_dark_and_paper_change_only_what_light_names() -> None:
    light, *others = re.findall(r"\{([^{}]*)\}", TOKENS.read_text(encoding="utf-8"))
    known = set(re.findall(r"(--[\w-]+):", light))
    assert known and all(set(re.findall(r"(--[\w-]+):", other)) <= known for other in others)
