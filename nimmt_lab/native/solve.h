/* The solver's part of the interface; nimmt.h explains the conventions.
 *
 * Two players, open hands (solve.c). All memory is zeroed by the caller before its first use:
 *   work    nl_solve_work bytes, for one thread;
 *   main and side tables, (2**log2 + least(2**log2 / 4, 2**14)) * 128 bytes each, which any number of works (and
 *           threads) may share, as long as questions have the same shift and, with a marker, the same cards.
 *
 *   nl_solve_open   reads the position;
 *   nl_solve_ask    sets the next question;
 *   nl_solve_run    searches until done (1), or for about the given number of positions (0: call again);
 *   nl_solve_stop   aborts the search; proved bounds stay in the tables and in the result;
 *   nl_solve_result and nl_solve_turn return the answer. */
#ifndef NIMMT_SOLVE_H
#define NIMMT_SOLVE_H

#include "nimmt.h"

/* Words of a question, 32 bits each. */
enum {
    NL_Q_EACH,   /* cards per hand, 1 to 10 */
    NL_Q_SHIFT,  /* bounds are in units of 2**-shift heads, 8 to 25; all heads together must fit 32 bits */
    NL_Q_KIND,   /* rules that add a marker, 0: none (solve_marked.h) */
    NL_Q_MARKER, /* the marker on the table */
    NL_Q_JITTER, /* how ties between estimates are broken; 0: not at all. Each thread has its own. */
    NL_Q_ROWS,   /* four rows: last card, number of cards, heads */
    NL_Q_HANDS = NL_Q_ROWS + 12,  /* ten places for A's cards, ten for B's */
    NL_Q_HEADS = NL_Q_HANDS + 20, /* heads by card, 0 to 104 */
    NL_Q_WORDS = NL_Q_HEADS + 105
};

/* Questions: bounds of the value for a window; the same, with a proof of the whole turn for nl_solve_turn; then exact
   entries of the turn against the mixed strategies found, or all entries; the turn as far as the tables know it. */
enum { NL_ASK_VALUE, NL_ASK_TURN, NL_ASK_REGRETS, NL_ASK_ALL, NL_ASK_SURVEY, NL_ASK_KINDS };

/* Words of a result, 64 bits each. Bounds are for A: heads of B minus heads of A, in units. */
enum {
    NL_R_LO, /* bounds of the last question answered */
    NL_R_HI,
    NL_R_ROOT_LO, /* bounds known while a question runs */
    NL_R_ROOT_HI,
    NL_R_NODES,  /* positions searched */
    NL_R_STORED, /* positions stored in empty slots of the main table */
    NL_R_DOUBT,  /* answers wider than requested */
    NL_R_SHIFT,
    NL_R_CAP, /* upper limit of any value */
    NL_R_WORDS
};

/* Words of a turn, 32 bits each: how many choices A and B have, what they are (card, + 256 if played the other way; 20 places each),
   then 20 x 20 lower bounds, upper bounds and estimates, a line for each choice of A. */
enum { NL_T_SIZES, NL_T_CHOICES = 2, NL_T_LOW = 42, NL_T_HIGH = 442, NL_T_GUESS = 842, NL_T_WORDS = 1242 };

NL_API int32_t nl_solve_work(int32_t cards_each, int32_t kind);
NL_API int32_t nl_solve_open(void *work, int32_t bytes, const int32_t *question, int32_t words, uint64_t *main_table,
                             int32_t main_log2, uint64_t *side_table, int32_t side_log2);
/* Double a table of 2**log2 buckets (at least 2**16) in place. Its memory has room for `size` buckets, the new ones
   zeroed. side: 1 for a side table. No open work may use the table during the call. */
NL_API int32_t nl_solve_grow(uint64_t *table, int32_t size, int32_t log2, int32_t side);
/* Guide an opened work by the learned values (solve_value.h); `numbers` has the weights of all levels in order. With a
   cut, the search stops at that many cards per hand and uses the learned value there: its bounds are estimates, so such
   a work needs its own tables. Not available with a marker. */
NL_API int32_t nl_solve_learned(void *work, const int16_t *numbers, int32_t count, int32_t cut);
/* The number of weights of a level. */
NL_API int32_t nl_solve_numbers(int32_t each);
/* Order this search by the main table of an earlier estimate (a search with a cut) with the same shift, for positions
   with at least `from` cards per hand. Nobody may write to that table any more. */
NL_API int32_t nl_solve_guide(void *work, uint64_t *words, int32_t log2, int32_t from);
/* Divide the work with others that search the same position on the same tables in other threads: each puts off positions
   that another one is searching. busy: 2**log2 zeroed words (log2 from 4 to 16) for all of them. */
NL_API int32_t nl_solve_share(void *work, uint32_t *busy, int32_t log2);
/* Write the key of the position, two words; return 1 if the players are swapped in it. */
NL_API int32_t nl_solve_key(const void *work, int64_t *words);
/* window: two 64-bit words, alpha < beta, in units. */
NL_API int32_t nl_solve_ask(void *work, int32_t what, const int64_t *window);
NL_API int32_t nl_solve_run(void *work, int32_t positions);
NL_API int32_t nl_solve_stop(void *work);
NL_API int32_t nl_solve_result(const void *work, int64_t *result, int32_t words);
/* mixes: 2 x 20 probabilities. */
NL_API int32_t nl_solve_turn(const void *work, int32_t *turn, int32_t words, double *mixes, int32_t chances);

/* Several players, open hands (solve_crowd.c). known: zeroed memory for 2**log2 positions of 24 bytes. Call nl_crowd_run
   repeatedly, like nl_solve_run; it plays about the given number of turns per call. */

/* Policies of seats: uniformly random; always the lowest card (low cards take the cheapest row, R-C4); best for the asking
   seat; all others together worst for the asking seat. */
enum { NL_UNIFORM, NL_LOWEST, NL_MINE, NL_UNITED };

enum {
    NL_C_PLAYERS,
    NL_C_EACH,
    NL_C_SEAT, /* the asking seat */
    NL_C_KIND, /* as NL_Q_KIND */
    NL_C_MARKER,
    NL_C_KINDS, /* policies of six seats */
    NL_C_ROWS = NL_C_KINDS + 6,
    NL_C_HANDS = NL_C_ROWS + 12, /* ten places for each of six seats */
    NL_C_HEADS = NL_C_HANDS + 60,
    NL_C_WORDS = NL_C_HEADS + 105
};

/* The seat's options (each card, then each card played the other way) and the expected heads of each, times NL_CR_WAYS
   (not for a guarantee). */
enum { NL_CR_WAYS, NL_CR_TURNS, NL_CR_OPTIONS, NL_CR_CARDS, NL_CR_WORDS = NL_CR_CARDS + 20 };

/* Bytes of a work; refused if all hands together have too many cards. */
NL_API int32_t nl_crowd_work(int32_t players, int32_t cards_each, int32_t kind);
/* Also refused (NL_TOO_SMALL) if the probabilities have no common denominator that fits. */
NL_API int32_t nl_crowd_open(void *work, int32_t bytes, const int32_t *question, int32_t words, int64_t *known,
                             int32_t log2);
NL_API int32_t nl_crowd_run(void *work, int32_t turns);
/* guarantee: heads, error of one turn, and the probabilities of the seat's 20 options. */
NL_API int32_t nl_crowd_result(const void *work, int64_t *results, int32_t words, double *guarantee, int32_t chances);

/* Fast playouts after a random completion of a two-player draft (solve_draft.c). draft: owner (-1 nobody) and heads of every card
   in ascending order; picker: whose turn it is. state: random stream, sum of results, sum of their squares. */
NL_API int32_t nl_draft_play(const int32_t *draft, int32_t cards, int32_t picker, int32_t rounds, int64_t *state);

#endif
