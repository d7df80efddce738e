"""Pages survive an oversized page, a link, a click at the wrong moment and a lack of free file handles."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from pathlib import Path

import pytest

from nimmt_lab.commands.lab import lay_out
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.lessons import progress
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.base import Screen, Work
from nimmt_lab.screens.box import BoxScreen
from nimmt_lab.screens.desk import MATERIAL_FOLDER, Desk, own_material
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.memory import FILE, Memory
from nimmt_lab.screens.play import GAMES, PlayScreen
from nimmt_lab.screens.table import TableScreen
from nimmt_lab.screens.teach import TeachScreen
from nimmt_lab.screens.words import screen_words

# One page that is too large ------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_one_page_too_large_does_not_stop_the_others(
    lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nimmt_lab.screens.memory.LARGEST", 20_000)
    progress.Progress(lang, folder=tmp_path).save()
    home = HomeScreen(Desk(tmp_path))
    memory = home.desk.memory
    memory.put("analyse", {"record": "small"})
    memory.put("analyse", {"record": "x" * 30_000})
    notice = screen_words(lang)("home.too_large", folder=tmp_path)
    assert home.data["told"] == notice and memory.get("analyse") == {"record": "x" * 30_000}
    home.handle({"path": [], "message": {"type": "go", "to": "play"}})
    kept = Memory(tmp_path)
    assert kept.get("home") == {"screen": "play"} and kept.get("analyse") == {"record": "small"}
    assert home.data["told"] == notice, "that one is still not kept"
    memory.put("analyse", {"record": "x"})
    assert Memory(tmp_path).get("analyse") == {"record": "x"} and home.desk.why == ""
    home.handle({"path": [], "message": {"type": "go", "to": "learn"}})
    assert home.data["told"] == ""


def test_of_pages_that_are_too_large_together_the_largest_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nimmt_lab.screens.memory.LARGEST", 20_000)
    memory = Memory(tmp_path)
    memory.put("a", {"text": "x" * 12_000})
    memory.put("b", {"text": "x" * 9_000})
    assert not Memory(tmp_path).get("b") and not memory.keeps
    memory.put("c", {"text": "x" * 5_000})
    assert Memory(tmp_path).get("c") and not Memory(tmp_path).get("b")
    memory.put("a", {})
    assert Memory(tmp_path).get("b") and memory.keeps


# Links ---------------------------------------------------------------------------------------------------


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    folder, outside = tmp_path / "lab", tmp_path / "outside"
    lay_out(folder, "en")
    outside.mkdir()
    (outside / "mine").write_text("mine")
    for name in (progress.FILE, FILE, "index.ipynb"):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(outside / "mine")
    for name in (GAMES, MATERIAL_FOLDER, progress.HAND_IN):
        (folder / name).symlink_to(outside)
    lay_out(folder, "en")
    desk = Desk(folder)
    desk.switch("pl")
    desk.memory.put("home", {"screen": "play"})
    play = PlayScreen(desk)
    play.start({"game": "classic", "players": 2, "seed": 7})
    assert str(folder / GAMES) in play.save()
    assert str(folder / progress.HAND_IN) in lesson("first_turn", desk).hand_in("Ann")
    material = BoxScreen(desk)
    material.receive({"type": "open", "kind": "baron"})
    material.receive({"type": "begin", "sample": True})
    material.receive({"type": "use"})
    assert str(folder / MATERIAL_FOLDER) in str(material.data["told"])
    (outside / "baron.csv").write_text("mine")
    material.receive({"type": "remove"})
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"mine": "mine", "baron.csv": "mine"}
    assert progress.load(folder).lang == "pl" and Memory(folder).get("home") == {"screen": "play"}


def test_a_linked_file_is_not_quoted(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("card,bulls\n1,secret\n")
    folder = tmp_path / "lab"
    (folder / MATERIAL_FOLDER).mkdir(parents=True)
    (folder / GAMES).mkdir()
    (folder / MATERIAL_FOLDER / "baron.csv").symlink_to(secret)
    (folder / GAMES / "x.nimmt").symlink_to(secret)
    used, wrong = own_material(folder)
    assert not used and "link" in wrong["baron"] and "secret" not in wrong["baron"]
    desk = Desk(folder)
    material = BoxScreen(desk)
    material.receive({"type": "open", "kind": "baron"})
    assert "secret" not in json.dumps(material.whole())
    analyse = AnalyseScreen(desk)
    heard: list[object] = []
    analyse.listen(heard.append)
    analyse.handle({"path": [], "message": {"type": "load", "file": "x.nimmt"}})
    assert analyse.data["saved"] == [] and "secret" not in json.dumps(heard)
    # A folder of decks somewhere else.
    (folder / MATERIAL_FOLDER / "baron.csv").unlink()
    (folder / MATERIAL_FOLDER).rmdir()
    secret.rename(tmp_path / "baron.csv")
    (folder / MATERIAL_FOLDER).symlink_to(tmp_path)
    assert "secret" not in own_material(folder)[1]["baron"]


# A click at the wrong moment -----------------------------------------------------------------------------


class Later:
    """Work that advances on demand."""

    def __init__(self, screen: Screen) -> None:
        self.works: list[Work] = []
        screen.listen(self.heard, self.begin)
        self.said: list[Json] = []

    def heard(self, said: dict[str, Json]) -> None:
        self.said.append(said.get("message"))

    def begin(self, work: Work) -> None:
        next(work, None)
        self.works.append(work)

    def finish(self) -> None:
        for work in self.works:
            for _ in work:
                pass


@pytest.mark.parametrize(
    "message",
    [
        {"type": "choose", "ply": 0, "choice": "14"},
        {"type": "choose", "ply": 0, "given": 1, "choice": ""},
        {"type": "run", "ply": 0},
        {"type": "run", "ply": 0, "given": 1},
        {"type": "ready"},
        {"type": "hints", "on": True},
    ],
)
def test_no_message_stops_bots_that_think(message: dict[str, Json]) -> None:
    play = PlayScreen(Desk(None))
    later = Later(play)
    play.start({"game": "classic", "players": 4, "seed": 7})
    table = play.parts["table"]
    assert isinstance(table, TableScreen)
    card = str(table.record.final.pending[0].options[0])
    play.handle({"path": ["table"], "message": {"type": "choose", "ply": 0, "choice": card}})
    assert table.asked is None and not table.record.choices, "the bots are thinking"
    play.handle({"path": ["table"], "message": message})
    if message["type"] in ("choose", "run"):
        assert isinstance(later.said[-1], dict) and later.said[-1]["type"] == "refused"
    later.finish()
    assert len(table.record.choices) == 1 and table.asked == 0


def test_a_search_abandoned_for_the_odds_is_not_shown_as_running() -> None:
    """Found by the fuzzer."""
    analyse = AnalyseScreen(Desk(None))
    later = Later(analyse)
    text = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
    analyse.handle({"path": [], "message": {"type": "open", "text": text, "setup": {"game": "classic"}}})
    for way in ("search", "odds"):
        analyse.handle({"path": ["judge"], "message": {"type": "ask", "way": way, "seat": 0}})
    later.finish()
    assert analyse.parts["judge"].data["running"] is False and analyse.parts["judge"].data["lines"]


# No free handles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("fails", ["folder", "mkdir", "scan"])
def test_uploads_without_free_handles_are_refused_in_words(
    lang: str, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach = TeachScreen(Desk(None, lang))
    later = Later(teach)
    grade: dict[str, Json] = {"type": "grade", "files": [{"name": "a.json", "text": "{"}]}

    def none_left(*_given: object, **_more: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        if fails == "folder":
            patch.setattr(tempfile, "TemporaryDirectory", none_left)
        elif fails == "mkdir":
            patch.setattr(Path, "mkdir", none_left)
        else:
            patch.setattr("nimmt_lab.screens.teach.gradebook", none_left)
        teach.handle({"path": [], "message": grade})
        assert later.said[-1] == {"type": "refused", "text": sentence("screens.not_read", {}, lang)}
    assert teach.book is None
    teach.handle({"path": [], "message": grade})
    assert teach.book is not None and teach.book.unusable == 1


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs a limit on handles")
def test_so_they_are_when_there_are_really_none(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    teach = TeachScreen(Desk(None))
    later = Later(teach)
    grade: dict[str, Json] = {"type": "grade", "files": [{"name": "a.json", "text": "{"}] * 3}
    teach.handle({"path": [], "message": grade})  # whatever is imported for it is imported now
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.open("/dev/null", os.O_RDONLY)
    os.close(lowest)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, before[1]))
        teach.handle({"path": [], "message": grade})
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert later.said[-1] == {"type": "refused", "text": sentence("screens.not_read", {})}
