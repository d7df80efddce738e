"""Home's first page, the address, and the puzzle of the day."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.screens.daily import FIRST, LAST, Daily, read_date
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.learn import boxes
from nimmt_lab.widgets import Home
from tests.widgets.conftest import Open

from .conftest import HEIGHT, WIDTH, Walker

DATES = st.dates(min_value=FIRST, max_value=LAST)


@given(st.lists(DATES, max_size=12))
def test_days_in_a_row_are_counted_as_one_would_by_hand(days: list[datetime.date]) -> None:
    daily = Daily()
    solved: list[datetime.date] = []
    for day in days:
        daily = Daily(daily.solved(day).plain())  # saved and read again
        if not solved or day > solved[-1]:
            solved.append(day)
    run = 0
    while solved and solved[-1] - datetime.timedelta(days=run) in solved:
        run += 1
    assert daily.streak == run and daily.best >= run and daily.last == (solved[-1] if solved else None)


@pytest.mark.parametrize(
    "text", ["", "2026-13-01", "2026-11-1", "20261119", "1999-01-01", "9999-01-01", 5, None, "2026-W47-4"]
)
def test_what_is_no_date_is_refused(text: object) -> None:
    with pytest.raises(NotationError, check=lambda error: error.key == "screens.date"):
        read_date(text)


@given(
    st.dictionaries(
        st.sampled_from(["last", "streak", "best"]), st.one_of(st.integers(), st.text(), st.none(), DATES.map(str))
    )
)
def test_a_streak_that_makes_no_sense_is_none(kept: dict[str, Any]) -> None:
    daily = Daily(kept)
    assert daily.last is None or 1 <= daily.streak <= daily.best


def visited(home: HomeScreen, place: str) -> str:
    home.handle({"path": [], "message": {"type": "visit", "place": place}})
    return str(home.data["place"])


def test_every_place_has_an_address_that_leads_back_to_it(tmp_path: Path) -> None:
    home = HomeScreen(Desk(tmp_path))
    assert home.data["place"] == "learn"
    for place in ("learn/traps", "play", f"learn/box-{next(iter(boxes()))}", "odds", "learn"):
        assert visited(home, place) == place
        assert HomeScreen(Desk(tmp_path)).data["place"] == place, "a reload stays"
    for unknown in ("", "nowhere", "learn/nothing", "learn/box-nothing", "../x"):
        assert visited(home, unknown) == "learn"
    assert visited(home, "chances") == "odds", "names of earlier versions"


def test_a_name_on_the_menu_opens_its_first_page_and_the_lesson_waits_there() -> None:
    home = HomeScreen(Desk(None))
    visited(home, "learn/traps")
    home.parts["screen"].parts["lesson"].go(1)  # type: ignore[attr-defined]
    home.handle({"path": [], "message": {"type": "go", "to": "learn"}})
    assert home.data["place"] == "learn"


def test_the_puzzle_of_a_day_is_the_same_for_everybody() -> None:
    def puzzle(date: str) -> Any:
        home = HomeScreen(Desk(None))
        home.handle({"path": ["screen"], "message": {"type": "daily", "date": date}})
        return home.parts["screen"].parts["exercise"].question  # type: ignore[attr-defined]

    one, other, later = (puzzle(date) for date in ("2026-11-16", "2026-11-16", "2026-11-17"))
    assert (one.state, one.right) == (other.state, other.right) and one.state != later.state
    assert len(one.right) == 1, "one card is best"


def test_the_quick_game_is_as_short_as_it_says() -> None:
    home: Any = HomeScreen(Desk(None))
    home.handle({"path": ["screen"], "message": {"type": "quick"}})
    table = home.parts["screen"].table
    assert home.data["place"] == "play" and table.record.game.rounds == 1 and table.record.game.players == 1 + 3


def test_a_solved_day_is_kept_and_a_shown_one_is_not(tmp_path: Path) -> None:
    home: Any = HomeScreen(Desk(tmp_path))

    def play(date: str, *, show: bool) -> None:
        home.open("learn")
        home.handle({"path": ["screen"], "message": {"type": "daily", "date": date}})
        exercise = home.parts["screen"].parts["exercise"]
        if show:
            exercise.receive({"type": "show", "question": 0})
        exercise.receive({"type": "answer", "question": 0, "choice": min(exercise.question.right)})

    play("2026-11-16", show=False)
    play("2026-11-17", show=False)
    play("2026-11-18", show=True)
    home.open("learn")
    assert home.parts["screen"].data["daily"] == {"last": "2026-11-17", "streak": 2, "best": 2}
    assert Daily(Desk(tmp_path).memory.get("daily")).streak == 2


@pytest.mark.browser
@pytest.mark.smoke
def test_back_forward_and_reload_stay_inside_the_app(stage: Open, tmp_path: Path) -> None:
    home: Any = Home(folder=tmp_path)
    opened = stage(home, width=WIDTH)
    opened.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    own = "const mark = document.createElement('meta'); mark.name = 'nimmt-lab'; document.head.append(mark);"

    def again() -> None:
        """Draw the page again as a page of our own, as a reload would."""
        opened.page.evaluate(f"() => {{ {own} }}")
        opened.page.evaluate(
            """async (source) => {
              cleanup();
              const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
              window.cleanup = (await import(url)).default.render({ model, el: document.getElementById("holder") });
            }""",
            str(home._esm),
        )
        walker.settle()

    walker = Walker(opened, home)
    again()

    def at(place: str) -> None:
        walker.until(lambda: bool(walker.page.evaluate("location.hash") == f"#/{place}"))
        assert home.screen.data["place"] == place

    at("learn")
    walker.open_lesson("traps")
    at("learn/traps")
    walker.click("[data-do='map']")
    walker.go("play")
    at("play")
    walker.page.evaluate("history.go(-2)")
    at("learn/traps")
    assert walker.count(".nl-lesson") == 1
    walker.page.evaluate("history.forward()")
    at("learn")
    again()
    at("learn")
    walker.page.evaluate("history.forward()")
    at("play")


@pytest.mark.browser
@pytest.mark.parametrize("width", [1366, 390])
def test_the_first_page_needs_no_scrolling_and_more_is_a_menu(stage: Open, tmp_path: Path, width: int) -> None:
    home: Any = Home(folder=tmp_path)
    opened = stage(home, width=width)
    opened.page.set_viewport_size({"width": width, "height": HEIGHT if width == WIDTH else 844})
    walker = Walker(opened, home)
    if width == WIDTH:
        walker.in_sight(".nl-hero", ".nl-offer", ".nl-lesson-card", ".nl-box")
        assert walker.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")
    assert walker.count("[data-door='odds']") == 0
    walker.click("[data-do='more']")
    assert walker.count("[data-door='odds']") == 1
    walker.press("Escape")
    assert walker.count("[data-door='odds']") == 0
    assert walker.page.evaluate("document.activeElement.dataset.do") == "more"
    walker.go("odds")
    assert home.screen.data["now"] == "odds"
