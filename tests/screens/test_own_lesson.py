"""A lesson of one's own in Home: found, walked with wrong and right answers, handed in and graded."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.lessons import trust
from nimmt_lab.lessons.authoring import template
from nimmt_lab.lessons.classbook import gradebook
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.words import words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.learn import LearnScreen
from nimmt_lab.screens.own_lesson import OwnLesson
from nimmt_lab.screens.problem import ProblemScreen
from tests.support import refused


def desk_with(folder: Path, lang: str = "en", **lessons: str) -> Desk:
    (folder / "lessons").mkdir()
    for name, text in lessons.items():
        (folder / "lessons" / f"{name}.toml").write_text(text, encoding="utf-8")
    return Desk(folder, lang)


def test_home_has_a_box_of_own_lessons(tmp_path: Path) -> None:
    assert "own" not in LearnScreen(Desk(None))._boxes()
    learn = LearnScreen(desk_with(tmp_path, mine=template("mine", "en")))
    learn.receive({"type": "box", "box": "own"})
    box = learn.data["box"]
    assert isinstance(box, dict) and words("en")("own.title") in str(box["lessons"])
    learn.receive({"type": "open", "lesson": "mine"})
    assert isinstance(learn.parts["lesson"], OwnLesson) and learn.place == "mine"


def test_a_lesson_is_walked_handed_in_and_graded(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, mine=template("mine", "en"))
    page = OwnLesson(desk.library.find("mine"), desk, seed=7001)
    page.verify()
    page.go(2)
    assert page.asks(page.at) == "row"
    page.board.handle({"path": [], "message": {"type": "answer", "choice": "1"}})  # type: ignore[union-attr]
    page.heard("row", "2", True)
    page.go(3)
    assert isinstance(page.board, ProblemScreen) and page.asks(3) == "pick"
    for said in ("pick.2", "pick.3"):
        page.board.receive({"type": "answer", "text": said})
    page.go(4)
    assert isinstance(page.board, ProblemScreen)
    page.board.receive({"type": "answer", "text": str(page.problems["chance"].answer)})
    page.go(5)
    assert page.data["end"] is not None
    again = OwnLesson(desk.library.find("mine"), desk)
    assert (again.at, again.seed, again.tries["pick"]) == (5, 7001, ["pick.2", "pick.3"])
    page.hand_in("Ann")
    book = gradebook(tmp_path / "hand-in", library=desk.library)
    columns = {name: at for at, name in enumerate(book.columns)}
    (line,) = book.lines
    assert (line[columns["name"]], line[columns["right"]], line[columns["seed"]]) == ("Ann", 3, 7001)
    (path,) = (tmp_path / "hand-in").iterdir()
    assert Results.load(path, library=desk.library).asked_by.version == 1


def test_a_program_waits_for_its_confirmation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(trust.VARIABLE, str(tmp_path / "settings"))
    monkeypatch.setattr(trust, "_now", set())
    desk = desk_with(tmp_path, two=template("two", "pl", program=True))
    page = OwnLesson(desk.library.find("two"), desk)
    for name in ("row", "pick", "chance"):
        page._open.add(name)
    with refused(RulesError, "lessons.not_confirmed"):
        page.go(5)
    trust.confirm(page.lesson.fingerprint, keep=False)
    page.at = 4
    page.go(5)
    assert isinstance(page.board, ProblemScreen)
