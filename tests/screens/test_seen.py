"""What people once saw and found wrong: words over the rows, a hand out of sight, a layout that jumps, a tap that plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.learn import steps_of
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.play import PlayScreen
from nimmt_lab.screens.table import TableScreen
from nimmt_lab.widgets import Home
from tools.browser import Stage

from .conftest import HEIGHT, WIDTH, Walker
from .test_sizes import scrolls
from .test_table_page import again, play_of, play_on, sit

browser = pytest.mark.browser
Visit = Callable[..., Walker]
Box = dict[str, float]


def boxes(walker: Walker, *selectors: str) -> list[Box]:
    """The place of the first match of each selector."""
    found = [walker.find(selector).first.bounding_box() for selector in selectors]
    assert None not in found, selectors
    return [{name: round(float(box[name]), 1) for name in ("x", "y", "width", "height")} for box in found if box]


def to_question(walker: Walker) -> None:
    """On to the first step that asks something."""
    opened = walker.home.screen.parts["screen"].parts["lesson"]
    opened.go(next(at for at in range(len(opened.questions())) if opened.asks(at)))
    walker.settle()
    assert opened.board.question.right


def speak(walker: Walker, lang: str) -> None:
    walker.home.screen.receive({"type": "lang", "lang": lang})
    walker.settle()


#: How far the sentence about a card reaches into the felt.
OVER = """() => document.querySelector(".nl-aim-text").getBoundingClientRect().bottom
  - document.querySelector(".nl-felt").getBoundingClientRect().top"""


@browser
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ["classic", "board", "buffalo"])
def test_the_sentence_about_a_card_never_lies_on_the_rows(visit: Visit, tmp_path: Path, game: str, lang: str) -> None:
    walker = sit(visit, tmp_path, game=game, players=3)
    speak(walker, lang)
    again(walker, game=game, players=3)
    play_on(walker, 2)
    cards = walker.find(".nl-mine .nl-card.nl-option")
    said = set()
    for at in range(cards.count()):
        cards.nth(at).hover()
        said.add(walker.text(".nl-aim-text"))
        assert walker.page.evaluate(OVER) <= 1, walker.text(".nl-aim-text")
    assert len(said) == cards.count() > 3 and max(map(len, said)) > 60


@browser
@pytest.mark.parametrize(("game", "seed", "least"), [("classic", 4, 4), ("baron", 5, 5)])
def test_a_row_is_chosen_with_the_hand_in_sight(visit: Visit, tmp_path: Path, game: str, seed: int, least: int) -> None:
    walker = sit(visit, tmp_path, game=game, seed=seed)
    table: TableScreen = play_of(walker).table
    while (
        not isinstance(asked := table.record.final.pending[table.asked or 0], ChooseRow) or len(asked.options) < least
    ):
        play_on(walker)
    assert scrolls(walker) == (False, False)
    walker.in_sight(".nl-choice-rows .nl-option", ".nl-mine .nl-card")
    rows = [box["y"] for box in (one.bounding_box() for one in walker.find(".nl-choice-rows .nl-option").all()) if box]
    assert len(rows) == least and len(set(rows)) == 1, "one line of buttons"


@browser
def test_nothing_moves_when_a_card_is_aimed_or_hints_come(visit: Visit, tmp_path: Path) -> None:
    walker = sit(visit, tmp_path, hints=False)
    parts = (".nl-felt", ".nl-lane", ".nl-mine .nl-card", ".nl-tools", ".nl-last")
    walker.page.mouse.move(2, 2)
    before = boxes(walker, *parts)
    walker.find(".nl-mine .nl-option").nth(4).hover()
    assert walker.text(".nl-aim-text") and boxes(walker, *parts) == before
    walker.click("[data-do='hints']")
    walker.until(lambda: walker.count(".nl-hint") > 0)
    walker.page.mouse.move(2, 2)
    assert boxes(walker, *parts) == before


@browser
def test_nothing_moves_when_an_answer_is_judged(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.home.screen.open("learn")
    walker.home.screen.parts["screen"].open("traps")
    walker.settle()
    opened = walker.home.screen.parts["screen"].parts["lesson"]
    to_question(walker)
    question = opened.board.question
    parts = (".nl-say-line", ".nl-lane", ".nl-foot", ".nl-lesson-head")
    before = boxes(walker, *parts)
    options = [node.get_attribute("data-option") for node in walker.find("[data-option]").all()]
    wrong = next(option for option in options if option not in question.right)
    walker.click(f"[data-option='{wrong}']")
    assert walker.count(".nl-feedback.nl-wrong") == 1 and boxes(walker, *parts) == before
    walker.click("[data-do='retry']")
    assert boxes(walker, *parts) == before
    walker.click(f"[data-option='{min(question.right)}']")
    assert walker.count(".nl-feedback.nl-right") == 1 and boxes(walker, *parts) == before
    walker.page.set_viewport_size({"width": 390, "height": 844})  # a window may become narrower
    walker.page.evaluate("document.getElementById('holder').style.width = 'auto'")
    walker.settle()
    assert walker.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@browser
def test_a_wrong_answer_is_met_with_its_own_reason_at_once(visit: Visit, tmp_path: Path) -> None:
    """While the turn is played out, too, and not with the sentence of some other card."""
    walker = visit(tmp_path, motion=True)
    walker.home.screen.open("learn")
    walker.home.screen.parts["screen"].open("traps")
    walker.settle()
    to_question(walker)
    question = walker.home.screen.parts["screen"].parts["lesson"].board.question
    options = [str(node.get_attribute("data-option")) for node in walker.find("[data-option]").all()]
    wrong = next(option for option in options if option not in question.right)
    walker.click(f"[data-option='{wrong}']")
    said = walker.text(".nl-feedback.nl-wrong")
    assert wrong.removeprefix("@") in said or str(question.card) in said
    walker.page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
    assert walker.text(".nl-feedback.nl-wrong") == said


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[Walker]:
    """Home under a finger."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    opened = Stage(context.new_page())
    home = Home(folder=tmp_path)
    opened.show(home)
    yield Walker(opened, home)
    assert opened.errors == []
    context.close()


@browser
def test_the_first_tap_lifts_a_card_and_the_second_plays_it(phone: Walker) -> None:
    phone.home.screen.open("play")
    play = phone.home.screen.parts["screen"]
    assert isinstance(play, PlayScreen)
    play.start({"game": "classic", "players": 4, "seed": 3})
    phone.settle()
    card = phone.find(".nl-mine .nl-option").nth(3)
    number = card.get_attribute("data-option")
    card.tap()
    phone.settle()
    assert not play.table.record.choices, "nothing is played by one tap"
    assert phone.count(".nl-option.nl-up") == 1 and phone.text(".nl-aim-text")
    above = """() => document.querySelector(".nl-felt").getBoundingClientRect().top
      - document.querySelector(".nl-aim-text").getBoundingClientRect().bottom"""
    assert phone.page.evaluate(above) >= 0, "the sentence lies over the rows"
    other = phone.find(".nl-mine .nl-option").nth(1)
    other.tap()
    phone.settle()
    assert not play.table.record.choices and phone.count(".nl-option.nl-up") == 1, "another card is lifted instead"
    phone.find(f"[data-option='{number}']").tap()
    phone.find(f"[data-option='{number}']").tap()
    phone.settle()
    assert str(play.table.record.choices[0][0]) == number
    # No finger is left on the board: no row is dim, and nothing is aimed.
    assert phone.count(".nl-dim") == phone.count(".nl-target") == phone.count(".nl-up") == 0
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@browser
def test_the_first_puzzle_is_two_clicks_away(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.click("[data-do='daily']")
    assert walker.count(".nl-exercise .nl-prompt") == 1
    walker.in_sight(".nl-lane", ".nl-exercise .nl-prompt", ".nl-exercise .nl-option", ".nl-foot")
    assert scrolls(walker) == (False, False)
    walker.go("practise")
    walker.click("[data-do='leave']")
    walker.in_sight("[data-do='start']", "[data-puzzle]")
    assert scrolls(walker) == (False, False)
    walker.click("[data-puzzle='row']")
    assert walker.home.screen.parts["screen"].exercise.question.kind == "row"


@browser
def test_a_review_is_one_screen_with_a_board_to_look_at(visit: Visit, tmp_path: Path, monkeypatch: Any) -> None:
    from nimmt_lab.screens import course

    monkeypatch.setattr(course, "PLAYOUTS", 60)
    walker = sit(visit, tmp_path, options={"rounds": 1, "hand_size": 4}, hints=False)
    while not play_of(walker).table.record.final.is_over:
        play_on(walker)
    walker.click("[data-do='finish']")
    walker.click("[data-do='review']")
    found = walker.home.screen.parts["screen"].parts["course"]
    walker.until(lambda: not found.data["running"] and len(found.data["steps"]) == found.data["all"])
    assert scrolls(walker) == (False, False)
    walker.in_sight(
        ".nl-lane", ".nl-controls button", ".nl-course-strip", "[data-do='next-mistake']", ".nl-course-side"
    )
    cards = walker.page.evaluate("[...document.querySelectorAll('.nl-rows .nl-card')].map((node) => node.offsetWidth)")
    assert min(cards) >= 50
    # What-if opens beside the board, and the log on demand.
    walker.press("Home")
    while walker.count("[data-do='what-if']") == 0:
        walker.click(".nl-control[data-do='next']")
    walker.click("[data-do='what-if']")
    walker.in_sight(".nl-ask .nl-option", "[data-do='play-this']")
    walker.press("Escape")
    assert walker.count(".nl-log") == 0
    walker.click("[data-do='log']")
    walker.in_sight(".nl-log")


@browser
@pytest.mark.parametrize("name", ["first_turn", "taking_rows", "traps", "board"])
def test_no_step_of_a_lesson_scrolls(visit: Visit, tmp_path: Path, name: str) -> None:
    walker = visit(tmp_path)
    walker.home.screen.open("learn")
    walker.home.screen.parts["screen"].open(name)
    opened = walker.home.screen.parts["screen"].parts["lesson"]
    assert (WIDTH, HEIGHT) == (1366, 768)
    for at in range(len(opened.questions())):
        opened.go(at)
        walker.settle()
        assert opened.data["at"] == at and scrolls(walker) == (False, False), at
        if opened.asks(at):
            opened.board.receive({"type": "answer", "question": 0, "choice": min(opened.board.question.right)})
            walker.settle()
            assert scrolls(walker) == (False, False), f"{at}, answered"


@pytest.mark.parametrize("name", lesson_names())
def test_the_progress_has_as_many_steps_as_are_announced(name: str) -> None:
    opened = lesson(name, Desk(None), leave=lambda to: None)
    assert isinstance(opened.data["steps"], int) and opened.data["steps"] - 1 == steps_of(name)
    assert str(steps_of(name)) in str(opened.data["place"])
