"""What pages keep: two on one folder lose nothing of each other, and whatever a browser says is kept or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.engine import files
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.lessons import progress as learner
from nimmt_lab.lessons.words import words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.memory import FILE, Memory
from nimmt_lab.screens.play import PlayScreen


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


def test_half_a_letter_is_kept(tmp_path: Path) -> None:
    Memory(tmp_path).put("play", {"name": "\ud800"})
    assert Memory(tmp_path).get("play") == {"name": "\ud800"}


def test_a_file_that_can_neither_be_read_nor_moved_costs_the_page_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(tmp_path)
    memory.put("home", {"screen": "learn"})
    (tmp_path / FILE).write_text("{")
    monkeypatch.setattr("nimmt_lab.screens.memory.set_aside", lambda path: False)
    memory.put("play", {"seed": 1})
    assert memory.get("home") == {"screen": "learn"} and memory.get("play") == {"seed": 1}
    assert (tmp_path / FILE).read_text() == "{"


@pytest.mark.parametrize("trouble", [(28, "No space left on device"), (30, "Read-only file system"), (13, "Permission denied")])
def test_a_folder_that_cannot_be_written_tells_the_learner_and_stops_nobody(
    trouble: tuple[int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything a learner may click, with nowhere to write: an answer each time, and the lesson goes on."""
    learner.Progress(folder=tmp_path).save()

    def refuse(*_given: object) -> None:
        raise OSError(*trouble)

    monkeypatch.setattr(files, "_write", refuse)
    page = lesson("first_turn", Desk(tmp_path))
    assert page.save("Ann") == words("en")("page.not_saved", folder=tmp_path / learner.HAND_IN)
    assert not page.desk.keeps and page.desk.progress.name == "Ann", "this page goes on knowing it"
    page.handle({"path": [], "message": {"type": "lang", "lang": "pl"}})
    page.handle({"path": [], "message": {"type": "go", "at": 1}})
    assert page.say.lang == "pl" and page.at == 1
    home = HomeScreen(Desk(tmp_path))
    for message in ({"type": "go", "to": "play"}, {"type": "lang", "lang": "cs"}, {"type": "go", "to": "learn"}):
        home.handle({"path": [], "message": message})
    play = PlayScreen(Desk(tmp_path))
    play.receive({"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7}})
    assert str(tmp_path) in play.save() and not (tmp_path / "games" / "classic-1.nimmt").exists()


@pytest.mark.parametrize("level", [[], {}, 3, None, "level-9", "", ["person"], True])
def test_a_level_that_is_none_is_refused(level: object) -> None:
    play = PlayScreen(Desk(None))
    with pytest.raises(RulesError, match="no level"):
        play.receive({"type": "start", "setup": {"game": "classic", "players": 2, "seats": [{"level": level}]}})  # type: ignore[list-item,dict-item]
