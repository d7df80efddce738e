/* The Jumping Cow: it takes up a place of its row and jumps on when somebody joins it. */
#ifndef NIMMT_JUMPING_COW_H
#define NIMMT_JUMPING_COW_H

#include "games/classic/table.h"

enum { JUMPING_COW = 4, COW_MARK = 2 };

ALWAYS int cow_occupies(const Table *t, int row) { return row == t->mark[COW_MARK]; }

/* Six with the cow: all but the highest card are taken. Gives the heads of those. The highest is the last one, unless
   another card lets rows go down or numbers change: then the cards themselves are looked at. */
ALWAYS int cow_takes(Table *t, int row, const uint8_t *heads, int look) {
    int kept = t->end[row];
    for (int i = 0; look && i < t->count[row]; i++)
        if (t->rows[row][i] > kept) kept = t->rows[row][i];
    int taken = t->sum[row] - heads[kept];
    t->end[row] = kept;
    t->count[row] = 1;
    t->sum[row] = heads[kept];
    t->rows[row][0] = (uint8_t)kept;
    return taken;
}

#endif
