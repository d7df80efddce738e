/* Beat the Buffalo's part of the interface: its workspace and its vectorised games. */
#ifndef NIMMT_BUFFALO_KERNEL_H
#define NIMMT_BUFFALO_KERNEL_H

#include "nimmt.h"

enum {
    BUFFALO_ROWS = 4,
    BUFFALO_PLAYERS = 6,
    BUFFALO_SEATS = 7, /* the buffalo's comes after the last player's */
    BUFFALO_HAND = 10,
    BUFFALO_CARDS = 104,
    BUFFALO_SPECIALS = 16,
    BUFFALO_OPTIONS = 64,
    BUFFALO_CODES = 6144, /* uses that are looked at in one call; seven cards have 5,040 orders */
    BUFFALO_MIXES = 256,
    BUFFALO_LOG = 8, /* most events of a step: a use, and all cards placed */
    /* per round and side: points, full rows, low cards, rows by Insert or Push, turns with a take, credit */
    BUFFALO_FIELDS = 6,
    NOBODY = 255
};

/* The special cards, in the order of Special (parts.py). */
enum { SEVEN_TAKES, STOP, SWAP, INSERT, PUSH, FIRST, LAST, SORT, KINDS };

/* What the team does, as a number: USES * (0 to pass, 1 to lift, 2 + kind) + what: a row; a seat; 2 * seat + 1 if second;
   4 * card + row (Push); the number of the order among all orders of the queue (Sort). */
enum { USES = 8192, PASS = 0, LIFT = USES };

/* A game in progress. Heads: the team's, the buffalo's. */
typedef struct {
    int32_t heads[2];
    uint8_t rows[BUFFALO_ROWS][8], count[BUFFALO_ROWS];  /* ascending */
    uint8_t seven, stopped;                              /* rows, a bit each */
    uint8_t n_empty, empty[BUFFALO_ROWS];                /* rows that wait for a card, in the order they were emptied */
    uint8_t n_up, up[2], n_deck, deck[BUFFALO_SPECIALS]; /* special cards face up; face down, next first */
    uint8_t n_queue, queue[8], seats[8];                 /* cards to be placed, and whose */
    uint8_t first, last, passed, swapping;               /* 0: none; NOBODY: nobody */
    uint8_t held[BUFFALO_PLAYERS], hand[BUFFALO_PLAYERS][BUFFALO_HAND]; /* ascending */
    uint8_t n_cards, cards[BUFFALO_HAND];                               /* the buffalo's, next first */
    uint8_t filler[3];
} buffalo_table;

/* One of many games in step. Whoever acts has a seat here: the players, and behind them the team. */
typedef struct {
    uint64_t seed;
    buffalo_table table;
    int16_t options[BUFFALO_SEATS][BUFFALO_HAND];   /* by seat the actions it has: the first so many */
    int16_t counts[BUFFALO_SEATS];                  /* of the team: so many, one after the other from its first on */
    uint8_t players, hand, deck, between, takes_at; /* what is played: the workspace must say the same */
    uint8_t phase, asked, turn;
    uint8_t end[BUFFALO_ROWS], sum[BUFFALO_ROWS]; /* of rows: last cards, heads */
    /* special cards that have left the game, by kind; cards in both piles */
    uint8_t used[8], sizes[2];
    uint8_t logged, log[BUFFALO_LOG][5];         /* what the last step did: seat, card, row, how, heads taken */
    uint8_t played[BUFFALO_HAND][BUFFALO_SEATS]; /* cards turned up, by turn and seat, the buffalo's last */
    uint8_t pile[BUFFALO_CARDS];                 /* a 1 for each card in the team's pile */
} nl_buffalo_game;

typedef struct {
    uint64_t key, first, rng;
    int64_t stats[NL_STATS * BUFFALO_OPTIONS];
    /* of each option: how much better than option `usual` it ended, and the squares */
    int64_t gains[2 * BUFFALO_OPTIONS];
    int32_t players, hand, deck, between, takes_at; /* what is played; Insert and Push take a row of so many cards */
    int32_t policies[8], lows[8];
    int32_t tie_loses;
    int32_t wins;               /* of games in step: whether rewards are wins */
    int32_t team;               /* whether special cards are used (team.h), or always passed */
    int32_t risk[6 * NL_CARDS]; /* see `risk` in games/classic/policy.h */
    /* the last placement: side, kind of take (0 none, 1 full, 2 low, 3 other), heads, row */
    int32_t log[4];
    int32_t plays[8]; /* cards to reveal, by seat */
    /* A search: who (-1: the team), what is asked (0 card, 1 row, 2 use, 3 card to swap in), options */
    int32_t me, asked, n_options, options[BUFFALO_OPTIONS];
    int32_t tried[BUFFALO_OPTIONS]; /* how often each was, where that is for the core to say */
    int32_t usual;                  /* the option that the others are compared with (-1: none) */
    int32_t n_pool, n_special_pool; /* unseen cards; special cards that lie nowhere in sight */
    /* The buffalo's pile: cards of each kind of heads it may have, and how likely up to each such mix, in parts of 2^31 */
    int32_t n_mixes, n_kinds, kinds[8], mixes[8 * BUFFALO_MIXES], chance[BUFFALO_MIXES];
    int32_t n_codes, codes[BUFFALO_CODES], values[BUFFALO_CODES];
    buffalo_table table;
    uint8_t card_heads[NL_CARDS], pool[NL_CARDS], special_pool[BUFFALO_SPECIALS];
} nl_buffalo;

NL_API int32_t nl_buffalo_layout(nl_field *into, int32_t count);
/* Rounds w->first … on: BUFFALO_FIELDS numbers per round and side (team, buffalo) into `out`, of `size` bytes. */
NL_API int32_t nl_buffalo_rounds(nl_buffalo *w, int32_t rounds, int32_t *out, int32_t size);
/* Round w->first dealt. Then its steps, one a call: reveal w->plays, do a use, name the card to swap in, place the next
   card (a player's low card takes `row`). */
NL_API int32_t nl_buffalo_deal(nl_buffalo *w);
NL_API int32_t nl_buffalo_reveal(nl_buffalo *w);
NL_API int32_t nl_buffalo_use(nl_buffalo *w, int32_t use);
NL_API int32_t nl_buffalo_swap(nl_buffalo *w, int32_t card);
NL_API int32_t nl_buffalo_place(nl_buffalo *w, int32_t row);
/* 1 or 0: whether the team may do that now. */
NL_API int32_t nl_buffalo_legal(nl_buffalo *w, int32_t use);
/* The choice of the team's policy now. */
NL_API int32_t nl_buffalo_team(nl_buffalo *w);
/* For each of w->codes: what the rest of this turn brings by it (team.h). */
NL_API int32_t nl_buffalo_outlooks(nl_buffalo *w);
/* The choice that playouts would make: a card, a row, a use. */
NL_API int32_t nl_buffalo_usual(nl_buffalo *w);
/* So many playouts more for each option, added to w->stats and, if one is usual, to w->gains. */
NL_API int32_t nl_buffalo_search(nl_buffalo *w, int32_t playouts);
/* One player's card, from the whole hand: so many playouts more in a tree (lone.h), added to w->stats and w->tried. The tree is
   `bytes` long and begins as zeros. */
NL_API int32_t nl_buffalo_alone(nl_buffalo *w, void *tree, int32_t bytes, int32_t playouts);
/* Bytes of a tree. */
NL_API int32_t nl_buffalo_tree(void);

/* Many games in step (games.c). A record that cannot be is refused. */
NL_GAMES(buffalo, nl_buffalo, nl_buffalo_game, uint8_t)

#endif
