"""The registry, views, and immutable values."""

from __future__ import annotations

import dataclasses

import pytest

from nimmt_lab import Advanced, Classic, all_games, game_named
from nimmt_lab.engine import registry
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import RulesError, UnknownGame
from nimmt_lab.engine.registry import from_options, register
from tests.support import random_record, refused


@pytest.mark.parametrize("name", all_games())
def test_games_are_data(name: str) -> None:
    game = game_named(name)(players=game_named(name).for_players[0])
    assert from_options(game.to_json()) == game
    assert dataclasses.is_dataclass(game)
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.players = 3
    assert game.__doc__


def test_options_survive_as_data() -> None:
    game = Classic(players=3, edition="002", limit=40, fan_cards=("mountain", "even_odd"), combine_fan_cards=True)
    assert game.to_json() == {
        "system": "classic", "players": 3, "edition": "002", "limit": 40,
        "fan_cards": ["even_odd", "mountain"], "combine_fan_cards": True,
    }  # fmt: skip
    assert from_options(game.to_json()) == game
    assert repr(Advanced(players=2, first=1)) == "Advanced(players=2, first=1)"


def test_unknown_games_and_options() -> None:
    with refused(UnknownGame, "shared.no_game", name="'chess'"):
        game_named("chess")
    with refused(RulesError, "engine.game_needs"):
        from_options({"players": 3})
    with refused(RulesError, "engine.there_already_game", game="'classic'"):
        register(type("Other", (Classic,), {}))


def test_a_cell_that_runs_again_replaces_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_GAMES", dict(registry._GAMES))
    monkeypatch.setattr(registry, "_CHAPTERS", dict(registry._CHAPTERS))
    first, second = (register(type("Far", (Classic,), {"name": "far"})) for _ in range(2))
    assert first is not second and game_named("far") is second


def test_a_view_has_no_way_back_to_the_state() -> None:
    state = random_record(Classic(players=4), seed=2, choices=7).final
    for seat in range(4):
        view = state.view(seat)
        reachable = repr([getattr(view, f.name) for f in dataclasses.fields(view)])
        for other in range(4):
            if other != seat:
                assert view.hands[other] is None
                assert repr(state.hands[other]) not in reachable
        assert view.stock == () and not hasattr(view, "rng")
        on_table = sum(map(len, (*state.rows, *state.piles, state.queue)))
        assert len(view.unseen) == 104 - on_table - len(view.hand)


@pytest.mark.parametrize("seat", [-2, 4, 99])
def test_views_of_nobody(seat: Seat) -> None:
    with refused(RulesError, "shared.no_seat_to"):
        Classic(players=4).deal(1).view(seat)


def test_states_and_events_are_values() -> None:
    state = Classic(players=2).deal(seed=1)
    after, events = state.choose({0: state.hands[0][0], 1: state.hands[1][0]})
    with pytest.raises(dataclasses.FrozenInstanceError):
        after.turn = 5  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        events[0].turn = 5  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        state.pending[0] = None  # type: ignore[index]
    assert hash(state) == hash(Classic(players=2).deal(seed=1)) and state == Classic(players=2).deal(seed=1)
    assert state != Classic(players=2).deal(seed=2)
