/* Positions with a marker, packed for the search.
 *
 * With a marker, card numbers and the positions of rows matter, not just the order of the cards. So a row stores the
 * number of its last card, and rows keep their positions:
 *
 *   bits 0-6    its last card
 *   bits 7-9    the number of its cards
 *   bits 10-14  their bull heads
 *
 * `kind` selects the marker's rules; 0 means no marker (solve_packed.h). The chapter defines the other kinds and the bits
 * of a marker, and plays such positions (games/classic/solve_marked.c). */
#ifndef NIMMT_SOLVE_MARKED_H
#define NIMMT_SOLVE_MARKED_H

#include "solve_packed.h"

/* Added to the index of a card that is played in the other way its kind allows. */
enum { OTHER_WAY = 32, CARD_INDEX = OTHER_WAY - 1 };

typedef struct {
    uint64_t rows;
    int32_t marker, taken;
} laid;

/* Whether a kind exists; whether it lets some cards be played in two ways; whether this card can be. */
int good_kind(int kind);
int has_other_ways(int kind);
int has_other_way(int kind, int card);

/* Whether a marker is valid for its kind. */
int good_marker(int kind, int marker, int players);

/* Whether a seat can still play a card in the other way, and the marker once it has. */
static inline int other_way_left(int marker, int seat) { return marker >> (3 + seat) & 1; }
static inline int without_other_way(int marker, int seat) { return marker & ~(8 << seat); }

/* Sort key of a seat's action: lower keys are placed first. From bit 5 on, it is the value the card counts as. */
int placing_key(int action, const uint8_t *cards, int seat);

/* The row for a card with that value; -1 if it fits nowhere. */
int marked_row(int kind, uint64_t rows, int marker, int value);

/* Place a card in a row; if `low`, its player takes the row. */
laid marked_put(int kind, uint64_t rows, int marker, int row, int card, int low, const uint8_t *heads);

/* The row that a policy takes with a card that fits nowhere: fewest heads, then the highest end (R-C4). */
int marked_cheapest_row(uint64_t rows);

/* Pack rows in the caller's order; 0 if a row is invalid, or its last card is in a hand or ends another row. */
int marked_rows(const int32_t *rows, const uint8_t *owner, uint64_t *into);

/* List the actions of a player with the cards of a mask, and return their number. */
int marked_actions(int kind, uint32_t mask, int has_other_way_left, const uint8_t *cards, uint8_t *into);

#endif
