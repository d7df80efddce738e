"""The fast solver is never wrong, with any table size, time limit and fan card."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import NimmtError, PositionError, RulesError, Unsupported
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver import two_players
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.exact import Progress, RootProof, Searcher
from nimmt_lab.solver.matrix import duality_gap
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.reference import EngineSolver
from nimmt_lab.solver.solution import Solution
from nimmt_lab.solver.two_players import solve
from tools.plain_search import plain_value

from .positions import known_values, low_card_state, two_player_advanced


def check(solution: Solution, value: Fraction | float) -> None:
    """Exact, right to the last digit if it is a fraction, and proved by its own strategies."""
    assert solution.exact
    if solution.fraction is not None:
        assert solution.fraction == value and solution.value == float(value) and solution.gap == 0
    assert solution.bounds.lo - 1e-12 <= value <= solution.bounds.hi + 1e-12
    assert solution.error <= 1e-6 and solution.gap <= 1e-6
    for mix in solution.strategies.values():
        assert sum(mix.values()) == pytest.approx(1.0, abs=1e-12) and min(mix.values()) >= 0


def check_full_table(solution: Solution) -> None:
    """With every entry exact, best replies can be computed from the table alone."""
    table = [[entry.middle for entry in row.values()] for row in solution.payoffs.values()]
    assert all(entry.width <= 1e-6 for row in solution.payoffs.values() for entry in row.values())
    gap = duality_gap(table, list(solution.strategies[0].values()), list(solution.strategies[1].values()))
    assert gap <= 1e-6
    for regrets in solution.regrets.values():
        assert all(0 <= regret.lo <= regret.hi <= regret.lo + 2e-6 for regret in regrets.values())
    for seat, mix in solution.strategies.items():
        assert all(solution.regrets[seat][choice].lo <= 1e-6 for choice, chance in mix.items() if chance > 1e-6)


def test_conformance_values() -> None:
    for text, value in known_values("conformance"):
        solution = solve(text)
        check(solution, value)
        check_full_table(solution)
        assert solution.fraction == value


@pytest.mark.exhaustive
def test_fractions_with_any_table_of_any_size() -> None:
    """The whole turn in fractions: value, table, strategies and regrets equal those of the plain solver."""
    for text, value in known_values("conformance"):
        state = Advanced(players=2).from_position(text)
        solution = solve(text, memory=1 << 16)
        assert solution.fraction == value
        oracle = EngineSolver()
        x, y = solution.strategies[0], solution.strategies[1]
        for a, row in solution.payoffs.items():
            for b, entry in row.items():
                exact = oracle.after(state, {0: a, 1: b})
                assert entry.middle == pytest.approx(float(exact), rel=1e-15, abs=0) and entry.lo <= exact <= entry.hi
        for a, regret in solution.regrets[0].items():
            earns = sum(chance * solution.payoffs[a][b].middle for b, chance in y.items())
            assert regret.middle == pytest.approx(float(value) - earns, abs=1e-12)
            assert not x[a] or regret == (0, 0)


@pytest.mark.exhaustive
def test_hundreds_of_positions_against_exact_fractions() -> None:
    searcher = Searcher()
    for text, value in known_values("values"):
        solution = solve(text, searcher=searcher)
        check(solution, value)
        check_full_table(solution)
        assert solution.fraction == value


@pytest.mark.exhaustive
def test_a_tiny_table_and_a_second_thread_change_no_value() -> None:
    for index, (text, value) in enumerate(known_values("values")):
        if index % 4 == 0:
            check(solve(text, memory=1 << 16), value)
        if index % 16 == 1:
            check(solve(text, threads=2), value)


@pytest.mark.exhaustive
def test_six_cards_against_the_plain_search() -> None:
    for seed in range(12):
        state = two_player_advanced(6, seed)
        value, states = plain_value(OpenPosition.of(state), states=1 << 20)
        solution = solve(state, detail="bounds")
        assert solution.exact and solution.gap <= 1e-6
        assert solution.value == pytest.approx(value, abs=1e-6)
        assert solution.states < states
        assert solution.fraction is not None and solution.value == float(solution.fraction)


@pytest.mark.slow
def test_seven_cards_against_the_plain_search() -> None:
    for seed in range(6):
        state = two_player_advanced(7, seed)
        value, _ = plain_value(OpenPosition.of(state), states=1 << 23)
        assert solve(state, memory=1 << 20, threads=2).value == pytest.approx(value, abs=1e-6)


@pytest.mark.exhaustive
def test_few_states_are_stored() -> None:
    stored = [solve(two_player_advanced(7, seed), detail="bounds").states for seed in range(10)]
    assert sum(stored) / len(stored) <= 60_000


@pytest.mark.exhaustive
def test_the_whole_classic_deck() -> None:
    """Other classes of heads (including 55), wide gaps, more heads than advanced mode ever has."""
    with_55 = 0
    for seed in range(150):
        state = random_state(Classic(players=2, rounds=1), 3, seed)
        with_55 += any(55 in cards for cards in (*state.hands, *state.rows))
        solution = solve(state)
        check(solution, EngineSolver().value(state))
        assert solution.fraction is not None
    assert with_55 >= 10


FAN_CARDS = ("even_odd", "mountain", "jumping_cow", "number_twister")


@pytest.mark.exhaustive
@pytest.mark.parametrize("fan_card", FAN_CARDS)
@pytest.mark.parametrize("rules", [Advanced, Classic])
def test_fan_cards_against_the_engine(fan_card: str, rules: type[Classic]) -> None:
    game = rules(players=2, rounds=1, fan_cards=(fan_card,))
    for left, count in ((1, 20), (2, 30), (3, 6)):
        for seed in range(count):
            state = random_state(game, left, seed)
            solution = solve(state)
            check(solution, EngineSolver().value(state))
            check_full_table(solution)
            assert solution.fraction is not None


@pytest.mark.parametrize("fan_card", [None, *FAN_CARDS])
def test_in_the_middle_of_a_turn(fan_card: str | None) -> None:
    game = Advanced(players=2, rounds=1, fan_cards=(fan_card,) if fan_card else ())
    for left in (0, 1, 2):
        for seed in range(0, 60, 10):
            state = low_card_state(game, left, seed)
            ((seat, decision),) = state.pending.items()
            solution = solve(state)
            value = EngineSolver().value(state)
            check(solution, value)
            assert solution.fraction is not None
            assert list(solution.strategies) == [seat]
            best = solution.best(seat)
            assert best is not None and solution.regrets[seat][best].lo == 0
            assert set(solution.strategies[seat]) == set(decision.options)


def test_the_line_adds_up_where_nobody_mixes() -> None:
    seen = 0
    for seed in range(30):
        solution = solve(two_player_advanced(4, seed))
        line = solution.line()
        assert all(step.exact for step in line)
        assert sum(len(step.choices) == 2 for step in line) == 4
        if all(step.chance > 1 - 1e-9 for step in line):
            seen += 1
            assert sum(step.heads for step in line) == pytest.approx(solution.value, abs=1e-6)
    assert seen >= 3


def test_out_of_time_is_said_and_sound() -> None:
    state = two_player_advanced(9, 3)
    solution = solve(state, seconds=0.05, memory=1 << 22)
    assert not solution.exact and not solution.interrupted
    assert say("solved.no_time") in str(solution)
    assert solution.bounds.lo < solution.bounds.hi
    assert solution.to_json()["exact"] is False
    assert sum(solution.strategies[0].values()) == pytest.approx(1.0)
    smaller = two_player_advanced(7, 3)
    hurried, exact = solve(smaller, seconds=0.02), solve(smaller)
    assert hurried.bounds.lo <= exact.value <= hurried.bounds.hi


def test_interrupting_keeps_the_bounds() -> None:
    seen: list[Progress] = []

    class Pressed(Searcher):
        """Simulates the interrupt key as soon as something is known."""

        def prove(self, position: OpenPosition, **options: Any) -> RootProof:
            return super().prove(position, **{**options, "report": press})

    def press(progress: Progress) -> None:
        seen.append(progress)
        if progress.bounds != seen[0].bounds:
            raise KeyboardInterrupt

    state = two_player_advanced(7, 2)
    solution = solve(state, searcher=Pressed())
    assert solution.interrupted and not solution.exact and solution.fraction is None
    assert "interrupted" in str(solution)
    lo, hi = seen[-1].bounds
    assert (lo, hi) != seen[0].bounds
    assert lo <= solution.bounds.lo < solution.bounds.hi <= hi
    assert solution.bounds.lo <= solve(state, detail="bounds").value <= solution.bounds.hi


def test_progress_is_reported() -> None:
    reports: list[Progress] = []
    Searcher().prove(OpenPosition.of(two_player_advanced(7, 1)), report=reports.append)
    assert reports
    assert [report.states for report in reports] == sorted(report.states for report in reports)
    assert [report.bounds[0] for report in reports] == sorted(report.bounds[0] for report in reports)
    assert [report.bounds[1] for report in reports] == sorted((r.bounds[1] for r in reports), reverse=True)


def test_a_progress_bar_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    state = two_player_advanced(7, 1)
    solve(state, detail="bounds", progress=True)
    assert "value in [" in capsys.readouterr().err
    # Without tqdm a plain line appears every ten seconds.
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with two_players._Bar() as report:
        report(Progress(12.0, 10, 3, (-2.0, 1.5)))
        report(Progress(13.0, 20, 9, (-1.0, 1.5)))
    assert capsys.readouterr().err == "12 s, 3 positions, value in [-2.000, +1.500]\n"


@pytest.mark.exhaustive
def test_memory_is_bounded() -> None:
    solution = solve(two_player_advanced(7, 2), memory=1 << 18)
    assert solution.exact and solution.memory <= 1 << 18


def test_players_changing_places_turns_the_value() -> None:
    for seed in range(10):
        state = two_player_advanced(5, seed)
        a, b = state.hands
        rows = " | ".join(" ".join(map(str, row)) for row in state.rows)
        one = solve(f"{rows} ; A: {' '.join(map(str, a))} ; B: {' '.join(map(str, b))}")
        two = solve(f"{rows} ; A: {' '.join(map(str, b))} ; B: {' '.join(map(str, a))}")
        assert one.value == pytest.approx(-two.value, abs=1e-6)


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        ("1 | 2 | 3 | 4 ; A: 5 6 ; B: 7", {}),
        ("1 | 2 | 3 | 4 ; A: 5 ; B: 7", {"seconds": 0}),
        ("1 | 2 | 3 | 4 ; A: 5 ; B: 7", {"detail": "everything"}),
        ("1 | 2 | 3 | 4 ; A: 5 ; B: 7", {"memory": 100}),
        ("1 | 2 | 3 | 4 ; A: 5 ; B: 7", {"threads": 0}),
        ("1 | 2 | 3 ; A: 5 ; B: 7", {}),
        ("", {}),
        ("nonsense", {}),
    ],
)
def test_bad_questions_are_refused(problem: str, options: dict[str, Any]) -> None:
    with pytest.raises(NimmtError):
        solve(problem, **options)


def test_states_it_cannot_solve() -> None:
    def refused(state: GameState, error: type[NimmtError]) -> None:
        with pytest.raises(error):
            solve(state)

    refused(Advanced(players=2).deal(seed=1), PositionError)  # the draft is not over
    refused(Classic(players=2, rows=5).deal(seed=1), Unsupported)
    refused(Classic(players=2, row_limit=6).deal(seed=1), Unsupported)
    refused(Classic(players=3).deal(seed=1), RulesError)
    game = Classic(players=2, fan_cards=("even_odd", "mountain"), combine_fan_cards=True)
    refused(game.deal(seed=1), RulesError)
    twister = {"name": "number_twister", "single_digits": True}
    refused(Classic(players=2, fan_cards=(twister,), hand_size=2).deal(seed=1), RulesError)


def test_strategies_that_are_not_optimal_are_not_called_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search may claim to be complete: the result is called exact only if the replies to both strategies agree."""
    state = Advanced(players=2).from_position("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
    real = Searcher.prove

    def even(self: Searcher, *args: Any, **options: Any) -> RootProof:
        proof = real(self, *args, **options)
        mixes = ([1 / 3] * 3, [1 / 3] * 3)
        return replace(proof, turn=replace(proof.turn, mixes=mixes))

    monkeypatch.setattr(two_players, "FRACTIONS_UP_TO", 0)
    found = solve(state)
    assert found.exact and found.gap < 2e-6
    monkeypatch.setattr(Searcher, "prove", even)
    worse = solve(state)
    assert worse.gap > 0.1 and not worse.exact
    assert two_players.MOST_GAP < 1e-5
