"""Saved state of pages: two pages in one folder lose nothing, and every browser message is saved or refused."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from pathlib import Path

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons import progress as learner
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.memory import FILE, Memory
from nimmt_lab.screens.notebooks import NotebooksScreen
from nimmt_lab.screens.play import PlayScreen
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.rules import game_of
from nimmt_lab.screens.table import TableScreen
from nimmt_lab.screens.teach import TeachScreen
from nimmt_lab.screens.words import screen_words
from tests.support import refused


def test_two_labs_on_one_folder_keep_both_pages(tmp_path: Path) -> None:
    one, other = Memory(tmp_path), Memory(tmp_path)
    one.put("lesson traps", {"at": 3})
    other.put("play", {"setup": {"seed": 7}})
    one.put("home", {"screen": "learn"})
    now = Memory(tmp_path)
    kept = [now.get(name) for name in ("lesson traps", "play", "home")]
    assert kept == [{"at": 3}, {"setup": {"seed": 7}}, {"screen": "learn"}]
    other.put("play", {})
    assert Memory(tmp_path).get("play") == {} and Memory(tmp_path).get("home") == {"screen": "learn"}


def test_half_a_letter_costs_nothing_but_itself(tmp_path: Path) -> None:
    """No page could be sent with it: found by the fuzzer."""
    Memory(tmp_path).put("play", {"name": "A\ud800"})
    assert Memory(tmp_path).get("play") == {"name": "A?"}


def test_a_file_that_can_neither_be_read_nor_moved_costs_the_page_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory(tmp_path)
    memory.put("home", {"screen": "learn"})
    (tmp_path / FILE).write_text("{")
    monkeypatch.setattr("nimmt_lab.screens.memory.set_aside", lambda path: False)
    memory.put("play", {"seed": 1})
    assert memory.get("home") == {"screen": "learn"} and memory.get("play") == {"seed": 1}
    assert (tmp_path / FILE).read_text() == "{"


@pytest.mark.parametrize("trouble", [(code, os.strerror(code)) for code in (errno.ENOSPC, errno.EROFS, errno.EACCES)])
def test_a_folder_that_cannot_be_written_tells_the_learner_and_stops_nobody(
    trouble: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no writable folder, every click of a learner gets an answer and the lesson continues."""
    learner.Progress(folder=tmp_path).save()

    def refuse(*_given: object) -> None:
        raise OSError(*trouble)

    monkeypatch.setattr(files, "_finished", refuse)
    page = lesson("first_turn", Desk(tmp_path))
    assert page.hand_in("Ann") == words("en")("page.not_saved", folder=tmp_path / learner.HAND_IN)
    assert not page.desk.keeps and page.desk.progress.name == "Ann", "this page goes on knowing it"
    page.handle({"path": [], "message": {"type": "lang", "lang": "pl"}})
    page.handle({"path": [], "message": {"type": "go", "at": 1}})
    assert page.say.lang == "pl" and page.at == 1
    home = HomeScreen(Desk(tmp_path))
    messages: list[Obj] = [{"type": "go", "to": "play"}, {"type": "lang", "lang": "cs"}, {"type": "go", "to": "learn"}]
    for message in messages:
        home.handle({"path": [], "message": message})
    play = PlayScreen(Desk(tmp_path))
    play.receive({"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}})
    assert str(tmp_path) in play.save() and not (tmp_path / "games" / "classic-1.nimmt").exists()


def _full(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_finished", refuse)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_home_says_that_nothing_is_kept_as_long_as_it_is_true(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner.Progress(lang, folder=tmp_path).save()
    home = HomeScreen(Desk(tmp_path))
    assert home.data["told"] == ""
    with monkeypatch.context() as patch:
        _full(patch)
        heard: list[object] = []
        home.listen(heard.append)
        home.handle({"path": [], "message": {"type": "go", "to": "play"}})
        told = screen_words(lang)("home.not_kept", folder=tmp_path)
        assert home.data["told"] == told and str(tmp_path) in told
        home.handle(
            {"path": ["screen"], "message": {"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}}}
        )
        assert home.data["told"] == told and home.parts["screen"].data["mode"] == "table"
        home.handle({"path": [], "message": {"type": "go", "to": "learn"}})
        assert home.data["told"] == told, "it is still true"
        fresh = HomeScreen(Desk(tmp_path))
        fresh.handle({"path": [], "message": {"type": "go", "to": "notebooks"}})
        assert fresh.data["told"] == told, "another page is told, too"
    # There is room again: what was clicked meanwhile is kept with the next thing.
    assert Memory(tmp_path).get("play") == {}
    home.handle({"path": [], "message": {"type": "go", "to": "notebooks"}})
    assert home.data["told"] == "" and home.desk.memory.keeps
    kept = Memory(tmp_path)
    assert kept.get("home") == {"screen": "notebooks"} and "record" in kept.get("play")
    with monkeypatch.context() as patch:
        _full(patch)
        other = next(one for one in LANGUAGES if one != lang)
        home.handle({"path": [], "message": {"type": "lang", "lang": other}})
        assert home.data["told"] == screen_words(other)("home.not_kept", folder=tmp_path), (
            "and again, when it happens again"
        )


def test_a_lesson_on_its_own_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learner.Progress(folder=tmp_path).save()
    page = lesson("first_turn", Desk(tmp_path))
    assert page.data["told"] == ""
    with monkeypatch.context() as patch:
        _full(patch)
        page.handle({"path": [], "message": {"type": "go", "at": 1}})
        assert page.data["told"] == words("en")("page.not_saved", folder=tmp_path)
        page.handle({"path": [], "message": {"type": "go", "at": 0}})
        assert page.data["told"] == words("en")("page.not_saved", folder=tmp_path) and page.at == 0
    page.handle({"path": [], "message": {"type": "go", "at": 1}})
    assert page.data["told"] == "" and page.at == 1


def test_a_file_that_is_in_the_way_is_said_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(tmp_path)
    troubles: list[int] = []
    memory.trouble = lambda: troubles.append(1)
    (tmp_path / FILE).write_text("{")
    monkeypatch.setattr("nimmt_lab.screens.memory.set_aside", lambda path: False)
    memory.put("play", {"seed": 1})
    memory.put("home", {"screen": "play"})
    assert troubles == [1] and not memory.keeps and (tmp_path / FILE).read_text() == "{"


def test_a_game_that_cannot_be_read_is_said_and_stays(tmp_path: Path) -> None:
    Memory(tmp_path).put("play", {"record": "no game at all"})
    play = PlayScreen(Desk(tmp_path))
    assert play.data["told"] == screen_words("en")("play.lost", file=FILE) and play.data["mode"] == "setup"
    play.receive({"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}})
    assert Memory(tmp_path).get("play unreadable") == {"record": "no game at all"}
    assert str(Memory(tmp_path).get("play")["record"]).startswith("nimmt")


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    """Found by the fuzzer: written in ASCII a text is longer than it was when it was read."""
    memory = Memory(tmp_path)
    memory.put("play", {"record": "\u3000" * 1_500_000})  # nine million letters
    assert memory.keeps and Memory(tmp_path).get("play") == {"record": "\u3000" * 1_500_000}
    troubles: list[int] = []
    memory.trouble = lambda: troubles.append(1)
    memory.put("analyse", {"record": "x" * 15_000_000})
    assert troubles == [1] and Memory(tmp_path).get("play") and not Memory(tmp_path).get("analyse")
    memory.put("analyse", {"record": "x"})
    assert memory.keeps and Memory(tmp_path).get("analyse") == {"record": "x"}


def test_a_kept_table_with_nobody_at_it_is_not_sat_down_to(tmp_path: Path) -> None:
    """Found by the fuzzer: in the file a bot has replaced the person at the table."""
    play = PlayScreen(Desk(tmp_path))
    play.receive({"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}})
    kept = Memory(tmp_path).get("play")
    assert isinstance(kept["setup"], dict)
    kept["setup"]["seats"] = [{"name": "Bea", "level": "level-1"}] * 2
    Memory(tmp_path).put("play", kept)
    again = PlayScreen(Desk(tmp_path))
    assert again.data["mode"] == "setup" and again.data["told"] == screen_words("en")("play.lost", file=FILE)
    with refused(RulesError, "screens.nobody_sits"):
        TableScreen(Record(Classic(players=2), seed=1), people=())


NONSENSE: tuple[Json, ...] = (None, 5, "x", [], {}, True, -1, 2.5)


@pytest.mark.parametrize("value", NONSENSE)
def test_a_browser_sets_only_what_is_its_to_set(value: Json) -> None:
    """Whatever it says, no screen loses what it shows, and the next click still takes effect."""
    home = HomeScreen(Desk(None))
    home.handle({"path": [], "message": {"type": "go", "to": "play"}})
    home.handle(
        {"path": ["screen"], "message": {"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}}}
    )
    before = home.whole()
    todo: list[tuple[list[Json], Screen]] = [([], home)]
    while todo:
        path, screen = todo.pop()
        home.handle({"path": path, "data": dict.fromkeys(screen.data, value)})
        todo += [([*path, name], part) for name, part in screen.parts.items()]
    assert home.whole() == before
    home.handle({"path": ["screen", "table"], "message": {"type": "hints", "on": True}})
    home.handle({"path": [], "message": {"type": "lang", "lang": "cs"}})
    assert home.data["lang"] == "cs"


@pytest.mark.parametrize("half", ["\ud800", "A\udcff"])
def test_half_a_letter_can_be_said_back(half: str) -> None:
    """A notebook cannot send one: whatever a browser says, the page can still be sent."""
    home = HomeScreen(Desk(None))
    home.handle({"path": [], "message": {"type": "go", "to": "play"}})
    setup: dict[str, Json] = {"game": "classic", "players": 2, "seed": 7, "seats": [{"name": half}], half: float("nan")}
    home.handle({"path": ["screen"], "message": {"type": "start", "setup": setup}})
    assert home.parts["screen"].data["mode"] == "table"
    home.handle({"path": ["screen"], "message": {"type": "leave"}})
    json.dumps(home.whole(), ensure_ascii=False, allow_nan=False).encode()
    deep: Json = []
    for _ in range(5000):
        deep = [deep]
    home.handle({"path": [], "message": {"type": "go", "to": deep}})


@pytest.mark.parametrize("name", [[], {}, None, 3, "x", ["classic"]])
def test_values_that_are_not_games_are_refused(name: Json) -> None:
    with refused(RulesError, "shared.no_game"):
        game_of({"game": name, "players": 2})


def test_notebooks_whose_names_no_page_can_say_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "good.ipynb").write_text('{"cells": [{"source": ["# Title"]}]}')
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "home.ipynb").write_text('{"cells": []}')  # the page itself
    with contextlib.suppress(OSError):  # some systems take no such name
        (tmp_path / "bad\udcff.ipynb").write_text("{}")
    assert NotebooksScreen(Desk(tmp_path)).data["books"] == [
        {"path": "good.ipynb", "title": "Title", "line": "", "group": ""}
    ]


def test_the_browser_decides_where_a_replay_is() -> None:
    replay = ReplayScreen(Record(Classic(players=2), seed=1))
    replay.was_set({"at": 3, "scene": None, "live": False})
    assert replay.data["at"] == 3 and replay.data["scene"] and replay.data["live"] is True
    replay.was_set({"at": True})
    assert replay.data["at"] == 3


@pytest.mark.parametrize("level", [[], {}, 3, None, "level-9", "", ["person"], True])
def test_values_that_are_not_levels_are_refused(level: Json) -> None:
    play = PlayScreen(Desk(None))
    with refused(RulesError, "screens.no_level_there"):
        play.receive({"type": "start", "setup": {"game": "classic", "players": 2, "seats": [{"level": level}]}})


def test_files_of_long_names_are_graded() -> None:
    """A name of sixty letters of four bytes each is as long as file systems take; a teacher's browser sends any."""
    teach = TeachScreen(Desk(None))
    given: list[Json] = [{"name": "𠀀" * 200 + ".json", "text": "{"}, {"name": "a\x00/..", "text": "\ud800"}]
    teach.handle({"path": [], "message": {"type": "grade", "files": given}})
    assert teach.book is not None and teach.book.unusable >= 1


def test_a_notebook_is_listed_by_its_heading_its_folder_and_its_first_sentence(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Low *cards*\n", "\n", "When is **a low card** [good](x)? Second.\n"]}
    ]
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (tmp_path / "rules" / "b.ipynb").write_text('{"cells": [{"cell_type": 5, "source": 7}]}', encoding="utf-8")
    books = NotebooksScreen(Desk(tmp_path)).data["books"]
    assert books == [
        {"path": "rules/a.ipynb", "title": "Low *cards*", "line": "When is a low card good?", "group": "rules"},
        {"path": "rules/b.ipynb", "title": "b.ipynb", "line": "", "group": "rules"},
    ]
