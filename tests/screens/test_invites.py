"""What every page owes to somebody who sees it for the first time, in three languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.screens.home import SCREENS
from nimmt_lab.screens.learn import boxes

from .conftest import Walker
from .test_pages import problems

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]

#: Words that begin on one line and end on another, except at a hyphen, a slash or a place made for it.
BROKEN = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector(".nl-home"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest(".nl-heard, svg")) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
      if (lines.size > 1) found.push(word);
    }
  }
  return found;
}"""


def pages(walker: Walker) -> Iterator[str]:
    """Every page before anything is done on it, and what opens at its first buttons."""
    home = walker.home.screen

    def there(name: str) -> str:
        walker.settle()
        return name

    for name in SCREENS:
        home.open(name)
        yield there(name)
    home.open("learn")
    learn = home.parts["screen"]
    for box in boxes():
        learn.open_box(box)
        yield there(box)
    learn.open("first_turn")
    learn.parts["lesson"].go(1)
    learn.visit("")
    yield there("a lesson was begun")
    home.open("practise")
    home.parts["screen"].receive({"type": "start", "kind": "takes", "difficulty": 2})
    yield there("a puzzle")
    home.open("analyse")
    for way in ("setup", "record_game", "my_games"):
        home.parts["screen"].receive({"type": "back"})
        home.parts["screen"].receive({"type": way})
        yield there(way)
    home.open("odds")
    home.parts["screen"].receive({"type": "mode", "mode": "rounds"})
    yield there("rounds")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_fit_the_window_and_break_no_word(visit: Visit, tmp_path: Path, lang: str) -> None:
    """At 1366 × 768 nothing scrolls but Teach, a form; on a phone nothing scrolls sideways."""
    walker = visit(tmp_path)
    walker.home.screen.receive({"type": "lang", "lang": lang})
    wrong: list[object] = []
    for name in pages(walker):
        over = walker.page.evaluate("document.documentElement.scrollHeight - innerHeight")
        if over > 0 and name != "teach":
            wrong.append((name, f"{over} px too high"))
        wrong += [(name, word) for word in walker.page.evaluate(BROKEN)]
        walker.page.set_viewport_size({"width": 390, "height": 844})
        walker.page.evaluate("document.getElementById('holder').style.width = '390px'")
        walker.settle()
        if walker.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append((name, "scrolls sideways on a phone"))
        wrong += [(name, word, "on a phone") for word in walker.page.evaluate(BROKEN)]
        walker.page.evaluate("document.getElementById('holder').style.width = '1366px'")
        walker.page.set_viewport_size({"width": 1366, "height": 768})
    assert not wrong, wrong


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_without_anything_of_ones_own_are_in_order(visit: Visit, tmp_path: Path, theme: str) -> None:
    """Empty pages, a refusal and the question before leaving: axe finds nothing, and nothing moves."""
    walker = visit(tmp_path, theme=theme)
    home = walker.home.screen

    def top() -> Any:
        return walker.page.evaluate("document.querySelector('.nl-hero').getBoundingClientRect().top")

    home.open("learn")
    home.parts["screen"].open_box("extras")
    walker.settle()
    before = top()
    walker.click("[data-do='leave-here']")
    assert walker.count("[data-do='leave-sure']") == 1 and top() == before and problems(walker) == []
    walker.click("[data-do='stay']")
    assert walker.count("[data-do='leave-sure']") == 0
    walker.go("analyse")
    before = top()
    walker.find("textarea").fill("12 | x")
    walker.click("[data-do='open']")
    assert walker.count(".nl-told") == 1 and top() == before and problems(walker) == []
    walker.click("[data-do='my-games']")
    assert problems(walker) == []
    walker.click("[data-do='to-record']")
    assert home.parts["screen"].data["mode"] == "record_game"
    walker.click("[data-do='back-to-open']")
    walker.click("[data-do='my-games']")
    walker.click("[data-do='to-play']")
    assert home.data["now"] == "play"
    walker.go("notebooks")
    assert problems(walker) == []
    walker.click("[data-do='to-learn']")
    assert home.data["now"] == "learn"
    home.parts["screen"].open("p2")
    home.parts["screen"].parts["lesson"].go(1)
    walker.settle()
    assert walker.count(".nl:not([data-theme])") == 0, "everything has the theme of its page"
    assert problems(walker) == []


def test_a_card_is_played_three_clicks_from_the_address(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    for selector in ("[data-do='quick']", ".nl-mine .nl-option >> nth=3"):
        walker.click(selector)
    table = walker.home.screen.parts["screen"].parts["table"]
    if not table.record.choices:
        walker.click(".nl-mine .nl-option >> nth=3")
    assert len(table.record.choices) == 1


def test_paper_keeps_what_tells_something(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.page.emulate_media(media="print")
    assert walker.count(".nl-lesson-card") == 4 and walker.count(".nl-box") == len(boxes())
    assert walker.count(".nl-door, [data-do='quick'], [data-do='go-on']") == 0
    walker.home.screen.open("analyse")
    walker.home.screen.parts["screen"].receive({"type": "setup"})
    walker.settle()
    assert walker.count("button:not(.nl-place-button), select, input") == 0 < walker.count(".nl-place-button")
    walker.page.emulate_media(media="screen")
