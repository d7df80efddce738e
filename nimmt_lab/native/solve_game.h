/* Small matrix games in floating point, for use inside a search.
 *
 * The results need not be exact: the search treats the strategies as suggestions and proves what they guarantee from the
 * bounds of the entries. A bad suggestion costs time, never correctness. */
#ifndef NIMMT_SOLVE_GAME_H
#define NIMMT_SOLVE_GAME_H

#include "solve_packed.h"

/* The most choices of a player: ten cards, each playable in two ways. */
#define MOST_CHOICES 20
#define GAME_ROWS (MOST_CHOICES + 2)
#define GAME_WIDTH (2 * MOST_CHOICES + 1)

/* The game to solve, its answer, and scratch space. */
typedef struct {
    double entry[MOST_CHOICES][MOST_CHOICES];
    double x[MOST_CHOICES], y[MOST_CHOICES];
    double tableau[GAME_ROWS][GAME_WIDTH], low[GAME_ROWS][GAME_WIDTH];
    int basis[MOST_CHOICES];
} game;

/* The value of the m x n game in `entry`; mixed strategies are written to x and y. Entries are multiples of 1/2. */
double solve_game(game *g, int m, int n);

/* Round down without the C library, clamped to +-2**50. */
static inline int64_t floor_of(double x) {
    if (!(x > -1125899906842624.0)) return -1125899906842624LL;
    if (x > 1125899906842624.0) return 1125899906842624LL;
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

static inline int64_t ceiling_of(double x) { return -floor_of(-x); }

#endif
