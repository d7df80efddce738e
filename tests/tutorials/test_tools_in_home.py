"""Long work in a real kernel: it continues between clicks, stops on one, and keeps its results."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.lab]


def test_rounds_grow_and_stop_and_a_review_is_interrupted(learner: Page, lab: tuple[str, Path]) -> None:
    address, _ = lab
    learner.set_viewport_size({"width": 1366, "height": 768})
    learner.goto(f"{address}/voila/render/home.ipynb")
    learner.locator("[data-do='more']").click()
    learner.locator("[data-door='odds']").click()
    learner.locator("[data-mode='rounds']").click()
    by_bots = learner.locator("select[data-do='by-0']")  # slow enough to be stopped in time
    by_bots.select_option("level")
    expect(learner.locator("select[data-do='mine-0']")).to_have_value("level-1")
    learner.locator("[data-do='run']").click()
    stop = learner.locator("[data-do='stop']")
    expect(stop).to_be_visible()
    cell = learner.locator(".nl-worth tbody td").nth(1)
    expect(cell).to_be_visible()
    first = cell.inner_text()
    expect(cell).not_to_have_text(first)  # it grows while one watches
    stop.click()
    expect(learner.locator("[data-do='run']")).to_be_visible()
    kept = cell.inner_text()
    learner.wait_for_timeout(700)  # long enough for a growing table to show it; too short never fails
    assert cell.inner_text() == kept, "stopped is stopped"
    learner.locator("[data-do='run']").click()
    expect(cell).not_to_have_text(kept)
    learner.locator("[data-door='analyse']").click()  # leaving stops it, too
    learner.locator("[data-do='sample']").click()
    learner.locator("[data-do='review']").click()
    learner.locator("[data-do='stop-review']").click()
    again = learner.locator("[data-do='review']")
    expect(again).to_be_visible()
    done = learner.locator(".nl-course-step").count()
    again.click()
    expect(learner.locator(".nl-course-step").nth(max(done, 5))).to_be_attached(timeout=240_000)
    expect(learner.locator("[data-do='stop-review']")).to_have_count(
        0, timeout=240_000
    )  # a busy machine takes its time
    learner.locator("[data-way='search']").click()
    expect(learner.locator(".nl-worth tbody tr").first).to_contain_text("±", timeout=120_000)
    learner.locator("[data-door='learn']").click()
    expect(learner.locator(".nl-lesson-card").first).to_be_visible()
