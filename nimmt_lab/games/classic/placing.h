/* Rules 1 to 4, and how fan cards change them. The solver (solve_marked.c) places cards with these functions too. */
#ifndef NIMMT_PLACING_H
#define NIMMT_PLACING_H

#include "games/even_odd/kernel.h"
#include "games/jumping_cow/kernel.h"
#include "games/mountain/kernel.h"
#include "games/number_twister/kernel.h"
#include "rng.h"

enum { CHEAPEST, ANY_ROW, SHORTEST, LOW_POLICIES };

/* In addition to the fan cards' bits: the caller looks at the rows, so their cards are stored. */
enum { SHOWN = 64 };

/* Whether the cards of a row must be known, and not only its last one: the cow leaves the highest. */
#define LOOKS(flags) (((flags) & SHOWN) || (((flags) & JUMPING_COW) && ((flags) & (MOUNTAIN | NUMBER_TWISTER))))

/* The row that must receive a card counting as `value`; -1 when it fits nowhere (rules 1, 2, R-F1). */
ALWAYS int target(const Rules r, const Table *t, int value) {
    if (r.flags & MOUNTAIN) {
        int least = 1 << 30;
        for (int row = 0; row < r.rows; row++) {
            /* Doubled differences leave room for the tie rule: on equal differences the marked, descending row wins. */
            int gap = 2 * (value - t->end[row]);
            if (mountain_descends(t, row)) gap = -gap - 1;
            int fits = gap > 0;
            if (r.flags & EVEN_ODD) fits &= !even_odd_closes(t, row, value);
            int order = fits ? MOST_ROWS * gap + row : 1 << 30;
            least = order < least ? order : least;
        }
        return least < 1 << 30 ? least & (MOST_ROWS - 1) : -1;
    }
    /* The highest end below the value, with its row in the lowest bits: a maximum, so there is no branch to
       mispredict. */
    int best = -1;
    for (int row = 0; row < r.rows; row++) {
        int end = MOST_ROWS * t->end[row] + row;
        int fits = end < MOST_ROWS * value;
        if (r.flags & EVEN_ODD) fits &= !even_odd_closes(t, row, value);
        end = fits ? end : -1;
        best = end > best ? end : best;
    }
    return best >= 0 ? best & (MOST_ROWS - 1) : -1;
}

/* The occupied places of a row; the cow counts as a card. */
ALWAYS int filled(const Rules r, const Table *t, int row) {
    return t->count[row] + (r.flags & JUMPING_COW ? cow_occupies(t, row) : 0);
}

/* Whether one more card takes the row (rule 3). */
ALWAYS int is_full(const Rules r, const Table *t, int row) { return filled(r, t, row) >= r.places; }

/* R-C4: fewest heads, then the highest last card. */
ALWAYS int cheapest(const Rules r, const Table *t) {
    int least = 1 << 30;
    for (int row = 0; row < r.rows; row++) {
        int order = MOST_ROWS * ((t->sum[row] << 7) - t->end[row]) + row;
        least = order < least ? order : least;
    }
    return least & (MOST_ROWS - 1);
}

/* The row a card that fits nowhere takes (rule 4). */
ALWAYS int low_row(const Rules r, const Table *t, int policy, uint64_t *rng) {
    if (policy == CHEAPEST) return cheapest(r, t);
    if (policy == ANY_ROW) return (int)nl_below(rng, (uint32_t)r.rows);
    int least = 0x7fffffff;
    for (int row = 0; row < r.rows; row++) {
        int order = MOST_ROWS * ((t->count[row] << 16) + (t->sum[row] << 7) - t->end[row]) + row;
        least = order < least ? order : least;
    }
    return least & (MOST_ROWS - 1);
}

/* After a take (in this order, R-F0). */
ALWAYS void move_markers(const Rules r, Table *t) {
    if (r.flags & EVEN_ODD) even_odd_goes(r, t, t->mark[EVEN_ODD_MARK]);
    if (r.flags & MOUNTAIN) mountain_moves(r, t);
}

/* Add a card to a row, which it takes by rule 3 (FULL_ROW), by rule 4 (LOW_CARD) or not at all (0). Returns a log
   entry: the row (bits 0–2), FULL_ROW or LOW_CARD, rows taken by the cow (bits 5–7), heads taken (from bit 8). */
enum { FULL_ROW = 8, LOW_CARD = 16 };
ALWAYS int lay_card(const Rules r, Table *t, const uint8_t *heads, int card, int row, int took) {
    int taken = 0, cow_rows = 0;
    if (took) {
        taken = t->sum[row];
        t->count[row] = 0;
        t->sum[row] = 0;
    }
    if (LOOKS(r.flags)) t->rows[row][t->count[row]] = (uint8_t)card;
    t->count[row]++;
    t->sum[row] += heads[card];
    t->end[row] = card;
    if (took) move_markers(r, t);
    if ((r.flags & JUMPING_COW) && cow_occupies(t, row)) {
        int cow = lowest_other(r, t, row);
        while (cow_overfills(t, cow, r.places)) {
            taken += cow_takes(t, cow, heads, LOOKS(r.flags));
            cow_rows++;
            move_markers(r, t);
            cow = lowest_other(r, t, cow);
        }
        t->mark[COW_MARK] = cow;
    }
    return row + took + (cow_rows << 5) + (taken << 8);
}

/* Place one card; a card that fits nowhere takes a row by policy. */
ALWAYS int place(const Rules r, Table *t, const uint8_t *heads, int card, int value, int low_policy, uint64_t *rng) {
    int row = target(r, t, value), took = FULL_ROW;
    if (row < 0) {
        row = low_row(r, t, low_policy, rng);
        took = LOW_CARD;
    } else if (!is_full(r, t, row)) {
        took = 0;
    }
    return lay_card(r, t, heads, card, row, took);
}

/* The sort key for placing a seat's card, with the seat in its lowest bits. */
ALWAYS int place_in_order(const Rules r, int card, int seat) {
    /* On equal values the twisted card goes first. */
    if ((r.flags & NUMBER_TWISTER) && card >= TWISTED) return (twisted(card - TWISTED) << 5) + seat;
    return (card << 5) + 16 + seat;
}

/* The order of placing. Each seat counts the cards placed before its own: for a few seats that is faster than
   sorting, whose branches are as random as the cards. */
ALWAYS void put_in_order(const Rules r, int n, const int32_t *plays, int32_t *order) {
    int32_t keys[NL_SEATS], rank[NL_SEATS];
    if (n == 2) { /* one comparison makes the whole round a fifth faster */
        int a = place_in_order(r, plays[0], 0), b = place_in_order(r, plays[1], 1);
        order[0] = a < b ? a : b;
        order[1] = a < b ? b : a;
        return;
    }
    for (int seat = 0; seat < n; seat++) {
        int mine = place_in_order(r, plays[seat], seat), before = 0;
        for (int other = 0; other < seat; other++) {
            int later = keys[other] > mine;
            rank[other] += later;
            before += !later;
        }
        keys[seat] = mine;
        rank[seat] = before;
    }
    for (int seat = 0; seat < n; seat++) order[rank[seat]] = keys[seat];
}

/* One card per seat, in ascending order. Fills `order` (value and seat, in order of placing) and `log` by seat. */
ALWAYS void play_turn(const Rules r, int n, Table *t, const uint8_t *heads, const int32_t *plays, const int32_t *lows,
                      int32_t *order, int32_t *log, uint64_t *rng) {
    put_in_order(r, n, plays, order);
    for (int i = 0; i < n; i++) {
        int seat = order[i] & 15;
        log[seat] = place(r, t, heads, plays[seat] & 127, order[i] >> 5, lows[seat], rng);
    }
}

#endif
