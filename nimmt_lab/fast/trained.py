"""A way to play that was learned from random games: quick enough for playouts, far better than a rule of thumb.

It judges a card by `expected heads now + what a small network expects later`. The network sees, for every card of the
hand, the row it would go to (which of the four, how many cards lie there) and how many unseen cards would fit
between; for the card to be played the same once more and the heads at stake; and the four rows themselves. Each of
these facts has a line of `UNITS` whole numbers; the lines are added up, negative sums count as nothing, and the first
half of the sums is cost, the second half relief. There are no other operations: it is fast, and exact everywhere.

`learn.py` finds the numbers. Numbers are in parts of 1024 heads.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files
from math import comb
from typing import Any

from nimmt_lab.engine.cards import LAST_CARD

from .kernels import COMPILED, COUNT, HAND, I64, ROW_LIMIT, SUM, U64, Array, inline, jit, low_row_cheapest, zeros

if COMPILED:
    import numpy as np

UNITS = 16
SCALE = 1024
#: Unseen cards between a row's end and a card, as one of twelve classes.
GAPS = 12
GAP_CLASS = (0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, *[9] * 6, *[10] * 8, *[11] * (LAST_CARD - 29))
#: Heads of a row, as one of eight classes.
STAKES = 8
STAKE_CLASS = (0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, *[6] * 5, *[7] * (172 - 18))
# Where the lines are: a card held, the card played, what it may take, and for each row its count, heads and end
_HELD = 0
PLAYED = _HELD + 5 * (ROW_LIMIT + 1) * GAPS
_TAKES = PLAYED + 5 * (ROW_LIMIT + 1) * GAPS
_COUNTS = _TAKES + (ROW_LIMIT + 1) * STAKES
_STAKES = _COUNTS + 4 * (ROW_LIMIT + 1)
_ENDS = _STAKES + 4 * STAKES
_TURNS = _ENDS + 4 * 14
LINES = _TURNS + HAND + 1
# Notes on a hand: lines of the rows and the turn, then for each card its place among the lines of held cards, its line
# of heads at stake and the heads to expect now; then the rows by their ends, and the unseen cards up to each end
TABLE_LINES = 13
HELD, STAKE, NOW = 16, 32, 48
SORTED, BELOW = 64, 68
NOTES = 72
#: Chances: places per number of cards left in hand, see `chances`.
PER_TURN = 128 * 8

_GAP_CLASS: Any = np.array(GAP_CLASS, dtype=np.int64) if COMPILED else GAP_CLASS
_STAKE_CLASS: Any = np.array(STAKE_CLASS, dtype=np.int64) if COMPILED else STAKE_CLASS
_ONE, _ALL = U64(1), U64(0xFFFFFFFFFFFFFFFF)
_M1, _M2, _M4, _H01 = U64(0x5555555555555555), U64(0x3333333333333333), U64(0x0F0F0F0F0F0F0F0F), U64(0x0101010101010101)
_S1, _S2, _S4, _S56 = U64(1), U64(2), U64(4), U64(56)


@inline
def ones(word: Any) -> int:
    """How many bits are set."""
    word = word - ((word >> _S1) & _M1)
    word = (word & _M2) + ((word >> _S2) & _M2)
    word = (word + (word >> _S4)) & _M4
    return I64(((word * _H01) & _ALL) >> _S56)  # type: ignore[no-any-return]


@inline
def add_card(masks: Array, at: int, card: int) -> None:
    """Put a card into the set masks[at], masks[at + 1]."""
    masks[at + (card >> 6)] |= _ONE << U64(card & 63)


@inline
def drop_card(masks: Array, at: int, card: int) -> None:
    """Take a card out of the set, if it is there."""
    masks[at + (card >> 6)] &= _ALL ^ (_ONE << U64(card & 63))


@inline
def lower_cards(masks: Array, at: int, card: int) -> int:
    """How many cards of the set are lower than `card`."""
    if card < 64:
        return ones(masks[at] & ((_ONE << U64(card)) - _ONE))
    return ones(masks[at]) + ones(masks[at + 1] & ((_ONE << U64(card - 64)) - _ONE))


@inline
def note(m: Array, first: int, last: int, masks: Array, at: int, chance: Array, notes: Array) -> None:
    """What the network sees of the hand m[first … last-1]; the cards unseen by its owner are the set at masks[at]."""
    left = last - first
    for row in range(4):
        key = 4 * m[row] + row
        i = SORTED + row
        while i > SORTED and notes[i - 1] > key:
            notes[i] = notes[i - 1]
            i -= 1
        notes[i] = key
    for i in range(4):
        row = notes[SORTED + i] & 3
        count, heads, end = m[COUNT + row], m[SUM + row], m[row]
        notes[BELOW + i] = lower_cards(masks, at, end + 1)
        notes[3 * i] = (_COUNTS + i * (ROW_LIMIT + 1) + count) * UNITS
        notes[3 * i + 1] = (_STAKES + i * STAKES + _STAKE_CLASS[heads]) * UNITS
        notes[3 * i + 2] = (_ENDS + i * 14 + (end >> 3)) * UNITS
    notes[12] = (_TURNS + left) * UNITS
    cheap = m[SUM + low_row_cheapest(m)]
    for i in range(left):
        card = m[first + i]
        slot = 0
        for j in range(4):
            slot += int(4 * card > notes[SORTED + j])
        gap = lower_cards(masks, at, card)
        count, heads, extra = 0, cheap, 0
        if slot > 0:
            row = notes[SORTED + slot - 1] & 3
            gap -= notes[BELOW + slot - 1]
            count, heads = m[COUNT + row], m[SUM + row]
            # Cards that come before mine carry about 13/8 heads each; a low card takes a row as it is.
            extra = 13 * (ROW_LIMIT - count)
        notes[HELD + i] = ((slot * (ROW_LIMIT + 1) + count) * GAPS + _GAP_CLASS[gap]) * UNITS
        notes[STAKE + i] = (_TAKES + count * STAKES + _STAKE_CLASS[heads]) * UNITS
        notes[NOW + i] = ((8 * heads + extra) * chance[left * PER_TURN + gap * 8 + count]) >> 5


@inline
def add_up(left: int, weights: Array, notes: Array, sums: Array) -> None:
    """The lines of the table and of every card held."""
    for j in range(UNITS):
        sums[j] = weights[notes[0] + j]
    for i in range(1, TABLE_LINES):
        line = notes[i]
        for j in range(UNITS):
            sums[j] += weights[line + j]
    for i in range(left):
        line = notes[HELD + i]
        for j in range(UNITS):
            sums[j] += weights[line + j]


@jit
def choose_trained(
    m: Array, first: int, last: int, masks: Array, at: int, chance: Array, weights: Array, notes: Array, sums: Array
) -> int:
    """Where the card is that promises the fewest heads from now on, of m[first … last-1]."""
    note(m, first, last, masks, at, chance, notes)
    left = last - first
    add_up(left, weights, notes, sums)
    pick, best = first, 1 << 40
    for i in range(left):
        held, stake = notes[HELD + i], notes[STAKE + i]
        played = held + PLAYED * UNITS
        cost = notes[NOW + i]
        for j in range(UNITS // 2):
            cost += max(0, sums[j] - weights[held + j] + weights[played + j] + weights[stake + j])
        for j in range(UNITS // 2, UNITS):
            cost -= max(0, sums[j] - weights[held + j] + weights[played + j] + weights[stake + j])
        if cost < best:
            best, pick = cost, first + i
    return pick


@lru_cache(maxsize=256)
def _chances(others: int, unseen: int) -> tuple[int, ...]:
    """For each gap (unseen cards that fit between) and count, at 8·gap + count: the chance that mine is one too many.

    The others play a random choice of the unseen cards. Count 0 stands for a low card: the chance that it is lowest.
    """
    found = []
    ways = max(1, comb(unseen, others))
    for gap in range(unseen + 1):
        chance = [comb(gap, t) * comb(unseen - gap, others - t) for t in range(others + 1)]
        for count in range(8):
            due = (
                chance[0] if count == 0 else sum(chance[t] for t in range((-count) % ROW_LIMIT, others + 1, ROW_LIMIT))
            )
            found.append(4096 * due // ways if count <= ROW_LIMIT else 0)
    return tuple(found)


def chances(others: int, unseen: int, turns: int) -> Array:
    """`_chances` for now and the turns to come: of `unseen` cards `others` are seen in every turn."""
    table = zeros((HAND + 1) * PER_TURN)
    for left in range(turns, 0, -1):
        part = _chances(others, max(unseen, others))
        table[left * PER_TURN : left * PER_TURN + len(part)] = part
        unseen -= others
    return table


def mask_memory(seats: int) -> Array:
    """Empty sets of cards, two words for each seat."""
    return np.zeros(2 * seats, dtype=np.uint64) if COMPILED else [0] * (2 * seats)


@cache
def trained_weights(players: int) -> Array:
    """The network for so many players."""
    return to_weights(_data()[str(players)])


def to_weights(numbers: list[int]) -> Array:
    """As the kernels read them."""
    return np.array(numbers, dtype=np.int32) if COMPILED else numbers


@cache
def _data() -> dict[str, list[int]]:
    text = (files("nimmt_lab.fast") / "data" / "trained.json").read_text(encoding="utf-8")
    return {players: [n for line in lines for n in line] for players, lines in json.loads(text)["players"].items()}
