/* Small matrix games in floats, for the inside of a search.
 *
 * Nothing here has to be right: a search takes the strategies found as suggestions, and computes what they certainly
 * guarantee from the bounds of the entries. A bad suggestion costs time, never correctness. */
#ifndef NIMMT_SOLVE_GAME_H
#define NIMMT_SOLVE_GAME_H

#include "solve_packed.h"

/* Most choices of one player: ten cards, each in two ways. */
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

/* Value of the m x n game in entry; mixed strategies go into x and y. Entries are whole or half units. */
double solve_game(game *g, int m, int n);

/* Rounding to whole numbers without a library; beyond 2**50 the nearest end of that range. */
static inline int64_t floor_of(double x) {
    if (!(x > -1125899906842624.0)) return -1125899906842624LL;
    if (x > 1125899906842624.0) return 1125899906842624LL;
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

static inline int64_t ceiling_of(double x) { return -floor_of(-x); }

#endif
