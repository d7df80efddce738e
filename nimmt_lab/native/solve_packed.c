#include "solve_packed.h"

/* Heads a card at this place takes: those of its row if it is full. */
static inline int32_t heads_taken(uint64_t rows, int place) {
    uint64_t row = (rows >> (16 * row_below(rows, place))) & ROW_WORD;
    return ((row >> 6) & 7) == ROW_LIMIT ? (int32_t)(row >> 9) : 0;
}

static inline int32_t one_card(int a, int b, uint64_t rows, uint64_t heads) {
    int first = a < b ? a : b, second = a < b ? b : a;
    /* sign turns "second taker's heads minus first taker's" into B minus A. */
    int32_t sign = a < b ? 1 : -1, head = heads_at(heads, first), one, best = -1000;
    int index = row_below(rows, 2 * first + 1);
    if (index >= 0) {
        rows = add_card(rows, index, 2 * first + 1, head, &one);
        return sign * (heads_taken(rows, 2 * second + 1) - one);
    }
    for (int choice = 0; choice < 4; choice++) {
        uint64_t after = take_row(rows, choice, 2 * first + 1, head, &one);
        int32_t worth = heads_taken(after, 2 * second + 1) - one;
        if (worth > best)
            best = worth;
    }
    return sign * best;
}

int32_t last_turn(int a, int b, uint64_t rows, uint64_t heads) { return one_card(a, b, rows, heads); }

/* Two cards each: A plays a, B plays b, then the others. In whole heads. */
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
        if (worth > best)
            best = worth;
    }
    return sign * best;
}

bounds two_cards(uint32_t mask_a, uint32_t mask_b, uint64_t rows, uint64_t heads, int shift) {
    int a0 = lowest_bit(mask_a), b0 = lowest_bit(mask_b);
    int a1 = lowest_bit(mask_a & (mask_a - 1)), b1 = lowest_bit(mask_b & (mask_b - 1));
    int32_t p = pair_turn(a0, b0, a1, b1, rows, heads), q = pair_turn(a0, b1, a1, b0, rows, heads);
    int32_t r = pair_turn(a1, b0, a0, b1, rows, heads), s = pair_turn(a1, b1, a0, b0, rows, heads);
    int32_t row_a = p < q ? p : q, row_b = r < s ? r : s, column_a = p > r ? p : r, column_b = q > s ? q : s;
    int32_t maximin = row_a > row_b ? row_a : row_b, minimax = column_a < column_b ? column_a : column_b;
    if (maximin == minimax) {
        int32_t worth = (int32_t)(maximin * (1LL << shift));
        return (bounds){worth, worth};
    }
    int64_t top = (int64_t)p * s - (int64_t)q * r, bottom = p + s - q - r;
    if (bottom < 0) {
        top = -top;
        bottom = -bottom;
    }
    top *= 1LL << shift;
    int64_t lo = top / bottom;
    if (lo * bottom > top) /* round down, also below zero */
        lo--;
    return (bounds){(int32_t)lo, (int32_t)(lo * bottom == top ? lo : lo + 1)};
}

/* Structure: owners of the remaining cards by rank, and for each row the rank of its end and its count.
 * Weights: heads class of every remaining card and heads of every row.
 * What is left out cannot matter: the numbers behind the ranks; the count of a row that cannot fill any more; the order
 * of rows above every remaining card, where nothing is ever added. */
key canonical(uint32_t mask_a, uint32_t mask_b, uint64_t rows, classes of) {
    uint32_t left = mask_a | mask_b;
    int cards = bits_set(left), rank = 0, above_all = 4;
    uint64_t structure = (uint64_t)(cards >> 1) << 52, weights = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1, rank++) {
        int card = lowest_bit(rest);
        structure |= (uint64_t)((mask_b >> card) & 1) << rank;
        weights |= (uint64_t)(((of.low >> card) & 1) | (((of.high >> card) & 1) << 1)) << (2 * rank);
        if ((of.big >> card) & 1)
            structure |= (uint64_t)(rank + 1) << 56;
    }
    for (int index = 0; index < 4; index++) {
        uint64_t row = (rows >> (16 * index)) & ROW_WORD;
        int end = (int)(row & 63), count = (int)(row >> 6) & 7;
        rank = bits_set(left & ((1u << ((end + 1) >> 1)) - 1));
        if (count + cards - rank <= ROW_LIMIT)
            count = 1;
        structure |= ((uint64_t)rank << (20 + 5 * index)) | ((uint64_t)count << (40 + 3 * index));
        if (rank == cards && above_all == 4)
            above_all = index;
        weights |= (row >> 9) << (40 + 5 * index);
    }
    for (int index = above_all + 1; index < 4; index++) /* sort the heads of the interchangeable rows */
        for (int place = index; place > above_all; place--) {
            uint64_t one = (weights >> (40 + 5 * place)) & 31, two = (weights >> (35 + 5 * place)) & 31;
            if (two <= one)
                break;
            weights ^= ((one ^ two) << (40 + 5 * place)) | ((one ^ two) << (35 + 5 * place));
        }
    return (key){structure, weights};
}

int good_row(const int32_t *row) {
    /* One card has seven heads, all others five at most: so the heads of a row fit five bits, whatever is added. */
    return row[0] >= 1 && row[0] <= 104 && row[1] >= 1 && row[1] <= ROW_LIMIT && row[2] >= 1 && row[2] <= 5 * row[1] + 2;
}

int pack_rows(const int32_t *rows, const uint8_t *cards, int count, uint64_t *into) {
    *into = 0;
    for (int index = 0; index < 4; index++) {
        const int32_t *row = rows + 3 * index;
        int below = 0, slot = 0;
        if (!good_row(row))
            return 0;
        for (int card = 0; card < count; card++) {
            below += cards[card] < row[0];
            if (cards[card] == row[0])
                return 0;
        }
        for (int other = 0; other < 4; other++) {
            slot += rows[3 * other] < row[0];
            if (other != index && rows[3 * other] == row[0])
                return 0;
        }
        *into |= ((uint64_t)(2 * below) | (uint64_t)row[1] << 6 | (uint64_t)row[2] << 9) << (16 * slot);
    }
    return 1;
}
