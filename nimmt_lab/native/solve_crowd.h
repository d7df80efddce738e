/* The working memory of a question about several players (solve_crowd.c). */
#ifndef NIMMT_SOLVE_CROWD_H
#define NIMMT_SOLVE_CROWD_H

#include "solve_game.h"
#include "solve_table.h"

#define MOST_SEATS 6
#define MOST_PAIRS 1024 /* own cards times the others' joint choices: at most 4 * 4**4 */

/* Where the search is inside a position: which cards are being tried, and what they have brought so far. */
typedef struct {
    int32_t k, phase, mine, joint, joints, row, own, owner, fits, taken;
    uint32_t left, played;
    uint64_t rows;
    int64_t later, best, worth, fewest, total;
    double best_heads;
} crowd_frame;

typedef struct {
    int32_t state, players, each, seat, united, depth;
    int32_t kinds[MOST_SEATS];
    uint32_t hands[MOST_SEATS];
    uint64_t heads, rows, slots;
    int64_t *known; /* positions met: cards left, rows, what was found */
    int64_t turns, answer, results[10];
    double heads_answer, error, mix[10];
    crowd_frame stack[11];
    double table[11][MOST_PAIRS];
    game game;
} crowd;

#endif
