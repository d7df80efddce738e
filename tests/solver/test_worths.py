"""Estimates of single cards: within their bounds, consistent with the strategies shown, and as accurate as stated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.solver import core
from nimmt_lab.solver.estimate import ERRORS, cuts_of, looks
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.solution import Solution
from nimmt_lab.solver.two_players import solve
from tools.solved_turns import state_of

from .positions import DATA, compiled

TURNS: list[dict[str, Any]] = json.loads((DATA / "turns.json").read_text(encoding="utf-8"))["turns"]
#: Positions searched after the estimate: hardly any, some, and more than half of what an exact answer needs.
LIMITS = (1, 500, 5_000, 40_000)
SLACK = 1e-3  # payoffs in the file are rounded


def in_step(solution: Solution) -> None:
    """Every estimate lies within its bounds, and the most frequent card is the best of them or is proved."""
    for seat, choices in solution.worth.items():
        for worth in choices.values():
            assert worth.estimate is not None and worth.error is not None
            assert worth.bounds.lo <= worth.estimate <= worth.bounds.hi
            assert 0 <= worth.error <= worth.bounds.width
        best, better = solution.best(seat), solution.better_by_estimate(seat)
        sign = 1 if seat == 0 else -1
        about = {choice: sign * worth.estimate for choice, worth in choices.items() if worth.estimate is not None}
        if better is None:
            assert best is not None and about[best] == pytest.approx(max(about.values()), abs=2e-6)
        else:
            assert "certified" in solution.support.values()
            assert best is not None
            assert about[better] - about[best] == pytest.approx(solution.gain_by_estimate(seat))
            assert f"{better} gains" in str(solution), "the reason is shown"
    assert solution.estimate is None or solution.bounds.lo <= solution.estimate <= solution.bounds.hi


def exact_worths(turn: Mapping[str, Any], solution: Solution, seat: Seat) -> dict[Choice, float]:
    """The value of each card against the other's strategy, from exact payoffs; without cards whose payoffs are unknown."""
    mix = solution.strategies[1 - seat].values()  # cards in ascending order, as in the file
    worths = {}
    for p, card in enumerate(solution.strategies[seat]):
        entries = [turn["payoffs"][p][q] if seat == 0 else turn["payoffs"][q][p] for q in range(len(mix))]
        parts = [(chance, entry) for chance, entry in zip(mix, entries, strict=True) if chance > 0]
        if all(entry is not None for _, entry in parts):
            worths[card] = sum(chance * entry for chance, entry in parts) / 1000
    return worths


def test_an_average_of_open_bounds_is_no_estimate() -> None:
    """Every card of this position used to be valued at the middle of what was possible at all: about -15."""
    position = "91 | 51 | 54 | 10 ; A: 12 26 35 40 43 44 73 81 87 ; B: 2 8 13 16 18 32 53 60 104"
    solution = solve(Classic(players=2).from_position(position), nodes=1, memory=1 << 22)
    in_step(solution)
    value = 2.25
    assert solution.estimate == pytest.approx(value, abs=0.5)
    worths = {card: worth.estimate for card, worth in solution.worth[0].items()}
    assert worths[73] == pytest.approx(value, abs=0.5) and worths[26] == pytest.approx(value, abs=1)
    assert min(worth for worth in worths.values() if worth is not None) > -4


@pytest.mark.sampled(23)
@pytest.mark.parametrize("number", range(len(TURNS)))
def test_estimates_of_cards_are_sound(number: int) -> None:
    turn = TURNS[number]
    state = state_of(turn["game"], turn["cards"], turn["seed"])
    solution = solve(state, nodes=LIMITS[number % len(LIMITS)], detail="bounds")
    in_step(solution)
    for seat in (0, 1):
        for card, exact in exact_worths(turn, solution, seat).items():
            lo, hi = solution.worth[seat][card].bounds
            assert lo - SLACK <= exact <= hi + SLACK


@pytest.mark.exhaustive
@pytest.mark.parametrize("cards", sorted({turn["cards"] for turn in TURNS}))
def test_typical_errors_are_as_stated(cards: int) -> None:
    """Compared with exact payoffs: the mean error of the value and of cards, by cut-off."""
    native, off = compiled(), dict[int, tuple[list[float], list[float]]]()
    for turn in TURNS:
        if turn["cards"] != cards:
            continue
        position = OpenPosition.of(state_of(turn["game"], cards, turn["seed"]))
        shift = core.shift_of(position)
        for cut, guess in {g.cut: g for g in looks(native, position, shift, cuts_of(position)) if g}.items():
            values, worths = off.setdefault(cut, ([], []))
            values.append(abs(guess.value * 2.0**-shift - turn["value"] / 1000))
            differences = [
                [
                    None if exact is None else guess.entries[i][j] * 2.0**-shift - exact / 1000
                    for j, exact in enumerate(row)
                ]
                for i, row in enumerate(turn["payoffs"])
            ]
            turned = [list(column) for column in zip(*differences, strict=True)]
            for table, mix in ((differences, guess.turn.mixes[1]), (turned, guess.turn.mixes[0])):
                worths += [abs(sum(parts)) for row in table if (parts := weighed(row, mix)) is not None]
    assert off
    for cut, measured in off.items():
        for stated, errors in zip(ERRORS[cards, cut], measured, strict=True):
            mean = sum(errors) / len(errors)
            assert 0.75 * stated - 0.05 <= mean <= 1.15 * stated + 0.05, f"{cards} cards, cut-off {cut}: {mean:.2f}"


def weighed(row: Sequence[float | None], mix: Sequence[float]) -> list[float] | None:
    """Entries weighted by their probabilities; None if a needed one is unknown."""
    parts = [None if entry is None else entry * chance for entry, chance in zip(row, mix, strict=True) if chance > 0]
    return None if None in parts else [part for part in parts if part is not None]


@pytest.mark.exhaustive
def test_cards_are_estimated_well_after_a_moment() -> None:
    """With eight cards per hand, after as many positions as a slow machine searches in a second."""
    off: list[float] = []
    for turn in TURNS:
        if turn["cards"] == 8:
            solution = solve(state_of(turn["game"], 8, turn["seed"]), nodes=100_000, detail="bounds")
            in_step(solution)
            for seat in (0, 1):
                for card, exact in exact_worths(turn, solution, seat).items():
                    guess = solution.worth[seat][card].estimate
                    assert guess is not None
                    off.append(abs(guess - exact))
    assert len(off) > 200 and sum(off) / len(off) <= 0.5
