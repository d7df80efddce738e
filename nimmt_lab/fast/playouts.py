"""Playouts from a position, for bots that search: hidden hands are dealt out at random, then the round is played.

Compiled like `kernels`, whose functions are compiled into it (numba's cache notices changes of this file only:
after editing `kernels.py` clear the cache, or touch this file).
"""

from __future__ import annotations

from typing import Any

from . import trained as t
from .kernels import (
    ADVANCED,
    CLASSIC,
    CREDIT,
    DECK,
    HAND,
    LOG,
    PLAYS,
    TWISTERS,
    Array,
    choose,
    inline,
    jit,
    play_turn,
    shuffle,
    start_stream,
)

#: What is summed up per option: heads, their squares, win credit.
STATS = 3
#: How a seat plays on, besides the policies of `kernels`: by what was learned.
TRAINED = 16


@inline
def deal_out(n: int, turns: int, pool: int, open_hands: int, hands: Array, rng: Array) -> None:
    """My cards and everybody else's, in random order. `hands` holds mine, then the `pool` cards the others may have
    (seat after seat when hands are open: then only their order is unknown)."""
    shuffle(hands, 0, turns, turns, rng)
    if open_hands:
        for other in range(1, n):
            shuffle(hands, turns * other, turns, turns, rng)
    else:
        shuffle(hands, turns, pool, turns * (n - 1), rng)


@inline
def play_out(
    system: int, n: int, me: int, turns: int, play: int, hands: Array, start: Array, policies: Array,
    lows: Array, m: Array, rng: Array, scores: Array, masks: Array, chance: Array, weights: Array, notes: Array,
    sums: Array,
) -> None:  # fmt: skip
    """Play the turns that are left from `start` with `play` as my first one; adds what everybody takes to `scores`.

    What I have not seen is the set at masks[2]; only I may play on as TRAINED, and the set at masks[0] shrinks with it.
    """
    for i in range(DECK):
        m[i] = start[i]
    masks[0] = masks[2]
    masks[1] = masks[3]
    at = turns
    for seat in range(n):
        to = DECK + HAND * seat
        if seat == me:
            m[to] = play & 127
            for i in range(turns):
                if hands[i] != play & 127:
                    to += 1
                    m[to] = hands[i]
        else:
            for i in range(turns):
                m[to + i] = hands[at + i]
            at += turns
    for turn in range(turns):
        for seat in range(n):
            if seat == me and turn == 0:
                chosen = play
            else:
                first = DECK + HAND * seat + turn
                last = DECK + HAND * seat + turns
                if policies[seat] == TRAINED:
                    pick = t.choose_trained(m, first, last, masks, 0, chance, weights, notes, sums)
                    chosen = m[pick]
                    m[pick] = m[first]
                    m[first] = chosen
                else:
                    chosen = choose(system, policies[seat], m, first, last, m[TWISTERS + seat], rng)
            if chosen >= 128:
                m[TWISTERS + seat] = 0
            m[PLAYS + seat] = chosen
        if policies[me] == TRAINED:
            for seat in range(n):
                t.drop_card(masks, 0, m[PLAYS + seat] & 127)
        play_turn(system, n, lows, m, rng)
        for seat in range(n):
            scores[seat] += m[LOG + seat] >> 8


@inline
def search(
    system: int, n: int, me: int, turns: int, pool: int, open_hands: int, key: Any, first: int,
    playouts: int, options: Array, n_options: int, hands: Array, start: Array, points: Array, policies: Array,
    lows: Array, m: Array, rng: Array, scores: Array, stats: Array, masks: Array, chance: Array, weights: Array,
    notes: Array, sums: Array,
) -> None:  # fmt: skip
    for number in range(first, first + playouts):
        start_stream(rng, key, number)
        deal_out(n, turns, pool, open_hands, hands, rng)
        for o in range(n_options):
            # Every option meets the same hands: what differs is what the option does.
            for seat in range(n):
                scores[seat] = points[seat]
            play_out(
                system, n, me, turns, options[o], hands, start, policies, lows, m, rng, scores,
                masks, chance, weights, notes, sums,
            )  # fmt: skip
            fewest = scores[me]
            for seat in range(n):
                fewest = min(fewest, scores[seat])
            mine = scores[me] - points[me]
            stats[STATS * o] += mine
            stats[STATS * o + 1] += mine * mine
            if scores[me] == fewest:
                ties = 0
                for seat in range(n):
                    ties += int(scores[seat] == fewest)
                stats[STATS * o + 2] += CREDIT // ties


@jit
def search_system(
    system: int, n: int, me: int, turns: int, pool: int, open_hands: int, key: Any, first: int,
    playouts: int, options: Array, n_options: int, hands: Array, start: Array, points: Array, policies: Array,
    lows: Array, m: Array, rng: Array, scores: Array, stats: Array, masks: Array, chance: Array, weights: Array,
    notes: Array, sums: Array,
) -> None:  # fmt: skip
    """`search`, with the classic game's code specialised."""
    if system == CLASSIC or system == ADVANCED:
        search(
            CLASSIC, n, me, turns, pool, open_hands, key, first, playouts, options, n_options, hands,
            start, points, policies, lows, m, rng, scores, stats, masks, chance, weights, notes, sums,
        )  # fmt: skip
    else:
        search(
            system, n, me, turns, pool, open_hands, key, first, playouts, options, n_options, hands,
            start, points, policies, lows, m, rng, scores, stats, masks, chance, weights, notes, sums,
        )  # fmt: skip
