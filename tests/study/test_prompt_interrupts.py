"""The interrupt key in the middle of long calls: they return what is done, and begin no more than one unit of work.

A unit (a slice of a search, a choice of a player, a portion of rounds) takes a fraction of a second. It is counted, not
timed: what comes after the key is pressed is at most the unit under way in each of our threads.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from nimmt_lab import Classic, advise, ladder, review, simulate, solve, tournament
from nimmt_lab.bots import BestBot, advising, record
from nimmt_lab.solver import core
from nimmt_lab.solver.running import Run
from nimmt_lab.study import rounds
from nimmt_lab.study import work as work_module
from nimmt_lab.study.searched import search_choice

TEXT = "12 14 | 37 | 43 44 | 58 ; A: 21 26 77"
GAME = Classic(players=2, rounds=1)


class Pressed:
    """Counts units of work, and presses the interrupt key in unit number `at`."""

    def __init__(self, at: int) -> None:
        self.at, self.begun, self.after = at, 0, 0

    def __call__(self) -> None:
        self.begun += 1
        if self.begun == self.at:
            os.kill(os.getpid(), signal.SIGINT)
        self.after += self.begun > self.at

    def around(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def unit(*given: Any, **options: Any) -> Any:
            self()
            return real(*given, **options)

        return unit


@pytest.fixture(autouse=True)
def two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(work_module, "_IN_FLIGHT", 1)


@pytest.mark.native
def test_advise(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = Pressed(at=5)
    monkeypatch.setattr(BestBot, "advise", pressed.around(BestBot.advise))
    found = advise(TEXT, players=5, playouts=10_000_000)
    assert pressed.after == 0 and not found.is_complete
    done = {promise.playouts for promise in found}
    assert max(done) <= pressed.at * advising.LARGEST_SLICE and min(done) > 0


def test_simulate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PORTION", 50)
    monkeypatch.setattr(rounds, "ENGINE_PORTION", 50)
    pressed = Pressed(at=6)
    for name in ("play", "count"):
        monkeypatch.setattr(rounds.Simulator, name, pressed.around(getattr(rounds.Simulator, name)))
    found = simulate(GAME, rounds=100_000, progress=False)
    assert pressed.after <= 4 and not found.is_complete and 0 < found.totals.rounds <= 50 * (pressed.at + 4)


@pytest.mark.parametrize("call", ["tournament", "ladder"])
def test_bots_at_a_table(call: str) -> None:
    pressed = Pressed(at=2_000)

    def mine(view: Any) -> Any:
        pressed()
        return min(view.hand)

    found: Any
    if call == "tournament":
        found = tournament(GAME, [mine, "lowest"], deals=100_000, progress=False)
        assert found.deals > 0
    else:
        found = ladder(GAME, deals=100_000, bot=mine, levels=[1], progress=False)
        assert found.steps[0].deals > 0
    assert not found.is_complete and pressed.after < 200  # the games under way, of ten choices each


@pytest.mark.native
def test_review(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = Pressed(at=4)
    monkeypatch.setattr("nimmt_lab.study.reviews.search_choice", pressed.around(search_choice))
    found = review(record(Classic(players=3, rounds=1), ["random"] * 3, 3), playouts=200, progress=False)
    judged = len(found.judgements)
    assert pressed.after <= 4 and not found.is_complete and 0 < judged <= pressed.at + 4


@pytest.mark.native
def test_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice of the search is at most 65,536 positions."""
    assert core._LONGEST_SLICE <= 1 << 16
    pressed = Pressed(at=3)
    monkeypatch.setattr(Run, "_look", pressed.around(Run._look))
    hands = "A: 5 9 21 26 34 47 60 77 88 101 ; B: 2 11 19 33 41 52 66 70 93 103"
    found = solve(f"12 | 37 | 43 | 58 ; {hands}", memory=1 << 26)
    assert pressed.after == 0 and found.interrupted and not found.exact
    assert found.bounds[0] <= found.value <= found.bounds[1]
