"""Tournaments: fair deals and seats, honest intervals, ratings in the right order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from statistics import stdev
from typing import Any

import polars as pl
import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import LowestBot, RandomBot, bot
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games import BoardGame, Buffalo
from nimmt_lab.study import tournament, work
from tests.support import refused

ONE_ROUND = Classic(players=3, rounds=1)


def test_every_bot_sits_everywhere_on_every_deal() -> None:
    result = tournament(ONE_ROUND, ["lowest", "highest", "random"], deals=7, seed=3, progress=False)
    frame = result.frame
    assert len(frame) == 7 * 3 * 3
    for name in ("lowest", "highest", "random"):
        mine = frame.filter(frame["bot"] == name)
        assert sorted(zip(mine["deal"], mine["seat"], strict=True)) == [(d, s) for d in range(1, 8) for s in "ABC"]
    # Deterministic bots in the same seats get the same cards, so repeating a game gives the same points.
    again = tournament(ONE_ROUND, [LowestBot(), bot("highest"), RandomBot()], deals=7, seed=3, progress=False)
    assert again.results == result.results
    other = tournament(ONE_ROUND, ["lowest", "highest", "random"], deals=7, seed=4, progress=False)
    assert other.results != result.results


def test_means_intervals_and_credit() -> None:
    result = tournament(ONE_ROUND, ["lowest", "odds", "random"], deals=30, seed=1, progress=False)
    frame = result.frame
    assert sum(standing.win_credit for standing in result.standings) == pytest.approx(1)
    for standing in result.standings:
        mine = frame.filter(frame["bot"] == standing.bot)
        assert standing.games == len(mine) == 90
        assert standing.win_credit == pytest.approx(mine["win_credit"].mean())
        assert standing.mean_heads == pytest.approx(mine["points"].mean())
        by_deal = mine.group_by("deal").agg(pl.col("points").mean())["points"].to_list()
        assert standing.mean_heads_margin == pytest.approx(1.96 * stdev(by_deal) / 30**0.5)
    assert result.standings[0].bot == "odds" and result.standings[-1].bot == "lowest"
    assert [s.rating for s in result.standings] == sorted((s.rating for s in result.standings), reverse=True)
    assert sum(s.rating for s in result.standings) == pytest.approx(0, abs=1e-6)
    pairs = {(a, b): (ahead, by) for a, b, _, ahead, by, _ in result.pairs.iter_rows()}
    assert pairs["odds", "lowest"][0] + pairs["lowest", "odds"][0] == pytest.approx(1)
    assert pairs["odds", "lowest"][1] == pytest.approx(-pairs["lowest", "odds"][1]) and pairs["odds", "lowest"][1] > 0


def test_where_more_is_better_the_winner_has_the_higher_rating() -> None:
    result = tournament(BoardGame(players=2), ["random", "lowest"], deals=4, progress=False)
    first, last = result.standings
    assert first.win_credit > last.win_credit and first.mean_heads > last.mean_heads
    assert first.rating > 0 > last.rating
    pairs = {bot: (ahead, by) for bot, _, _, ahead, by, _ in result.pairs.iter_rows()}
    assert pairs[first.bot][0] == pytest.approx(first.win_credit)
    assert pairs[first.bot][1] == pytest.approx(first.mean_heads - last.mean_heads)


def test_equal_bots_count_once_and_fields_are_filled() -> None:
    result = tournament(ONE_ROUND, ["lowest", "random", "random"], deals=4, progress=False)
    assert len(result.results) == 4 * 3 * 3  # three different rotations
    assert result.bots == ("lowest", "random")
    same = tournament(ONE_ROUND, ["random"] * 3, deals=4, progress=False)
    assert len(same.results) == 4 * 3  # all rotations look alike
    assert same.standings[0].win_credit == pytest.approx(1 / 3)
    assert same.standings[0].rating == 0


def test_more_bots_than_seats_meet_in_every_combination() -> None:
    game = Classic(players=2, rounds=1)
    result = tournament(game, ["lowest", "highest", "random"], deals=3, progress=False)
    assert len(result.results) == 3 * 3 * 2 * 2
    assert {(a, b) for a, b, *_ in result.pairs.iter_rows()} == {
        (a, b) for a in result.bots for b in result.bots if a != b
    }


def test_teams_share_their_result() -> None:
    result = tournament(Buffalo(players=2), ["random", "lowest"], deals=3, progress=False)
    frame = result.frame
    assert all(len(set(game["points"])) == 1 for _, game in frame.group_by("game"))


class Interrupting(RandomBot):
    """Simulates the interrupt key in the middle of the third deal."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def choose(self, view: View, rng: Rng) -> Any:
        self.asked += view.turn == 0
        if self.asked > 2 * 2:
            raise KeyboardInterrupt
        return super().choose(view, rng)


def test_an_interrupt_keeps_whole_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_IN_FLIGHT", 1)
    with ThreadPoolExecutor(1) as one:
        result = tournament(
            Classic(players=2, rounds=1), [Interrupting(), "lowest"], deals=10, progress=False, executor=one
        )
    assert not result.is_complete
    assert 1 <= result.deals <= 2
    assert len(result.results) == result.deals * 4
    assert "of 10 deals" in repr(result)


@pytest.mark.parametrize(
    ("bots", "deals", "key", "fields"),
    [
        (["random", "random"], 5, "study.seats_bots", {"least": 3, "got": 2}),
        (["random", "random", "best:speed=3"], 5, "bots.bot_option", {"name": "'best'"}),
        (["random", "random", "nobody"], 5, "bots.no_bot", {"name": "'nobody'"}),
        (["random", "random", "flat:goal=fame"], 5, "shared.must_one_of", {"what": "goal"}),
        (["random", "random", "flat:playouts=0"], 5, "shared.must_whole_from", {"what": "playouts"}),
        (["random"] * 3, 0, "shared.must_whole_from", {"what": "deals"}),
    ],
)
def test_wrong_tournaments(bots: list[str], deals: int, key: str, fields: dict[str, object]) -> None:
    with refused(RulesError, key, **fields):
        tournament(ONE_ROUND, bots, deals=deals, progress=False)


def test_intervals_are_95_percent_on_both_sides() -> None:
    result = tournament(Classic(players=2, rounds=1), ["lowest", "random"], deals=12, seed=1, progress=False)
    for row, standing in zip(result.summary.iter_rows(named=True), result.standings, strict=True):
        by_deal = [r.credit for r in result.results if r.bot == standing.bot]
        deals = [(a + b) / 2 for a, b in zip(by_deal[::2], by_deal[1::2], strict=True)]
        margin = 1.96 * stdev(deals) / len(deals) ** 0.5
        assert standing.win_credit_margin == pytest.approx(margin) and margin > 0
        for what in ("win_credit", "mean_heads"):
            assert row[f"{what}_low"] == pytest.approx(row[what] - row[f"{what}_margin"])
            assert row[f"{what}_high"] == pytest.approx(row[what] + row[f"{what}_margin"])
