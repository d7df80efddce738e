/* Learned value estimates of positions with few cards per hand, in integers: the same on every machine.
 *
 * There is a small network for each number of cards per hand. Its inputs are binary features of the canonical key; each
 * feature has a row of VALUE_UNITS weights, and the rows of the active features are added up:
 *
 *   a card:  its rank, owner and heads class
 *            how many cards lie between it and the row it would go to, the count of that row, the owner
 *            the same again, times the heads of that row (a low card: of the cheapest row)
 *   a row:   which of the four, how many cards are below its end, its count
 *            the same again, times its heads
 *
 * Sums are clipped to 0 and VALUE_TOP, also in the second layer; a last row of weights combines these into the estimate.
 * Weights are in units of 1/VALUE_PARTS. Keys have the players in a fixed order (A holds the lowest card), so the
 * estimate changes its sign when the players are swapped.
 *
 * Estimates order the search and cut it off where an estimate is enough. No certified bound depends on them. */
#ifndef NIMMT_SOLVE_VALUE_H
#define NIMMT_SOLVE_VALUE_H

#include "solve_packed.h"

#define VALUE_FIRST 5 /* cards a hand */
#define VALUE_LAST 8
#define VALUE_LEVELS (VALUE_LAST - VALUE_FIRST + 1)
#define VALUE_UNITS 64
#define VALUE_PARTS 64
#define VALUE_BLOCK 16
#define VALUE_TOP 2047
#define VALUE_HEADS 8 /* a feature's heads are counted in units of so many */
/* A guess is rounded to this fraction of a head, so that equal positions look equal. */
#define VALUE_GRAIN_LOG2 4

/* Lines after the features: the first layer's bias, the second layer, its bias, the last line, its bias (one number). */
enum { START_ONE, SECOND, START_TWO = SECOND + VALUE_UNITS, LAST_LINE, START_LAST, MORE_LINES };

static inline int facts_of(int k) { return 2 * k * (10 + 12 + 12) + 4 * (2 * k + 1) * 10; }
static inline int numbers_of(int k) { return (facts_of(k) + MORE_LINES) * VALUE_UNITS; }

/* The active features of a position: `count` lines; those from `scaled` on count `times` as often. */
typedef struct {
    int count, scaled;
    int16_t line[64], times[64];
} facts;

/* Whether these can be the numbers of a network: no sum of them overflows. */
static inline int good_numbers(const int16_t *numbers, int count) {
    for (int i = 0; i < count; i++)
        if (numbers[i] < -127 || numbers[i] > 127) return 0;
    return 1;
}

/* The features of a key with k cards per hand. */
void note_facts(key of, int k, facts *into);

/* The estimate in heads times 2**VALUE_GRAIN_LOG2; `numbers` are those for k cards per hand. */
int32_t guess_value(const int16_t *numbers, key of, int k);

#endif
