/* Two-player positions with open hands, packed into a few machine words.
 *
 * The search doesn't use card numbers, only the order of the (at most 20) cards in both hands: card c is the c-th lowest
 * of them at the root. A hand is a bit mask. A row is 16 bits:
 *
 *   bits 0-5   its end: 2c + 1 for hand card c; 2c if the row's last card at the root is just below card c
 *   bits 6-8   the number of its cards
 *   bits 9-14  their bull heads
 *
 * Four rows make one word, lowest end first. A card goes to the last row whose end is below it, and the rows stay sorted,
 * which makes this form fast.
 *
 * Values are integers in units of 2**-shift heads, stored as proved bounds [lo, hi] of the true value. */
#ifndef NIMMT_SOLVE_PACKED_H
#define NIMMT_SOLVE_PACKED_H

#include <stdint.h>

#define ROW_WORD 0x7fffULL
#define ROW_LANES 0x0001000100010001ULL
#define ROW_LIMIT 5
#define MOST_CARDS 20 /* in both hands together, or in all hands of a crowd */

typedef struct {
    int32_t lo, hi;
} bounds;

typedef struct {
    uint64_t rows;
    int32_t one, two; /* heads taken with the first and with the second card of a turn */
} played;

static inline int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t most_of(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }

/* The number of bits set. (Not every processor we build for has an instruction for it.) */
static inline int bits_set(uint32_t word) {
    word -= (word >> 1) & 0x55555555u;
    word = (word & 0x33333333u) + ((word >> 2) & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return (int)((word * 0x01010101u) >> 24);
}

/* Index of the highest row whose end is below `place` (2c + 1 for card c); -1 for a low card. */
static inline int row_below(uint64_t rows, int place) {
    /* In every lane: 0x8000 + place - 1 - end keeps its top bit where end < place. */
    uint64_t below = ((ROW_LANES * (uint64_t)(0x8000 + place - 1)) - (rows & (ROW_LANES * 63))) & (ROW_LANES << 15);
    return (int)(((below >> 15) * ROW_LANES) >> 48) - 1;
}

static inline int heads_of_row(uint64_t rows, int index) { return (int)((rows >> (16 * index)) & ROW_WORD) >> 9; }

static inline int heads_at(uint64_t heads, int card) { return (int)(heads >> (3 * card)) & 7; }

/* Place a card in its row and return the new rows; *taken is 0 unless it is the sixth card. */
static inline uint64_t add_card(uint64_t rows, int index, int place, int heads, int32_t *taken) {
    int at = 16 * index;
    uint64_t row = (rows >> at) & ROW_WORD, fresh;
    if (((row >> 6) & 7) == ROW_LIMIT) {
        *taken = (int32_t)(row >> 9);
        fresh = (uint64_t)place | (1u << 6) | ((uint64_t)heads << 9);
    } else {
        *taken = 0;
        fresh = (row & ~63ULL) + ((uint64_t)place | (1u << 6)) + ((uint64_t)heads << 9);
    }
    return (rows & ~(ROW_WORD << at)) | (fresh << at);
}

/* Take a row with a low card, which starts it again as the lowest row. */
static inline uint64_t take_row(uint64_t rows, int index, int place, int heads, int32_t *taken) {
    int at = 16 * index;
    uint64_t below = rows & ((1ULL << at) - 1), above = ((rows >> at) >> 16 << 16) << at;
    *taken = heads_of_row(rows, index);
    return above | (below << 16) | (uint64_t)place | (1u << 6) | ((uint64_t)heads << 9);
}

/* Place the two cards of a turn, the lower first. `index` is the first card's row, or -1 if it is low and takes the row
 * `choice`. The second card then always fits. */
static inline played play_two(uint64_t rows, int index, int choice, int first, int second, uint64_t heads) {
    played result;
    if (index >= 0) rows = add_card(rows, index, 2 * first + 1, heads_at(heads, first), &result.one);
    else rows = take_row(rows, choice, 2 * first + 1, heads_at(heads, first), &result.one);
    result.rows = add_card(rows, row_below(rows, 2 * second + 1), 2 * second + 1, heads_at(heads, second), &result.two);
    return result;
}

/* The row a policy takes with a low card: fewest heads, then the highest end (R-C4). */
static inline int cheapest_row(uint64_t rows) {
    int best = 0, fewest = 1000;
    for (int index = 0; index < 4; index++) {
        int heads = heads_of_row(rows, index);
        if (heads <= fewest) { /* rows are sorted by their ends */
            best = index;
            fewest = heads;
        }
    }
    return best;
}

/* The value in whole heads (B's minus A's) when A holds only card a and B only card b. */
int32_t last_turn(int a, int b, uint64_t rows, uint64_t heads);

/* Bounds of a position with two cards each: a 2x2 game in whole heads, so at most one unit apart. */
bounds two_cards(uint32_t mask_a, uint32_t mask_b, uint64_t rows, uint64_t heads, int shift);

/* The canonical key of a position: equal for equivalent positions. A holds the lowest card. */
typedef struct {
    uint64_t structure, weights;
} key;

/* The head classes of the cards: `low` and `high` are the two bits of the class (1, 2, 3, 5 heads), `big` marks 7. */
typedef struct {
    uint32_t low, high, big;
} classes;

key canonical(uint32_t mask_a, uint32_t mask_b, uint64_t rows, classes of);

/* Pack rows given by a caller (last card, number of cards, heads of each); `cards` are the sorted cards of both hands.
 * Return 0 if a row is invalid, or its last card is in a hand or ends another row. */
int good_row(const int32_t *row);
int pack_rows(const int32_t *rows, const uint8_t *cards, int count, uint64_t *into);

#endif
