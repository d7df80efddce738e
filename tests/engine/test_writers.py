"""Whoever is killed while writing leaves the old file or the new one, never another."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.commands.lab import lay_out
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.files import read_bytes, recover, write_file, write_files
from nimmt_lab.engine.rng import Rng
from nimmt_lab.lessons import progress
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.worksheet import sheets, write_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def killed(work: Callable[[int], object], milliseconds: float) -> None:
    """Let another process do it over and over, and end it without warning."""
    child = os.fork()
    if child == 0:
        try:
            turn = 0
            while True:
                work(turn)
                turn += 1
        finally:
            os._exit(1)
    time.sleep(milliseconds / 1000)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the writer failed by itself"


def content(folder: Path) -> dict[str, bytes]:
    """Every file of ours in a folder; leftovers with hidden names do not count."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def _record(seed: int) -> Record:
    game = Classic(players=2, rounds=1)
    state, choices = game.deal(seed), []
    while not state.is_over:
        said = {seat: decision.options[0] for seat, decision in state.pending.items()}
        choices.append(said)
        state, _ = state.choose(said)
    return Record.from_play(game, seed, choices)


def writers() -> dict[str, Callable[[Path], Callable[[int], object]]]:
    """Every way in which the package writes: odd turns write one thing, even ones another."""
    large = [letter.encode() * 300_000 for letter in "ab"]
    records = [_record(1), _record(2)]
    sets = [sheets(1, pupils=2, seed=1), sheets(1, pupils=1, seed=2)]
    sets = [{name: text + " " * 50_000 for name, text in pages.items()} for pages in sets]
    answers = [Results("Ann", "p2", 7, {"p2.between": (str(n),) * 900}) for n in (1, 2)]
    together = [dict.fromkeys("xyz", text) for text in ("1" * 100_000, "2" * 100_000)]
    return {
        "file": lambda folder: lambda turn: write_file(folder / "x", large[turn % 2]),
        "files": lambda folder: lambda turn: write_files(folder, together[turn % 2]),
        "record": lambda folder: lambda turn: records[turn % 2].save(folder / "x.nimmt"),
        "record-json": lambda folder: lambda turn: records[turn % 2].save(folder / "x.json"),
        "worksheet": lambda folder: lambda turn: write_folder(sets[turn % 2], folder, force=True),
        "results": lambda folder: lambda turn: answers[turn % 2].save(folder),
        "progress": lambda folder: lambda turn: progress.update(
            folder, lambda now: progress.Progress("pl", "x" * 20_000 * (1 + turn % 2), folder=folder)
        ),
    }


@pytest.mark.parametrize("times", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_kills_leave_the_old_or_the_new(times: int, tmp_path: Path) -> None:
    rng = Rng.from_seed(15)
    for name, make in writers().items():
        wholes = []
        for turn in (0, 1):
            (tmp_path / f"{name}{turn}").mkdir()
            make(tmp_path / f"{name}{turn}")(turn)
            wholes.append(content(tmp_path / f"{name}{turn}"))
        assert wholes[0] != wholes[1]
        folder = tmp_path / name
        folder.mkdir()
        work = make(folder)
        work(0)
        for _ in range(times):
            after, rng = rng.below(3000)
            killed(work, after / 100)
            recover(folder)
            assert content(folder) in wholes, name
        work(1)
        assert content(folder) == wholes[1]
        left = [path.name for path in folder.iterdir() if path.name.startswith(".") and path.name != progress.LOCK]
        assert not left, "what the killed ones left is swept away by the next"


@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_an_interrupted_start_leaves_nothing_that_counts_as_changed(times: int, tmp_path: Path) -> None:
    rng = Rng.from_seed(16)
    lay_out(tmp_path / "whole", "cs")
    langs = ("pl", "cs")
    folder = tmp_path / "learner"
    for _ in range(times):
        after, rng = rng.below(4000)
        killed(lambda turn: lay_out(folder, langs[turn % 2]), after / 10)
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
