"""A Chromium for the whole run, and a fresh page with a widget in it for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tools.browser import Stage

Open = Callable[..., Stage]


@pytest.fixture(scope="session")
def only_page(browser: Browser) -> Iterator[Stage]:
    context = browser.new_context()
    yield Stage(context.new_page())
    context.close()


@pytest.fixture
def stage(only_page: Stage) -> Iterator[Open]:
    """Put a widget on the page. Afterwards nothing may have gone wrong in the console or left the machine."""

    def show(widget: object, *, theme: str = "light", width: int = 900, motion: bool = False) -> Stage:
        only_page.page.set_viewport_size({"width": width, "height": 900})
        only_page.page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
        only_page.show(widget, theme=theme)
        return only_page

    yield show
    errors, left = list(only_page.errors), list(only_page.left)
    only_page.page.set_content("")
    only_page.errors.clear()
    only_page.left.clear()
    assert (errors, left) == ([], [])
