"""A link to a game: Analyse asks before it opens it, and says what is wrong with a bad one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic, Record, share
from nimmt_lab.bots import record
from nimmt_lab.engine.share import read_shared
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen

from .conftest import Walker

GAME = record(Classic(players=3, rounds=1), ["random"] * 3, 5)
OTHER = record(Classic(players=2, rounds=1), ["random"] * 2, 7)


def visited(text: str, lang: str = "en") -> tuple[HomeScreen, Any]:
    home = HomeScreen(Desk(None, lang=lang))
    home.handle({"path": [], "message": {"type": "visit", "place": f"analyse/{text}"}})
    return home, home.parts["screen"]


def click(home: HomeScreen, kind: str, **more: Any) -> None:
    home.handle({"path": ["screen"], "message": {"type": kind, **more}})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_link_opens_only_after_a_yes(lang: str) -> None:
    home, analyse = visited(share(GAME), lang)
    assert analyse.data["mode"] == "open" and not analyse.lines and "3" in analyse.data["offer"]["title"]
    assert home.place == f"analyse/{share(GAME)}"  # a reload asks again
    click(home, "accept")
    assert analyse.record == GAME and analyse.data["offer"] is None and home.place == "analyse"


def test_no_keeps_what_is_open() -> None:
    home = HomeScreen(Desk(None))
    home.open("analyse", OTHER)
    home.visit(f"analyse/{share(GAME)}")
    analyse = home.parts["screen"]
    assert isinstance(analyse, AnalyseScreen) and analyse.record == OTHER
    offer: Any = analyse.data["offer"]
    assert offer["open"] and offer["title"].endswith(", 3 players, 10 turns.")
    click(home, "decline")
    assert analyse.record == OTHER and analyse.data["offer"] is None and home.place == "analyse"
    click(home, "accept")  # a second click opens nothing
    assert analyse.record == OTHER


@pytest.mark.parametrize("text", [share(GAME)[:-2], "nimmt9.AAAA.00000000", "nonsense", "nimmt1." + "A" * 9_000])
def test_a_bad_or_newer_link_is_refused_in_words(text: str) -> None:
    home, analyse = visited(text)
    assert analyse.data["offer"] is None and analyse.data["told"] and not analyse.lines and home.place == "analyse"


def test_the_link_of_a_game_can_be_pasted() -> None:
    analyse = AnalyseScreen(Desk(None))
    analyse.take(GAME.noted({"hidden": "B C"}, {}))
    heard: list[Any] = []
    analyse.listen(heard.append)
    analyse.receive({"type": "export", "as": "link"})
    message = heard[-1]["message"]
    assert message["type"] == "link" and read_shared(message["text"]).hidden == {1, 2}
    other = AnalyseScreen(Desk(None))
    other.open(f"https://example.org/{message['place']}{message['text']}")
    assert other.record == GAME.noted({"hidden": "B C"}, {}) and other._hidden == (1, 2)


def test_positions_with_hidden_hands_and_notes_are_opened() -> None:
    analyse: Any = AnalyseScreen(Desk(None))
    text = "12 14 | 37 | 43 44 | 58 ; A: 21 26 77"
    analyse.open(text, {"game": "classic", "players": 5})
    assert analyse.record.game.players == 5 and analyse._hidden == (1, 2, 3, 4)
    judge = analyse.parts["judge"]
    assert judge.data["ways"]
    analyse.open("rows: 12 37 43 58\n14 15\n2@3 9")
    assert analyse.record.final.rows[2] == (2, 9) and analyse._hidden == (0, 1)
    kept = Record.from_text(analyse.record.to_text())
    analyse.take(kept)
    assert analyse._hidden == (0, 1)  # a saved game remembers whose hands are unknown


@pytest.mark.browser
def test_the_page_asks_before_it_opens_a_link(visit: Callable[..., Walker], tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.go("analyse")
    walker.home.screen.visit(f"analyse/{share(GAME)}")
    walker.settle()
    walker.in_sight(".nl-shared", "[data-do='accept']", "[data-do='decline']")
    assert walker.focused() and "3 players, 10 turns" in walker.text(".nl-shared")
    walker.click("[data-do='accept']")
    assert walker.count(".nl-shared [data-do='accept']") == 0 and walker.count(".nl-analyse-board .nl-lane")
    walker.click(".nl-export summary")
    walker.click("[data-export='link']")
    assert read_shared(walker.find("[data-do='cell']").input_value()) == GAME
    walker.home.screen.visit("analyse/nimmt9.AAAA.00000000")
    walker.settle()
    assert "newer version" in walker.text(".nl-analyse-head ~ .nl-told")
