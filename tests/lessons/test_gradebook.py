"""The gradebook of a class: whose sheet it is, which lesson counts, marks, order, and the ideas behind wrong answers."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.lessons.class_list import ClassList, make_class_list
from nimmt_lab.lessons.classbook import SUMMARY, gradebook
from nimmt_lab.lessons.classroom import find, grade, problems
from nimmt_lab.lessons.feedback import missed
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.words import words

SAY = words("en")
CLASS = make_class_list(["Zoë Nováková", "Ann Nowak", "Bob", "Łukasz Żak"], seed=7)


def hand_in(folder: Path, name: str, lesson: str, seed: int, tries: dict[str, tuple[str, ...]] | None = None) -> str:
    """Save a file; each has its own sitting."""
    number = sum(1 for _ in folder.rglob("*.json")) + 1
    results = Results(name, lesson, seed, tries or {}, sitting=f"{number:016x}")
    folder.mkdir(exist_ok=True)
    path = folder / f"{number:02} {results.file}"
    path.write_text(results.to_json(), encoding="utf-8")
    return path.name


def table(folder: Path, class_list: ClassList | None = CLASS, lesson: str = "") -> list[dict[str, str]]:
    book = gradebook(folder, class_list=class_list, lesson=lesson)
    return list(csv.DictReader(io.StringIO(book.to_csv())))


def test_the_sheet_says_whose_answers_these_are(tmp_path: Path) -> None:
    """With a nickname, without accents, or in another order: it is still the same pupil."""
    for name, seed in (("zoe novakova", 7001), ("Nowak, Ann", 7002), ("Bobby", 7003), ("lukasz", 7004)):
        hand_in(tmp_path, name, "p2", seed)
    lines = table(tmp_path)
    assert [line["name"] for line in lines] == list(CLASS.pupils), "one line each, in the order of the class list"
    signed = {line["name"]: line["note"] for line in lines}
    assert signed["Zoë Nováková"] == signed["Ann Nowak"] == ""
    assert signed["Bob"] == SAY("book.signed", name="Bobby")
    assert signed["Łukasz Żak"] == SAY("book.signed", name="lukasz")


def test_somebody_elses_sheet_stays_with_who_signed_it(tmp_path: Path) -> None:
    hand_in(tmp_path, "Bob", "p2", CLASS.pupils["Ann Nowak"])
    lines = {line["name"]: line["note"] for line in table(tmp_path)}
    assert lines["Bob"] == SAY("book.sheet_of", name="Ann Nowak")
    assert lines["Ann Nowak"] == SAY("book.nothing")


def test_rules_lessons_go_by_name(tmp_path: Path) -> None:
    for name in ("zoe  NOVAKOVA", "Nowak Ann", "nobody"):
        hand_in(tmp_path, name, "first_turn", 0)
    lines = {line["name"]: line["note"] for line in table(tmp_path)}
    assert lines["Zoë Nováková"] == lines["Ann Nowak"] == ""
    assert lines["nobody"] == SAY("book.unknown_name") and lines["Bob"] == SAY("book.nothing")


def test_namesakes_but_for_the_order_are_told_apart(tmp_path: Path) -> None:
    listed = make_class_list(["Jan Paul", "Paul Jan"], seed=7)
    for name, seed in listed.pupils.items():
        hand_in(tmp_path, name, "p2", seed)
    assert [(line["name"], line["note"]) for line in table(tmp_path, listed)] == [("Jan Paul", ""), ("Paul Jan", "")]


def test_a_file_of_another_lesson_adds_one_line(tmp_path: Path) -> None:
    """Not a line for each pupil who handed nothing in for that other lesson."""
    listed = make_class_list([f"Pupil {number:02}" for number in range(1, 31)], 7)
    for name, seed in list(listed.pupils.items())[:28]:
        hand_in(tmp_path, name, "p2", seed)
    wrong = hand_in(tmp_path, "Pupil 29", "p3", listed.pupils["Pupil 29"])
    lines = table(tmp_path, listed)
    assert len(lines) == 31 and [line["lesson"] for line in lines].count("p3") == 1
    assert [line["name"] for line in lines if line["note"] == SAY("book.nothing")] == ["Pupil 29", "Pupil 30"]
    of_lesson = table(tmp_path, listed, "2")
    assert of_lesson == table(tmp_path, listed, "p2") and len(of_lesson) == 30
    instead = SAY("book.other_lesson", lesson="p3", file=wrong)
    assert of_lesson[28]["note"] == f"{SAY('book.nothing')}; {instead}"
    assert len(table(tmp_path, listed, "p5")) == 30, "nobody has handed it in"


def test_two_lessons_of_the_class_both_list_who_is_missing(tmp_path: Path) -> None:
    for name in ("Ann Nowak", "Bob"):
        hand_in(tmp_path, name, "p2", CLASS.pupils[name])
        hand_in(tmp_path, name, "p3", CLASS.pupils[name])
    lines = [(line["name"], line["lesson"]) for line in table(tmp_path)]
    assert lines == [(name, lesson) for name in CLASS.pupils for lesson in ("p2", "p3")]


def test_marks_are_those_of_the_plan(tmp_path: Path) -> None:
    seed = CLASS.pupils["Bob"]
    right = {problem.key: str(problem.answer) for problem in problems("p2", seed)}
    worth = {f"p2.{step.name}": step.marks for step in find("p2").questions}
    assert len(set(worth.values())) > 1
    hand_in(tmp_path, "Bob", "p2", seed, {"p2.between": ("0", right["p2.between"]), "p2.three": (right["p2.three"],)})
    bob = next(line for line in table(tmp_path) if line["name"] == "Bob")
    assert int(bob["marks"]) == worth["p2.between"] + worth["p2.three"]
    assert int(bob["marks_of"]) == sum(worth.values())


def test_the_solution_copied_earns_nothing() -> None:
    """After the third wrong answer the lesson shows the solution."""
    right = str(problems("p2", 7)[0].answer)
    for wrong in range(MISSES + 1):
        mark = grade("p2", 7, {"p2.between": ("0",) * wrong + (right,)})[0]
        assert mark.right and mark.marks == (wrong < MISSES)


def test_the_summary_counts_wrong_ideas(tmp_path: Path) -> None:
    """Everybody has other numbers; the idea is the same."""
    said = []
    for name in ("Zoë Nováková", "Ann Nowak", "Bob"):
        problem = problems("p2", CLASS.pupils[name])[1]
        assert isinstance(problem.answer, Fraction)
        opposite = str(1 - problem.answer)
        tries = (opposite, opposite) if name != "Bob" else (str(1 / problem.answer),)
        said.append(missed(problem, tries[0], SAY))
        hand_in(tmp_path, name, "p2", CLASS.pupils[name], {"p2.one": tries})
    book = gradebook(tmp_path, class_list=CLASS)
    one = dict(zip(SUMMARY, next(line for line in book.summary if line[1] == "p2.one"), strict=True))
    assert said[0] == said[1] != said[2]
    assert one["slips"] == f"2 × {said[0]} | 1 × {said[2]}"
    between = dict(zip(SUMMARY, book.summary[0], strict=True))
    assert between["question"] == "p2.between" and between["slips"] == ""


def test_a_row_that_is_wrong_has_its_reason(tmp_path: Path) -> None:
    for name in ("Ann Nowak", "Bob"):
        hand_in(tmp_path, name, "first_turn", 0, {"row": ("1",)})
    book = gradebook(tmp_path, class_list=CLASS)
    row = dict(zip(SUMMARY, book.summary[0], strict=True))
    assert row["question"] == "row" and str(row["slips"]).startswith("2 × ")


def test_files_keep_the_names_they_came_with(tmp_path: Path) -> None:
    file = hand_in(tmp_path, "Bob", "p2", 7003)
    book = gradebook(tmp_path, called={file: "Bob's.json"})
    assert book.lines[0][book.columns.index("file")] == "Bob's.json"


def test_the_same_pupil_twice_is_one_sitting_however_it_is_signed(tmp_path: Path) -> None:
    first = Results("Ann", "p2", 7002, {"p2.between": ("1",)}, sitting="a" * 16)
    for name, results in (("a", first), ("b", replace(first, name="Ann Nowak", tries={"p2.between": ("1", "2")}))):
        (tmp_path / f"{name}.json").write_text(results.to_json(), encoding="utf-8")
    (ann,) = (line for line in table(tmp_path) if line["name"] == "Ann Nowak")
    assert ann["file"] == "b.json" and SAY("book.also", file="a.json") in ann["note"]


@pytest.mark.parametrize(("lesson", "status"), [("2", 0), ("p2", 0), ("first_turn", 0), ("p77", 2)])
def test_the_command_takes_a_lesson_by_number_or_name(
    lesson: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "in", "Bob", "p2", 7003)
    assert main(["gradebook", str(tmp_path / "in"), "--lesson", lesson]) == status
    counted = [line["lesson"] for line in csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert counted == (["p2"] if "2" in lesson else [])
