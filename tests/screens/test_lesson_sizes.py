"""The rules lessons on a phone: the sentence, the whole board and the answers are in sight, whatever was answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.lessons import rules_lesson, rules_lessons
from nimmt_lab.screens.lesson import TEST_QUESTIONS

from .conftest import Walker

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]
PHONE = (390, 844)

#: The edges of what is on the page: the sentence, the rows, the answers, and the bar below.
EDGES = """() => {
  const boxes = (names) => [...document.querySelectorAll(names)]
    .filter((node) => node.getClientRects().length).map((node) => node.getBoundingClientRect());
  const least = (numbers) => Math.min(...numbers), most = (numbers) => Math.max(0, ...numbers);
  const rows = boxes(".nl-lane"), answers = boxes(".nl-option"), all = [...rows, ...answers];
  return {
    said: least(boxes(".nl-lesson-say, .nl-prompt").map((box) => box.top)),
    top: least(rows.map((box) => box.top)),
    rows: most(rows.map((box) => box.bottom)),
    answers: most(answers.map((box) => box.bottom)),
    right: most(all.map((box) => box.right)),
    bar: least(boxes(".nl-foot").map((box) => box.top)),
    scrolled: window.scrollY,
  };
}"""


def edges(walker: Walker) -> dict[str, float]:
    walker.opened.laid_out()
    found: dict[str, float] = walker.page.evaluate(EDGES)
    return found


def phone(visit: Visit, folder: Path, name: str) -> Walker:
    walker = visit(folder)
    walker.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    walker.home.screen.parts["screen"].open(name)
    walker.settle()
    return walker


def board(walker: Walker) -> Any:
    return walker.home.screen.parts["screen"].parts["lesson"].board


@pytest.mark.parametrize("name", [lesson.name for lesson in rules_lessons()])
def test_a_phone_shows_the_sentence_the_board_and_the_answers(visit: Visit, tmp_path: Path, name: str) -> None:
    walker = phone(visit, tmp_path, name)

    def fits(when: str, *, answers: bool = False) -> None:
        at = edges(walker)
        assert 0 <= at["said"] < at["top"] and at["rows"] <= at["bar"] + 1, (when, at)
        assert at["right"] <= PHONE[0] and at["scrolled"] == 0, (when, at)
        assert not answers or at["answers"] <= at["bar"] + 1, (when, at)

    for step in rules_lesson(name).steps:
        fits(step.name, answers=True)
        if step.ask:
            question = board(walker).question
            wrong = next(choice for choice in question.choices if choice not in question.right)
            walker.click(f".nl-option[data-option='{wrong}']")
            fits(f"{step.name}, wrong")
            walker.page.evaluate(f"document.querySelector(`.nl-option[data-option='{min(question.right)}']`).click()")
            walker.settle()
            fits(f"{step.name}, right")
            assert walker.count(".nl-feedback.nl-right") == 1
        else:
            while walker.count("[data-do='step']"):
                walker.press("Enter")
            fits(f"{step.name}, watched")
        walker.click(".nl-lesson .nl-foot [data-do='next']")


@pytest.mark.parametrize("size", [PHONE, (1366, 768)])
def test_a_lesson_is_skipped_from_the_first_page(visit: Visit, tmp_path: Path, size: tuple[int, int]) -> None:
    walker = visit(tmp_path)
    walker.page.set_viewport_size({"width": size[0], "height": size[1]})
    walker.click(".nl-hero [data-do='test']")
    for number in range(TEST_QUESTIONS):
        assert walker.count(".nl-lesson .nl-foot [data-do='next']:disabled") == 1, number
        walker.click(f".nl-option[data-option='{min(board(walker).question.right)}']")
        walker.press("Enter")
    assert walker.count(".nl-done") == 1 and walker.count(".nl-recap li") == 0
    assert walker.home.screen.desk.progress.done == {"first_turn": (TEST_QUESTIONS, TEST_QUESTIONS)}
    walker.click("[data-do='next-lesson']")
    walker.click(".nl-lesson-text [data-do='test']")
    question = board(walker).question
    wrong = next(choice for choice in question.choices if choice not in question.right)
    walker.click(f".nl-option[data-option='{wrong}']")
    assert walker.count(".nl-feedback.nl-wrong") == 1 and walker.count("[data-do='retry']") == 0, "one try"
    walker.click("[data-do='back']")
    assert walker.count(".nl-lesson-text [data-do='test']") == 1, "the lesson, from its first step"
