"""Questions of lessons: their subject is visible, and answers count at once."""

from __future__ import annotations

import pytest

from nimmt_lab.engine.events import Json
from nimmt_lab.lessons import problems, question_of, rules_lesson, words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.lesson import RulesLesson
from nimmt_lab.screens.lesson_exercise import LessonExercise
from nimmt_lab.screens.problem import LONGEST, ProblemScreen
from nimmt_lab.widgets.base import Page
from tests.catalogue import in_lesson

from .conftest import Open


@pytest.mark.parametrize("message", [{"type": "answer"}, {"type": "answer", "text": 3}, {"type": "answer", "text": " \t"},
                                     {"type": "answer", "text": "9" * (LONGEST + 1)}])  # fmt: skip
def test_messages_that_are_not_answers_are_ignored(message: dict[str, Json]) -> None:
    heard: list[str] = []
    screen = ProblemScreen(problems(2, 7)[1], True, words("en"), lambda said, right: heard.append(said), seed=1)
    screen.handle({"path": [], "message": message})
    assert heard == [] and screen.data["told"] == ""


@pytest.mark.browser
def test_half_typed_answers_are_not_graded(stage: Open) -> None:
    heard: list[str] = []
    screen = ProblemScreen(problems(2, 7)[1], True, words("en"), lambda said, right: heard.append(said), seed=1)
    opened = stage(Page(screen))
    page, said = opened.page, words("en")
    line = page.get_by_label(said("page.your_answer"))
    button = page.get_by_role("button", name=said("page.answer"))
    line.type("8 23")
    line.blur()
    page.mouse.click(5, 800)
    assert opened.clicks == [], "leaving the line sends nothing"
    line.focus()
    line.press("End")
    line.type("/104")
    line.press("Enter")
    opened.hear(1)
    assert heard == ["8 23/104"] and in_lesson("page.wrong").search(page.locator(".nl-feedback").inner_text())
    line.fill("8.2")
    button.click()
    opened.hear(2)
    assert heard == ["8 23/104", "8.2"]
    line.fill("  ")
    line.press("Enter")
    assert len(opened.clicks) == 2


@pytest.mark.browser
@pytest.mark.parametrize("name", ["heads", "most", "check1"])
def test_cards_that_are_asked_about_are_seen(stage: Open, name: str) -> None:
    step = next(step for step in rules_lesson("scoring").steps if step.name == name)
    lesson = RulesLesson("scoring", Desk(None))
    opened = stage(Page(LessonExercise(question_of(step, "scoring"), step, "en", lesson)))
    shown = opened.page.locator('.nl-hand[data-seat="0"] .nl-card')
    assert [int(card.get_attribute("data-card") or 0) for card in shown.all()] == list(step.state.hands[0])
    assert all(card.is_visible() for card in shown.all())
    # On a small laptop the question, the cards and the answers are in sight without scrolling. Rows are not needed.
    opened.page.set_viewport_size({"width": 1000, "height": 450})
    places = [
        opened.page.locator(".nl-prompt"),
        shown.first,
        opened.page.locator("[data-option]").first,
    ]
    boxes = [place.bounding_box() for place in places]
    assert all(box is not None and box["y"] < 400 for box in boxes)
    assert opened.page.locator(".nl-rows").count() == 0
    other = opened.page.locator('.nl-hand[data-seat="1"]')
    assert other.locator(".nl-card").count() == 0 and "×4" in other.inner_text(), "the other hand stays folded"


@pytest.mark.browser
def test_a_hand_to_choose_from_is_not_shown_twice(stage: Open) -> None:
    step = next(step for step in rules_lesson("traps").steps if step.name == "check1")
    lesson = RulesLesson("traps", Desk(None))
    opened = stage(Page(LessonExercise(question_of(step, "traps"), step, "en", lesson)))
    assert opened.page.locator(".nl-hand .nl-card").count() == 0
    assert opened.page.locator("[data-option]").count() == 3
