/* A learned guess at the value of a position with few cards a hand, in whole numbers: the same everywhere.
 *
 * For each number of cards a hand there is a small network. What it sees of a position (its canonical key) are facts; each
 * fact has a line of VALUE_UNITS numbers, and the lines are added up:
 *
 *   a card:  its rank, owner and heads class
 *            how many cards lie between it and the row it would go to, the count of that row, the owner
 *            the same again, times the heads of that row (a low card: of the cheapest row)
 *   a row:   which of the four, how many cards are below its end, its count
 *            the same again, times its heads
 *
 * Sums below zero count as nothing, above VALUE_TOP as that; so do the sums of the second layer; a last line adds those up
 * to the guess. Numbers are in parts of VALUE_PARTS. A key has the players in fixed places (A holds the lowest card), so
 * the guess turns its sign with the players.
 *
 * Guesses order the search and end it where only an estimate is wanted. Nothing certified rests on them. */
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
#define VALUE_HEADS 8 /* lines times heads are in parts of so many heads */
/* A guess is rounded to so many parts of a head, so that equal positions look equal. */
#define VALUE_GRAIN_LOG2 4

/* Lines behind the facts: the first layer's start, the second layer, its start, the last line, its start (one number). */
enum { START_ONE, SECOND, START_TWO = SECOND + VALUE_UNITS, LAST_LINE, START_LAST, MORE_LINES };

static inline int facts_of(int k) { return 2 * k * (10 + 12 + 12) + 4 * (2 * k + 1) * 10; }
static inline int numbers_of(int k) { return (facts_of(k) + MORE_LINES) * VALUE_UNITS; }

/* The facts of a position: `count` lines, of which those from `scaled` on are taken `times` as often. */
typedef struct {
    int count, scaled;
    int16_t line[64], times[64];
} facts;

/* Whether these can be numbers of the network: no sum of them overflows. */
static inline int good_numbers(const int16_t *numbers, int count) {
    for (int i = 0; i < count; i++)
        if (numbers[i] < -127 || numbers[i] > 127) return 0;
    return 1;
}

/* Facts of a key with k cards a hand. */
void note_facts(key of, int k, facts *into);

/* The guess in heads times 2**VALUE_GRAIN_LOG2; numbers are those of k cards a hand. */
int32_t guess_value(const int16_t *numbers, key of, int k);

#endif
