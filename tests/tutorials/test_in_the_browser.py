"""As a learner: from the index page to the end of a lesson, by clicking; no Python typed."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nimmt_lab.lessons import Results, problems, question_of, rules_lesson
from nimmt_lab.lessons.again import IN_A_ROW, practice
from nimmt_lab.lessons.progress import FILE
from nimmt_lab.lessons.words import words
from nimmt_lab.screens import memory

pytestmark = [pytest.mark.browser, pytest.mark.lab]


def start(page: Page, address: str, title: str) -> None:
    """Open the index, click a lesson, press Start."""
    page.goto(f"{address}/lab/tree/index.ipynb?reset")
    page.locator(".jp-RenderedMarkdown a", has_text=title).first.click()
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)", has_text=title)
    expect(panel.locator("h1", has_text=title)).to_be_visible()
    press_start(page)
    expect(page.locator(".nl-lesson")).to_be_visible()


def kept_when_practised(page: Page, folder: Path, number: int) -> dict[str, Any]:
    """What is kept of the lesson, once so many tasks of its practice are answered: the page is drawn before that."""
    for _ in range(1200):
        mine: dict[str, Any]
        mine = json.loads((folder / memory.FILE).read_text(encoding="utf-8"))["pages"]["lesson first_turn"]
        if mine.get("practised", 0) == number:
            return mine
        page.wait_for_timeout(50)
    raise AssertionError(f"practised is {mine.get('practised')}, not {number}")


def press_start(page: Page) -> None:
    """JupyterLab passes over a run that is asked for before the kernel answers; the status bar says when it does."""
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")
    page.locator('.jp-NotebookPanel:not(.lm-mod-hidden) [data-command="notebook:run-all-cells"]').click()


def test_a_rules_tutorial_from_first_click_to_final_check(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    lesson = rules_lesson("first_turn")
    start(learner, address, "The first turn")
    go_on = learner.locator(".nl-lesson-head [data-do='next']")
    for number, step in enumerate(lesson.steps, 1):
        expect(learner.locator(".nl-lesson")).to_contain_text(f"Step {number} of {len(lesson.steps) + 1}")
        if not step.ask:
            replay = learner.locator(".nl-replay")
            expect(replay).to_be_visible()
            replay.press("End")
            expect(replay).to_contain_text("61 (D) goes to row 4")
        else:
            expect(go_on).to_be_disabled()
            (right,) = question_of(step).right
            if step.name == "closest":  # a wrong answer first: the lesson goes on only after the right one
                wrong = next(option.text for option in question_of(step).options if option.text != right)
                learner.locator(f'.nl-exercise [data-option="{wrong}"]').click()
                expect(learner.locator(".nl-exercise .nl-feedback")).to_contain_text("Try again")
                expect(go_on).to_be_disabled()
            learner.locator(f'.nl-exercise [data-option="{right}"]').click()
            expect(learner.locator(".nl-exercise .nl-feedback")).to_contain_text("Right.")
            expect(learner.locator(f'.nl-exercise [data-option="{right}"]')).to_have_class(re.compile("nl-was-right"))
        expect(go_on).to_be_enabled()
        go_on.click()
    for number in range(IN_A_ROW):  # fresh practice of one's own: what is asked follows from what is kept
        expect(learner.locator(".nl-exercise .nl-feedback")).to_be_empty()
        mine = kept_when_practised(learner, folder, number)
        question = practice(lesson, zlib.crc32(mine["sitting"].encode()), mine["practised"])
        learner.locator(f'.nl-exercise [data-option="{min(question.right)}"]').click()
        expect(learner.locator(".nl-exercise .nl-feedback")).to_contain_text("Right.")
        go_on.click()
    questions = len(lesson.questions)
    expect(learner.locator(".nl-done")).to_contain_text(f"{questions - 1} of {questions}")
    # Handing in: a name is needed, then the file is there and judges as the page did.
    learner.get_by_role("button", name="Save my answers").click()
    expect(learner.locator(".nl-lesson")).to_contain_text("Write your name first.")
    learner.locator(".nl-lesson-end input").fill("Ann")
    learner.locator(".nl-lesson-end input").blur()
    learner.get_by_role("button", name="Save my answers").click()
    expect(learner.locator(".nl-lesson")).to_contain_text("Ann-first_turn-0.json")
    results = Results.load(folder / "hand-in" / "Ann-first_turn-0.json")
    assert results.right == questions and results.tries["closest"] and len(results.tries["closest"]) == 2
    progress = json.loads((folder / FILE).read_text(encoding="utf-8"))
    assert progress["done"]["first_turn"] == [questions - 1, questions] and progress["name"] == "Ann"
    # One switch changes the language, here and for every other lesson.
    learner.locator(".nl-lesson select").select_option(label="Čeština")
    expect(learner.locator(".nl-lesson h1")).to_have_text(words("cs")("first_turn.title"))
    learner.locator(".nl-lesson select").select_option(label="English")
    expect(learner.locator(".nl-lesson h1")).to_have_text("The first turn")


def test_a_probability_lesson(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    start(learner, address, "Is my card safe?")
    page = learner.locator(".nl-lesson")
    expect(page).to_contain_text("Count favourable and possible cases.")
    go_on = learner.locator(".nl-lesson-head [data-do='next']")
    go_on.click()
    for number, problem in enumerate(problems(2, 0), 1):
        expect(page).to_contain_text(f"Step {number + 1} of 8")
        if problem.choices:
            learner.get_by_role("button", name=words("en")(f"choice.{problem.answer}"), exact=True).click()
        else:
            field = page.get_by_placeholder("Your answer")
            if number == 2:
                field.fill("rather likely")
                field.press("Enter")
                expect(page).to_contain_text("Write a number such as 3/14")
                field.fill("0.99")
                field.press("Enter")
                expect(page).to_contain_text("Not yet. Try again.")
                learner.locator("[data-times='1000']").click()
                expect(page).to_contain_text("1000 runs: mean 0.")
                expect(page).not_to_contain_text("Exact: ")
            field.fill(str(problem.answer))
            learner.get_by_role("button", name="Answer", exact=True).click()
        expect(page.locator(".nl-feedback.nl-right")).to_contain_text("Right.")
        if number == 2:
            expect(page).to_contain_text("Exact: ")
        go_on.click()
    expect(page).to_contain_text("Practice")  # fresh questions, for who wants them
    go_on.click()
    expect(page.locator(".nl-done")).to_contain_text("5 of 6 right at the first try")
    learner.locator(".nl-lesson-end input").fill("Bob")
    learner.locator(".nl-lesson-end input").blur()
    learner.get_by_role("button", name="Save my answers").click()
    expect(page).to_contain_text("Bob-p2-0.json")
    results = Results.load(folder / "hand-in" / "Bob-p2-0.json")
    assert results.right == 6 and results.tries["p2.one"] == ("0.99", str(problems(2, 0)[1].answer))


def test_the_index_shows_what_is_done(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    progress = json.loads((folder / FILE).read_text(encoding="utf-8"))
    progress["done"]["traps"] = [4, 5]
    (folder / FILE).write_text(json.dumps(progress), encoding="utf-8")
    learner.goto(f"{address}/lab/tree/index.ipynb?reset")
    expect(learner.locator(".jp-RenderedMarkdown a", has_text="The traps").first).to_be_visible()
    press_start(learner)
    expect(learner.locator(".jp-OutputArea .jp-RenderedMarkdown li", has_text="The traps")).to_contain_text("✓ 4/5")


def test_a_saved_lesson_opened_without_its_kernel_shows_itself_and_how_to_go_on(
    learner: Page, lab: tuple[str, Path]
) -> None:
    address, folder = lab
    start(learner, address, "The traps")
    go_on = learner.locator(".nl-lesson-head [data-do='next']")
    (right,) = question_of(rules_lesson("traps").steps[0]).right
    learner.locator(f'.nl-exercise [data-option="{right}"]').click()
    go_on.click()
    expect(learner.locator(".nl-lesson")).to_contain_text("Step 2 of 8")
    with learner.expect_response(
        lambda answer: answer.request.method == "PUT" and "03_traps" in answer.url and answer.ok
    ):
        learner.keyboard.press("Control+s")
    saved = json.loads((folder / "rules" / "03_traps.ipynb").read_text(encoding="utf-8"))
    assert "application/vnd.jupyter.widget-state+json" in saved["metadata"]["widgets"]
    learner.evaluate(
        """async () => {
          const headers = { "X-XSRFToken": document.cookie.match(/_xsrf=([^;]+)/)?.[1] ?? "" };
          for (const { id } of await (await fetch("/api/sessions")).json()) await fetch(`/api/sessions/${id}`, { method: "DELETE", headers });
        }"""
    )
    learner.goto(f"{address}/lab/workspaces/later/tree/rules/03_traps.ipynb?reset")
    expect(learner.locator(".nl-lesson")).to_contain_text("Step 2 of 8")
    expect(learner.locator(".nl-offline")).to_contain_text("Press ▶ Start")
    press_start(learner)
    expect(learner.locator(".nl-lesson")).to_contain_text("Step 2 of 8")
    expect(learner.locator(".nl-offline")).not_to_be_visible()
    expect(go_on).to_be_visible()
