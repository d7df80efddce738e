"""Whoever is killed while writing leaves the old file or the new one, never another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt_lab.commands.lab import lay_out
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.files import read_bytes
from nimmt_lab.engine.rng import Rng
from tests.engine.killing import content, kill_often, killed, polars_writers, writers

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.mark.parametrize("times", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_kills_leave_the_old_or_the_new(times: int, tmp_path: Path) -> None:
    rng = Rng.from_seed(15)
    for name, make in writers().items():
        rng = kill_often(name, make, tmp_path, times, rng)


@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", polars_writers())
def test_so_do_writers_of_parquet(name: str, times: int, tmp_path: Path) -> None:
    """In a process of its own: this one may have used polars, whose threads do not survive a fork."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.killing", str(tmp_path), str(times), name],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout == f"held: {name}\n", done.stderr[-2000:]


@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_an_interrupted_start_leaves_nothing_that_counts_as_changed(times: int, tmp_path: Path) -> None:
    rng = Rng.from_seed(16)
    lay_out(tmp_path / "whole", "cs")
    langs = ("pl", "cs")
    folder = tmp_path / "learner"
    for _ in range(times):
        after, rng = rng.below(2000)
        killed(lambda turn: lay_out(folder, langs[turn % 2]), after / 1000)
    assert lay_out(folder, "cs") == []
    assert content(folder) == content(tmp_path / "whole")


def test_a_start_that_stops_at_any_file_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without chance: the disk is full after so many files."""
    lay_out(tmp_path, "en")
    (tmp_path / "index.ipynb").unlink()
    real = files._write
    for most in (1, 2, 3, 7):
        written = []

        def full(path: Path, what: bytes, written: list[Path] = written, most: int = most) -> None:
            written.append(path)
            if len(written) > most:
                raise OSError(28, "No space left on device")
            real(path, what)

        monkeypatch.setattr(files, "_write", full)
        with pytest.raises(CannotWrite, match="No space left"):
            lay_out(tmp_path, "pl")
        monkeypatch.setattr(files, "_write", real)
        assert lay_out(tmp_path, "pl") == []
        assert lay_out(tmp_path, "en") == []
    marks = json.loads(read_bytes(tmp_path / ".nimmt-lab-files.json"))
    assert all(isinstance(mark, str) for mark in marks.values())


def test_what_the_learner_changed_still_stays(tmp_path: Path) -> None:
    lay_out(tmp_path, "en")
    (tmp_path / "index.ipynb").write_text("mine")
    assert lay_out(tmp_path, "pl") == ["index.ipynb"]
    assert (tmp_path / "index.ipynb").read_text() == "mine"
