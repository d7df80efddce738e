"""Quick play with open hands, for estimates (compiled): not good, but not blind.

Both players look one turn ahead. Of the table of this turn's heads each takes the card that does best against all the
other's cards alike, give or take a little noise; a low card takes the cheapest row, and that counts. Thousands of such
rounds a second tell good hands from bad ones, which is all the draft adviser asks of them.
"""

from __future__ import annotations

import numpy as np

from nimmt_lab.solver.compiled import Floats, Words, inline, jit, lowest_bit
from nimmt_lab.solver.packed import ROW, add, heads_at, row_below, take


@inline
def draw(rng: Words, below: int) -> int:
    """A whole number 0 ≤ x < below (a few bits of bias in 2**31 do not matter here)."""
    state = np.uint64(rng[0]) + np.uint64(0x9E3779B97F4A7C15)
    rng[0] = np.int64(state)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return int(np.int64(z >> np.uint64(33)) * below >> 31)


@jit
def one_turn(a: int, b: int, rows: int, heads: int) -> tuple[int, int]:
    """Rows after A's and B's card, low cards taking the cheapest row, and heads of B minus heads of A."""
    first, second, sign = (a, b, 1) if a < b else (b, a, -1)
    index = row_below(rows, 2 * first + 1)
    if index >= 0:
        rows, one = add(rows, index, 2 * first + 1, heads_at(heads, first))
    else:
        cheapest, index = 1000, 0
        for row in range(4):
            if ((rows >> (16 * row)) & ROW) >> 9 <= cheapest:  # of equals the highest
                cheapest, index = ((rows >> (16 * row)) & ROW) >> 9, row
        rows, one = take(rows, index, 2 * first + 1, heads_at(heads, first))
    rows, two = add(rows, row_below(rows, 2 * second + 1), 2 * second + 1, heads_at(heads, second))
    return rows, sign * (two - one)


@jit
def playout(mask_a: int, mask_b: int, rows: int, heads: int, rng: Words, score: Floats) -> int:
    """Play a deal to its end; heads of B minus heads of A."""
    total = 0
    while mask_a:
        for index in range(40):
            score[index] = draw(rng, 1024) / 1024.0
        hand_a = mask_a
        while hand_a:
            a = lowest_bit(hand_a)
            hand_a &= hand_a - 1
            hand_b = mask_b
            while hand_b:
                b = lowest_bit(hand_b)
                hand_b &= hand_b - 1
                _, now = one_turn(a, b, rows, heads)
                score[a] += now
                score[20 + b] -= now
        best_a, best_b, card_a, card_b = -1e9, -1e9, 0, 0
        hand_a, hand_b = mask_a, mask_b
        while hand_a:
            a, b = lowest_bit(hand_a), lowest_bit(hand_b)
            hand_a &= hand_a - 1
            hand_b &= hand_b - 1
            if score[a] > best_a:
                best_a, card_a = score[a], a
            if score[20 + b] > best_b:
                best_b, card_b = score[20 + b], b
        rows, now = one_turn(card_a, card_b, rows, heads)
        total += now
        mask_a &= ~(1 << card_a)
        mask_b &= ~(1 << card_b)
    return total


@jit
def finish_draft(owners: Words, cards: int, picker: int, size: int, rng: Words) -> None:
    """Give the cards nobody has (owner −1) out at random, in turns, until both hands are full."""
    left = 0
    for card in range(cards):
        left += int(owners[card] < 0)
    while left > 4:
        skip = draw(rng, left)
        for card in range(cards):
            if owners[card] < 0:
                if skip == 0:
                    owners[card] = picker
                    break
                skip -= 1
        picker = 1 - picker
        left -= 1


@jit
def estimate(
    owners: Words,
    values: Words,
    picker: int,
    size: int,
    heads: Words,
    rounds: int,
    rng: Words,
    scratch: Words,
    score: Floats,
) -> tuple[float, float]:
    """Sum and sum of squares of ``rounds`` playouts, each after a random end of the draft."""
    cards = owners.shape[0]
    total, squares = 0.0, 0.0
    for _ in range(rounds):
        for card in range(cards):
            scratch[card] = owners[card]
        finish_draft(scratch, cards, picker, size, rng)
        mask_a, mask_b, rows, packed, seen, slot = 0, 0, 0, 0, 0, 0
        for card in range(cards):
            if scratch[card] < 0:  # a row: its end lies just below the hand card that comes next
                rows |= ((2 * seen) | (1 << 6) | (heads[values[card]] << 9)) << (16 * slot)
                slot += 1
            else:
                packed |= heads[values[card]] << (3 * seen)
                if scratch[card] == 0:
                    mask_a |= 1 << seen
                else:
                    mask_b |= 1 << seen
                seen += 1
        result = float(playout(mask_a, mask_b, rows, packed, rng, score))
        total += result
        squares += result * result
    return total, squares
