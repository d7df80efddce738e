"""Habitual choices: the cheapest row, its ties, and random play."""

from __future__ import annotations

import pytest

from nimmt_lab import Baron, BoardGame, Buffalo, Classic
from nimmt_lab.engine.habits import habit, habitual_choices, random_choices, usual_choice
from nimmt_lab.engine.rng import Rng
from tests.support import GAMES


@pytest.mark.parametrize(
    ("rows", "row"),
    [
        ("12 13 | 37 | 43 | 58 61", 2),  # rows 2 and 3 have one head: the higher end wins
        ("12 | 43 | 37 | 58 61", 1),
        ("55 | 10 | 20 | 30", 3),  # three heads each: the highest end of 10, 20 and 30
        ("12 13 | 20 21 | 41 | 55", 2),  # the fewest heads, not the fewest cards
        ("9 | 10 | 13 14 | 11", 0),
    ],
)
def test_ties_go_to_the_highest_end(rows: str, row: int) -> None:
    game = Classic(players=2)
    state = game.from_position(f"{rows} ; A: 5 ; B: 99", ordered=False)
    state, _ = state.choose({0: 5, 1: 99})
    assert usual_choice(state, 0) == habit(state.view(0), state.pending[0]) == game.cheapest_row(state) == row


def test_only_of_the_rows_that_are_offered() -> None:
    game = Classic(players=2)
    state = game.from_position("12 13 | 37 | 43 | 58 61 ; A: 5 ; B: 99")
    assert game.cheapest_row(state, (0, 1)) == 1 and game.cheapest_row(state, (0, 3)) == 3


def test_the_buffalo_and_its_players_leave_stopped_rows() -> None:
    game = Buffalo(players=2)
    state = game.from_position(
        "10 12 14 16 18 | 20 22 | 61 | 70 ; A: 5 80 ; B: 71 81 ; buffalo: 25 90 ; specials: stop push ; stop: 3",
        ordered=False,
    )
    assert game.cheapest_row(state) == 3 and game.rows_to_take(state) == (0, 1, 3)


def test_nothing_special_and_else_the_first_option() -> None:
    state = GAMES["board game, advanced"].deal(seed=1)
    assert usual_choice(state, 0) == state.pending[0].options[0]
    assert habit(state, state.pending[0]) is None
    team = GAMES["buffalo"].deal(seed=2)
    while -1 not in team.pending:
        team, _ = team.choose(random_choices(team, Rng.from_seed(1))[0])
    assert habit(team, team.pending[-1]) == team.pending[-1].default is not None


def test_random_play_is_reproducible_and_varied() -> None:
    for game in (Classic(players=3), Baron(players=3), BoardGame(players=3)):
        state = game.deal(seed=1)
        for walk in (random_choices, habitual_choices):
            assert walk(state, Rng.from_seed(4)) == walk(state, Rng.from_seed(4))
            assert len({str(walk(state, Rng.from_seed(seed))[0]) for seed in range(20)}) > 5


def test_a_row_is_left_to_habit_and_a_card_is_not() -> None:
    state = Classic(players=2).from_position("12 13 | 37 | 43 | 58 61 ; A: 5 ; B: 99")
    state, _ = state.choose({0: 5, 1: 99})
    assert {habitual_choices(state, Rng.from_seed(seed))[0][0] for seed in range(20)} == {2}
    assert len({random_choices(state, Rng.from_seed(seed))[0][0] for seed in range(20)}) == 4
