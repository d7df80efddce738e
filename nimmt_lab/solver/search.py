"""The exact search for two players (compiled): double oracle with alpha-beta windows on certified bounds.

Every position is asked a question with a *window*: is its value at most ``alpha``, at least ``beta``, or what is it?
The answer is a pair of whole numbers [lo, hi] (units of ``2**-shift`` heads) that **certainly** holds the value, with

    hi ≤ alpha    or    lo ≥ beta    or    hi − lo ≤ tolerance of the level.

Inside a position a turn is a matrix game of which few entries are ever looked at (Bošanský, Lisý, Lanctot, Čermák and
Winands, *Artificial Intelligence* 237, 2016). Each entry has bounds and an estimate between them. Repeat:

1. solve the small game of the cards considered so far, with estimates for entries: mixes x and y, value v;
2. if v is not above the window, ask: has A a better card against y? Only entries that could make the difference are
   searched, each with just the window that decides it. A better card joins the small game;
3. the same for B against x, unless v is below the window;
4. when nobody has one, the mixes prove bounds for the position.

Whatever x is, A gets at least the least column sum of x over the *lower bounds*: that sum, rounded down, is the
certificate, and likewise for B. So neither estimates nor the floating-point programme can make an answer wrong; they
can only make it slow, or in the worst case wider than asked, which is counted in ``DOUBT`` and seen in the result.
"""

from __future__ import annotations

import numpy as np

from nimmt_lab.solver.compiled import Floats, Words, jit
from nimmt_lab.solver.endings import three_cards
from nimmt_lab.solver.fanned import PLAIN
from nimmt_lab.solver.packed import lower, pair, two_cards, upper
from nimmt_lab.solver.programme import solve_game
from nimmt_lab.solver.table import find, neighbours, store, store_neighbour
from nimmt_lab.solver.turns import (
    ASKED,
    BASE,
    CAP,
    CARDS_A,
    CARDS_B,
    DOUBT,
    EXTRA,
    GUESS,
    HEADS,
    HIGH,
    IN_A,
    IN_B,
    JITTER,
    KIND,
    LEAF_HIGH,
    LEAF_LOW,
    LISTS,
    LOW,
    NEXT,
    NODES,
    NOW,
    ORDER,
    ROOT_HI,
    ROOT_LEVEL,
    ROOT_LO,
    SHIFT,
    SIZES,
    SMALL_A,
    SMALL_B,
    STOP,
    STORED,
    UNSTORED,
    WIDE,
    fan_turns,
    is_turned,
    key_of,
    plain_turns,
    weigh,
)

#: Levels with a wide window are first bracketed by questions with a window of one unit, at most this many.
BRACKET_FROM, BRACKETS = 5, 4
MOST_ROUNDS = 400


@jit
def open_game(k: int, m: int, n: int, below: int, work: Words, mixes: Floats, control: Words) -> None:
    """Bounds and estimates of all entries; the small game starts with the two cards that look best at worst."""
    cap, wide = control[CAP], control[WIDE]
    lows, highs, guesses, lists = work[k, LOW], work[k, HIGH], work[k, GUESS], work[k, LISTS]
    lists[SIZES], lists[SIZES + 1] = m, n
    for i in range(m):
        mixes[k, 0, i] = 0.0
        lists[IN_A + i] = 0
        for j in range(n):
            at = i * wide + j
            _, _, _, lows[at], highs[at], guesses[at] = weigh(k, at, cap, cap, below, work, control)
            if control[JITTER] != 0:  # a second thread breaks ties its own way
                guesses[at] += (control[JITTER] * (lists[CARDS_A + i] * 37 + lists[CARDS_B + j] * 11)) & 1023
    best, first = -4 * cap, 0
    for i in range(m):
        least = 4 * cap
        for j in range(n):
            least = min(least, guesses[i * wide + j])
        if least > best:
            best, first = least, i
    lists[SMALL_A], lists[IN_A + first] = first, 1
    best, first = 4 * cap, 0
    for j in range(n):
        mixes[k, 1, j] = 0.0
        lists[IN_B + j] = 0
        most = -4 * cap
        for i in range(m):
            most = max(most, guesses[i * wide + j])
        if most < best:
            best, first = most, j
    lists[SMALL_B], lists[IN_B + first] = first, 1


@jit
def survey(
    k: int,
    mask_a: int,
    mask_b: int,
    rows: int,
    extra: int,
    main: Words,
    side: Words,
    work: Words,
    mixes: Floats,
    control: Words,
) -> tuple[int, int]:
    """Fill the work space of a level from the tables alone; how many choices A and B have."""
    if control[KIND] == PLAIN:
        m, n = plain_turns(k, mask_a, mask_b, rows, main, side, work, control)
    else:
        m, n = fan_turns(k, mask_a, mask_b, rows, extra, main, side, work, control)
    open_game(k, m, n, 3 * k, work, mixes, control)
    mixes[k, 0, work[k, LISTS, SMALL_A]] = 1.0
    mixes[k, 1, work[k, LISTS, SMALL_B]] = 1.0
    return m, n


@jit
def small_game(k: int, m: int, n: int, below: int, work: Words, mixes: Floats, game: Floats, control: Words) -> float:
    """Solve the game of the m and n cards considered so far; mixes go to ``mixes[k]``."""
    lows, highs, guesses, lists = work[k, LOW], work[k, HIGH], work[k, GUESS], work[k, LISTS]
    wide = control[WIDE]
    for p in range(m):
        for q in range(n):
            at = lists[SMALL_A + p] * wide + lists[SMALL_B + q]
            if highs[at] - lows[at] <= below:
                game[0, p, q] = 0.5 * (lows[at] + highs[at])
            else:
                game[0, p, q] = min(max(guesses[at], lows[at]), highs[at])
    value = solve_game(game[0], m, n, game[1, 0], game[1, 1], game[2], game[3])
    for p in range(m):
        mixes[k, 0, lists[SMALL_A + p]] = game[1, 0, p]
    for q in range(n):
        mixes[k, 1, lists[SMALL_B + q]] = game[1, 1, q]
    return value


@jit
def in_order(
    k: int, who: int, own: int, other: int, goal: float, work: Words, mixes: Floats, order: Floats, control: Words
) -> int:
    """Cards of one player that might beat ``goal`` against the other's mix, most promising first; how many.

    Player 1 sees everything with the sign turned, so that both want much.
    """
    lows, highs, guesses, lists = work[k, LOW], work[k, HIGH], work[k, GUESS], work[k, LISTS]
    wide = control[WIDE]
    step_own, step_other = (wide, 1) if who == 0 else (1, wide)
    count = 0
    for p in range(own):
        most, hope = 0.0, 0.0
        for q in range(other):
            share = mixes[k, 1 - who, q]
            if share > 0.0:
                at = p * step_own + q * step_other
                guess = min(max(guesses[at], lows[at]), highs[at])
                most += share * (highs[at] if who == 0 else -lows[at])
                hope += share * (guess if who == 0 else -guess)
        if most > goal:
            place = count
            while place > 0 and order[place - 1] < hope:
                order[place] = order[place - 1]
                lists[ORDER + place] = lists[ORDER + place - 1]
                place -= 1
            order[place] = hope
            lists[ORDER + place] = p
            count += 1
    return count


@jit
def next_question(
    k: int, who: int, p: int, other: int, goal: float, below: int, work: Words, mixes: Floats, control: Words
) -> tuple[float, int, int, int]:
    """Which entry of card p to search, with which window, to see whether the card beats ``goal``.

    Gives: the most the card may earn, the entry (−1: decided), and its window.
    """
    lows, highs = work[k, LOW], work[k, HIGH]
    wide = control[WIDE]
    step_own, step_other = (wide, 1) if who == 0 else (1, wide)
    most, least, pick, widest, share = 0.0, 0.0, -1, 0.0, 1.0
    for q in range(other):
        part = mixes[k, 1 - who, q]
        if part > 0.0:
            at = p * step_own + q * step_other
            most += part * (highs[at] if who == 0 else -lows[at])
            least += part * (lows[at] if who == 0 else -highs[at])
            if highs[at] - lows[at] > below and part * (highs[at] - lows[at]) > widest:
                widest, pick, share = part * (highs[at] - lows[at]), at, part
    if most <= goal or least > goal or pick < 0:
        return most, -1, 0, 0
    # At ``ask_lo`` the card fails whatever the other entries are, at ``ask_hi`` it succeeds whatever they are.
    if who == 0:
        ask_lo = int(np.floor(highs[pick] - (most - goal) / share))
        ask_hi = int(np.ceil(lows[pick] + (goal - least) / share))
    else:
        ask_hi = -int(np.floor(-lows[pick] - (most - goal) / share))
        ask_lo = -int(np.ceil(-highs[pick] + (goal - least) / share))
    asked = work[k, ASKED, pick]
    work[k, ASKED, pick] += 1
    if asked > 0:
        # Asked before: widen the window each time, or the answers would creep towards the value in tiny steps.
        margin = (1 << (control[SHIFT] - 3)) << (2 * asked) if asked < 6 else 2 * control[CAP]
        ask_lo -= margin
        ask_hi += margin
    ask_lo, ask_hi = max(ask_lo, lows[pick]), min(ask_hi, highs[pick])
    if ask_hi <= ask_lo:
        if who == 0:
            ask_hi = ask_lo + 1
        else:
            ask_lo = ask_hi - 1
    return most, pick, ask_lo, ask_hi


@jit
def certificate(k: int, who: int, own: int, other: int, work: Words, mixes: Floats, control: Words) -> int:
    """What the mix of player ``who`` guarantees for certain, whatever it is.

    The sums are floats: whole numbers below 2**31 times chances, at most twenty terms, so far closer than 0.001.
    """
    bounds = work[k, LOW] if who == 0 else work[k, HIGH]
    wide = control[WIDE]
    step_own, step_other = (wide, 1) if who == 0 else (1, wide)
    total, pure = 0.0, True
    for p in range(own):
        share = mixes[k, who, p]
        total += share
        pure = pure and (share == 0.0 or share == 1.0)
    worst = 1e300
    for q in range(other):
        s = 0.0
        for p in range(own):
            share = mixes[k, who, p]
            if share > 0.0:
                at = p * step_own + q * step_other
                s += share * (bounds[at] if who == 0 else -bounds[at])
        worst = min(worst, s / total)
    sure = int(worst) if pure else int(np.floor(worst - 0.001))
    return sure if who == 0 else -sure


@jit
def remember(
    k: int,
    structure: int,
    weights: int,
    lo: int,
    hi: int,
    alpha: int,
    beta: int,
    tolerance: int,
    turned: bool,
    main: Words,
    side: Words,
    control: Words,
) -> int:
    """Store the bounds found for a position, and give them for the players as they sat before ``turned``."""
    if not (hi <= alpha or lo >= beta or hi - lo <= tolerance) and control[STOP] == 0:
        control[DOUBT] += 1
    if k > control[UNSTORED]:
        stored = store(main, structure, weights, pair(lo, hi))
        control[STORED] += stored if k > 3 else 0
        if control[KIND] == PLAIN:
            store_neighbour(side, structure, weights, pair(lo, hi))
    return pair(-hi, -lo) if turned else pair(lo, hi)


@jit
def search(
    k: int,
    mask_a: int,
    mask_b: int,
    rows: int,
    extra: int,
    alpha: int,
    beta: int,
    full: int,
    main: Words,
    side: Words,
    work: Words,
    mixes: Floats,
    game: Floats,
    control: Words,
) -> int:
    """Bounds of a position with k cards a hand for the window (alpha, beta); see the head of this module.

    ``full`` = 1 (only at the root): take no short cut, so that the work space holds the proof of the whole answer.
    """
    if k == control[BASE]:
        if k == 0:
            return pair(0, 0)
        return two_cards(mask_a, mask_b, rows, control[HEADS], control[SHIFT])
    cap = control[CAP]
    if control[STOP] != 0:
        return pair(-cap, cap)
    control[NODES] += 1
    # The width an exact answer may have: each level adds a little to that of the level below.
    tolerance = 3 * (k - control[BASE]) + int(control[BASE] > 0)
    below = tolerance - 3
    lo, hi = -cap, cap
    structure, weights = 0, 0
    turned = is_turned(mask_a, mask_b, control)
    if turned:
        mask_a, mask_b = mask_b, mask_a
        alpha, beta = -beta, -alpha
    if k > control[UNSTORED]:
        structure, weights = key_of(k, mask_a, mask_b, rows, extra, control)
        found, both = find(main, structure, weights)
        if found:
            lo, hi = lower(both), upper(both)
        if control[KIND] == PLAIN and hi > alpha and lo < beta and hi - lo > tolerance:
            both = neighbours(side, structure, weights, lo, hi, control[SHIFT])
            lo, hi = lower(both), upper(both)
        settled = hi <= alpha or lo >= beta or hi - lo <= tolerance
        if full == 0 and not settled and k >= BRACKET_FROM and beta - alpha > 1:
            # A wide window: narrow it by yes-or-no questions around a guess first.
            one = 1 << control[SHIFT]
            guess = (lo + hi) // 2 if hi - lo <= 8 * one else min(max(0, max(lo, alpha)), min(hi, beta) - 1)
            guess = ((guess + one // 2) // one) * one
            upward = True
            for _ in range(BRACKETS):
                if hi <= alpha or lo >= beta or hi - lo <= 2 * tolerance or control[STOP] != 0:
                    break
                ask = guess + tolerance if upward else guess - tolerance - 1
                ask = min(max(ask, max(lo, alpha)), min(hi, beta) - 1)
                both = search(
                    k, mask_a, mask_b, rows, extra, ask, ask + 1, full, main, side, work, mixes, game, control
                )
                lo, hi = max(lo, lower(both)), min(hi, upper(both))
                upward = lo > ask
                guess = lo if upward else hi
                if k == control[ROOT_LEVEL]:
                    control[ROOT_LO], control[ROOT_HI] = (-hi, -lo) if turned else (lo, hi)
            settled = hi <= alpha or lo >= beta or hi - lo <= tolerance or control[STOP] != 0
        if settled and full == 0:
            return pair(-hi, -lo) if turned else pair(lo, hi)
        if full == 0:
            alpha, beta = max(alpha, lo), min(beta, hi)
    if k == 3 and full == 0 and control[BASE] == 2:
        both = three_cards(mask_a, mask_b, rows, alpha, beta, work, game, control)
        lo, hi = max(lo, lower(both)), min(hi, upper(both))
        return remember(k, structure, weights, lo, hi, alpha, beta, tolerance, turned, main, side, control)
    if control[KIND] == PLAIN:
        m, n = plain_turns(k, mask_a, mask_b, rows, main, side, work, control)
    else:
        m, n = fan_turns(k, mask_a, mask_b, rows, extra, main, side, work, control)
    open_game(k, m, n, below, work, mixes, control)
    lows, highs, lists, wide = work[k, LOW], work[k, HIGH], work[k, LISTS], control[WIDE]
    count_a, count_b = 1, 1
    edge = 0.5 * below + 1.0  # so far from the window v must be to look at one side only
    for _ in range(MOST_ROUNDS):
        v = small_game(k, count_a, count_b, below, work, mixes, game, control)
        changed = False
        for who in range(2):
            if who == 0:
                if v >= beta + edge:
                    continue
                own, other = m, n
                goal = float(alpha) if v <= alpha - edge else v + 0.5 * below + 0.5
            else:
                if v <= alpha - edge:
                    continue
                own, other = n, m
                goal = float(-beta) if v >= beta + edge else -v + 0.5 * below + 0.5
            for q in range(other):
                if 0.0 < mixes[k, 1 - who, q] < 1.0:
                    goal -= 0.01  # room for rounding outwards
                    break
            waiting = in_order(k, who, own, other, goal, work, mixes, game[4, 0], control)
            for turn in range(waiting):
                p = lists[ORDER + turn]
                while True:
                    most, at, ask_lo, ask_hi = next_question(k, who, p, other, goal, below, work, mixes, control)
                    if at < 0:
                        break
                    old_lo, old_hi = lows[at], highs[at]
                    card_a, card_b = lists[CARDS_A + at // wide], lists[CARDS_B + at % wide]
                    next_a, next_b = mask_a & ~(1 << (card_a & 31)), mask_b & ~(1 << (card_b & 31))
                    for _leaf in range(40):
                        spot, leaf_lo, leaf_hi, _, _, _ = weigh(k, at, ask_lo, ask_hi, below, work, control)
                        if spot < 0:
                            break
                        now, after, then = work[k, NOW, spot], work[k, NEXT, spot], work[k, EXTRA, spot]
                        if k == 3 and control[BASE] == 2:
                            both = two_cards(next_a, next_b, after, control[HEADS], control[SHIFT])
                        else:
                            both = search(
                                k - 1, next_a, next_b, after, then, leaf_lo - now, leaf_hi - now, full & 0,
                                main, side, work, mixes, game, control,
                            )  # fmt: skip
                        work[k, LEAF_LOW, spot] = max(work[k, LEAF_LOW, spot], lower(both) + now)
                        work[k, LEAF_HIGH, spot] = min(work[k, LEAF_HIGH, spot], upper(both) + now)
                        if control[STOP] != 0:
                            break
                    _, _, _, new_lo, new_hi, _ = weigh(k, at, ask_lo, ask_hi, below, work, control)
                    lows[at], highs[at] = max(old_lo, new_lo), min(old_hi, new_hi)
                    if control[STOP] != 0 or (lows[at] == old_lo and highs[at] == old_hi):
                        break
                if control[STOP] != 0:
                    break
                if most > goal:  # not refuted: the card joins the small game, or its entries there have changed
                    if who == 0 and lists[IN_A + p] == 0:
                        lists[IN_A + p], lists[SMALL_A + count_a] = 1, p
                        count_a += 1
                    elif who == 1 and lists[IN_B + p] == 0:
                        lists[IN_B + p], lists[SMALL_B + count_b] = 1, p
                        count_b += 1
                    changed = True
                    break
            if changed or control[STOP] != 0:
                break
        if not changed or control[STOP] != 0:
            break
    lo = max(lo, certificate(k, 0, m, n, work, mixes, control))
    hi = min(hi, certificate(k, 1, n, m, work, mixes, control))
    return remember(k, structure, weights, lo, hi, alpha, beta, tolerance, turned, main, side, control)
