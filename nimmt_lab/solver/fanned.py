"""Two-player positions with one fan card, packed for the search (compiled).

With a fan card the order of the cards is not enough: parity, absolute differences, twisted digits and the places of the
rows matter. So here a row keeps the number of its last card, and rows stay in their places:

====  ==========================
bits  meaning of a 16-bit row
====  ==========================
0–6   its last card
7–9   how many cards lie in it
10–14 their bull heads
====  ==========================

``extra`` holds the rest: bits 0–1 the marked row, bit 2 what the marker shows (1: odd, or arrows down), bits 3 and 4
whether A and B still have their Number Twister.
"""

from __future__ import annotations

from nimmt_lab.solver.compiled import Words, jit

PLAIN, EVEN_ODD, MOUNTAIN, JUMPING_COW, NUMBER_TWISTER = range(5)
TWIST = 32
ROW_LIMIT = 5


@jit
def fan_row(rows: int, extra: int, kind: int, value: int) -> int:
    """The row that must receive a card counting as ``value``; −1 when it fits nowhere (R-F1)."""
    best, smallest = -1, 1000
    for index in range(4):
        marked = (extra & 3) == index
        difference = value - ((rows >> (16 * index)) & 127)
        if kind == EVEN_ODD and marked and (value & 1) != (extra >> 2) & 1:
            continue
        if kind == MOUNTAIN and marked:
            difference = -difference
        if difference > 0 and (difference < smallest or (difference == smallest and kind == MOUNTAIN and marked)):
            best, smallest = index, difference
    return best


@jit
def _lowest_end(rows: int, without: int) -> int:
    best, lowest = -1, 1000
    for index in range(4):
        end = (rows >> (16 * index)) & 127
        if index != without and end < lowest:
            best, lowest = index, end
    return best


@jit
def fan_put(rows: int, extra: int, kind: int, index: int, card: int, low: bool, heads: Words) -> tuple[int, int, int]:
    """Lay a card into a row (``low``: its player takes the row in any case): rows, extra and heads taken after it."""
    row = (rows >> (16 * index)) & 0x7FFF
    count = (row >> 7) & 7
    taken = 0
    full = low or count + int(kind == JUMPING_COW and (extra & 3) == index) >= ROW_LIMIT
    if full:
        taken = row >> 10
        row = card | (1 << 7) | (heads[card] << 10)
    else:
        row = card | ((count + 1) << 7) | (((row >> 10) + heads[card]) << 10)
    rows = (rows & ~(0x7FFF << (16 * index))) | (row << (16 * index))
    marked = extra & 3
    if full and kind == EVEN_ODD:
        to = _lowest_end(rows, marked)
        extra = (extra & ~7) | to | (((rows >> (16 * to)) & 1) << 2)
    elif full and kind == MOUNTAIN:
        down = (extra >> 2) & 1
        to = marked + 1 if down else marked - 1
        if to == 0:
            down = 1
        elif to == 3:
            down = 0
        extra = (extra & ~7) | to | (down << 2)
    elif kind == JUMPING_COW and marked == index:
        while True:
            to = _lowest_end(rows, marked)
            row = (rows >> (16 * to)) & 0x7FFF
            if (row >> 7) & 7 < ROW_LIMIT:
                break
            # Five numbers and the cow make six: all but the highest, which is the last here, go to the same player.
            last = row & 127
            taken += (row >> 10) - heads[last]
            rows = (rows & ~(0x7FFF << (16 * to))) | ((last | (1 << 7) | (heads[last] << 10)) << (16 * to))
            marked = to
        extra = (extra & ~3) | to
    return rows, extra, taken


@jit
def fan_actions(mask: int, has_twister: int, cards: Words, into: Words, start: int) -> int:
    """List what a player may do: card indices, and the same with ``TWIST`` added where a twister allows it."""
    count = 0
    for index in range(20):
        if mask & (1 << index):
            into[start + count] = index
            count += 1
            if has_twister and 10 <= cards[index] <= 99:
                into[start + count] = index | TWIST
                count += 1
    return count


@jit
def counts_as(action: int, cards: Words) -> int:
    """The value a card is placed with."""
    card = int(cards[action & 31])
    return card % 10 * 10 + card // 10 if action & TWIST else card
