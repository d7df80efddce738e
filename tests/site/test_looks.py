"""The page on a phone and on paper. Nothing here needs Python: the first lesson is readable before it loads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from .conftest import PATIENCE, Visitor
from .test_first_lesson import FIRST

pytestmark = pytest.mark.browser
#: The labels of controls smaller than 24 CSS pixels, too small for a finger.
SMALL = """[...document.querySelectorAll("button, select, summary")].filter((one) => one.offsetParent)
  .map((one) => [one.textContent.slice(0, 20), one.getBoundingClientRect()])
  .filter(([, place]) => place.width && Math.min(place.width, place.height) < 24).map(([text]) => text)"""


def wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_by_touch_and_on_paper(browser: Browser, port: int) -> None:
    context = browser.new_context(
        viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    visitor = Visitor(context.new_page(), f"http://127.0.0.1:{port}/")
    page = visitor.page
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm*", lambda route: held.append(route))  # Python doesn't arrive at all
    visitor.come()
    page.locator(f"[data-lesson='{FIRST}']").wait_for()
    assert not wide(page) and page.evaluate(SMALL) == []
    page.emulate_media(media="print")
    expect(page.locator(f"[data-lesson='{FIRST}']")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".nl-loading")).to_be_hidden(timeout=PATIENCE)
    expect(page.locator(".nl-kept")).to_be_hidden(timeout=PATIENCE)
    page.emulate_media(media="screen")
    page.locator(f"[data-lesson='{FIRST}']").tap()
    page.locator(".nl-lesson .nl-foot [data-do='next']").tap()
    page.locator(".nl-option").first.wait_for()
    assert not wide(page) and page.evaluate(SMALL) == []
    # A phone has hardly any keys.
    page.evaluate("document.querySelector('.nl-exercise').insertAdjacentHTML('beforeend', '<p class=nl-keys>Keys</p>')")
    expect(page.locator(".nl-keys").last).to_be_hidden(timeout=PATIENCE)
    page.locator(".nl-option").first.tap()
    expect(page.locator(".nl-feedback").first).to_be_visible(timeout=PATIENCE)
    page.emulate_media(media="print")
    for what in (".nl-lesson-head", ".nl-board", ".nl-option", ".nl-feedback"):
        expect(page.locator(what).first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".nl-button:visible")).to_have_count(0, timeout=PATIENCE)  # nothing can be pressed on paper
    context.close()
    assert (visitor.left, visitor.errors) == ([], [])
