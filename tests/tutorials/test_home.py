"""Home as opened by `nimmt-lab`: without notebook chrome, without a network, resumed after a reload."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nimmt_lab.lessons import question_of, rules_lesson

pytestmark = [pytest.mark.browser, pytest.mark.lab]


def test_from_the_address_to_a_right_answer_a_card_and_back(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    learner.set_viewport_size({"width": 1366, "height": 768})
    learner.goto(f"{address}/voila/render/home.ipynb")
    # The first step of a lesson fits the window: the notebook around it adds nothing to scroll.
    learner.locator("[data-lesson='taking_rows']").wait_for()
    padding = learner.locator("#rendered_cells").evaluate("(node) => getComputedStyle(node).padding")
    assert padding == "0px"
    # Three clicks to the first right answer.
    learner.locator("[data-lesson='taking_rows']").click()
    lesson = rules_lesson("taking_rows")
    at = next(number for number, step in enumerate(lesson.steps) if step.ask)
    around = learner.locator("#rendered_cells")
    expect(learner.locator(".nl-lesson .nl-foot")).to_be_visible()
    assert around.evaluate("(node) => node.scrollHeight <= node.clientHeight && node.scrollWidth <= node.clientWidth")
    for _ in range(at):
        learner.locator(".nl-lesson .nl-foot [data-do='next']").click()
    learner.locator(f".nl-option[data-option='{min(question_of(lesson.steps[at]).right)}']").click()
    expect(learner.locator(".nl-feedback.nl-right")).to_be_in_viewport()
    expect(learner.locator(".nl-lane").last).to_be_in_viewport()
    learner.locator(".nl-lesson .nl-foot [data-do='next']").click()
    expect(learner.locator(".nl-lesson-head .nl-place")).to_contain_text(f"Step {at + 2}")
    # The page is reloaded: another kernel, the same place.
    learner.reload()
    expect(learner.locator(".nl-lesson-head .nl-place")).to_contain_text(f"Step {at + 2}")
    # Three clicks to the first card at a table.
    learner.locator("[data-do='map']").click()
    learner.locator("[data-door='play']").click()
    learner.locator("[data-do='start']").click()
    learner.locator(".nl-mine .nl-option").first.click()
    expect(learner.locator(".nl-log")).to_contain_text("Turn 1")
    lines = learner.locator(".nl-log-line")
    expect(learner.locator(".nl-table .nl-prompt")).to_be_in_viewport()
    told = lines.count()
    learner.reload()
    expect(learner.locator(".nl-table")).to_be_visible()
    expect(lines).to_have_count(told)
    kept = json.loads((folder / "nimmt-lab-pages.json").read_text(encoding="utf-8"))["pages"]
    assert kept["home"] == {"screen": "play"} and "Turn" not in kept["play"]["record"]
