"""How often cards are played and what they cost: data sets, games and what was counted in advance agree."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from nimmt_lab import Buffalo, Classic, Record, charts
from nimmt_lab.bots import record
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.study import dataset, explore, simulate
from nimmt_lab.study.explorer import BY, COUNTED_PLAYERS, COUNTED_SIZES, counted
from nimmt_lab.study.tables import Tables, _steps
from tests.support import refused
from tools import explored as tool


def test_a_data_set_and_its_games_give_the_same_figures() -> None:
    sample = dataset(players=4).filter(pl.col("round") % 8 == 0)
    games = []
    for number, seed in sample.select("round", "seed").unique().sort("round").collect().iter_rows():
        seats = [
            name for (name,) in sample.filter(round=number, turn=1, kind="card").select("player").collect().iter_rows()
        ]
        names = dict(zip("ABCD", seats, strict=True))
        choices = tuple(step.choices for step in _steps(4, seats, seed))
        games.append(Record(Classic(players=4, rounds=1), choices, seed).noted(names, {}))
    for by in BY:
        for row in (None, 0, 3, 5):
            assert explore(sample, by, row=row).lines == explore(games, by, row=row).lines
    assert explore(sample.collect(), "turn", player="lowest").lines == explore(games, "turn", player="lowest").lines
    assert explore(games, players=3).lines == () and explore(sample, players=4).count == 10 * 4 * len(games)


@pytest.mark.parametrize("player", COUNTED_PLAYERS)
@pytest.mark.parametrize("players", COUNTED_SIZES)
def test_what_was_counted_adds_up(player: str, players: int) -> None:
    counts = counted(player, players)
    for by, cells in counts.items():
        choices = sum(sums[0] for (length, _), sums in cells.items() if length or by != "gap")
        low = sum(sums[0] for (length, _), sums in counts["card"].items() if length == 0)
        assert choices == 42_000 * players * 10 - (low if by == "gap" else 0)
    # What the cards of a round cost is what the kernel's rounds cost.
    if player == "level-5":
        (line,) = explore(None, "turn", players=players, player=player).frame.select(pl.col("heads").sum()).row(0)
        kernel = simulate(Classic(players=players), "edges-first", 40_000, 5, progress=False).totals
        error = max(kernel.error_heads)
        assert line == pytest.approx(sum(kernel.mean_heads) / players, abs=6 * error)


@pytest.mark.native
def test_the_tool_counts_what_explore_counts() -> None:
    rounds = 12
    sums = tool.count("level-3", 3, 100, rounds)
    tables = Tables(3, ("level-3",), tool.SEED)
    games = []
    for number in range(100, 100 + rounds):
        seed = tables.seed_of(number)
        choices = tuple(step.choices for step in _steps(3, tables.seats(number), seed))
        games.append(Record(Classic(players=3, rounds=1), choices, seed))
    for by, most in BY.items():
        for row in range(6):
            lines = explore(games, by, row=row).lines
            cells = {line.value: sums[by][4 * (row * (most + 1) + line.value) :][:4] for line in lines}
            assert {value: four[0] for value, four in cells.items()} == {line.value: line.count for line in lines}
            assert sum(four[2] for four in cells.values()) == round(sum(line.heads * line.count for line in lines))
            assert sum(four[1] for four in cells.values()) == round(sum(line.takes * line.count for line in lines))


def test_a_line_by_hand() -> None:
    start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 ; B: 3 ; C: 104"
    game = Record(Classic(players=3, rounds=1), ({0: 19, 1: 3, 2: 104}, {1: 1}), start=start)
    low, safe, full = explore([game], "length").lines
    assert [(line.value, line.count, line.takes, line.heads) for line in (low, safe, full)] == [
        (0, 1, 1.0, 1.0),
        (2, 1, 0.0, 0.0),
        (5, 1, 1.0, 6.0),
    ]
    (gap,) = explore([game], "gap", row=5).lines
    assert gap.value == 1 and "full" not in str(gap) and "6.00" in str(explore([game], "gap", row=5))


def test_games_without_such_cards() -> None:
    found = explore([record(Buffalo(players=2), ["level-1", "level-1"], seed=3)])
    assert found.count == sum(line.count for line in found.lines)
    assert str(explore([])) and explore([]).frame.height == 0


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("measure", ["heads", "takes", "share"])
def test_chart(lang: str, measure: str) -> None:
    found = explore(by="gap", row=5, players=6)
    spec = charts.explored(found, measure, lang=lang).to_dict()
    (data,) = spec["datasets"].values() if "datasets" in spec else [spec["data"]["values"]]
    assert [(each["value"], each["middle"]) for each in data] == [
        (line.value, getattr(line, measure)) for line in found.lines if line.value < BY["gap"]
    ]
    assert all(each["low"] <= each["middle"] <= each["high"] for each in data)


def test_refusals(tmp_path: Path) -> None:
    with refused(RulesError, "shared.must_one_of", what="by", known=", ".join(BY), got="'colour'"):
        explore(by="colour")
    with refused(RulesError, "study.explore_row", most=5, got="6"):
        explore(row=6)
    with refused(RulesError, "study.dataset_no_size", got=7, known="2, 3, 4, 5, 6, 10"):
        explore(players=7)
    with refused(RulesError, "shared.must_one_of", what="player", known=", ".join(COUNTED_PLAYERS), got="'best'"):
        explore(player="best")
    with refused(RulesError, "shared.must_one_of", what="measure", known="heads, takes, share", got="'luck'"):
        charts.explored(explore(), "luck")
    assert explore(tmp_path).lines == ()
