/* Bull Baron's part of the interface, and its workspace; nimmt_lab/games/baron/kernel.py lists the same fields in the same
   order. */
#ifndef NIMMT_BARON_KERNEL_H
#define NIMMT_BARON_KERNEL_H

#include "nimmt.h"

enum {
    BARON_ROWS = 5,
    BARON_SEATS = 10,
    BARON_HAND = 4,
    BARON_CARDS = 110,
    BARON_PILE = 64,    /* places of a draw pile; two players can have 52 cards each */
    BARON_OPTIONS = 8,  /* a hand, or the rows */
    BARON_FIELDS = 6    /* per round and seat: points, rows taken unasked, rows taken by choice, 0, turns with a take, credit */
};

/* A game in progress. Bulls of each colour in a row are a byte each and stop at 7: six is all that matters. */
typedef struct {
    uint64_t lanes[BARON_ROWS];
    int32_t end[BARON_ROWS], count[BARON_ROWS], bulls[BARON_ROWS];
    int32_t taken[BARON_SEATS];                    /* bulls in each seat's pile */
    int32_t held[BARON_SEATS], start[BARON_SEATS], size[BARON_SEATS]; /* cards in hand; first and number of the draw pile's */
    uint8_t hand[BARON_SEATS][BARON_HAND];         /* ascending */
    uint8_t pile[BARON_SEATS][BARON_PILE];         /* a ring, next card at `start` */
} baron_table;

typedef struct {
    uint64_t key, first, rng; /* the mixed seed; number of the next round or playout; the stream of the game on the table */
    int64_t stats[NL_STATS * BARON_OPTIONS];
    uint64_t lanes[BARON_CARDS + 2]; /* by card: bulls of each colour, a byte each, at most 6 */
    baron_table table;
    int32_t players, dealt, variant; /* cards dealt to each; 0 standard, 1 colour counts, 2 bulls are good */
    int32_t policies[BARON_SEATS], lows[BARON_SEATS];
    int32_t bulls[BARON_CARDS + 2];  /* by card */
    int32_t points[BARON_SEATS];     /* of the games before */
    /* The turn: the cards still to be placed, ascending, and whose; what each placing did (seat, card, row or -1, what
       | 8 if the row was chosen | bulls taken << 4) */
    int32_t n_queue, queue[BARON_SEATS], seats[BARON_SEATS];
    int32_t n_log, log[4 * BARON_SEATS], over;
    /* A search: who; whether it is a row that is asked (else a card); options; unseen cards; whether that seat's own hand is
       hidden, too (then it has one option, -1: to play on by its policy) */
    int32_t me, for_row, n_options, options[BARON_OPTIONS], n_pool, blind;
    int32_t stray[BARON_SEATS];      /* of 256 choices of a card so many at random */
    nl_belief belief;
    uint8_t colours[BARON_CARDS + 2]; /* by card, a bit each */
    uint8_t pool[BARON_CARDS + 2];
} nl_baron;

/* What a placing did. */
enum { BARON_PUT, BARON_SIXTH, BARON_SIX, BARON_NO_COLOUR, BARON_TUCKED };

NL_API int32_t nl_baron_size(void);
/* Rounds w->first … on: BARON_FIELDS numbers per round and seat into `out`, which has room for `size` bytes. */
NL_API int32_t nl_baron_rounds(nl_baron *w, int32_t rounds, int32_t *out, int32_t size);
/* Round w->first dealt; then its turns, one a call, until w->over. */
NL_API int32_t nl_baron_deal(nl_baron *w);
NL_API int32_t nl_baron_turn(nl_baron *w);
/* So many playouts more for each option, added to w->stats. w->table is what the seat sees: its own hand, sizes of the
   others' hands and of all draw piles; w->pool what may lie there. */
NL_API int32_t nl_baron_search(nl_baron *w, int32_t playouts);

#endif
