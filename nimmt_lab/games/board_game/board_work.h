/* The board game's workspace: material, settings, and the game itself. It belongs to the caller. */
#ifndef NIMMT_BOARD_WORK_H
#define NIMMT_BOARD_WORK_H

#include "work.h"

enum {
    NL_BOARD_SEATS = 6,
    NL_BOARD_ROWS = 16, /* largest number of rows, and of fields in a row */
    NL_BOARD_FIELDS = 24,
    NL_BOARD_ACTIONS = 64,  /* action cards in all */
    NL_BOARD_QUEUE = 104,   /* tiles waiting to be placed, or in the stock */
    NL_BOARD_OPTIONS = 512, /* options compared in a search, or open to the next player */
    NL_BOARD_TILES = 128    /* size of arrays by tile */
};

/* The cards played for the tile to be placed next. */
typedef struct {
    int32_t skips, row, at_start, luck, n_tiles;
    uint8_t tiles[2], filler[2];
} nl_board_plan;

typedef struct {
    uint64_t rng;
    uint64_t hands[NL_BOARD_SEATS][2], piles[NL_BOARD_SEATS][2]; /* sets of tiles */
    int32_t totals[NL_BOARD_SEATS];
    int32_t round, turn, over, asked, two; /* `two`: whether two tiles are chosen */
    int32_t stops;                         /* a set of rows */
    int32_t owed_seat, owed, starting;
    int32_t luck[NL_BOARD_SEATS][2], luck_stacks[2];
    int32_t actions[NL_BOARD_SEATS][6];
    int32_t sum[NL_BOARD_ROWS]; /* heads in a row */
    /* Statistics: rows taken; those whose tile restarted the row at once; turns with a take; the last of these */
    int32_t takes[NL_BOARD_SEATS], full[NL_BOARD_SEATS], take_turns[NL_BOARD_SEATS], take_turn[NL_BOARD_SEATS];
    int32_t n_queue, n_stock, n_deck, n_discards;
    int32_t quiet; /* whether nothing else has happened since a row was taken */
    nl_board_plan plan;
    uint8_t length[NL_BOARD_ROWS], end[NL_BOARD_ROWS], rows[NL_BOARD_ROWS][NL_BOARD_FIELDS];
    uint8_t queue_tile[NL_BOARD_QUEUE], queue_seat[NL_BOARD_QUEUE];
    uint8_t stock[NL_BOARD_QUEUE], deck[NL_BOARD_ACTIONS]; /* the next one last */
    uint8_t discards[NL_BOARD_ACTIONS];                    /* in the order of play */
} nl_board_state;

typedef struct {
    uint64_t key, first;
    uint64_t dice;                              /* random stream of the choices */
    uint64_t rng;                               /* random stream of vectorised games */
    int64_t stats[NL_STATS * NL_BOARD_OPTIONS]; /* of each option (nl_note) */
    nl_board_state state;
    /* What is played */
    int32_t players, advanced, luck, first_acts, refills, n_rows, n_twos, widest;
    int32_t action_cards[6], luck_cards[2];
    int32_t wins; /* vectorised games: whether rewards are wins instead of points */
    int32_t policies[NL_BOARD_SEATS], lows[NL_BOARD_SEATS];
    int32_t stray[NL_BOARD_SEATS];   /* how many of 256 tile choices are random */
    int32_t choices[NL_BOARD_SEATS]; /* choices, by seat */
    /* A search: the seat, what hidden seats hold, the number of unseen tiles, the options */
    int32_t me, tiles_of[NL_BOARD_SEATS], actions_of[NL_BOARD_SEATS], n_unseen, n_unseen_actions, n_options;
    int32_t options[NL_BOARD_OPTIONS];
    /* whether the seat's own tiles and action cards are hidden as well: then its only option is -1, its policy */
    int32_t blind;
    int32_t chance[2][NL_BOARD_TILES][4]; /* see `worth_of_tile` in board_policy.h */
    int32_t risk[NL_BOARD_FIELDS][NL_BOARD_TILES];
    nl_belief belief;
    uint8_t fields[NL_BOARD_ROWS], kind[NL_BOARD_ROWS][NL_BOARD_FIELDS];
    int8_t points[NL_BOARD_ROWS][NL_BOARD_FIELDS];
    uint8_t two_row[NL_BOARD_ROWS * NL_BOARD_FIELDS], two_slot[NL_BOARD_ROWS * NL_BOARD_FIELDS];
    uint8_t heads[NL_BOARD_TILES], clovers[NL_BOARD_TILES];
    uint8_t unseen[NL_BOARD_TILES], unseen_actions[NL_BOARD_ACTIONS];
} nl_board;

#endif
