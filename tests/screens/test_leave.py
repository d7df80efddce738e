"""A shared computer: one person leaves, the next starts afresh, and nothing is lost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.lessons import progress
from nimmt_lab.lessons.class_list import make_class_list
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.screens import memory
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.words import screen_words
from nimmt_lab.site.inside import Begin, Inside


def say(home: HomeScreen, **message: Any) -> None:
    home.handle({"path": [], "message": message})


def test_the_next_person_begins_afresh(tmp_path: Path) -> None:
    progress.update(tmp_path, lambda now: replace(now, lang="pl", name="Ala").with_lesson("traps", 4, 5))
    home = HomeScreen(Desk(tmp_path))
    say(home, type="go", to="play")
    say(home, type="leave")
    assert home.data["asks"] is True and home.desk.progress.name == "Ala"  # it asks first
    say(home, type="leave", sure=False)
    assert home.data["asks"] is False and home.data["now"] == "play"
    say(home, type="leave")
    say(home, type="leave", sure=True)
    assert home.data["asks"] is False and home.data["now"] == "learn" and "left/1" in str(home.data["told"])
    for desk in (home.desk, Desk(tmp_path)):  # in this page, and after a reload
        assert (desk.progress.name, desk.progress.done, desk.lang) == ("", {}, "pl")
        assert desk.memory.get("play") == {}
    put_away = progress.load(tmp_path / "left" / "1")
    assert (put_away.name, put_away.done) == ("Ala", {"traps": (4, 5)})
    kept = json.loads((tmp_path / "left" / "1" / memory.FILE).read_text(encoding="utf-8"))["pages"]
    assert kept["home"] == {"screen": "play"}
    say(home, type="leave", sure=True)
    assert progress.load(tmp_path / "left" / "1").name == "Ala" and (tmp_path / "left" / "2").is_dir()


def test_without_a_folder_there_is_nothing_to_put_away() -> None:
    home = HomeScreen(Desk(None, lang="cs"))
    home.desk.update(lambda now: now.with_lesson("traps", 1, 5))
    say(home, type="go", to="play")
    say(home, type="leave", sure=True)
    assert (home.desk.progress.done, home.data["now"], home.data["lang"]) == ({}, "learn", "cs")


def test_what_cannot_be_put_away_stays(tmp_path: Path) -> None:
    progress.update(tmp_path, lambda now: replace(now, name="Ala"))
    (tmp_path / "left").write_text("a file in the way")
    home = HomeScreen(Desk(tmp_path))
    say(home, type="leave", sure=True)
    assert home.data["told"] and home.data["asks"] is False
    assert home.desk.progress.name == "Ala" and progress.load(tmp_path).name == "Ala"


def test_in_a_class_everybody_continues_their_own(tmp_path: Path) -> None:
    """With class codes, Ann leaves, Bob gets none of her work, and she continues later where she was."""
    ann, bob = (code_of(seed) for seed in make_class_list(["Ann", "Bob"], seed=7).pupils.values())
    heard: list[str] = []
    kept: list[str] = []
    inside = Inside(tmp_path, heard.append, kept.append, begin=Begin("p2", (ann, bob)))

    def click(*path: str, **message: Any) -> None:
        inside.hear(json.dumps({"path": path, "message": message}))

    def pages() -> Any:
        return json.loads((tmp_path / memory.FILE).read_text(encoding="utf-8"))["pages"]

    click(type="code", text=ann)
    click("home", "screen", "lesson", type="go", at=1)
    click("home", type="leave", sure=True)
    assert not (tmp_path / memory.FILE).exists() and f"left/{ann}/{memory.FILE}" in kept
    said = json.loads(heard[-1])
    assert said["data"] == {"code": "", "told": ""} and said["screen"] is None  # the code is asked for again
    click(type="code", text=bob)
    assert pages()["class"] == {"code": bob} and pages()["lesson p2"]["at"] == 0
    click("home", type="leave", sure=True)
    click(type="code", text=ann)
    assert pages()["class"] == {"code": ann} and pages()["lesson p2"]["at"] == 1


@pytest.mark.parametrize("lang", ["en", "pl", "cs"])
def test_a_page_of_the_person_before_writes_nothing(lang: str, tmp_path: Path) -> None:
    """Ann has two tabs and leaves in one. Bob continues there; clicks in the other tab do not count for him."""
    progress.update(tmp_path, lambda now: replace(now, lang=lang, name="Ann"))
    stale, here = HomeScreen(Desk(tmp_path)), HomeScreen(Desk(tmp_path))
    say(stale, type="go", to="play")
    older = Desk(tmp_path)  # a page without Home: a lesson in a notebook
    say(here, type="leave", sure=True)
    here.desk.update(lambda now: replace(now, name="Bob").with_lesson("traps", 1, 5))
    say(here, type="go", to="practise")
    before = files(tmp_path)
    older.memory.put("practise", {"count": 99, "right": 99})
    older.update(lambda now: replace(now, name="Ann").with_lesson("traps", 5, 5))
    assert files(tmp_path) == before and older.why == memory.PAST and not older.keeps
    stale.handle({"path": ["screen"], "message": {"type": "start"}})
    told = screen_words(lang)("home.past")
    assert stale.data["told"] == told and not stale.parts  # nor does anybody see what she did
    for message in ({"type": "go", "to": "learn"}, {"type": "lang", "lang": "en"}, {"type": "leave", "sure": True}):
        say(stale, **message)
    assert files(tmp_path) == before and stale.data["told"] == told
    say(here, type="go", to="learn")  # Bob's own page still works
    assert here.data["now"] == "learn" and not here.data["told"]
    assert Desk(tmp_path).progress.done == {"traps": (1, 5)}


def test_returning_also_starts_an_epoch(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.update(lambda now: replace(now, name="Ann"))
    desk.leave("A")
    stale = Desk(tmp_path)
    assert desk.come_back("A") and desk.progress.name == "Ann" and not desk.is_past
    stale.update(lambda now: replace(now, name="Bob"))
    assert stale.is_past and Desk(tmp_path).progress.name == "Ann"


def test_nothing_is_put_away_through_a_link(tmp_path: Path) -> None:
    """A link planted in the folder would carry what somebody did to another place."""
    mine, elsewhere = tmp_path / "mine", tmp_path / "elsewhere"
    mine.mkdir()
    elsewhere.mkdir()
    progress.update(mine, lambda now: replace(now, name="Ann"))
    (mine / "left").symlink_to(elsewhere)
    home = HomeScreen(Desk(mine))
    say(home, type="leave", sure=True)
    assert home.data["told"] and progress.load(mine).name == "Ann" and not list(elsewhere.iterdir())
    (elsewhere / progress.FILE).write_text((mine / progress.FILE).read_text(encoding="utf-8"), encoding="utf-8")
    (mine / "left").unlink()
    (mine / "left" / "A").mkdir(parents=True)
    (mine / "left" / "A" / progress.FILE).symlink_to(elsewhere / progress.FILE)
    assert not Desk(mine).come_back("A") and not (mine / progress.FILE).is_symlink()


def test_where_the_next_person_cannot_begin_nobody_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress.update(tmp_path, lambda now: replace(now, name="Ann"))
    home = HomeScreen(Desk(tmp_path))

    def full(self: progress.Progress) -> None:
        raise CannotWrite("no room")

    before = files(tmp_path)
    monkeypatch.setattr(progress.Progress, "save", full)
    say(home, type="leave", sure=True)
    assert home.data["told"] and {name: text for name, text in files(tmp_path).items() if "/" not in name} == before


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("lang", ["en", "pl", "cs"])
def test_the_button_has_words(lang: str) -> None:
    labels = HomeScreen(Desk(None, lang=lang)).data["labels"]
    assert isinstance(labels, dict) and {"leave", "leave_ask", "leave_sure", "stay"} <= labels.keys()
