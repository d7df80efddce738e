"""Teach without a browser: sets as the command writes them, slides with every answer, a class's files in one table."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.explain.errors import translate
from nimmt_lab.lessons import LANGUAGES, Results, problems, words
from nimmt_lab.lessons.class_list import make_class_list
from nimmt_lab.lessons.classbook import gradebook
from nimmt_lab.lessons.classroom import CLASSROOM
from nimmt_lab.lessons.deck import deck_html
from nimmt_lab.lessons.moodle import moodle_xml
from nimmt_lab.lessons.slides import example_seed, slides_html
from nimmt_lab.lessons.worksheet import answer_text, class_set, pages, pupil_seed, question_text, working_text
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.teach import HAND_INS, TeachScreen
from nimmt_lab.screens.words import screen_words
from tests.support import refused


def data(screen: Any, name: str) -> Any:
    return screen.data[name]


def form(teach: TeachScreen, **form: Any) -> None:
    teach.receive({"type": "form", "form": form})


def test_a_saved_set_is_what_the_command_writes_and_the_slides(tmp_path: Path) -> None:
    teach = TeachScreen(Desk(tmp_path))
    form(teach, lesson=3, pupils=2, seed=9, lang="pl")
    teach.receive({"type": "save"})
    folder = tmp_path / "worksheets" / "lesson-3-9-pl"
    written = {
        path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if not path.name.startswith(".")
    }
    assert written.pop("lesson-3-slides.html") == slides_html(3, example_seed(9), "pl")
    assert written == pages(3, class_set(2, 9), "pl") and "lesson-3-9-pl" in data(teach, "told")
    (folder / "lesson-3-sheet-01.html").write_text("mine")
    teach.receive({"type": "save"})
    assert data(teach, "exists") is True and (folder / "lesson-3-sheet-01.html").read_text() == "mine"
    teach.receive({"type": "save", "force": True})
    assert (folder / "lesson-3-sheet-01.html").read_text(encoding="utf-8") == written["lesson-3-sheet-01.html"]
    assert TeachScreen(Desk(tmp_path)).form == teach.form


def test_grading_names_no_folder_of_ours(tmp_path: Path) -> None:
    """Two files of one name are told apart by a number; a folder that refuses is named as people know it."""
    teach = TeachScreen(Desk(None))
    text = hand_ins()["ann.json"]
    teach.receive({"type": "grade", "files": [{"name": "a.json", "text": text}, {"name": "a.json", "text": "{"}]})
    assert teach.book is not None
    files = {str(line[teach.book.columns.index("file")]) for line in teach.book.lines}
    assert files == {"a.json", "a.json (2)"}
    (tmp_path / "worksheets").write_text("a file")
    told = TeachScreen(Desk(tmp_path)).save()
    assert (
        told == screen_words("en")("teach.not_saved", folder="worksheets/lesson-1-1-en") and str(tmp_path) not in told
    )


def test_one_lesson_can_be_graded() -> None:
    teach = TeachScreen(Desk(None))
    graded = [name for name, _ in data(teach, "graded")]
    assert graded[0] == "" and {"p2", "first_turn"} <= set(graded)
    files: list[Json] = [{"name": n, "text": t} for n, t in hand_ins().items()]
    teach.receive({"type": "grade", "files": files, "lesson": "p3"})
    assert teach.book is not None and len(teach.book.lines) == teach.book.unusable == 1
    with refused(RulesError, "shared.no_lesson_of"):
        teach.receive({"type": "grade", "files": files, "lesson": "p77"})


def test_each_file_is_what_the_command_writes() -> None:
    teach = TeachScreen(Desk(None))
    form(teach, lesson=1, pupils=4, seed=2)
    made = pages(1, class_set(4, 2))
    assert teach.file("print") == ("lesson-1-sheets.html", made["lesson-1-sheets.html"])
    assert teach.file("print")[1].count('class="sheet"') == 4
    assert teach.file("key") == ("lesson-1-key.html", made["lesson-1-key.html"])
    assert teach.file("moodle")[1] == moodle_xml(1, class_set(4, 2)) and teach.file("deck")[1] == deck_html()
    assert teach.save() == screen_words("en")("teach.no_folder")
    heard: list[Any] = []
    teach.listen(heard.append)
    for what in ("print", "key", "slides", "moodle", "deck"):
        teach.receive({"type": what})
    names = [said["message"]["name"] for said in heard if "message" in said]
    assert names == [
        "lesson-1-sheets.html",
        "lesson-1-key.html",
        "lesson-1-slides.html",
        "lesson-1-moodle.xml",
        "deck.html",
    ]
    with pytest.raises(RulesError):
        teach.receive({"type": "class_list"})


def test_a_class_by_name(tmp_path: Path) -> None:
    teach = TeachScreen(Desk(tmp_path))
    form(teach, lesson=2, seed=7, class_list="Ann\n\nBob\n")
    name, text = teach.file("class_list")
    assert name == "class.csv" and text == make_class_list(["Ann", "Bob"], 7).to_csv()
    assert ">Bob<" in teach.file("print")[1] and "2 pupils" in data(teach, "named")
    teach.receive({"type": "save"})
    saved = {
        path.name for path in (tmp_path / "worksheets" / "lesson-2-7-en").iterdir() if not path.name.startswith(".")
    }
    assert {"class.csv", "lesson-2-sheet-02.html", "lesson-2-slides.html"} <= saved
    # The class list itself may be given back, and is kept.
    form(teach, class_list=text)
    assert teach.class_list == make_class_list(["Ann", "Bob"], 7) == TeachScreen(Desk(tmp_path)).class_list
    teach.receive({"type": "grade", "files": [{"name": n, "text": t} for n, t in hand_ins().items()]})
    assert teach.book is not None and teach.book.missing == 0
    notes = " ".join(str(line[teach.book.columns.index("note")]) for line in teach.book.lines)
    assert words("en")("book.unknown_name") in notes
    book = data(teach, "book")
    assert len(book["summary"]) == 6 and len(book["heads"]) == len(book["summary"][0])
    assert "p2.one" in book["columns"] and all(len(line) == len(book["columns"]) for line in book["lines"])
    heard: list[Any] = []
    teach.listen(heard.append)
    teach.receive({"type": "summary"})
    assert [said["message"]["text"] for said in heard if "message" in said] == [teach.book.summary_csv()]


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_slides_have_nobodys_sheet(seed: int) -> None:
    """They are shown to everybody, so their numbers are on no sheet, and they say so."""
    teach = TeachScreen(Desk(None))
    form(teach, lesson=2, pupils=999, seed=seed)
    slides = unescape(teach.file("slides")[1])
    assert words("en")("sheet.example") in slides
    shown = [question_text(problem, words("en")) for problem in problems(2, example_seed(seed))]
    assert all(text in slides for text in shown)
    assert example_seed(seed) not in {sheet.seed for sheet in class_set(999, seed)}
    assert words("en")("sheet.example") not in unescape(slides_html(2, pupil_seed(seed, 1)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", CLASSROOM)
def test_slides_ask_first_and_answer_then(lesson: int, lang: str) -> None:
    page, say = slides_html(lesson, 5, lang), words(lang)
    slides = [unescape(part) for part in re.findall(r"<section>(.*?)</section>", page, re.DOTALL)]
    asked = problems(lesson, 5)
    # Title, hook, activity, rules, idea, the definition, an example, the questions, what is often thought, and the box.
    assert len(slides) == 9 + 2 * len(asked)
    assert say(f"p{lesson}.hook") in slides[1]
    for part, slide in (("meaning", slides[5]), ("example", slides[6]), ("box", slides[-1])):
        assert say(f"page.{part}") in slide and all(line in slide for line in say(f"p{lesson}.{part}").split("\n"))
    assert say(f"p{lesson}.activity") in slides[2] and say("sheet.rules_title") in slides[3]
    assert "".join(re.findall("<li>(.*?)</li>", slides[3])).startswith(say("sheet.rules").partition(". ")[0])
    assert say(f"p{lesson}.idea") in slides[4] and say(f"p{lesson}.misconception") in slides[-2]
    for at, problem in enumerate(asked):
        question, answer = slides[7 + 2 * at], slides[8 + 2 * at]
        assert question_text(problem, say) in question and question_text(problem, say) in answer
        assert answer_text(problem, say) in answer and working_text(problem, say) in answer
        assert "class='answer'" not in question
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_the_preview_is_the_first_sheet() -> None:
    teach = TeachScreen(Desk(None))
    form(teach, lesson=6, seed=3, lang="cs")
    say = words("cs")
    assert [one["answer"] for one in data(teach, "preview")] == [
        answer_text(p, say) for p in problems(6, pupil_seed(3, 1))
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"lesson": 0},
        {"lesson": 99},
        {"pupils": 0},
        {"pupils": True},
        {"seed": -1},
        {"lang": "de"},
        {"pupils": "3"},
        {"class_list": "Ann\nann"},
        {"class_list": 3},
        {"class_list": "name,seed\nAnn,x"},
    ],
)
def test_a_form_that_makes_no_set_is_refused_and_changes_nothing(wrong: dict[str, Any]) -> None:
    teach = TeachScreen(Desk(None))
    before = dict(teach.form)
    with pytest.raises((RulesError, NotationError)):
        form(teach, **wrong)
    assert teach.form == before


def hand_ins() -> dict[str, str]:
    right = {problem.key: (str(problem.answer),) for problem in problems(2, 7001)}
    return {
        "ann.json": Results("Ann", "p2", 7001, right, sitting="a" * 16).to_json(),
        "bob.json": Results("Bob", "p2", 7002, {}, sitting="b" * 16).to_json(),
        "broken.json": "{",
        "../../=evil.json": Results("=1+2", "p2", 7003, {}, sitting="c" * 16).to_json(),
    }


def test_files_from_the_browser_are_graded_like_a_folder(tmp_path: Path) -> None:
    teach = TeachScreen(Desk(tmp_path))
    folder = tmp_path / HAND_INS
    folder.mkdir()
    for at, text in enumerate(hand_ins().values()):
        (folder / f"{at}.json").write_text(text, encoding="utf-8")
    teach.receive({"type": "grade", "folder": HAND_INS, "seed": 7})
    by_folder = teach.book
    assert by_folder == gradebook(folder, seed=7) and by_folder.unusable == 1
    teach.receive({"type": "grade", "files": [{"name": n, "text": t} for n, t in hand_ins().items()], "seed": 7})
    assert teach.book is not None
    skip = by_folder.columns.index("file")
    assert [line[:skip] for line in teach.book.lines] == [line[:skip] for line in by_folder.lines]
    assert "'=1+2" in teach.book.to_csv() and len(data(teach, "book")["lines"]) == 4
    shown = [line[skip] for line in teach.book.lines]
    assert sorted(map(str, shown)) == ["_evil.json", "ann.json", "bob.json", "broken.json"], "as they were called"
    heard: list[Any] = []
    teach.listen(heard.append)
    teach.receive({"type": "table"})
    assert [said["message"]["text"] for said in heard if "message" in said] == [teach.book.to_csv()]


@pytest.mark.parametrize(
    "message",
    [
        {"folder": "nowhere"},
        {"folder": "a\0b"},
        {"files": [{"name": 3, "text": ""}]},
        {"files": [7]},
        {"files": [{"name": "x.json", "text": ""}] * 2001},
        {"files": [], "seed": "x"},
    ],
)
def test_what_cannot_be_graded_is_refused(tmp_path: Path, message: dict[str, Any]) -> None:
    teach = TeachScreen(Desk(tmp_path))
    with pytest.raises(NotationError):
        teach.receive({"type": "grade", **message})
    with pytest.raises(RulesError):
        teach.receive({"type": "table"})


def test_impossible_numbers_are_refused_with_the_label_of_the_form() -> None:
    heard: list[Any] = []
    screen = TeachScreen(Desk(None, lang="pl"))
    screen.listen(heard.append)
    screen.handle({"path": [], "message": {"type": "form", "form": {"pupils": "trzy"}}})
    what = screen_words("pl")("teach.pupils")
    error = RulesError("screens.range", what=what, least=1, most=999, got="'trzy'")
    assert heard[-1]["message"] == {"type": "refused", "text": translate(error, "pl")}
    assert screen.form["pupils"] == 30


def test_a_whole_disk_is_refused_before_anything_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`/` as the folder with the answers kept the page busy for half a minute."""
    for number in range(12):
        (tmp_path / f"{number}.json").write_text("{}")
    read: list[object] = []
    monkeypatch.setattr(Results, "load", read.append)
    for limit in ("MOST_FILES", "MOST_SEEN"):
        with monkeypatch.context() as patch:
            patch.setattr(f"nimmt_lab.lessons.classbook.{limit}", 10)
            with refused(NotationError, "lessons.whole_disk"):
                TeachScreen(Desk(None)).receive({"type": "grade", "folder": str(tmp_path)})
            assert not read
    czech = TeachScreen(Desk(None, lang="cs"))
    monkeypatch.setattr("nimmt_lab.lessons.classbook.MOST_SEEN", 10)
    heard: list[Any] = []
    czech.listen(heard.append)
    czech.handle({"path": [], "message": {"type": "grade", "folder": str(tmp_path)}})
    assert heard[-1]["message"]["type"] == "refused" and not read
