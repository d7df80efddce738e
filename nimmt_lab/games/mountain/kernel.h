/* The Mountain: its row goes down instead of up; any take moves it one row on. */
#ifndef NIMMT_MOUNTAIN_H
#define NIMMT_MOUNTAIN_H

#include "games/classic/table.h"

enum { MOUNTAIN = 2, MOUNTAIN_MARK = 1 };

ALWAYS void mountain_starts(Table *t) {
    t->mark[MOUNTAIN_MARK] = ROWS - 1;
    t->shows[MOUNTAIN_MARK] = -1;
}

/* `shows` is the step its arrows point to; at either end they turn round. */
ALWAYS void mountain_moves(Table *t) {
    int row = t->mark[MOUNTAIN_MARK] + t->shows[MOUNTAIN_MARK];
    t->mark[MOUNTAIN_MARK] = row;
    if (row == 0) t->shows[MOUNTAIN_MARK] = 1;
    if (row == ROWS - 1) t->shows[MOUNTAIN_MARK] = -1;
}

#endif
