/* Bull Baron's part of the interface, and its workspace. */
#ifndef NIMMT_BARON_KERNEL_H
#define NIMMT_BARON_KERNEL_H

#include "nimmt.h"

enum {
    BARON_ROWS = 5,
    BARON_SEATS = 10,
    BARON_HAND = 4,
    BARON_CARDS = 110,
    BARON_PILE = 64,   /* capacity of a draw pile; two players can have 52 cards each */
    BARON_OPTIONS = 8, /* a hand, or the rows */
    /* capacity of a row stored card by card: a row has at most 30 cards (five bulls of each colour), and a turn adds
       up to ten before it is checked again */
    BARON_ROW = 40,
    /* per round and seat: points, forced takes, takes by choice, 0, turns with a take, credit */
    BARON_FIELDS = 6
};

/* A game in progress. The bulls of each colour in a row are one byte each and saturate at 7, because only reaching
   six matters. */
typedef struct {
    uint64_t lanes[BARON_ROWS];
    int32_t end[BARON_ROWS], count[BARON_ROWS], bulls[BARON_ROWS];
    int32_t taken[BARON_SEATS]; /* bulls in each seat's pile */
    /* cards in hand; start and size of the draw pile */
    int32_t held[BARON_SEATS], start[BARON_SEATS], size[BARON_SEATS];
    uint8_t hand[BARON_SEATS][BARON_HAND]; /* ascending */
    uint8_t pile[BARON_SEATS][BARON_PILE]; /* a ring buffer, next card at `start` */
} baron_table;

typedef struct {
    /* the mixed seed; number of the next round or playout; random stream of the current game */
    uint64_t key, first, rng;
    int64_t stats[NL_STATS * BARON_OPTIONS];
    uint64_t lanes[BARON_CARDS + 2]; /* by card: bulls of each colour, one byte each, at most 6 */
    baron_table table;
    int32_t players, dealt, variant; /* cards dealt to each; 0 standard, 1 colour counts, 2 bulls are good */
    int32_t games, wins;             /* vectorised games: how many are added up; whether rewards are wins instead of
                                        bulls */
    int32_t policies[BARON_SEATS], lows[BARON_SEATS];
    int32_t bulls[BARON_CARDS + 2]; /* by card */
    int32_t points[BARON_SEATS];    /* of the games before */
    /* The turn: cards still to be placed, ascending, and their owners; the effect of each placement (seat, card, row
       or -1, effect | 8 if the row was chosen | bulls taken << 4) */
    int32_t n_queue, queue[BARON_SEATS], seats[BARON_SEATS];
    int32_t n_log, log[4 * BARON_SEATS], over;
    /* A search: the seat; whether it chooses a row (otherwise a card); its options; unseen cards; whether its own
       hand is hidden as well (then its only option is -1: play by its policy) */
    int32_t me, for_row, n_options, options[BARON_OPTIONS], n_pool, blind;
    int32_t stray[BARON_SEATS]; /* how many of 256 card choices are random */
    nl_belief belief;
    uint8_t colours[BARON_CARDS + 2]; /* by card, one bit each */
    uint8_t pool[BARON_CARDS + 2];
} nl_baron;

/* What a placing did. */
enum { BARON_PUT, BARON_SIXTH, BARON_SIX, BARON_NO_COLOUR, BARON_TUCKED };

/* One of many vectorised games (games.c). */
typedef struct {
    uint64_t seed, rng;
    int64_t totals[BARON_SEATS]; /* totals of earlier rounds: wide enough for a million of them */
    baron_table t;
    int32_t log[BARON_SEATS][5]; /* placements of the last step: seat, card, row or -1, effect, bulls taken */
    int32_t round, turn;
    int16_t when[128];          /* by card: the turn in which it was last played */
    uint8_t by[128], lies[128]; /* by card: who played it, counted from 1 (0: nobody); where it is now (BARON_UNSEEN
                                   …) */
    uint8_t rows[BARON_ROWS][BARON_ROW];
    uint8_t options[BARON_SEATS][BARON_ROWS], counts[BARON_SEATS];  /* the legal actions of each seat, ascending */
    uint8_t queue[BARON_SEATS], seats[BARON_SEATS], queued, placed; /* the cards of the turn with their owners, and
                                                                       how many are placed */
    uint8_t players, dealt, variant; /* the settings of the game; the workspace must have the same */
    uint8_t phase, asked, logged;
} nl_baron_game;

/* The public place of a card: a row, a seat's taken cards, under a seat's draw pile, or not yet placed. */
enum { BARON_UNSEEN, BARON_IN_ROW = 1, BARON_TAKEN = 6, BARON_UNDER = 16, BARON_TURNED_UP = 26 };

NL_API int32_t nl_baron_layout(nl_field *into, int32_t count);
/* Play rounds from w->first on. Writes BARON_FIELDS numbers per round and seat into `out`, which has `size` bytes. */
NL_API int32_t nl_baron_rounds(nl_baron *w, int32_t rounds, int32_t *out, int32_t size);
/* Deal round w->first; then play it one turn per call, until w->over. */
NL_API int32_t nl_baron_deal(nl_baron *w);
NL_API int32_t nl_baron_turn(nl_baron *w);
/* Add `playouts` playouts of each option to w->stats. w->table is what the seat sees: its own hand, and the sizes of
   the other hands and all draw piles; w->pool has the cards that may be there. */
NL_API int32_t nl_baron_search(nl_baron *w, int32_t playouts);

/* Vectorised games (games.c). Impossible records are refused. */
NL_GAMES(baron, nl_baron, nl_baron_game, uint8_t)

#endif
