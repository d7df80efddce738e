/* Beat the Buffalo's part of the interface: its workspace and its vectorised games. */
#ifndef NIMMT_BUFFALO_KERNEL_H
#define NIMMT_BUFFALO_KERNEL_H

#include "nimmt.h"

enum {
    BUFFALO_ROWS = 4,
    BUFFALO_PLAYERS = 6,
    BUFFALO_SEATS = 7, /* the buffalo follows the last player */
    BUFFALO_HAND = 10,
    BUFFALO_CARDS = 104,
    BUFFALO_SPECIALS = 16,
    BUFFALO_OPTIONS = 64,
    BUFFALO_CODES = 6144, /* uses considered in one call; seven cards have 5,040 orders */
    BUFFALO_MIXES = 256,
    BUFFALO_LOG = 8, /* most events in a step: a use, and all cards placed */
    /* per round and side: points, full rows, low cards, rows by Insert or Push, turns with a take, credit */
    BUFFALO_FIELDS = 6,
    NOBODY = 255
};

/* The special cards, in the order of Special (parts.py). */
enum { SEVEN_TAKES, STOP, SWAP, INSERT, PUSH, FIRST, LAST, SORT, KINDS };

/* The team's choices as numbers: USES * (0 pass, 1 lift, 2 + kind) + argument. The argument is a row; a seat; 2 *
   seat + 1 for the second card; 4 * card + row (Push); the index of the order among all orders of the queue (Sort). */
enum { USES = 8192, PASS = 0, LIFT = USES };

/* A game in progress. Heads: the team's, the buffalo's. */
typedef struct {
    int32_t heads[2];
    uint8_t rows[BUFFALO_ROWS][8], count[BUFFALO_ROWS];  /* ascending */
    uint8_t seven, stopped;                              /* rows, a bit each */
    uint8_t n_empty, empty[BUFFALO_ROWS];                /* rows waiting for a card, in the order in which they were
                                                            emptied */
    uint8_t n_up, up[2], n_deck, deck[BUFFALO_SPECIALS]; /* special cards: face up; face down, next first */
    uint8_t n_queue, queue[8], seats[8];                 /* cards to be placed, and their owners */
    uint8_t first, last, passed, swapping;               /* 0: none; NOBODY: nobody */
    uint8_t held[BUFFALO_PLAYERS], hand[BUFFALO_PLAYERS][BUFFALO_HAND]; /* ascending */
    uint8_t n_cards, cards[BUFFALO_HAND];                               /* the buffalo's, next first */
    uint8_t filler[3];
} buffalo_table;

/* One of many vectorised games. Everybody who acts has a seat here: the players, then the team. */
typedef struct {
    uint64_t seed;
    buffalo_table table;
    int16_t options[BUFFALO_SEATS][BUFFALO_HAND];   /* by seat, the number of its actions and the actions */
    int16_t counts[BUFFALO_SEATS];                  /* of the team: the number of its actions and the first of them;
                                                       they are consecutive */
    uint8_t players, hand, deck, between, takes_at; /* the settings of the game; the workspace must have the same */
    uint8_t phase, asked, turn;
    uint8_t end[BUFFALO_ROWS], sum[BUFFALO_ROWS]; /* by row: last cards, heads */
    /* special cards out of the game, by kind; cards in both piles */
    uint8_t used[8], sizes[2];
    uint8_t logged, log[BUFFALO_LOG][5];         /* placements of the last step: seat, card, row, cause, heads taken */
    uint8_t played[BUFFALO_HAND][BUFFALO_SEATS]; /* cards revealed, by turn and seat, the buffalo's last */
    uint8_t pile[BUFFALO_CARDS];                 /* 1 for each card in the team's pile */
} nl_buffalo_game;

typedef struct {
    uint64_t key, first, rng;
    int64_t stats[NL_STATS * BUFFALO_OPTIONS];
    /* for each option: its gain over option `usual`, and the squares */
    int64_t gains[2 * BUFFALO_OPTIONS];
    int32_t players, hand, deck, between, takes_at; /* settings; Insert and Push take a row of so many cards */
    int32_t policies[8], lows[8];
    int32_t tie_loses;
    int32_t wins;               /* vectorised games: whether rewards are wins */
    int32_t team;               /* whether special cards are used (team.h) or never */
    int32_t risk[6 * NL_CARDS]; /* see `risk` in games/classic/policy.h */
    /* the last placement: side, kind of take (0 none, 1 full, 2 low, 3 other), heads, row */
    int32_t log[4];
    int32_t plays[8]; /* cards to reveal, by seat */
    /* A search: who (-1: the team), the decision (0 card, 1 row, 2 use, 3 card to swap in), options */
    int32_t me, asked, n_options, options[BUFFALO_OPTIONS];
    int32_t tried[BUFFALO_OPTIONS]; /* how often each option was played, where the core decides that */
    int32_t usual;                  /* the option that the others are compared with (-1: none) */
    int32_t n_pool, n_special_pool; /* unseen cards; hidden special cards */
    /* The buffalo's pile: possible numbers of cards with each number of heads, and the cumulative probability of each
       such mix, in units of 2^-31 */
    int32_t n_mixes, n_kinds, kinds[8], mixes[8 * BUFFALO_MIXES], chance[BUFFALO_MIXES];
    int32_t n_codes, codes[BUFFALO_CODES], values[BUFFALO_CODES];
    buffalo_table table;
    uint8_t card_heads[NL_CARDS], pool[NL_CARDS], special_pool[BUFFALO_SPECIALS];
} nl_buffalo;

NL_API int32_t nl_buffalo_layout(nl_field *into, int32_t count);
/* Play rounds from w->first on. Writes BUFFALO_FIELDS numbers per round and side (team, buffalo) into `out`, of
   `size` bytes. */
NL_API int32_t nl_buffalo_rounds(nl_buffalo *w, int32_t rounds, int32_t *out, int32_t size);
/* Deal round w->first. Then its steps, one per call: reveal w->plays, apply a use, name the card to swap in, place
   the next card (a player's low card takes `row`). */
NL_API int32_t nl_buffalo_deal(nl_buffalo *w);
NL_API int32_t nl_buffalo_reveal(nl_buffalo *w);
NL_API int32_t nl_buffalo_use(nl_buffalo *w, int32_t use);
NL_API int32_t nl_buffalo_swap(nl_buffalo *w, int32_t card);
NL_API int32_t nl_buffalo_place(nl_buffalo *w, int32_t row);
/* Whether the team may do that now: 1 or 0. */
NL_API int32_t nl_buffalo_legal(nl_buffalo *w, int32_t use);
/* The current choice of the team's policy. */
NL_API int32_t nl_buffalo_team(nl_buffalo *w);
/* For each of w->codes: the result of the rest of the turn (team.h). */
NL_API int32_t nl_buffalo_outlooks(nl_buffalo *w);
/* The choice that playouts would make: a card, a row or a use. */
NL_API int32_t nl_buffalo_usual(nl_buffalo *w);
/* Add `playouts` playouts of each option to w->stats and, if one is usual, to w->gains. */
NL_API int32_t nl_buffalo_search(nl_buffalo *w, int32_t playouts);
/* A solo player's card, out of the whole hand: add `playouts` playouts in a tree (lone.h) to w->stats and w->tried.
   The tree has `bytes` bytes, zero at first. */
NL_API int32_t nl_buffalo_alone(nl_buffalo *w, void *tree, int32_t bytes, int32_t playouts);
/* Bytes of a tree. */
NL_API int32_t nl_buffalo_tree(void);

/* Vectorised games (games.c). Impossible records are refused. */
NL_GAMES(buffalo, nl_buffalo, nl_buffalo_game, uint8_t)

#endif
