"""Answer files and the gradebook: exact round trips, and no file can stop the table."""

from __future__ import annotations

import contextlib
import csv
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.cli import main
from nimmt_lab.commands.gradebook import MOST_NAMED
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import RecordError
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.lessons.classbook import COLUMNS, SUMMARY, gradebook
from nimmt_lab.lessons.classroom import problems
from nimmt_lab.lessons.results import Results, _check, check_name, file_name
from nimmt_lab.lessons.tablefile import harmless
from nimmt_lab.lessons.words import words
from nimmt_lab.lessons.worksheet import pupil_seed
from tests.support import refused

SAY = words("en")
NOT_COUNTED = SAY("book.not_counted", why="")

ANN = Results("Ann", "p2", 7, {"p2.between": ("3", "10"), "p2.one": ("1/3",)}, frozenset({"p2.one"}))
NAMES = st.text(max_size=90).filter(check_name)
TRIES = st.dictionaries(
    st.sampled_from(["p2.between", "p2.one", "p2.heads", "p2.two"]),
    st.lists(st.text(max_size=20), max_size=4).map(tuple),
)


@given(NAMES, st.integers(0, 2**40), TRIES, st.frozensets(st.sampled_from(["p2.one", "p2.two"])))
def test_files_round_trip(name: str, seed: int, tries: dict[str, tuple[str, ...]], hinted: frozenset[str]) -> None:
    results = Results(
        name, "p2", seed % 50, tries, hinted, sitting=f"{seed:016x}", starts=1 + seed % 3, sheets=seed % 4
    )
    assert Results.from_json(results.to_json()) == results


def edited(**changes: object) -> str:
    """A file that was changed, with its check made to match: only the content can be refused."""
    data = json.loads(ANN.to_json())
    data.pop("check")
    data |= changes
    return json.dumps(data | {"check": _check(data)})


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "shared.cut_json"),
        ("[]", "lessons.not_answers"),
        ("3", "lessons.not_answers"),
        ('{"cells": []}', "lessons.not_answers"),
        ("[" * 100_000, "engine.nested"),
        (ANN.to_json()[:-20], "shared.not_json"),
        (ANN.to_json().replace("answers/3", "answers/1"), "shared.expected_format"),
        (edited(version=0), "lessons.answers_version"),
        (edited(version=2), "lessons.hand_in_version"),
        (edited(fingerprint=3), "lessons.answers_version"),
        (ANN.to_json().replace('"10"', '"11"'), "lessons.answers_changed"),
        (ANN.to_json().replace("Ann", "Eve"), "lessons.answers_changed"),
        (ANN.to_json().replace('"check"', '"chek"'), "lessons.answers_changed"),
        (edited(name=""), "lessons.answers_name"),
        (edited(name="a\nb"), "lessons.answers_name"),
        (edited(name=3), "lessons.answers_name"),
        (edited(lesson="p10"), "lessons.hand_in_lesson"),
        (edited(lesson=["p2"]), "lessons.no_lesson"),
        (edited(seed="7"), "shared.seed_whole"),
        (edited(seed=True), "shared.seed_whole"),
        (edited(seed=-1), "shared.seed_whole"),
        (edited(tries=[]), "lessons.answers_tries"),
        (edited(tries={"p3.base": ["1"]}), "lessons.answers_tries"),
        (edited(tries={"p2.one": "1/3"}), "lessons.answers_list"),
        (edited(tries={"p2.one": [1]}), "lessons.answers_list"),
        (edited(tries={"p2.one": ["x" * 1000]}), "lessons.answers_list"),
        (edited(tries={"p2.one": ["x"] * 2000}), "lessons.answers_list"),
        (edited(sitting="x"), "lessons.answers_sitting"),
        (edited(sitting=7), "lessons.answers_sitting"),
        (edited(starts=0), "lessons.answers_starts"),
        (edited(sheets=1.5), "lessons.answers_starts"),
        (edited(starts=True), "lessons.answers_starts"),
        (edited(hinted="p2.one"), "lessons.answers_hinted"),
        (edited(hinted=["moon"]), "lessons.answers_hinted"),
    ],
)
def test_broken_and_edited_files_are_refused_with_a_reason(text: str, key: str) -> None:
    with refused(RecordError, key):
        Results.from_json(text)


def test_marks_are_judged_again() -> None:
    assert [(mark.question, mark.tries, mark.right, mark.first) for mark in ANN.grades][:2] == [
        ("p2.between", 2, True, False),
        ("p2.one", 1, True, True),
    ]
    assert ANN.right == 2


def test_names_become_files_that_do_not_collide(tmp_path: Path) -> None:
    names = ["Ann", "ann b", "ann/b", "ann-b", "..", "../../x", "Žofie", "a" * 80, "a|b", "a:b"]
    paths = {Results(name, "p2", 1).save(tmp_path / "hand-in") for name in names}
    assert len(paths) == len(names) and all(path.parent == tmp_path / "hand-in" for path in paths)
    assert len({file_name(name).casefold() for name in names}) == len(names)


def table(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(out.splitlines()))


def test_the_gradebook_counts_what_it_can_and_names_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A broken file costs one line of the table, never the table."""
    ANN.save(tmp_path)
    Results("Ann", "first_turn", 0, {"row": ("2",), "closest": ("1", "3")}, sitting="a" * 16).save(tmp_path)
    Results("Bob", "p2", 8, {"p2.between": ("99",)}, sitting="b" * 16).save(tmp_path / "group 2")
    Results("＝cmd()", "p1", 1, sitting="c" * 16).save(tmp_path)
    text = Results("Cyd", "p3", 9, sitting="d" * 16).to_json()
    (tmp_path / "CYD.JSON").write_text(text, encoding="utf-8-sig")
    (tmp_path / "dan.json.txt").write_bytes(text.replace("Cyd", "Dan").encode())  # the check no longer fits
    eve = Results("Eve", "p3", 10, sitting="e" * 16).to_json()
    (tmp_path / "eve.txt").write_bytes(eve.replace("\n", "\r\n").encode())
    (tmp_path / "edited.json").write_text(ANN.to_json().replace("10", "11"), encoding="utf-8")
    (tmp_path / "cut.json").write_text(ANN.to_json()[:50], encoding="utf-8")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.json").mkdir()
    Results("Fay", "p3", 11, sitting="f" * 16).save(tmp_path / "folder.json")
    (tmp_path / "huge.json").write_text("[" + "0," * 600_000 + "0]", encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (tmp_path / "digits.json").write_text("9" * 5000, encoding="utf-8")
    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xb3ucja.json")).write_text("{}", encoding="utf-8")
    (tmp_path / "two\nlines.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.pdf").write_bytes(b"%PDF")
    (tmp_path / ".Ann.json.swp").write_bytes(b"x")
    (tmp_path / "nimmt-lab.json").write_text("{}", encoding="utf-8")  # the learner's own progress
    assert main(["gradebook", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    lines = table(out)
    assert tuple(lines[0])[: len(COLUMNS)] == COLUMNS
    good = [line for line in lines if line["name"]]
    assert [(line["name"], line["lesson"], line["file"]) for line in good] == [
        ("Ann", "first_turn", "Ann-first_turn-0.json"),
        ("Ann", "p2", "Ann-p2-7.json"),
        ("Bob", "p2", "group 2/Bob-p2-8.json"),
        ("Cyd", "p3", "CYD.JSON"),
        ("Eve", "p3", "eve.txt"),
        ("Fay", "p3", "folder.json/Fay-p3-11.json"),
        ("'＝cmd()", "p1", good[6]["file"]),
    ]
    ann = {
        key: good[1][key]
        for key in ("seed", "questions", "answered", "right", "right_at_first", "tries", "hints", "note")
    }
    assert ann == {
        "seed": "7", "questions": "6", "answered": "2", "right": "2", "right_at_first": "1", "tries": "3", "hints": "1", "note": "",
    }  # fmt: skip
    assert (good[0]["right"], good[0]["right_at_first"]) == ("2", "1") and good[2]["right"] == "0"
    odd = {line["file"]: line["note"] for line in lines if not line["name"]}
    reasons = {
        "dan.json.txt": "lessons.answers_changed", "edited.json": "lessons.answers_changed", "folder.json": "shared.it_folder",
        "gone.json": "shared.link", "device.json": "shared.link", "loop": "shared.link_folder",
        "pipe.json": "shared.it_not_regular", "\\udcb3ucja.json": "lessons.not_answers", "two\\nlines.json": "lessons.not_answers",
    }  # fmt: skip
    assert set(odd) == {*reasons, "cut.json", "bytes.json", "huge.json", "deep.json", "digits.json"}
    for name, key in reasons.items():
        assert odd[name] == SAY("book.not_counted", why=sentence(key, {})), name
    assert len(set(odd.values())) == 11 and all(note.startswith(NOT_COUNTED) for note in odd.values())
    assert say("out.not_counted", count=14) in err and f"{say('out.passed_over')}\n  notes.pdf\n" in err


def test_skipped_files_are_listed_up_to_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ANN.save(tmp_path)
    for number in range(MOST_NAMED):
        (tmp_path / f"photo {number:04}.jpg").write_bytes(b"x")
    assert main(["gradebook", str(tmp_path)]) == 0, "they are no mistake"
    said = capsys.readouterr().err.splitlines()
    assert said == [
        say("out.passed_over"),
        *(f"  photo {number:04}.jpg" for number in range(MOST_NAMED)),
    ]
    for number in range(MOST_NAMED, 3000):
        (tmp_path / f"photo {number:04}.jpg").write_bytes(b"x")
    (tmp_path / "a, b\nc.pdf").write_bytes(b"x")
    assert main(["gradebook", str(tmp_path)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 + MOST_NAMED and said[-1] == f"  {say('out.and_more', count=3001 - MOST_NAMED)}"
    assert said[1] == "  a, b\\nc.pdf", "a name of two lines takes one"


def test_a_class_of_thirty_with_a_third_of_odd_files(tmp_path: Path) -> None:
    """Honest pupils are graded right and broken files named, all by one command."""
    honest = {}
    for pupil in range(1, 31):
        seed = pupil_seed(7, pupil)
        key = {problem.key: (str(problem.answer),) for problem in problems(2, seed)}
        tries = {question: said if at < pupil % 7 else ("0", "x") for at, (question, said) in enumerate(key.items())}
        results = Results(f"Pupil {pupil:02}", "p2", seed, tries, sitting=f"{pupil:016x}")
        path = results.save(tmp_path)
        honest[path.name] = min(pupil % 7, 6)
    names = sorted(honest)
    text = {name: (tmp_path / name).read_text(encoding="utf-8") for name in names}
    broken, renamed, copied, changed = names[:3], names[3:6], names[6:8], names[8:10]
    for name in broken:
        (tmp_path / name).write_text(text[name][: len(text[name]) // 2], encoding="utf-8")
    for at, name in enumerate(renamed):
        (tmp_path / name).rename(tmp_path / f"hand-in {at}{('.JSON', '.txt', '')[at]}")
    for at, name in enumerate(copied):  # the neighbour's file under one's own name, with a new check
        neighbour = Results.from_json(text[names[20 + at]])
        (tmp_path / name).write_text(replace(neighbour, name=f"Pupil {7 + at:02}").to_json(), encoding="utf-8")
    for name in changed:
        (tmp_path / name).write_text(text[name].replace('"0"', '"1/3"', 1), encoding="utf-8")
    book = gradebook(tmp_path, seed=7)
    place = {column: number for number, column in enumerate(book.columns)}
    lines = {str(line[place["file"]]): line for line in book.lines}
    assert len(lines) == 30
    for name in names[10:]:
        assert lines[name][place["right"]] == honest[name]
        assert lines[name][place["note"]] == "" or name in names[20:22], lines[name]
    for number, name in enumerate(renamed):
        (line,) = [line for file, line in lines.items() if file.startswith(f"hand-in {number}")]
        assert line[place["right"]] == honest[name] and line[place["note"]] == ""
    for name in (*broken, *changed):
        assert str(lines[name][place["note"]]).startswith(NOT_COUNTED)
    for one, other in ((names[6], names[20]), (names[7], names[21])):
        for file, copied_by in ((one, lines[other]), (other, lines[one])):
            assert SAY("book.copy", names=copied_by[place["name"]]) in str(lines[file][place["note"]])


def notes_of(folder: Path, **options: Any) -> dict[str, str]:
    """The note about each file."""
    book = gradebook(folder, **options)
    at = {name: book.columns.index(name) for name in ("file", "note")}
    return {str(line[at["file"]]): str(line[at["note"]]) for line in book.lines}


def test_what_a_teacher_may_ask_about_is_noted(tmp_path: Path) -> None:
    wrong = {"p2.between": ("3", "4", "10"), "p2.one": ("1/3",)}
    ann = Results("Ann", "p2", 7001, wrong, sitting="a" * 16)
    ann.save(tmp_path)
    (tmp_path / "bob.json").write_text(
        replace(ann, name="Bob").to_json(), encoding="utf-8"
    )  # a copy under another name
    (tmp_path / "later.json").write_text(replace(ann, tries={"p2.between": ("3",)}).to_json(), encoding="utf-8")
    replace(ann, name="Cyd", sitting="c" * 16).save(tmp_path)  # copied by typing: the same tries in another sitting
    replace(ann, name="Dan", sitting="d" * 16, tries={}, starts=3, sheets=4).save(tmp_path)
    Results("Eve", "p2", 3, {}, sitting="e" * 16).save(tmp_path)
    (tmp_path / "eve2.json").write_text(Results("eve ", "p2", 7005, {}, sitting="f" * 16).to_json(), encoding="utf-8")
    Results("Fay", "p2", 7006, {}, sitting="9" * 16).save(tmp_path)
    notes = notes_of(tmp_path, seed=7)
    assert notes["Ann-p2-7001.json"].split("; ") == [
        SAY("book.also", file="later.json"),
        SAY("book.copy", names="Bob"),
        SAY("book.same_tries", names="Cyd"),
        SAY("book.same_seed", names="Cyd, Dan"),
    ]
    assert SAY("book.copy", names="Ann") in notes["bob.json"] and "later.json" not in notes
    assert notes["Cyd-p2-7001.json"].startswith(SAY("book.same_tries", names="Ann, Bob"))
    assert f"{SAY('book.again', count=2)}; {SAY('book.sheets', count=4)}" in notes["Dan-p2-7001.json"]
    namesakes = [SAY("book.namesake", files=file) for file in ("eve2.json", "Eve-p2-3.json")]
    assert notes["Eve-p2-3.json"] == f"{SAY('book.other_class')}; {namesakes[0]}" and notes["eve2.json"] == namesakes[1]
    assert notes["Fay-p2-7006.json"] == "", "an honest pupil gets no note"
    assert SAY("book.other_class") not in notes_of(tmp_path)["Eve-p2-3.json"]


def test_which_seeds_are_those_of_a_class(tmp_path: Path) -> None:
    """Sheets of the class with the seed 7 are 7001 to 7999; those of its neighbours are noted."""
    seeds = (6999, 7000, 7001, 7999, 8000, 8001)
    for at, seed in enumerate(seeds):
        Results(f"Pupil {at}", "p2", seed, {}, sitting=f"{at:016x}").save(tmp_path)
    notes = notes_of(tmp_path, seed=7)
    assert [notes[f"Pupil-{at}-p2-{seed}.json"] == "" for at, seed in enumerate(seeds)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


def test_what_one_pupil_answered_is_not_common(tmp_path: Path) -> None:
    def common() -> tuple[object, object]:
        line = next(line for line in gradebook(tmp_path).summary if line[1] == "p2.between")
        return line[SUMMARY.index("common_wrong")], line[SUMMARY.index("by")]

    for at, said in enumerate(("998", "999")):
        Results(f"Pupil {at}", "p2", 7001 + at, {"p2.between": (said, said)}, sitting=f"{at:016x}").save(tmp_path)
    assert common() == ("", None), "twice by one pupil is one pupil"
    Results("Pupil 2", "p2", 7003, {"p2.between": ("999",)}, sitting="2" * 16).save(tmp_path)
    assert common() == ("999", 2)


def test_why_a_file_is_not_counted_is_said_in_the_language(tmp_path: Path) -> None:
    whole = Results("Ann", "p2", 7001, {"p2.between": ("3",)}, sitting="a" * 16).to_json()
    for name, text in (
        ("cut", whole[: whole.index('"seed"')]),
        ("edited", whole.replace('"3"', '"4"')),
        ("empty", ""),
        ("other", "[1]"),
    ):
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    book = gradebook(tmp_path, lang="cs")
    at = {name: book.columns.index(name) for name in ("file", "note")}
    notes = {str(line[at["file"]]): str(line[at["note"]]) for line in book.lines}

    def note(key: str, **fields: object) -> str:
        return words("cs")("book.not_counted", why=sentence(key, fields, "cs"))

    assert notes["edited.json"] == note("lessons.answers_changed")
    assert notes["other.json"] == note("lessons.not_answers")
    cut, _, problem = sentence("shared.cut_json", {"problem": sentence("json.value", {}, "cs")}, "cs").partition(": ")
    assert notes["empty.json"].endswith(f"{cut}: {problem}")
    assert cut in notes["cut.json"] and problem not in notes["cut.json"]


def test_namesakes_are_not_merged(tmp_path: Path) -> None:
    for group, said in (("1", "2"), ("2", "1")):
        Results("Jan Nowak", "first_turn", 0, {"row": (said,)}, sitting=group * 16).save(tmp_path / group)
    book = gradebook(tmp_path)
    assert [line[0] for line in book.lines] == ["Jan Nowak"] * 2
    assert sorted(notes_of(tmp_path).values()) == [
        SAY("book.namesake", files="1/Jan-Nowak-first_turn-0.json"),
        SAY("book.namesake", files="2/Jan-Nowak-first_turn-0.json"),
    ]


def test_equal_answers_about_the_rules_are_not_suspicious(tmp_path: Path) -> None:
    right, wrong = {"row": ("2",), "closest": ("3",)}, {"row": ("1", "4", "2")}
    for name, tries in (("Ann", right), ("Bob", right), ("Cyd", wrong), ("Dan", wrong)):
        Results(name, "first_turn", 0, tries, sitting=f"{ord(name[0]):016x}").save(tmp_path)
    notes = notes_of(tmp_path)
    assert notes["Ann-first_turn-0.json"] == notes["Bob-first_turn-0.json"] == ""
    assert notes["Cyd-first_turn-0.json"] == SAY("book.same_tries", names="Dan")


def test_a_column_for_each_question(tmp_path: Path) -> None:
    replace(ANN, tries={"p2.between": ("3", "10"), "p2.one": ("1", "2")}).save(tmp_path)
    (tmp_path / "x.json").write_text("", encoding="utf-8")
    book = gradebook(tmp_path)
    assert book.columns == (*COLUMNS, "p2.between", "p2.one", "p2.heads", "p2.two", "p2.more", "p2.three")
    assert book.lines[0][len(COLUMNS) :] == (2, -2, None, None, None, None)
    assert book.lines[1][len(COLUMNS) :] == (None,) * 6


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹦﹢﹣﹫−")
def test_no_cell_is_a_formula(sign: str) -> None:
    for text in (f"{sign}1+2", f" {sign}x", f"\u3000{sign}x", f"\t{sign}"):
        assert harmless(text) == f"'{text}"


def test_other_cells_stay_as_they_are() -> None:
    for cell in ("Zoë = Zoé", "O'Neil", "", -4, None):
        assert harmless(cell) == cell
    assert [harmless(f"{sign}x") for sign in "\t\r\n"] == ["'\tx", "'\rx", "'\nx"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_table_is_written(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ANN.save(tmp_path / "in")
    out = tmp_path / f"class.{suffix}"
    assert main(["gradebook", str(tmp_path / "in"), "--out", str(out)]) == 0
    assert say("out.lines", count=1, file=out) in capsys.readouterr().out
    frame = polars.read_csv(out) if suffix == "csv" else polars.read_parquet(out)
    assert frame.columns[: len(COLUMNS)] == list(COLUMNS)
    row = frame.row(0)[: len(COLUMNS)]
    assert row[:-1] == ("Ann", "p2", 7, 6, 2, 2, 1, 3, 12, 3, 1, 1, 1, "Ann-p2-7.json") and not row[-1]


def test_an_empty_class_is_an_empty_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gradebook", str(tmp_path), "--out", str(tmp_path / "class.parquet")]) == 0
    assert polars.read_parquet(tmp_path / "class.parquet").shape == (0, len(COLUMNS))


def test_wrong_arguments_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gradebook", str(tmp_path / "none")]) == 2
    assert main(["gradebook", str(tmp_path), "--out", "class.xls"]) == 2
    out = tmp_path / "no" / "class.csv"
    assert main(["gradebook", str(tmp_path), "--out", str(out)]) == 2
    assert sentence("shared.cannot_write", {"path": out, "problem": ""}) in capsys.readouterr().err


@given(content=st.binary(max_size=300))
def test_any_file_is_counted_or_named(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("class")
    (folder / "x.json").write_bytes(content)
    assert len(gradebook(folder).lines) == 1


@given(st.data())
def test_any_change_of_a_file_is_noticed(data: st.DataObject) -> None:
    text = ANN.to_json()
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="utf-8"))
    changed = text[:at] + letter + text[at + 1 :]
    with contextlib.suppress(RecordError):
        assert Results.from_json(changed) == ANN  # white space, or nothing, was changed


def test_of_two_files_with_equally_many_tries_the_first_counts(tmp_path: Path) -> None:
    """The first by name counts, whatever the order of comparison, and the other is named."""
    for name, said in (("a.json", "2"), ("b.json", "1")):
        text = Results("Jan", "first_turn", 0, {"row": (said,)}, sitting="1" * 16).to_json()
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert notes_of(tmp_path) == {"a.json": SAY("book.also", file="b.json")}
    # More tries count more, wherever the file stands.
    text = Results("Jan", "first_turn", 0, {"row": ("1", "2")}, sitting="1" * 16).to_json()
    (tmp_path / "b.json").write_text(text, encoding="utf-8")
    assert notes_of(tmp_path) == {"b.json": SAY("book.also", file="a.json")}


def test_nothing_behind_a_link_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if a file is replaced by a link after the check: errors quote a file's content."""
    secret = tmp_path / "secret.json"
    secret.write_text('{"format": "a teacher wrote this", "a teacher wrote this": 1}', encoding="utf-8")
    class_folder, outside = tmp_path / "class", tmp_path / "outside"
    for folder in (class_folder, outside):
        folder.mkdir()
    (outside / "deep.json").write_text(secret.read_text(encoding="utf-8"), encoding="utf-8")
    (class_folder / "ann.json").symlink_to(secret)
    (class_folder / "all").symlink_to(outside)
    monkeypatch.setattr("nimmt_lab.lessons.classbook._trouble", lambda path: "")
    book = gradebook(class_folder)
    assert book.unusable == 2 and "deep" not in book.to_csv() and "a teacher wrote this" not in book.to_csv()
