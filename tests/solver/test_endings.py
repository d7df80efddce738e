"""Three cards per hand, solved with few table entries, compared with exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nimmt_lab.solver import core
from nimmt_lab.solver.core import Search, Tables, shift_of
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.reference import ReferenceSolver
from tests.solver.positions import compiled, two_player_advanced

POSITIONS = [OpenPosition.of(two_player_advanced(3, seed)) for seed in range(120)]
#: The place of the window: around the value, above it, below it, wide open.
WINDOWS = ((-1, 1), (0, 1), (-1, 0), (1, 2), (-2, -1), (-9, 9), (-400, 400))


def ask(position: OpenPosition, alpha: Fraction, beta: Fraction, first_tried: int) -> tuple[int, int, int, int, int]:
    """Answer and window in units, and the number of units per head."""
    # The jitter decides which card of A is tried first; tables are new each time, so nothing is remembered.
    native = compiled()
    search = Search(native, Tables(native, 1 << 16), position, shift_of(position), 3 + first_tried)
    unit = round(1 / search.unit)
    low, high = int(alpha * unit), int(beta * unit)
    search.ask(core.VALUE, low, high)
    assert search.run()
    found = search.result()
    return found[core.LO], found[core.HI], low, high, unit


@pytest.mark.exhaustive
@pytest.mark.parametrize("first_tried", range(3))
def test_bounds_hold_the_value_and_answer_the_question(first_tried: int) -> None:
    mixed = 0
    for position in POSITIONS:
        value = ReferenceSolver().value(position.rows, *position.hands)
        mixed += value.denominator > 1
        for below, above in WINDOWS:
            lo, hi, alpha, beta, unit = ask(position, value + below, value + above, first_tried)
            assert lo <= value * unit <= hi, position
            assert hi <= alpha or lo >= beta or hi - lo <= 4, position
    assert mixed > 10, "too few positions without a pure answer to test the mixes"
