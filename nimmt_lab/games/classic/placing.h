/* Rules 1 to 4, with what fan cards change. `flags` (which fan cards lie) is a constant in the loops that matter, so that
   the compiler leaves out what does not apply. */
#ifndef NIMMT_PLACING_H
#define NIMMT_PLACING_H

#include "games/even_odd/kernel.h"
#include "games/jumping_cow/kernel.h"
#include "games/mountain/kernel.h"
#include "games/number_twister/kernel.h"
#include "rng.h"

enum { CHEAPEST, ANY_ROW, SHORTEST, LOW_POLICIES };

/* Beside the fan cards' bits: somebody looks at the rows, so that their cards are kept. */
enum { SHOWN = 64 };

/* Whether the cards of a row must be known, not only its last one: the cow keeps the highest. */
#define LOOKS(flags) (((flags) & SHOWN) || (((flags) & JUMPING_COW) && ((flags) & (MOUNTAIN | NUMBER_TWISTER))))

/* The row that must receive a card counting as `value`; -1 when it fits nowhere (rules 1, 2, R-F1). */
ALWAYS int target(const int flags, const Table *t, int value) {
    if (flags & MOUNTAIN) {
        int least = 1 << 30;
        for (int row = 0; row < ROWS; row++) {
            /* Doubled differences leave room for the tie rule: equal goes to the marked, descending row. */
            int gap = 2 * (value - t->end[row]);
            if (row == t->mark[MOUNTAIN_MARK]) gap = -gap - 1;
            int fits = gap > 0;
            if (flags & EVEN_ODD) fits &= !even_odd_closes(t, row, value);
            int key = fits ? 4 * gap + row : 1 << 30;
            least = key < least ? key : least;
        }
        return least < 1 << 30 ? least & 3 : -1;
    }
    /* The highest end below the value, with its row in the last two bits: a maximum, so no branch to mispredict. */
    int best = -1;
    for (int row = 0; row < ROWS; row++) {
        int end = 4 * t->end[row] + row;
        int fits = end < 4 * value;
        if (flags & EVEN_ODD) fits &= !even_odd_closes(t, row, value);
        end = fits ? end : -1;
        best = end > best ? end : best;
    }
    return best >= 0 ? best & 3 : -1;
}

/* Whether one more card takes the row (rule 3); the cow counts as a card. */
ALWAYS int is_full(const int flags, const Table *t, int row) {
    int count = t->count[row];
    if (flags & JUMPING_COW) count += cow_occupies(t, row);
    return count >= PLACES;
}

/* R-C4: fewest heads, then the highest last card. */
ALWAYS int cheapest(const Table *t) {
    int least = 1 << 30;
    for (int row = 0; row < ROWS; row++) {
        int key = 4 * ((t->sum[row] << 7) - t->end[row]) + row;
        least = key < least ? key : least;
    }
    return least & 3;
}

/* The row a card that fits nowhere takes (rule 4). */
ALWAYS int low_row(const Table *t, int policy, uint64_t *rng) {
    if (policy == CHEAPEST) return cheapest(t);
    if (policy == ANY_ROW) return (int)nl_below(rng, ROWS);
    int least = 0x7fffffff;
    for (int row = 0; row < ROWS; row++) {
        int key = 4 * ((t->count[row] << 16) + (t->sum[row] << 7) - t->end[row]) + row;
        least = key < least ? key : least;
    }
    return least & 3;
}

/* After a take (R-F0: in this order). */
ALWAYS void move_markers(const int flags, Table *t) {
    if (flags & EVEN_ODD) even_odd_goes(t, t->mark[EVEN_ODD_MARK]);
    if (flags & MOUNTAIN) mountain_moves(t);
}

/* Lay a card into a row, which it takes by rule 3 (`took` is 4), by rule 4 (8) or not at all (0). Returns what happened,
   packed: row (bits 0–1), full-row take (2), low-card take (3), takes by the cow (4–7), heads taken (8 …). */
ALWAYS int lay_card(const int flags, Table *t, const uint8_t *heads, int card, int row, int took) {
    int taken = 0, cow_rows = 0;
    if (took) {
        taken = t->sum[row];
        t->count[row] = 0;
        t->sum[row] = 0;
    }
    if (LOOKS(flags)) t->rows[row][t->count[row]] = (uint8_t)card;
    t->count[row]++;
    t->sum[row] += heads[card];
    t->end[row] = card;
    if (took) move_markers(flags, t);
    if ((flags & JUMPING_COW) && row == t->mark[COW_MARK]) {
        int cow = lowest_other(t, row);
        while (t->count[cow] >= PLACES) {
            taken += cow_takes(t, cow, heads, LOOKS(flags));
            cow_rows++;
            move_markers(flags, t);
            cow = lowest_other(t, cow);
        }
        t->mark[COW_MARK] = cow;
    }
    return row + took + (cow_rows << 4) + (taken << 8);
}

/* Place one card; a card that fits nowhere takes a row by the policy. */
ALWAYS int place(const int flags, Table *t, const uint8_t *heads, int card, int value, int low_policy, uint64_t *rng) {
    int row = target(flags, t, value), took = 4;
    if (row < 0) {
        row = low_row(t, low_policy, rng);
        took = 8;
    } else if (!is_full(flags, t, row)) {
        took = 0;
    }
    return lay_card(flags, t, heads, card, row, took);
}

/* When a seat's card is placed, as a number with the seat in its lowest bits. */
ALWAYS int place_in_order(const int flags, int card, int seat) {
    /* On equal values the twisted card goes first. */
    if ((flags & NUMBER_TWISTER) && card >= TWISTED) return (twisted(card - TWISTED) << 5) + seat;
    return (card << 5) + 16 + seat;
}

/* The order of placing. Each seat counts the others that go before it: for a few seats that is quicker than sorting, whose
   branches are as random as the cards. */
ALWAYS void put_in_order(const int flags, int n, const int32_t *plays, int32_t *order) {
    int32_t keys[NL_SEATS], rank[NL_SEATS];
    if (n == 2) { /* one comparison: a fifth quicker for the whole round */
        int a = place_in_order(flags, plays[0], 0), b = place_in_order(flags, plays[1], 1);
        order[0] = a < b ? a : b;
        order[1] = a < b ? b : a;
        return;
    }
    for (int seat = 0; seat < n; seat++) {
        int key = place_in_order(flags, plays[seat], seat), before = 0;
        for (int other = 0; other < seat; other++) {
            int later = keys[other] > key;
            rank[other] += later;
            before += !later;
        }
        keys[seat] = key;
        rank[seat] = before;
    }
    for (int seat = 0; seat < n; seat++) order[rank[seat]] = keys[seat];
}

/* One card per seat, in ascending order. Fills `order` (value and seat, in order of placing) and `log` by seat. */
ALWAYS void play_turn(const int flags, int n, Table *t, const uint8_t *heads, const int32_t *plays, const int32_t *lows,
                      int32_t *order, int32_t *log, uint64_t *rng) {
    put_in_order(flags, n, plays, order);
    for (int i = 0; i < n; i++) {
        int seat = order[i] & 15;
        log[seat] = place(flags, t, heads, plays[seat] & 127, order[i] >> 5, lows[seat], rng);
    }
}

#endif
