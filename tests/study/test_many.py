"""Many games: a folder reviewed by any executor and resumed from a file, and a real cluster with a killed worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Buffalo, Classic
from nimmt_lab.bots import bot, record
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.study import ladder, review, review_games, simulate, tournament
from nimmt_lab.study.own import TITLES
from tests.support import refused
from tools.train_policy import TrainingRun, teach

GAME = Classic(players=3, rounds=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Six games with the players' names, a team's game, and a file that isn't a game."""
    games = tmp_path / "games"
    games.mkdir()
    for seed in range(6):
        played = record(GAME, [bot("closest-safe"), bot("random"), bot("random")], seed)
        replace(played, tags={"A": "Ola", "B": "Eva", "C": "Jan"}).save(games / f"{seed}.nimmt")
    record(Buffalo(players=1), [bot("random")], 1).save(games / "team.nimmt")
    (games / "broken.nimmt").write_text("no game\n", encoding="utf-8")
    (games / "notes.txt").write_text("passed over\n", encoding="utf-8")
    return games


class Counting(ThreadPoolExecutor):
    """A pool that counts, and may be interrupted."""

    def __init__(self, stop_after: int = 1000) -> None:
        super().__init__(1)
        self.asked, self.stop_after = 0, stop_after

    def submit(self, fn: Any, /, *args: Any, **options: Any) -> Future[Any]:
        self.asked += 1
        if self.asked > self.stop_after:
            raise KeyboardInterrupt
        return super().submit(fn, *args, **options)


@pytest.mark.exhaustive
def test_a_folder(folder: Path) -> None:
    with Counting() as pool:
        found = review_games(folder, playouts=20, executor=pool, progress=False)
    assert found.is_complete and found.games == 7 and found.asked == 8
    ((name, why),) = found.problems
    assert name.endswith("broken.nimmt") and why
    alone = review(record(GAME, [bot("closest-safe"), bot("random"), bot("random")], 2), playouts=20, progress=False)
    line = next(line for line in found.lines if line.file.endswith("2.nimmt") and line.seat == "B")
    assert line.accuracy == alone.accuracy(1) and line.luck == alone.splits[1].luck.value and line.player == "Eva"
    assert line.result == alone.record.final.totals[1] and line.choices == len(
        [j for j in alone.judgements if j.seat == 1]
    )
    assert len(found.frame) == len(found.lines) and "Ola: accuracy" in repr(found)
    assert (found.accuracy("Ola") or 0) > (found.accuracy("Eva") or 0), "who plays better has the better accuracy"
    assert review_games(folder, playouts=20, progress=False).lines == found.lines, "processes of this machine"


@pytest.mark.exhaustive
def test_it_resumes_from_a_file(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    with Counting(stop_after=3) as pool:
        some = review_games(folder, playouts=10, executor=pool, file=kept, progress=False)
    assert not some.is_complete
    with Counting() as pool:
        whole = review_games(folder, playouts=10, executor=pool, file=kept, progress=False)
        assert pool.asked == 8 - some.games - len(some.problems)
    assert whole.is_complete and whole.lines == review_games(folder, playouts=10, progress=False).lines
    with refused(NotationError, "study.file_holds_other"):
        review_games(folder, playouts=11, file=kept, progress=False)
    with refused(RulesError, "study.no_folder"):
        review_games(tmp_path / "nothing", progress=False)


@pytest.fixture
def cluster() -> Iterator[Executor]:
    import distributed

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made,
        distributed.Client(made) as client,
    ):
        yield client.get_executor()


class Losing(Executor):
    """A cluster in which one worker process is killed in mid-work, as if the machine had run out of memory.

    The second task kills the process that runs it, the first time it runs: that worker certainly has a task then,
    however quickly the others finish theirs.
    """

    def __init__(self, inner: Executor, died: Path) -> None:
        self.inner, self.died, self.asked = inner, died, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        if self.asked == 2:
            return self.inner.submit(dies_first, self.died, fn, *args, **kwargs)
        return self.inner.submit(fn, *args, **kwargs)


def dies_first(died: Path, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Kill this process, unless one was killed already; then do the work."""
    if not died.exists():
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return fn(*args, **kwargs)


@pytest.mark.exhaustive
def test_a_cluster_that_loses_a_worker_loses_nothing(folder: Path, cluster: Executor, tmp_path: Path) -> None:
    losing = Losing(cluster, tmp_path / "reviews")
    found = review_games(folder, playouts=150, executor=losing, progress=False)
    assert losing.died.exists(), "a worker was killed in the middle"
    assert found.is_complete and found.lines == review_games(folder, playouts=150, progress=False).lines

    losing = Losing(cluster, tmp_path / "ladder")
    steps = ladder(GAME, 6, levels=[1, 4, 5], executor=losing, progress=False)
    assert losing.died.exists()
    assert steps.is_complete and steps.steps == ladder(GAME, 6, levels=[1, 4, 5], progress=False).steps

    runs = [TrainingRun(players, 20_000, block=2000) for players in (2, 3, 4)]
    losing = Losing(cluster, tmp_path / "training")
    learned = teach(runs, executor=losing, stage=2)
    assert losing.died.exists()
    assert learned == teach(runs)

    contest = tournament(GAME, ["edges-first", "random", "lowest"], deals=12, executor=cluster, progress=False)
    assert contest == tournament(GAME, ["edges-first", "random", "lowest"], deals=12, progress=False)
    rounds = simulate(Buffalo(players=2), rounds=2000, executor=cluster, progress=False)
    assert rounds.totals == simulate(Buffalo(players=2), rounds=2000, progress=False).totals


@pytest.mark.exhaustive
def test_kinds_and_results_over_time(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    found = review_games(folder, playouts=60, file=kept, progress=False)
    mine = [line for line in found.lines if line.player == "Eva"]
    assert sum(found.kinds("Eva").values()) == sum(line.mistakes + line.blunders for line in mine) > 0
    assert set(found.kinds("nobody").values()) == {0}
    early, late = found.over_time("Eva", every=4)
    assert (early.games, late.games) == (4, 2) and early.first == mine[0].file and late.last == mine[-1].file
    assert early.luck == pytest.approx(sum(line.luck or 0 for line in mine[:4]) / 4)
    assert late.mistakes == sum(line.mistakes + line.blunders for line in mine[4:])
    text = str(found)
    assert "Mistakes by kind" in text and "Eva over time" in text and TITLES["sixth_card"] in text
    assert found.frame.columns[-5:] == ["low_cards", "full_rows", "high_cards", "rows", "others"]
    assert review_games(folder, playouts=60, file=kept, progress=False).lines == found.lines
    # A file of an earlier version lacks the kinds: its games are reviewed again.
    kept.write_text(kept.read_text().replace("nimmt-reviews/2", "nimmt-reviews/1"), encoding="utf-8")
    assert review_games(folder, playouts=60, file=kept, progress=False).lines == found.lines
