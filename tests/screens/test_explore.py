"""How often, how costly: the explorer in Analyse shows the figures of `nimmt_lab.study.explore`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import record
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.explore import ExploreScreen
from nimmt_lab.study import explore
from nimmt_lab.study.explorer import BY
from tests.support import refused

from .conftest import Walker
from .test_pages import problems, sideways


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    for seed in range(3):
        played = record(Classic(players=3, rounds=1), ["lowest", "highest", "random"], seed)
        played.noted({"A": "Ann", "B": "Bob"}, {}).save(tmp_path / "games" / f"{seed}.nimmt")
    return tmp_path


def opened(folder: Path | None = None, lang: str = "en") -> Any:
    analyse = AnalyseScreen(Desk(folder, lang=lang))
    analyse.receive({"type": "explore"})
    assert analyse.data["mode"] == "explore"
    return analyse.parts["editor"]


def choose(screen: Any, **now: str) -> None:
    for key, value in now.items():
        screen.receive({"type": "set", "key": key, "value": value})


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("row", ["", "0", "5"])
def test_the_figures_are_those_of_a_notebook(by: str, row: str) -> None:
    screen = opened()
    choose(screen, by=by, row=row, players="5", who="level-3")
    found = explore(by=by, row=int(row) if row else None, players=5, player="level-3")
    shares, takes = ([tuple(bar) for bar in chart[2]] for chart in screen.data["charts"] or [("", "", [])] * 2)
    drawn = [line for line in found.lines if (by, line.value) != ("gap", BY["gap"])]  # the last gap is "40 or more"
    assert shares == [(line.value, line.share) for line in drawn] and len(found.lines) - len(drawn) <= 1
    assert takes == [(line.value, line.takes) for line in drawn]
    counts = sum(int(line[1].replace(",", "")) for line in screen.data["rows"])
    assert counts == found.count and len(screen.data["rows"]) <= 11
    if by == "gap" and row == "0":
        assert not found.lines and screen.data["told"] == screen.say("explore.nothing")
    else:
        assert screen.data["told"].startswith(f"{counts:,} cards. ")


def test_own_games(folder: Path) -> None:
    screen = opened(folder)
    whose = [name for name, _ in screen.data["fields"][0][2]]
    assert whose == ["level-5", "level-3", "mine:", "mine:Ann", "mine:Bob"]
    choose(screen, who="mine:Ann", by="rank")
    found = explore(folder / "games", by="rank", player="Ann")
    assert [line[:3] for line in screen.data["rows"]] == [["1", "30", "100.0%"]] and found.count == 30
    assert screen.data["rows"][0][4].startswith(f"{found.lines[0].heads:.2f} ± ")
    choose(screen, who="mine:")
    assert sum(int(line[1]) for line in screen.data["rows"]) == 90 == explore(folder / "games", by="rank").count
    again = opened(folder)
    assert again.form == {"who": "mine:", "players": "", "by": "rank", "row": ""}, "settings are kept"
    choose(again, who="level-3")
    assert again.form["players"] == "4"
    (folder / "games" / "0.nimmt").unlink()
    assert AnalyseScreen(Desk(folder)).data["mode"] == "explore", "after a reload"


def test_refusals(folder: Path) -> None:
    screen = opened(folder)
    for key, value in (("who", "mine:Cleo"), ("players", "7"), ("row", "6"), ("colour", "1"), ("by", None)):
        with refused(NotationError, "screens.no_setting"):
            screen.receive({"type": "set", "key": key, "value": value})
    alone: Any = ExploreScreen(Desk(None), {})
    assert alone.data["fields"][0][2][-1][0] == "level-3", "no games, no choice of them"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages(folder: Path, lang: str) -> None:
    screen = opened(folder, lang)
    for by in BY:
        choose(screen, by=by)
        assert screen.data["rows"] and all(label for _, label, _, _ in screen.data["fields"])
        assert all(text for _, _, options, _ in screen.data["fields"] for _, text in options)
    if lang != "en":
        assert "," in screen.data["rows"][0][4]


@pytest.mark.browser
@pytest.mark.parametrize(("size", "lang"), [((1366, 768), "cs"), ((390, 844), "pl")])
def test_walk(visit: Any, folder: Path, size: tuple[int, int], lang: str) -> None:
    walker: Walker = visit(folder, width=size[0])
    walker.home.screen.receive({"type": "lang", "lang": lang})
    walker.page.set_viewport_size({"width": size[0], "height": size[1]})
    walker.home.screen.open("analyse")
    walker.settle()
    walker.page.focus("[data-do='explore']")
    walker.page.keyboard.press("Enter")
    walker.settle()
    by = walker.page.locator("[data-do='by']")
    by.focus()
    by.select_option("length")
    walker.settle()
    assert walker.page.evaluate("document.activeElement.dataset.do") == "by", "the focus stays on the field"
    assert walker.page.locator(".nl-figure svg").count() == 2
    assert walker.page.locator(".nl-worth tbody tr").count() == 6
    assert not sideways(walker)
    assert problems(walker) == []
