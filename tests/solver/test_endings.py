"""Three cards a hand, answered as few entries allow, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from nimmt_lab.solver import turns as words
from nimmt_lab.solver.endings import three_cards
from nimmt_lab.solver.exact import pack
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.reference import ReferenceSolver
from tests.solver.positions import two_player_advanced

POSITIONS = [OpenPosition.of(two_player_advanced(3, seed)) for seed in range(120)]
#: Where the window lies: around the value, above and below it, wide open.
WINDOWS = ((-1, 1), (0, 1), (-1, 0), (1, 2), (-2, -1), (-9, 9), (-400, 400))


def ask(position: OpenPosition, alpha: Fraction, beta: Fraction, first_tried: int) -> tuple[int, int, int, int, int]:
    """Answer and window in units, and how many units a head has."""
    packed = pack(position)
    control = packed.control
    control[words.FIRST_TRIED] = first_tried
    unit = 1 << int(control[words.SHIFT])
    work = np.zeros((4, words.PARTS, 400), dtype=np.int64)
    game = np.zeros((5, 24, 44), dtype=np.float64)
    low, high = int(alpha * unit), int(beta * unit)
    both = int(three_cards(packed.mask_a, packed.mask_b, packed.rows, low, high, work, game, control))
    return both >> 32, ((both & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000, low, high, unit


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
