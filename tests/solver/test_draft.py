"""The draft: small ones compared with plain minimax, the adviser with two simple picking policies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.errors import NimmtError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.draft import advised, at_random, by_heads, deals_left, draft_match, estimate_picks, solve_draft
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.reference import ReferenceSolver
from tests.support import refused

REFERENCE = ReferenceSolver()


def minimax(state: GameState) -> Fraction:
    """No pruning, exact fractions."""
    if state.rows:
        return REFERENCE.value(state.rows, *state.hands)
    ((seat, decision),) = state.pending.items()
    results = [minimax(state.choose({seat: card})[0]) for card in decision.options]
    return max(results) if seat == 0 else min(results)


def after_random_picks(size: int, picks: int, seed: int) -> GameState:
    state, rng = Advanced(players=2, hand_size=size, first=seed % 2).deal(seed=seed), Rng.from_seed(seed)
    for _ in range(picks):
        seat = next(iter(state.pending))
        card, rng = at_random(state, rng)
        state, _ = state.choose({seat: card})
    return state


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize(("size", "left"), [(1, 2), (2, 3), (3, 2), (4, 1)])
def test_last_picks_against_plain_minimax(size: int, left: int) -> None:
    for seed in range(4):
        state = after_random_picks(size, 2 * size - left, seed)
        solution = solve_draft(state)
        value = minimax(state)
        assert solution.value == pytest.approx(float(value), abs=1e-6)
        seat = next(iter(state.pending))
        assert float(minimax(state.choose({seat: solution.best})[0])) == pytest.approx(float(value), abs=1e-6)
        assert solution.deals <= deals_left(state)


@pytest.mark.native
def test_small_drafts_are_fair() -> None:
    """Known from other experiments: neither side has an advantage in drafts of two and three cards."""
    for size in (2, 3):
        assert solve_draft(Advanced(players=2, hand_size=size).deal(seed=0)).value == pytest.approx(0, abs=1e-6)


@pytest.mark.exhaustive
@pytest.mark.native
def test_the_adviser_beats_random_picks_and_picks_by_heads() -> None:
    judge = Searcher()
    for other in (at_random, by_heads):
        gain = draft_match(advised(400), other, drafts=60, hand_size=5, judge=judge)
        assert gain.mean > gain.margin, other.__name__
        whole = draft_match(advised(400), other, drafts=16)
        assert whole.mean > whole.margin, other.__name__


@pytest.mark.native
def test_advice_is_the_same_for_equal_seeds_and_sure_of_the_best() -> None:
    state = after_random_picks(10, 7, 3)
    one, two = estimate_picks(state, playouts=3000, seed=5), estimate_picks(state, playouts=3000, seed=5)
    assert one == two
    assert set(one) == set(state.stock)
    estimates = list(one.values())
    assert estimates[0].playouts == max(estimate.playouts for estimate in estimates)
    assert 0 < estimates[0].margin < 2
    assert one != estimate_picks(state, playouts=3000, seed=6)


def test_what_it_refuses() -> None:
    with refused(RulesError, "solver.deals_cards_hand", hand_size=10):
        solve_draft(Advanced(players=2).deal(seed=0))
    for state in (Advanced(players=3).deal(seed=0), Classic(players=2).deal(seed=0)):
        with pytest.raises(NimmtError):
            estimate_picks(state)
    with pytest.raises(NimmtError):
        solve_draft(after_random_picks(2, 4, 0))
    with pytest.raises(NimmtError):
        estimate_picks(Advanced(players=2).deal(seed=0), playouts=0)
    with pytest.raises(NimmtError):
        draft_match(at_random, by_heads, drafts=1, judge=Searcher())
