"""Five phones and a wall in Chromium: joining, a lesson with pooled results and a reveal, a table to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from nimmt_lab.lessons.classroom import find
from nimmt_lab.lessons.words import words as lesson_words
from nimmt_lab.live.words import labels, live_words
from nimmt_lab.screens.reading import steps_of
from tests.live.test_server import Running

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
#: Milliseconds for any state to come: six browsers on a busy machine.
PATIENCE = 60_000
LANGUAGES = {"Ann": "en", "Bob": "pl", "Cyd": "cs", "Dan": "en", "Eva": "pl"}


class Classroom:
    def __init__(self, browser: Browser, server: Running) -> None:
        self.browser, self.server = browser, server
        self.errors: list[str] = []
        self.contexts: list[BrowserContext] = []
        self.base = f"http://127.0.0.1:{server.port}/"

    def page(self, width: int, height: int, locale: str = "en", *, phone: bool = False) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, has_touch=phone, reduced_motion="reduce"
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def phone(self, name: str) -> Page:
        page = self.page(PHONE["width"], PHONE["height"], LANGUAGES[name], phone=True)
        page.goto(f"{self.base}#{self.server.code}")
        page.fill("[data-do=name]", name)
        page.click("[data-do=join]")
        page.wait_for_selector(".nl-class-head")
        return page

    def wall(self) -> Page:
        page = self.page(1366, 768)
        page.goto(f"{self.base}wall#{self.server.wall}")
        page.wait_for_selector(".nl-wall-letters")
        return page


@pytest.fixture
def classroom(browser: Browser, tmp_path: Path) -> Iterator[Classroom]:
    server = Running(tmp_path, "--lesson", "p4")
    room = Classroom(browser, server)
    expect.set_options(timeout=PATIENCE)
    yield room
    expect.set_options(timeout=5_000)
    for context in room.contexts:  # the browser has others too, which tests after this one use
        context.close()
    server.kill()
    assert [error for error in room.errors if "WebSocket" not in error and "ERR_" not in error] == []


def fits(page: Page) -> bool:
    """Whether nothing leads out of the screen at its side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_lesson_and_a_table(classroom: Classroom) -> None:
    wall = classroom.wall()
    phones = {name: classroom.phone(name) for name in LANGUAGES}
    for name, page in phones.items():
        expect(page.locator("html, .nl-class").first).to_be_visible()
        expect(page.locator("[data-do=tab-lesson]")).to_have_text(labels(LANGUAGES[name], "page")["lesson"])
    for name in phones:
        expect(wall.locator(".nl-wall-people")).to_contain_text(name)
    assert classroom.server.wall not in wall.url and wall.url.endswith("/wall")

    # The lesson: everybody waits at a question, experiments and answers.
    wall.click("[data-do=view-lesson]")
    steps = steps_of(find("p4"))
    for step in range(2, steps.index("p4.exact") + 2):
        wall.click("[data-do=continue]")
        expect(wall.locator(".nl-wall-pace b")).to_have_text(re.compile(f"^{step}/"))
    for name, page in phones.items():
        page.wait_for_selector(".nl-experiment")
        for runs in range(1, 5):
            page.click("[data-times='10']")
            expect(page.locator(".nl-experiment [role=status]").first).to_contain_text(str(10 * runs))
        page.fill("input.nl-answer", "1/")  # half typed
        page.click("[data-do=answer]")
        expect(page.locator(".nl-problem .nl-feedback")).to_have_text(lesson_words(LANGUAGES[name])("page.not_read"))
        page.fill("input.nl-answer", "1/3" if name < "C" else "2/3")
        page.click("[data-do=answer]")
        expect(page.locator(".nl-problem .nl-feedback")).to_contain_text("/3")
        assert page.locator(".nl-feedback.nl-right, .nl-feedback.nl-wrong").count() == 0
        assert fits(page)
    expect(wall.locator(".nl-wall-pooled .nl-wall-big")).to_contain_text("200")
    expect(wall.locator(".nl-wall-dot")).to_have_count(5)
    assert wall.locator(".nl-wall-answers .nl-right, .nl-wall-answers .nl-wrong").count() == 0
    wall.click("[data-do=reveal]")
    expect(wall.locator(".nl-wall-right")).to_be_visible()
    expect(wall.locator(".nl-wall-exact")).to_have_count(1)
    for page in phones.values():
        expect(page.locator(".nl-feedback.nl-right, .nl-feedback.nl-wrong").first).to_be_visible()

    # A table: five pupils, and one of them reloads in the middle.
    wall.click("[data-do=view-tables]")
    rounds = wall.locator("[data-option-name=hand_size], [data-option-name=rounds]").first
    expect(rounds).to_have_value("1")
    wall.click("[data-do=make]")
    phones["Bob"].evaluate("scrollTo(0, 9999)")
    wall.click("[data-do=start]")
    for page in phones.values():
        page.wait_for_selector(".nl-class-table .nl-table")
        assert page.evaluate("scrollY") == 0  # the time to choose is at the top
        assert fits(page)
    wall.click("[data-do=watch-1]")
    expect(wall.locator(".nl-wall-watch .nl-board")).to_be_visible()
    play(phones, turns=2)
    eva = phones["Eva"]
    eva.reload()
    eva.wait_for_selector(".nl-class-table .nl-table")
    play(phones)
    for page in phones.values():
        expect(page.locator(".nl-class-result tbody tr")).to_have_count(5)
    eva.click("[data-do=replay]")
    expect(eva.locator(".nl-class-replay .nl-replay")).to_be_visible()
    dan = phones["Dan"]
    dan.click("[data-do=review]")
    expect(dan.locator(".nl-class-replay .nl-course-summary")).to_be_in_viewport()
    expect(wall.locator(".nl-wall-dot")).to_have_count(5)


def play(phones: dict[str, Page], turns: int = 10_000) -> None:
    """Everybody plays what they can, by touch, until the game or this many turns are over."""
    over = ".nl-class-result tbody tr"
    idle = 0
    while turns and not all(page.locator(over).count() for page in phones.values()):
        if sum(bool(page.evaluate(CHOOSE)) for page in phones.values() if not page.locator(over).count()):
            turns, idle = turns - 1, 0
        else:  # everybody waits for the server
            idle += 1
            assert idle < MOST_IDLE, "the table doesn't go on"
            next(iter(phones.values())).wait_for_timeout(50)


#: Looks at five phones on which nobody can choose, before a test gives up: about a minute.
MOST_IDLE = 600

#: Press the first option, twice where a touch only lifts the card.
CHOOSE = """() => {
  const table = document.querySelector(".nl-class-table .nl-table");
  const next = table?.querySelector("[data-do='next-round']");
  if (next) { next.click(); return true; }
  const option = table?.querySelector(".nl-mine button.nl-option, .nl-mine .nl-option");
  if (!option) return false;
  option.click();
  if (option.isConnected && table.contains(option)) option.click();
  return true;
}"""


def test_a_page_comes_soon_on_a_slow_phone(classroom: Classroom) -> None:
    """The door is drawn with a quarter of the speed and 10 Mbit/s, from at most 400 kB."""
    page = classroom.page(390, 844)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 20, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000},
    )
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(classroom.base)
    expect(page.locator("[data-do=join]")).to_be_visible()
    received = page.evaluate(
        "performance.getEntriesByType('resource').reduce((sum, one) => sum + one.encodedBodySize, 0)"
    )
    assert 0 < received <= 400_000


def test_a_killed_server_and_a_wrong_code(classroom: Classroom) -> None:
    page = classroom.page(390, 844, "cs", phone=True)
    page.goto(classroom.base)
    page.fill("[data-do=code]", "WRONG")
    page.fill("[data-do=name]", "<img src=x onerror=alert(1)>")
    page.click("[data-do=join]")
    expect(page.locator(".nl-class-note")).to_have_text(labels("cs", "page")["wrong_code"])
    page.fill("[data-do=code]", classroom.server.code.lower())
    page.click("[data-do=join]")
    expect(page.locator(".nl-class-name")).to_have_text("<img src=x onerror=alert(1)>")
    wall = classroom.wall()
    expect(wall.locator(".nl-wall-people b")).to_have_text("<img src=x onerror=alert(1)>")
    steps = steps_of(find("p4"))
    for step in range(2, steps.index("p4.estimate") + 2):
        page.click("[data-do=next]")
        place = lesson_words("cs")("page.step", at=step, all=len(steps) + 1)
        expect(page.locator(".nl-lesson-head .nl-place")).to_have_text(place)
    expect(page.locator(".nl-problem")).to_be_visible()
    classroom.server.kill()
    expect(page.locator(".nl-class-note").first).to_have_text(labels("cs", "page")["offline"])
    classroom.server.start()
    expect(page.locator(".nl-class-note").first).to_be_hidden()
    expect(page.locator(".nl-lesson-head .nl-place")).to_have_text(place)
    expect(page.locator(".nl-problem")).to_be_visible()
    expect(wall.locator(".nl-wall-people b")).to_have_count(1)
    wall.evaluate("location.hash = 'of another class'")
    expect(wall.locator(".nl-class-note").first).to_have_text(live_words("en")("wall.other"))
    wall.evaluate(f"location.hash = '{classroom.server.wall}'")
    expect(wall.locator(".nl-wall-people b")).to_have_count(1)
