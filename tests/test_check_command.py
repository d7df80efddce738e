"""`nimmt-lab check`: right vectors pass, wrong ones fail with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.cli import main
from nimmt_lab.conformance import check_files
from nimmt_lab.conformance.runner import load, run_vector
from nimmt_lab.engine.errors import NimmtError
from tests.catalogue import in_error
from tests.support import refused

VECTORS = Path(__file__).parent / "conformance"
FILES = sorted(VECTORS.glob("*.json"))
#: An open position that is worth 0 to both players.
DRAWN = "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8"


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


def differs(key: str, expected: str, got: str) -> re.Pattern[str]:
    """The message about an expectation that was not met."""
    return in_error("shared.expected_got", key=key, words=expected, got=got)


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
    ("changes", "problem"),
    [
        ({"expect": {"rows": [[10], [20], [30, 25], [5]]}}, differs("rows", "[[10], [20], [30, 25], [5]]", "[[10], [20, 25], [30], [5]]")),
        ({"expect": {"taken": {}}}, differs("taken", "{}", '{"2": [40]}')),
        ({"expect": {"taken": {"2": [40], "1": [3]}}}, in_error("shared.expected_got", key="taken")),
        ({"expect": {"heads": {"1": 0, "2": 2}}}, in_error("shared.expected_got", key="heads")),
        ({"expect": {"placed": [[25, 2], [5, 4]]}}, differs("placed", "[[25, 2], [5, 4]]", "[[5, 4], [25, 2]]")),
        ({"expect": {"moon": 3}}, in_error("conformance.unknown_fact", key="'moon'")),
        ({"choices": [{"seat": 2, "row": 4}, {"seat": 1, "row": 1}]}, in_error("conformance.unused_choice", choice='{"seat": 1, "row": 1}')),
        ({"id": ""}, in_error("conformance.vector_needs_id")),
    ],
)  # fmt: skip
def test_failures_show_expected_and_actual_values(
    changes: dict[str, object],
    problem: re.Pattern[str],
    write: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = main(["check", str(write(vector(id="zero"), vector(**changes)))])
    lines = capsys.readouterr().out.splitlines()
    assert code == 1
    assert lines[-1] == "1 passed, 1 failed"
    assert len(lines) == 2 and lines[0].startswith(("one: ", "vector 2: ")) and problem.search(lines[0])


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"choices": []}, "conformance.seat_must_choose"),
        ({"choices": [{"seat": 1, "row": 4}]}, "conformance.seat_must_choose_row"),
        ({"choices": [{"seat": 2, "row": 9}]}, "engine.cannot_choose"),
        ({"game": {"system": "tarot", "players": 2}}, "conformance.no_system_here"),
        ({"game": {"system": "classic", "players": 2, "moon": 1}}, "engine.no_option"),
        ({"game": {"system": "classic", "players": 2, "fan_cards": ["moon"]}}, "classic.no_fan"),
        ({"game": {"system": "classic", "players": 1}}, "engine.for_players"),
        ({"given": {"rows": [[10], [20], [30], [40]], "moon": 4}}, "conformance.unknown_key_given"),
        ({"given": {}}, "conformance.given_needs_rows"),
        ({"given": {"rows": [[10], ["x"], [30], [40]]}}, "conformance.must_whole_number"),
        ({"given": {"rows": [[10], [20], [30], [25]]}}, "engine.lies_twice"),
        ({"reveal": {"1": 25, "3": 5}}, "conformance.expected_from_got"),
        ({"reveal": [25, 5]}, "conformance.must_object_got"),
        ({"reveal": {"1": {"card": 25, "twisted": True}, "2": 5}}, "classic.seat_cannot_twist"),
    ],
)  # fmt: skip
def test_a_vector_that_cannot_be_played_is_a_failure(
    changes: dict[str, object], key: str, write: Callable[..., Path]
) -> None:
    with refused(NimmtError, key) as caught:
        run_vector(vector(**changes))  # type: ignore[arg-type]
    report = check_files([write(vector(id="zero"), vector(**changes))])
    assert report.passed == 1 and [failure.what for failure in report.failures] == [str(caught.value)]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"position": DRAWN, "value": "1"}, differs("value", "1", "0")),
        ({"position": DRAWN, "value": 0}, in_error("conformance.value_must_fraction", got="0")),
        ({"position": DRAWN, "value": "1/0"}, in_error("conformance.value_must_fraction", got="'1/0'")),
        ({"position": DRAWN}, in_error("conformance.value_must_fraction", got="None")),
        ({"position": "1 | 2 | 3 ; A: 17 ; B: 8", "value": "1"}, in_error("shared.card_rows", name="advanced", got=3)),
        ({"position": 3, "value": "1"}, in_error("conformance.vector_needs_id")),
        ({"value": "1"}, in_error("conformance.vector_needs_id")),
        (3, in_error("conformance.vector_needs_id")),
    ],
)
def test_wrong_values_are_found(
    entry: object, problem: re.Pattern[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = {"position": "6 11 13 15 | 1 5 9 | 14 16 17 19 20 | 18 21 22 24 ; A: 10 ; B: 23", "value": "7"}
    path = tmp_path / "values.json"
    path.write_text(json.dumps({"format": "nimmt-values/1", "positions": [right, entry]}))
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 1 failed" and problem.search(lines[0])


def test_equal_ids_and_values_that_are_not_vectors(write: Callable[..., Path]) -> None:
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
