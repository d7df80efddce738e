"""Cards and pictograms are clear without colour, and browsers get the same shapes as paper."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine import pieces, shapes
from nimmt_lab.engine.sentences import LANGUAGES
from nimmt_lab.explain import words
from tools.shapes import FILES

ROOT = Path(__file__).parents[2]
COUNTS = range(1, shapes.MOST + 1)


def contrast(first: str, second: str) -> float:
    """WCAG contrast ratio of two colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", FILES)
def test_browsers_get_the_shapes_of_the_table(name: str) -> None:
    """`python tools/shapes.py` writes them again."""
    assert (ROOT / name).read_text(encoding="utf-8") == FILES[name]()


def test_screens_and_paper_have_the_same_colours() -> None:
    """Screens have the colours as tokens; a dark theme changes those of cards."""
    sheets = "".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "nimmt_lab/screens/css").glob("*.css"))
    )
    tokens = {f"h{least}": paint for least, paint in shapes.CLASSES.items()}
    tokens |= {f"kind-{name}": kind.paint for name, kind in shapes.KINDS.items()}
    tokens |= {"card": shapes.CARD, "cardink": shapes.INK}
    for name, paint in tokens.items():
        [first, *_] = re.findall(rf"--{name}:\s*(#\w+)", sheets)
        assert first.lower() == paint, name


@pytest.mark.parametrize("count", COUNTS)
def test_bulls_lie_in_their_band_apart_and_in_the_middle(count: int) -> None:
    for look in ({}, shapes.COLOURED_BAND):
        placed = shapes.spots(count, **look)
        height = look.get("height", shapes.BAND * shapes.HEIGHT)
        assert len(placed) == count and len({spot.size for spot in placed}) == 1
        for first, second in pairwise(placed):
            apart = second.x - first.x if first.y == second.y else second.y - first.y
            assert apart > first.size
        for line in {spot.y for spot in placed}:
            across = [spot for spot in placed if spot.y == line]
            left, right = across[0].x, shapes.WIDTH - across[-1].x - across[-1].size
            assert left >= 4 and left == pytest.approx(right, abs=0.1)
        top, bottom = placed[0].y, height - placed[-1].y - placed[-1].size
        assert top >= 2 and top == pytest.approx(bottom, abs=0.1)
        # Large enough to be counted on a card of 46 pixels.
        assert placed[0].size * 46 / shapes.WIDTH >= 8


def test_what_is_painted_can_be_told_from_its_ground() -> None:
    assert contrast(shapes.INK, shapes.CARD) >= 7
    bands = [*shapes.CLASSES.values(), *(kind.paint for name, kind in shapes.KINDS.items() if name != "coloured")]
    for paint in [*bands, *(back.paint for back in shapes.BACKS.values())]:
        assert contrast(paint, "#ffffff") >= 3
    for kind in ("fan", "special", "luck", "action"):
        assert contrast(shapes.KINDS[kind].paint, shapes.CARD) >= 4.5


@pytest.mark.parametrize("draw", [pieces.card_svg, pieces.tile_svg])
def test_a_card_shows_its_value_and_as_many_bulls_as_heads(draw: object) -> None:
    assert callable(draw)
    for count in COUNTS:
        group = ElementTree.fromstring(draw(98, count=count))
        bulls = next(path for path in group.iter("path") if path.get("class") == "nl-bulls")
        assert bulls.get("d", "").count("M") == count
        assert group.findtext("text") == "98"
    many = ElementTree.fromstring(draw(98, count=12))
    assert [text.text for text in many.iter("text")] == ["×12", "98"]


@pytest.mark.parametrize("card", [1, 5, 10, 11, 55, 104])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_card_is_titled_in_the_language(card: int, lang: str) -> None:
    heads = Classic(players=2).heads_in((card,))
    group = ElementTree.fromstring(pieces.card_svg(card, lang=lang))
    assert group.findtext("title") == f"{card}, {words(lang).count('heads', heads)}"


def test_pictograms_stay_in_their_square_and_differ() -> None:
    assert len(set(shapes.ICONS.values())) == len(shapes.ICONS)
    for icon in shapes.ICONS.values():
        for path, margin in ((icon.fill, 0.0), (icon.line, shapes.PEN / 2)):
            assert not re.search(r"[^MLCZ\d. -]", path)
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
            assert all(margin - 0.7 <= number <= shapes.BOX - margin + 0.7 for number in numbers)
    assert {kind.emblem for kind in shapes.KINDS.values()} | {back.sign for back in shapes.BACKS.values()} <= {
        *shapes.ICONS
    }
