/* What the others may hold, given what they have played: who plays by a policy would have played a card it likes better,
   so it hardly holds one. */
#ifndef NIMMT_BELIEF_H
#define NIMMT_BELIEF_H

#include "family.h"

/* The turns on which a hand speaks against what its seat played. */
ALWAYS int contradicted(const nl_work *w, int seat, const uint8_t *hand) {
    int turns = 0;
    for (int i = 0; i < w->turns; i++) turns |= w->clash[NL_CARDS * seat + (hand[i] & 127)];
    return turns & ~w->clashed[seat];
}

/* How much less likely that seat then played so. */
ALWAYS double doubts(const nl_work *w, int seat, int turns) {
    double found = 1;
    for (int turn = 0; turns >> turn; turn++)
        if (turns >> turn & 1) found *= w->doubt[NL_SEATS * seat + turn] / 65536.0;
    return found;
}

/* Cards dealt out at random (`theirs`, seat after seat, then what nobody holds) change places, w->settle times two of
   them, so that hands become as likely as they are after what was played (Metropolis). Their order in a hand stays any. */
static void settle(nl_work *w) {
    uint8_t *theirs = w->cards + w->turns;
    const int dealt = w->turns * (w->players - 1);
    for (int i = 0; i < w->settle; i++) {
        int places[2] = {(int)nl_below(&w->rng, (uint32_t)dealt), (int)nl_below(&w->rng, (uint32_t)w->pool)};
        int owners[2] = {places[0] / w->turns, places[1] / w->turns}, before[2] = {0, 0};
        if (owners[0] == owners[1]) continue;
        double likelier = 1, rarer = 1;
        for (int swapped = 0; swapped < 2; swapped++) {
            for (int side = 0; side < 2; side++) {
                int other = owners[side], seat = other < w->me ? other : other + 1;
                if (places[side] >= dealt) continue;
                int now = contradicted(w, seat, theirs + w->turns * other);
                if (swapped) {
                    rarer *= doubts(w, seat, now & ~before[side]);
                    likelier *= doubts(w, seat, before[side] & ~now);
                }
                before[side] = now;
            }
            uint8_t card = theirs[places[0]];
            if (swapped && rarer >= likelier) break;
            if (swapped && (double)nl_below(&w->rng, 1u << 30) * likelier < rarer * (1 << 30)) break;
            theirs[places[0]] = theirs[places[1]];
            theirs[places[1]] = card;
        }
    }
}

#endif
