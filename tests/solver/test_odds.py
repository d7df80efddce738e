"""Exact odds compared with full enumeration (as fractions) and simulation, and edge cases."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import settings
from hypothesis import strategies as st

import nimmt_lab.solver
from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.cards import heads
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.turn_odds import CardOdds, cheapest_row, odds
from tests.support import refused


def heads_taken(rows: list[list[int]], mine: int, others: tuple[int, ...], limit: int = 5) -> int:
    """One turn by the rulebook, card by card: what `mine` takes. Shares no code with the counting in odds.py."""
    rows = [list(row) for row in rows]
    for card in sorted((mine, *others)):
        lower = [row for row in rows if row[-1] < card]
        if lower:
            row = max(lower, key=lambda r: r[-1])
            taken = row[:] if len(row) == limit else []
        else:
            row = min(rows, key=lambda r: (sum(map(heads, r)), -r[-1]))
            taken = row[:]
        if taken:
            row[:] = [card]
        else:
            row.append(card)
        if card == mine:
            return sum(map(heads, taken))
    raise AssertionError("my card was not placed")


def enumerated(
    rows: list[list[int]], mine: int, pool: list[int], opponents: int, limit: int = 5
) -> dict[int, Fraction]:
    counts = Counter(heads_taken(rows, mine, others, limit) for others in combinations(pool, opponents))
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}


def small_position(
    rng: Rng, deck: int, hand_size: int, rows_count: int = 4, limit: int = 5
) -> tuple[list[list[int]], list[int], list[int]]:
    """A random table with rows of random lengths, a hand and a few seen cards."""
    cards, rng = rng.shuffled(range(1, deck + 1))
    left = list(cards)
    rows = []
    for _ in range(rows_count):
        size, rng = rng.below(limit)
        rows.append(sorted(left[: size + 1]))
        left = left[size + 1 :]
    hand, left = left[:hand_size], left[hand_size:]
    n, rng = rng.below(3)
    return rows, hand, left[:n]


@pytest.mark.exhaustive
@pytest.mark.parametrize("opponents", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(12))
def test_agrees_with_enumeration_as_fractions(seed: int, opponents: int) -> None:
    rows, hand, seen = small_position(Rng.from_seed(seed, opponents), 36, 4)
    result = odds(rows, hand, opponents, seen=seen, deck=range(1, 37))
    known = {*hand, *seen, *(c for row in rows for c in row)}
    pool = [c for c in range(1, 37) if c not in known]
    if len(pool) > 20:
        pool = pool[:20]
        result = odds(rows, hand, opponents, seen=seen, deck=range(1, 37), given=set(pool).__contains__)
    assert list(result) == hand
    for card in hand:
        assert sum(result[card].distribution.values()) == 1
        expected = enumerated(rows, card, pool, opponents)
        assert {v: p for v, p in result[card].distribution.items() if p} == expected
        assert result[card].expected_heads == sum(v * p for v, p in expected.items())
        assert result[card].p_take == sum(p for v, p in expected.items() if v)


@pytest.mark.parametrize("opponents", [8, 9, 10, 11])
@pytest.mark.parametrize("seed", range(4))
def test_many_opponents_restart_my_row_before_me(seed: int, opponents: int) -> None:
    # One or two rows and many cards in play: c + t = 10 and the second round of a low card's row (t = 9) both occur.
    rows, hand, _ = small_position(Rng.from_seed(seed, 77), 24, 3, rows_count=1 + seed % 2)
    result = odds(rows, hand, opponents, deck=range(1, 25))
    known = {*hand, *(c for row in rows for c in row)}
    pool = [c for c in range(1, 25) if c not in known]
    pool = pool[: opponents + 4]
    result = odds(rows, hand, opponents, deck=range(1, 25), given=set(pool).__contains__)
    for card in hand:
        expected = enumerated(rows, card, pool, opponents)
        assert {v: p for v, p in result[card].distribution.items() if p} == expected


@pytest.mark.parametrize(("rows_count", "limit"), [(1, 1), (3, 1), (1, 2), (5, 2), (2, 3), (5, 6), (8, 4), (2, 9)])
@pytest.mark.parametrize("opponents", [1, 3, 5])
def test_other_tables_agree_with_enumeration(rows_count: int, limit: int, opponents: int) -> None:
    for seed in range(4):
        last = rows_count * limit + 14
        rows, hand, seen = small_position(Rng.from_seed(seed, opponents), last, 3, rows_count, limit)
        known = {*hand, *seen, *(card for row in rows for card in row)}
        pool = [card for card in range(1, last + 1) if card not in known][:12]
        given = set(pool).__contains__
        result = odds(rows, hand, opponents, seen=seen, deck=range(1, last + 1), given=given, row_limit=limit)
        for card in hand:
            expected = enumerated(rows, card, pool, opponents, limit)
            assert {value: p for value, p in result[card].distribution.items() if p} == expected


def test_a_view_knows_its_table() -> None:
    game = Classic(players=3, rows=5, row_limit=2, hand_size=2, deck_size=16)
    state = game.from_position("1 | 2 3 | 8 | 9 10 | 16 ; A: 4 11 ; B: 5 12 ; C: 6 13")
    pool = [5, 6, 7, 12, 13, 14, 15]
    for card, found in odds(state.view(0)).items():
        rows = [list(row) for row in state.rows]
        assert {value: p for value, p in found.distribution.items() if p} == enumerated(rows, card, pool, 2, 2)


@settings(max_examples=60, deadline=None)
@hypothesis_given(st.integers(0, 2**32), st.integers(1, 3), st.integers(0, 30))
def test_condition_on_what_opponents_play(seed: int, opponents: int, floor: int) -> None:
    rows, hand, seen = small_position(Rng.from_seed(seed), 30, 2)
    known = {*hand, *seen, *(c for row in rows for c in row)}
    pool = [c for c in range(1, 31) if c not in known and c >= floor]
    if len(pool) < opponents:
        with refused(PositionError, "solver.opponents_left", opponents=opponents, count=len(pool)):
            odds(rows, hand, opponents, seen=seen, given=lambda c: c >= floor, deck=range(1, 31))
        return
    result = odds(rows, hand, opponents, seen=seen, given=lambda c: c >= floor, deck=range(1, 31))
    for card in hand:
        assert {v: p for v, p in result[card].distribution.items() if p} == enumerated(rows, card, pool, opponents)


def simulated_check(seed: int, opponents: int, samples: int) -> None:
    """Sampled frequencies of every outcome within 4 standard errors of the exact ones (each outcome on its own)."""
    rows, hand, seen = small_position(Rng.from_seed(seed, 5), 104, 10)
    result = odds(rows, hand, opponents, seen=seen)
    known = {*hand, *seen, *(c for row in rows for c in row)}
    pool = [c for c in range(1, 105) if c not in known]
    card = sorted(hand)[len(hand) // 2]
    rng = Rng.from_seed(seed, 6)
    sums = squares = takes = 0
    for _ in range(samples):
        drawn, rng = rng.shuffled(pool, take=opponents)
        value = heads_taken(rows, card, drawn[:opponents])
        sums += value
        squares += value * value
        takes += value > 0
    exact = result[card]
    error = (float(exact.variance) / samples) ** 0.5
    assert abs(sums / samples - float(exact.expected_heads)) <= 4 * error + 1e-12
    p = float(exact.p_take)
    assert abs(takes / samples - p) <= 4 * (p * (1 - p) / samples) ** 0.5 + 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_simulation(seed: int) -> None:
    simulated_check(seed, opponents=5, samples=20_000)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "opponents"), [(1, 3), (2, 9), (3, 6)])
def test_agrees_with_a_million_simulations(seed: int, opponents: int) -> None:
    simulated_check(seed, opponents, samples=1_000_000)


def test_cheapest_row_ties_go_to_the_highest_end() -> None:
    assert cheapest_row([[12], [37], [43], [58, 61]]) == 2
    assert cheapest_row([[37], [43], [12], [58, 61]]) == 1
    assert cheapest_row([[10], [55], [1, 2], [3, 4]]) == 3


def test_the_order_of_rows_does_not_matter() -> None:
    rows = [[3, 9], [20, 21, 22, 23], [50, 51, 52, 53, 54], [70]]
    hand = [1, 5, 25, 60, 99]
    assert odds(rows, hand, 4) == odds(rows[::-1], hand, 4)


@pytest.mark.parametrize(
    ("rows", "hand", "opponents", "seen", "reason"),
    [
        ([], [5], 1, [], Phrase("solver.table_row")),
        ([[5, 4]], [6], 1, [], Phrase("solver.row_ascends", number=1)),
        ([[1], []], [6], 1, [], Phrase("solver.row_holds", number=2, most=5, count=0)),
        ([[1, 2, 3, 4, 5, 6]], [7], 1, [], Phrase("solver.row_holds", number=1, most=5, count=6)),
        ([[1]], [1], 1, [], Phrase("solver.card_twice", card=1, where="row 1", place="the hand")),
        ([[1]], [7, 7], 1, [], Phrase("solver.card_twice", card=7, where="the hand", place="the hand")),
        ([[1]], [105], 1, [], Phrase("solver.no_card_deck", card="105", place="the hand")),
        ([[1]], [5], 1, [0], Phrase("solver.no_card_deck", card="0", place="the seen cards")),
        ([[1]], [5], -1, [], Phrase("shared.must_whole_0", what="opponents", got="-1")),
        ([[1]], [5], True, [], Phrase("shared.must_whole_0", what="opponents", got="True")),
        ([[1]], [5], 103, [], Phrase("solver.opponents_left", opponents=103, count=102)),
    ],
    ids=str,
)
def test_impossible_positions(
    rows: list[list[int]], hand: list[int], opponents: int, seen: list[int], reason: Phrase
) -> None:
    with refused(PositionError, reason):
        odds(rows, hand, opponents, seen=seen)


def test_seen_cards_may_repeat_what_is_in_sight() -> None:
    rows = [[3, 9], [20]]
    assert odds(rows, [5], 2, seen=[9, 5, 60]) == odds(rows, [5], 2, seen=[60])


def test_a_view_says_everything_itself() -> None:
    """Cards taken or played before count as seen; the answer equals that of the explicit question."""
    mattered = 0
    for seed in range(6):
        state = random_state(Classic(players=3, rounds=1), 6, seed)
        view = state.view(1)
        gone = [card for pile in state.piles for card in pile]
        found = nimmt_lab.solver.odds(view)
        assert found == odds(view.rows, view.hand, 2, seen=gone)
        mattered += found != odds(view.rows, view.hand, 2)
        assert list(found) == list(view.hand)
        high = nimmt_lab.solver.odds(view, given=lambda card: card > 50)
        assert high == odds(view.rows, view.hand, 2, seen=gone, given=lambda card: card > 50)
    assert mattered >= 3, "what was taken matters"


def test_views_it_refuses() -> None:
    asked = Classic(players=3).deal(seed=1).view(0)
    with pytest.raises(RulesError):
        odds(asked, [3], 2)  # type: ignore[call-overload]
    for game in (
        Classic(players=3, fan_cards=("mountain",)),
        Advanced(players=3),
        Classic(players=3, heads="containing_5"),
    ):
        with refused(RulesError, "solver.odds_known_classic", game=game.name):
            odds(game.deal(seed=1).view(0))
    low = Classic(players=2).from_position("15 | 16 | 17 | 18 ; A: 20 ; B: 21 ; place: A1 B10")
    with refused(PositionError, "solver.not_asked_card", who="B"):
        odds(low.view(1))


def test_variance_is_the_mean_square_from_the_mean() -> None:
    one = CardOdds(45, {0: Fraction(1, 2), 3: Fraction(1, 4), 7: Fraction(1, 4)})
    assert one.expected_heads == Fraction(5, 2)
    assert one.variance == Fraction(25, 8) + Fraction(1, 16) + Fraction(81, 16) == Fraction(33, 4)
    for found in odds([(12,), (37,), (43, 44), (50, 51, 52, 53, 58)], [5, 60, 90], opponents=3).values():
        mean = found.expected_heads
        assert found.variance == sum((heads - mean) ** 2 * chance for heads, chance in found.distribution.items())
        assert found.variance > 0
