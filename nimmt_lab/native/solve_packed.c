#include "solve_packed.h"

static inline int row_at(uint64_t rows, int index) { return (int)((rows >> (16 * index)) & ROW_WORD); }

/* The heads taken by adding a card to a row: those of a full row, otherwise 0. */
static inline int32_t cost_of(int row) { return ((row >> 6) & 7) == ROW_LIMIT ? row >> 9 : 0; }

/* The last turn is scored from the current rows, without placing the cards. */
static inline int32_t one_card(int a, int b, uint64_t rows, uint64_t heads) {
    int first = a < b ? a : b, second = a < b ? b : a;
    /* sign converts "second player's heads minus first player's" into B minus A. */
    int32_t sign = a < b ? 1 : -1, two = 0, best;
    int here = row_below(rows, 2 * first + 1), there = row_below(rows, 2 * second + 1);
    if (here >= 0) {
        int row = row_at(rows, here), count = (row >> 6) & 7;
        if (there != here) two = cost_of(row_at(rows, there));
        else if (count == ROW_LIMIT - 1) /* both go to one row, and the first fills it */
            two = (row >> 9) + heads_at(heads, first);
        return sign * (two - cost_of(row));
    }
    /* The first card takes a row and becomes the lowest. If it took the second card's row, that goes to the one below. */
    if (there >= 0) two = cost_of(row_at(rows, there));
    best = (there > 0 ? cost_of(row_at(rows, there - 1)) : 0) - (there >= 0 ? heads_of_row(rows, there) : 1000);
    for (int choice = 0; choice < 4; choice++) {
        int32_t worth = two - heads_of_row(rows, choice);
        if (choice != there && worth > best) best = worth;
    }
    return sign * best;
}

int32_t last_turn(int a, int b, uint64_t rows, uint64_t heads) { return one_card(a, b, rows, heads); }

/* With two cards each: A plays a, B plays b, then both play their other card. In whole heads. */
static int32_t pair_turn(int a, int b, int other_a, int other_b, uint64_t rows, uint64_t heads) {
    int first = a < b ? a : b, second = a < b ? b : a;
    int32_t sign = a < b ? 1 : -1, best = -1000;
    int index = row_below(rows, 2 * first + 1);
    if (index >= 0) {
        played now = play_two(rows, index, 0, first, second, heads);
        return sign * (now.two - now.one) + one_card(other_a, other_b, now.rows, heads);
    }
    for (int choice = 0; choice < 4; choice++) {
        played now = play_two(rows, -1, choice, first, second, heads);
        int32_t worth = now.two - now.one + sign * one_card(other_a, other_b, now.rows, heads);
        if (worth > best) best = worth;
    }
    return sign * best;
}

static inline bounds whole(int32_t heads, int shift) {
    int32_t worth = (int32_t)(heads * (1LL << shift));
    return (bounds){worth, worth};
}

bounds two_cards(uint32_t mask_a, uint32_t mask_b, uint64_t rows, uint64_t heads, int shift) {
    int a0 = lowest_bit(mask_a), b0 = lowest_bit(mask_b);
    int a1 = lowest_bit(mask_a & (mask_a - 1)), b1 = lowest_bit(mask_b & (mask_b - 1));
    /* Compute the fourth entry only if the other three don't decide the value. */
    int32_t p = pair_turn(a0, b0, a1, b1, rows, heads), q = pair_turn(a0, b1, a1, b0, rows, heads), r, s;
    if (p <= q) {
        r = pair_turn(a1, b0, a0, b1, rows, heads);
        if (r <= p) return whole(p, shift);
        s = pair_turn(a1, b1, a0, b0, rows, heads);
    } else {
        s = pair_turn(a1, b1, a0, b0, rows, heads);
        if (s <= q) return whole(q, shift);
        r = pair_turn(a1, b0, a0, b1, rows, heads);
    }
    int32_t row_a = p < q ? p : q, row_b = r < s ? r : s, column_a = p > r ? p : r, column_b = q > s ? q : s;
    int32_t maximin = row_a > row_b ? row_a : row_b, minimax = column_a < column_b ? column_a : column_b;
    if (maximin == minimax) return whole(maximin, shift);
    int64_t top = (int64_t)p * s - (int64_t)q * r, bottom = p + s - q - r;
    if (bottom < 0) {
        top = -top;
        bottom = -bottom;
    }
    top *= 1LL << shift;
    int64_t lo = top / bottom;
    if (lo * bottom > top) /* round down, negative values too */
        lo--;
    return (bounds){(int32_t)lo, (int32_t)(lo * bottom == top ? lo : lo + 1)};
}

/* Structure: the owners of the remaining cards by rank, and the rank of the end and the count of each row.
 * Weights: the head class of every remaining card and the heads of every row.
 * The rest cannot matter: card numbers beyond their rank; the count of a row that can no longer fill up; the order of
 * rows above every remaining card, which never get another card. */
key canonical(uint32_t mask_a, uint32_t mask_b, uint64_t rows, classes of) {
    uint32_t left = mask_a | mask_b;
    int cards = bits_set(left), rank = 0, above_all = 4;
    uint64_t structure = (uint64_t)(cards >> 1) << 52, weights = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1, rank++) {
        int card = lowest_bit(rest);
        structure |= (uint64_t)((mask_b >> card) & 1) << rank;
        weights |= (uint64_t)(((of.low >> card) & 1) | (((of.high >> card) & 1) << 1)) << (2 * rank);
        if ((of.big >> card) & 1) structure |= (uint64_t)(rank + 1) << 56;
    }
    for (int index = 0; index < 4; index++) {
        uint64_t row = (rows >> (16 * index)) & ROW_WORD;
        int end = (int)(row & 63), count = (int)(row >> 6) & 7;
        rank = bits_set(left & ((1u << ((end + 1) >> 1)) - 1));
        if (count + cards - rank <= ROW_LIMIT) count = 1;
        structure |= ((uint64_t)rank << (20 + 5 * index)) | ((uint64_t)count << (40 + 3 * index));
        if (rank == cards && above_all == 4) above_all = index;
        weights |= (row >> 9) << (40 + 5 * index);
    }
    for (int index = above_all + 1; index < 4; index++) /* sort the heads of the interchangeable rows */
        for (int place = index; place > above_all; place--) {
            uint64_t one = (weights >> (40 + 5 * place)) & 31, two = (weights >> (35 + 5 * place)) & 31;
            if (two <= one) break;
            weights ^= ((one ^ two) << (40 + 5 * place)) | ((one ^ two) << (35 + 5 * place));
        }
    return (key){structure, weights};
}

int good_row(const int32_t *row) {
    /* One card has seven heads, the others at most five, so the heads of any row fit in five bits. */
    return row[0] >= 1 && row[0] <= 104 && row[1] >= 1 && row[1] <= ROW_LIMIT && row[2] >= 1 &&
           row[2] <= 5 * row[1] + 2;
}

int pack_rows(const int32_t *rows, const uint8_t *cards, int count, uint64_t *into) {
    *into = 0;
    for (int index = 0; index < 4; index++) {
        const int32_t *row = rows + 3 * index;
        int below = 0, slot = 0;
        if (!good_row(row)) return 0;
        for (int card = 0; card < count; card++) {
            below += cards[card] < row[0];
            if (cards[card] == row[0]) return 0;
        }
        for (int other = 0; other < 4; other++) {
            slot += rows[3 * other] < row[0];
            if (other != index && rows[3 * other] == row[0]) return 0;
        }
        *into |= ((uint64_t)(2 * below) | (uint64_t)row[1] << 6 | (uint64_t)row[2] << 9) << (16 * slot);
    }
    return 1;
}
