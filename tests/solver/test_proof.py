"""Values as fractions: proved or not claimed, and errors of the search are detected."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from nimmt_lab import Advanced
from nimmt_lab.commands.words import say
from nimmt_lab.solver import two_players
from nimmt_lab.solver.exact import Searcher, TurnTable
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.proof import Prover, TooMuchWork
from nimmt_lab.solver.reference import EngineSolver
from nimmt_lab.solver.solution import Bounds
from nimmt_lab.solver.two_players import solve

from .positions import known_values, low_card_state, two_player_advanced

MIXED = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
#: Many later turns need mixing, so the proof involves more than one position.
DEEP = two_player_advanced(5, 10)


@pytest.mark.exhaustive
def test_positions_between_and_within_turns() -> None:
    prover = Prover(Searcher())
    for text, value in list(known_values("values"))[::3]:
        assert prover.value(Advanced(players=2).from_position(text)) == value
    for seed in range(30):
        state = low_card_state(Advanced(players=2, rounds=1), seed % 3, seed)
        assert prover.value(state) == EngineSolver().value(state)


@pytest.mark.exhaustive
def test_wrong_guesses_of_the_strategies_change_no_value() -> None:
    """Whatever cards the search starts with, the others join when they turn out to be better."""

    class Misled(Searcher):
        def table(self, position: OpenPosition, shift: int | None = None) -> TurnTable:
            table = super().table(position, shift)
            last = [[float(at == len(mix) - 1) for at in range(len(mix))] for mix in table.mixes]
            return dataclasses.replace(table, mixes=(last[0], last[1]))

    for text, value in list(known_values("values"))[::7]:
        assert Prover(Misled()).value(Advanced(players=2).from_position(text)) == value


def test_a_wrong_search_is_found_out() -> None:
    class Wrong(Searcher):
        def table(self, position: OpenPosition, shift: int | None = None) -> TurnTable:
            table = super().table(position, shift)
            if position.cards_each < 5:
                return table
            lows, highs = ([[entry + 0.25 for entry in row] for row in part] for part in (table.lows, table.highs))
            return dataclasses.replace(table, lows=lows, highs=highs)

    with pytest.raises(ArithmeticError, match="disagree"):
        Prover(Wrong()).value(DEEP)


def test_no_fraction_is_claimed_without_its_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooMuchWork):
        Prover(Searcher(), most=1).value(DEEP)
    with pytest.raises(TooMuchWork):
        Prover(Searcher(), until=0.0).value(DEEP)
    monkeypatch.setattr(two_players, "MOST_PROVED", 1)
    solution = solve(DEEP)
    assert solution.fraction is None and solution.exact
    assert solution.bounds.lo <= Prover(Searcher()).value(DEEP) <= solution.bounds.hi < solution.bounds.lo + 1e-6
    assert solution.to_json()["fraction"] is None
    assert say("solved.exact_to", error="") in str(solution)


def test_interrupting_the_proof_leaves_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Prover, "turn", press)
    solution = solve(MIXED)
    assert solution.exact and solution.fraction is None and solution.error < 1e-6


def test_solutions_say_how_exact_they_are() -> None:
    exactly = say("solved.value", value="+4.8", how=say("solved.exactly", fraction="24/5"))
    assert exactly in str(solve(MIXED))
    assert f"({say('solved.exact')})" in str(solve("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8"))
    long = solve(two_player_advanced(6, 12))
    assert long.fraction is not None
    assert f"({say('solved.long_fraction', signs=len(str(long.fraction)))})" in str(long)


def test_seven_cards_if_one_lets_it() -> None:
    state = two_player_advanced(7, 1)
    searcher = Searcher()
    solution = solve(state, searcher=searcher, detail="bounds")
    value = Prover(searcher).value(state)
    assert solution.bounds.lo <= value <= solution.bounds.hi
    assert solution.fraction in (None, value)


@pytest.mark.parametrize("number", [Fraction(1, 3), Fraction(-24, 5), Fraction(0), Fraction(7), Fraction(2**60 + 1)])
def test_bounds_of_a_number_are_around_it(number: Fraction) -> None:
    bounds = Bounds.around(number, number)
    assert bounds.lo <= number <= bounds.hi
    assert bounds.width <= 4e-16 * abs(float(number))
