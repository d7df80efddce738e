"""Results display well: good text in a terminal, a board and bars in a notebook, in light and in dark."""

from __future__ import annotations

import re
import xml.dom.minidom as dom
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic, Record, View, advise, ladder, odds, review, simulate, solve, tournament
from nimmt_lab.engine.sheet import Figure, Figures, Sheet
from nimmt_lab.explain import assess

TEXT = "12 14 | 37 | 43 44 | 58 ; A: 21 26 77"
OPEN = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"


def solved_game() -> Record:
    return Record(Advanced(players=2), ({0: 16, 1: 18},), start=OPEN)


RESULTS: Mapping[str, Callable[[], Any]] = {
    "solution": lambda: solve(OPEN),
    "mix": lambda: solve(OPEN).mix("A"),
    "what if": lambda: solve(OPEN).what_if("B", 2),
    "odds": lambda: odds(TEXT, players=5),
    "odds of rows": lambda: odds([[12], [37], [43], [58]], [5, 60], opponents=2),
    "advice": lambda: advise(TEXT, players=5, playouts=200),
    "view": lambda: Classic(players=3).deal(seed=1).view("B"),
    "assessment": lambda: assess(TEXT, players=5),
    "review": lambda: review(solved_game(), progress=False),
    "worst": lambda: review(solved_game(), progress=False).worst("A"),
    "tournament": lambda: tournament(Classic(players=2, rounds=1), ["random", "lowest"], 3, progress=False),
    "ladder": lambda: ladder(Classic(players=2, rounds=1), 3, levels=[1, 4], progress=False),
    "simulation": lambda: simulate(Classic(players=3), rounds=100, progress=False),
}
#: Those about a table show its board.
ON_A_BOARD = {"solution", "odds", "advice", "view", "assessment", "worst"}


@pytest.mark.parametrize("name", RESULTS)
def test_results_show_themselves(name: str) -> None:
    shown = RESULTS[name]()._repr_mimebundle_()
    text, html = shown["text/plain"], shown["text/html"]
    assert 0 < len(text) < 2_500 and "{" not in text and "0x" not in text and max(map(len, text.splitlines())) < 500
    dom.parseString(f"<div>{re.sub('&nbsp;', ' ', html)}</div>")  # whole and well-formed
    assert "<svg" in html
    assert (
        "<style" not in html and "<script" not in html and "http" not in html.replace("http://www.w3.org/2000/svg", "")
    )
    if name in ON_A_BOARD:
        assert 'role="img"' in html and re.search(r">(12|3|37)</text>", html)


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "view"])
def test_the_page_decides_the_colours_of_text(name: str) -> None:
    """Nothing but cards, boards and bars has a colour or a background of its own."""
    html = re.sub(r"<svg.*?</svg>", "", RESULTS[name]()._repr_mimebundle_()["text/html"], flags=re.S)
    assert not re.findall(r"(?<![-\w])(?:color|background)\s*:\s*(?!inherit|none)[^;\"]+", html), html[:500]


def test_numbers_in_html_are_those_of_the_text() -> None:
    found = odds(TEXT, players=5)
    html = found.sheet().to_html()
    for card, one in found.items():
        assert (
            f"{float(one.p_take):.1%}" in html
            and f"{float(one.p_take):.1%}" in str(found)
            and f'aria-label="{card}"' in html
        )
    assert str(found) == repr(found) == found.sheet().to_text()


def test_bars_are_as_long_as_the_numbers_say() -> None:
    sheet = Sheet("x", [Figures(("", "n"), [Figure(("a", "1"), 0.5, (0.4, 0.6)), Figure(("b", "2"), 1.0)])])
    widths = [float(width) for width in re.findall(r'<rect x="0" y="3" width="([0-9.]+)"', sheet.to_html())]
    assert widths[1] == 2 * widths[0] > 0 and "M56.0 8 H84.0" in sheet.to_html()


def test_texts_are_escaped() -> None:
    sheet = Sheet("<b>&", [Figures(("<i>",), [Figure(("<script>",))], "<u>")], ["<lead>"], ["<note>"])
    assert not re.search("<(b|i|u|script|lead|note)>", sheet.to_html())


def test_a_view_shows_no_hidden_card() -> None:
    state = Classic(players=3).deal(seed=4)
    view = state.view("B")
    shown = view._repr_mimebundle_()
    numbers = set(map(int, re.findall(r">(\d+)</text>", shown["text/html"])))
    hidden = {card for seat, hand in enumerate(state.hands) if seat != 1 for card in hand}
    assert set(view.hand) <= numbers and len(hidden & numbers) < 5  # numbers of rows and of the end of the line
    assert not hidden.intersection(
        map(int, re.findall(r"\d+", "".join(shown["text/plain"].splitlines()[5:]).replace("(0", "")))
    )
    assert repr(view) == "<classic, round 1, turn 1, seen by B>" and isinstance(view, View)


def test_worst_choices_come_with_options_and_reasons() -> None:
    found = review(solved_game(), progress=False)
    worst = found.worst("A")
    assert worst is not None and (worst.choice, worst.best, worst.seat) == ("16", "12", 0)
    assert [option.choice for option in worst.options][-1] == "16" and worst.options[0].loss == 0
    assert found.worst("B") is None and found.worst() == worst
    assert str(worst).startswith("A chose 16 in round 1, turn 8: 12 was better by 7.11 heads")
    assert found.of_seat("a") == found.of_seat(0) and found.lost("A") == found.lost(0)
    assert found.verdicts("B")["best"] == 1 and found.accuracy("A") == found.accuracy(0)


def test_an_interrupted_result_says_so() -> None:
    some = simulate(Classic(players=2), rounds=100, progress=False)
    object.__setattr__(some, "asked", 200)
    assert "100 of 200 rounds" in str(some) and "Interrupted" in str(some)


def test_sentences_in_a_table_wrap_and_begin_at_the_left() -> None:
    sheet = Sheet("x", [Figures(("", "n", ""), [Figure(("a", "1", "word " * 20)), Figure(("b", "22", "short"))])])
    cells = re.findall(r"<td style=\"([^\"]*)\">([^<]*)", sheet.to_html())
    styles = {text.strip(): style for style, text in cells}
    assert "nowrap" in styles["1"] and "nowrap" not in styles[("word " * 20).strip()]
    assert sheet.to_text().splitlines()[-1] == "b  22  short"


def test_boards_load_nothing_from_the_network() -> None:
    """What docs/other-notebooks.md says: they bring their own code."""
    from nimmt_lab.screens.assets import bundle, styles

    code = bundle("page")
    assert not re.search(r"(import|from|fetch)\s*\(?\s*[\"'`]https?:", code)
    assert not re.search(r"@import|url\(\s*[\"']?https?:", styles())
