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

/* The turns on which a card, or any card of a hand, contradicts what its seat played, one bit each. */
static inline int clash(const nl_belief *b, int seat, uint8_t card) { return b->clash[NL_CARDS * seat + (card & 127)]; }
static inline int clashes(const nl_belief *b, const nl_hand *hand, const uint8_t *cards) {
    int turns = 0;
    for (int i = 0; i < hand->size; i++) turns |= clash(b, hand->seat, cards[hand->start + i]);
    return turns;
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
    int turns[NL_SEATS];
    for (int i = 0; i < count; i++) turns[i] = clashes(b, hands + i, cards);
    for (int i = 0; dealt && i < b->settle; i++) {
        int places[2] = {held[nl_below(rng, (uint32_t)dealt)], (int)nl_below(rng, (uint32_t)pool)}, now[2] = {0, 0};
        if (owner[places[0]] == owner[places[1]]) continue;
        const uint8_t card = cards[places[0]], other = cards[places[1]];
        double likelier = 1, rarer = 1;
        cards[places[0]] = other;
        cards[places[1]] = card;
        for (int side = 0; side < 2; side++) {
            const int mine = owner[places[side]];
            if (mine == NL_SEATS) continue;
            const nl_hand *hand = hands + mine;
            const int in = clash(b, hand->seat, side ? card : other), out = clash(b, hand->seat, side ? other : card);
            now[side] = out & ~in ? clashes(b, hand, cards) : turns[mine] | in;
            const int changed = (now[side] ^ turns[mine]) & ~b->clashed[hand->seat];
            rarer *= doubts(b, hand->seat, changed & now[side]);
            likelier *= doubts(b, hand->seat, changed & turns[mine]);
        }
        if (rarer >= likelier || (double)nl_below(rng, 1u << 30) * likelier < rarer * (1 << 30)) {
            for (int side = 0; side < 2; side++)
                if (owner[places[side]] != NL_SEATS) turns[owner[places[side]]] = now[side];
        } else {
            cards[places[0]] = card;
            cards[places[1]] = other;
        }
    }
}

#endif
