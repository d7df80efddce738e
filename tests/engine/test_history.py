"""The history in a view: the turns of this round, in order."""

from __future__ import annotations

import pickle

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.events import CardsRevealed
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from tests.support import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_views_tell_what_was_revealed(name: str) -> None:
    """Every revealed card appears with its turn and rows, the same for all seats; a new round starts empty."""
    state, rng, shown = GAMES[name].deal(seed=4), Rng.from_seed(5), list[tuple[int, int, tuple[Play, ...]]]()
    rounds = set()
    for _ in range(60):
        before = state
        choices, rng = random_choices(state, rng)
        state, events = state.choose(choices)
        revealed = [event for event in events if isinstance(event, CardsRevealed)]
        if state.round != before.round:
            shown = []
            assert not state.view(0).history or state.view(0).history[-1].round == state.round
        elif revealed:
            shown += [(before.round, event.turn, event.plays) for event in revealed]
            assert state.history[-1].rows == before.rows or len(revealed) > 1 or before.queue or name == "buffalo"
        rounds.add(state.round)
        if state.is_over:
            break
        for seat in range(state.game.players):
            history = state.view(seat).history
            assert [(turn.round, turn.number, turn.plays) for turn in history] == shown
        assert pickle.loads(pickle.dumps(state)).history == state.history
    assert shown or len(rounds) > 1 or state.is_over


def test_two_ways_to_one_table_are_one_state_and_two_views() -> None:
    game = Classic(players=2)
    state = game.from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    state, _ = state.choose({0: 14, 1: 15})
    again = game.from_position(str(state.position))
    assert again.rows == state.rows and again.history == ()
    assert again.view(0) != state.view(0)  # a player who has seen B play 15 knows more


def test_a_guess_remembers_what_the_view_does() -> None:
    state = Classic(players=3).deal(seed=2)
    for _ in range(3):
        state, _ = state.choose(random_choices(state, Rng.from_seed(1))[0])
    view = state.view(1)
    assert view.history and guess(view, Rng.from_seed(3)).history == view.history
