"""The line an answer is written on: it counts when it is given, not when the line is left."""

from __future__ import annotations

import pytest

from nimmt_lab.lessons import rules_lesson
from nimmt_lab.widgets.entry import LONGEST, Entry
from nimmt_lab.widgets.lesson import LessonExercise, RulesPage, question_of

from .conftest import Open


@pytest.mark.parametrize("message", [None, 3, {}, {"type": "answer"}, {"type": "answer", "text": 3}, {"type": "x", "text": "1"},
                                     {"type": "answer", "text": " \t"}, {"type": "answer", "text": "9" * (LONGEST + 1)}])  # fmt: skip
def test_what_is_no_answer_is_passed_over(message: object) -> None:
    heard: list[str] = []
    Entry("?", "!", heard.append).receive(message)
    assert heard == []


@pytest.mark.browser
def test_half_typed_answers_are_not_graded(stage: Open) -> None:
    heard: list[str] = []
    opened = stage(Entry("Your answer", "Answer", heard.append))
    line, button = opened.page.get_by_label("Your answer"), opened.page.get_by_role("button", name="Answer")
    line.type("8 23")
    line.blur()
    opened.page.mouse.click(5, 800)
    assert opened.received == [], "leaving the line sends nothing"
    line.focus()
    line.press("End")
    line.type("/104")
    line.press("Enter")
    opened.hear(1)
    assert heard == ["8 23/104"]
    line.fill("8.2")
    button.click()
    opened.hear(2)
    assert heard == ["8 23/104", "8.2"]
    line.fill("  ")
    line.press("Enter")
    assert len(opened.received) == 2


@pytest.mark.browser
@pytest.mark.parametrize("name", ["heads", "most", "check1"])
def test_cards_that_are_asked_about_are_seen(stage: Open, name: str) -> None:
    step = next(step for step in rules_lesson("scoring").steps if step.name == name)
    page = RulesPage("scoring")
    opened = stage(LessonExercise(question_of(step, "scoring"), step, "en", page))
    shown = opened.page.locator('.nl-hand[data-seat="0"] .nl-card')
    assert [int(card.get_attribute("data-card") or 0) for card in shown.all()] == list(step.state.hands[0])
    assert all(card.is_visible() for card in shown.all())
    # On a small laptop the question, the cards and the answers are in sight without scrolling.
    opened.page.set_viewport_size({"width": 1000, "height": 450})
    places = [opened.page.locator(".nl-prompt"), shown.first, opened.page.locator("[data-option]").first, opened.page.locator(".nl-rows")]
    boxes = [place.bounding_box() for place in places]
    tops = [box["y"] for box in boxes if box is not None]
    assert tops == sorted(tops) and len(tops) == 4 and tops[2] < 400
    other = opened.page.locator('.nl-hand[data-seat="1"]')
    assert other.locator(".nl-card").count() == 0 and "×4" in other.inner_text(), "the other hand stays folded"


@pytest.mark.browser
def test_a_hand_to_choose_from_is_not_shown_twice(stage: Open) -> None:
    step = next(step for step in rules_lesson("traps").steps if step.name == "check1")
    page = RulesPage("traps")
    opened = stage(LessonExercise(question_of(step, "traps"), step, "en", page))
    assert opened.page.locator(".nl-hand .nl-card").count() == 0
    assert opened.page.locator("[data-option]").count() == 3
