"""Without the compiled core: the same numbers for small positions, and a typed error for the rest."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import CoreMissing
from nimmt_lab.engine.state import GameState
from nimmt_lab.native import loader
from nimmt_lab.solver import solve
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.draft import estimate_picks, solve_draft
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.several import best_response, paranoid, uniform
from nimmt_lab.solver.solution import Solution
from tests.support import refused

from .positions import known_values, low_card_state, two_player_advanced


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python alone."""
    monkeypatch.setattr(loader, "_loaded", [None])


def shown(solution: Solution) -> tuple[object, ...]:
    """Everything a solution says about the position, without how it was computed."""
    return (
        solution.value, solution.fraction, solution.bounds, solution.exact, solution.gap,
        solution.strategies, solution.payoffs, solution.regrets,
    )  # fmt: skip


def small_states() -> list[GameState | str]:
    texts = [text for text, _ in known_values("conformance")] + [text for text, _ in known_values("values")][::25]
    states: list[GameState | str] = [text for text in texts if len(text.split("A:")[1].split(";")[0].split()) <= 4]
    states += [random_state(Classic(players=2, rounds=1, heads="containing_5"), 3, seed) for seed in range(3)]
    for fan_card in ("even_odd", "mountain", "jumping_cow", "number_twister"):
        game = Advanced(players=2, rounds=1, fan_cards=(fan_card,))
        states += [random_state(game, 2, 5), low_card_state(game, 1, 0)]
    return states


@pytest.mark.exhaustive
@pytest.mark.native
def test_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    states = small_states()
    compiled = [shown(solve(state)) for state in states]
    monkeypatch.setattr(loader, "_loaded", [None])
    for state, expected in zip(states, compiled, strict=True):
        assert shown(solve(state)) == expected, str(state)


@pytest.mark.usefixtures("bare")
def test_what_needs_the_core_is_refused_by_name() -> None:
    with refused(CoreMissing, "solver.core", cards_each=6, most=5, most_with_fan_card=3):
        solve(two_player_advanced(6, 1))
    fan = random_state(Advanced(players=2, rounds=1, fan_cards=("mountain",)), 4, 1)
    with refused(CoreMissing, "solver.core", cards_each=4, most_with_fan_card=3):
        solve(fan)


@pytest.mark.usefixtures("bare")
def test_a_time_limit_holds_without_it_too() -> None:
    solution = solve(two_player_advanced(5, 3), seconds=0.01)
    assert not solution.exact and solution.fraction is None and say("solved.no_time") in str(solution)
    assert solution.bounds.lo == -solution.bounds.hi < 0


@pytest.mark.exhaustive
@pytest.mark.native
def test_drafts_and_several_players_do_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    draft, three = Advanced(players=2, hand_size=2).deal(seed=0), random_state(Advanced(players=3, rounds=1), 2, 1)
    big = Advanced(players=2).deal(seed=3)

    def answers() -> tuple[object, ...]:
        advice = estimate_picks(big, playouts=60, seed=4)
        return advice, solve_draft(draft), best_response(three, 1, [uniform] * 3), paranoid(three, 0).strategy

    compiled = answers()
    monkeypatch.setattr(loader, "_loaded", [None])
    assert answers() == compiled
    assert estimate_picks(big, playouts=60, seed=5) != compiled[0]


@pytest.mark.exhaustive
@pytest.mark.native
def test_solutions_can_be_kept() -> None:
    """They can be pickled and copied, and hold no tables: the searcher does."""
    state = two_player_advanced(8, 6)
    solution = solve(state, detail="bounds")
    kept = pickle.dumps(solution)
    assert len(kept) < 100_000
    for copied in (pickle.loads(kept), copy.deepcopy(solution)):
        assert copied == solution and shown(copied) == shown(solution)
    small = pickle.loads(pickle.dumps(solve(two_player_advanced(4, 1))))
    assert small.line() == solve(two_player_advanced(4, 1)).line()


@pytest.mark.exhaustive
@pytest.mark.native
def test_kept_solutions_keep_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three stored solutions once held all their tables, 7.8 GB with ten cards: now tables are freed when a search is
    over."""
    made: list[weakref.ref[Searcher]] = []

    class Counted(Searcher):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            made.append(weakref.ref(self))

    monkeypatch.setattr("nimmt_lab.solver.two_players.Searcher", Counted)
    kept = [solve(two_player_advanced(6, seed)) for seed in (1, 2, 3)]
    assert kept[0].line()
    gc.collect()
    assert len(made) >= 3 and not [one for one in made if one() is not None]
    # A searcher that is stored for later keeps them.
    searcher = Searcher()
    assert solve(two_player_advanced(7, 2), searcher=searcher, detail="bounds").exact and searcher.memory > 1 << 20
