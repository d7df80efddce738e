"""Work that is interrupted or killed, or can't write its results."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from nimmt_lab import Classic
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import CannotWrite, NotationError, RulesError
from nimmt_lab.study import ladder, simulate, tournament
from nimmt_lab.study import work as work_module
from nimmt_lab.study.work import in_portions
from tests.support import refused


def dies_once(folder: Path, n: int) -> int:
    """The first process that receives portion 5 is killed, as if the machine had run out of memory."""
    if n == 5 and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def dies_always(n: int) -> int:
    if n == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def test_a_killed_process_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    done = dict(in_portions(partial(dies_once, tmp_path), range(12), processes=True))
    assert (tmp_path / "died").exists() and done == {n: n * n for n in range(12)}


def test_what_is_finished_comes_before_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_module, "_IN_FLIGHT", 1)  # one after the other: 0 to 4 are finished when 5 dies
    done = {}
    with ProcessPoolExecutor(1) as pool, pytest.raises(BrokenExecutor):  # noqa: PT012
        for portion, result in in_portions(dies_always, range(12), pool):
            done[portion] = result
    assert done == {n: n * n for n in range(5)}


class Dying(ProcessPoolExecutor):
    """A pool of which only the first two portions return."""

    asked = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        self.asked += 1
        return super().submit(fn, *args, **options) if self.asked < 3 else super().submit(dies_always, 5)


def test_a_simulation_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimmt_lab.study.rounds.PORTION", 100)
    monkeypatch.setattr("nimmt_lab.study.rounds.ENGINE_PORTION", 100)
    monkeypatch.setattr(work_module, "_IN_FLIGHT", 1)
    with Dying(1) as pool, pytest.warns(RuntimeWarning, match="worker"):
        result = simulate(Classic(players=2), rounds=1000, seed=1, progress=False, executor=pool)
    assert result.totals.rounds == 200 and not result.is_complete
    assert len(result.frame) == 400


def test_tournaments_and_ladders_keep_what_was_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(work_module, "_IN_FLIGHT", 1)
    game = Classic(players=2, rounds=1)
    with Dying(1) as pool, pytest.warns(RuntimeWarning, match="worker") as said:
        held = tournament(game, ["random", "lowest"], deals=9, progress=False, executor=pool)
    assert {result.deal for result in held.results} == {0, 1} and not held.is_complete
    assert said[0].filename == __file__  # where it was asked for
    file = tmp_path / "ladder.json"
    with Dying(1) as pool, pytest.warns(RuntimeWarning, match="worker") as said:
        climbed = ladder(game, 9, levels=(1, 2), file=file, progress=False, executor=pool)
    assert climbed.steps[0].deals == 2 and not climbed.is_complete and said[0].filename == __file__
    assert ladder(game, 3, levels=(1, 2), file=file, progress=False).is_complete  # it continues from there


def test_a_wrong_seed_leaves_no_folder(tmp_path: Path) -> None:
    with refused(RulesError, "engine.seed_range", got="-1"):
        simulate(Classic(players=2), rounds=10, seed=-1, progress=False, folder=tmp_path / "sim")
    assert not (tmp_path / "sim").exists()
    assert simulate(Classic(players=2), rounds=10, seed=1, progress=False, folder=tmp_path / "sim").is_complete


def test_after_a_full_disk_the_folder_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimmt_lab.study.rounds.PORTION", 10)
    monkeypatch.setattr("nimmt_lab.study.rounds.ENGINE_PORTION", 10)
    real = files._write
    for most in range(4):
        written = list[Path]()

        def full(path: Path, what: bytes, written: list[Path] = written, most: int = most) -> None:
            written.append(path)
            if len(written) > most:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(path, what)

        monkeypatch.setattr(files, "_write", full)
        with refused(CannotWrite, "shared.cannot_write"):
            simulate(Classic(players=2), rounds=100, seed=1, progress=False, folder=tmp_path / "sim")
        monkeypatch.setattr(files, "_write", real)
    there = simulate(Classic(players=2), rounds=100, seed=1, progress=False, folder=tmp_path / "sim")
    assert there.totals == simulate(Classic(players=2), rounds=100, seed=1, progress=False).totals


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"PAR1" * 100, b"x" * 1000])
def test_a_damaged_portion_is_named(damage: bytes, tmp_path: Path) -> None:
    simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)
    (portion,) = tmp_path.glob("*.parquet")
    portion.write_bytes(damage)
    with refused(NotationError, "study.not_what_was_written", source=str(portion)):
        simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)
    portion.unlink()
    assert simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path).is_complete


@pytest.mark.exhaustive
@pytest.mark.parametrize("each_round", [True, False])
def test_a_portion_of_other_rows_is_named(each_round: bool, tmp_path: Path) -> None:
    """A few bytes can stand for billions of rows: only as many are made as are needed to see it."""
    options: dict[str, Any] = {"rounds": 20, "seed": 1, "progress": False, "folder": tmp_path, "each_round": each_round}
    simulate(Classic(players=2), **options)
    (portion,) = tmp_path.glob("*.parquet")
    frame = pl.read_parquet(portion)
    pl.concat([frame.head(1)] * 1_000_000).write_parquet(portion)
    assert portion.stat().st_size < 100_000
    with refused(NotationError, "study.not_what_was_written", source=str(portion)):
        simulate(Classic(players=2), **options)
    portion = portion.rename(tmp_path / f"{portion.stem[:-17]}.parquet")  # as named by earlier versions
    with refused(NotationError, "study.cannot_read_rounds", source=str(portion)):
        simulate(Classic(players=2), **options)


def test_a_portion_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Without a fingerprint in its name."""
    first = simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)
    (portion,) = tmp_path.glob("*.parquet")
    portion = portion.rename(tmp_path / f"{portion.stem[:-17]}.parquet")
    again = simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)
    assert again.totals == first.totals and list(tmp_path.glob("*.parquet")) == [portion]
    pl.read_parquet(portion).head(3).write_parquet(portion)
    with refused(NotationError, "study.cannot_read_rounds", source=str(portion)):
        simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)


def test_a_reader_that_panics_is_an_error_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)
    (portion,) = tmp_path.glob("*.parquet")

    def panic(*_given: object, **_options: object) -> None:
        raise pl.exceptions.PanicException("offset + length <= self.length")

    monkeypatch.setattr(pl, "read_parquet", panic)
    with refused(NotationError, "study.cannot_read_rounds", source=str(portion)):
        simulate(Classic(players=2), rounds=20, seed=1, progress=False, folder=tmp_path)


@pytest.mark.exhaustive
def test_the_interrupt_key_ends_the_search_for_puzzles() -> None:
    """Pressed while the solver works, the key stops all the work, not one position."""
    script = (
        "import os, signal, threading\n"
        "from nimmt_lab.study.puzzles import puzzles\n"
        "threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    print('found', len(puzzles(10**6, cards=5, margin=3, progress=False)))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split()[0] in ("found", "stopped")


def test_without_results_the_interrupt_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    module = importlib.import_module("nimmt_lab.study.puzzles")
    real = module.Searcher.prove

    def pressed(*args: object, **options: object) -> object:
        from dataclasses import replace

        return replace(real(*args, **options), interrupted=True)

    monkeypatch.setattr(module.Searcher, "prove", pressed)
    with pytest.raises(KeyboardInterrupt):
        module.puzzles(1, progress=False)
