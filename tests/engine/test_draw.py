"""What a state looks like: well-formed SVG, every card and head count told apart without colour."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine import draw
from tests.support import random_record


def contrast(first: str, second: str) -> float:
    """WCAG contrast ratio of two colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_head_counts_differ_by_more_than_colour() -> None:
    styles = draw.STYLES.values()
    assert len({style.shape for style in styles}) == len({style.dash for style in styles}) == 5
    for style in styles:
        assert contrast(style.ink, style.tint) >= 4.5


@pytest.mark.parametrize("card", [1, 5, 10, 11, 55, 104])
def test_a_card_shows_its_value_and_as_many_pips_as_heads(card: int) -> None:
    group = ElementTree.fromstring(draw.card_svg(card))
    heads = Classic(players=2).heads_in((card,))
    assert len(group.findall("g/*")) == heads
    assert group.findtext("text") == str(card)
    assert group.findtext("title") == f"{card}, {heads} head{'s' if heads > 1 else ''}"


@pytest.mark.parametrize("game", [Classic(players=10, rounds=1), Advanced(players=6, rounds=1)], ids=repr)
def test_states_are_drawn_with_every_card(game: Classic) -> None:
    for choices in (0, 1, 3, 30, 400):
        state = random_record(game, seed=3, choices=choices).final
        svg = ElementTree.fromstring(draw.svg(state))
        shown = [text for text in svg.itertext() if text.isdigit()]
        on_table = {card for cards in (*state.rows, *state.hands) for card in cards}
        on_table |= {play.card for play in state.queue}
        assert on_table <= {int(text) for text in shown}
        assert svg.get("role") == "img" and svg.get("aria-label") == str(state).replace("\n", "; ")


def test_text_for_the_terminal() -> None:
    state = Classic(players=2).from_position("12 14 15 | 37 | 43 44 | 58 61 ; A: 3 26 ; B: 30 36 ; A+: 5 ; totals: 4 0")
    assert str(state).splitlines() == [
        "classic, round 1, turn 9 of 10",
        "row 1   12  14  15   .   . |6  4 heads",
        "row 2   37   .   .   .   . |6  1 head",
        "row 3   43  44   .   .   . |6  6 heads",
        "row 4   58  61   .   .   . |6  2 heads",
        "A (6 heads): 3 26",
        "B (0 heads): 30 36",
    ]
    low, _ = state.choose({0: 3, 1: 30})
    assert str(low).splitlines()[-2:] == ["to place: A3 B30", "A chooses: @1, @2, @3, @4"]
