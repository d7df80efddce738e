/* The classic family's workspace: the game, the table, the cards, and working memory. */
#ifndef NIMMT_CLASSIC_WORK_H
#define NIMMT_CLASSIC_WORK_H

#include "table.h"

enum {
    NL_OPTIONS = 32, /* options compared in a search */
    NL_KINDS = 4     /* policies from which a search draws those of the other seats */
};

typedef struct {
    uint64_t key;                         /* the mixed seed: its stream r deals round r */
    uint64_t first;                       /* number of the next round or playout */
    uint64_t rng;                         /* random stream of the current round */
    uint64_t unseen[2];                   /* the cards unseen by a searching seat, as a set */
    int64_t stats[NL_STATS * NL_OPTIONS]; /* of each option (nl_note) */
    /* What is played */
    int32_t players, hand, deck, n_rows, places, flags, draft, ascending;
    int32_t policies[NL_SEATS], lows[NL_SEATS];
    Table t;
    int32_t spare[NL_SEATS]; /* by seat: whether it can still twist a number */
    /* The turn: everybody's card (+ TWISTED with its digits swapped), the order of placing, the effect of each
       placement */
    int32_t turn, plays[NL_SEATS], order[NL_SEATS], log[NL_SEATS];
    /* A search: the seat, turns left, number of cards the others may hold, whether hands are open, options, points so
       far */
    int32_t me, turns, pool, open, n_options, options[NL_OPTIONS], points[NL_SEATS];
    /* policies to draw from; by seat, the odds of each (all 0: the seat's own policy) */
    int32_t kinds[NL_KINDS], odds[NL_KINDS * NL_SEATS];
    int32_t taken[NL_SEATS], usual;  /* heads of this round; the option that others are compared with */
    int64_t gains[2 * NL_OPTIONS];   /* for each option: its gain over that one, and the squares */
    int32_t limit, halves[NL_CARDS]; /* the limit that ends the game; by heads left to it, the lead (1/16 heads) that
                                        halves a chance */
    /* Vectorised games: the rounds of a game (0: only the limit ends it), whether a used twister stays used in the
       next round, whether rewards are wins, the seat that picks first in a draft */
    int32_t rounds, once, wins, first_seat;
    int32_t risk[(MOST_PLACES + 1) * NL_CARDS]; /* see `risk` in policy.h */
    int32_t stray[NL_SEATS];                    /* by seat, how many of 256 choices are random */
    nl_belief belief;
    uint8_t heads[NL_CARDS];
    uint8_t cards[NL_CARDS]; /* hands, seat by seat, then the first cards; in a search: mine, then the others' */
} nl_classic;

#endif
