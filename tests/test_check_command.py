"""`nimmt-lab check`: passes what is right, fails what is wrong, and says which and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.cli import main
from nimmt_lab.conformance import check_files
from nimmt_lab.conformance.runner import load

VECTORS = Path(__file__).parent / "conformance"
FILES = sorted(VECTORS.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_vector_passes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["check", str(path)])
    out = capsys.readouterr().out
    assert (code, out) == (0, f"{len(load(path))} passed, 0 failed\n")


def vector(**changes: object) -> dict[str, object]:
    return {
        "id": "one",
        "why": "rule 2",
        "game": {"system": "classic", "players": 2},
        "given": {"rows": [[10], [20], [30], [40]]},
        "reveal": {"1": 25, "2": 5},
        "choices": [{"seat": 2, "row": 4}],
        "expect": {"rows": [[10], [20, 25], [30], [5]], "taken": {"2": [40]}, "heads": {"1": 0, "2": 3}},
        **changes,
    }


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(*vectors: object, format: object = "nimmt-vectors/1") -> Path:
        path = tmp_path / "vectors.json"
        path.write_text(json.dumps({"format": format, "vectors": list(vectors)}))
        return path

    return write


def test_the_sample_passes(write: Callable[..., Path]) -> None:
    assert str(check_files([write(vector())])) == "1 passed, 0 failed"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"expect": {"rows": [[10], [20], [30, 25], [5]]}}, "rows: expected [[10], [20], [30, 25], [5]], got [[10], [20, 25], [30], [5]]"),
        ({"expect": {"taken": {}}}, 'taken: expected {}, got {"2": [40]}'),
        ({"expect": {"taken": {"2": [40], "1": [3]}}}, "taken: expected"),
        ({"expect": {"heads": {"1": 0, "2": 2}}}, "heads: expected"),
        ({"expect": {"placed": [[25, 2], [5, 4]]}}, "placed: expected [[25, 2], [5, 4]], got [[5, 4], [25, 2]]"),
        ({"expect": {"moon": 3}}, "cannot tell 'moon'"),
        ({"choices": []}, "seat 2 must choose a row, but no choice is listed"),
        ({"choices": [{"seat": 1, "row": 4}]}, "seat 2 must choose a row, but the next listed choice is"),
        ({"choices": [{"seat": 2, "row": 9}]}, "B cannot choose @9"),
        ({"choices": [{"seat": 2, "row": 4}, {"seat": 1, "row": 1}]}, "was never asked for"),
        ({"game": {"system": "tarot", "players": 2}}, "no system 'tarot' here"),
        ({"game": {"system": "classic", "players": 2, "moon": 1}}, "no option 'moon'"),
        ({"game": {"system": "classic", "players": 2, "fan_cards": ["moon"]}}, "no fan card 'moon'"),
        ({"game": {"system": "classic", "players": 1}}, "2 to 10 players"),
        ({"given": {"rows": [[10], [20], [30], [40]], "moon": 4}}, "unknown key 'moon' in 'given'"),
        ({"given": {}}, "'given' needs rows"),
        ({"given": {"rows": [[10], ["x"], [30], [40]]}}, "a row must be a whole number"),
        ({"given": {"rows": [[10], [20], [30], [25]]}}, "25 lies in row 4 and in the hand of A"),
        ({"reveal": {"1": 25, "3": 5}}, "expected a seat from 1 to 2, got '3'"),
        ({"reveal": [25, 5]}, "reveal must be an object"),
        ({"reveal": {"1": {"card": 25, "twisted": True}, "2": 5}}, "seat 1 cannot twist 25"),
        ({"id": ""}, "a vector needs an id"),
    ],
)  # fmt: skip
def test_failures_say_what_was_expected_and_what_came(
    changes: dict[str, object], says: str, write: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["check", str(write(vector(id="zero"), vector(**changes)))])
    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[-1] == "1 passed, 1 failed"
    assert len(lines) == 2 and lines[0].startswith(("one: ", "vector 2: ")) and says in lines[0]


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"position": "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8", "value": "1"}, "value: expected 1, got 0"),
        ({"position": "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8", "value": 0}, "must be a fraction as text"),
        ({"position": "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8", "value": "1/0"}, "must be a fraction as text"),
        ({"position": "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8"}, "must be a fraction as text"),
        ({"position": "1 | 2 | 3 ; A: 17 ; B: 8", "value": "1"}, "advanced has 4 rows, got 3"),
        ({"position": 3, "value": "1"}, "a vector needs an id"),
        ({"value": "1"}, "a vector needs an id"),
        (3, "a vector needs an id"),
    ],
)
def test_wrong_values_are_found(entry: object, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = {"position": "6 11 13 15 | 1 5 9 | 14 16 17 19 20 | 18 21 22 24 ; A: 10 ; B: 23", "value": "7"}
    path = tmp_path / "values.json"
    path.write_text(json.dumps({"format": "nimmt-values/1", "positions": [right, entry]}))
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 1 failed" and says in lines[0]


def test_equal_ids_and_things_that_are_no_vector(write: Callable[..., Path]) -> None:
    report = check_files([write(vector(), vector(), 3, {"id": "empty"})])
    assert report.passed == 1
    assert [failure.id for failure in report.failures] == ["one", "vector 3", "empty"]


def test_hands_are_compared_as_sets_and_only_where_listed(write: Callable[..., Path]) -> None:
    given_hands = {"rows": [[10], [20], [30], [40]], "hands": {"1": [50, 60], "2": [70, 80]}}
    assert not check_files([write(vector(given=given_hands, expect={"hands": {"1": [60, 50]}}))]).failures
    assert check_files([write(vector(given=given_hands, expect={"hands": {"1": [60]}}))]).failures


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": "nimmt-vectors/2", "vectors": []}',
        '{"format": "nimmt-vectors/1"}',
        "[" * 100_000,
    ],
)
def test_unreadable_files_end_with_2(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)
    assert main(["check", str(FILES[0]), str(path)]) == 2
    caught = capsys.readouterr()
    assert "bad.json" in caught.err and not caught.out
    path.write_bytes(b"\xff")
    assert main(["check", str(path)]) == 2
    assert main(["check", str(tmp_path / "none.json")]) == 2


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 120) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["1", "2", "row", "seat", "rows", "card"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(key=st.sampled_from(["game", "given", "reveal", "choices", "expect"]), junk=JSON)
def test_junk_in_a_vector_is_a_failure_not_a_crash(
    key: str, junk: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("junk") / "vectors.json"
    path.write_text(json.dumps({"format": "nimmt-vectors/1", "vectors": [vector(**{key: junk})]}))
    report = check_files([path])
    assert report.passed + len(report.failures) == 1
    assert not any("Error:" in failure.what for failure in report.failures), "every mistake has a message of its own"
