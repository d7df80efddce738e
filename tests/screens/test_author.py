"""The form for a lesson of one's own: what it writes, what it says about mistakes, and a walk through it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.cards import heads
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons import Results
from nimmt_lab.lessons.asked import words_of
from nimmt_lab.lessons.authoring import copy_of, template
from nimmt_lab.lessons.classbook import gradebook
from nimmt_lab.lessons.classroom import number_of, problems
from nimmt_lab.lessons.drafts import KINDS, OTHER, blank, draft_of, file_stem, written
from nimmt_lab.lessons.feedback import missed
from nimmt_lab.lessons.lessonfile import MOST_OPTIONS, load_lesson, read_lesson
from nimmt_lab.lessons.library import Library
from nimmt_lab.lessons.shipped import names as shipped_names
from nimmt_lab.lessons.shipped import shipped
from nimmt_lab.screens.author import AuthorScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.teach import TeachScreen
from nimmt_lab.screens.words import screen_words
from tests.support import refused

from .conftest import Walker

SAY = screen_words("en")


def step(kind: str, **fields: Json) -> dict[str, Json]:
    return {**blank(kind), **fields}


def reply(answer: str, text: str) -> dict[str, Json]:
    return {"name": "", "answer": answer, "text": text}


ALL = [
    step("read", text="Watch out."),
    step("watch", text="Look.", rows=["12", "37", "43", "58"], hands=["14 21", "15 26"], plays=["14", "15"]),
    step("row", rows=["9", "23", "40", "71"], hands=["25, 60", "44 62"], plays=["25", "44"]),
    step("takes", rows=["2 3 4 5 6", "37", "43", "58"], hands=["7 21", "30 36"], plays=["7", "30"]),
    step("heads", rows=["9", "23", "40", "71"], hands=["10 55", "44"]),  # nobody else's cards count
    step("best", rows=["2 3 4 5 6", "37", "43", "58"], hands=["7 38", "60 61"], plays=["", "60"], hint="Count."),
    step(
        "choice",
        text="Which?",
        options="one\n two \n\n",
        right=2,
        why="Because.",
        slips=[reply("1", "One is too few.")],
    ),
    step("number", text="How much?", answer="3/14", slips=[reply("3/13", "Count all."), reply("", "")]),
    step("number", text="About how much?", low="0.2", high="1/3"),
]


def draft(*steps: dict[str, Json], title: str = "My lesson") -> dict[str, Json]:
    return {"title": title, "language": "en", "aims": "Aims.", "steps": [*(steps or ALL)]}


def author(folder: Path) -> AuthorScreen:
    return AuthorScreen(Desk(folder))


def data(screen: Any, name: str) -> Any:
    return screen.data[name]


def test_every_kind_of_step_becomes_a_question(tmp_path: Path) -> None:
    lesson = read_lesson(written(draft(), "mine"))
    assert {one.ask or ("watch" if one.plays else "read") for one in lesson.steps} == set(KINDS)
    made = problems(lesson, 7)
    by_ask = {one.ask: problem for one, problem in zip(lesson.questions, made, strict=True)}
    assert by_ask["row"].answer == "step3.2" and by_ask["choice"].answer == "step7.2"
    assert by_ask["takes"].answer == f"step4.A {sum(map(heads, (2, 3, 4, 5, 6)))}"
    assert made[-2].answer == Fraction(3, 14)
    assert made[-1].is_right("0.25") and not made[-1].is_right("0.35")
    assert str(by_ask["best"].answer).endswith("38"), "7 would be the sixth card"
    say = words_of(lesson, "en")
    assert missed(by_ask["choice"], "step7.1", say) == "One is too few."
    assert missed(made[-2], "3/13", say) == "Count all." and len(made[-2].slips) == 1


def test_a_draft_comes_back_from_its_file() -> None:
    text = written(draft(), "mine")
    again = draft_of(text)
    assert again is not None and written(again, "mine") == text


def test_what_the_form_has_no_field_for_stays_as_it_is() -> None:
    text = template("mine", "en")
    read = draft_of(text)
    assert read is not None
    steps = read["steps"]
    assert isinstance(steps, list)
    kinds, kept = zip(*((one["kind"], one["more"]) for one in steps if isinstance(one, dict)), strict=True)
    assert kinds == ("watch", "row", "choice", "number")
    assert kept == ({}, {}, {}, {"draw": {"safe": [3, 9], "cards": [20, 40]}}), "numbers to draw have no field"
    assert read_lesson(written(read, "mine")).mark == read_lesson(text).mark
    assert draft_of(template("mine", "en", program=True)) is None
    fixed = draft_of(text.replace("card = 25", "card = 44"))
    assert fixed is not None and isinstance(fixed["steps"], list)
    row = fixed["steps"][1]
    assert isinstance(row, dict) and row["kind"] == OTHER, "the form asks about A's card"


def test_the_first_draft_works_as_it_is(tmp_path: Path) -> None:
    form = author(tmp_path)
    form.receive({"type": "new"})
    assert data(form, "wrong") == "" and data(form, "preview")[0]["picture"].startswith("data:image/svg+xml")
    form.receive({"type": "save"})
    assert data(form, "told") == SAY("author.saved", file="lessons/my_lesson.toml")
    assert load_lesson(tmp_path / "lessons" / "my_lesson.toml").questions


def test_mistakes_name_the_step_and_no_line(tmp_path: Path) -> None:
    form = author(tmp_path)
    form.receive({"type": "new"})
    for number, wrong in (
        (2, step("row", rows=["x", "23", "40", "71"])),
        (1, step("row", plays=["99", "30"])),
        (3, step("choice", text="Which?", options="one\ntwo", right=3)),
        (2, step("number", text="How much?", answer="3 apples")),
        (2, step("number", text="How much?")),
    ):
        steps = [step("read", text="Look.") for _ in range(number - 1)]
        form.receive({"type": "draft", "draft": draft(*steps, wrong)})
        said = data(form, "wrong")
        assert said.startswith(SAY("author.wrong_in", number=number, why="")) and ".toml" not in said
        form.receive({"type": "save"})
        assert data(form, "told") == said and not (tmp_path / "lessons").exists()
    form.receive({"type": "draft", "draft": draft(step("choice", options="one\ntwo"))})
    assert data(form, "wrong") == SAY("author.wrong_in", number=1, why=SAY("author.no_text"))
    form.receive({"type": "draft", "draft": draft(step("choice", text="Which?", options="one"))})
    assert data(form, "wrong") == SAY("author.wrong_in", number=1, why=SAY("author.no_options", most=MOST_OPTIONS))
    form.receive({"type": "draft", "draft": {**draft(), "title": " "}})
    assert data(form, "wrong").startswith(SAY("author.wrong", why=""))
    with refused(RulesError, "screens.draft_steps"):
        form.receive({"type": "draft", "draft": {"steps": "x"}})


def test_other_answers_are_another_version(tmp_path: Path) -> None:
    """Earlier hand-ins are graded by the file that asked them."""
    form = author(tmp_path)
    form.receive({"type": "new"})
    form.receive({"type": "draft", "draft": draft(ALL[2])})
    form.receive({"type": "save"})
    first = load_lesson(tmp_path / "lessons" / "my_lesson.toml")
    results = Results("Ann", "my_lesson", 0, {"step1": ("2",)}, by=first)
    results.save(tmp_path / "hand-in")
    form.receive({"type": "draft", "draft": {**draft(ALL[2]), "aims": "Other words."}})
    form.receive({"type": "save"})
    assert load_lesson(tmp_path / "lessons" / "my_lesson.toml").version == 1, "a corrected text is no new version"
    form.receive({"type": "draft", "draft": draft({**ALL[2], "plays": ["60", "44"]})})
    form.receive({"type": "save"})
    assert load_lesson(tmp_path / "lessons" / "my_lesson.toml").version == 2
    assert load_lesson(tmp_path / "lessons" / "my_lesson_1.toml").mark == first.mark
    book = gradebook(tmp_path / "hand-in", library=Library(tmp_path))
    assert book.unusable == 0 and book.lines[0][book.columns.index("right")] == 1
    assert [own["title"] for own in data(form, "own")] == ["My lesson"], "the newest"


def test_a_title_makes_a_file_that_no_lesson_has(tmp_path: Path) -> None:
    assert file_stem("Źrebię, 2!") == "zrebie_2"
    for expected in ("my_lesson", "my_lesson_2"):
        form = author(tmp_path)
        form.receive({"type": "new"})
        form.receive({"type": "save"})
        assert (tmp_path / "lessons" / f"{expected}.toml").is_file()
    form.receive({"type": "new"})
    form.receive({"type": "draft", "draft": draft(title="p2")})
    form.receive({"type": "save"})
    assert (tmp_path / "lessons" / "p2_2.toml").is_file(), "p2 is one of ours"


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_a_copy_of_our_lesson_opens_in_the_form(lang: str, tmp_path: Path) -> None:
    """In the language of the page, with the answers of ours."""
    form = AuthorScreen(Desk(tmp_path, lang))
    form.receive({"type": "copy", "lesson": "first_turn"})
    (path,) = (tmp_path / "lessons").iterdir()
    assert data(form, "told") == screen_words(lang)("author.copied", file=f"lessons/{path.name}")
    ours, copied = shipped("first_turn"), load_lesson(path)
    assert copied.languages == (lang,) and data(form, "file") == path.name
    assert [one.answer for one in problems(copied, 7)] == [one.answer for one in problems(ours, 7)]
    assert data(form, "draft")["title"] == words_of(ours, lang)("first_turn.title")
    assert {one["kind"] for one in data(form, "draft")["steps"]} == {"watch", "row", "best"}
    changed = copy.deepcopy(data(form, "draft"))
    row = next(one for one in changed["steps"] if one["kind"] == "row")
    row |= {"rows": ["9", "20", "40", "71"], "text": "And now?"}
    form.receive({"type": "draft", "draft": changed})
    form.receive({"type": "save"})
    assert "9 | 20 | 40 | 71" in path.read_text(encoding="utf-8") and data(form, "wrong") == ""


@pytest.mark.parametrize("name", [name for name in shipped_names() if number_of(name) is None])
def test_every_rules_lesson_keeps_its_answers_in_the_form(name: str) -> None:
    text = copy_of(name, "mine", Library(None))
    draft = draft_of(text, "cs")
    assert draft is not None
    made = problems(read_lesson(written(draft, "mine")), 7)
    assert [one.answer for one in made] == [one.answer for one in problems(read_lesson(text), 7)]


def test_a_copy_with_a_program_needs_a_text_editor(tmp_path: Path) -> None:
    form = author(tmp_path)
    form.receive({"type": "copy", "lesson": "p2"})
    (path,) = (tmp_path / "lessons").iterdir()
    assert data(form, "told") == SAY("author.copied_by_hand", file=f"lessons/{path.name}")
    form.receive({"type": "edit", "name": path.stem})
    assert data(form, "told") == SAY("author.by_hand", file=f"lessons/{path.name}") and data(form, "draft") is None


def test_a_step_that_is_not_ready_hides_no_other(tmp_path: Path) -> None:
    form = author(tmp_path)
    form.receive({"type": "new"})
    form.receive({"type": "draft", "draft": draft(step("read", text="Look."), step("choice"), ALL[2], step("best"))})
    shown = data(form, "preview")
    assert [one["step"] for one in shown] == [1, 2, 3, 4]
    assert [bool(one["wrong"]) for one in shown] == [False, True, False, True]
    assert shown[0]["question"] == "Look." and shown[2]["answer"] == "row 2"
    assert data(form, "wrong") == SAY("author.wrong_in", number=2, why=shown[1]["wrong"])
    assert "step4" not in shown[3]["wrong"], "the mistake alone: the step is beside it"
    form.receive({"type": "draft", "draft": draft(ALL[1], ALL[6])})
    watch, choice = data(form, "preview")
    assert watch["picture"] and not watch["answer"]
    assert choice["options"] == ["one", "two"] and (choice["answer"], choice["how"]) == ("two", "Because.")


def test_the_draft_survives_a_reload_and_can_be_closed(tmp_path: Path) -> None:
    form = author(tmp_path)
    form.receive({"type": "new"})
    form.receive({"type": "draft", "draft": draft(title="Later")})
    assert data(author(tmp_path), "draft")["title"] == "Later"
    form.receive({"type": "close"})
    assert data(author(tmp_path), "draft") is None


def test_own_lessons_make_sheets_in_teach(tmp_path: Path) -> None:
    teach = TeachScreen(Desk(tmp_path))
    form = teach.parts["author"]
    assert isinstance(form, AuthorScreen)
    form.receive({"type": "new"})
    form.receive({"type": "save"})
    assert ["my_lesson", "My lesson"] in data(teach, "lessons")
    teach.receive({"type": "form", "form": {"lesson": "my_lesson", "pupils": 2}})
    assert teach.file("print")[0] == "lesson-my_lesson-sheets.html" and len(data(teach, "preview")) == 1
    assert TeachScreen(Desk(tmp_path)).form["lesson"] == "my_lesson"
    (tmp_path / "lessons" / "my_lesson.toml").unlink()
    assert TeachScreen(Desk(tmp_path)).form["lesson"] == 1, "its file has gone"


def test_a_program_in_a_lesson_is_not_run_by_teach(tmp_path: Path) -> None:
    """A file that somebody put there runs only after it was confirmed."""
    (tmp_path / "lessons").mkdir()
    text = template("planted", "en", program=True).replace(
        "n = draw", f"open({str(tmp_path / 'ran')!r}, 'w')\n    n = draw"
    )
    (tmp_path / "lessons" / "planted.toml").write_text(text, encoding="utf-8")
    teach = TeachScreen(Desk(tmp_path))
    with refused(RulesError, "lessons.not_confirmed"):
        teach.receive({"type": "form", "form": {"lesson": "planted"}})
    assert teach.form["lesson"] == 1 and not (tmp_path / "ran").exists()
    assert len(data(teach, "preview")) > 1, "Teach goes on"


@pytest.mark.browser
@pytest.mark.parametrize("width", [pytest.param(1366, marks=pytest.mark.smoke), 390])
def test_a_lesson_is_written_in_the_form(visit: Callable[..., Walker], tmp_path: Path, width: int) -> None:
    walker = visit(tmp_path, width=width)
    walker.go("teach")
    walker.click("[data-do='author-new']")
    walker.fill("[data-do='author-title']", "Rows & <b>cows</b>")
    walker.find("[data-do='plays-0-0']").fill("99")  # still in the field
    walker.until(lambda: walker.count("[data-do='author-wrong']") == 1)
    walker.fill("[data-do='plays-0-0']", "77")
    assert "77" in walker.text("[data-wrong='1']") and "77" in walker.text("[data-do='author-wrong']")
    walker.fill("[data-do='plays-0-0']", "21")
    assert walker.count("[data-do='author-wrong']") == 0 and walker.count(".nl-author-table") == 1
    walker.click("[data-do='author-add']")
    walker.page.select_option("[data-do='kind-1']", "choice")
    walker.settle()
    walker.fill("[data-do='right-1']", "2")
    walker.find("[data-do='text-1']").fill("Which one?")
    walker.find("[data-do='options-1']").fill("this\nthat")
    walker.find("[data-do='hint-1']").fill("Look.")
    walker.click("[data-do='more-slips-1']")
    walker.find("[data-do='slip-1-0']").fill("1")
    walker.find("[data-do='slip-text-1-0']").fill("The other one.")
    walker.click("[data-do='author-save']")
    assert "rows_b_cows_b.toml" in walker.text(".nl-author-told")
    lesson = load_lesson(tmp_path / "lessons" / "rows_b_cows_b.toml")
    assert [one.ask for one in lesson.steps] == ["row", "choice"] and lesson.steps[1].right == 2
    assert [one.answer for one in lesson.steps[1].slips] == ["1"]
    assert walker.text(".nl-author-list b") == "Rows & <b>cows</b>", "as it was typed"
    scroll = walker.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert scroll <= 0, "nothing hangs out at the side"
    walker.click("[data-do='author-close']")
    walker.click("[data-do='edit-rows_b_cows_b']")
    assert walker.find("[data-do='options-1']").input_value() == "this\nthat"
    walker.click("[data-do='open-rows_b_cows_b']")
    assert walker.count(".nl-lesson") == 1
