/* How a seat chooses its card. */
#ifndef NIMMT_POLICY_H
#define NIMMT_POLICY_H

#include "placing.h"

enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, POLICIES };
/* EDGES_FIRST: the bonus per step away from the middle of the deck, in heads / 32768. Tuned by experiment. */
enum { EDGE_BONUS = 1700 };
/* From here on, costs are those of cards that would take something now. */
enum { TAKES = 1 << 16 };

ALWAYS int distance(int a, int b) { return a > b ? a - b : b - a; }

/* The order of CLOSEST_SAFE: cards whose row now has room come first, by the gap to its end; then the others by the
   heads they would take now. Ties go to the lower card. */
ALWAYS int unsafety(const Rules r, const Table *t, int card, int value) {
    int row = target(r, t, value);
    if (row < 0) return TAKES + (t->sum[cheapest(r, t)] << 7) + card;
    if (is_full(r, t, row)) return TAKES + (t->sum[row] << 7) + card;
    return (distance(value, t->end[row]) << 7) + card;
}

/* The cost that LEAST_RISK minimises: an estimate of the heads a card will take this turn, in units of 1/32768.
   chance[128 c + g] is the probability that the others' cards make mine one too many in a row of c, if g numbers fit
   between; [g] that no card is lower than mine (in 4096ths). The cards placed before mine carry about 13/8 heads
   each. */
ALWAYS int risk(const Rules r, const Table *t, const int32_t *chance, int value) {
    int row = target(r, t, value);
    if (row < 0) return 8 * t->sum[cheapest(r, t)] * chance[value];
    int count = filled(r, t, row);
    int heads = 8 * t->sum[row] + 13 * (r.places - count);
    return heads * chance[NL_CARDS * count + distance(value, t->end[row]) - 1];
}

/* RANDOM with a twister in hand: every card, and every card that can be twisted, is an option of equal probability. */
static int choose_with_twister(const Rules r, const uint8_t *hand, int size, uint64_t *rng) {
    int options = size;
    for (int i = 0; i < size; i++) options += twistable(r.flags, hand[i]);
    int pick = (int)nl_below(rng, (uint32_t)options), skip = pick - size;
    if (skip < 0) return pick;
    for (pick = 0;; pick++)
        if (twistable(r.flags, hand[pick]) && skip-- == 0) return TWISTED + pick;
}

/* What the policy minimises. */
ALWAYS int cost_of(const Rules r, int policy, const Table *t, const int32_t *chance, int card) {
    if (policy == HIGHEST) return -card;
    if (policy == CLOSEST_SAFE) return unsafety(r, t, card, card);
    if (policy == LEAST_RISK) return risk(r, t, chance, card);
    /* Middle cards keep finding a row, so it pays to save them. */
    if (policy == EDGES_FIRST) return risk(r, t, chance, card) - EDGE_BONUS * distance(card, LAST_CARD / 2);
    return card;
}

/* The index in the hand of the policy's card; + TWISTED to play it twisted. */
ALWAYS int choose_card(const Rules r, int policy, const Table *t, const int32_t *chance, const uint8_t *hand, int size,
                       int twister) {
    int pick = 0, best = 0x7fffffff;
    for (int i = 0; i < size; i++) {
        int cost = cost_of(r, policy, t, chance, hand[i]);
        if (cost < best) {
            best = cost;
            pick = i;
        }
    }
    if ((r.flags & NUMBER_TWISTER) && policy == CLOSEST_SAFE && twister && best >= TAKES) {
        /* No card is safe as it is, so try twisted ones. */
        best = TAKES;
        for (int i = 0; i < size; i++) {
            int cost = twistable(r.flags, hand[i]) ? unsafety(r, t, hand[i], twisted(hand[i])) : TAKES;
            if (cost < best) {
                best = cost;
                pick = TWISTED + i;
            }
        }
    }
    return pick;
}

static __attribute__((noinline)) int choose_by_policy(const Rules r, int policy, const Table *t, const int32_t *chance,
                                                      const uint8_t *hand, int size, int twister) {
    if (r.rows != USUAL_ROWS || r.places != USUAL_PLACES) return choose_card(r, policy, t, chance, hand, size, twister);
    if (r.flags) return choose_card(USUAL(r.flags), policy, t, chance, hand, size, twister);
    return choose_card(USUAL(0), policy, t, chance, hand, size, twister);
}

/* Choose a card of the hand and move it to the front. + TWISTED to play it twisted. */
ALWAYS int choose(const Rules r, int policy, const Table *t, const int32_t *chance, uint8_t *hand, int size,
                  int twister, uint64_t *rng) {
    int pick = 0;
    if (policy != RANDOM) pick = choose_by_policy(r, policy, t, chance, hand, size, twister);
    else if ((r.flags & NUMBER_TWISTER) && twister) pick = choose_with_twister(r, hand, size, rng);
    int way = pick & TWISTED;
    uint8_t card = hand[pick - way];
    hand[pick - way] = hand[0];
    hand[0] = card;
    return card + way;
}

#endif
