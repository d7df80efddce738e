/* Beliefs about hidden hands, given the cards played: a seat that follows a policy would have played a card it prefers,
   so it is unlikely to hold one. nimmt_lab/bots/company.py computes the parameters. */
#ifndef NIMMT_BELIEF_H
#define NIMMT_BELIEF_H

#include "nimmt.h"
#include "rng.h"

/* A hidden hand: its seat, and the position of its cards among those dealt. */
typedef struct {
    int32_t seat, start, size;
} nl_hand;

static inline int check_belief(const nl_belief *b) {
    if (b->settle < 0 || b->settle > 1 << 12) return NL_BAD_SIZE;
    for (int i = 0; i < NL_SEATS * NL_SEATS; i++)
        if (b->doubt[i] < 0 || b->doubt[i] > 65536) return NL_BAD_SIZE;
    return NL_OK;
}

/* The turns on which a hand contradicts what its seat played, one bit each. */
static inline int contradicted(const nl_belief *b, const nl_hand *hand, const uint8_t *cards) {
    int turns = 0;
    for (int i = 0; i < hand->size; i++) turns |= b->clash[NL_CARDS * hand->seat + (cards[hand->start + i] & 127)];
    return turns & ~b->clashed[hand->seat];
}

/* The likelihood factor of these contradictions. */
static inline double doubts(const nl_belief *b, int seat, int turns) {
    double found = 1;
    for (int turn = 0; turns >> turn; turn++)
        if (turns >> turn & 1) found *= b->doubt[NL_SEATS * seat + turn] / 65536.0;
    return found;
}

/* Metropolis sampling: starting from `pool` randomly dealt cards, some of them in `count` hidden hands, propose b->settle
   swaps of two cards, so that hands follow the belief. The order within a hand is arbitrary. */
static inline void settle_hands(const nl_belief *b, uint64_t *rng, uint8_t *cards, int pool, const nl_hand *hands,
                                int count) {
    uint8_t owner[NL_CARDS], held[NL_CARDS];
    int dealt = 0;
    for (int i = 0; i < pool; i++) owner[i] = NL_SEATS;
    for (int i = 0; i < count; i++)
        for (int at = hands[i].start; at < hands[i].start + hands[i].size; at++) {
            owner[at] = (uint8_t)i;
            held[dealt++] = (uint8_t)at;
        }
    for (int i = 0; dealt && i < b->settle; i++) {
        int places[2] = {held[nl_below(rng, (uint32_t)dealt)], (int)nl_below(rng, (uint32_t)pool)}, before[2] = {0, 0};
        if (owner[places[0]] == owner[places[1]]) continue;
        double likelier = 1, rarer = 1;
        for (int swapped = 0; swapped < 2; swapped++) {
            for (int side = 0; side < 2; side++) {
                if (owner[places[side]] == NL_SEATS) continue;
                const nl_hand *hand = hands + owner[places[side]];
                int now = contradicted(b, hand, cards);
                if (swapped) {
                    rarer *= doubts(b, hand->seat, now & ~before[side]);
                    likelier *= doubts(b, hand->seat, before[side] & ~now);
                }
                before[side] = now;
            }
            uint8_t card = cards[places[0]];
            if (swapped && rarer >= likelier) break;
            if (swapped && (double)nl_below(rng, 1u << 30) * likelier < rarer * (1 << 30)) break;
            cards[places[0]] = cards[places[1]];
            cards[places[1]] = card;
        }
    }
}

#endif
