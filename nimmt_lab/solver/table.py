"""The memory of the search: two bounded tables of positions and the bounds known for them (compiled).

A table is an array of 64-bit words in buckets of sixteen: five entries of three words, and one word that counts
replacements. An entry is the two key words and the packed bounds. Both key words are stored whole (nothing is taken
for the same position on the strength of a hash), each XORed with the bounds: when two threads write one entry at the
same moment the keys do not come out right and the entry is simply not found.

The **main** table is looked up by the whole key. The **side** table is looked up by the structure and answers with
neighbours: positions that differ only in how many heads lie where. The value of two such positions differs by at most
the sum of the differences, because every row is taken at most once before it restarts and every card is collected at
most once. That bound often settles a question without search.
"""

from __future__ import annotations

import numpy as np

from nimmt_lab.solver.compiled import Words, inline, jit, lowest_bit
from nimmt_lab.solver.packed import hash_one, hash_two, lower, pair, upper

BUCKET = 16
WAYS = 5


#: Positions with three cards a hand are many, cheap, and mostly met again soon: they have a small part of their own
#: that stays in the processor cache (so many buckets), and are not counted as stored.
SMALL = 1 << 14


def new_table(size: int) -> Words:
    """An empty table of at most ``size`` bytes, aligned to whole cache lines.

    A power of two of buckets, a small part before it, and at the end the masks of the two.
    """
    buckets = 1 << max(4, (size // (8 * BUCKET)).bit_length() - 1)
    small = min(SMALL, buckets // 4)
    if (buckets + small + 1) * BUCKET * 8 > size:
        buckets //= 2
        small = min(SMALL, buckets // 4)
    words = (buckets + small) * BUCKET + 2
    raw = np.zeros(words + BUCKET, dtype=np.int64)
    offset = (-raw.ctypes.data % 128) // 8
    table = raw[offset : offset + words]
    table[-2], table[-1] = small - 1, buckets - 1
    return table


@inline
def bucket_of(table: Words, structure: int, hashed: np.uint64) -> int:
    """Where the bucket of a position starts."""
    scrambled = np.int64(hashed >> np.uint64(1))
    if (structure >> 52) & 15 == 3:
        return int((scrambled & table[-2]) * BUCKET)
    return int(((scrambled & table[-1]) + table[-2] + 1) * BUCKET)


@jit
def find(table: Words, structure: int, weights: int) -> tuple[bool, int]:
    """Whether exactly this position is stored, and its bounds."""
    base = bucket_of(table, structure, hash_two(structure, weights))
    for way in range(WAYS):
        at = base + 3 * way
        bounds = table[at + 2]
        if table[at] ^ bounds == structure and table[at + 1] ^ bounds == weights:
            return True, bounds
    return False, 0


@jit
def store(table: Words, structure: int, weights: int, bounds: int) -> int:
    """Remember bounds; returns 1 when an empty place was filled, 0 when an entry was renewed or thrown out.

    Four places of a bucket prefer positions with many cards left (they cost most), the fifth takes anything.
    """
    base = bucket_of(table, structure, hash_two(structure, weights))
    victim, fewest = base + 3 * (WAYS - 1), (structure >> 52) & 15
    for way in range(WAYS):
        at = base + 3 * way
        old = table[at + 2]
        key = table[at] ^ old
        if key == 0:
            table[at] = structure ^ bounds
            table[at + 1] = weights ^ bounds
            table[at + 2] = bounds
            return 1
        if key == structure and table[at + 1] ^ old == weights:
            table[at] = structure ^ bounds
            table[at + 1] = weights ^ bounds
            table[at + 2] = bounds
            return 0
        if way < WAYS - 1 and (key >> 52) & 15 <= fewest:
            # equal ones are replaced in turn, so that no place of the bucket grows old for ever
            if (key >> 52) & 15 < fewest or (table[base + 15] & 3) == way:
                victim = at
            fewest = (key >> 52) & 15
    table[base + 15] += 1
    table[victim] = structure ^ bounds
    table[victim + 1] = weights ^ bounds
    table[victim + 2] = bounds
    return 0


@jit
def _distance(one: int, two: int) -> int:
    """Sum of the differences in heads between two weight words of one structure."""
    total = 0
    for index in range(4):
        total += abs(((one >> (40 + 5 * index)) & 31) - ((two >> (40 + 5 * index)) & 31))
    change = (one ^ two) & ((1 << 40) - 1)
    while change:
        at = lowest_bit(change) & ~1
        p, q = (one >> at) & 3, (two >> at) & 3
        # classes 0, 1, 2, 3 are 1, 2, 3, 5 heads
        total += abs((p + int(p == 3)) - (q + int(q == 3)))
        change &= ~(3 << at)
    return total


@jit
def neighbours(table: Words, structure: int, weights: int, lo: int, hi: int, shift: int) -> int:
    """Tighten [lo, hi] by what is known of neighbours."""
    base = bucket_of(table, structure, hash_one(structure))
    for way in range(WAYS):
        at = base + 3 * way
        bounds, other = table[at + 2], table[at + 1]
        if table[at] ^ bounds ^ int(hash_one(other)) == structure:
            slack = _distance(other, weights) << shift
            lo = max(lo, lower(bounds) - slack)
            hi = min(hi, upper(bounds) + slack)
    return pair(lo, hi)


@jit
def store_neighbour(table: Words, structure: int, weights: int, bounds: int) -> None:
    """Remember bounds in the side table; the oldest entry of a full bucket goes.

    The weights stand as they are and their hash is part of the first word: a neighbour's weights are used, not only
    compared, so a half-written entry must not pass.
    """
    base = bucket_of(table, structure, hash_one(structure))
    at = base + 3 * (table[base + 15] % WAYS)
    renewed = False
    for way in range(WAYS):
        place = base + 3 * way
        key = table[place] ^ table[place + 2] ^ int(hash_one(table[place + 1]))
        if key == 0 or (key == structure and table[place + 1] == weights):
            at = place
            renewed = True
            break
    if not renewed:
        table[base + 15] = (table[base + 15] + 1) % WAYS
    table[at] = structure ^ bounds ^ int(hash_one(weights))
    table[at + 1] = weights
    table[at + 2] = bounds
