"""Guaranteed statements are correct: every intermediate answer, for every position with a known value.

The positions are the main lines of all solved deals. Each position follows from an entry in the table before it, so the
entries are also checked against known values.
"""

from __future__ import annotations

import pytest

from nimmt_lab.engine.state import GameState
from nimmt_lab.solver import running
from nimmt_lab.solver.deals import SolvedDeal, SolvedPosition, solved_deals
from nimmt_lab.solver.exact import Progress, Searcher
from nimmt_lab.solver.open_position import heads_difference
from nimmt_lab.solver.solution import SUPPORT, Solution
from nimmt_lab.solver.two_players import _Work

pytestmark = pytest.mark.native

#: Known values are exact to a millionth.
SLACK = 2e-6
DEALS = solved_deals()
NAMES = [f"{deal.cards}-{deal.seed}" for deal in DEALS]


class Watch:
    """Receives every report, checks it against the value, and stops the search at one of them and all later ones.

    In mid-turn several positions are searched one after the other: their values are not known (None).
    """

    def __init__(self, value: float | None, most: int) -> None:
        self.value, self.most = value, most
        self.seen: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        lo, hi = progress.bounds
        assert lo <= hi
        if self.value is not None:
            assert lo - SLACK <= self.value <= hi + SLACK
            before = self.seen[-1].bounds if self.seen else (lo, hi)
            assert before[0] <= lo and hi <= before[1], "what was certain stays certain"
        self.seen.append(progress)
        if len(self.seen) >= self.most:
            raise KeyboardInterrupt


def answer(searcher: Searcher, state: GameState, watch: Watch) -> Solution:
    """The answer when the search is stopped at a report, or after half a second: all that matters is that it is early."""
    return _Work(searcher, 0.5, "bounds").solve(state, watch)


def entry_of(step: SolvedPosition, then: SolvedPosition) -> float:
    """The values of the choices on the main line: the heads now, plus the known value of what follows."""
    state = step.state
    choices = {seat: state.pending[seat].read(text) for seat, text in step.chosen.items()}
    return heads_difference(state.choose(choices)[1]) + then.value


def sound(solution: Solution, value: float) -> None:
    """Every guaranteed statement is true, answers are consistent, and a card is recommended only with a reason."""
    assert solution.bounds.lo - SLACK <= value <= solution.bounds.hi + SLACK
    assert solution.bounds.lo <= solution.value <= solution.bounds.hi
    for seat, sure in solution.guarantees.items():
        assert sure <= value + SLACK if seat == 0 else sure >= value - SLACK
        inside = solution.bounds.lo if seat == 0 else solution.bounds.hi
        assert sure <= inside + SLACK if seat == 0 else sure >= inside - SLACK, "bounds are the best that was proved"
    for seat, rests in solution.support.items():
        assert rests in SUPPORT
        assert (rests == "exact") <= solution.exact
        assert (solution.best(seat) is None) == (rests == "nothing")
        if rests == "estimate":
            assert solution.estimate is not None
        if rests == "certified":  # better than the worst possible result
            lows = [entry.lo for line in solution.payoffs.values() for entry in line.values()]
            highs = [entry.hi for line in solution.payoffs.values() for entry in line.values()]
            assert solution.guarantees[seat] > min(lows) if seat == 0 else solution.guarantees[seat] < max(highs)
    if len(solution.strategies) == 2:
        x, y = solution.strategies[0], solution.strategies[1]
        least = min(sum(x[a] * solution.payoffs[a][b].lo for a in x) for b in y)
        most = max(sum(y[b] * solution.payoffs[a][b].hi for b in y) for a in x)
        assert solution.guarantees[0] == pytest.approx(least, abs=SLACK)
        assert solution.guarantees[1] == pytest.approx(most, abs=SLACK)


def entry_holds(solution: Solution, step: SolvedPosition, then: SolvedPosition) -> None:
    """The bounds of the main line's entry contain its value."""
    chosen = [step.state.pending[seat].read(text) for seat, text in sorted(step.chosen.items())]
    entry = solution.payoffs[chosen[0]][chosen[-1]]
    worth = entry_of(step, then)
    assert entry.lo - SLACK <= worth <= entry.hi + SLACK


@pytest.mark.exhaustive
@pytest.mark.parametrize("deal", DEALS, ids=NAMES)
def test_every_answer_on_the_way_along_main_lines(deal: SolvedDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped early or late, and continued: each report, each answer."""
    monkeypatch.setattr(running, "PATIENCE", dict.fromkeys(range(3, 11), 2_000))  # many small questions
    reports = 0
    for number, step in enumerate(deal.line):
        searcher = Searcher(1 << 22)
        for most in (1 + number % 4, 3):
            watch = Watch(None if step.state.queue else step.value, most)
            solution = answer(searcher, step.state, watch)
            sound(solution, step.value)
            if number + 1 < len(deal.line):
                entry_holds(solution, step, deal.line[number + 1])
            reports += len(watch.seen)
    assert reports > len(deal.line)


@pytest.mark.parametrize("deal", DEALS, ids=NAMES)
def test_without_an_estimate_no_card_is_named_for_nothing(deal: SolvedDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at once, without estimates: nothing is proved, and no card is recommended."""
    monkeypatch.setattr("nimmt_lab.solver.estimate.CUTS", {})
    monkeypatch.setattr(running, "PATIENCE", dict.fromkeys(range(3, 11), 2_000))
    step = deal.line[0]
    for most in (1, 2, 6):
        solution = answer(Searcher(1 << 22), step.state, Watch(step.value, most))
        sound(solution, step.value)
        assert solution.estimate is None and not solution.exact
        assert all(rests in ("certified", "nothing") for rests in solution.support.values())
        if most == 1:
            assert set(solution.support.values()) == {"nothing"}
            assert solution.best(0) is None and solution.best(1) is None
