/* The table of the classic game, held in local variables while rounds are played. */
#ifndef NIMMT_TABLE_H
#define NIMMT_TABLE_H

#include "work.h"

/* The largest table, and the usual one. */
enum { MOST_ROWS = 8, MOST_PLACES = 9, USUAL_ROWS = 4, USUAL_PLACES = 5, LAST_CARD = 104 };

/* The rules in play: fan cards (one bit each), rows, and the cards that fill a row. In hot loops these are constants,
   so that the compiler removes what does not apply; elsewhere they fit into one register. */
typedef struct {
    int32_t flags;
    int16_t rows, places;
} Rules;
#define USUAL(flags) ((Rules){(flags), USUAL_ROWS, USUAL_PLACES})

/* By row: its last card, its number of cards and their heads; the place of each fan card's marker and what it shows;
   the cards themselves. */
typedef struct {
    int32_t end[MOST_ROWS], count[MOST_ROWS], sum[MOST_ROWS];
    int32_t mark[4], shows[4];
    uint8_t rows[MOST_ROWS][MOST_PLACES + 1];
} Table;
/* Its fields, in a structure that contains it as `t`. */
#define TABLE_FIELDS NL_PART(t, end, count, sum, mark, shows), NL_PART_GRIDS(t, rows)

/* Of the other rows, the one with the lowest last card. */
ALWAYS int lowest_other(const Rules r, const Table *t, int row) {
    int least = 1 << 30;
    for (int other = 0; other < r.rows; other++) {
        int order = other == row ? 1 << 30 : MOST_ROWS * t->end[other] + other;
        least = order < least ? order : least;
    }
    return least & (MOST_ROWS - 1);
}

#endif
