/* Bull Baron's part of the interface, and its workspace. */
#ifndef NIMMT_BARON_KERNEL_H
#define NIMMT_BARON_KERNEL_H

#include "nimmt.h"

enum {
    BARON_ROWS = 5,
    BARON_SEATS = 10,
    BARON_HAND = 4,
    BARON_CARDS = 110,
    BARON_PILE = 64,   /* places of a draw pile; two players can have 52 cards each */
    BARON_OPTIONS = 8, /* a hand, or the rows */
    /* places of a row that is kept card by card: it has 30 cards at most (five bulls of each colour), and a turn lays
       up to ten before it is checked again */
    BARON_ROW = 40,
    /* per round and seat: points, rows taken unasked, rows taken by choice, 0, turns with a take, credit */
    BARON_FIELDS = 6
};

/* A game in progress. Bulls of each colour in a row are a byte each and stop at 7: six is all that matters. */
typedef struct {
    uint64_t lanes[BARON_ROWS];
    int32_t end[BARON_ROWS], count[BARON_ROWS], bulls[BARON_ROWS];
    int32_t taken[BARON_SEATS]; /* bulls in each seat's pile */
    /* cards in hand; first and number of the draw pile's */
    int32_t held[BARON_SEATS], start[BARON_SEATS], size[BARON_SEATS];
    uint8_t hand[BARON_SEATS][BARON_HAND]; /* ascending */
    uint8_t pile[BARON_SEATS][BARON_PILE]; /* a ring, next card at `start` */
} baron_table;

typedef struct {
    /* the mixed seed; number of the next round or playout; the stream of the game on the table */
    uint64_t key, first, rng;
    int64_t stats[NL_STATS * BARON_OPTIONS];
    uint64_t lanes[BARON_CARDS + 2]; /* by card: bulls of each colour, a byte each, at most 6 */
    baron_table table;
    int32_t players, dealt, variant; /* cards dealt to each; 0 standard, 1 colour counts, 2 bulls are good */
    int32_t games, wins;             /* games in step: how many are added up; whether rewards are wins, else bulls */
    int32_t policies[BARON_SEATS], lows[BARON_SEATS];
    int32_t bulls[BARON_CARDS + 2]; /* by card */
    int32_t points[BARON_SEATS];    /* of the games before */
    /* The turn: the cards still to be placed, ascending, and whose; what each placing did (seat, card, row or -1, what
       | 8 if the row was chosen | bulls taken << 4) */
    int32_t n_queue, queue[BARON_SEATS], seats[BARON_SEATS];
    int32_t n_log, log[4 * BARON_SEATS], over;
    /* A search: who; whether it is a row that is asked (else a card); options; unseen cards; whether that seat's own hand is
       hidden, too (then it has one option, -1: to play on by its policy) */
    int32_t me, for_row, n_options, options[BARON_OPTIONS], n_pool, blind;
    int32_t stray[BARON_SEATS]; /* random choices of a card out of 256 */
    nl_belief belief;
    uint8_t colours[BARON_CARDS + 2]; /* by card, a bit each */
    uint8_t pool[BARON_CARDS + 2];
} nl_baron;

/* What a placing did. */
enum { BARON_PUT, BARON_SIXTH, BARON_SIX, BARON_NO_COLOUR, BARON_TUCKED };

/* One of many vectorised games (games.c). */
typedef struct {
    uint64_t seed, rng;
    int64_t totals[BARON_SEATS]; /* of the rounds before: a million of them can be added up */
    baron_table t;
    int32_t log[BARON_SEATS][5]; /* placings of the last step: seat, card, row or -1, what it did, bulls taken */
    int32_t round, turn;
    int16_t when[128];          /* by card: the turn in which it was played last */
    uint8_t by[128], lies[128]; /* by card: who did, counted from 1 (0: nobody); where it lies (BARON_UNSEEN …) */
    uint8_t rows[BARON_ROWS][BARON_ROW];
    uint8_t options[BARON_SEATS][BARON_ROWS], counts[BARON_SEATS];  /* the actions that each seat has, ascending */
    uint8_t queue[BARON_SEATS], seats[BARON_SEATS], queued, placed; /* the turn's cards and whose, and how many lie */
    uint8_t players, dealt, variant; /* what is played: the workspace must say the same */
    uint8_t phase, asked, logged;
} nl_baron_game;

/* The place of a card, as everybody has seen: a row, a seat's taken cards, under a seat's draw pile, not yet placed. */
enum { BARON_UNSEEN, BARON_IN_ROW = 1, BARON_TAKEN = 6, BARON_UNDER = 16, BARON_TURNED_UP = 26 };

NL_API int32_t nl_baron_layout(nl_field *into, int32_t count);
/* Rounds w->first … on: BARON_FIELDS numbers per round and seat into `out`, which has room for `size` bytes. */
NL_API int32_t nl_baron_rounds(nl_baron *w, int32_t rounds, int32_t *out, int32_t size);
/* Round w->first dealt; then its turns, one a call, until w->over. */
NL_API int32_t nl_baron_deal(nl_baron *w);
NL_API int32_t nl_baron_turn(nl_baron *w);
/* So many playouts more for each option, added to w->stats. w->table is what the seat sees: its own hand, sizes of the
   others' hands and of all draw piles; w->pool what may lie there. */
NL_API int32_t nl_baron_search(nl_baron *w, int32_t playouts);

/* Many games in step (games.c). A record that cannot be is refused. */
NL_GAMES(baron, nl_baron, nl_baron_game, uint8_t)

#endif
