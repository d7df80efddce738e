"""A lesson of one's own in Home: found, walked with wrong and right answers, handed in and graded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.lessons import trust
from nimmt_lab.lessons.authoring import template
from nimmt_lab.lessons.classbook import gradebook
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.words import words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.learn import LearnScreen
from nimmt_lab.screens.lesson_exercise import LessonExercise
from nimmt_lab.screens.own_lesson import OwnLesson
from nimmt_lab.screens.problem import ProblemScreen
from tests.support import refused

from .conftest import Walker


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


def test_learn_opens_no_lesson_that_would_stop_at_its_first_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(trust.VARIABLE, str(tmp_path / "settings"))
    monkeypatch.setattr(trust, "_now", set())
    desk = desk_with(tmp_path, two=template("two", "en", program=True))
    learn = LearnScreen(desk)
    with refused(RulesError, "lessons.not_confirmed", name="two", file="two.toml"):
        learn.receive({"type": "open", "lesson": "two"})
    learn.visit("two")
    assert "lesson" not in learn.parts and learn.data["open"] == ""
    desk.memory.put("learn", {"lesson": "two"})  # it was open, and then its file changed
    assert LearnScreen(desk).data["open"] == ""
    trust.confirm(desk.library.find("two").fingerprint, keep=False)
    learn.receive({"type": "open", "lesson": "two"})
    assert isinstance(learn.parts["lesson"], OwnLesson)
    assert LearnScreen(desk).data["open"] == "two"


OWN_WORDS = """\
format = "nimmt-lesson/1"
name = "mine"
version = 1
title = { en = "Mine", de = "Meins" }

[[step]]
name = "row"
ask = "row"
card = 25
position = "9 | 23 | 40 | 71 ; A: 25 60 ; B: 44 62"
reveal = { A = "25", B = "44" }
text = { en = "Where does your 25 end up?", de = "Wo landet die 25?" }
hint = { en = "Look at 23.", de = "Schau auf die 23." }
why = { en = "23 is close.", de = "23 ist nah." }

[[step]]
name = "plain"
ask = "row"
card = 25
position = "9 | 23 | 40 | 71 ; A: 25 60 ; B: 44 62"
reveal = { A = "25", B = "44" }
"""


def test_a_question_about_the_rules_has_the_words_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(tmp_path, mine=OWN_WORDS)
    page = OwnLesson(desk.library.find("mine"), desk)
    board = page.board
    assert isinstance(board, LessonExercise)
    scene = board.data["scene"]
    assert isinstance(scene, dict) and scene["question"]["prompt"] == "Where does your 25 end up?"  # type: ignore[index, call-overload]
    told: list[Obj] = []
    monkeypatch.setattr(board, "tell", told.append)
    board.receive({"type": "hint", "question": 0})
    board.receive({"type": "answer", "question": 0, "choice": "2"})
    assert told[0]["text"] == "Look at 23." and told[1]["why"] == "23 is close."
    page.go(1)
    plain = page.board
    assert isinstance(plain, LessonExercise)
    assert plain.prompt() == words("en")("ask.row", card=25, who="A"), "without a text, the usual wording"
    monkeypatch.setattr(plain, "tell", told.append)
    plain.receive({"type": "answer", "question": 0, "choice": "2"})
    assert told[2]["why"] == "", "the board tells why"


@pytest.mark.browser
def test_a_refusal_is_in_sight_until_another_page_opens(
    visit: Callable[..., Walker], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(trust.VARIABLE, str(tmp_path / "settings"))
    monkeypatch.setattr(trust, "_now", set())
    desk_with(tmp_path, mine=template("mine", "en"), two=template("two", "en", program=True))
    walker = visit(tmp_path)
    walker.click("[data-box='own']")
    walker.click("[data-lesson='two']")
    walker.in_sight(".nl-told:has-text('two.toml')")
    walker.click("[data-lesson='mine']")
    assert walker.count(".nl-told:has-text('two.toml')") == 0 and walker.count(".nl-lesson") == 1
