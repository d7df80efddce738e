"""Options as the rulebooks print them: number of players, defaults, the end of a game, and invalid values."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, all_games
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.options import allowed
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.baron.deck import SAMPLE_DECK
from tests.support import refused

PLAYERS = {Classic: (2, 10), Advanced: (2, 6), Buffalo: (1, 6), Baron: (2, 10), BoardGame: (2, 6)}
_CLASSIC: dict[str, object] = {
    "edition": "000", "limit": None, "rounds": None, "most_rounds": None, "fan_cards": (), "combine_fan_cards": False,
    "row_order": "drawn", "heads": "printed", "hand_size": 10, "deck_size": 104,
    "rows": 4, "row_limit": 5,
}  # fmt: skip
#: The default options.
USUAL: dict[type[Game], dict[str, object]] = {
    Classic: _CLASSIC,
    # A deck of 0 cards means as many as the players need.
    Advanced: {**_CLASSIC, "deck_size": 0, "first": 0},
    Buffalo: {"edition": "000", "tie": "draw", "between_turns": False, "hand_size": 10, "deck_size": 104},
    Baron: {"variant": "standard", "draw_pile": None, "games": 1, "deck": SAMPLE_DECK},
    BoardGame: {"mode": "basic", "luck": False, "board": None, "pieces": None, "first_field_acts": True},
}
each = pytest.mark.parametrize("game", PLAYERS, ids=lambda game: game.name)
#: Numbers to choose from, first and last.
NUMBERS = {
    Classic: {
        **dict.fromkeys(("limit", "rounds", "most_rounds"), (1, 1_000_000)),
        "hand_size": (1, 10),
        "rows": (1, 8),
        "row_limit": (1, 9),
    },
    Buffalo: {"hand_size": (1, 10)},
    Baron: {"games": (1, 1_000_000)},
    BoardGame: {},
}
NUMBERS[Advanced] = NUMBERS[Classic]


def test_no_game_is_missing() -> None:
    assert set(PLAYERS) == set(USUAL) == set(NUMBERS) == set(all_games().values())


@each
def test_who_may_play(game: type[Game]) -> None:
    fewest, most = PLAYERS[game]
    for players in range(fewest, most + 1):
        assert game(players=players).deal(seed=1).pending
    for players in (fewest - 1, most + 1):
        with refused(RulesError, "engine.for_players", name=game.name, least=fewest, most=most, got=players):
            game(players=players)


@each
def test_what_is_usual(game: type[Game]) -> None:
    usual = {one.name: one.default for one in fields(game) if one.init and one.default is not MISSING}
    assert usual == USUAL[game]


@each
def test_what_numbers_may_be(game: type[Game]) -> None:
    listed = {name: (values[0], values[-1]) for name, values in allowed(game).items() if isinstance(values, range)}
    assert listed == NUMBERS[game]
    for name, (least, most) in listed.items():
        for value in (least, most):
            game(players=2, **{name: value})
        for value in (least - 1, most + 1):
            with refused(RulesError, "shared.must_from_to", what=name, least=least, most=most, got=str(value)):
                game(players=2, **{name: value})


@pytest.mark.parametrize(("edition", "heads", "over"), [
    ("000", 65, False), ("000", 66, True), ("002", 66, False), ("002", 67, True), ("003", 65, False), ("003", 66, True),
])  # fmt: skip
@pytest.mark.parametrize("game", [Classic, Advanced], ids=lambda game: game.name)
def test_where_a_game_ends(game: type[Classic], edition: str, heads: int, over: bool) -> None:
    assert game(players=2, edition=edition).is_reached(heads) is over
    assert game(players=2, edition=edition, limit=10).is_reached(heads - 56) is over


def rounds_played(game: Game, seed: int) -> int:
    state, rng = game.deal(seed), Rng.from_seed(seed)
    while not state.is_over:
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)
    assert state.outcome is not None
    return state.outcome.rounds


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_rounds_and_a_most_number_of_rounds(rounds: int) -> None:
    far = 1_000_000
    for game, most in (
        (Classic(players=2, rounds=rounds), rounds),
        (Classic(players=2, limit=far, most_rounds=rounds), rounds),
        (Baron(players=3, games=rounds), rounds),
    ):
        assert rounds_played(game, 1) == rounds and game.most_played == most
    # Whichever comes first: here it is the limit, after the first round in which anybody takes a head.
    assert rounds_played(Classic(players=10, limit=1, most_rounds=3), 1) == 1
    assert Classic(players=2).most_played is None
    assert Classic(players=2, most_rounds=2, limit=50).is_reached(50)


@pytest.mark.parametrize("other", ["limit", "most_rounds"])
def test_a_fixed_number_of_rounds_excludes_a_limit(other: str) -> None:
    options: dict[str, Any] = {other: 3}
    with refused(RulesError, "classic.rounds_alone"):
        Classic(players=2, rounds=2, **options)
