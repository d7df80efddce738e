/* How a seat chooses its card. */
#ifndef NIMMT_POLICY_H
#define NIMMT_POLICY_H

#include "placing.h"

enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, POLICIES };
/* What a step away from the middle of the deck is worth to EDGES_FIRST, in heads / 32768. Found by trying. */
enum { EDGE_BONUS = 1700 };
/* Costs of cards that would take something now begin here. */
enum { TAKES = 1 << 16 };

ALWAYS int distance(int a, int b) { return a > b ? a - b : b - a; }

/* CLOSEST_SAFE's order: cards whose row now has room come first, by the gap to its end; then the others by the heads
   they would take now. Equal ones: the lower card. */
ALWAYS int unsafety(const int flags, const Table *t, int card, int value) {
    int row = target(flags, t, value);
    if (row < 0) return TAKES + (t->sum[cheapest(t)] << 7) + card;
    if (is_full(flags, t, row)) return TAKES + (t->sum[row] << 7) + card;
    return (distance(value, t->end[row]) << 7) + card;
}

/* What LEAST_RISK minimises: an estimate of the heads a card will take this turn, in parts of 32768. chance[128 c + g] is
   how likely the others' cards make mine one too many in a row of c, if g numbers fit between; [g] that none of theirs is
   lower than mine (in parts of 4096). The cards that come before mine carry about 13/8 heads each. */
ALWAYS int risk(const int flags, const Table *t, const int32_t *chance, int value) {
    int row = target(flags, t, value);
    if (row < 0) return 8 * t->sum[cheapest(t)] * chance[value];
    int count = t->count[row];
    if (flags & JUMPING_COW) count += cow_occupies(t, row);
    int heads = 8 * t->sum[row] + 13 * (PLACES - count);
    return heads * chance[NL_CARDS * count + distance(value, t->end[row]) - 1];
}

/* RANDOM with a twister in hand: every card, and every card that can be twisted, is one option among equals. */
static int choose_with_twister(int flags, const uint8_t *hand, int size, uint64_t *rng) {
    int options = size;
    for (int i = 0; i < size; i++) options += twistable(flags, hand[i]);
    int pick = (int)nl_below(rng, (uint32_t)options), skip = pick - size;
    if (skip < 0) return pick;
    for (pick = 0;; pick++)
        if (twistable(flags, hand[pick]) && skip-- == 0) return TWISTED + pick;
}

/* What the policy minimises. */
ALWAYS int cost_of(const int flags, int policy, const Table *t, const int32_t *chance, int card) {
    if (policy == HIGHEST) return -card;
    if (policy == CLOSEST_SAFE) return unsafety(flags, t, card, card);
    if (policy == LEAST_RISK) return risk(flags, t, chance, card);
    /* Middle cards keep finding a row: it pays to save them for later. */
    if (policy == EDGES_FIRST) return risk(flags, t, chance, card) - EDGE_BONUS * distance(card, LAST_CARD / 2);
    return card;
}

/* Where the policy's card is in the hand; TWISTED more when it is to be played so. */
ALWAYS int choose_with_flags(const int flags, int policy, const Table *t, const int32_t *chance, const uint8_t *hand,
                             int size, int twister) {
    int pick = 0, best = 0x7fffffff;
    for (int i = 0; i < size; i++) {
        int cost = cost_of(flags, policy, t, chance, hand[i]);
        if (cost < best) {
            best = cost;
            pick = i;
        }
    }
    if ((flags & NUMBER_TWISTER) && policy == CLOSEST_SAFE && twister && best >= TAKES) {
        /* Nothing is safe as it is: see whether a twisted card is. */
        best = TAKES;
        for (int i = 0; i < size; i++) {
            int cost = twistable(flags, hand[i]) ? unsafety(flags, t, hand[i], twisted(hand[i])) : TAKES;
            if (cost < best) {
                best = cost;
                pick = TWISTED + i;
            }
        }
    }
    return pick;
}

static __attribute__((noinline)) int choose_by_policy(int flags, int policy, const Table *t, const int32_t *chance,
                                                      const uint8_t *hand, int size, int twister) {
    return flags ? choose_with_flags(flags, policy, t, chance, hand, size, twister)
                 : choose_with_flags(0, policy, t, chance, hand, size, twister);
}

/* Choose a card of the hand and move it to the front. TWISTED more when it is to be played so. */
ALWAYS int choose(const int flags, int policy, const Table *t, const int32_t *chance, uint8_t *hand, int size,
                  int twister, uint64_t *rng) {
    int pick = 0;
    if (policy != RANDOM) pick = choose_by_policy(flags, policy, t, chance, hand, size, twister);
    else if ((flags & NUMBER_TWISTER) && twister) pick = choose_with_twister(flags, hand, size, rng);
    int way = pick & TWISTED;
    uint8_t card = hand[pick - way];
    hand[pick - way] = hand[0];
    hand[0] = card;
    return card + way;
}

#endif
