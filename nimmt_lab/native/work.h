/* The workspace of a round: what is played, the table, the cards, and what a call works with. It belongs to the caller,
   who fills in the settings; nimmt_lab/native/work.py lists the same fields in the same order. Wide fields come first, so
   there are no gaps and the layout is the same everywhere. */
#ifndef NIMMT_WORK_H
#define NIMMT_WORK_H

#include <stdint.h>

#define ALWAYS static inline __attribute__((always_inline))

enum {
    NL_SEATS = 16,   /* places for seats; at most 10 play */
    NL_CARDS = 128,  /* places for cards by number */
    NL_OPTIONS = 32, /* options a search compares */
    NL_STATS = 4,    /* what it sums up of each: what the seat's total loses, its square, the win credit, its square */
    NL_KINDS = 4,    /* ways to play that a search may think the others have */
    /* bytes of outcome per seat and round: heads, full rows, low cards, cow rows, turns with a take */
    NL_FIELDS = 5,
    NL_BINS = 256,                   /* a histogram of heads */
    NL_TOTALS = NL_BINS + NL_FIELDS, /* per seat: the histogram, sums of the other fields, win credit */
    NL_CREDIT = 2520 /* win credit is counted in whole parts of this, so that shared wins add up (lcm of 1…10) */
};

/* What the others' cards tell (belief.h): how often two cards change places; by seat, turns on which it played against what
   it holds anyway; by seat and turn, 65536 times how much less likely that is; by seat and card, the turns that speak
   against its holding it. */
typedef struct {
    int32_t settle, clashed[NL_SEATS], doubt[NL_SEATS * NL_SEATS];
    uint16_t clash[NL_SEATS * NL_CARDS];
} nl_belief;

typedef struct {
    uint64_t key;                         /* the mixed seed: stream r of it is round r */
    uint64_t first;                       /* number of the next round or playout */
    uint64_t rng;                         /* the stream of the round on the table */
    uint64_t unseen[2];                   /* the cards a searching seat has not seen, as a set */
    int64_t stats[NL_STATS * NL_OPTIONS]; /* of each option (nl_note) */
    /* What is played */
    int32_t players, hand, deck, flags, draft, ascending;
    int32_t policies[NL_SEATS], lows[NL_SEATS];
    /* The table: ends of rows, cards and heads in them; where a chapter's markers lie and what they show */
    int32_t end[4], count[4], sum[4], mark[4], shows[4];
    int32_t spare[NL_SEATS]; /* by seat: what it can still use once (a twister) */
    /* The turn: everybody's card (128 more: played the other way), the order of placing, what each placing did */
    int32_t turn, plays[NL_SEATS], order[NL_SEATS], log[NL_SEATS];
    /* A search: who, turns left, cards the others may hold, whether hands are open, options, points so far */
    int32_t me, turns, pool, open, n_options, options[NL_OPTIONS], points[NL_SEATS];
    /* ways to play; by seat, how likely it has each (all 0: policies) */
    int32_t kinds[NL_KINDS], odds[NL_KINDS * NL_SEATS];
    int32_t limit, halves[NL_CARDS]; /* heads that end the game; by heads left to it, 1/16 heads that halve a chance */
    /* Games in step: rounds after which one is over (0: the limit alone says), whether what a seat can use once does not come
       back each round, whether rewards are wins, the seat that picks first in a draft */
    int32_t rounds, once, wins, first_seat;
    int32_t risk[6 * NL_CARDS]; /* see `risk` in policy.h */
    int32_t stray[NL_SEATS];    /* of 256 choices so many at random, by seat */
    nl_belief belief;
    uint8_t heads[NL_CARDS];
    uint8_t rows[4 * 8];     /* the cards themselves */
    uint8_t cards[NL_CARDS]; /* hands, seat after seat, then the first cards; in a search: mine, then the others' */
} nl_work;

/* One playout of an option: what it cost, and its part of NL_CREDIT. */
static inline void nl_note(int64_t *stats, int option, int64_t lost, int64_t credit) {
    int64_t *sums = stats + NL_STATS * option;
    sums[0] += lost;
    sums[1] += lost * lost;
    sums[2] += credit;
    sums[3] += credit * credit;
}

#endif
