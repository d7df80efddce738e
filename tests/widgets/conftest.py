"""A Chromium for the whole run, and a fresh page with a widget in it for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tools.browser import Stage, open_browser

Open = Callable[..., Stage]


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with open_browser(chromium) as opened:
        yield opened


@pytest.fixture
def stage(browser: Browser) -> Iterator[Open]:
    """Put a widget on a page. Afterwards nothing may have gone wrong in the console or left the machine."""
    stages: list[Stage] = []
    contexts = []

    def show(widget: object, *, theme: str = "light", width: int = 900, motion: bool = False) -> Stage:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, reduced_motion="no-preference" if motion else "reduce"
        )
        contexts.append(context)
        opened = Stage(context.new_page())
        stages.append(opened)
        opened.show(widget, theme=theme)
        return opened

    yield show
    found = [(opened.errors, opened.left) for opened in stages]
    for context in contexts:
        context.close()
    assert found == [([], [])] * len(stages)
