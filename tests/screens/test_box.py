"""My box without a browser: entered cell by cell, checked at once, saved, and used everywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.options import materials
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.box import BoxScreen, blank
from nimmt_lab.screens.desk import MATERIAL_FOLDER, Desk, enterable, own_material
from nimmt_lab.screens.odds import OddsScreen
from nimmt_lab.screens.play import PlayScreen
from nimmt_lab.screens.practise import PractiseScreen
from nimmt_lab.screens.rules import game_of
from nimmt_lab.screens.setup import SetupScreen
from nimmt_lab.screens.words import screen_words
from tests.support import refused

KINDS = {kind.name: (game, entering) for game, kind, entering in enterable()}


def data(screen: Any, name: str) -> Any:
    return screen.data[name]


def opened(kind: str, folder: Path | None = None) -> BoxScreen:
    screen = BoxScreen(Desk(folder))
    screen.receive({"type": "open", "kind": kind})
    return screen


def enter(screen: BoxScreen) -> None:
    """Complete material: the sample with one cell changed."""
    screen.receive({"type": "begin", "sample": True})
    grid = screen.entering.grids[0]
    first = screen.cells[grid.name][0]
    at = next(at for at, cell in enumerate(first) if cell)
    value = next(choice for choice in grid.choices if choice != first[at])
    screen.receive({"type": "put", "grid": grid.name, "row": 0, "column": at, "value": value})
    screen.receive({"type": "title", "title": "  from my\tbox "})


@pytest.mark.parametrize("kind", KINDS)
def test_the_sample_entered_is_the_sample(kind: str) -> None:
    screen = opened(kind)
    assert data(screen, "wrong"), "nothing is entered yet"
    assert "line" not in data(screen, "wrong"), "there are no lines to be seen"
    screen.receive({"type": "begin", "sample": True})
    screen.receive({"type": "title", "title": "mine"})
    game, entering = KINDS[kind]
    shipped: Any = [
        one
        for one in materials(all_games()[game])[entering.option].shipped().values()
        if getattr(one, "side", kind) == kind
    ]
    made: Any = entering.parse(screen.text())
    assert data(screen, "wrong") == "" and made == replace(shipped[0], title="mine", is_sample=False)
    screen.receive({"type": "begin"})
    assert screen.cells == blank(entering)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_used_is_kept_and_played_with_everywhere(kind: str, tmp_path: Path) -> None:
    screen = opened(kind, tmp_path)
    enter(screen)
    screen.receive({"type": "use"})
    game, entering = KINDS[kind]
    path = tmp_path / MATERIAL_FOLDER / f"{kind}{entering.ending}"
    assert path.is_file() and path.name in data(screen, "told")
    desk = Desk(tmp_path)
    ((option, mine),) = desk.own[game]
    assert getattr(mine, "title", "") == "from my box" and getattr(mine, "is_sample", None) is False
    options: Any = (
        {"mode": kind}
        if "mode" in [f.name for f in all_games()[game].__dataclass_fields__.values()] and kind in ("basic", "advanced")
        else {}
    )
    setup: Any = {"game": game, "players": 2, "options": options}
    assert getattr(game_of(setup, desk.own), option) == mine
    play = PlayScreen(desk)
    play.start(setup)
    assert getattr(play.table.record.game, option) == mine
    assert Record.from_text(play.table.record.to_text()) == play.table.record, "a record carries it"
    analyse = AnalyseScreen(desk)
    analyse.setup = setup
    analyse.sample(1)
    assert getattr(analyse.record.game, option) == mine
    odds = OddsScreen(desk)
    assert getattr(odds._setting({**setup, "mine": "random", "others": "random"}).game, option) == mine
    practise = PractiseScreen(desk)
    practise.receive({"type": "start", "setup": setup, "kind": "row", "difficulty": 1})
    assert getattr(practise.exercise.question.state.game, option) == mine
    assert getattr(SetupScreen(lambda *found: None, setup=setup, own=desk.own).game, option) == mine
    screen.receive({"type": "remove"})
    assert not path.exists() and Desk(tmp_path).own == {} and data(screen, "told")
    assert opened(kind, tmp_path).cells == screen.cells, "what was entered is still there"


def test_a_board_of_one_side_is_not_used_on_the_other(tmp_path: Path) -> None:
    screen = opened("basic", tmp_path)
    enter(screen)
    screen.receive({"type": "use"})
    own = Desk(tmp_path).own
    (game,) = own
    other: Any = game_of({"game": game, "players": 2, "options": {"mode": "advanced"}}, own)
    usual: Any = game_of({"game": game, "players": 2, "options": {"mode": "advanced"}})
    assert other == usual


def test_unfinished_entries_are_saved_and_continued(tmp_path: Path) -> None:
    screen = opened("baron", tmp_path)
    screen.receive({"type": "put", "grid": "bulls", "row": 4, "column": 1, "value": "2"})
    again = BoxScreen(Desk(tmp_path))
    assert data(again, "open") == "baron" and again.cells["bulls"][4] == ["", "2", "", "", "", ""]
    again.receive({"type": "put", "grid": "bulls", "row": 4, "column": 1, "value": ""})
    assert not any(again.cells["bulls"][4])
    with refused(NotationError, "baron.card_has_no", card=1):
        again.receive({"type": "use"})
    assert not (tmp_path / MATERIAL_FOLDER).exists()
    again.receive({"type": "leave"})
    assert data(BoxScreen(Desk(tmp_path)), "open") == ""


def test_a_row_with_a_gap_is_refused_by_name() -> None:
    screen = opened("basic")
    screen.receive({"type": "begin", "sample": True})
    screen.receive({"type": "put", "grid": "fields", "row": 2, "column": 1, "value": ""})
    assert "row 3" in data(screen, "wrong")


@pytest.mark.parametrize(
    "cell",
    [
        {"grid": "horns", "row": 0, "column": 0, "value": "1"},
        {"grid": "bulls", "row": 110, "column": 0, "value": "1"},
        {"grid": "bulls", "row": -1, "column": 0, "value": "1"},
        {"grid": "bulls", "row": 0, "column": True, "value": "1"},
        {"grid": "bulls", "row": 0, "column": 0, "value": "99"},
        {"grid": "bulls", "row": 0, "column": 0, "value": 1},
    ],
)
def test_no_cell_takes_what_it_may_not_hold(cell: dict[str, Any]) -> None:
    screen = opened("baron")
    with pytest.raises(NotationError):
        screen.receive({"type": "put", **cell})
    assert screen.cells == blank(screen.entering)


def test_a_file_that_cannot_be_used_is_named_and_the_sample_played(tmp_path: Path) -> None:
    (tmp_path / MATERIAL_FOLDER).mkdir()
    (tmp_path / MATERIAL_FOLDER / "baron.csv").write_text("value,blue\n1,x\n")
    (tmp_path / MATERIAL_FOLDER / "pieces.toml").write_bytes(b"\xff\xfe")
    own, wrong = own_material(tmp_path)
    assert own == {} and set(wrong) == {"baron", "pieces"}
    states = {kind["name"]: kind["state"] for kind in data(BoxScreen(Desk(tmp_path)), "kinds")}
    assert states == {"baron": "wrong", "basic": "", "advanced": "", "pieces": "wrong"}


def test_nothing_can_be_opened_that_is_not_there_and_odd_memories_do_no_harm(tmp_path: Path) -> None:
    with pytest.raises(RulesError):
        opened("whist")
    desk = Desk(tmp_path)
    desk.memory.put("box", {"kind": "baron"})
    desk.memory.put("box baron", {"title": 7, "cells": {"bulls": [["9"], 3, ["1"] * 6, ["x"] * 6]}})
    screen = BoxScreen(desk)
    assert screen.cells["bulls"][2] == ["1"] * 6 and not any(screen.cells["bulls"][3])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_has_a_name(lang: str) -> None:
    say = screen_words(lang)
    for kind, (_, entering) in KINDS.items():
        assert say(f"material.{kind}")
        for grid in entering.grids:
            assert say(f"material.{grid.name}")
            for key in (*grid.rows, *grid.columns, *grid.meanings.values()):
                assert say.has(key) or "." not in key, key


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_offered_for_a_cell_that_is_never_allowed(kind: str) -> None:
    screen = opened(kind)
    screen.receive({"type": "begin", "sample": True})
    grid = screen.entering.grids[0]
    at = next(at for at, cell in enumerate(screen.cells[grid.name][0]) if cell)
    for choice in grid.choices:
        screen.cells[grid.name][0][at] = choice
        assert "not '" not in screen.wrong, choice
