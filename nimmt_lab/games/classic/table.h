/* The table of the classic game, held in local variables while rounds are played. */
#ifndef NIMMT_TABLE_H
#define NIMMT_TABLE_H

#include "work.h"

enum { ROWS = 4, PLACES = 5, LAST_CARD = 104 };

typedef struct {
    int32_t end[ROWS], count[ROWS], sum[ROWS];
    int32_t mark[4], shows[4];
    uint8_t rows[ROWS][8];
} Table;

/* Of the other rows, the one with the lowest last card. */
ALWAYS int lowest_other(const Table *t, int row) {
    int least = 1 << 30;
    for (int other = 0; other < ROWS; other++) {
        int key = 4 * t->end[other] + other;
        if (other != row && key < least) least = key;
    }
    return least & 3;
}

#endif
