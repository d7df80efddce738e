"""Work that is interrupted or killed, or can't write its results."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import RandomBot
from nimmt_lab.engine import files, halt
from nimmt_lab.engine.errors import CannotWrite, NotationError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
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
    assert {result.game for result in held.results} == {0, 1} and held.deals == 1 and not held.is_complete
    assert said[0].filename == __file__  # where it was asked for
    file = tmp_path / "ladder.json"
    with Dying(1) as pool, pytest.warns(RuntimeWarning, match="worker") as said:
        climbed = ladder(game, 9, levels=(1, 2), file=file, progress=False, executor=pool)
    assert climbed.steps[0].deals == 2 and not climbed.is_complete and said[0].filename == __file__
    assert ladder(game, 3, levels=(1, 2), file=file, progress=False).is_complete  # it continues from there


class Patient(RandomBot):
    """Presses the interrupt key in one of its games, which would last for as long as anybody waits for it."""

    name = "patient"

    def __init__(self) -> None:
        super().__init__()
        self.games = 0
        self.stopped = 0

    def choose(self, view: View, rng: Rng) -> Any:
        self.games += view.turn == 0
        if self.games < 10:
            return super().choose(view, rng)
        self.stopped += 1
        if self.stopped == 1:
            os.kill(os.getpid(), signal.SIGINT)
        for _ in range(2_000):  # a search: slices that ask whether to continue
            halt.check()
            threading.Event().wait(0.005)
        raise AssertionError("nobody stopped the search")


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_an_interrupted_tournament_does_not_wait_for_the_games_in_play(
    workers: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(work_module, "_IN_FLIGHT", 2)
    player = Patient()
    result = tournament(Classic(players=2, rounds=1), [player, "lowest"], deals=50, progress=False, executor=workers)
    assert result.deals >= 1 and not result.is_complete and player.stopped >= 1
    assert not any(thread.name.startswith("ThreadPool") for thread in threading.enumerate())


def test_games_of_the_first_deal_are_kept_until_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_module, "_IN_FLIGHT", 1)
    with Dying(1) as pool, pytest.warns(RuntimeWarning, match="worker"):
        held = tournament(
            Classic(players=3, rounds=1), ["random", "lowest", "highest"], 5, executor=pool, progress=False
        )
    assert held.deals == 0 and {result.game for result in held.results} == {0, 1}
    assert repr(held).startswith("<0 of 5 deals")


#: Touched by the main process when it has the first two portions.
HEARD = "heard"


def sleeps(folder: Path, n: int) -> int:
    """Portion 2 presses the interrupt key of the main process once that has the first two, and the others keep
    working."""
    if n == 2:
        while not (folder / HEARD).exists():
            threading.Event().wait(0.005)
        os.kill(os.getppid(), signal.SIGINT)
    if n >= 2:
        threading.Event().wait(60)
        (folder / f"{n}").touch()
    return n


def test_an_interrupt_ends_our_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    done = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        for portion, _ in in_portions(partial(sleeps, tmp_path), range(12), processes=True):
            done.append(portion)
            if len(done) == 2:
                (tmp_path / HEARD).touch()
    assert sorted(done) == [0, 1] and [path.name for path in tmp_path.iterdir()] == [HEARD]
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("wrong", [0, -1, True, 2.0, "four", object()])
def test_workers_are_a_number_or_an_executor(wrong: Any) -> None:
    with refused(RulesError, "study.workers"):
        simulate(Classic(players=2), rounds=10, progress=False, executor=wrong)


class Client:
    """A cluster's client: its own `submit` returns futures of another kind."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool = pool

    def get_executor(self) -> Executor:
        return self.pool

    def submit(self, *_: object) -> object:
        raise AssertionError("its futures are not ours")


def test_clients_and_numbers_of_workers_are_taken() -> None:
    game, bots = Classic(players=2, rounds=1), ["random", "lowest"]
    alone = tournament(game, bots, 3, progress=False, executor=1)
    with ThreadPoolExecutor(2) as pool:
        assert tournament(game, bots, 3, progress=False, executor=Client(pool)).results == alone.results
    assert tournament(game, bots, 3, progress=False, executor=2).results == alone.results


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
