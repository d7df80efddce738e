"""Read TOML strictly; write where locks don't exist or others write the same file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nimmt_lab.engine import files
from nimmt_lab.engine.errors import CannotWrite, DataError
from nimmt_lab.engine.files import locked, parse_toml, write_file
from nimmt_lab.engine.sentences import Phrase
from tests.support import refused


@pytest.mark.parametrize(("text", "key", "place"), [
    ("a = 1\na = 2\n", "engine.not_toml", {"line": 2, "column": 6}),
    ("a = ", "engine.not_toml", {"line": 1}),
    (f"a = {'9' * 5000}", "engine.not_toml", {"line": 1}),
    (f"a = -{'9' * 5000}", "engine.not_toml", {"line": 1}),
    (f"a = 0x{'f' * 5000}", "engine.sensible", {}),
    (f"a = [1, {{ b = [{'9' * 41}] }}]", "engine.sensible", {}),
    ("a = inf", "engine.sensible", {}),
    ("a.b = [nan]", "engine.sensible", {}),
    ("a = 1e400", "engine.sensible", {}),
    ("a = 2026-02-30", "engine.not_toml", {"line": 1}),
    ("a = " + "[" * 100_000, "engine.nested", {}),
    ("a" * 10_000 + "=" + "\0", "engine.not_toml", {"line": 1}),
    ("1. " * 100_000, "engine.too_many_letters", {}),
])  # fmt: skip
def test_toml_is_read_strictly(text: str, key: str, place: dict[str, int]) -> None:
    with refused(DataError, key, **place) as caught:
        parse_toml(text, source="board.toml", error=DataError)
    assert str(caught.value).startswith("board.toml") and len(str(caught.value)) < 300


def test_numbers_of_a_sensible_size_are_read() -> None:
    assert parse_toml(f"a = {'9' * 40}\nb = -0.5\nc = [true]") == {"a": int("9" * 40), "b": -0.5, "c": [True]}


@pytest.mark.skipif(not files.LOCKS, reason="needs locks")
def test_where_nothing_can_be_locked_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some network drives have no locks."""

    def refuse(*_asked: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with locked(tmp_path, ".lock"):
        write_file(tmp_path / "x", "1")
    assert (tmp_path / "x").read_text() == "1"


def test_a_temporary_file_that_others_swept_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another writer may delete a temporary file before it is locked."""
    real, swept = os.chmod, list[str]()

    def sweep_first(path: str, mode: int) -> None:
        if len(swept) < 4:
            swept.append(path)
            os.unlink(path)
        real(path, mode)

    monkeypatch.setattr(os, "chmod", sweep_first)
    write_file(tmp_path / "x", "1")
    assert len(swept) == 4 and [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with refused(CannotWrite, "shared.cannot_write", problem=Phrase("os.no_such_file")):
        write_file(tmp_path / "gone" / "x", "1")
