"""Simulations: the same numbers with any number of workers; interrupts keep finished work; folders resume."""

from __future__ import annotations

import importlib
import json
import os
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from statistics import stdev
from typing import Any

import polars as pl
import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.charts import heads_distribution
from nimmt_lab.charts.words import speech
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.explain.teller import score_unit
from nimmt_lab.games import Baron, BoardGame, Buffalo
from nimmt_lab.native.outcomes import FIELDS
from nimmt_lab.study import rounds as rounds_module
from nimmt_lab.study import simulate as simulate_by_package
from nimmt_lab.study import work
from nimmt_lab.study.rounds import Simulator
from nimmt_lab.study.simulate import simulate
from tests.support import refused

# The package exports the function under the name of its module.
module = importlib.import_module("nimmt_lab.study.simulate")


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(rounds_module, "PORTION", 100)
    return 100


class Immediate(Executor):
    """Does the work at once; can simulate an interrupt after some tasks."""

    def __init__(self, interrupt_after: int | None = None) -> None:
        self.tasks = 0
        self.interrupt_after = interrupt_after

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.interrupt_after is not None and self.tasks >= self.interrupt_after:
            raise KeyboardInterrupt
        self.tasks += 1
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_frame_says_what_the_kernel_says(small_portions: int) -> None:
    game = Classic(players=3)
    result = simulate(game, ("lowest", "random", "highest"), rounds=250, seed=4, progress=False)
    data = Simulator.of(game, ("lowest", "random", "highest")).play(4, 0, 250).data
    frame = result.frame
    assert frame.shape == (750, 3 + len(FIELDS))
    assert frame["round"].to_list() == [r + 1 for r in range(250) for _ in range(3)]
    assert frame["seat"].to_list() == ["A", "B", "C"] * 250
    assert frame["policy"].to_list() == ["lowest", "random", "highest"] * 250
    assert [value for row in frame.select(FIELDS).iter_rows() for value in row] == list(data)
    means = frame.group_by("seat").agg(pl.col("heads").mean()).sort("seat")["heads"].to_list()
    assert result.summary["mean_heads"].to_list() == pytest.approx(means)
    deviations = frame.group_by("seat").agg(pl.col("heads").std()).sort("seat")["heads"].to_list()
    assert result.summary["error"].to_list() == pytest.approx([value / 250**0.5 for value in deviations])
    wins = (
        frame.with_columns(best=pl.col("heads") == pl.col("heads").min().over("round"))
        .with_columns(credit=pl.col("best") / pl.col("best").sum().over("round"))
        .group_by("seat").agg(pl.col("credit").mean()).sort("seat")["credit"].to_list()
    )  # fmt: skip
    assert result.summary["win_credit"].to_list() == pytest.approx(wins)
    shares = result.distribution.group_by("seat").agg(pl.col("share").sum())["share"].to_list()
    assert shares == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("each_round", [True, False])
def test_executors_agree(small_portions: int, each_round: bool) -> None:
    game = Classic(players=4, fan_cards=("jumping_cow",))
    kwargs: dict[str, Any] = {"rounds": 1050, "seed": 9, "progress": False, "each_round": each_round}
    alone = simulate(game, executor=Immediate(), **kwargs)
    with ThreadPoolExecutor(3) as threads:
        threaded = simulate(game, executor=threads, **kwargs)
    usual = simulate_by_package(game, **kwargs)
    assert alone.totals == threaded.totals == usual.totals
    assert alone.outcomes == threaded.outcomes == usual.outcomes
    assert (alone.outcomes is None) is not each_round
    assert alone.is_complete and alone.totals.rounds == 1050


def test_processes_agree(small_portions: int) -> None:
    game = Advanced(players=3)
    with ProcessPoolExecutor(1) as processes:
        assert (
            simulate(game, rounds=150, seed=2, progress=False, executor=processes).totals
            == simulate(game, rounds=150, seed=2, progress=False).totals
        )


@pytest.mark.exhaustive
def test_a_dask_cluster_agrees(small_portions: int) -> None:
    import distributed

    game = Classic(players=4)
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        result = simulate(game, rounds=1000, seed=3, progress=False, executor=client.get_executor())
    assert result.is_complete
    assert result.totals == simulate(game, rounds=1000, seed=3, progress=False).totals


def test_an_interrupt_keeps_what_is_done(small_portions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_IN_FLIGHT", 1)
    result = simulate(Classic(players=2), rounds=1000, seed=1, progress=False, executor=Immediate(interrupt_after=3))
    assert not result.is_complete
    assert result.totals.rounds == 300
    assert result.totals == Simulator.of(Classic(players=2)).count(1, 0, 300)
    assert len(result.frame) == 600
    assert "300 of 1,000 rounds" in repr(result)


def test_an_interrupt_before_anything_is_done(small_portions: int) -> None:
    result = simulate(Classic(players=2), rounds=1000, progress=False, executor=Immediate(interrupt_after=0))
    assert result.totals.rounds == 0 and len(result.frame) == 0 and len(result.distribution) == 0
    assert result.summary["mean_heads"].to_list() == [None, None]
    assert "0 of 1,000" in repr(result)


def test_work_that_was_not_begun_is_dropped() -> None:
    gate = threading.Event()
    begun = []

    def slow(n: int) -> int:
        begun.append(n)
        gate.wait(10)
        return n

    with ThreadPoolExecutor(1) as one:
        results = work.in_portions(lambda n: n if n == 0 else slow(n), range(10), one)
        assert next(results) == (0, 0)
        threading.Timer(0.2, gate.set).start()
        results.close()
    assert len(begun) <= 2


@pytest.mark.parametrize("each_round", [True, False])
def test_a_folder_resumes(
    small_portions: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each_round: bool
) -> None:
    monkeypatch.setattr(work, "_IN_FLIGHT", 1)
    game = Classic(players=3)
    kwargs: dict[str, Any] = {"rounds": 550, "seed": 5, "progress": False, "folder": tmp_path, "each_round": each_round}
    first = simulate(game, executor=Immediate(interrupt_after=2), **kwargs)
    assert first.totals.rounds == 200
    again = Immediate()
    second = simulate(game, executor=again, **kwargs)
    assert again.tasks == 4  # the two portions in the folder are not played again
    whole = simulate(game, rounds=550, seed=5, progress=False, each_round=each_round)
    assert second.totals == whole.totals
    assert second.outcomes == whole.outcomes
    assert not list(tmp_path.glob("*.part"))
    frame = pl.read_parquet(tmp_path / "*.parquet")
    if each_round:
        assert frame.sort("round", "seat").equals(whole.frame.sort("round", "seat"))
    else:
        assert frame.filter(pl.col("what") == "full_rows")["value"].sum() == sum(whole.totals.full_rows)


def test_a_folder_of_something_else_is_refused(small_portions: int, tmp_path: Path) -> None:
    simulate(Classic(players=3), rounds=100, seed=5, progress=False, folder=tmp_path)
    with refused(NotationError, "study.other_simulation"):
        simulate(Classic(players=3), rounds=100, seed=6, progress=False, folder=tmp_path)
    (tmp_path / "simulation.json").write_text("{", encoding="utf-8")
    with refused(NotationError, "shared.cut_json"):
        simulate(Classic(players=3), rounds=100, seed=5, progress=False, folder=tmp_path)


def test_a_broken_portion_is_named(small_portions: int, tmp_path: Path) -> None:
    simulate(Classic(players=3), rounds=100, seed=5, progress=False, folder=tmp_path)
    (portion,) = tmp_path.glob("*.parquet")
    assert json.loads((tmp_path / "simulation.json").read_text())["seed"] == 5
    portion.write_bytes(portion.read_bytes()[:100])
    with refused(NotationError, "study.not_what_was_written"):
        simulate(Classic(players=3), rounds=100, seed=5, progress=False, folder=tmp_path)


def test_many_rounds_keep_totals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY_ROUNDS", 100)
    result = simulate(Classic(players=2), rounds=101, progress=False)
    assert result.outcomes is None and result.totals.rounds == 101
    with refused(RulesError, "study.single_rounds_were"):
        _ = result.frame


@pytest.mark.parametrize("rounds", [-1, 1.5, True])
def test_wrong_rounds(rounds: Any) -> None:
    with refused(RulesError, "shared.must_whole_0", what="rounds"):
        simulate(Classic(players=2), rounds=rounds, progress=False)


def test_progress_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    simulate(Classic(players=2), rounds=100, progress=True)
    assert "100/100" in capfd.readouterr().err


@pytest.mark.parametrize(
    "game", [Baron(players=3, variant="bulls_are_good"), Buffalo(players=2), BoardGame(players=2)], ids=repr
)
@pytest.mark.parametrize("each_round", [True, False])
def test_games_without_a_kernel(game: Game, each_round: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers in several processes, in this one, and from a folder; frames and charts as for any other game."""
    monkeypatch.setattr(rounds_module, "ENGINE_PORTION", 3)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    kwargs: dict[str, Any] = {"rounds": 8, "seed": 6, "progress": False, "each_round": each_round}
    shared = simulate(game, **kwargs)
    alone = simulate(game, executor=Immediate(), folder=tmp_path, **kwargs)
    again = Immediate()
    stored = simulate(game, executor=again, folder=tmp_path, **kwargs)
    assert shared.totals == alone.totals == stored.totals and not again.tasks
    assert shared.outcomes == alone.outcomes == stored.outcomes
    letters = [seat_letter(seat) for seat in game.pile_seats]
    assert shared.summary["seat"].to_list() == letters
    assert shared.distribution["rounds"].sum() == 8 * len(letters)
    say = speech("en")
    title = say("chart_rounds.distribution", unit=say.many(score_unit(game)))
    assert heads_distribution(shared).to_dict()["title"]["text"] == title
    if each_round:
        frame = shared.frame
        assert frame["seat"].to_list() == letters * 8
        credit = frame.group_by("seat", maintain_order=True).agg(pl.col("win_credit").mean())["win_credit"].to_list()
        assert credit == pytest.approx(list(shared.totals.win_credit))
        best = frame["heads"].max() if game.more_is_better else frame["heads"].min()
        assert all(credit > 0 for credit in frame.filter(pl.col("heads") == best)["win_credit"])


def test_intervals_are_95_percent_on_both_sides() -> None:
    result = simulate(Classic(players=3), rounds=400, seed=2, progress=False)
    for seat, row in enumerate(result.summary.iter_rows(named=True)):
        heads = result.frame.filter(pl.col("seat") == row["seat"])["heads"].to_list()
        error = stdev(heads) / len(heads) ** 0.5
        assert (
            row["error"] == pytest.approx(error, rel=0.01) == pytest.approx(result.totals.error_heads[seat], rel=0.01)
        )
        assert row["low"] == pytest.approx(row["mean_heads"] - 1.96 * row["error"])
        assert row["high"] == pytest.approx(row["mean_heads"] + 1.96 * row["error"])
