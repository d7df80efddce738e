#include "solve_fan.h"

static inline int end_of(uint64_t rows, int index) { return (int)(rows >> (16 * index)) & 127; }
static inline int row_at(uint64_t rows, int index) { return (int)((rows >> (16 * index)) & ROW_WORD); }

static inline uint64_t with_row(uint64_t rows, int index, int row) {
    return (rows & ~(ROW_WORD << (16 * index))) | ((uint64_t)row << (16 * index));
}

int fan_row(int kind, uint64_t rows, int marker, int value) {
    int best = -1, smallest = 1000;
    for (int index = 0; index < 4; index++) {
        int marked = (marker & 3) == index, difference = value - end_of(rows, index);
        if (kind == EVEN_ODD && marked && (value & 1) != ((marker >> 2) & 1)) continue;
        if (kind == MOUNTAIN && marked) difference = -difference;
        if (difference > 0 && (difference < smallest || (difference == smallest && kind == MOUNTAIN && marked))) {
            best = index;
            smallest = difference;
        }
    }
    return best;
}

static int lowest_end(uint64_t rows, int without) {
    int best = -1, lowest = 1000;
    for (int index = 0; index < 4; index++)
        if (index != without && end_of(rows, index) < lowest) {
            best = index;
            lowest = end_of(rows, index);
        }
    return best;
}

int fan_cheapest_row(uint64_t rows) {
    int best = 0;
    for (int index = 1; index < 4; index++) {
        int more = (row_at(rows, index) >> 10) - (row_at(rows, best) >> 10);
        if (more < 0 || (more == 0 && end_of(rows, index) > end_of(rows, best))) best = index;
    }
    return best;
}

laid fan_put(int kind, uint64_t rows, int marker, int index, int card, int low, const uint8_t *heads) {
    int row = row_at(rows, index), count = (row >> 7) & 7, marked = marker & 3, taken = 0;
    int full = low || count + (kind == JUMPING_COW && marked == index) >= ROW_LIMIT;
    if (full) {
        taken = row >> 10;
        row = card | (1 << 7) | (heads[card] << 10);
    } else row = card | ((count + 1) << 7) | (((row >> 10) + heads[card]) << 10);
    rows = with_row(rows, index, row);
    if (full && kind == EVEN_ODD) {
        int to = lowest_end(rows, marked);
        marker = (marker & ~7) | to | ((end_of(rows, to) & 1) << 2);
    } else if (full && kind == MOUNTAIN) {
        int down = (marker >> 2) & 1, to = marked + (down ? 1 : -1);
        down = to == 0 ? 1 : to == 3 ? 0 : down;
        marker = (marker & ~7) | (to & 3) | (down << 2);
    } else if (kind == JUMPING_COW && marked == index) {
        int to = lowest_end(rows, marked);
        while (((row = row_at(rows, to)) >> 7 & 7) >= ROW_LIMIT) {
            /* Five numbers and the cow make six: all but the highest, which is the last here, go to the same player. */
            int last = row & 127;
            taken += (row >> 10) - heads[last];
            rows = with_row(rows, to, last | (1 << 7) | (heads[last] << 10));
            to = lowest_end(rows, to);
        }
        marker = (marker & ~3) | to;
    }
    return (laid){rows, marker, taken};
}

int fan_actions(uint32_t mask, int has_twister, const uint8_t *cards, uint8_t *into) {
    int count = 0;
    for (; mask; mask &= mask - 1) {
        int index = lowest_bit(mask);
        into[count++] = (uint8_t)index;
        if (has_twister && can_twist(cards[index])) into[count++] = (uint8_t)(index | TWIST);
    }
    return count;
}

int fan_rows(const int32_t *rows, const uint8_t *owner, uint64_t *into) {
    *into = 0;
    for (int index = 0; index < 4; index++) {
        const int32_t *row = rows + 3 * index;
        if (!good_row(row) || owner[row[0]]) return 0;
        for (int other = 0; other < index; other++)
            if (rows[3 * other] == row[0]) return 0;
        *into |= (uint64_t)(row[0] | row[1] << 7 | row[2] << 10) << (16 * index);
    }
    return 1;
}

int good_marker(int kind, int marker, int players) {
    if (kind == NUMBER_TWISTER) return (marker & ~(((1 << players) - 1) << 3)) == 0;
    if (kind == MOUNTAIN) return marker != 0 && marker != 7 && (marker & ~7) == 0;
    return (marker & ~(kind == EVEN_ODD ? 7 : kind == JUMPING_COW ? 3 : 0)) == 0;
}
