"""The plain compiled search: every entry of every turn, remembered by canonical key. A yardstick, not a tool.

It has no windows, no bounds and no neighbours, so it visits every position that can be reached. The fast search is held
against it where exact fractions are out of reach (six and seven cards a hand), and the benchmark reports the ratio.

>>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
>>> value, states = plain_value(OpenPosition(rows, ((12, 16, 20), (1, 2, 18))), states=1 << 10)
>>> round(value, 6), states
(4.8, 1)
"""

from __future__ import annotations

import numpy as np

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.solver.compiled import Floats, Words, jit, lowest_bit
from nimmt_lab.solver.exact import pack
from nimmt_lab.solver.open_position import PLAIN, OpenPosition
from nimmt_lab.solver.packed import canonical, hash_two, last_turn, play_two, row_below
from nimmt_lab.solver.programme import solve_game
from nimmt_lab.solver.turns import BIG, HEADS, HIGH_CLASS, LOW_CLASS, SHIFT, STORED

FULL = 0  # control word: the table overflowed


@jit
def _value(
    k: int, mask_a: int, mask_b: int, rows: int, keys: Words, values: Floats, games: Floats, control: Words
) -> float:
    if k == 1:
        return float(last_turn(lowest_bit(mask_a), lowest_bit(mask_b), rows, control[HEADS]) << control[SHIFT])
    if control[FULL] != 0:
        return 0.0
    left = mask_a | mask_b
    sign = -1.0 if mask_b & (left & -left) else 1.0
    if sign < 0:
        mask_a, mask_b = mask_b, mask_a
    at = np.int64(0)
    structure, weights = 0, 0
    if k > 2:
        structure, weights = canonical(mask_a, mask_b, rows, control[LOW_CLASS], control[HIGH_CLASS], control[BIG])
        size = values.shape[0]
        at = np.int64(hash_two(structure, weights) & np.uint64(size - 1))
        while keys[2 * at] != 0:
            if keys[2 * at] == structure and keys[2 * at + 1] == weights:
                return float(sign * values[at])
            at = (at + 1) & (size - 1)
    heads = control[HEADS]
    i = 0
    hand_a = mask_a
    while hand_a:
        a = lowest_bit(hand_a)
        hand_a &= hand_a - 1
        j = 0
        hand_b = mask_b
        while hand_b:
            b = lowest_bit(hand_b)
            hand_b &= hand_b - 1
            first, second, owner = min(a, b), max(a, b), 1 if a < b else -1
            index = row_below(rows, 2 * first + 1)
            best = -1e300
            for choice in range(1 if index >= 0 else 4):
                after, one, two = play_two(rows, index, choice, first, second, heads)
                next_a, next_b = mask_a & ~(1 << a), mask_b & ~(1 << b)
                later = _value(k - 1, next_a, next_b, after, keys, values, games, control)
                best = max(best, float((two - one) << control[SHIFT]) + owner * later)
            games[k, i, j] = owner * best
            j += 1
        i += 1
    value = solve_game(games[k], k, k, games[0, 0], games[0, 1], games[1], games[2])
    if k > 2:
        # Search below has filled the table: look for a place again.
        size = values.shape[0]
        at = np.int64(hash_two(structure, weights) & np.uint64(size - 1))
        while keys[2 * at] != 0:
            at = (at + 1) & (size - 1)
        keys[2 * at], keys[2 * at + 1], values[at] = structure, weights, value
        control[STORED] += 1
        if 8 * control[STORED] > 7 * size:
            control[FULL] = 1
    return sign * value


def plain_value(position: OpenPosition, states: int = 1 << 23) -> tuple[float, int]:
    """Value of a position without fan card, and how many positions were stored; ``states`` bounds the table."""
    if position.kind != PLAIN:
        raise RulesError("the plain search knows no fan cards")
    packed = pack(position)
    size = 1 << (states - 1).bit_length()
    keys, values = np.zeros(2 * size, dtype=np.int64), np.zeros(size, dtype=np.float64)
    games = np.zeros((max(3, position.cards_each + 1), 24, 44), dtype=np.float64)
    value = _value(position.cards_each, packed.mask_a, packed.mask_b, packed.rows, keys, values, games, packed.control)
    if packed.control[FULL]:
        raise RulesError(f"more than {size * 7 // 8:,} positions: give the plain search a larger table")
    return float(value) * 2.0 ** -int(packed.control[SHIFT]), int(packed.control[STORED])
