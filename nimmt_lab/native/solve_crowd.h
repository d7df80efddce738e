/* The working memory of a query about several players (solve_crowd.c). */
#ifndef NIMMT_SOLVE_CROWD_H
#define NIMMT_SOLVE_CROWD_H

#include "solve_marked.h"
#include "solve_game.h"
#include "solve_table.h"

#define MOST_SEATS 6

/* The value of a continuation: heads times the number of ways to play it, or the most heads the others can force. */
typedef struct {
    int64_t whole;
    double heads;
} outlook;

/* The state of the search in one position: the cards being tried, and the results so far. */
typedef struct {
    int32_t k, marker, phase, mine, joint, joints, own, taken;
    int32_t decisions, opened; /* row choices in this turn so far; those still being explored */
    uint32_t left, played;
    uint64_t rows;
    int64_t later, weight, worth, fewest, total;
    uint8_t options[MOST_SEATS], actions[MOST_SEATS][MOST_CHOICES], chosen[MOST_SEATS];
    uint8_t pick[MOST_SEATS], by_me[MOST_SEATS]; /* one for each card: with a marker, none may fit */
    outlook best[MOST_SEATS];
} crowd_frame;

typedef struct {
    int32_t state, players, each, seat, united, depth, kind, marker;
    int32_t kinds[MOST_SEATS], table_at[11];
    uint32_t hands[MOST_SEATS];
    uint8_t cards[MOST_CARDS], heads_by_card[105];
    uint64_t heads, rows, slots;
    int64_t *known; /* a hash table: cards left and marker, rows, result */
    int64_t turns, answer, results[MOST_CHOICES];
    int64_t share[MOST_SEATS][11], ways[11]; /* by cards per hand; see solve_crowd.c */
    double heads_answer, error, mix[MOST_CHOICES];
    crowd_frame stack[11];
    game game;
} crowd;

#endif
