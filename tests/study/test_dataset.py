"""Data sets: rounds by named players with every choice, and loading them again."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import polars.testing as pl_testing
import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.bots import levels
from nimmt_lab.cli import main
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.native import core
from nimmt_lab.study import dataset, datasets, make_dataset
from nimmt_lab.study.choice_rows import KINDS, TAKES, choice_rows
from nimmt_lab.study.datasets import COMPANIES, USUAL_BOTS, Plan, schema
from nimmt_lab.study.store import fingerprint
from nimmt_lab.study.tables import _NAMES, Tables, _append, is_quick
from tests.support import refused

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "nimmt_lab/study/data/choices"


def by_engine(tables: Tables, first: int, rounds: int) -> dict[str, list[int]]:
    columns: dict[str, list[int]] = {"round": [], **{name: [] for name in _NAMES}}
    for at in range(rounds):
        for row in tables.by_engine(first + at):
            _append(columns, row, at)
    return columns


@pytest.mark.native
@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_core_and_the_engine_play_the_same_choices(players: int) -> None:
    tables = Tables(players, (*USUAL_BOTS, "random", "closest-safe", "edges-first"), seed=7)
    played = {name: list(column) for name, column in tables.play(90_000, 8).items()}
    assert played == by_engine(tables, 90_000, 8)
    assert {*played["kind"]} == {0, 1} and {*played["took"]} == {0, 1, 2}


def test_levels_up_to_five_are_quick() -> None:
    assert [is_quick(level.name) for level in levels()] == [True] * 5 + [False] * 3


def replayed(frame: pl.DataFrame) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    """Each choice of a frame, and the same choice as the engine replays it from the seed and the choices alone."""
    for _, played in frame.group_by("round", maintain_order=True):
        lines = list(played.iter_rows(named=True))
        game = Classic(players=lines[0]["players"], rounds=1)
        cards, rows = defaultdict[int, dict[int, int]](dict), list[dict[int, int]]()
        state, history = game.deal(lines[0]["seed"]), list[dict[int, int]]()
        for line in lines:
            seat = "ABCDEFGHIJ".index(line["seat"])
            if line["kind"] == "card":
                cards[line["turn"]][seat] = line["card"]
            else:
                rows.append({seat: line["row"] - 1})
        for _, plays in sorted(cards.items()):
            history.append(plays)
            state, _ = state.choose(plays)
            while not state.is_over and len(state.pending) == 1:
                history.append(rows.pop(0))
                state, _ = state.choose(history[-1])
        assert state.is_over and not rows and state.outcome is not None
        record = Record.from_play(game, lines[0]["seed"], history)
        for line, row in zip(lines, choice_rows(record.steps), strict=True):
            home = row.home - 1
            assert row.all_heads == state.totals[row.seat]
            credit = 1 / len(state.outcome.winners) if row.seat in state.outcome.winners else 0.0
            again: dict[str, object] = {
                "seat": "ABCDEFGHIJ"[row.seat],
                "turn": row.turn,
                "kind": KINDS[row.kind],
                "card": row.card,
                "rank": None if row.kind else row.rank,
                "row": row.home or None,
                "row_end": row.ends[home] if row.home else None,
                "row_count": row.counts[home] if row.home else None,
                "row_heads": row.heads[home] if row.home else None,
                "gap": row.gap if row.home and not row.kind else None,
                "between": None if row.kind else row.between,
                **{f"end_{at + 1}": row.ends[at] for at in range(4)},
                **{f"count_{at + 1}": row.counts[at] for at in range(4)},
                **{f"heads_{at + 1}": row.heads[at] for at in range(4)},
                "landed": row.landed,
                "took": TAKES[row.took],
                "heads": row.cost,
                "round_heads": row.all_heads,
                "win": pytest.approx(credit, abs=1e-6),
            }
            yield line, again


def test_the_engine_replays_the_sample() -> None:
    sample = dataset().collect()
    some = sample.filter(pl.col("round") % 24 == pl.col("players") % 24)
    count = 0
    for line, again in replayed(some):
        count += 1
        assert {name: line[name] for name in again} == again
    assert count == some.height > 600


def test_the_sample_is_small_and_can_be_made_again(tmp_path: Path) -> None:
    files = list(SAMPLE.rglob("*.parquet"))
    assert sum(file.stat().st_size for file in files) <= 300_000
    about = json.loads((SAMPLE / "dataset.json").read_text())
    made = make_dataset(tmp_path, about["rounds"], about["seed"], progress=False)
    assert made.is_complete
    pl_testing.assert_frame_equal(dataset(tmp_path).collect(), dataset().collect())


def test_columns() -> None:
    sample = dataset().collect()
    assert sample.schema == schema()
    assert {*sample["company"]} == {*COMPANIES} and {*sample["players"]} == {2, 3, 4, 5, 6, 10}
    first = sample.row(0, named=True)
    assert first["seed"] == Rng.from_seed(0, first["round"] - 1).state
    same = sample.filter(company="same").group_by("round").agg(pl.col("player").n_unique())
    assert {*same["player"]} == {1} and {*sample["player"]} == {*USUAL_BOTS}
    page = (ROOT / "docs/dataset.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = [name.strip(" `") for cell in rows for name in cell.split(",")]
    columns = [name for name in schema() if name[-1] not in "234" or "_" not in name]
    assert told == columns, "the page explains every column in their order"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SMALL = {"players": (2, 3), "bots": ("level-2", "edges-first", "turn:guesses=1")}


def test_any_executor_makes_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimmt_lab.study.datasets._SLOW_PORTION", 2)
    make_dataset(tmp_path / "one", 8, 5, **SMALL, executor=1, progress=False)  # type: ignore[arg-type]
    with ThreadPoolExecutor(2) as pool:
        make_dataset(tmp_path / "two", 8, 5, **SMALL, executor=pool, progress=False)  # type: ignore[arg-type]
    monkeypatch.setattr("nimmt_lab.study.tables.core", lambda: None)
    make_dataset(tmp_path / "three", 8, 5, **SMALL, executor=1, progress=False)  # type: ignore[arg-type]
    assert content(tmp_path / "one") == content(tmp_path / "two") == content(tmp_path / "three")
    assert len(content(tmp_path / "one")) == 5
    for line, again in replayed(dataset(tmp_path / "one").collect()):
        assert {name: line[name] for name in again} == again


def test_an_interrupted_data_set_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    make_dataset(whole, 12, 3, players=[2, 3, 4], executor=1, progress=False)
    real, played = datasets._play, list[object]()

    def twice(plan: datasets.Plan, portion: tuple[int, int]) -> tuple[int, bytes]:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(portion)
        return real(plan, portion)

    monkeypatch.setattr("nimmt_lab.study.datasets._play", twice)
    made = make_dataset(part, 12, 3, players=[2, 3, 4], executor=1, progress=False)
    assert (made.rounds, made.is_complete) == (8, False)
    assert dataset(part).select(pl.col("round").n_unique()).collect().item() == 8
    played.clear()
    again = make_dataset(part, 12, 3, players=[2, 3, 4], executor=1, progress=False)
    assert again.is_complete and played == [(8, 4)] and content(part) == content(whole)
    assert again.rows == dataset(part).collect().height


def test_refusals(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(SAMPLE, folder)
    about, place = folder / "dataset.json", folder / "players=4"
    (file,) = place.glob("*.parquet")
    with refused(NotationError, "study.other_dataset", source=str(about)):
        make_dataset(folder, 432, 1, progress=False)
    with refused(RulesError, "study.dataset_no_size", got=7, known="2, 3, 4, 5, 6, 10"):
        dataset(folder, players=7)
    for foreign in ("mine.parquet", file.name.replace("rounds-0", "rounds-9")):
        shutil.copy(file, place / foreign)
        with refused(NotationError, "study.not_in_dataset", source=str(place / foreign)):
            dataset(folder)
        (place / foreign).unlink()
    # Right name and fingerprint, wrong columns.
    pl.DataFrame({"card": [1]}).write_parquet(place / "other.parquet")
    data = (place / "other.parquet").read_bytes()
    (place / "other.parquet").unlink()
    other = place / f"{file.name[:-24]}{fingerprint(data)}.parquet"
    whole = file.read_bytes()
    file.unlink()
    other.write_bytes(data)
    with refused(NotationError, "study.dataset_columns", source=str(other)):
        dataset(folder)
    other.unlink()
    file.write_bytes(whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])
    for read in (lambda: dataset(folder), lambda: make_dataset(folder, 432, progress=False)):
        with refused(NotationError, "study.not_what_was_written", source=str(file)):
            read()
    assert dataset(folder, players=3).collect().height > 1000, "other tables can still be read"
    for text in ("[]", '{"format": "nimmt-dataset/2"}', about.read_text().replace("432", '"many"')):
        about.write_text(text)
        with refused(NotationError, "study.not_dataset", source=str(about)):
            dataset(folder)
    with pytest.raises(NotationError) as error:
        dataset(tmp_path)
    assert error.value.source == str(tmp_path / "dataset.json")


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"players": [11]}, "study.dataset_players"),
        ({"players": []}, "study.dataset_lists"),
        ({"bots": ["random", "random"]}, "study.dataset_lists"),
        ({"bots": ["clever"]}, "bots.no_bot"),
        ({"rounds": 0}, "shared.must_whole_from"),
    ],
)
def test_wrong_settings_leave_no_folder(tmp_path: Path, given: dict[str, object], key: str) -> None:
    with pytest.raises(RulesError) as error:
        make_dataset(tmp_path / "new", progress=False, **given)  # type: ignore[arg-type]
    assert error.value.key == key and not (tmp_path / "new").exists()


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "set")
    command = ["dataset", folder, "--rounds", "30", "--players", "2", "3", "--bots", "random", "lowest"]
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = dataset(folder).collect().height
    assert told == {"folder": folder, "rounds": 30, "rows": rows, "complete": True}
    assert main(command) == 0
    assert capsys.readouterr().out.startswith(f"30 rounds with {rows:,} decisions")
    assert main(["dataset", folder, "--rounds", "40"]) == 2
    assert sentence("study.other_dataset", {}) in capsys.readouterr().err


@pytest.mark.native
def test_the_core_refuses_what_it_cannot_play() -> None:
    from nimmt_lab.games.classic.kernel import CLASSIC

    native = core()
    assert native is not None
    assert CLASSIC.choices(native, Classic(players=3, rows=5)) is None
    assert CLASSIC.choices(native, Classic(players=3, row_order="ascending")) is None
    choices = CLASSIC.choices(native, Classic(players=3))
    assert choices is not None and choices.play(0, 0, bytes([255, 0, 0] * 3)) == b""
    with pytest.raises(RuntimeError):
        choices.play(0, 0, bytes([6, 0, 0] * 3))


def test_only_files_of_the_plan_belong_to_a_data_set() -> None:
    plan, end = Plan(12, 0, (2, 3), ("random",)), f"{0:016x}.parquet"
    assert [plan.portion_of(plan.path(*portion) + end) for portion in plan.portions] == [(0, 6), (6, 6)]
    for first in (1, 5, 12):  # between two files, and after the last one
        assert plan.portion_of(plan.path(first, min(6, 12 - first)) + end) is None
    assert plan.portion_of(plan.path(0, 5) + end) is None and plan.portion_of(plan.path(0, 6)) is None
