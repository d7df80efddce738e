/* The solver's part of the interface; nimmt.h explains the conventions.
 *
 * Two players, open hands (solve.c). All memory is zeroed by the caller before its first use:
 *   work    nl_solve_work bytes, for one thread;
 *   main and side tables, (2**log2 + least(2**log2 / 4, 2**14)) * 128 bytes each, which any number of works (and
 *           threads) may share, as long as questions have the same shift and, with a fan card, the same cards.
 *
 *   nl_solve_open   takes the question in;
 *   nl_solve_ask    says what to find out next;
 *   nl_solve_run    works on it until done (1), or until about so many positions have been searched (0: call again);
 *   nl_solve_stop   gives up at once; what was proved on the way stays in the tables and in the result;
 *   nl_solve_result and nl_solve_turn read the answer. */
#ifndef NIMMT_SOLVE_H
#define NIMMT_SOLVE_H

#include "nimmt.h"

/* Words of a question, 32 bits each. */
enum {
    NL_Q_EACH,   /* cards a hand, 1 to 10 */
    NL_Q_SHIFT,  /* bounds are in units of 2**-shift heads, 8 to 25; all heads together must fit 32 bits */
    NL_Q_KIND,   /* fan card, 0: none */
    NL_Q_MARKER, /* what lies on the table for it (solve_fan.h) */
    NL_Q_JITTER, /* how ties between estimates are broken; 0: not at all. Each thread has its own. */
    NL_Q_ROWS,   /* four rows: last card, number of cards, heads */
    NL_Q_HANDS = NL_Q_ROWS + 12,  /* ten places for A's cards, ten for B's */
    NL_Q_HEADS = NL_Q_HANDS + 20, /* heads by card, 0 to 104 */
    NL_Q_WORDS = NL_Q_HEADS + 105
};

/* What can be asked: the value's bounds for a window; the same with a proof of the whole turn left for nl_solve_turn;
   after that, entries of the turn against the mixes found, or all of them; the turn as far as the tables know it. */
enum { NL_ASK_VALUE, NL_ASK_TURN, NL_ASK_REGRETS, NL_ASK_ALL, NL_ASK_SURVEY, NL_ASK_KINDS };

/* Words of a result, 64 bits each. Bounds are for A: heads of B minus heads of A, in units. */
enum {
    NL_R_LO, /* bounds of the last question answered */
    NL_R_HI,
    NL_R_ROOT_LO, /* bounds known while a question runs */
    NL_R_ROOT_HI,
    NL_R_NODES,  /* positions searched */
    NL_R_STORED, /* positions put into free places of the main table */
    NL_R_DOUBT,  /* answers wider than asked */
    NL_R_SHIFT,
    NL_R_CAP, /* no value is larger than this */
    NL_R_WORDS
};

/* Words of a turn, 32 bits each: how many choices A and B have, what they are (card, + 256 if twisted; 20 places each),
   then 20 x 20 lower bounds, upper bounds and estimates, a line for each choice of A. */
enum { NL_T_SIZES, NL_T_CHOICES = 2, NL_T_LOW = 42, NL_T_HIGH = 442, NL_T_GUESS = 842, NL_T_WORDS = 1242 };

NL_API int32_t nl_solve_work(int32_t cards_each, int32_t kind);
NL_API int32_t nl_solve_open(void *work, int32_t bytes, const int32_t *question, int32_t words, uint64_t *main_table,
                             int32_t main_log2, uint64_t *side_table, int32_t side_log2);
/* Make a table of 2**log2 buckets (at least 2**16) one of twice as many, where it lies; its memory has room for `size`
   buckets, the new ones zeroed. side: 1 for a side table. No work may be open on it meanwhile. */
NL_API int32_t nl_solve_grow(uint64_t *table, int32_t size, int32_t log2, int32_t side);
/* Let an opened work be guided by what was learned (solve_value.h): the numbers of all levels, one after the other. With a
   cut it searches down to so many cards a hand only, and takes the learned guess there: bounds are then those of an
   estimate, so such a work must have tables of its own. Not with a fan card. */
NL_API int32_t nl_solve_learned(void *work, const int16_t *numbers, int32_t count, int32_t cut);
/* The main table of an earlier estimate (a search with a cut) with the same shift, which nobody writes any more: what it
   found for positions of at least `from` cards a hand orders this search. */
NL_API int32_t nl_solve_guide(void *work, uint64_t *words, int32_t log2, int32_t from);
/* The key of the position, two words; 1 if the players have changed places in it. */
NL_API int32_t nl_solve_key(const void *work, int64_t *words);
/* window: two 64-bit words, alpha < beta, in units. */
NL_API int32_t nl_solve_ask(void *work, int32_t what, const int64_t *window);
NL_API int32_t nl_solve_run(void *work, int32_t positions);
NL_API int32_t nl_solve_stop(void *work);
NL_API int32_t nl_solve_result(const void *work, int64_t *result, int32_t words);
/* mixes: 2 x 20 chances. */
NL_API int32_t nl_solve_turn(const void *work, int32_t *turn, int32_t words, double *mixes, int32_t chances);

/* Several players, open hands (solve_crowd.c): known is a zeroed memory of 2**log2 positions of 24 bytes. Run it like
   nl_solve_run, about so many turns at a time. */

/* What a seat does: any card with the same chance, always the lowest (low cards take the cheapest row, R-C4); what is best
   for the one who asks; all others what is worst for that one. */
enum { NL_UNIFORM, NL_LOWEST, NL_MINE, NL_UNITED };

enum {
    NL_C_PLAYERS,
    NL_C_EACH,
    NL_C_SEAT, /* who asks */
    NL_C_FAN,  /* fan card, 0: none */
    NL_C_MARKER,
    NL_C_KINDS, /* what each of six seats does */
    NL_C_ROWS = NL_C_KINDS + 6,
    NL_C_HANDS = NL_C_ROWS + 12, /* ten places for each of six seats */
    NL_C_HEADS = NL_C_HANDS + 60,
    NL_C_WORDS = NL_C_HEADS + 105
};

/* In how many ways the seat can play now (each card, then the same twisted), and the heads of each, times ways, if it
   does that (not for a guarantee). */
enum { NL_CR_WAYS, NL_CR_TURNS, NL_CR_OPTIONS, NL_CR_CARDS, NL_CR_WORDS = NL_CR_CARDS + 20 };

/* Bytes of a work; refused where more cards are in all hands together than can be kept. */
NL_API int32_t nl_crowd_work(int32_t players, int32_t cards_each, int32_t kind);
/* Also refused (NL_TOO_SMALL) where chances have no common denominator that fits. */
NL_API int32_t nl_crowd_open(void *work, int32_t bytes, const int32_t *question, int32_t words, int64_t *known,
                             int32_t log2);
NL_API int32_t nl_crowd_run(void *work, int32_t turns);
/* guarantee: heads, error of one turn, and the chances of the seat's 20 ways to play. */
NL_API int32_t nl_crowd_result(const void *work, int64_t *results, int32_t words, double *guarantee, int32_t chances);

/* Quick rounds after a random end of a two-player draft (solve_draft.c). draft: owner (-1 nobody) and heads of every card
   in ascending order; picker: whose turn it is. state: random stream, sum of results, sum of their squares. */
NL_API int32_t nl_draft_play(const int32_t *draft, int32_t cards, int32_t picker, int32_t rounds, int64_t *state);

/* Learning those numbers (solve_learn.c). A question for nl_solve_open from a random deal, heads by card (0: not in the
   deck); how many numbers a level has; steps of learning on samples (a key and its value in parts of 65536, three words
   each), where lesson has room for four times the numbers, in floats; sums of errors and of their squares. */
NL_API int32_t nl_learn_deal(uint64_t *rng, int32_t each, const int32_t *heads, int32_t *question, int32_t words);
NL_API int32_t nl_learn_numbers(int32_t each);
NL_API int32_t nl_learn_steps(float *lesson, int32_t words, int32_t each, const int64_t *samples, int32_t count,
                              uint64_t *rng, const double *rate, int32_t rounds);
NL_API int32_t nl_learn_errors(const int16_t *learned, int32_t words, int32_t each, const int64_t *samples,
                               int32_t count, double *sums);

/* The yardstick (solve_plain.c): value in heads and positions stored, of the question a work was opened with, by plain
   search; known is a zeroed memory of 2**log2 positions of 24 bytes. */
NL_API int32_t nl_solve_plain(void *work, void *known, int32_t log2, double *result);

#endif
