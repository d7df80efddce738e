/* The Mountain: its row goes down instead of up; any take moves it to the next row. */
#ifndef NIMMT_MOUNTAIN_H
#define NIMMT_MOUNTAIN_H

#include "games/classic/table.h"

enum { MOUNTAIN = 2, MOUNTAIN_MARK = 1 };

ALWAYS void mountain_starts(const Rules r, Table *t) {
    t->mark[MOUNTAIN_MARK] = r.rows - 1;
    t->shows[MOUNTAIN_MARK] = -1;
}

ALWAYS int mountain_descends(const Table *t, int row) { return row == t->mark[MOUNTAIN_MARK]; }

/* Whether it is beside a row with its arrows pointing to another one. */
ALWAYS int mountain_stands(const Table *t, int rows) {
    int row = t->mark[MOUNTAIN_MARK], step = t->shows[MOUNTAIN_MARK];
    return row >= 0 && row < rows && (step == 1 || step == -1) && row + step >= 0 && row + step < rows;
}

/* `shows` is the direction of its arrows; they turn around at the first and the last row. */
ALWAYS void mountain_moves(const Rules r, Table *t) {
    int row = t->mark[MOUNTAIN_MARK] + t->shows[MOUNTAIN_MARK];
    t->mark[MOUNTAIN_MARK] = row;
    if (row == 0) t->shows[MOUNTAIN_MARK] = 1;
    if (row == r.rows - 1) t->shows[MOUNTAIN_MARK] = -1;
}

#endif
