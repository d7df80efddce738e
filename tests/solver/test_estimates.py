"""Estimates and bounds during a search: bounds are never wrong, and estimates are never presented as bounds."""

from __future__ import annotations

import copy
import pickle
import re
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Advanced
from nimmt_lab.native import Memory, NativeError
from nimmt_lab.solver import core, learned, running
from nimmt_lab.solver.deals import solved_deals
from nimmt_lab.solver.estimate import Guess, estimate
from nimmt_lab.solver.exact import Progress, Searcher
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.solution import SUPPORT, Solution
from nimmt_lab.solver.two_players import solve
from tools import train_values
from tools.extended_core import core_with
from tools.train_values import Teacher

from .positions import compiled, known_values, two_player_advanced


def sound(solution: Solution, value: float) -> None:
    """Every guaranteed statement is true, and the answer says what the rest is worth."""
    slack = 1e-6
    assert solution.bounds.lo - slack <= value <= solution.bounds.hi + slack
    assert solution.bounds.lo <= solution.value <= solution.bounds.hi
    assert solution.guarantees[0] <= value + slack and value - slack <= solution.guarantees[1]
    x, y = solution.strategies[0], solution.strategies[1]
    lowest = min(sum(x[a] * solution.payoffs[a][b].lo for a in x) for b in y)
    highest = max(sum(y[b] * solution.payoffs[a][b].hi for b in y) for a in x)
    assert solution.guarantees[0] == pytest.approx(lowest, abs=1e-6)
    assert solution.guarantees[1] == pytest.approx(highest, abs=1e-6)
    for seat in (0, 1):
        assert solution.support[seat] in SUPPORT
        assert (solution.best(seat) is None) == (solution.support[seat] == "nothing")
        if solution.support[seat] == "estimate":
            assert solution.estimate is not None
        if solution.support[seat] == "certified":
            other = solution.bounds.hi if seat == 0 else solution.bounds.lo
            assert abs(other - solution.guarantees[seat]) <= 1 + slack or solution.estimate is None


def test_every_answer_on_the_way_holds_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions with known values, by many small questions: every report and the last answer."""
    monkeypatch.setattr(running, "PATIENCE", dict.fromkeys(range(3, 8), 5))
    log: list[tuple[float, float]] = []

    def report(progress: Progress) -> None:
        log.append(progress.bounds)

    positions = [(text, value) for text, value in known_values("values") if text.count(" ; ") == 2][::3]
    narrowed = 0
    for text, value in positions:
        log.clear()
        position = OpenPosition.of(Advanced(players=2).from_position(text))
        proof = Searcher(1 << 18).prove(position, report=report)
        assert proof.complete
        for lo, hi in [*log, (proof.lo, proof.hi)]:
            assert Fraction(lo) <= value <= Fraction(hi)
        narrowed += len(set(log)) > 2
    assert narrowed > len(positions) / 3


@pytest.mark.exhaustive
def test_hurried_answers_to_solved_deals() -> None:
    """Positions of the main lines, with almost no time: bounds are right, and a card is recommended only with a reason."""
    for deal in solved_deals():
        for step in deal.line[:3]:
            if step.state.queue:
                continue
            for seconds in (0.001, 0.4):
                sound(solve(step.state, seconds=seconds, memory=1 << 22, detail="bounds"), step.value)


@pytest.mark.exhaustive
def test_estimates_are_close_and_turn_with_the_players() -> None:
    native, off = compiled(), []
    for seed in range(12):
        state = two_player_advanced(7, seed)
        position = OpenPosition.of(state)
        turned = OpenPosition(position.rows, (position.hands[1], position.hands[0]))
        one, two = estimate(native, position, 24), estimate(native, turned, 24)
        assert one is not None and two is not None
        assert abs(one.value + two.value) < (1 << 24) / 2, "the same estimate from the other side"
        lo, hi = Searcher().bounds(position)
        off.append(one.value / (1 << 24) - (lo + hi) / 2)
    assert sum(map(abs, off)) / len(off) < 0.6
    spread = [sum(Searcher().bounds(OpenPosition.of(two_player_advanced(7, seed)))) / 2 for seed in range(12)]
    assert sum(map(abs, off)) < sum(map(abs, spread)) / 2, "better by far than to say 0"


def test_guesses_have_the_right_sign() -> None:
    """One card per hand above the trained levels: often the lowest card is played, and then the other player comes
    first in the key."""
    off = []
    for seed in range(24):
        position = OpenPosition.of(two_player_advanced(6, seed))
        found, (lo, hi) = estimate(compiled(), position, 24), Searcher().bounds(position)
        assert found is not None and found.cut == 5
        off.append(abs(found.value / (1 << 24) - (lo + hi) / 2))
    assert sum(off) / len(off) < 0.8 and max(off) < 4


def test_an_estimate_leaves_no_trace_in_a_proof() -> None:
    """The same position with reversed estimates: other estimates, but the same value."""
    native = compiled()
    position = OpenPosition.of(two_player_advanced(6, 5))
    memory, count = learned.loaded(native)
    right = Searcher().prove(position)
    kept = memory.read("h", count)
    try:
        memory.write("h", [-number for number in kept])
        wrong = Searcher().prove(position)
    finally:
        memory.write("h", kept)
    assert wrong.complete and right.complete and wrong.estimate != right.estimate
    assert wrong.lo == pytest.approx(right.lo, abs=1e-6) and wrong.hi == pytest.approx(right.hi, abs=1e-6)


def test_a_pause_forgets_nothing() -> None:
    """Stated bounds never widen: the mixes of a paused search prove more than its questions."""
    searcher, state = Searcher(1 << 24), two_player_advanced(7, 3)
    for _ in range(25):
        solution = solve(state, nodes=300, detail="bounds", searcher=searcher)
        reports: list[Progress] = []
        proof = searcher.prove(OpenPosition.of(state), nodes=1, report=reports.append)
        assert not solution.exact and reports
        for lo, hi in [*(report.bounds for report in reports), (proof.lo, proof.hi)]:
            assert lo >= solution.bounds.lo and hi <= solution.bounds.hi


@pytest.mark.exhaustive
def test_a_proof_continues_in_larger_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    state = two_player_advanced(8, 3)
    first = Searcher().prove(OpenPosition.of(state))
    monkeypatch.setattr(core, "_FIRST_LOG2", 17)
    monkeypatch.setattr(core.Tables, "places", 2000)
    monkeypatch.setattr(running, "PATIENCE", {8: 2000})
    monkeypatch.setattr(running, "STRETCH", 50_000)
    seen: list[int] = []
    searcher = Searcher()
    proof = searcher.prove(OpenPosition.of(state), report=lambda _: seen.append(searcher.memory))
    assert len(set(seen)) > 2 and seen == sorted(seen)
    assert proof.complete and proof.lo == pytest.approx(first.lo, abs=1e-5) and proof.nodes >= proof.states > 2000


def test_a_solution_can_be_kept() -> None:
    solution = solve(two_player_advanced(8, 1), seconds=0.2, memory=1 << 20, detail="bounds")
    for same in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
        assert same.to_json() == solution.to_json() and str(same) == str(solution)
    data = solution.to_json()
    assert {"estimate", "worth", "guarantees", "support"} <= set(data)


def nodes_and_value(position: OpenPosition, guess: Guess | None) -> tuple[int, float]:
    native = compiled()
    search = core.Search(native, core.Tables(native, 1 << 24), position, 24)
    if guess is not None:
        guess.guide(search)
    search.ask(core.VALUE)
    while not search.run():
        pass
    found = search.result()
    return found[core.NODES], (found[core.LO] + found[core.HI]) * search.unit / 2


@pytest.mark.exhaustive
def test_a_guide_saves_work_and_changes_no_value() -> None:
    native = compiled()
    alone = guided = 0
    for seed in range(6):
        position = OpenPosition.of(two_player_advanced(7, seed))
        guess = estimate(native, position, 24)
        assert guess is not None
        nodes, value = nodes_and_value(position, None)
        fewer, same = nodes_and_value(position, guess)
        assert same == pytest.approx(value, abs=1e-5)
        alone, guided = alone + nodes, guided + fewer
    assert guided < 0.9 * alone


def test_a_guide_that_errs_costs_time_only() -> None:
    """Guided by the results for reversed estimates."""
    native = compiled()
    position = OpenPosition.of(two_player_advanced(7, 3))
    memory, count = learned.loaded(native)
    kept = memory.read("h", count)
    try:
        memory.write("h", [-number for number in kept])
        wrong = estimate(native, position, 24)
    finally:
        memory.write("h", kept)
    assert nodes_and_value(position, wrong)[1] == pytest.approx(nodes_and_value(position, None)[1], abs=1e-5)


def test_guides_that_do_not_fit_are_refused() -> None:
    native = compiled()
    tables = core.Tables(native, 1 << 20)
    plain = core.Search(native, tables, OpenPosition.of(two_player_advanced(7, 1)), 24)
    for log2, start in (
        (3, 6),
        (27, 6),
        (-1, 6),
        (tables.main_log2, 0),
        (tables.main_log2, 11),
        (tables.main_log2, -3),
    ):
        assert plain.ask_function("nl_solve_guide", tables.main, log2, start) < 0
    assert plain.ask_function("nl_solve_guide", tables.main, tables.main_log2, 6) == 0


def test_numbers_that_do_not_fit_are_refused() -> None:
    native = compiled()
    position = OpenPosition.of(two_player_advanced(7, 1))
    search = core.Search(native, core.Tables(native, 1 << 20), position, 24)
    memory, count = learned.loaded(native)
    for size, cut in ((count - 1, 0), (count, 4), (count, 7), (count, -1), (0, 5)):
        assert search.ask_function("nl_solve_learned", memory, size, cut) < 0
    large = native.memory(2 * count)
    large.write("h", [128])
    assert search.ask_function("nl_solve_learned", large, count, 0) < 0
    assert native.ask("nl_solve_numbers", 4) < 0 and native.ask("nl_solve_numbers", 9) < 0


def test_other_weights_forget_earlier_estimates() -> None:
    """A search remembers estimates of single positions, but not those of other weights."""
    native, position = compiled(), OpenPosition.of(two_player_advanced(7, 1))
    memory, count = learned.loaded(native)
    other = native.memory(2 * count)
    other.write("h", [-number for number in memory.read("h", count)])

    def cut_off(search: core.Search, weights: Memory) -> list[int]:
        """The answer with an estimate at five cards a hand, on empty tables: what is remembered is the search's own."""
        tables.main.write("Q", [0] * (tables.main.size // 8))
        assert search.ask_function("nl_solve_learned", weights, count, 5) == 0
        search.ask(core.VALUE)
        while not search.run():
            pass
        return search.result()[core.LO : core.HI + 1]

    tables = core.Tables(native, 1 << 20)
    search = core.Search(native, tables, position, 24)
    answers = [cut_off(search, weights) for weights in (memory, other, memory)]
    alone = [cut_off(core.Search(native, tables, position, 24), weights) for weights in (memory, other)]
    assert answers == [*alone, alone[0]] and alone[0] != alone[1]


@pytest.mark.exhaustive
def test_learning_learns() -> None:
    """A few positions and steps: much better on other positions than no estimate."""
    native = core_with(train_values.SOURCE)
    teacher = Teacher(native, learned.loaded(native)[0], 3)
    samples = teacher.samples(5, 1500, 0)
    found = teacher.network(5, samples[900:], 1200)
    mean, root = teacher.error(5, found, samples[:900])
    nothing, spread = teacher.error(5, type(found)("h", bytes(2 * len(found))), samples[:900])
    assert mean < 0.75 * nothing and root < 0.75 * spread
    shipped = learned.numbers(sum(native.call("nl_solve_numbers", each) for each in learned.LEVELS))[: len(found)]
    assert teacher.error(5, shipped, samples)[0] < mean
    with pytest.raises(NativeError):
        teacher.error(4, found, samples)


@pytest.mark.exhaustive
def test_the_command_gives_the_same_numbers_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The result doesn't depend on the machine's speed; other levels stay, and invalid input is an error."""
    native = compiled()
    first, second = tmp_path / "first.bin", tmp_path / "second.bin"
    size = sum(native.call("nl_solve_numbers", each) for each in learned.LEVELS)
    before = array("b", learned.numbers(size)).tobytes()
    for path in (first, second):
        path.write_bytes(before)
        train_values.main(["--each", "5", "--positions", "60", "--steps", "130", str(path)])
    assert first.read_bytes() == second.read_bytes() != before
    own = native.call("nl_solve_numbers", 5)
    assert first.read_bytes()[own:] == before[own:] and len(before) == size
    assert len(re.findall(r"^5 .*\d\.\d{3}", capsys.readouterr().out, re.MULTILINE)) == 2
    for wrong in (
        ["--positions", "3"],
        ["--steps", "0"],
        ["--cut", "5", "--each", "5"],
        ["--cut", "9"],
        ["--cut", "6"],
    ):
        with pytest.raises(SystemExit):
            train_values.main([*wrong, str(first)])
        assert wrong[0] in capsys.readouterr().err
    assert first.read_bytes() == second.read_bytes()


def test_learning_does_not_look_at_the_clock() -> None:
    """The number of steps at one learning rate affects the result."""
    native, asked = core_with(train_values.SOURCE), list[int]()

    class Noting:
        def call(self, function: str, *arguments: Any) -> int:
            if function == "nl_learn_steps":
                asked.append(arguments[-1])
            return native.call(function, *arguments)

        def __getattr__(self, name: str) -> Any:
            return getattr(native, name)

    teacher = Teacher(Noting(), learned.loaded(native)[0], 3)  # type: ignore[arg-type]
    teacher.network(5, teacher.samples(5, 40, 0), 50)
    assert asked == [train_values.STRIDE, train_values.STRIDE, 50 - 2 * train_values.STRIDE]
