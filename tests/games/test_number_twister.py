"""The Number Twister: the page's sentences and rulings R-F2 to R-F6 one by one."""

from __future__ import annotations

import pytest

from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.shapes import ICONS
from nimmt_lab.engine.state import GameState
from nimmt_lab.games import Advanced, Classic, NumberTwister
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.number_twister.rules import (
    CardRegainedValue,
    CardTwisted,
    Twist,
    TwisterMarker,
    TwisterRule,
    twisted,
)
from tests.support import refused

GAME = Classic(players=2, fan_cards=(NumberTwister(),))


def test_digits_are_swapped_for_every_two_digit_card() -> None:
    assert [twisted(card) for card in range(10, 100)] == [int(str(card)[::-1]) for card in range(10, 100)]


def test_only_two_digit_cards_can_be_twisted() -> None:
    # R-F2 and "100 to 104 cannot be twisted"; R-F5: 55 can.
    state = GAME.from_position("20 | 30 | 40 | 50 ; A: 9 10 55 99 100 ; B: 1 2 3 4 104")
    assert [str(option) for option in state.pending[0].options] == ["9", "10", "55", "99", "100", "10~", "55~", "99~"]
    assert [str(option) for option in state.pending[1].options] == ["1", "2", "3", "4", "104"]


def test_r_f2_single_digits_may_be_twisted_as_an_option() -> None:
    game = Classic(players=2, fan_cards=(NumberTwister(single_digits=True),))
    state = game.from_position("20 | 30 | 40 | 50 ; A: 5 10 100 ; B: 1 98 99")
    assert [str(option) for option in state.pending[0].options] == ["5", "10", "100", "5~", "10~"]
    state, events = state.choose({0: Twist(5), 1: 98})
    assert CardTwisted(TwisterRule.TWIST, seat=0, card=5, value=50) in events
    assert state.rows[2] == (40, 5), "50 is not higher than row 4's 50 (R-F4), but than 40"
    assert game.to_json()["fan_cards"] == [{"name": "number_twister", "single_digits": True}]
    with refused(RulesError, "engine.option_must", name="number_twister", option="single_digits", got="'yes'"):
        NumberTwister(single_digits="yes")  # type: ignore[arg-type]


def test_it_is_used_once_a_round() -> None:
    state = GAME.from_position("20 | 30 | 40 | 50 ; A: 51 62 73 ; B: 84 95 96")
    state, _ = state.choose({0: 51, 1: Twist(84)})
    assert Markers.of(state)[TwisterMarker].unused == (0,)
    assert Twist(62) in state.pending[0].options
    assert not any(isinstance(option, Twist) for option in state.pending[1].options)


def test_events_tell_the_twist_and_its_end() -> None:
    state = GAME.from_position("5 | 15 17 19 21 23 | 60 | 38 41 ; A: 24 1 ; B: 99 2")
    _, events = state.choose({0: Twist(24), 1: 99})
    assert [event for event in events if isinstance(event, (CardTwisted, CardRegainedValue))] == [
        CardTwisted(TwisterRule.TWIST, seat=0, card=24, value=42),
        CardRegainedValue(TwisterRule.OWN_VALUE, seat=0, card=24, row=3, value=42),
    ]


def test_a_twisted_pair_changes_nothing_but_uses_it_up() -> None:
    state = GAME.from_position("5 | 15 | 60 | 38 ; A: 44 1 ; B: 99 2")
    plain, _ = state.choose({0: 44, 1: 99})
    pair, _ = state.choose({0: Twist(44), 1: 99})
    assert plain.rows == pair.rows
    assert (Markers.of(plain)[TwisterMarker].unused, Markers.of(pair)[TwisterMarker].unused) == ((0, 1), (1,))


def test_two_twisted_cards_and_a_real_one_never_tie_unfairly() -> None:
    # 42 and a twisted 24: the twisted one comes first, no matter who plays it.
    for twister in (0, 1):
        state = GAME.from_position(f"5 | 15 | 60 | 38 41 ; {'AB'[twister]}: 24 1 ; {'BA'[twister]}: 42 2")
        state, _ = state.choose({twister: Twist(24), 1 - twister: 42})
        assert state.rows[3] == (38, 41, 24, 42)


def test_with_even_odd_the_twisted_value_counts() -> None:
    # R-F6: 12 counts as 21, so the odd row is open to it and the even one is not.
    game = Classic(players=2, fan_cards=("even_odd", "number_twister"), combine_fan_cards=True)
    odd = game.from_position("5 | 20 | 60 | 80 ; A: 12 1 ; B: 99 2 ; even_odd: 2 odd")
    even = game.from_position("5 | 20 | 60 | 80 ; A: 12 1 ; B: 99 2 ; even_odd: 2 even")
    assert odd.choose({0: Twist(12), 1: 99})[0].rows[1] == (20, 12)
    assert even.choose({0: Twist(12), 1: 99})[0].rows[0] == (5, 12)


def test_with_the_mountain_the_twisted_value_counts() -> None:
    game = Classic(players=2, fan_cards=("mountain", "number_twister"), combine_fan_cards=True)
    state = game.from_position("5 | 20 | 60 | 80 ; A: 97 1 ; B: 99 2")
    assert state.choose({0: Twist(97), 1: 99})[0].rows[3] == (80, 97)


def after_round_one(game: Classic) -> GameState:
    """Play round 1, A twisting as soon as possible, B never."""
    state = game.deal(seed=5)
    while state.round == 0:
        choices = {}
        for seat, decision in state.pending.items():
            choices[seat] = decision.options[-1 if seat == 0 else 0]
        state, _ = state.choose(choices)
    return state


@pytest.mark.parametrize(
    ("edition", "comes_back", "unused"),
    [
        ("000", "edition", (0, 1)),
        ("002", "edition", (0, 1)),
        ("003", "edition", (1,)),
        ("003", "round", (0, 1)),
        ("000", "game", (1,)),
    ],
)
@pytest.mark.parametrize("system", [Classic, Advanced])
def test_when_it_comes_back(system: type[Classic], edition: str, comes_back: str, unused: tuple[int, ...]) -> None:
    """R-F3: exactly one each round, or one per game in edition 003; B's unused one doesn't become two."""
    game = system(players=2, edition=edition, fan_cards=(NumberTwister(comes_back),), rounds=2)
    state = after_round_one(game)
    while not state.rows:  # the draft of advanced mode comes in between
        again = game.from_position(str(state.position))
        assert again.extra == state.extra and again.pending == state.pending
        state, _ = state.choose({seat: decision.options[0] for seat, decision in state.pending.items()})
    assert Markers.of(state)[TwisterMarker].unused == unused


def test_bad_options_and_positions_are_refused() -> None:
    with refused(RulesError, "number_twister.comes_back", got="'never'"):
        NumberTwister("never")
    start = "20 | 30 | 40 | 50 ; A: 9 ; B: 1 ; place: A15=51 B60"
    with refused(PositionError, "number_twister.used_on", who="A", card=15):
        GAME.from_position(start + " ; number_twister: A B")
    assert Markers.of(GAME.from_position(start))[TwisterMarker].unused == (1,)
    assert GAME.from_position(start).rows[3] == (50, 15)


def test_the_board_says_who_has_one_left() -> None:
    state = GAME.from_position("20 | 30 | 40 | 50 ; A: 19 ; B: 11 ; number_twister: B")
    assert GAME.table_notes(state) == (f"⇄ {Phrase('number_twister.not_used', seats='B')}",)
    assert state._repr_mimebundle_()["text/html"].count(ICONS["twist"].line) == 1


def test_nobody_left_is_written_as_a_dash() -> None:
    state = GAME.from_position("20 | 30 | 40 | 50 ; A: 19 ; B: 11 ; number_twister: -")
    assert str(state.position).endswith("number_twister: -")
    assert state.pending[0].options == (19,)
