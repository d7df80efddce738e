"""Pages and screens saved under the names of earlier versions still open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import SCREENS, HomeScreen
from nimmt_lab.screens.memory import FILE, FORMAT, Memory
from nimmt_lab.screens.record_game import RecordGameScreen
from nimmt_lab.screens.teach import TeachScreen


def saved(folder: Path, **pages: dict[str, Any]) -> Desk:
    """A desk whose file an earlier version wrote."""
    named = {name.replace("__", " "): page for name, page in pages.items()}
    (folder / FILE).write_text(json.dumps({"format": FORMAT, "pages": named}), encoding="utf-8")
    return Desk(folder)


@pytest.mark.parametrize(("earlier", "now"), [("chances", "odds"), ("material", "box"), ("play", "play")])
def test_a_screen_opens_by_its_earlier_name(tmp_path: Path, earlier: str, now: str) -> None:
    home = HomeScreen(saved(tmp_path, home={"screen": earlier}))
    assert home.data["now"] == now and earlier in (now, "chances", "material") and now in SCREENS
    home.handle({"path": [], "message": {"type": "go", "to": "learn"}})
    home.handle({"path": [], "message": {"type": "go", "to": earlier}})
    assert home.data["now"] == now


def test_saved_settings_of_renamed_screens_are_found(tmp_path: Path) -> None:
    draft = {"title": "Mine", "cells": {}}
    desk = saved(
        tmp_path, chances={"seed": 77}, chances__table={"text": "x"}, material={"kind": "baron"}, material__baron=draft
    )
    assert desk.memory.get("odds") == {"seed": 77} and desk.memory.get("odds table") == {"text": "x"}
    assert desk.memory.get("box") == {"kind": "baron"} and desk.memory.get("box baron") == draft
    desk.memory.put("play", {"setup": {}})  # and are written under the names of today
    pages = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))["pages"]
    assert {"odds", "odds table", "box", "box baron", "play"} == pages.keys()


def test_of_both_names_the_newer_one_counts(tmp_path: Path) -> None:
    for pages in ({"chances": {"seed": 1}, "odds": {"seed": 2}}, {"odds": {"seed": 2}, "chances": {"seed": 1}}):
        saved(tmp_path, **pages)
        assert Memory(tmp_path).get("odds") == {"seed": 2}
    assert [path.name for path in tmp_path.iterdir()] == [FILE], "the file is not set aside"


def test_a_game_being_recorded_is_continued(tmp_path: Path) -> None:
    notes = {"rows": [12, 37], "hands": {}, "choices": [], "names": {"A": "Ann"}}
    setup = {"game": "classic", "players": 2, "options": {}}
    home = HomeScreen(
        saved(
            tmp_path,
            home={"screen": "analyse"},
            analyse={"setup": setup, "mode": "take_down"},
            analyse__take_down={"setup": setup, "notes": notes},
        )
    )
    editor = home.parts["screen"].parts["editor"]
    assert isinstance(editor, RecordGameScreen) and editor.notes.rows == [12, 37] and editor.notes.names == {"A": "Ann"}


def test_a_class_list_is_read_from_the_earlier_form(tmp_path: Path) -> None:
    form = {"lesson": 2, "pupils": 3, "seed": 7, "lang": "en", "roster": "Ann\nBob"}
    teach = TeachScreen(saved(tmp_path, teach={"form": form}))
    assert teach.class_list is not None and list(teach.class_list.pupils) == ["Ann", "Bob"]
    assert "roster" not in teach.form
    name, text = teach.file("class_list")
    teach.receive({"type": "form", "form": {"class_list": text}})  # the file itself may be given back
    assert name == "class.csv" and list(teach.class_list.pupils) == ["Ann", "Bob"]
