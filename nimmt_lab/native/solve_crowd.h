/* The working memory of a question about several players (solve_crowd.c). */
#ifndef NIMMT_SOLVE_CROWD_H
#define NIMMT_SOLVE_CROWD_H

#include "solve_fan.h"
#include "solve_game.h"
#include "solve_table.h"

#define MOST_SEATS 6

/* What can be said of a way to play on: heads times the ways counted, or heads the others united cannot exceed. */
typedef struct {
    int64_t whole;
    double heads;
} outlook;

/* Where the search is inside a position: which cards are being tried, and what they have brought so far. */
typedef struct {
    int32_t k, marker, phase, mine, joint, joints, own, taken;
    int32_t decisions, opened; /* rows chosen in this turn so far; how many of them are being tried out */
    uint32_t left, played;
    uint64_t rows;
    int64_t later, weight, worth, fewest, total;
    uint8_t options[MOST_SEATS], actions[MOST_SEATS][MOST_CHOICES], chosen[MOST_SEATS];
    uint8_t pick[MOST_SEATS], by_me[MOST_SEATS]; /* with a fan card every card of a turn may fit nowhere */
    outlook best[MOST_SEATS];
} crowd_frame;

typedef struct {
    int32_t state, players, each, seat, united, depth, kind, marker;
    int32_t kinds[MOST_SEATS], table_at[11];
    uint32_t hands[MOST_SEATS];
    uint8_t cards[MOST_CARDS], heads_by_card[105];
    uint64_t heads, rows, slots;
    int64_t *known; /* positions met: cards left and markers, rows, what was found */
    int64_t turns, answer, results[MOST_CHOICES];
    int64_t share[MOST_SEATS][11], ways[11]; /* by cards a hand: see solve_crowd.c */
    double heads_answer, error, mix[MOST_CHOICES];
    crowd_frame stack[11];
    game game;
} crowd;

#endif
