"""Class lists: every pupil has a sheet, files are checked against the list, and one command grades a whole class."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.cli import main
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.lessons import Results, grade, problems
from nimmt_lab.lessons.class_list import ClassList, make_class_list, parse_class_list, read_class_list
from nimmt_lab.lessons.classbook import SUMMARY, gradebook
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.words import LANGUAGES, words
from tests.support import refused

SAY = words("en")


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_newcomer_changes_no_other_pupils_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names, out = tmp_path / "names.txt", tmp_path / "class.csv"
    names.write_text("\ufeffZoë Nováková\n\n  Jan   Nowak \nŁucja\n", encoding="utf-8")
    assert main(["class-list", str(names), "--seed", "7", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{say('out.pupils', count=3, file=out)}\n"
    first = read_class_list(out)
    assert dict(first.pupils) == {"Zoë Nováková": 7001, "Jan Nowak": 7002, "Łucja": 7003} and first.seed == 7
    assert f"Jan Nowak,7002,{code_of(7002)}" in out.read_text(encoding="utf-8")
    names.write_text("Adam\njan nowak\n", encoding="utf-8")
    assert main(["class-list", str(names), "--seed", "7", "--out", str(out)]) == 0
    assert dict(read_class_list(out).pupils) == {**first.pupils, "Adam": 7004}
    assert main(["class-list", str(names), "--seed", "8", "--out", str(out)]) == 2, "a list of another class"
    assert sentence("lessons.class_list_seed", {"seed": 7, "got": 8}) in capsys.readouterr().err


def test_sheets_have_the_names_of_the_class_list(tmp_path: Path) -> None:
    file = tmp_path / "class.csv"
    file.write_text(ClassList(7, {"Ann & Co": 7002, "Bob": 7005}).to_csv(), encoding="utf-8")
    out = tmp_path / "set"
    assert main(["worksheet", "--lesson", "2", "--class-list", str(file), "--out", str(out)]) == 0
    sheet, key = ((out / name).read_text(encoding="utf-8") for name in ("lesson-2-sheet-05.html", "lesson-2-key.html"))
    assert ">Bob<" in sheet and code_of(7005) in sheet and "Ann" not in sheet
    assert "Ann &amp; Co · " in key and "--class-list class.csv" in key
    assert not (out / "lesson-2-sheet-01.html").exists()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_list_saved_by_a_spreadsheet_is_read(mark: str) -> None:
    text = ClassList(7, {"Ann": 7001, "Bob, jun.": 7002}).to_csv()
    again = "\r\n".join(mark.join(f'"{cell}"' for cell in cells) for cells in csv.reader(io.StringIO(text)))
    assert parse_class_list(again) == ClassList(7, {"Ann": 7001, "Bob, jun.": 7002})


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("", "lessons.class_list_one", None),
        ("Ann\nBob\n", "lessons.class_list_begins", 1),
        ("name,seed,code\nAnn,7001,XXXX\n", "lessons.no_code", 2),
        ("name,seed,code\nAnn,7001,PFLV\n", "lessons.class_list_code", 2),
        ("name,seed,code\nAnn,7001\nann,7002\n", "lessons.class_list_again", 3),
        ("name,seed,code\nAnn,7001\nBob,7001\n", "lessons.class_list_again", 3),
        ("name,seed,code\nAnn,7001\nBob,8001\n", "lessons.class_list_one", None),
        ("name,seed,code\nAnn,7000\n", "lessons.class_list_sheet", 2),
        ("name,seed,code\nAnn,x\n", "lessons.no_code", 2),
        ("name,seed,code\n=1+2,7001\n", "lessons.class_list_formula", 2),
        ("name,seed,code\n,7001\n", "lessons.class_list_name", 2),
        ("name,seed,code\n" + "x" * 140_000, "lessons.class_list_table", None),
        ("\r0", "lessons.class_list_begins", 2),
    ],
)
def test_a_broken_class_list_is_refused_with_its_line(text: str, key: str, line: int | None) -> None:
    with refused(NotationError, key) as caught:
        parse_class_list(text, "r.csv")
    assert isinstance(caught.value, NotationError)
    assert (caught.value.line, caught.value.source) == (line, "r.csv")


def test_unusable_names_are_refused() -> None:
    for names in (["Jan Nowak", "jan  nowak"], ["@x"], ["a\tb\x00"], [""], ["x" * 81]):
        with pytest.raises(RulesError):
            make_class_list(names, 7)
    with refused(RulesError, "lessons.class_most", most=999, got=1000):
        make_class_list([f"P {number}" for number in range(1000)], 7)
    assert len(make_class_list([f"P {number}" for number in range(999)], 7).pupils) == 999


@given(st.text(max_size=80))
def test_any_text_is_a_class_list_or_refused(text: str) -> None:
    for given_text in (text, f"name,seed,code\n{text}"):
        try:
            listed = parse_class_list(given_text)
        except NimmtError:
            continue
        assert parse_class_list(listed.to_csv()) == listed


def answers(pupil: int, seed: int, right: int) -> dict[str, tuple[str, ...]]:
    key = {problem.key: str(problem.answer) for problem in problems(2, seed)}
    return {question: (said,) if at < right else ("0", "1/7") for at, (question, said) in enumerate(key.items())}


def test_a_class_of_thirty_by_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nine of thirty pupils have broken, renamed, copied or edited files, and two hand in nothing. Honest pupils get
    the right marks."""
    listed = make_class_list([f"Pupil {number:02}" for number in range(1, 31)], 7)
    (tmp_path / "class.csv").write_text(listed.to_csv(), encoding="utf-8")
    folder = tmp_path / "in"
    honest, text = {}, {}
    for number, (name, seed) in enumerate(list(listed.pupils.items())[:28], 1):
        results = Results(name, "p2", seed, answers(number, seed, number % 7), sitting=f"{number:016x}")
        path = results.save(folder / f"group {number % 3}" if number % 2 else folder)
        honest[name], text[name] = (path, number % 7), results
    names = list(honest)
    for name in names[:2]:  # broken
        honest[name][0].write_text(honest[name][0].read_text(encoding="utf-8")[:90], encoding="utf-8")
    for at, name in enumerate(names[2:5]):  # renamed by mail and school systems, but honest
        honest[name][0].rename(folder / f"hand-in {at}{('.JSON', '.json.txt', '')[at]}")
    for name, neighbour in zip(names[5:7], names[20:22], strict=True):  # a neighbour's file under one's own name
        honest[name][0].write_text(replace(text[neighbour], name=name).to_json(), encoding="utf-8")
    for name in names[7:9]:  # edited
        edited = honest[name][0].read_text(encoding="utf-8").replace('"0"', '"3"', 1)
        honest[name][0].write_text(edited, encoding="utf-8")
    out, summary = tmp_path / "marks.csv", tmp_path / "questions.csv"
    argv = [
        "gradebook",
        str(folder),
        "--class-list",
        str(tmp_path / "class.csv"),
        "--out",
        str(out),
        "--summary",
        str(summary),
    ]
    assert main(argv) == 1
    said = capsys.readouterr()
    assert say("out.questions", count=6, file=summary) in said.out
    lines = table(out.read_text(encoding="utf-8"))
    by_name = {line["name"]: line for line in lines if line["name"]}
    for name in (*names[2:5], *names[9:]):
        assert int(by_name[name]["right"]) == honest[name][1], name
        assert by_name[name]["note"] == "" or name in names[20:22], by_name[name]
    for name, neighbour in zip(names[5:7], names[20:22], strict=True):
        assert SAY("book.copy", names=neighbour) in by_name[name]["note"]
        assert SAY("book.sheet_of", name=neighbour) in by_name[name]["note"]
        assert SAY("book.sheet_of", name="") not in by_name[neighbour]["note"], "the owner is on the class list"
    odd = [line for line in lines if line["note"].startswith(SAY("book.not_counted", why=""))]
    assert {line["file"].rpartition("/")[2] for line in odd} == {
        honest[name][0].name for name in (*names[:2], *names[7:9])
    }
    # Pupils without a valid file count as missing; two really handed in nothing.
    nothing = {line["name"] for line in lines if line["note"] == SAY("book.nothing")}
    assert nothing == {*names[:2], *names[7:9], "Pupil 29", "Pupil 30"} and say("out.missing", count=6) in said.err
    # A column for each question, and the class by question.
    assert [by_name[names[12]][problem.key] for problem in problems(2, 7013)] == ["1"] * 6
    assert [by_name[names[13]][problem.key] for problem in problems(2, 7014)] == ["-2"] * 6
    questions = table(summary.read_text(encoding="utf-8"))
    assert tuple(questions[0]) == SUMMARY and len(questions) == 6
    counted = [line for line in lines if line["file"] and line not in odd]
    for question in questions:
        assert int(question["files"]) == len(counted) == 24
        tries = [int(line[question["question"]] or 0) for line in counted]
        assert int(question["tries"]) == sum(map(abs, tries)) and int(question["right"]) == sum(
            count > 0 for count in tries
        )


def test_the_summary_names_what_was_most_often_wrong(tmp_path: Path) -> None:
    for number, said in enumerate((("3",), ("3", "x y"), (" 3 ", "3"), ("x  y",), ("4",)), 1):
        tries = {"p2.between": said}
        hinted = frozenset({"p2.between"}) if number < 3 else frozenset[str]()
        Results(f"P{number}", "p2", 7000 + number, tries, hinted, sitting=f"{number:016x}").save(tmp_path)
    sure = str(problems(2, 7006)[0].answer)
    Results("P6", "p2", 7006, {"p2.between": ("77", sure)}, sitting=f"{6:016x}").save(tmp_path)
    book = gradebook(tmp_path)
    first = dict(zip(SUMMARY, book.summary[0], strict=True))
    marks = [
        grade("p2", seed, Results.load(path).tries)[0]
        for path in tmp_path.glob("*.json")
        for seed in [Results.load(path).seed]
    ]
    assert first["right"] == sum(mark.right for mark in marks) >= 1
    assert first["right_at_first"] == sum(mark.first for mark in marks) < sum(mark.right for mark in marks)
    wrong = sum(not problems(2, 7000 + number)[0].is_right("3") for number in (1, 2, 3))
    assert first["question"] == "p2.between" and first["files"] == first["answered"] == 6
    assert (first["common_wrong"], first["by"]) == ("3", wrong) and first["hints"] == 2 and first["tries"] == 9
    second = dict(zip(SUMMARY, book.summary[1], strict=True))
    assert (second["answered"], second["common_wrong"], second["by"]) == (0, "", None)


def test_two_lessons_have_columns_of_their_own(tmp_path: Path) -> None:
    Results("Ann", "first_turn", 0, {"row": ("2",)}, sitting="1" * 16).save(tmp_path)
    Results("Ann", "taking_rows", 0, {}, sitting="2" * 16).save(tmp_path)
    book = gradebook(tmp_path)
    assert len(set(book.columns)) == len(book.columns) and "first_turn.row" in book.columns


@pytest.mark.parametrize("lang", LANGUAGES)
def test_notes_are_in_the_language(lang: str, tmp_path: Path) -> None:
    ann = Results("Ann", "p2", 7001, {"p2.one": ("1",)}, sitting="a" * 16, starts=3, sheets=4)
    for number in range(5):
        (tmp_path / f"{number}.json").write_text(replace(ann, name=f"P{number}").to_json(), encoding="utf-8")
    (tmp_path / "odd.json").write_text("{", encoding="utf-8")
    listed = make_class_list(["Zoe", *(f"P{number}" for number in range(5))], 7)
    book = gradebook(tmp_path, class_list=listed, lang=lang)
    notes = " ".join(str(line[book.columns.index("note")]) for line in book.lines)
    names = words(lang)("book.and_more", names="P1, P2, P3", count=1)
    for key, parts in (
        ("book.copy", {"names": names}),
        ("book.nothing", {}),
        ("book.not_counted", {"why": ""}),
        ("book.sheet_of", {"name": "Zoe"}),
        ("book.again", {"count": 2}),
    ):
        assert words(lang)(key, **parts) in notes, key
