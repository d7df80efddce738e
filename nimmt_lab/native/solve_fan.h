/* Positions with one fan card, packed for the search.
 *
 * With a fan card the order of the cards is not enough: parity, absolute differences, twisted digits and the places of
 * the rows matter. So here a row keeps the number of its last card, and rows stay in their places:
 *
 *   bits 0-6    its last card
 *   bits 7-9    how many cards lie in it
 *   bits 10-14  their bull heads
 *
 * The marker holds the rest: bits 0-1 the marked row, bit 2 what it shows (1: odd, or arrows down), from bit 3 on which
 * seats still have their twister. */
#ifndef NIMMT_SOLVE_FAN_H
#define NIMMT_SOLVE_FAN_H

#include "solve_packed.h"

enum { PLAIN, EVEN_ODD, MOUNTAIN, JUMPING_COW, NUMBER_TWISTER, FAN_KINDS };

/* Added to a card's index: played with its digits the other way round. */
#define TWIST 32

typedef struct {
    uint64_t rows;
    int32_t marker, taken;
} laid;

/* The row that must receive a card counting as value; -1 when it fits nowhere (R-F1). */
int fan_row(int kind, uint64_t rows, int marker, int value);

/* Lay a card into a row (low: its player takes the row in any case). */
laid fan_put(int kind, uint64_t rows, int marker, int index, int card, int low, const uint8_t *heads);

/* List what a player may do with the cards of a mask; how many ways there are. */
int fan_actions(uint32_t mask, int has_twister, const uint8_t *cards, uint8_t *into);

/* The row a policy takes with a card that fits nowhere: fewest heads, then the highest end (R-C4). */
int fan_cheapest_row(uint64_t rows);

/* Rows from outside as they lie; 0 if they are no rows, or end with a card that somebody holds or with the same. */
int fan_rows(const int32_t *rows, const uint8_t *owner, uint64_t *into);

/* A marker that its card could have. */
int good_marker(int kind, int marker, int players);

/* Whether a card may be played with its digits the other way round (R-F2). */
static inline int can_twist(int card) { return card >= 10 && card <= 99; }

/* The value a card is placed with. */
static inline int counts_as(int action, const uint8_t *cards) {
    int card = cards[action & (TWIST - 1)];
    return action & TWIST ? card % 10 * 10 + card / 10 : card;
}

#endif
