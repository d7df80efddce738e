"""The cost of a card that fits no row: bots and the review of a turn assume the same policy (R-C4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from nimmt_lab import Buffalo, Classic, Record
from nimmt_lab.bots.simple import ClosestSafeBot, LeastRiskBot, edges_first, least_risk
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import HasRows
from nimmt_lab.explain import explain, turns
from tests.support import refused


@dataclass(frozen=True)
class HeadsAreGood(Classic):
    """The classic game of players who collect heads."""

    @property
    def heads_are_good(self) -> bool:
        return True


@dataclass(frozen=True)
class NothingToTake(Classic):
    """The classic game without rule 4."""

    def rows_to_take(self, table: HasRows) -> tuple[int, ...]:
        return ()


#: 5 fits nowhere (the rows cost 7, 1, 3 and 2 heads), 19 takes six, 62 is safe.
POSITION = "12 14 15 16 18 | 37 | 40 | 58 61 ; A: 5 19 62 ; B: 2 3 4"


def test_where_heads_are_good_a_low_card_takes_the_most() -> None:
    good, usual = HeadsAreGood(players=2).from_position(POSITION), Classic(players=2).from_position(POSITION)
    assert [usual.game.row_cost(usual, row) for row in range(4)] == [6, 1, 3, 2]
    assert [good.game.row_cost(good, row) for row in range(4)] == [-6, -1, -3, -2]
    assert (usual.game.low_card_row(usual), good.game.low_card_row(good)) == (1, 0)
    # The same probability for the same row, or for another one, with the opposite sign.
    assert 0 < 6 * least_risk(usual.view(0), 5) == -least_risk(good.view(0), 5)
    assert 0 < least_risk(usual.view(0), 19) == -least_risk(good.view(0), 19)
    assert edges_first(good.view(0), 5) - least_risk(good.view(0), 5) == -1700 * 47
    four = "12 | 37 | 40 | 58 61 62 63 ; A: 5 95 ; B: 2 3"  # a head on a card placed before 95 counts as well
    usual, good = Classic(players=2).from_position(four), HeadsAreGood(players=2).from_position(four)
    assert 0 < least_risk(usual.view(0), 95) == -least_risk(good.view(0), 95)


def test_who_likes_heads_takes_them() -> None:
    usual = Classic(players=2).from_position(POSITION).view(0)
    assert ClosestSafeBot().choose(usual, Rng.from_seed(1)) == 62
    good = HeadsAreGood(players=2).from_position(POSITION).view(0)
    assert ClosestSafeBot().choose(good, Rng.from_seed(1)) == 5  # six heads, as for 19, and the lower card
    dear = HeadsAreGood(players=2).from_position("12 14 15 16 18 | 37 | 40 | 58 ; A: 19 38 62 ; B: 2 3 4").view(0)
    assert ClosestSafeBot().choose(dear, Rng.from_seed(1)) == 19
    assert LeastRiskBot().choose(dear, Rng.from_seed(1)) == 19
    calm = HeadsAreGood(players=2).from_position("12 | 37 | 40 | 58 ; A: 13 45 63 ; B: 2 3 4").view(0)
    assert ClosestSafeBot().choose(calm, Rng.from_seed(1)) == 13  # nothing to gain: the closest


@pytest.mark.parametrize(("rows", "cheapest", "heads"), [((), 0, 1), ((0,), 3, 2), ((0, 3), 1, 4), ((0, 1, 3), 2, 10)])
def test_stopped_rows_are_not_for_taking(rows: Sequence[int], cheapest: int, heads: int) -> None:
    """R-B3."""
    game = Buffalo(players=2)
    stops = f" ; stop: {' '.join(str(row + 1) for row in rows)}" if rows else ""
    state = game.from_position(f"1 | 37 40 | 55 60 | 58 61 ; A: 20 ; B: 64{stops}", ordered=False)
    assert game.low_card_row(state) == game.cheapest_row(state) == cheapest
    if rows:  # 20 is low now, and two others may play lower cards, as in the classic game for three
        three = Classic(players=3).from_position("97 | 101 | 102 | 103 ; A: 20 ; B: 64 ; C: 65")
        assert least_risk(state.view(0), 20) == heads * least_risk(three.view(0), 20) > 0
        assert ClosestSafeBot()._cost(state.view(0), 20, 20) == (True, heads, 20)


def test_where_nothing_may_be_taken_a_low_card_costs_nothing() -> None:
    state = NothingToTake(players=2).from_position(POSITION)
    assert state.game.low_card_row(state) is None
    assert least_risk(state.view(0), 5) == 0
    assert ClosestSafeBot()._cost(state.view(0), 5, 5) == (True, 0, 5)
    with refused(RulesError, "engine.no_row"):
        state.game.cheapest_row(state)
    with refused(RulesError, "engine.no_row"):
        Classic(players=2).cheapest_row(state, ())


@pytest.mark.parametrize(("game", "heads"), [(Classic(players=2), 1), (HeadsAreGood(players=2), 6)])
def test_what_a_card_would_have_cost_had_it_come_first(game: Classic, heads: int) -> None:
    """5 fits nowhere when cards are chosen, but 4 is placed before it and starts a row for it."""
    record = Record(game, start=POSITION).then({0: 5, 1: 4})
    (turn,) = turns(record.then({1: 1}))
    placement = next(one for one in explain(turn) if one.card == 5)
    assert (placement.heads, placement.heads_now, placement.luck) == (0, heads, heads)
