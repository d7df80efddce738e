"""Advice: an estimate with its error for every option, and an error from bots that cannot give advice."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from nimmt_lab import Baron, BoardGame, Classic
from nimmt_lab.bots import Bot, OddsBot, bot, bot_names
from nimmt_lab.bots.by_engine import EnginePlayouts, win_credit
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native.tries import estimate
from nimmt_lab.solver.turn_odds import odds
from tests.support import GAMES, refused

ADVISERS = ("flat", "best", "best-1", "best-2", "second-thoughts")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("adviser", ADVISERS)
def test_every_option_of_every_game_gets_its_figures(name: str, adviser: str) -> None:
    state, rng = GAMES[name].deal(seed=3), Rng.from_seed(4)
    seen = set()
    for _ in range(12):
        seat, decision = next(iter(state.pending.items()))
        if type(decision) not in seen:
            seen.add(type(decision))
            view = state.view(seat)
            advice = bot(f"{adviser}:playouts=100").advise(view, seed=5)
            options = [promise.option for promise in advice]
            assert len(options) == len(set(options)) and all(option in decision.options for option in options)
            assert len(options) + advice.left_out == len(decision.options)
            assert len(options) == min(64, len(decision.options))
            assert (advice.method, advice.until, advice.is_exact) == ("search", "round", False)
            for promise in advice:
                assert promise.playouts >= 2 and promise.points_error >= 0
                assert promise.wins is not None and 0 <= promise.wins <= 1
            assert bot(f"{adviser}:playouts=100").advise(view, seed=5).promises == advice.promises
            assert len(str(advice).splitlines()) == len(options) + 2 + bool(advice.left_out)
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)


@pytest.mark.parametrize(
    "name", [name for name in bot_names() if name not in (*ADVISERS, "odds", "level-6", "level-7", "level-8")]
)
def test_who_cannot_say_refuses(name: str) -> None:
    with refused(Unsupported, "bots.bot_gives_no"):
        bot(name).advise(Classic(players=2).deal(seed=1).view(0))


def test_odds_are_exact_and_for_one_turn() -> None:
    view = Classic(players=4).deal(seed=2).view(1)
    advice = OddsBot().advise(view)
    found = odds(view)
    assert advice.is_exact and advice.until == "turn"
    assert [promise.points for promise in advice] == sorted(float(one.expected_heads) for one in found.values())
    assert all(advice.of(card).points == float(one.expected_heads) for card, one in found.items())
    assert all(promise.wins is None and promise.points_error == 0 for promise in advice)
    with refused(Unsupported, "solver.odds_known_classic", game="baron"):
        OddsBot().advise(Baron(players=2).deal(seed=1).view(0))


def test_an_option_that_was_not_looked_at_is_named() -> None:
    advice = OddsBot().advise(Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30").view(0))
    assert advice.of(14).option == 14
    with refused(RulesError, "bots.not_among_options", option="15"):
        advice.of(15)


def test_nothing_is_asked() -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 5 ; B: 99")
    state, _ = state.choose({0: 5, 1: 99})
    for adviser in (*ADVISERS, "odds"):
        with refused(RulesError, "bots.not_this_seat"):
            bot(adviser).advise(state.view(1))


@pytest.mark.parametrize(
    ("name", "searcher"), [("classic", "flat:playouts=200"), ("classic", "best:playouts=300"), ("baron", "flat")]
)
def test_the_error_is_the_error(name: str, searcher: str) -> None:
    """Advice from 40 seeds scatters as much as each of its errors states."""
    state, rng = GAMES[name].deal(seed=11), Rng.from_seed(1)
    while state.turn < state.game.turns // 2 or state.queue:
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)
    view = state.view(0)
    found = [bot(searcher).advise(view, seed=seed).of(view.hand[0]) for seed in range(40)]
    points = stdev(one.points for one in found) / mean(one.points_error for one in found)
    wins = stdev(one.wins or 0.0 for one in found) / mean(one.wins_error or 0.0 for one in found)
    assert 0.75 < points < 1.3
    assert 0.75 < wins < 1.3


def test_estimates_from_sums() -> None:
    found = estimate(7, 4, 12, 44, 1.5, 1.25)  # wins of 1, 1/2, 0 and 0
    assert found[:4] == (7, 4, 3.0, 0.375)
    assert found.error == pytest.approx((((44 - 4 * 9) / 3) / 4) ** 0.5)
    assert found.credit_error == pytest.approx(stdev((1, 0.5, 0, 0)) / 2)
    assert estimate(7, 1, 3, 9, 1.0, 1.0)[4:] == (0, 0, None, 0)  # compared with nothing


def test_where_heads_are_good_more_of_them_are_promised() -> None:
    """The best option has the highest value where heads are good, and the lowest elsewhere."""
    for name, better in (("baron", min), ("baron, bulls are good", max), ("board game", max), ("classic", min)):
        view = GAMES[name].deal(seed=6).view(0)
        advice = bot("best:playouts=400,goal=heads").advise(view)
        points = [promise.points for promise in advice]
        assert points[0] == better(points), name
        # The estimate is the expected growth of the total, and no total of bulls can shrink.
        if name in ("baron", "classic"):
            assert min(points) >= 0


def test_the_cheapest_row_is_the_dearest_where_heads_are_good() -> None:
    usual, good = Baron(players=2), Baron(players=2, variant="bulls_are_good")
    state = usual.deal(seed=1)
    heads = [usual.heads_in(row) for row in state.rows]
    assert len(set(heads)) > 1
    assert heads[usual.cheapest_row(state)] == min(heads)
    assert heads[good.cheapest_row(state)] == max(heads)


def test_playouts_count_what_is_good() -> None:
    """Internally, points won are negative penalties and heads taken positive ones. Advice shows them as the game counts
    them."""
    # Everybody has one tile left: 57 wins three points, as the board shows.
    state = BoardGame(players=2).from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 ; B: 93")
    (one,) = EnginePlayouts(state.view(0), Rng.from_seed(0)).run((57,), 2)
    assert (one.heads, one.error) == (-3, 0) and one.credit > 0
    assert bot("flat:playouts=100").advise(state.view(0)).of(57).points == 3
    # Everybody has one card left: 19 takes five heads.
    state = Classic(players=2, rounds=1).from_position("12 14 16 17 18 | 37 | 43 | 58 ; A: 19 ; B: 99")
    (one,) = EnginePlayouts(state.view(0), Rng.from_seed(0)).run((19,), 2)
    assert (one.heads, one.error, one.credit) == (5, 0, 0)
    assert bot("flat:playouts=100").advise(state.view(0)).of(19).points == 5


def test_win_credit_by_side() -> None:
    state = Classic(players=3, rounds=1).deal(seed=1)
    assert [win_credit(state, side) for side in range(3)] == [1 / 3] * 3  # level
    rng = Rng.from_seed(3)
    while not state.is_over:
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)
    assert state.outcome is not None
    assert [win_credit(state, side) for side in range(3)] == [state.outcome.credit(side) for side in range(3)]


def test_best_says_of_rows_what_it_chooses_by() -> None:
    game = Classic(players=2, rounds=1)
    state = game.from_position("19 | 6 7 8 9 13 | 95 96 97 | 99 100 101 ; A: 5 21 ; B: 102 103")
    state, _ = state.choose({0: 5, 1: 102})
    view = state.view(0)
    assert isinstance(view.decision, ChooseRow)
    adviser: Bot = bot("best:playouts=2000,goal=heads")
    # Row 1 costs one head now, but then 21 goes to the full row 2 and costs five more. Row 3 costs four, and 21 is safe
    # after 19.
    assert adviser.advise(view).best == adviser.choose(view, Rng.from_seed(1)) == 2
    assert adviser.advise(view).of(2).points == pytest.approx(4, abs=0.5)
