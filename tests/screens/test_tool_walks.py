"""Walks through the tools at the size of a school laptop: every click, and what is then in sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import record as played
from tests.catalogue import on_board, on_screen

from .conftest import Walker
from .test_pages import problems, sideways

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]


def screen(walker: Walker) -> Any:
    return walker.home.screen.parts["screen"]


def a_game(players: int = 3) -> Record:
    return played(Classic(players=players, rounds=1), [bot("level-2")] * players, 11)


# Analyse ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.smoke), "dark"])
def test_a_pasted_game_is_analysed(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    walker.go("analyse")
    walker.find("[data-do='paste']").fill("12 | 37")
    walker.click("[data-do='open']")
    assert walker.text(".nl-told"), "what is wrong is said"
    walker.find("[data-do='paste']").fill(a_game().to_text())
    walker.click("[data-do='open']")
    walker.in_sight(".nl-lane", ".nl-controls", ".nl-say", "[data-do='review']", "[data-way='odds']", ".nl-hand")
    walker.click("[data-do='review']")
    assert walker.count(".nl-course-step") == len(a_game().choices) and walker.count(".nl-course-bad") > 0
    walker.click("[data-do='next-mistake']")
    assert "?" in walker.text(".nl-course-told") and walker.focused()
    walker.until(lambda: screen(walker).replay.ply > 0)
    first = screen(walker).replay.ply
    walker.click("[data-do='next-mistake']")
    walker.until(lambda: screen(walker).replay.ply > first)
    walker.in_sight(".nl-course-told", ".nl-lane", ".nl-controls", "[data-do='review-picture']")
    with walker.page.expect_download() as waiting:
        walker.click("[data-do='review-picture']")
    picture = Path(waiting.value.path()).read_bytes()
    # Twice as large as it is drawn: 2400 by 1260 pixels.
    assert picture.startswith(b"\x89PNG") and picture[16:24] == (2400).to_bytes(4) + (1260).to_bytes(4)
    assert problems(walker) == []
    walker.click("[data-way='odds']")
    assert walker.count(".nl-worth tbody tr") == len(screen(walker).replay.state.hands[0])
    walker.click("[data-way='search']")
    assert "±" in walker.text(".nl-worth tbody") and problems(walker) == []
    walker.click("[data-do='what-if']")
    walker.click(".nl-question .nl-option:not([aria-pressed])")
    walker.click("[data-do='play-this']")
    assert walker.count(".nl-line-name") == 2 and screen(walker).line == 1
    place = screen(walker).replay.data["at"]
    walker = visit(tmp_path, theme=theme)  # a reload in the middle
    assert walker.count(".nl-line-name") == 2 and screen(walker).replay.data["at"] == place
    assert problems(walker) == []
    walker.click("[data-line='0']")
    assert screen(walker).record == a_game()
    walker.click(".nl-export summary")
    for form, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("html", b"<!doctype html>"), ("nimmt", b"nimmt-game")):
        with walker.page.expect_download() as waiting:
            walker.click(f"[data-export='{form}']")
        assert Path(waiting.value.path()).read_bytes().startswith(begins), form
        if not walker.count("[data-export='svg']"):
            walker.click(".nl-export summary")
    walker.click("[data-export='cell']")
    assert "Replay(record" in walker.find("[data-do='cell']").input_value()


def test_a_position_is_set_up_by_keyboard_and_solved(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("analyse")
    walker.click("[data-do='setup']")
    walker.find("[data-do='players']").select_option("2")
    walker.settle()
    cards = {"row 0": [12], "row 1": [37], "row 2": [43], "row 3": [58], "hand 0": [14, 20], "hand 1": [15, 30]}
    for place, held in cards.items():
        walker.find(f"[data-place='{place}']").focus()
        walker.press("Enter")
        for card in held:
            walker.find(".nl-deck [tabindex='0']").focus()
            walker.press("Home", *["ArrowDown"] * ((card - 1) // 10), *["ArrowRight"] * ((card - 1) % 10), "Enter")
    assert screen(walker).parts["editor"].data["text"] == "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
    walker.in_sight(".nl-place-button", ".nl-deck", "[data-do='done']", "[data-do='text']")
    assert problems(walker) == [] and not sideways(walker)
    walker = visit(tmp_path)
    assert screen(walker).parts["editor"].data["text"] == "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
    walker.click("[data-do='done']")
    walker.click("[data-way='solve']")
    assert on_board("solver_level").search(walker.text(".nl-judge-text"))


def test_cards_are_dragged_and_tapped_to_their_places(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("analyse")
    walker.click("[data-do='setup']")
    editor = screen(walker).parts["editor"]
    editor.receive({"type": "text", "text": "12 | 37 | 43 | 58 ; A: 14 ; B: 15 ; C: 16 ; D: 17"})
    walker.settle()
    assert walker.page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    def drag(start: str, end: str) -> None:
        for selector, act in ((start, walker.page.mouse.down), (end, walker.page.mouse.up)):
            box = walker.find(selector).first.bounding_box()
            assert box is not None
            walker.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            act()
        walker.settle()
        assert walker.count(".nl-dragged") == 0

    drag(".nl-deck [data-card='40']", "[data-drop='row 1']")
    assert editor.data["text"] == "12 | 37 40 | 43 | 58 ; A: 14 ; B: 15 ; C: 16 ; D: 17"
    drag("[data-drop='hand 0'] [data-card='14']", "[data-drop='row 0']")
    drag("[data-drop='hand 3'] [data-card='17']", "[data-drop='hand 0']")
    assert editor.data["text"] == "12 14 | 37 40 | 43 | 58 ; A: 17 ; B: 15 ; C: 16"
    drag("[data-drop='row 0'] [data-card='14']", ".nl-deck [data-card='14']")
    drag("[data-drop='row 0'] [data-card='12']", "[data-drop='row 0']")  # nowhere else: nothing changes
    drag(".nl-deck [data-card='3']", "[data-do='clear']")
    assert editor.data["text"] == "12 | 37 40 | 43 | 58 ; A: 17 ; B: 15 ; C: 16"
    # The same by tapping: a place, its cards, and a placed card back to the deck.
    walker.click("[data-drop='hand 3'] .nl-slot")
    walker.click(".nl-deck [data-card='18']")
    walker.click("[data-drop='row 1'] [data-card='40']")
    assert editor.data["text"] == "12 | 37 | 43 | 58 ; A: 17 ; B: 15 ; C: 16 ; D: 18"
    assert not walker.find("[data-do='done']").is_disabled()


def test_a_game_is_recorded_at_the_table(visit: Visit, tmp_path: Path) -> None:
    record = a_game()
    walker = visit(tmp_path)
    walker.go("analyse")
    walker.click("[data-do='record-game']")
    walker.find("[data-do='players']").select_option("3")
    walker.settle()
    for row in record.opening[0].rows:
        walker.click(f".nl-deck [data-card='{row[0]}']")
    for at, step in enumerate(record.steps):
        if at == 2:
            walker = visit(tmp_path)
        for seat, choice in step.choices.items():
            text = step.before.pending[seat].write(choice)
            walker.click(f".nl-deck [data-card='{text}']" if text.isdecimal() else f"[data-option='{text}']")
        if at == 4:
            walker.in_sight(".nl-prompt", ".nl-deck", ".nl-lane", ".nl-takers li", "[data-do='undo']")
            assert problems(walker) == []
    walker.click("[data-do='done']")
    assert screen(walker).record.final.totals == record.final.totals
    walker.in_sight(".nl-lane", ".nl-controls", "[data-do='review']")
    # Another game: not by one careless click, and where no hand is known nobody is judged.
    walker.click(".nl-analyse-head button")
    walker.click("[data-do='record-game']")
    walker.click("[data-do='afresh']")
    assert walker.count(".nl-lane") and on_screen("record_game.sure").search(walker.text("[data-do='afresh']"))
    walker.click("[data-do='afresh']")
    for card in (12, 37, 43, 58, 14, 15, 44):
        walker.click(f".nl-deck [data-card='{card}']")
    walker.click("[data-do='done']")
    assert walker.count("[data-do='review']") == 0
    assert on_screen("course.no_hands").search(walker.text(".nl-course-under"))


# Odds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_odds_grow_and_are_compared(visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str) -> None:
    monkeypatch.setattr("nimmt_lab.screens.odds.MOST", 4000)
    walker = visit(tmp_path, theme=theme)
    walker.go("odds")
    assert walker.count(".nl-worth tbody tr") == 10, "a dealt hand lies there, with its odds"
    walker.click("[data-mode='rounds']")
    walker.in_sight("[data-do='run']", ".nl-chance-form select")
    walker.click("[data-do='run']")
    assert walker.count(".nl-figure svg") == 2 and walker.focused()
    walker.in_sight(".nl-figure", "[data-do='run']", ".nl-worth")
    assert walker.count(".nl-worth tbody tr") == 4 and "4,000" in walker.text(".nl-worth")
    assert problems(walker) == []
    walker.find("[data-do='compare']").check()
    walker.settle()
    walker.find("[data-do='mine-1']").focus()
    walker.find("[data-do='mine-1']").select_option("highest")
    walker.settle()
    assert walker.page.evaluate("document.activeElement.dataset.do") == "mine-1", "the focus stays"
    walker.click("[data-do='run']")
    assert walker.count(".nl-figure .nl-line-b") > 1 and walker.count(".nl-worth tbody tr") == 8
    walker = visit(tmp_path, theme=theme)
    assert walker.find("[data-do='mine-1']").input_value() == "highest"
    walker.click("[data-mode='odds']")
    walker.fill("[data-do='text']", "12 14 15 | 37 | 41 | 35 36 38 40 42 ; A: 43 45 104")
    walker.click("[data-do='done']")
    assert walker.count(".nl-worth tbody tr") == 3
    walker.in_sight(".nl-worth", ".nl-deck", "[data-do='done']")
    assert problems(walker) == [] and not sideways(walker)


# Practise --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_practice_streak(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    walker.go("practise")
    walker.click(".nl-choose-task summary")
    walker.find("[data-do='kind']").select_option("row")
    walker.click("[data-do='start']")
    for count in range(5):
        if count == 2:
            walker = visit(tmp_path, theme=theme)  # a reload in the middle
        walker.in_sight(".nl-exercise .nl-prompt", ".nl-lane", ".nl-option", ".nl-streak", "[data-do='hint']")
        question = screen(walker).exercise.question
        walker.click(f".nl-option[data-option='{min(question.right)}']")
        assert walker.count(".nl-feedback.nl-right") == 1 and str(count + 1) in walker.text(".nl-streak")
        if count == 0:
            assert problems(walker) == []
        walker.click(".nl-exercise [data-do='next']")
        assert walker.focused()
    question = screen(walker).exercise.question
    wrong = next(choice for choice in question.choices if choice not in question.right)
    walker.click(f".nl-option[data-option='{wrong}']")
    assert "0" in walker.text(".nl-streak") and walker.count(".nl-feedback.nl-wrong") == 1
    walker.click("[data-do='leave']")
    walker.in_sight("[data-do='start']", "[data-do='start-missed']")
    assert problems(walker) == [] and not sideways(walker)
    walker.press("Tab")
    walker.find("[data-do='start-missed']").focus()
    walker.press("Enter")
    assert walker.count(".nl-again") == 1


# Teach -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_class_set_is_made_and_graded(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    walker.go("teach")
    walker.in_sight(
        "[data-do='lesson']", "[data-do='save']", "[data-do='slides']", ".nl-preview h2", "[data-do='grade']"
    )
    walker.find("[data-do='lesson']").select_option("2")
    walker.settle()
    walker.fill("[data-do='pupils']", "3")
    walker.fill("[data-do='seed']", "seven")
    assert "seven" in walker.text(".nl-told") and walker.find("[data-do='seed']").input_value() == "1"
    walker = visit(tmp_path, theme=theme)
    assert walker.find("[data-do='pupils']").input_value() == "3"
    walker.click("[data-do='save']")
    (made,) = (tmp_path / "worksheets").iterdir()
    assert len(list(made.glob("*-sheet-*.html"))) == 3 and walker.text(".nl-told")
    with walker.page.expect_download() as waiting:
        walker.click("[data-do='slides']")
    assert "<section>" in Path(waiting.value.path()).read_text(encoding="utf-8")
    from .test_teach import hand_ins

    files = []
    for at, text in enumerate(hand_ins().values()):
        files.append(tmp_path / f"{at}.json")
        files[-1].write_text(text, encoding="utf-8")
    walker.click(".nl-teach details summary")
    walker.fill("[data-do='names']", "Ann\nBob\nCyd")
    walker.press("Tab")
    with walker.page.expect_download() as waiting:
        walker.click("[data-do='class-list']")
    assert Path(waiting.value.path()).read_text(encoding="utf-8").startswith("name,seed,code\nAnn,1001,")
    walker.find("[data-do='files']").set_input_files(files)
    walker.until(lambda: walker.count(".nl-grading tbody") == 2)
    by_pupil, by_question = walker.find(".nl-grading tbody").nth(0), walker.find(".nl-grading tbody").nth(1)
    assert by_pupil.locator("tr").count() == 4 + 1, "Cyd handed nothing in"
    assert by_question.locator("tr").count() == 6
    assert problems(walker) == [] and not sideways(walker)


def test_slides_advance_by_key_and_by_click(stage: Any) -> None:
    from nimmt_lab.lessons.slides import slides_html
    from nimmt_lab.widgets import Home

    page = stage(Home(folder=None)).page
    page.set_content(slides_html(1, 7))
    assert page.locator("section:visible").count() == 1 and page.locator("#place").inner_text().startswith("1/")
    for _ in range(7):  # the hook, the activity, the rules, the idea, the definition, the example, the first question
        page.keyboard.press("ArrowRight")
    assert (
        page.locator("section:visible .question").count() == 1 and page.locator("section:visible .answer").count() == 0
    )
    page.mouse.click(5, 5)
    assert page.locator("section:visible .answer").count() == 1
    page.keyboard.press("ArrowLeft")
    assert page.locator("section:visible .answer").count() == 0


# Material --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_deck_is_entered_and_used(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    walker.go("box")
    assert problems(walker) == []
    walker.click("[data-kind='baron']")
    assert walker.find("[data-do='use']").is_disabled()
    walker.click("[data-brush='2']")
    walker.click(".nl-cell-button[data-row='0'][data-column='3']")
    walker.press("ArrowDown", "3", "ArrowRight", "Enter")
    cells = screen(walker).cells["bulls"]
    assert (cells[0][3], cells[1][3], cells[1][4]) == ("2", "3", "2") and "card 3" in walker.text(".nl-told")
    walker = visit(tmp_path, theme=theme)
    assert screen(walker).cells["bulls"][1][3] == "3"
    assert problems(walker) == [] and not sideways(walker)
    walker.click("[data-do='sample']")
    walker.click(".nl-cell-button[data-row='0'][data-column='3']")
    walker.in_sight("[data-do='use']", ".nl-told", ".nl-brushes")
    walker.click("[data-do='use']")
    assert (tmp_path / "material" / "baron.csv").is_file()
    walker.click("[data-do='leave']")
    assert walker.count(".nl-kind-used") == 1
    walker.click("[data-kind='basic']")
    assert walker.count(".nl-cells") == 2 and problems(walker) == [] and not sideways(walker)


# Rules -----------------------------------------------------------------------------------------------------


def test_the_rule_that_applies_is_one_tap_away(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("play")
    walker.click("[data-do='start']")
    walker.click(".nl-mine .nl-option")
    assert walker.count(".nl-ruling") == 0
    walker.click("[data-do='rule']")
    frame = table_frame(walker)
    assert walker.text(".nl-ruling") == frame["rule_text"] and len(frame["rule_text"]) > 20
    assert walker.find("[data-do='rule']").get_attribute("aria-expanded") == "true" and problems(walker) == []
    walker.find("[data-do='rule']").focus()
    walker.press("Enter")
    assert walker.count(".nl-ruling") == 0


def table_frame(walker: Walker) -> Any:
    return screen(walker).parts["table"].data["scene"]["frames"][-1]
