"""Checks of every page: no serious or moderate finding of axe-core, no sideways scrolling, focus, languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.lessons.notebooks import home_notebook
from nimmt_lab.screens.home import SCREENS
from nimmt_lab.screens.words import labels
from nimmt_lab.widgets import Home
from tests.catalogue import in_lesson

from .conftest import Walker

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]


def problems(walker: Walker, only: str = "") -> list[str]:
    """What axe-core finds, minor matters aside. That a page has a title and landmarks is for the page around ours."""
    around = ("document-title", "html-has-lang", "region", "landmark-one-main")
    options: Any = {"runOnly": [only]} if only else {"rules": {name: {"enabled": False} for name in around}}
    found: Any = Axe().run(walker.page, options=options).response["violations"]
    bad = [one for one in found if one["impact"] in ("moderate", "serious", "critical")]
    return [
        f"{one['id']}: {node['html'][:140]} {node['failureSummary'][:300]}" for one in bad for node in one["nodes"][:3]
    ]


def sideways(walker: Walker) -> bool:
    return bool(walker.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


@pytest.mark.sampled(2)
@pytest.mark.smoke
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_on_any_screen(visit: Visit, tmp_path: Path, name: str, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    walker.go(name)
    assert problems(walker) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_lessons(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    for name, steps in (("first_turn", 2), ("buffalo_cards", 2), ("board", 2), ("p2", 2)):
        walker.home.screen.open("learn")
        walker.home.screen.parts["screen"].open(name)
        walker.settle()
        for _ in range(steps):
            assert problems(walker) == []
            lesson = walker.home.screen.parts["screen"].parts["lesson"]
            if hasattr(lesson.board, "question"):
                walker.click(f".nl-option[data-option='{min(lesson.board.question.right)}']")
                assert problems(walker) == []
            walker.home.screen.parts["screen"].parts["lesson"].go(lesson.at + 1)
            walker.settle()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_at_tables_and_ends(visit: Visit, tmp_path: Path, theme: str) -> None:
    walker = visit(tmp_path, theme=theme)
    walker.go("play")
    play = walker.home.screen.parts["screen"]
    for name, game in all_games().items():
        play.start({"game": name, "players": min(4, game.for_players[1]), "seed": 3, "hints": True})
        walker.settle()
        assert problems(walker) == [], name
    people = [{"level": "person"}, {"level": "person"}]
    play.start({"game": "classic", "players": 2, "seed": 3, "seats": people})
    walker.settle()
    assert problems(walker) == []
    play.start({"game": "classic", "players": 2, "seed": 3, "options": {"rounds": 1, "hand_size": 1}})
    walker.settle()  # one card a hand: nothing to choose, and it is over
    assert walker.count(".nl-scores") == 1 and problems(walker) == []
    walker.click("[data-do='replay']")
    assert problems(walker) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_tools_in_use(visit: Visit, tmp_path: Path, theme: str) -> None:
    """What opens behind the screens: signs and rules of a board, a game analysed, tables to fill in, the end of a lesson."""
    (tmp_path / "notes.ipynb").write_text(home_notebook(), encoding="utf-8")
    walker = visit(tmp_path, theme=theme)
    home = walker.home.screen

    def fine(name: str, *messages: dict[str, Any], part: str = "") -> None:
        for message in messages:
            screen = home.parts["screen"]
            (screen.parts[part] if part else screen).receive(message)
        walker.settle()
        assert problems(walker, "color-contrast" if theme == "dark" else "") == [], name  # else both are the same page

    home.open("learn")
    home.parts["screen"].open("first_turn")
    lesson = home.parts["screen"].parts["lesson"]
    lesson.verify()
    lesson.go(len(lesson.questions()))
    fine("the end of a lesson")
    home.open("practise")
    fine("a task", {"type": "start", "kind": "takes", "difficulty": 2})
    home.open("analyse")
    home.parts["screen"].setup = {"game": "buffalo", "players": 3, "options": {}}
    home.parts["screen"].sample(5)
    walker.settle()
    walker.click("[data-do='signs']")
    fine("what signs mean")
    walker.click("[data-do='signs']")
    walker.click(".nl-control[data-do='next']")
    walker.click("[data-do='rule']")
    fine("a rule")
    home.parts["screen"].receive({"type": "setup"})
    fine("a position", {"type": "deal"}, part="editor")
    home.parts["screen"].receive({"type": "record_game"})
    fine("taking down", *({"type": "card", "card": card} for card in (12, 37, 43)), part="editor")
    home.open("box")
    for kind in [one["name"] for one in home.parts["screen"].data["kinds"]]:
        fine(kind, {"type": "open", "kind": kind}, {"type": "begin", "sample": True})
    home.open("notebooks")
    fine("notebooks")
    assert walker.count(".nl-notebooks a") > 0


@pytest.mark.parametrize("width", [400, 683])
def test_nothing_scrolls_sideways(visit: Visit, tmp_path: Path, width: int) -> None:
    """400 px, and half of a laptop screen (the same as a zoom of 200%)."""
    walker = visit(tmp_path, width=width)
    for name in SCREENS:
        walker.home.screen.open(name)
        walker.settle()
        assert not sideways(walker), name
    for lesson in ("first_turn", "board", "p8"):
        walker.home.screen.open("learn")
        walker.home.screen.parts["screen"].open(lesson)
        walker.settle()
        assert not sideways(walker), lesson
    walker.home.screen.open("play")
    for name, game in all_games().items():
        walker.home.screen.parts["screen"].start(
            {"game": name, "players": game.for_players[1], "seed": 3, "hints": True}
        )
        walker.settle()
        assert not sideways(walker), name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_is_switched_everywhere_and_kept(visit: Visit, tmp_path: Path, lang: str) -> None:
    walker = visit(tmp_path)
    walker.find(".nl-door select").select_option(lang)
    walker.settle()
    walker.click("[data-do='more']")  # what the door does not name is under More
    for name in SCREENS:
        assert labels(lang, "home")[name] in walker.text(".nl-door")
    walker.press("Escape")
    walker.go("play")
    assert walker.text("[data-do='start']") == labels(lang, "play")["start"]
    again = visit(tmp_path)
    assert again.text("[data-do='start']") == labels(lang, "play")["start"], "a reload finds screen and language"
    assert again.page.evaluate("document.querySelector('.nl-page').lang") == lang


def test_several_people_pass_the_screen_and_no_hand_is_seen_before(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("play")
    play = walker.home.screen.parts["screen"]
    play.start(
        {
            "game": "classic",
            "players": 2,
            "seed": 3,
            "seats": [{"level": "person", "name": "Ann"}, {"level": "person", "name": "Bob"}],
        }
    )
    walker.settle()
    hands = play.table.record.final.hands
    for seat, name in enumerate(("Ann", "Bob")):
        assert name in walker.text(".nl-cover") and walker.count(".nl-mine [data-card]") == 0
        scene = str(play.table.data["scene"])
        assert all(str(list(hand)) not in scene for hand in hands), "no hand leaves Python while it is covered"
        walker.click("[data-do='ready']")
        shown = [int(node.get_attribute("data-card") or 0) for node in walker.find(".nl-mine [data-card]").all()]
        assert shown == list(hands[seat])
        walker.click(".nl-mine .nl-option")
    assert len(play.table.record.choices) == 1
    walker.click("[data-do='undo']")
    assert len(play.table.record.choices) == 0 and walker.count(".nl-cover") == 1


def test_a_page_without_python_shows_its_last_state_and_how_to_continue(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.open_lesson("traps")
    kept = walker.page.evaluate("[model.get('page'), model.get('version')]")
    place = walker.find(".nl-exercise .nl-lane").first.bounding_box()
    walker.page.evaluate(
        """([page, version]) => {
          cleanup();
          const state = { page, version };
          window.model = makeModel(state);
          model.send = () => {};
        }""",
        kept,
    )
    walker.page.evaluate(
        """async (source) => {
          const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
          (await import(url)).default.render({ model, el: document.getElementById("holder") });
        }""",
        str(walker.home._esm),
    )
    assert walker.count(".nl-exercise .nl-option") > 1 and in_lesson("traps.title").fullmatch(
        walker.text(".nl-lesson h1")
    )
    busy, note = walker.page.locator(".nl-busy"), walker.page.locator(".nl-offline")
    busy.wait_for(state="visible")
    note.wait_for(state="visible")
    assert "Reload" in walker.text(".nl-offline") and not busy.is_visible()
    assert walker.find(".nl-exercise .nl-lane").first.bounding_box() == place and problems(walker) == []
    walker.page.evaluate("([, version]) => model.fire('msg:custom', { type: 'here', version }, [])", kept)
    assert not note.is_visible(), "it was slow, not gone"


def test_every_message_is_answered(tmp_path: Path) -> None:
    home = Home(folder=tmp_path)
    said: list[Any] = []
    home.send = lambda content, buffers=None: said.append(content)
    home._handle_custom_msg({"path": ["nobody"], "message": {"type": "go"}}, [])
    assert said == [{"type": "heard", "version": 0}]
    home._handle_custom_msg({"path": [], "message": {"type": "go", "to": "play"}}, [])
    assert said[1:] and all(one["version"] > 0 and one.get("type") != "heard" for one in said[1:])
