"""Threads on one table divide the work, and the answer is the same for any number of them."""

from __future__ import annotations

import pytest

from nimmt_lab.solver import core, running
from nimmt_lab.solver.core import Search, Tables, divide, shift_of
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition

from .positions import compiled, two_player_advanced

pytestmark = pytest.mark.native


def in_turns(position: OpenPosition, workers: int, *, divided: bool) -> tuple[int, int, float]:
    """Nodes of all workers, nodes of the first to finish, and the value. The workers take turns after every position,
    as if each had a core of its own."""
    native = compiled()
    tables = Tables(native, 1 << 24)
    searches = [Search(native, tables, position, shift_of(position)) for _ in range(workers)]
    if divided:
        divide(native, searches)
    for search in searches:
        search.ask(core.VALUE)
    done: Search | None = None
    while done is None:
        for search in searches:
            if native.call("nl_solve_run", search._work, 1):
                done = search
                break
    found = done.result()
    return (
        sum(search.nodes for search in searches),
        found[core.NODES],
        (found[core.LO] + found[core.HI]) / 2 * done.unit,
    )


@pytest.mark.exhaustive
def test_two_workers_do_half_the_work_each() -> None:
    """Together they search little more than one alone. Without dividing the work they would do much of it twice."""
    alone = together = twice = 0
    for seed in (3, 4):
        position = OpenPosition.of(two_player_advanced(7, seed))
        nodes, _, value = in_turns(position, 1, divided=False)
        both, longest, same = in_turns(position, 2, divided=True)
        assert same == pytest.approx(value, abs=1e-6) and longest < 0.6 * both
        alone, together = alone + nodes, together + both
        twice += in_turns(position, 2, divided=False)[0]
    assert together < 1.2 * alone and twice > 1.35 * alone


@pytest.mark.exhaustive
@pytest.mark.parametrize("workers", [2, 3, 5])
def test_any_number_of_workers_finds_the_value(workers: int) -> None:
    for seed in range(6):
        position = OpenPosition.of(two_player_advanced(6, seed))
        lo, hi = Searcher().bounds(position)
        assert in_turns(position, workers, divided=True)[2] == pytest.approx((lo + hi) / 2, abs=1e-6)


def test_threads_answer_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many questions, paused and continued: the same value, strategies that prove it, and no thread left running."""
    monkeypatch.setattr(running, "PATIENCE", {7: 5_000})
    for seed in (1, 3):
        position = OpenPosition.of(two_player_advanced(7, seed))
        lo, hi = Searcher().bounds(position)
        searcher = Searcher(threads=3)
        proof = searcher.prove(position, nodes=1_000)
        for _ in range(200):
            assert proof.lo - 1e-6 <= (lo + hi) / 2 <= proof.hi + 1e-6
            if proof.complete:
                break
            proof = searcher.prove(position, nodes=5_000)
        assert proof.complete and (proof.lo + proof.hi) / 2 == pytest.approx((lo + hi) / 2, abs=1e-6)


def test_a_problem_in_a_helping_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Search.run
    asked: list[Search] = []

    def run(self: Search, most: int | None = None) -> bool:
        if self not in asked:
            asked.append(self)
        if len(asked) == 3:
            raise ValueError("this thread fails")
        return real(self, most)

    monkeypatch.setattr(running, "looks", lambda *_, **__: iter(()))
    monkeypatch.setattr(Search, "run", run)
    monkeypatch.setattr(core, "_LONGEST_SLICE", 2_000)
    with pytest.raises(ValueError, match="this thread fails"):
        Searcher(threads=3).prove(OpenPosition.of(two_player_advanced(7, 0)))


def test_lists_of_searched_positions_that_do_not_fit_are_refused() -> None:
    native = compiled()
    position = OpenPosition.of(two_player_advanced(6, 1))
    search = Search(native, Tables(native, 1 << 20), position, shift_of(position))
    busy = native.memory(4 << 16)
    for log2 in (3, 17, -1):
        assert search.ask_function("nl_solve_share", busy, log2) < 0
    assert search.ask_function("nl_solve_share", busy, 16) == 0
    search.ask(core.VALUE)
    assert native.call("nl_solve_run", search._work, 10) == 0
    assert search.ask_function("nl_solve_share", busy, 16) < 0, "in the middle of a question"
    search.stop()
    assert not any(busy.read("I", 1 << 16)), "nothing is marked after the search"
