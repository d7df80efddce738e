/* What a round's result is worth to a searching seat. */
#ifndef NIMMT_CREDIT_H
#define NIMMT_CREDIT_H

#include "kernel.h"

/* My share of the win, in parts of NL_CREDIT: split among the leaders if the game is over; otherwise a chance halves with
   every `halves` (1/16 heads) behind the leader, where `halves` depends on the distance to the limit. */
static inline int credit(const nl_classic *w, const int32_t *scores) {
    /* 65536 * 2 ** (-i / 16) */
    static const int32_t halved[16] = {65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
                                       46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219};
    int fewest = scores[w->me], most = fewest, ties = 0;
    for (int seat = 0; seat < w->players; seat++) {
        fewest = scores[seat] < fewest ? scores[seat] : fewest;
        most = scores[seat] > most ? scores[seat] : most;
    }
    if (w->limit <= 0 || most >= w->limit) {
        for (int seat = 0; seat < w->players; seat++) ties += scores[seat] == fewest;
        return scores[w->me] == fewest ? NL_CREDIT / ties : 0;
    }
    int left = w->limit - most, all = 0, mine = 0;
    int half = w->halves[left < NL_CARDS ? left : NL_CARDS - 1];
    for (int seat = 0; seat < w->players; seat++) {
        int behind = 256 * (scores[seat] - fewest) / half; /* in parts of 16 halvings */
        int chance = behind < 16 * 16 ? halved[behind & 15] >> (behind >> 4) : 0;
        all += chance;
        if (seat == w->me) mine = chance;
    }
    return (int)((int64_t)NL_CREDIT * mine / all);
}

static inline int check_credit(const nl_classic *w) {
    for (int seat = 0; seat < w->players; seat++)
        if (w->points[seat] < -1000000 || w->points[seat] > 1000000) return NL_BAD_SIZE;
    for (int i = 0; i < NL_CARDS && w->limit > 0; i++)
        if (w->halves[i] < 1 || w->halves[i] > 1 << 16) return NL_BAD_SIZE;
    if (w->limit < -1000000 || w->limit > 1000000) return NL_BAD_SIZE;
    return NL_OK;
}

#endif
