"""Drafting by estimated deal values: estimates near the exact values, plain minimax at the end, stronger picks."""

from __future__ import annotations

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.errors import CoreMissing, NimmtError, RulesError, Unsupported
from nimmt_lab.engine.state import GameState
from nimmt_lab.native import loader
from nimmt_lab.solver.deals import random_deal, solved_deals
from nimmt_lab.solver.draft import advised, at_random, deals_left, draft_match, quick_value
from nimmt_lab.solver.draft_adviser import (
    SHORT_LIST,
    DealGuesser,
    advise_by_deals,
    advised_by_deals,
    estimated_worth,
    worth_of_cards,
)
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition
from tests.support import refused

from .test_draft import after_random_picks

pytestmark = pytest.mark.native


def game_of(size: int) -> Advanced:
    return Advanced(players=2, hand_size=size)


def worth(guesser: DealGuesser, state: GameState) -> float:
    return guesser.worth((state.hands[0], state.hands[1]), tuple(row[0] for row in state.rows))


@pytest.mark.exhaustive
def test_guesses_at_deals_are_nearer_than_quick_rounds() -> None:
    off, quick = [], []
    for size in (6, 7):
        guesser, judge = DealGuesser(game_of(size)), Searcher()
        for seed in range(12):
            state = random_deal(seed, cards=size)
            exact = sum(judge.bounds(OpenPosition.of(state))) / 2
            off.append(abs(worth(guesser, state) - exact))
            quick.append(abs(quick_value(state) - exact))
    assert sum(off) < sum(quick) / 2


@pytest.mark.exhaustive
def test_guesses_at_large_deals_and_closer_ones() -> None:
    off, closer = [], []
    for deal in solved_deals():
        off.append(abs(worth(DealGuesser(game_of(deal.cards)), deal.state) - deal.value))
        if deal.cards < 10:
            closer.append(abs(estimated_worth(deal.state) - deal.value))
    spread = [abs(deal.value) for deal in solved_deals()]
    assert sum(off) < sum(spread) / 2
    assert sum(closer) / len(closer) < 0.6


@pytest.mark.parametrize("left", [1, 2, 3])
def test_with_few_picks_left_all_of_them_are_looked_at(left: int) -> None:
    """Compare with minimax without memory, for both seats."""
    seats = set()
    for seed in range(4):
        state = after_random_picks(6, 12 - left, seed)
        guesser = DealGuesser(game_of(6))

        def minimax(state: GameState, guesser: DealGuesser = guesser) -> float:
            if state.rows:
                return worth(guesser, state)
            ((seat, decision),) = state.pending.items()
            after = [minimax(state.choose({seat: card})[0]) for card in decision.options]
            return max(after) if seat == 0 else min(after)

        seat = next(iter(state.pending))
        seats.add(seat)
        advice = advise_by_deals(state, deals=deals_left(state))
        assert set(advice) == set(state.stock)
        means = [estimate.mean for estimate in advice.values()]
        assert means == sorted(means, reverse=True)
        for card, estimate in advice.items():
            value = minimax(state.choose({seat: card})[0])
            assert estimate.mean == pytest.approx(value if seat == 0 else -value, abs=0.1)
            assert estimate.margin == 0
    assert seats == {0, 1}


def test_a_long_draft_is_sampled_the_same_way_for_every_card() -> None:
    state, heard = after_random_picks(6, 2, 3), list[tuple[int, int]]()
    one = advise_by_deals(state, deals=60, seed=4, report=lambda done, whole: heard.append((done, whole)))
    assert one == advise_by_deals(state, deals=60, seed=4)
    assert one != advise_by_deals(state, deals=60, seed=5)
    assert len(one) == SHORT_LIST and set(one) <= set(state.stock)
    assert [done for done, _ in heard] == list(range(1, heard[-1][1] + 1))
    assert sum(estimate.playouts for estimate in one.values()) == len(heard)
    playouts = [estimate.playouts for estimate in one.values()]
    assert playouts == sorted(playouts, reverse=True) and playouts[-1] >= 2
    assert all(estimate.margin > 0 for estimate in one.values())


def test_an_interrupt_keeps_what_is_known() -> None:
    state = after_random_picks(6, 2, 3)

    def stop_after(most: int) -> object:
        def report(done: int, whole: int) -> None:
            if done == most:
                raise KeyboardInterrupt

        return advise_by_deals(state, deals=200, seed=4, report=report)

    known = stop_after(2 * SHORT_LIST)
    assert isinstance(known, dict) and sum(estimate.playouts for estimate in known.values()) == 2 * SHORT_LIST
    with pytest.raises(KeyboardInterrupt):
        stop_after(2 * SHORT_LIST - 1)


@pytest.mark.exhaustive
def test_it_picks_better_than_quick_rounds() -> None:
    """Six cards per hand, judged exactly."""
    gain = draft_match(advised_by_deals(60), advised(2_000), drafts=24, hand_size=6, judge=Searcher())
    assert gain.mean > gain.margin


@pytest.mark.exhaustive
def test_a_draft_of_ten_can_be_picked_and_judged() -> None:
    judged: list[int] = []

    def judge(state: GameState) -> float:
        judged.append(len(state.hands[0]))
        return 3.0

    # The value of a function counts, from the viewpoint of the seat with the first picking policy: A's, then B's.
    found = draft_match(advised_by_deals(6), at_random, drafts=2, judge=judge)
    assert judged == [10, 10] and found.mean == 0 and found.margin > 0


@pytest.mark.exhaustive
def test_low_cards_are_a_burden() -> None:
    """The draft study's claims about ten cards per hand."""
    found = worth_of_cards(game_of(10), deals=150, seed=1)
    assert len(found) == 24
    assert all(found[card].mean + found[card].margin < 0 for card in (1, 2, 3, 4))
    assert sum(found[card].mean for card in range(13, 25)) > 0
    # every deal gives ten cards to each side: one side's gain is the other's loss
    assert sum(estimate.mean * estimate.playouts for estimate in found.values()) == pytest.approx(0, abs=1e-6)


def test_what_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with refused(RulesError, "solver.deals_must_at", got="0"):
        advise_by_deals(game_of(6).deal(seed=0), deals=0)
    with refused(RulesError, "solver.deals_must_at_least", got="1"):
        worth_of_cards(game_of(6), deals=1)
    with refused(Unsupported, "solver.nothing_was_learned_about", hand_size=5):
        advise_by_deals(game_of(5).deal(seed=0))
    with refused(Unsupported, "solver.nothing_was_learned", cards_each=5):
        estimated_worth(random_deal(1, cards=5))
    for state in (Advanced(players=3).deal(seed=0), Classic(players=2).deal(seed=0), random_deal(1, cards=6)):
        with pytest.raises(NimmtError):
            advise_by_deals(state)
    monkeypatch.setattr(loader, "_loaded", [None])
    for ask in (lambda: DealGuesser(game_of(6)), lambda: estimated_worth(random_deal(1, cards=6))):
        with pytest.raises(CoreMissing):
            ask()
