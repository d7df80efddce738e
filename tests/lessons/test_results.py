"""Files to hand in, and the class's table: exact round trips, and nothing in a file can stop the table."""

from __future__ import annotations

import contextlib
import csv
import json
from pathlib import Path

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.cli import main
from nimmt_lab.engine.errors import RecordError
from nimmt_lab.lessons.results import COLUMNS, Results, _check, check_name, file_name, gradebook

ANN = Results("Ann", "p2", 7, {"p2.between": ("3", "10"), "p2.one": ("1/3",)}, frozenset({"p2.one"}))
NAMES = st.text(max_size=90).filter(check_name)
TRIES = st.dictionaries(
    st.sampled_from(["p2.between", "p2.one", "p2.heads", "p2.two"]), st.lists(st.text(max_size=20), max_size=4).map(tuple)
)


@given(NAMES, st.integers(0, 2**40), TRIES, st.frozensets(st.sampled_from(["p2.one", "p2.two"])))
def test_files_round_trip(name: str, seed: int, tries: dict[str, tuple[str, ...]], hinted: frozenset[str]) -> None:
    results = Results(name, "p2", seed % 50, tries, hinted)
    assert Results.from_json(results.to_json()) == results


def edited(**changes: object) -> str:
    """A file that was changed, with its check made to match: only the content can be refused."""
    data = json.loads(ANN.to_json())
    data.pop("check")
    data |= changes
    return json.dumps(data | {"check": _check(data)})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[]", "not a file of answers"),
        ("3", "not a file of answers"),
        ("[" * 100_000, "not a file of answers"),
        (ANN.to_json()[:-20], "not JSON"),
        (ANN.to_json().replace("answers/1", "answers/2"), "expected format"),
        (ANN.to_json().replace('"10"', '"11"'), "was changed"),
        (ANN.to_json().replace("Ann", "Eve"), "was changed"),
        (ANN.to_json().replace('"check"', '"chek"'), "was changed"),
        (edited(name=""), "the name must be"),
        (edited(name="a\nb"), "the name must be"),
        (edited(name=3), "the name must be"),
        (edited(lesson="p9"), "no lesson"),
        (edited(lesson=["p2"]), "no lesson"),
        (edited(seed="7"), "the seed must be"),
        (edited(seed=True), "the seed must be"),
        (edited(seed=-1), "the seed must be"),
        (edited(tries=[]), "tries must be"),
        (edited(tries={"p3.base": ["1"]}), "tries must be"),
        (edited(tries={"p2.one": "1/3"}), "list of short texts"),
        (edited(tries={"p2.one": [1]}), "list of short texts"),
        (edited(tries={"p2.one": ["x" * 1000]}), "list of short texts"),
        (edited(tries={"p2.one": ["x"] * 2000}), "list of short texts"),
        (edited(hinted="p2.one"), "hinted must be"),
        (edited(hinted=["moon"]), "hinted must be"),
    ],
)
def test_broken_and_edited_files_are_refused_with_a_reason(text: str, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        Results.from_json(text)


def test_marks_are_judged_anew() -> None:
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


def test_the_gradebook_counts_what_it_can_and_names_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ANN.save(tmp_path)
    Results("Ann", "first_turn", 0, {"row": ("2",), "closest": ("1", "3")}).save(tmp_path)
    Results("Bob", "p2", 8, {"p2.between": ("99",)}).save(tmp_path / "group 2")
    Results("=cmd()", "p1", 1).save(tmp_path)
    (tmp_path / "copy.json").write_text(ANN.to_json(), encoding="utf-8")
    (tmp_path / "better.json").write_text(
        Results("ANN ", "p2", 7, {**ANN.tries, "p2.two": ("40/87",)}).to_json(), encoding="utf-8"
    )
    (tmp_path / "edited.json").write_text(ANN.to_json().replace("10", "11"), encoding="utf-8")
    (tmp_path / "cut.json").write_text(ANN.to_json()[:50], encoding="utf-8")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "huge.json").write_text("[" + "0," * 600_000 + "0]", encoding="utf-8")
    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "nimmt-lab.json").write_text("{}", encoding="utf-8")  # the learner's own progress
    assert main(["gradebook", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    lines = list(csv.reader(line for line in out.splitlines() if not line.startswith("not counted")))
    assert tuple(lines[0]) == COLUMNS
    table = {(line[0], line[1]): dict(zip(COLUMNS, line, strict=True)) for line in lines[1:]}
    assert set(table) == {("ANN ", "p2"), ("Ann", "first_turn"), ("Bob", "p2"), ("'=cmd()", "p1")}
    assert table["ANN ", "p2"] | {"file": ""} == {
        "name": "ANN ", "lesson": "p2", "seed": "7", "questions": "6", "answered": "3", "right": "3", "right_at_first": "2", "hints": "0", "file": "",
    }  # fmt: skip
    assert (table["Ann", "first_turn"]["right"], table["Ann", "first_turn"]["right_at_first"]) == ("2", "1")
    assert table["Bob", "p2"]["right"] == "0" and table["Bob", "p2"]["file"] == "group 2/Bob-p2-8.json"
    problems = [line for line in out.splitlines() if line.startswith("not counted: ")]
    for name in ("copy.json", "edited.json", "cut.json", "bytes.json", "folder.json", "huge.json", "gone.json", "Ann-p2-7.json"):
        assert sum(line.startswith(f"not counted: {name}: ") for line in problems) == 1, name
    assert len(problems) == 8


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_table_is_written(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ANN.save(tmp_path / "in")
    out = tmp_path / f"class.{suffix}"
    assert main(["gradebook", str(tmp_path / "in"), "--out", str(out)]) == 0
    assert "1 lines" in capsys.readouterr().out
    frame = polars.read_csv(out) if suffix == "csv" else polars.read_parquet(out)
    assert frame.columns == list(COLUMNS)
    assert frame.row(0) == ("Ann", "p2", 7, 6, 2, 2, 1, 1, "Ann-p2-7.json")


def test_an_empty_class_is_an_empty_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gradebook", str(tmp_path), "--out", str(tmp_path / "class.parquet")]) == 0
    assert polars.read_parquet(tmp_path / "class.parquet").shape == (0, len(COLUMNS))


def test_wrong_arguments_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gradebook", str(tmp_path / "none")]) == 2
    assert main(["gradebook", str(tmp_path), "--out", "class.xls"]) == 2
    assert main(["gradebook", str(tmp_path), "--out", str(tmp_path / "no" / "class.csv")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@given(content=st.binary(max_size=300))
def test_any_file_is_counted_or_named(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("class")
    (folder / "x.json").write_bytes(content)
    book = gradebook(folder.glob("*.json"), folder)
    assert len(book.lines) + len(book.problems) == 1


@given(st.data())
def test_any_change_of_a_file_is_noticed(data: st.DataObject) -> None:
    text = ANN.to_json()
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="utf-8"))
    changed = text[:at] + letter + text[at + 1 :]
    with contextlib.suppress(RecordError):
        assert Results.from_json(changed) == ANN  # white space, or nothing, was changed
