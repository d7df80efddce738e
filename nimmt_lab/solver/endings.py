"""Positions with three cards a hand: the bottom of the search, where most of its time goes (compiled).

What follows a turn is known at once (``packed.two_cards``), so entries of the turn's table are simply worked out, and
as few as will do: A's best worst case so far, B's best answer to it, A's best answer to that, and so on. Most
positions end this way at a pure choice for both; the others take the whole table and a mix.
"""

from __future__ import annotations

import numpy as np

from nimmt_lab.solver.compiled import Floats, Words, jit, lowest_bit
from nimmt_lab.solver.packed import lower, pair, play_two, row_below, two_cards, upper
from nimmt_lab.solver.programme import solve_game
from nimmt_lab.solver.turns import CAP, CARDS_A, CARDS_B, FIRST_TRIED, HEADS, HIGH, LISTS, LOW, SHIFT

CARDS_EACH = 3


@jit
def _entry(a: int, b: int, mask_a: int, mask_b: int, rows: int, control: Words) -> int:
    """Bounds of what A's card ``a`` against B's ``b`` is worth; a low card takes the row that is best for its owner."""
    heads, shift = control[HEADS], control[SHIFT]
    next_a, next_b = mask_a & ~(1 << a), mask_b & ~(1 << b)
    first, second, sign = (a, b, 1) if a < b else (b, a, -1)
    index = row_below(rows, 2 * first + 1)
    best_lo, best_hi = 0, 0
    for choice in range(1 if index >= 0 else 4):
        after, one, two = play_two(rows, index, choice, first, second, heads)
        now = (sign * (two - one)) << shift
        both = two_cards(next_a, next_b, after, heads, shift)
        lo, hi = lower(both) + now, upper(both) + now
        if choice == 0:
            best_lo, best_hi = lo, hi
        elif sign > 0:
            best_lo, best_hi = max(best_lo, lo), max(best_hi, hi)
        else:
            best_lo, best_hi = min(best_lo, lo), min(best_hi, hi)
    return pair(best_lo, best_hi)


@jit
def _look(i: int, j: int, known: int, mask_a: int, mask_b: int, rows: int, work: Words, control: Words) -> int:
    """Work out A's i-th card against B's j-th unless that is known; the bits of all entries known after it."""
    at = CARDS_EACH * i + j
    if known >> at & 1 == 0:
        lists = work[CARDS_EACH, LISTS]
        both = _entry(lists[CARDS_A + i], lists[CARDS_B + j], mask_a, mask_b, rows, control)
        work[CARDS_EACH, LOW, at], work[CARDS_EACH, HIGH, at] = lower(both), upper(both)
    return known | 1 << at


@jit
def three_cards(
    mask_a: int, mask_b: int, rows: int, alpha: int, beta: int, work: Words, game: Floats, control: Words
) -> int:
    """Bounds of a position with three cards each for the window (alpha, beta), as ``search.search`` gives them."""
    lows, highs, lists = work[CARDS_EACH, LOW], work[CARDS_EACH, HIGH], work[CARDS_EACH, LISTS]
    rest_a, rest_b = mask_a, mask_b
    for place in range(CARDS_EACH):
        lists[CARDS_A + place], lists[CARDS_B + place] = lowest_bit(rest_a), lowest_bit(rest_b)
        rest_a &= rest_a - 1
        rest_b &= rest_b - 1
    cap = control[CAP]
    lo, hi = -cap, cap
    known, tried = 0, 0  # bits: entries worked out, A's cards tried
    i, j = control[FIRST_TRIED], 0
    while tried >> i & 1 == 0:
        tried |= 1 << i
        control[FIRST_TRIED] = i  # what held last time is tried first next time
        least = 4 * cap
        for column in range(CARDS_EACH):
            known = _look(i, column, known, mask_a, mask_b, rows, work, control)
            if lows[CARDS_EACH * i + column] < least:
                least, j = lows[CARDS_EACH * i + column], column
        lo = max(lo, least)
        if lo >= beta:
            return pair(lo, hi)
        most = -4 * cap
        for row in range(CARDS_EACH):
            known = _look(row, j, known, mask_a, mask_b, rows, work, control)
            if highs[CARDS_EACH * row + j] > most:
                most, i = highs[CARDS_EACH * row + j], row
        hi = min(hi, most)
        if hi <= alpha or hi - lo <= 1:
            return pair(lo, hi)
    return _mixed(known, lo, hi, mask_a, mask_b, rows, work, game, control)


@jit
def _mixed(
    known: int, lo: int, hi: int, mask_a: int, mask_b: int, rows: int, work: Words, game: Floats, control: Words
) -> int:
    """The same from the whole table: what the two mixes found guarantee for certain (see ``search.certificate``)."""
    lows, highs = work[CARDS_EACH, LOW], work[CARDS_EACH, HIGH]
    for i in range(CARDS_EACH):
        for j in range(CARDS_EACH):
            known = _look(i, j, known, mask_a, mask_b, rows, work, control)
            game[0, i, j] = 0.5 * (lows[CARDS_EACH * i + j] + highs[CARDS_EACH * i + j])
    x, y = game[1, 0], game[1, 1]
    solve_game(game[0], CARDS_EACH, CARDS_EACH, x, y, game[2], game[3])
    total_x, total_y = x[0] + x[1] + x[2], y[0] + y[1] + y[2]
    worst, best = 1e300, -1e300
    for q in range(CARDS_EACH):
        least, most = 0.0, 0.0
        for p in range(CARDS_EACH):
            least += x[p] * lows[CARDS_EACH * p + q]
            most += y[p] * highs[CARDS_EACH * q + p]
        worst, best = min(worst, least / total_x), max(best, most / total_y)
    return pair(max(lo, int(np.floor(worst - 0.001))), min(hi, int(np.ceil(best + 0.001))))
