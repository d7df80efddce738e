"""From the address to the hand-in without a network: the first answers before Python has loaded, the rest with it."""

from __future__ import annotations

import contextlib
import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from nimmt_lab.cli import main
from nimmt_lab.lessons import question_of, rules_lesson
from nimmt_lab.lessons.again import IN_A_ROW, practice
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.site import build
from nimmt_lab.site.build import Site
from tests.catalogue import in_lesson

from .conftest import PATIENCE, Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
FIRST = lesson_names()[0]


def answer(visitor: Visitor, at: int, *, wrong_first: bool) -> None:
    """Answer a step's question, with a wrong answer first."""
    question = question_of(rules_lesson(FIRST).steps[at])
    right = min(question.right)
    wrong = next(choice for choice in question.choices if choice not in question.right)
    if wrong_first:
        visitor.click(f".nl-option[data-option='{wrong}']")
        expect(visitor.page.locator(".nl-feedback.nl-wrong")).to_be_visible(timeout=PATIENCE)
    visitor.click(f".nl-option[data-option='{right}']")
    expect(visitor.page.locator(".nl-feedback.nl-right")).to_be_visible(timeout=PATIENCE)


def place(visitor: Visitor, at: int) -> None:
    steps = len(rules_lesson(FIRST).steps) + 1  # the last one is practice
    expect(visitor.page.locator(".nl-lesson-head .nl-place")).to_contain_text(f"{at + 1} of {steps}", timeout=PATIENCE)


def test_a_whole_lesson_and_its_hand_in(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    held: list[Route] = []
    visitor.page.route("**/pyodide.asm.wasm*", lambda route: held.append(route))  # Python doesn't arrive yet
    visitor.come()
    visitor.click(f"[data-lesson='{FIRST}']")
    place(visitor, 0)
    assert "MB" in visitor.page.locator(".nl-loading-text").inner_text()
    visitor.click(".nl-lesson .nl-foot [data-do='next']")
    place(visitor, 1)
    answer(visitor, 1, wrong_first=True)
    feedback = visitor.page.locator(".nl-feedback.nl-right").inner_text()
    visitor.page.evaluate("document.querySelector('.nl-feedback').dataset.mine = 'yes'")
    for route in held:
        route.continue_()
    visitor.with_python()
    # Python heard of it silently: the screen is still what was drawn before it came.
    assert visitor.page.locator(".nl-feedback[data-mine='yes']").inner_text() == feedback
    assert visitor.count(".nl-loading:visible") == 0
    visitor.click(".nl-lesson .nl-foot [data-do='next']")
    steps = rules_lesson(FIRST).steps
    for at in range(2, len(steps)):
        if at == 3:  # closed and reopened: the same step, with Python or before it
            place(visitor, at)
            visitor.kept().come()
            place(visitor, at)
            visitor.with_python()
        place(visitor, at)
        if steps[at].ask:
            answer(visitor, at, wrong_first=at == 2)
        visitor.click(".nl-lesson .nl-foot [data-do='next']")
    place(visitor, len(steps))  # practice: the learner's own questions, which follow from the saved state
    for _ in range(IN_A_ROW):
        visitor.python("None")  # everything sent before has been handled
        kept = visitor.page.evaluate("new TextDecoder().decode(nimmtLab.host.store.files.get('nimmt-lab-pages.json'))")
        mine = json.loads(kept)["pages"][f"lesson {FIRST}"]
        question = practice(rules_lesson(FIRST), zlib.crc32(mine["sitting"].encode()), mine["practised"])
        visitor.click(f".nl-option[data-option='{min(question.right)}']")
        expect(visitor.page.locator(".nl-feedback.nl-right")).to_be_visible(timeout=PATIENCE)
        visitor.click(".nl-lesson .nl-foot [data-do='next']")
    visitor.page.locator(".nl-recap").wait_for()
    visitor.page.locator("input.nl-wide").fill("Ann Novak")
    with visitor.page.expect_download() as waiting:
        visitor.click("[data-do='save']")
    handed = tmp_path / "class" / waiting.value.suggested_filename
    waiting.value.save_as(handed)
    table = io.StringIO()
    with contextlib.redirect_stdout(table):
        assert main(["gradebook", str(handed.parent)]) == 0
    line = table.getvalue().splitlines()[1]
    questions = len(rules_lesson(FIRST).questions)
    assert "Ann Novak" in line and FIRST in line and f"{questions - 2}" in line, table.getvalue()
    # Progress can be moved to another browser; any other file changes nothing there.
    visitor.click(".nl-kept summary")
    with visitor.page.expect_download() as waiting:
        visitor.click("[data-do='take']")
    taken = tmp_path / "kept.json"
    waiting.value.save_as(taken)
    other = visit().come()
    other.click(".nl-kept summary")
    for name, text in (("wrong.json", "{}"), ("outside.json", '{"format": "nimmt-kept/1", "files": {"../x": ""}}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        other.page.locator("[data-do='bring-file']").set_input_files(tmp_path / name)
        expect(other.page.locator(".nl-kept [role=status]")).not_to_be_empty(timeout=PATIENCE)
    other.page.once("dialog", lambda dialog: dialog.accept())
    with other.page.expect_navigation():
        other.page.locator("[data-do='bring-file']").set_input_files(taken)
    other.with_python()
    other.click(f"[data-lesson='{FIRST}']")  # a finished lesson opens at its end
    done = in_lesson("page.done", right=questions - 2, all=questions)
    expect(other.page.locator(".nl-done")).to_contain_text(done, timeout=PATIENCE)
    other.page.once("dialog", lambda dialog: dialog.accept())
    other.click(".nl-kept summary")
    with other.page.expect_navigation():
        other.click("[data-do='forget']")
    expect(other.page.locator(f"[data-lesson='{FIRST}']")).to_be_visible(timeout=PATIENCE)
    assert other.count(".nl-done") == 0


def test_one_file_from_a_disk_and_an_address_of_the_school(
    visit: Visit, site: Site, browser: Browser, port: int, chromium: str, tmp_path: Path
) -> None:
    path = tmp_path / "a stick" / "lab.html"
    path.parent.mkdir()
    build.write_one_file(site, path)
    assert path.stat().st_size < 14_000_000
    # A host that browsers consider insecure, such as a school's own server: it gets no service worker.
    other = browser.browser_type.launch(
        executable_path=chromium, args=["--no-sandbox", "--host-resolver-rules=MAP lab.school 127.0.0.1"]
    )
    try:
        for address, using in ((path.as_uri(), browser), (f"http://lab.school:{port}/", other)):
            visitor = visit(address, using).come()
            assert visitor.page.evaluate("isSecureContext") is (using is browser)
            visitor.click(f"[data-lesson='{FIRST}']")
            place(visitor, 0)
            visitor.with_python()
            visitor.click(".nl-lesson .nl-foot [data-do='next']")
            answer(visitor, 1, wrong_first=True)
            visitor.click("[data-do='map']")
            visitor.click("[data-door='play']")
            visitor.click("[data-do='start']")
            visitor.click(".nl-mine .nl-option")
            expect(visitor.page.locator(".nl-last-list > li").nth(1)).to_be_visible(timeout=PATIENCE)
            visitor.kept().come().with_python()  # kept there as well
            expect(visitor.page.locator(".nl-last-list > li").nth(1)).to_be_visible(timeout=PATIENCE)
            visitor.page.context.close()
    finally:
        other.close()
