"""The card systems as compiled loops over flat arrays: deal, choose, place, count.

The same source also runs without numba, on plain lists, and then gives the same numbers: so only flat indexing is
used, memory comes from the caller, and 64-bit arithmetic is masked (which costs nothing when compiled).

A round's randomness is its own stream (`seed`, round number), so results do not depend on who computes
which rounds. Dealt cards are in random order, so *random play* is simply the dealt order.

The table is one array: ends of the four rows (0–3), cards in them (4–7), their heads (8–11), the marked row
of a fan card (12) and what its marker shows (13: parity, or the direction of the Mountain's arrows).
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any, TypeVar

from nimmt_lab.engine.cards import LAST_CARD, PRINTED_HEADS
from nimmt_lab.fast.freshness import belongs_to_folder

try:
    import numpy as np
    from numba import njit

    COMPILED = True
except ImportError:
    COMPILED = False

F = TypeVar("F", bound=Callable[..., Any])


# No kernel allocates. So the counting of references to the arrays, which takes more than half of the time in code
# that is inlined from many functions, is switched off (`_nrt`).
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}


def jit(function: F) -> F:
    """Compile a function (where numba is installed)."""
    return belongs_to_folder(njit(**_OPTIONS)(function)) if COMPILED else function


def inline(function: F) -> F:
    """Compile into the callers: constant arguments such as the system then specialise the code."""
    return belongs_to_folder(njit(forceinline=True, **_OPTIONS)(function)) if COMPILED else function


U64: Any = np.uint64 if COMPILED else int
I64: Any = np.int64 if COMPILED else int
HEADS: Any = np.array(PRINTED_HEADS, dtype=np.int64) if COMPILED else PRINTED_HEADS

Array = Any
"""A flat numpy array when compiled, a list otherwise."""


def zeros(size: int) -> Array:
    """Whole numbers, all 0."""
    return np.zeros(size, dtype=np.int64) if COMPILED else [0] * size


def small_zeros(size: int) -> Array:
    """Numbers below 256, all 0."""
    return np.zeros(size, dtype=np.uint8) if COMPILED else bytearray(size)


def from_bytes(data: bytes) -> Array:
    """Numbers below 256 as the kernels read them."""
    return np.frombuffer(data, dtype=np.uint8) if COMPILED else data


def memory(n: int) -> tuple[Array, Array]:
    """Fresh working memory for rounds of n players, and a random stream.

    LEAST_RISK's estimates are laid out here, in parts of 4096. If every other card falls into a gap of g numbers
    with chance g/104, the number t of the n - 1 others' cards before mine is binomial; m[RISK + 128·c + g] is the
    chance that they make mine the one too many in a row of c cards, and m[RISK + g] the chance that t is 0.
    """
    m = zeros(MEMORY)
    others = n - 1
    for gap in range(LAST_CARD + 1):
        chance = [comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t) for t in range(n)]
        for count in range(ROW_LIMIT + 1):
            due = sum(chance[t] for t in range(n) if (t == 0 if count == 0 else (count + t) % ROW_LIMIT == 0))
            m[RISK + 128 * count + gap] = 4096 * due // LAST_CARD**others
    return m, np.zeros(1, dtype=np.uint64) if COMPILED else [0]


# Systems
CLASSIC, ADVANCED, EVEN_ODD, MOUNTAIN, JUMPING_COW, NUMBER_TWISTER = 0, 1, 2, 3, 4, 5
# How a seat chooses its card
RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST = 0, 1, 2, 3, 4, 5
# How a seat chooses the row for a low card
CHEAPEST, ANY_ROW, SHORTEST = 0, 1, 2
# Outcome fields per seat and round
FIELDS = 5
OUT_HEADS, OUT_FULL, OUT_LOW, OUT_COW, OUT_TURNS = 0, 1, 2, 3, 4

# Running totals per seat: a histogram of heads, the sums of the other fields, the win credit
HEADS_SPAN = 172
TOTALS = HEADS_SPAN + FIELDS

HAND = 10
ROW_LIMIT = 5
# Places in the working memory: the table, then this turn's plays, order and log by seat, the twisters, the deck
COUNT, SUM, MARK, SHOWS = 4, 8, 12, 13
PLAYS, ORDER, LOG, TWISTERS, DECK = 16, 32, 48, 64, 80
RISK = DECK + 256
MEMORY = RISK + (ROW_LIMIT + 1) * 128
#: Flag of a twisted play among a seat's options.
TWIST = 16
#: EDGES_FIRST: what a step away from the middle of the deck is worth, in heads / 32768. Found by trying.
EDGE_BONUS = 1700
#: Win credit is counted in whole parts of this, so that shared wins add up exactly (2520 = lcm of 1…10).
CREDIT = 2520

MASK64 = U64(0xFFFFFFFFFFFFFFFF)
MASK32 = U64(0xFFFFFFFF)
SPAN32 = U64(0x100000000)
GAMMA = U64(0x9E3779B97F4A7C15)
MUL1 = U64(0xBF58476D1CE4E5B9)
MUL2 = U64(0x94D049BB133111EB)
S27, S30, S31, S32 = U64(27), U64(30), U64(31), U64(32)


@inline
def mix(z: Any) -> Any:
    """SplitMix64's output function, as in `engine.rng`."""
    z = ((z ^ (z >> S30)) * MUL1) & MASK64
    z = ((z ^ (z >> S27)) * MUL2) & MASK64
    return z ^ (z >> S31)


@inline
def below(rng: Array, n: int) -> int:
    """A uniform 0 ≤ x < n: the same draws as `Rng.below`."""
    bound = U64(n)
    state = rng[0]
    while True:
        state = (state + GAMMA) & MASK64
        product = (mix(state) >> S32) * bound
        low = product & MASK32
        if low >= bound or low >= (SPAN32 - bound) % bound:
            rng[0] = state
            return I64(product >> S32)  # type: ignore[no-any-return]


@inline
def start_stream(rng: Array, key: Any, stream: int) -> None:
    """`Rng.from_seed(seed, stream)`, where key is the mixed seed (see `stream_key`)."""
    rng[0] = mix((key + U64(stream) * GAMMA) & MASK64)


@inline
def shuffle(cards: Array, start: int, n: int, take: int, rng: Array) -> None:
    """The first `take` of the n places from `start` on in random order: the same as `Rng.shuffled(cards, take)`."""
    for k in range(min(take, n - 1)):
        i = start + k
        j = i + below(rng, n - k)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@inline
def target(system: int, table: Array, value: int) -> int:
    """The row that must receive a card counting as `value`; -1 when it fits nowhere (rules 1, 2, R-F1)."""
    best = -1
    if system == MOUNTAIN:
        least = 1 << 40
        for row in range(4):
            # Doubled differences leave room for the tie rule: equal goes to the marked, descending row.
            gap = 2 * (value - table[row])
            gap = -gap - 1 if row == table[MARK] else gap
            least = min(least, 4 * gap + row if gap > 0 else 1 << 40)
        return least & 3 if least < 1 << 40 else -1
    # The highest end below the value, with its row in the last two bits: a maximum, so no branch to mispredict.
    for row in range(4):
        end = 4 * table[row] + row
        fits = end < 4 * value
        if system == EVEN_ODD:
            fits &= (row != table[MARK]) | ((value & 1) == table[SHOWS])
        best = max(best, end if fits else -1)
    return best & 3 if best >= 0 else -1


@inline
def is_full(system: int, table: Array, row: int) -> bool:
    """Whether one more card takes the row; the cow counts as a card."""
    if system == JUMPING_COW and row == table[MARK]:
        return bool(table[COUNT + row] >= ROW_LIMIT - 1)
    return bool(table[COUNT + row] >= ROW_LIMIT)


@inline
def low_row(table: Array, policy: int, rng: Array) -> int:
    """The row a card that fits nowhere takes. CHEAPEST is R-C4: fewest heads, then the highest last card."""
    if policy == ANY_ROW:
        return int(below(rng, 4))
    least = 1 << 40
    for row in range(4):
        cost = (table[SUM + row] << 7) - table[row]
        if policy == SHORTEST:
            cost += table[COUNT + row] << 20
        least = min(least, 4 * cost + row)
    return least & 3


@inline
def lowest_other(table: Array, row: int) -> int:
    """Of the other three rows, the one with the lowest last card (where Even/Odd and the cow go)."""
    least = 1 << 40
    for other in range(4):
        least = min(least, 4 * table[other] + other if other != row else 1 << 40)
    return least & 3


@inline
def place(system: int, table: Array, card: int, value: int, low_policy: int, rng: Array) -> int:
    """Place one card by the rules. Returns what happened, packed: row (bits 0–1), full-row take (2), low-card take
    (3), takes by the jumping cow (4–7), heads taken (8 …)."""
    row = target(system, table, value)
    took = 4
    if row < 0:
        row = low_row(table, low_policy, rng)
        took = 8
    elif not is_full(system, table, row):
        took = 0
    if took:
        taken = table[SUM + row]
        table[COUNT + row] = 1
        table[SUM + row] = HEADS[card]
    else:
        taken = 0
        table[COUNT + row] += 1
        table[SUM + row] += HEADS[card]
    table[row] = card
    cow_takes = 0
    if system == EVEN_ODD and took:
        table[MARK] = lowest_other(table, table[MARK])
        table[SHOWS] = table[table[MARK]] & 1
    if system == MOUNTAIN and took:
        table[MARK] += table[SHOWS]
        if table[MARK] == 0:
            table[SHOWS] = 1
        elif table[MARK] == 3:
            table[SHOWS] = -1
    if system == JUMPING_COW and row == table[MARK]:
        cow = lowest_other(table, row)
        while table[COUNT + cow] == ROW_LIMIT:
            # Six with the cow: the same player takes all but the highest card, which is the last one here.
            end_heads = HEADS[table[cow]]
            taken += table[SUM + cow] - end_heads
            table[COUNT + cow] = 1
            table[SUM + cow] = end_heads
            cow_takes += 1
            cow = lowest_other(table, cow)
        table[MARK] = cow
    return int(row + took + (cow_takes << 4) + (taken << 8))


@inline
def play_turn(system: int, n: int, lows: Array, m: Array, rng: Array) -> None:
    """Place one card per seat in ascending order. m[PLAYS + seat] is the card, plus 128 when twisted. Fills ORDER
    (value and seat, in order of placing) and LOG (what `place` returned, by seat)."""
    for seat in range(n):
        card = m[PLAYS + seat]
        if system == NUMBER_TWISTER and card >= 128:
            card -= 128
            # On equal values the twisted card goes first.
            key = ((card % 10 * 10 + card // 10) << 5) + seat
        else:
            key = (card << 5) + 16 + seat
        i = ORDER + seat
        while i > ORDER and m[i - 1] > key:
            m[i] = m[i - 1]
            i -= 1
        m[i] = key
    for i in range(n):
        key = m[ORDER + i]
        seat = key & 15
        card = m[PLAYS + seat] & 127
        m[LOG + seat] = place(system, m, card, key >> 5, lows[seat], rng)


@inline
def start_round(system: int, n: int, number: int, m: Array, rng: Array) -> None:
    """Deal round `number`: hands to m[DECK + 10·seat …], first cards to the table, the fan card beside its row."""
    size = LAST_CARD
    if system == ADVANCED:
        size = HAND * n + 4
    for i in range(size):
        m[DECK + i] = i + 1
    if system == ADVANCED:
        # A random open draft, clockwise from the seat whose turn it is to pick first (R-A1). Picks are dealt into
        # order, so that seat s holds m[DECK + 10 s …] here too; the four left start the rows in ascending order (R-A2).
        shuffle(m, DECK, size, HAND * n, rng)
        for i in range(HAND * n):
            seat = (number + i) % n
            m[DECK + 128 + HAND * seat + i // n] = m[DECK + i]
        for i in range(HAND * n):
            m[DECK + i] = m[DECK + 128 + i]
        for i in range(HAND * n + 1, size):
            card = m[DECK + i]
            j = i
            while j > HAND * n and m[DECK + j - 1] > card:
                m[DECK + j] = m[DECK + j - 1]
                j -= 1
            m[DECK + j] = card
    else:
        shuffle(m, DECK, size, HAND * n + 4, rng)
    for row in range(4):
        card = m[DECK + HAND * n + row]
        m[row] = card
        m[COUNT + row] = 1
        m[SUM + row] = HEADS[card]
    m[MARK] = -1
    m[SHOWS] = 0
    if system == EVEN_ODD or system == JUMPING_COW:
        m[MARK] = lowest_other(m, -1)
        m[SHOWS] = m[m[MARK]] & 1
    if system == MOUNTAIN:
        m[MARK] = 3
        m[SHOWS] = -1


@inline
def twistable(card: int) -> bool:
    """Two digits, so that they can be swapped (R-F2)."""
    return 10 <= card <= 99


@inline
def low_row_cheapest(table: Array) -> int:
    least = 1 << 40
    for row in range(4):
        least = min(least, 4 * ((table[SUM + row] << 7) - table[row]) + row)
    return least & 3


@inline
def unsafety(system: int, table: Array, card: int, value: int) -> int:
    """CLOSEST_SAFE's order: cards whose row now has room come first, by the gap to its end; then the others by the
    heads they would take now. Equal ones: the lower card."""
    row = target(system, table, value)
    if row < 0:
        return int(((table[SUM + low_row_cheapest(table)] + 512) << 7) + card)
    if is_full(system, table, row):
        return int(((table[SUM + row] + 512) << 7) + card)
    return int((abs(value - table[row]) << 7) + card)


@inline
def risk(system: int, m: Array, value: int) -> int:
    """What LEAST_RISK minimises: an estimate of the heads a card will take this turn (in parts of 32768)."""
    row = target(system, m, value)
    if row < 0:
        return int(8 * m[SUM + low_row_cheapest(m)] * m[RISK + value])
    count = m[COUNT + row]
    if system == JUMPING_COW and row == m[MARK]:
        count += 1
    # The cards that come before mine carry about 13/8 heads each.
    heads = 8 * m[SUM + row] + 13 * (ROW_LIMIT - count)
    return int(heads * m[RISK + 128 * count + abs(value - m[row]) - 1])


@jit
def choose_with_twister(m: Array, first: int, last: int, rng: Array) -> int:
    """Every card, and every card that can be twisted, is one option among equals. Adds MEMORY when twisted."""
    options = last - first
    for i in range(first, last):
        options += int(twistable(m[i]))
    pick = first + below(rng, options)
    if pick < last:
        return int(pick)
    skip = pick - last
    pick = first
    while skip > 0 or not twistable(m[pick]):
        skip -= int(twistable(m[pick]))
        pick += 1
    return int(MEMORY + pick)


@jit
def choose_by_policy(system: int, policy: int, m: Array, first: int, last: int, twister: int) -> int:
    """Where the policy's card is. Adds MEMORY when twisted."""
    pick = first
    best = 1 << 30
    for i in range(first, last):
        card = m[i]
        cost = card
        if policy == HIGHEST:
            cost = -card
        elif policy == CLOSEST_SAFE:
            cost = unsafety(system, m, card, card)
        elif policy == LEAST_RISK:
            cost = risk(system, m, card)
        elif policy == EDGES_FIRST:
            # Middle cards keep finding a row: it pays to save them for later.
            cost = risk(system, m, card) - EDGE_BONUS * abs(card - LAST_CARD // 2)
        if cost < best:
            best = cost
            pick = i
    if system == NUMBER_TWISTER and policy == CLOSEST_SAFE and twister and best >= 1 << 16:
        # Nothing is safe as it is: see whether a twisted card is.
        best = 1 << 16
        for i in range(first, last):
            card = m[i]
            if twistable(card):
                cost = unsafety(system, m, card, card % 10 * 10 + card // 10)
                if cost < best:
                    best = cost
                    pick = MEMORY + i
    return int(pick)


@inline
def choose(system: int, policy: int, m: Array, first: int, last: int, twister: int, rng: Array) -> int:
    """Choose among the cards m[first … last-1]; the chosen one is moved to `first`. Adds 128 when twisted."""
    pick = first
    if policy != RANDOM:
        pick = choose_by_policy(system, policy, m, first, last, twister)
    elif system == NUMBER_TWISTER and twister:
        pick = choose_with_twister(m, first, last, rng)
    twist = 128 if pick >= MEMORY else 0
    if twist:
        pick -= MEMORY
    card = m[pick]
    m[pick] = m[first]
    m[first] = card
    return int(card + twist)


@inline
def play_round(system: int, n: int, policies: Array, lows: Array, m: Array, rng: Array, out: Array, at: int) -> None:
    """Ten turns from a dealt round; writes each seat's outcome to out[at + seat·FIELDS …]."""
    for i in range(at, at + FIELDS * n):
        out[i] = 0
    for seat in range(n):
        m[TWISTERS + seat] = 1
    for turn in range(HAND):
        for seat in range(n):
            first = DECK + HAND * seat + turn
            last = DECK + HAND * (seat + 1)
            play = choose(system, policies[seat], m, first, last, m[TWISTERS + seat], rng)
            if play >= 128:
                m[TWISTERS + seat] = 0
            m[PLAYS + seat] = play
        play_turn(system, n, lows, m, rng)
        for seat in range(n):
            code = m[LOG + seat]
            if code > 3:
                spot = at + FIELDS * seat
                out[spot] += code >> 8
                out[spot + OUT_FULL] += (code >> 2) & 1
                out[spot + OUT_LOW] += (code >> 3) & 1
                out[spot + OUT_COW] += (code >> 4) & 15
                out[spot + OUT_TURNS] += 1


@inline
def play_rounds(
    system: int,
    n: int,
    key: Any,
    first: int,
    rounds: int,
    policies: Array,
    lows: Array,
    m: Array,
    rng: Array,
    out: Array,
) -> None:
    for i in range(rounds):
        start_stream(rng, key, first + i)
        start_round(system, n, first + i, m, rng)
        play_round(system, n, policies, lows, m, rng, out, i * n * FIELDS)


@jit
def simulate(
    system: int,
    n: int,
    key: Any,
    first: int,
    rounds: int,
    policies: Array,
    lows: Array,
    m: Array,
    rng: Array,
    out: Array,
) -> None:
    """Play rounds first … first+rounds-1; out[(round·n + seat)·FIELDS + field]."""
    if system == CLASSIC:
        play_rounds(CLASSIC, n, key, first, rounds, policies, lows, m, rng, out)
    elif system == ADVANCED:
        play_rounds(ADVANCED, n, key, first, rounds, policies, lows, m, rng, out)
    elif system == EVEN_ODD:
        play_rounds(EVEN_ODD, n, key, first, rounds, policies, lows, m, rng, out)
    elif system == MOUNTAIN:
        play_rounds(MOUNTAIN, n, key, first, rounds, policies, lows, m, rng, out)
    elif system == JUMPING_COW:
        play_rounds(JUMPING_COW, n, key, first, rounds, policies, lows, m, rng, out)
    else:
        play_rounds(NUMBER_TWISTER, n, key, first, rounds, policies, lows, m, rng, out)


@jit
def count_outcomes(n: int, rounds: int, out: Array, totals: Array) -> None:
    """Add outcomes to running totals, which do not grow: per seat a histogram of heads, then the sums of the other
    fields and of the win credit (fewest heads; a tie is shared, R-C1)."""
    for i in range(rounds):
        base = i * n * FIELDS
        fewest = 1 << 30
        ties = 0
        for seat in range(n):
            heads = out[base + seat * FIELDS]
            if heads < fewest:
                fewest = heads
                ties = 0
            if heads == fewest:
                ties += 1
        for seat in range(n):
            spot = base + seat * FIELDS
            to = seat * TOTALS
            heads = out[spot]
            totals[to + heads] += 1
            for field in range(1, FIELDS):
                totals[to + HEADS_SPAN + field - 1] += out[spot + field]
            if heads == fewest:
                totals[to + HEADS_SPAN + FIELDS - 1] += CREDIT // ties
