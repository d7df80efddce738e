"""Open two-player positions in a few machine words (compiled; the readable rules are in ``reference.py``).

The search never sees card numbers, only the *order* of the at most 20 cards still in the two hands: card ``c`` is the
c-th lowest of them at the root of the search. A hand is a bit mask. A row is 16 bits:

====  =====================================================================================================
bits  meaning
====  =====================================================================================================
0–5   its end: ``2c + 1`` for hand card ``c``; ``2c`` for a root row whose last card lies just below card ``c``
6–8   how many cards lie in it
9–14  their bull heads
====  =====================================================================================================

Four rows make one 64-bit word, lowest end first. A card goes to the last row whose end is below it, and may be written
there without sorting again; that is what makes this form fast. Values are whole numbers in units of ``2**-shift``
heads, kept as a pair [lo, hi] that certainly holds the true value, packed into one word by :func:`pair`.
"""

from __future__ import annotations

import numpy as np

from nimmt_lab.solver.compiled import bits_set, inline, jit, lowest_bit

ROW = 0x7FFF


@inline
def pair(lo: int, hi: int) -> int:
    """Two bounds in one word."""
    return (lo << 32) | (hi & 0xFFFFFFFF)


@inline
def lower(both: int) -> int:
    """The lower bound of a pair."""
    return both >> 32


@inline
def upper(both: int) -> int:
    """The upper bound of a pair."""
    return (both << 32) >> 32


@inline
def row_below(rows: int, place: int) -> int:
    """Index of the highest row that ends below a place (2c + 1 for card c); −1: none, a low card."""
    return (
        int((rows & 63) < place)
        + int(((rows >> 16) & 63) < place)
        + int(((rows >> 32) & 63) < place)
        + int(((rows >> 48) & 63) < place)
        - 1
    )


@inline
def add(rows: int, index: int, place: int, heads: int) -> tuple[int, int]:
    """Put a card at the end of its row: the rows after it, and the heads taken (0 unless it is the sixth card)."""
    at = 16 * index
    row = (rows >> at) & ROW
    count = (row >> 6) & 7
    if count == 5:
        taken = row >> 9
        new = place | (1 << 6) | (heads << 9)
    else:
        taken = 0
        new = place | ((count + 1) << 6) | (((row >> 9) + heads) << 9)
    return (rows & ~(ROW << at)) | (new << at), taken


@inline
def take(rows: int, index: int, place: int, heads: int) -> tuple[int, int]:
    """A low card takes any row and restarts it as the lowest one: the rows after it, and the heads taken."""
    at = 16 * index
    below = rows & ((1 << at) - 1)
    above = ((rows >> at) >> 16 << 16) << at
    return above | (below << 16) | place | (1 << 6) | (heads << 9), ((rows >> at) & ROW) >> 9


@inline
def heads_at(heads: int, card: int) -> int:
    """Bull heads of a card out of the packed list (3 bits each)."""
    return (heads >> (3 * card)) & 7


@inline
def play_two(rows: int, index: int, choice: int, first: int, second: int, heads: int) -> tuple[int, int, int]:
    """Place the two cards of a turn, the lower first: rows after it, heads the first and the second player take.

    ``index`` is the first card's row; −1: it is low and takes row ``choice``. The second always fits after it.
    """
    if index >= 0:
        rows, one = add(rows, index, 2 * first + 1, heads_at(heads, first))
    else:
        rows, one = take(rows, choice, 2 * first + 1, heads_at(heads, first))
    rows, two = add(rows, row_below(rows, 2 * second + 1), 2 * second + 1, heads_at(heads, second))
    return rows, one, two


@jit
def last_turn(a: int, b: int, rows: int, heads: int) -> int:
    """Value, in whole heads, of the position where A holds only card ``a`` and B only ``b``."""
    if a < b:
        first, second, sign, head_first = 2 * a + 1, 2 * b + 1, 1, heads_at(heads, a)
    else:
        first, second, sign, head_first = 2 * b + 1, 2 * a + 1, -1, heads_at(heads, b)
    # ``sign`` turns "second taker's heads minus first taker's" into B minus A.
    index = row_below(rows, first)
    if index >= 0:
        rows, one = add(rows, index, first, head_first)
        row = (rows >> (16 * row_below(rows, second))) & ROW
        two = row >> 9 if (row >> 6) & 7 == 5 else 0
        return sign * (two - one)
    best = -1000
    for choice in range(4):
        after, one = take(rows, choice, first, head_first)
        row = (after >> (16 * row_below(after, second))) & ROW
        two = row >> 9 if (row >> 6) & 7 == 5 else 0
        if two - one > best:
            best = two - one
    return sign * best


@jit
def _pair_turn(a: int, b: int, other_a: int, other_b: int, rows: int, heads: int) -> int:
    """Two cards each: A plays ``a``, B plays ``b``, then the others. In whole heads."""
    if a < b:
        first, second, head_first, head_second, sign = 2 * a + 1, 2 * b + 1, heads_at(heads, a), heads_at(heads, b), 1
    else:
        first, second, head_first, head_second, sign = 2 * b + 1, 2 * a + 1, heads_at(heads, b), heads_at(heads, a), -1
    index = row_below(rows, first)
    if index >= 0:
        rows, one = add(rows, index, first, head_first)
        rows, two = add(rows, row_below(rows, second), second, head_second)
        return sign * (two - one) + last_turn(other_a, other_b, rows, heads)
    best = -1000
    for choice in range(4):
        after, one = take(rows, choice, first, head_first)
        after, two = add(after, row_below(after, second), second, head_second)
        worth = two - one + sign * last_turn(other_a, other_b, after, heads)
        if worth > best:
            best = worth
    return sign * best


@jit
def two_cards(mask_a: int, mask_b: int, rows: int, heads: int, shift: int) -> int:
    """Bounds of a position with two cards each: a 2×2 game in whole heads, so at most one unit apart."""
    a0, b0 = lowest_bit(mask_a), lowest_bit(mask_b)
    a1, b1 = lowest_bit(mask_a & (mask_a - 1)), lowest_bit(mask_b & (mask_b - 1))
    p = _pair_turn(a0, b0, a1, b1, rows, heads)
    q = _pair_turn(a0, b1, a1, b0, rows, heads)
    r = _pair_turn(a1, b0, a0, b1, rows, heads)
    s = _pair_turn(a1, b1, a0, b0, rows, heads)
    maximin = max(min(p, q), min(r, s))
    minimax = min(max(p, r), max(q, s))
    if maximin == minimax:
        return pair(maximin << shift, maximin << shift)
    top, bottom = p * s - q * r, p + s - q - r
    if bottom < 0:
        top, bottom = -top, -bottom
    lo = (top << shift) // bottom  # rounds down, also below zero
    return pair(lo, lo if lo * bottom == top << shift else lo + 1)


@inline
def _mix(word: np.uint64) -> np.uint64:
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return word ^ (word >> np.uint64(32))


@jit
def hash_one(word: int) -> np.uint64:
    """Scramble one key word."""
    return _mix(np.uint64(word))


@jit
def hash_two(structure: int, weights: int) -> np.uint64:
    """Scramble two key words into one."""
    return _mix(np.uint64(structure) + _mix(np.uint64(weights)) * np.uint64(0x9E3779B97F4A7C15))


@jit
def canonical(mask_a: int, mask_b: int, rows: int, low_class: int, high_class: int, big: int) -> tuple[int, int]:
    """The two key words of a position, the same for positions that are the same game. A holds the lowest card.

    *Structure*: owners of the remaining cards by rank, and for each row the rank of its end and its count.
    *Weights*: heads class of every remaining card and heads of every row. Two masks hold the two bits of the classes
    (1, 2, 3, 5 heads); the single card with seven heads, 55, is the mask ``big``.

    What is left out cannot matter: the numbers behind the ranks; the count of a row that cannot fill any more; the
    order of rows above every remaining card, where nothing is ever added.
    """
    left = mask_a | mask_b
    cards = bits_set(left)
    structure = (cards >> 1) << 52
    weights = 0
    rank = 0
    rest = left
    while rest:
        bit = rest & -rest
        rest ^= bit
        if mask_b & bit:
            structure |= 1 << rank
        weights |= (int((low_class & bit) != 0) | (int((high_class & bit) != 0) << 1)) << (2 * rank)
        if bit & big:
            structure |= (rank + 1) << 56
        rank += 1
    above_all = 4
    for index in range(4):
        row = (rows >> (16 * index)) & ROW
        end = row & 63
        rank = bits_set(left & ((1 << ((end + 1) >> 1)) - 1))
        count = (row >> 6) & 7
        if count + cards - rank <= 5:
            count = 1
        structure |= (rank << (20 + 5 * index)) | (count << (40 + 3 * index))
        if rank == cards and above_all == 4:
            above_all = index
        weights |= (row >> 9) << (40 + 5 * index)
    if above_all < 3:  # sort the heads of the interchangeable rows
        for index in range(above_all + 1, 4):
            place = index
            while place > above_all:
                one = (weights >> (40 + 5 * place)) & 31
                two = (weights >> (35 + 5 * place)) & 31
                if two <= one:
                    break
                change = one ^ two
                weights ^= (change << (40 + 5 * place)) | (change << (35 + 5 * place))
                place -= 1
    return structure, weights
