"""What can happen in one turn, laid out for the search (compiled)."""

from __future__ import annotations

from nimmt_lab.solver.compiled import Words, jit, lowest_bit
from nimmt_lab.solver.fanned import PLAIN, TWIST, counts_as, fan_actions, fan_put, fan_row
from nimmt_lab.solver.packed import canonical, lower, pair, play_two, row_below, upper
from nimmt_lab.solver.table import find, neighbours

# Words of ``control``: what a search may and must know, and what it counts. The rest is the deck.
STOP, NODES, STORED, DOUBT, CAP, SHIFT, KIND, HEADS, LOW_CLASS, HIGH_CLASS, BIG = range(11)
UNSTORED, BASE, WIDE, LEAVES, JITTER, ROOT_LO, ROOT_HI, ROOT_LEVEL, FIRST_TRIED = range(11, 20)
CARDS = 20  # the card numbers by index
HEADS_BY_CARD = 48  # heads by card number, 0 to 104
CONTROL = HEADS_BY_CARD + 105

# Parts of the work space of a level
LOW, HIGH, GUESS, OWNER, ASKED, NOW, NEXT, EXTRA, LEAF_LOW, LEAF_HIGH, REPLIES, LISTS = range(12)
PARTS = 12
# Places in LISTS: cards of A and B, those in the small game, whether they are in it, order of trying
CARDS_A, CARDS_B, SMALL_A, SMALL_B, IN_A, IN_B, ORDER, SIZES = 0, 20, 40, 60, 80, 100, 120, 140

#: Tables are asked about the positions after a turn, before any search, if this one has more cards a hand.
PROBE_FROM = 4


@jit
def key_of(k: int, mask_a: int, mask_b: int, rows: int, extra: int, control: Words) -> tuple[int, int]:
    """The two key words of a position."""
    if control[KIND] == PLAIN:
        return canonical(mask_a, mask_b, rows, control[LOW_CLASS], control[HIGH_CLASS], control[BIG])
    return mask_a | (mask_b << 20) | (k << 52) | (extra << 56), rows


@jit
def is_turned(mask_a: int, mask_b: int, control: Words) -> bool:
    """Whether the two players change places in the key: A shall hold the lowest card (fan cards: never)."""
    left = mask_a | mask_b
    return control[KIND] == PLAIN and (mask_b & (left & -left)) != 0


@jit
def recall(k: int, mask_a: int, mask_b: int, rows: int, extra: int, main: Words, side: Words, control: Words) -> int:
    """Bounds of a position from the tables alone."""
    turned = is_turned(mask_a, mask_b, control)
    if turned:
        mask_a, mask_b = mask_b, mask_a
    structure, weights = key_of(k, mask_a, mask_b, rows, extra, control)
    found, both = find(main, structure, weights)
    lo, hi = -control[CAP], control[CAP]
    if found:
        lo, hi = lower(both), upper(both)
    if lo < hi and control[KIND] == PLAIN:
        both = neighbours(side, structure, weights, lo, hi, control[SHIFT])
        lo, hi = lower(both), upper(both)
    if turned:
        return pair(-hi, -lo)
    return pair(lo, hi)


@jit
def note_leaf(
    k: int, at: int, choice: int, reply: int, now: int, after: int, extra: int, both: int, work: Words, control: Words
) -> None:
    """Write down one way a turn can end: entry ``at``, first row choice, second row choice."""
    cap = control[CAP]
    spot = (at * control[LEAVES]) + 4 * choice * int(control[LEAVES] > 4) + choice * int(control[LEAVES] == 4) + reply
    work[k, NOW, spot] = now
    work[k, NEXT, spot] = after
    work[k, EXTRA, spot] = extra
    work[k, LEAF_LOW, spot] = max(lower(both) + now, -cap)
    work[k, LEAF_HIGH, spot] = min(upper(both) + now, cap)


@jit
def leaf_spot(at: int, choice: int, reply: int, control: Words) -> int:
    """Where ``note_leaf`` wrote."""
    if control[LEAVES] == 4:
        return at * 4 + choice
    return at * 16 + 4 * choice + reply


@jit
def plain_turns(
    k: int, mask_a: int, mask_b: int, rows: int, main: Words, side: Words, work: Words, control: Words
) -> tuple[int, int]:
    """Every pair of cards of a position without fan card: heads at once, rows after it, bounds from the tables."""
    heads, shift, cap = control[HEADS], control[SHIFT], control[CAP]
    lists = work[k, LISTS]
    wide = control[WIDE]
    rest, m = mask_a, 0
    while rest:
        lists[CARDS_A + m] = lowest_bit(rest)
        rest &= rest - 1
        m += 1
    rest, n = mask_b, 0
    while rest:
        lists[CARDS_B + n] = lowest_bit(rest)
        rest &= rest - 1
        n += 1
    for i in range(m):
        a = lists[CARDS_A + i]
        for j in range(n):
            b = lists[CARDS_B + j]
            at = i * wide + j
            sign = 1 if a < b else -1
            first, second = min(a, b), max(a, b)
            index = row_below(rows, 2 * first + 1)
            choices = 1 if index >= 0 else 4
            work[k, OWNER, at] = sign * choices
            work[k, ASKED, at] = 0
            for choice in range(choices):
                after, one, two = play_two(rows, index, choice, first, second, heads)
                both = pair(-cap, cap)
                if k > PROBE_FROM:
                    both = recall(k - 1, mask_a & ~(1 << a), mask_b & ~(1 << b), after, 0, main, side, control)
                work[k, REPLIES, at * 4 + choice] = 1
                note_leaf(k, at, choice, 0, (sign * (two - one)) << shift, after, 0, both, work, control)
    return m, n


@jit
def fan_turns(
    k: int, mask_a: int, mask_b: int, rows: int, extra: int, main: Words, side: Words, work: Words, control: Words
) -> tuple[int, int]:
    """The same with a fan card: both cards may fit nowhere, so the second player may have a choice, too."""
    kind, shift = control[KIND], control[SHIFT]
    cards, heads = control[CARDS:HEADS_BY_CARD], control[HEADS_BY_CARD:]
    lists = work[k, LISTS]
    wide = control[WIDE]
    m = fan_actions(mask_a, (extra >> 3) & 1, cards, lists, CARDS_A)
    n = fan_actions(mask_b, (extra >> 4) & 1, cards, lists, CARDS_B)
    for i in range(m):
        a = lists[CARDS_A + i]
        for j in range(n):
            b = lists[CARDS_B + j]
            at = i * wide + j
            left = extra & ~((int((a & TWIST) != 0) << 3) | (int((b & TWIST) != 0) << 4))
            value_a, value_b = counts_as(a, cards), counts_as(b, cards)
            # Of equal values the twisted card is placed first.
            sign = 1 if value_a < value_b or (value_a == value_b and a & TWIST) else -1
            if sign > 0:
                first, second, value_first, value_second = a, b, value_a, value_b
            else:
                first, second, value_first, value_second = b, a, value_b, value_a
            next_a, next_b = mask_a & ~(1 << (a & 31)), mask_b & ~(1 << (b & 31))
            index = fan_row(rows, left, kind, value_first)
            choices = 1 if index >= 0 else 4
            work[k, OWNER, at] = sign * choices
            work[k, ASKED, at] = 0
            for choice in range(choices):
                row = index if index >= 0 else choice
                between, marker, one = fan_put(rows, left, kind, row, cards[first & 31], index < 0, heads)
                target = fan_row(between, marker, kind, value_second)
                replies = 1 if target >= 0 else 4
                work[k, REPLIES, at * 4 + choice] = replies
                for reply in range(replies):
                    row = target if target >= 0 else reply
                    after, then, two = fan_put(between, marker, kind, row, cards[second & 31], target < 0, heads)
                    both = recall(k - 1, next_a, next_b, after, then, main, side, control)
                    note_leaf(k, at, choice, reply, (sign * (two - one)) << shift, after, then, both, work, control)
    return m, n


@jit
def weigh(
    k: int, at: int, ask_lo: int, ask_hi: int, below: int, work: Words, control: Words
) -> tuple[int, int, int, int, int, int]:
    """Bounds of an entry from its row choices, and the choice to search next for a window.

    The first player's choice is a maximum for A or a minimum for B; the second player's, inside it, the opposite.
    Gives: place of the leaf to search (−1: nothing left to ask), its window, and the entry's bounds and estimate.
    """
    cap = control[CAP]
    sign = 1 if work[k, OWNER, at] > 0 else -1
    top_lo, top_hi, top_guess = -2 * cap, -2 * cap, -2 * cap
    for choice in range(abs(work[k, OWNER, at])):
        lo, hi, guess = 2 * cap, 2 * cap, 2 * cap
        for reply in range(work[k, REPLIES, at * 4 + choice]):
            spot = leaf_spot(at, choice, reply, control)
            if sign > 0:
                leaf_lo, leaf_hi, now = work[k, LEAF_LOW, spot], work[k, LEAF_HIGH, spot], work[k, NOW, spot]
            else:
                leaf_lo, leaf_hi, now = -work[k, LEAF_HIGH, spot], -work[k, LEAF_LOW, spot], -work[k, NOW, spot]
            lo, hi, guess = min(lo, leaf_lo), min(hi, leaf_hi), min(guess, min(max(now, leaf_lo), leaf_hi))
        top_lo, top_hi, top_guess = max(top_lo, lo), max(top_hi, hi), max(top_guess, guess)
    want_lo, want_hi = (ask_lo, ask_hi) if sign > 0 else (-ask_hi, -ask_lo)
    pick = -1
    if top_lo < want_hi and top_hi > want_lo and top_hi - top_lo > below:
        # the most promising row for the first player, then the second player's best answer to it
        want_lo = max(want_lo, top_lo)
        want_hi = max(want_hi, want_lo + 1)
        best = -4 * cap
        for choice in range(abs(work[k, OWNER, at])):
            hi, worst, place = 2 * cap, 4 * cap, -1
            for reply in range(work[k, REPLIES, at * 4 + choice]):
                spot = leaf_spot(at, choice, reply, control)
                if sign > 0:
                    leaf_lo, leaf_hi, now = work[k, LEAF_LOW, spot], work[k, LEAF_HIGH, spot], work[k, NOW, spot]
                else:
                    leaf_lo, leaf_hi, now = -work[k, LEAF_HIGH, spot], -work[k, LEAF_LOW, spot], -work[k, NOW, spot]
                hi = min(hi, leaf_hi)
                guess = min(max(now, leaf_lo), leaf_hi)
                if leaf_hi - leaf_lo > below and leaf_lo < want_hi and guess < worst:
                    worst, place = guess, spot
            if place >= 0 and hi > want_lo and worst > best:
                best, pick = worst, place
    if sign > 0:
        return pick, want_lo, want_hi, top_lo, top_hi, top_guess
    return pick, -want_hi, -want_lo, -top_hi, -top_lo, -top_guess
