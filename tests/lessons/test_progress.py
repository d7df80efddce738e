"""What is remembered between lessons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.progress import FILE, Progress


def test_progress_is_found_from_below_and_keeps_the_best(tmp_path: Path) -> None:
    Progress("pl", "Ann", folder=tmp_path).with_lesson("first_turn", 3, 5).save()
    below = tmp_path / "rules" / "deep"
    below.mkdir(parents=True)
    assert memory.find_folder(below) == tmp_path
    now = memory.load(memory.find_folder(below))
    assert (now.lang, now.name, now.done) == ("pl", "Ann", {"first_turn": (3, 5)})
    assert now.with_lesson("first_turn", 2, 5).done == {"first_turn": (3, 5)}
    assert now.with_lesson("first_turn", 5, 5).done == {"first_turn": (5, 5)}


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert memory.current().folder is None
    memory.current().save()
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("NIMMT_LANG", "cs")
    assert memory.current().lang == "cs"
    monkeypatch.setenv("NIMMT_LANG", "xx")
    assert memory.current().lang == "en"


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "3", '{"format": "other"}', '{"format": "nimmt-progress/1"}', '{"format": "nimmt-progress/1", "lang": "en", "name": "", "done": {"x": 3}}'],
)  # fmt: skip
def test_an_unreadable_file_is_set_aside(content: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(content)
    assert memory.load(tmp_path) == Progress(folder=tmp_path)
    assert (tmp_path / f"{FILE}.unreadable").read_text() == content


@given(st.recursive(st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)))
def test_any_content_is_read_or_set_aside(junk: object) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        data = {"format": memory.FORMAT, "lang": "en", "name": "x", "done": junk}
        (Path(name) / FILE).write_text(json.dumps(data))
        assert isinstance(memory.load(Path(name)), Progress)
