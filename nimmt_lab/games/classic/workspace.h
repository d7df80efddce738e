/* The classic family's workspace: the game, the table, the cards, and working memory. */
#ifndef NIMMT_CLASSIC_WORK_H
#define NIMMT_CLASSIC_WORK_H

#include "table.h"

enum {
    NL_OPTIONS = 32, /* options that a search compares */
    NL_KINDS = 4     /* policies among which a search draws for the other seats */
};

typedef struct {
    uint64_t key;                         /* the mixed seed: stream r of it is round r */
    uint64_t first;                       /* number of the next round or playout */
    uint64_t rng;                         /* the stream of the round on the table */
    uint64_t unseen[2];                   /* the cards a searching seat has not seen, as a set */
    int64_t stats[NL_STATS * NL_OPTIONS]; /* of each option (nl_note) */
    /* What is played */
    int32_t players, hand, deck, n_rows, places, flags, draft, ascending;
    int32_t policies[NL_SEATS], lows[NL_SEATS];
    Table t;
    int32_t spare[NL_SEATS]; /* by seat: whether it can still twist a number */
    /* The turn: everybody's card (TWISTED more: with its digits swapped), the order of placing, what each placing did */
    int32_t turn, plays[NL_SEATS], order[NL_SEATS], log[NL_SEATS];
    /* A search: who, turns left, cards the others may hold, whether hands are open, options, points so far */
    int32_t me, turns, pool, open, n_options, options[NL_OPTIONS], points[NL_SEATS];
    /* policies to draw from; by seat, how likely each is (all 0: the seat's own) */
    int32_t kinds[NL_KINDS], odds[NL_KINDS * NL_SEATS];
    int32_t taken[NL_SEATS], usual;  /* heads of this round; the option that others are compared with */
    int64_t gains[2 * NL_OPTIONS];   /* of each option: what it gains over that one, and its squares */
    int32_t limit, halves[NL_CARDS]; /* heads that end the game; by heads left to it, 1/16 heads that halve a chance */
    /* Games in step: the rounds of a game (0: only the limit ends it), whether a used twister stays used in the next
       round, whether rewards are wins, the seat that picks first in a draft */
    int32_t rounds, once, wins, first_seat;
    int32_t risk[(MOST_PLACES + 1) * NL_CARDS]; /* see `risk` in policy.h */
    int32_t stray[NL_SEATS];                    /* by seat, how many of 256 choices are random */
    nl_belief belief;
    uint8_t heads[NL_CARDS];
    uint8_t cards[NL_CARDS]; /* hands, seat after seat, then the first cards; in a search: mine, then the others' */
} nl_classic;

#endif
