/* The Jumping Cow: it occupies a place of its row and jumps when a card joins it. */
#ifndef NIMMT_JUMPING_COW_H
#define NIMMT_JUMPING_COW_H

#include "games/classic/table.h"

enum { JUMPING_COW = 4, COW_MARK = 2 };

ALWAYS int cow_occupies(const Table *t, int row) { return row == t->mark[COW_MARK]; }

ALWAYS void cow_starts(const Rules r, Table *t) { t->mark[COW_MARK] = lowest_other(r, t, -1); }

/* Whether the row has a card too many with the cow. */
ALWAYS int cow_overfills(const Table *t, int row, int places) { return t->count[row] >= places; }

/* The cow overfills a row: all cards but the highest are taken. Returns their heads. The highest is the last card,
   unless another fan card lets rows go down or changes values: then `look` at the cards themselves. */
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
