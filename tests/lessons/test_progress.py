"""A learner's progress between lessons."""

from __future__ import annotations

import errno
import json
import os
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.progress import FILE, Progress
from tests.support import refused


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


def _add_lessons(folder: Path, name: str, often: int) -> None:
    for number in range(often):
        memory.update(folder, partial(memory.Progress.with_lesson, lesson=f"{name}{number}", right=1, of=1))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_labs_on_one_folder_lose_nothing(tmp_path: Path) -> None:
    """Two notebooks of one folder, each in its own process, finish lessons at the same time."""
    children = []
    for name in "ab":
        child = os.fork()
        if child == 0:
            try:
                _add_lessons(tmp_path, name, 40)
            finally:
                os._exit(sys.exc_info()[0] is not None)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    assert sorted(memory.load(tmp_path).done) == sorted(f"{name}{number}" for name in "ab" for number in range(40))


def test_an_unreadable_file_that_cannot_be_moved_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE).write_text("{")

    def refuse(*_names: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "replace", refuse)
    with refused(CannotWrite, "lessons.kept_file", folder=str(tmp_path / FILE)):
        memory.update(tmp_path, lambda now: now.with_lesson("traps", 1, 1))
    assert (tmp_path / FILE).read_text() == "{"


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_any_content_is_read_or_set_aside(junk: object) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        data = {"format": memory.FORMAT, "lang": "en", "name": "x", "done": junk}
        (Path(name) / FILE).write_text(json.dumps(data))
        assert isinstance(memory.load(Path(name)), Progress)
