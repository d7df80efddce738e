"""One thread always searches the same: slices, limits, pauses and reports change nothing."""

from __future__ import annotations

import copy
import gc
from typing import Any

import pytest

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.solver import core, running
from nimmt_lab.solver.exact import Progress, RootProof, Searcher
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.two_players import solve

from .positions import two_player_advanced

pytestmark = pytest.mark.native


def facts(proof: RootProof) -> tuple[Any, ...]:
    return proof.nodes, proof.states, proof.lo, proof.hi, proof.turn, proof.guessed, proof.candidates


@pytest.mark.parametrize("longest", [64, 1000])
def test_after_the_same_number_of_nodes_the_same_is_known(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many short questions, observed on the way: in one call, or in several calls of short slices with reports."""
    monkeypatch.setattr(running, "PATIENCE", {7: 3_000})
    position = OpenPosition.of(two_player_advanced(7, 3))
    for total in (300, 2_500, 8_000):
        whole = Searcher(1 << 22).prove(position, nodes=total)
        with monkeypatch.context() as short:
            short.setattr(core, "_FIRST_SLICE", longest)
            short.setattr(core, "_LONGEST_SLICE", longest)
            searcher, reports = Searcher(1 << 22), list[Progress]()
            proof = searcher.prove(position, nodes=total // 3, report=reports.append)
            while proof.nodes < total and not proof.complete:
                proof = searcher.prove(position, nodes=min(total // 7, total - proof.nodes), report=reports.append)
        assert len(reports) > 3 and not proof.complete
        assert facts(proof) == facts(whole) and whole.nodes >= total


@pytest.mark.exhaustive
def test_a_solution_searches_on_to_the_same_answer() -> None:
    """Pausing after slices of any length: exactly the same as one call."""
    state = two_player_advanced(8, 3)
    whole = solve(state, detail="bounds")
    solution, calls = solve(state, seconds=1e-9, detail="bounds"), 0
    while not solution.exact and calls < 500:
        later = solution.search_on(seconds=1e-9)
        assert later.bounds.lo >= solution.bounds.lo and later.bounds.hi <= solution.bounds.hi
        assert later.seconds >= solution.seconds and later.nodes >= solution.nodes
        solution, calls = later, calls + 1
    assert calls > 5
    for name in ("nodes", "states", "bounds", "strategies", "payoffs", "worth"):
        assert getattr(solution, name) == getattr(whole, name)
    assert solution.search_on() is solution


@pytest.mark.exhaustive
def test_a_solution_without_its_tables_keeps_its_bounds() -> None:
    """Pickled, or without its searcher, it starts over, but keeps its knowledge."""
    state, searcher = two_player_advanced(7, 0), Searcher()
    solution = solve(state, nodes=2_000, detail="bounds", searcher=searcher)
    assert not solution.exact and solution.unfinished is not None and copy.deepcopy(solution).unfinished is None
    del searcher
    gc.collect()
    assert solution.unfinished.searcher() is None
    for same in (solution, copy.deepcopy(solution)):
        later = same.search_on(nodes=1)
        slack = 1e-6
        assert later.bounds.lo >= solution.bounds.lo - slack and later.bounds.hi <= solution.bounds.hi + slack
    assert later.search_on().exact


def test_an_interrupt_inside_the_search_loses_nothing_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also between reports: the search itself is stopped then, and the next call starts a new one."""
    position, searcher = OpenPosition.of(two_player_advanced(7, 3)), Searcher(1 << 22)
    value = sum(Searcher().bounds(position)) / 2
    real, slices = core.Search.run, list[int]()

    def pressed(self: core.Search, most: int | None = None) -> bool:
        slices.append(1)
        if len(slices) == 8:
            raise KeyboardInterrupt
        return real(self, most)

    monkeypatch.setattr(core.Search, "run", pressed)
    monkeypatch.setattr(core, "_LONGEST_SLICE", 2000)
    proof = searcher.prove(position)
    assert proof.interrupted and not proof.complete and proof.lo <= value <= proof.hi
    proof = searcher.prove(position)
    assert proof.complete and proof.lo - 1e-6 <= value <= proof.hi + 1e-6


@pytest.mark.parametrize("nodes", [0, -1, 1.5, True])
def test_limits_that_make_no_sense(nodes: Any) -> None:
    with pytest.raises(RulesError):
        solve(two_player_advanced(4, 1), nodes=nodes)
