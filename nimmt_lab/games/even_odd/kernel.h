/* The Even/Odd card: its row accepts only cards of the parity it shows; any take moves it. */
#ifndef NIMMT_EVEN_ODD_H
#define NIMMT_EVEN_ODD_H

#include "games/classic/table.h"

enum { EVEN_ODD = 1, EVEN_ODD_MARK = 0 };

ALWAYS int even_odd_closes(const Table *t, int row, int value) {
    return (row == t->mark[EVEN_ODD_MARK]) & ((value & 1) != t->shows[EVEN_ODD_MARK]);
}

/* Move beside the row, other than `from` (-1: of all rows), with the lowest last card, and show its parity. */
ALWAYS void even_odd_goes(const Rules r, Table *t, int from) {
    int row = lowest_other(r, t, from);
    t->mark[EVEN_ODD_MARK] = row;
    t->shows[EVEN_ODD_MARK] = t->end[row] & 1;
}

#endif
