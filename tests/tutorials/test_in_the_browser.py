"""A learner's way from the index page to the end of a lesson, by clicking, without typing Python."""

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
from nimmt_lab.lessons.classroom import find
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.progress import FILE
from nimmt_lab.lessons.words import words
from nimmt_lab.screens import memory
from nimmt_lab.screens.lesson_exercise import PRAISES
from nimmt_lab.screens.reading import steps_of
from tests.catalogue import explained, in_lesson, on_board

pytestmark = [pytest.mark.browser, pytest.mark.lab]
SAY = words("en")


def praise(at: int) -> str:
    """The praise for a right answer at a step (from 0)."""
    return SAY(f"praise.{1 + at % PRAISES}")


def start(page: Page, address: str, title: str) -> None:
    """Open the index, click a lesson, press Start."""
    page.goto(f"{address}/lab/tree/index.ipynb?reset")
    page.locator(".jp-RenderedMarkdown a", has_text=title).first.click()
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)", has_text=title)
    expect(panel.locator("h1", has_text=title)).to_be_visible()
    press_start(page)
    expect(page.locator(".nl-lesson")).to_be_visible()


def kept_when_practised(page: Page, folder: Path, number: int, name: str = "first_turn") -> dict[str, Any]:
    """Wait until that many practice tasks are stored; the page is drawn earlier."""
    for _ in range(1200):
        mine: dict[str, Any]
        mine = json.loads((folder / memory.FILE).read_text(encoding="utf-8"))["pages"][f"lesson {name}"]
        if mine.get("practised", 0) == number:
            return mine
        page.wait_for_timeout(50)
    raise AssertionError(f"practised is {mine.get('practised')}, not {number}")


def press_start(page: Page) -> None:
    """Press Start when the kernel of this notebook answers, because JupyterLab drops an earlier run. The status bar may
    still show the notebook before, and the panel's own sign says "idle" until it has a kernel's name."""
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    expect(panel.locator(".jp-Toolbar-kernelName")).to_contain_text("Python 3")
    expect(panel.locator(".jp-Notebook-ExecutionIndicator")).to_have_attribute("data-status", "idle")
    panel.locator('[data-command="notebook:run-all-cells"]').click()


def test_a_rules_tutorial_from_first_click_to_final_check(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    lesson = rules_lesson("first_turn")
    start(learner, address, SAY("first_turn.title"))
    go_on = learner.locator(".nl-lesson .nl-foot [data-do='next']")
    for number, step in enumerate(lesson.steps, 1):
        expect(learner.locator(".nl-lesson")).to_contain_text(SAY("page.step", at=number, all=len(lesson.steps) + 1))
        if not step.ask:
            replay = learner.locator(".nl-lesson .nl-replay")
            expect(replay).to_be_visible()
            replay.press("End")
            if step.name == "see":
                expect(replay).to_contain_text(explained("placed.closer", row=4, end=58))
        else:
            expect(go_on).to_be_disabled()
            (right,) = question_of(step).right
            if step.name == "closest":  # a wrong answer first: the lesson continues only after the right one
                wrong = next(option.text for option in question_of(step).options if option.text != right)
                learner.locator(f'.nl-lesson .nl-exercise [data-option="{wrong}"]').click()
                expect(learner.locator(".nl-lesson .nl-exercise .nl-feedback")).to_contain_text(on_board("retry"))
                expect(go_on).to_be_disabled()
            learner.locator(f'.nl-lesson .nl-exercise [data-option="{right}"]').click()
            expect(learner.locator(".nl-lesson .nl-exercise .nl-feedback")).to_contain_text(praise(number - 1))
            expect(learner.locator(f'.nl-lesson .nl-exercise [data-option="{right}"]')).to_have_class(
                re.compile("nl-was-right")
            )
        expect(go_on).to_be_enabled()
        go_on.click()
    for number in range(IN_A_ROW):  # fresh practice of one's own: its questions follow from the saved state
        expect(learner.locator(".nl-lesson .nl-exercise .nl-feedback")).to_be_empty()
        mine = kept_when_practised(learner, folder, number)
        question = practice(lesson, zlib.crc32(mine["sitting"].encode()), mine["practised"])
        learner.locator(f'.nl-lesson .nl-exercise [data-option="{min(question.right)}"]').click()
        expect(learner.locator(".nl-lesson .nl-exercise .nl-feedback")).to_contain_text(praise(len(lesson.steps)))
        go_on.click()
    questions = len(lesson.questions)
    expect(learner.locator(".nl-done")).to_contain_text(f"{questions - 1} of {questions}")
    # To hand in, a name is needed; then the file exists and judges as the page did.
    learner.get_by_role("button", name=SAY("page.save")).click()
    expect(learner.locator(".nl-lesson")).to_contain_text(SAY("page.name_first"))
    learner.locator(".nl-lesson-end input").fill("Ann")
    learner.locator(".nl-lesson-end input").blur()
    learner.get_by_role("button", name=SAY("page.save")).click()
    expect(learner.locator(".nl-lesson")).to_contain_text("Ann-first_turn-0.json")
    results = Results.load(folder / "hand-in" / "Ann-first_turn-0.json")
    assert results.right == questions and results.tries["closest"] and len(results.tries["closest"]) == 2
    progress = json.loads((folder / FILE).read_text(encoding="utf-8"))
    assert progress["done"]["first_turn"] == [questions - 1, questions] and progress["name"] == "Ann"
    # One switch changes the language, here and for every other lesson.
    learner.locator(".nl-lesson select").select_option(label="Čeština")
    expect(learner.locator(".nl-lesson h1")).to_have_text(words("cs")("first_turn.title"))
    learner.locator(".nl-lesson select").select_option(label="English")
    expect(learner.locator(".nl-lesson h1")).to_have_text(SAY("first_turn.title"))


def test_a_probability_lesson(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    start(learner, address, SAY("p2.title"))
    page = learner.locator(".nl-lesson")
    expect(page).to_contain_text(SAY("p2.aims"))
    go_on = learner.locator(".nl-lesson .nl-foot [data-do='next']")
    steps, asked = steps_of(find("p2")), {problem.key: problem for problem in problems(2, 0)}
    assert len(asked) == 6 and [name for name in steps if name not in asked] == ["start", "try", "meaning", "box"]
    field = page.get_by_placeholder("Your answer")

    def answer(problem: Problem) -> None:
        if problem.choices:
            page.get_by_role("button", name=words("en")(f"choice.{problem.answer}"), exact=True).click()
        else:
            field.fill(str(problem.answer))
            page.get_by_role("button", name="Answer", exact=True).click()
        expect(page.locator(".nl-feedback.nl-right")).to_contain_text(SAY("page.right"))

    for at, name in enumerate(steps, 1):
        expect(page).to_contain_text(SAY("page.step", at=at, all=len(steps) + 1))
        if name in asked:
            expect(go_on).to_be_disabled()
            if name == "p2.one":
                field.fill("rather likely")
                field.press("Enter")
                expect(page).to_contain_text(SAY("page.not_read"))
                field.fill("0.99")
                field.press("Enter")
                expect(page).to_contain_text(SAY("page.wrong"))
                page.locator("[data-times='1000']").click()
                expect(page).to_contain_text(re.compile("1000" + in_lesson("page.result_plain").pattern))
                expect(page).not_to_contain_text("±")  # the standard error is taught in a later lesson
                expect(page).not_to_contain_text(in_lesson("page.exact"))
            answer(asked[name])
            if name == "p2.one":
                expect(page).to_contain_text(in_lesson("page.exact"))
        else:  # a page to read
            first, *_ = SAY("p2.hook" if name == "start" else f"p2.{name}").splitlines()
            expect(page).to_contain_text(first)
            expect(go_on).to_be_enabled()
        go_on.click()
    for number in range(IN_A_ROW):  # practice with one's own numbers, which follow from the saved state
        expect(page).to_contain_text(SAY("page.in_a_row", streak=number, all=IN_A_ROW))
        expect(go_on).to_be_disabled()
        mine = kept_when_practised(learner, folder, number, "p2")
        fresh = problems(2, zlib.crc32(f"{zlib.crc32(mine['sitting'].encode())} {number}".encode()))
        answer(fresh[number % len(fresh)])
        go_on.click()
    expect(page.locator(".nl-done")).to_contain_text(SAY("page.done", right=5, all=6))
    learner.locator(".nl-lesson-end input").fill("Bob")
    learner.locator(".nl-lesson-end input").blur()
    learner.get_by_role("button", name=SAY("page.save")).click()
    expect(page).to_contain_text("Bob-p2-0.json")
    results = Results.load(folder / "hand-in" / "Bob-p2-0.json")
    assert results.right == 6 and results.tries["p2.one"] == ("0.99", str(problems(2, 0)[1].answer))


def test_the_index_shows_what_is_done(learner: Page, lab: tuple[str, Path]) -> None:
    address, folder = lab
    progress = json.loads((folder / FILE).read_text(encoding="utf-8"))
    progress["done"]["traps"] = [4, 5]
    (folder / FILE).write_text(json.dumps(progress), encoding="utf-8")
    learner.goto(f"{address}/lab/tree/index.ipynb?reset")
    expect(learner.locator(".jp-RenderedMarkdown a", has_text=SAY("traps.title")).first).to_be_visible()
    press_start(learner)
    expect(learner.locator(".jp-OutputArea .jp-RenderedMarkdown li", has_text=SAY("traps.title"))).to_contain_text(
        "✓ 4/5"
    )


def test_a_saved_lesson_without_its_kernel_shows_itself_and_how_to_continue(
    learner: Page, lab: tuple[str, Path]
) -> None:
    address, folder = lab
    start(learner, address, SAY("traps.title"))
    go_on = learner.locator(".nl-lesson .nl-foot [data-do='next']")
    (right,) = question_of(rules_lesson("traps").steps[0]).right
    learner.locator(f'.nl-lesson .nl-exercise [data-option="{right}"]').click()
    go_on.click()
    expect(learner.locator(".nl-lesson")).to_contain_text(SAY("page.step", at=2, all=8))
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
    expect(learner.locator(".nl-lesson")).to_contain_text(SAY("page.step", at=2, all=8))
    offline = learner.locator(".nl-page", has=learner.locator(".nl-lesson")).locator(".nl-offline")
    expect(offline).to_be_visible()
    expect(offline).to_contain_text(SAY("page.no_kernel"))
    press_start(learner)
    expect(learner.locator(".nl-lesson")).to_contain_text(SAY("page.step", at=2, all=8))
    expect(learner.locator(".nl-offline:visible")).to_have_count(0)
    expect(go_on).to_be_visible()
