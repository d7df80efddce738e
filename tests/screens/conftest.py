"""The stage of the widgets' tests, and a page with `Home` on it for walks by clicking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator

from nimmt_lab.screens.learn import boxes
from nimmt_lab.widgets import Home
from tests.widgets.conftest import Open, only_page, stage
from tools.browser import Stage

__all__ = ["Open", "only_page", "stage"]

#: A school laptop.
WIDTH, HEIGHT = 1366, 768


class Walker:
    """Somebody at the page, who can only do what a person could: click or type what is in sight."""

    def __init__(self, opened: Stage, home: Any) -> None:
        self.opened, self.home, self.page = opened, home, opened.page
        self.page.set_default_timeout(20_000)
        self.settle()

    def settle(self) -> None:
        """Until Python and the page have nothing more to say to each other.

        However slow the machine is: the page answers after it has drawn a frame, and what it said before that has
        reached Python by then.
        """
        quiet = 0
        while quiet < 2:
            before = len(self.opened.received)
            self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
            quiet = 0 if self.opened.outbox or len(self.opened.received) > before else quiet + 1
            self.opened.settle()

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something that the page does by itself after a while."""
        for _ in range(2000):
            self.settle()
            if is_so():
                return
        raise AssertionError("it never came to that")

    def find(self, selector: str) -> Locator:
        return self.page.locator(f"{selector} >> visible=true")

    def click(self, selector: str) -> None:
        self.find(selector).first.click()
        self.settle()

    def go(self, name: str) -> None:
        """Open a screen by the menu, under More if need be."""
        if not self.count(f"[data-door='{name}']"):
            self.click("[data-do='more']")
        self.click(f"[data-door='{name}']")

    def open_lesson(self, name: str) -> None:
        """Open a lesson from the first page, or from its box."""
        if not self.count(f"[data-lesson='{name}']"):
            self.click(f"[data-box='{next(box for box, names in boxes().items() if name in names)}']")
        self.click(f"[data-lesson='{name}']")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()

    def fill(self, selector: str, text: str) -> None:
        self.find(selector).first.fill(text)
        self.page.keyboard.press("Enter")
        self.settle()

    def count(self, selector: str) -> int:
        return self.find(selector).count()

    def text(self, selector: str) -> str:
        return self.find(selector).first.inner_text()

    def in_sight(self, *selectors: str) -> None:
        """All of these are on the screen without scrolling."""
        assert self.page.evaluate("window.scrollY") == 0
        for selector in selectors:
            for node in self.find(selector).all():
                box = node.bounding_box()
                assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= HEIGHT, (selector, box)
                assert box["x"] >= 0 and box["x"] + box["width"] <= WIDTH, (selector, box)

    def focused(self) -> bool:
        """Whether the focus is on something, not on the page's body."""
        return bool(self.page.evaluate("document.activeElement !== null && document.activeElement !== document.body"))


@pytest.fixture
def visit(stage: Open) -> Callable[..., Walker]:
    """Open (or come back to) Home with what is kept in a folder."""

    def go(folder: Path, **options: Any) -> Walker:
        home = Home(folder=folder)
        opened = stage(home, **{"width": WIDTH, **options})
        opened.page.set_viewport_size({"width": options.get("width", WIDTH), "height": HEIGHT})
        return Walker(opened, home)

    return go
