/* The working memory of a search. To callers it is opaque bytes (nl_solve_work). */
#ifndef NIMMT_SOLVE_WORK_H
#define NIMMT_SOLVE_WORK_H

#include "solve_marked.h"
#include "solve_game.h"
#include "solve_table.h"
#include "solve_value.h"

#define MOST_EACH 10
#define LAST_CARD 104
/* With more cards per hand than this, look up the positions after a turn in the tables before searching. */
#define PROBE_FROM 4
/* Trained estimates kept: two thirds are soon needed again, and a network costs as much as several lookups. */
#define GUESSES_LOG2 15

/* One outcome of a turn, for a pair of cards and the rows their players choose: immediate heads, and the new rows. */
typedef struct {
    uint64_t rows;
    int32_t now, lo, hi, guess;
    int32_t marker;
} leaf;

/* A matrix entry of a turn: bounds and an estimate for a pair of choices. */
typedef struct {
    int32_t lo, hi, guess;
    int8_t owner;       /* who chooses a row first (> 0 A, < 0 B) and from how many */
    uint8_t replies[4]; /* the number of choices the other player then has */
    uint16_t asked;
} entry;

/* The state of the search in one position; a line of play is a stack of these. */
typedef struct {
    int32_t k, phase, full, refine, turned, marker;
    uint32_t mask_a, mask_b;
    uint64_t rows;
    key is;
    int64_t alpha, beta, lo, hi, guess, ask, ask_lo, ask_hi, old_lo, old_hi;
    int32_t tolerance, below, bracket, m, n, count_a, count_b, round, who, waiting, turn, later, at, tries, spot,
        marked;
    double v, goal, most;
} frame;

/* A level of the search, by cards per hand. Its entries and leaves are stored after the work; see level_of. */
typedef struct {
    uint8_t cards_a[MOST_CHOICES], cards_b[MOST_CHOICES]; /* the actions of A and B */
    uint8_t small_a[MOST_CHOICES], small_b[MOST_CHOICES]; /* those in the small game */
    uint8_t in_a[MOST_CHOICES], in_b[MOST_CHOICES];       /* whether an action is in it */
    uint8_t order[MOST_CHOICES];                          /* candidates in order */
    int32_t m, n;
    uint8_t favourite[2]; /* the likeliest actions of A and B in the last position of this level */
    double mix[2][MOST_CHOICES];
    entry *entries; /* [i * wide + j] */
    leaf *leaves;   /* [(i * wide + j) * leaves + choice (* 4 + reply)] */
} level;

typedef struct {
    table main, side;
    /* The question */
    int32_t kind, shift, base, unstored, wide, ways, cards_each, marker, jitter;
    int64_t cap;
    /* Trained weights by cards per hand, or null. An estimate stops searching at `cut` cards per hand and uses them. */
    const int16_t *learned[MOST_EACH + 1];
    /* Trained estimates computed before (1 << GUESSES_LOG2 words), or null. */
    uint64_t *guesses;
    int32_t cut, grain; /* grain: the allowed width of answers, in units per level */
    /* The main table of an earlier estimate, whose results order the moves of this search. */
    table guide;
    int32_t guided_from; /* the fewest cards per hand in it; MOST_EACH + 1 if there is no guide */
    /* How many works are searching a position, by its hash; null if no other work shares the tables. */
    uint32_t *busy;
    uint32_t busy_mask;
    uint32_t mask_a, mask_b;
    uint64_t rows, heads;
    classes classes;
    uint8_t cards[MOST_CARDS], heads_by_card[LAST_CARD + 1];
    /* Progress */
    int32_t state, stop, depth, turn, first_tried;
    bounds answer, found, root; /* of the last position, the last query, and the root so far */
    int64_t nodes, stored, doubt;
    frame stack[2 * MOST_EACH + 2];
    level levels[MOST_EACH + 1];
    game game;
} work;

static inline leaf *leaf_of(const work *w, const level *l, int at, int choice, int reply) {
    return l->leaves + (w->ways == 4 ? at * 4 + choice : at * 16 + choice * 4 + reply);
}

/* The entry of player who's p-th choice against the other's q-th. */
static inline int place_of(const work *w, int who, int p, int q) {
    return who == 0 ? p * w->wide + q : q * w->wide + p;
}

/* solve_turns.c */

/* The key of a position, without swapping the players. */
key key_of(const work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker);

/* Whether the key swaps the players so that A holds the lowest card. With a marker it never does. */
static inline int is_turned(const work *w, uint32_t mask_a, uint32_t mask_b) {
    uint32_t left = mask_a | mask_b;
    return !w->kind && (mask_b & (left & -left)) != 0;
}

/* Compute immediate heads, new rows, table bounds and estimates for every pair of choices. The small game starts with each
 * player's maximin card. */
void lay_out(work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker, int below);

/* The bounds and estimate of an entry, from its row choices, and which of these to search next for a window. */
typedef struct {
    int32_t spot; /* index into leaves; -1 if none is left to search */
    int64_t ask_lo, ask_hi, lo, hi, guess;
} weighed;
weighed weigh(const work *w, const level *l, int at, int64_t ask_lo, int64_t ask_hi, int below);

/* The trained estimate of a position, in units. */
int32_t learned_value(const work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows);

/* solve_three.c: bounds of a position with three cards each for the window (alpha, beta). */
bounds three_cards(work *w, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int64_t alpha, int64_t beta);

#endif
