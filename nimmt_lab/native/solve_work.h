/* The working memory of one search, and the parts it is made of. Callers see bytes only (nl_solve_work). */
#ifndef NIMMT_SOLVE_WORK_H
#define NIMMT_SOLVE_WORK_H

#include "solve_fan.h"
#include "solve_game.h"
#include "solve_table.h"
#include "solve_value.h"

#define MOST_EACH 10
#define LAST_CARD 104
/* Tables are asked about the positions after a turn, before any search, if this one has more cards a hand. */
#define PROBE_FROM 4

/* One way a turn can end: a pair of cards, the rows their players choose, the heads at once, the rows after it. */
typedef struct {
    uint64_t rows;
    int32_t now, lo, hi, guess;
    int32_t marker;
} leaf;

/* The table of a turn: what is known of every pair of choices. */
typedef struct {
    int32_t lo, hi, guess;
    int8_t owner;       /* who chooses a row first, with how many ways: > 0 A, < 0 B */
    uint8_t replies[4]; /* and how many ways the other then has */
    uint16_t asked;
} entry;

/* Where a search is inside a position. Positions of one line of play make a stack of these. */
typedef struct {
    int32_t k, phase, full, refine, turned, marker;
    uint32_t mask_a, mask_b;
    uint64_t rows;
    key is;
    int64_t alpha, beta, lo, hi, guess, ask, ask_lo, ask_hi, old_lo, old_hi;
    int32_t tolerance, below, bracket, m, n, count_a, count_b, round, who, waiting, turn, at, tries, spot;
    double v, goal, most;
} frame;

/* What a level of the search (so many cards a hand) keeps. Entries and leaves lie behind the work, see level_of. */
typedef struct {
    uint8_t cards_a[MOST_CHOICES], cards_b[MOST_CHOICES]; /* what A and B may play */
    uint8_t small_a[MOST_CHOICES], small_b[MOST_CHOICES]; /* what the small game considers */
    uint8_t in_a[MOST_CHOICES], in_b[MOST_CHOICES];       /* whether it is among those */
    uint8_t order[MOST_CHOICES];                          /* which to try next */
    int32_t m, n;
    double mix[2][MOST_CHOICES];
    entry *entries; /* [i * wide + j] */
    leaf *leaves;   /* [(i * wide + j) * leaves + choice (* 4 + reply)] */
} level;

typedef struct {
    table main, side;
    /* The question */
    int32_t kind, shift, base, unstored, wide, ways, cards_each, marker, jitter;
    int64_t cap;
    /* What was learned, by cards a hand (0: nothing); an estimate stops at `cut` cards a hand and takes that. */
    const int16_t *learned[MOST_EACH + 1];
    int32_t cut, grain; /* grain: how wide answers may be, in units a level */
    /* The main table of an estimate that stopped below so many cards a hand: what it found orders this search. */
    table guide;
    int32_t guided_from; /* MOST_EACH + 1: there is none */
    uint32_t mask_a, mask_b;
    uint64_t rows, heads;
    classes classes;
    uint8_t cards[MOST_CARDS], heads_by_card[LAST_CARD + 1];
    /* Where it is */
    int32_t state, stop, depth, turn, first_tried;
    bounds answer, found, root; /* of the last position searched, the last question, the root so far */
    int64_t nodes, stored, doubt;
    frame stack[2 * MOST_EACH + 2];
    level levels[MOST_EACH + 1];
    game game;
} work;

static inline leaf *leaf_of(const work *w, const level *l, int at, int choice, int reply) {
    return l->leaves + (w->ways == 4 ? at * 4 + choice : at * 16 + choice * 4 + reply);
}

/* solve_turns.c */

/* The key of a position, players in their places. */
key key_of(const work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker);

/* Whether the two players change places in the key: A shall hold the lowest card (fan cards: never). */
static inline int is_turned(const work *w, uint32_t mask_a, uint32_t mask_b) {
    uint32_t left = mask_a | mask_b;
    return w->kind == PLAIN && (mask_b & (left & -left)) != 0;
}

/* Every pair of choices of a position: heads at once, rows after it, bounds from the tables, estimates; the small game
 * starts with the two cards that look best at worst. */
void lay_out(work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker, int below);

/* Bounds and estimate of an entry from its row choices, and the one to search next for a window. */
typedef struct {
    int32_t spot; /* index into leaves, -1: nothing left to ask */
    int64_t ask_lo, ask_hi, lo, hi, guess;
} weighed;
weighed weigh(const work *w, const level *l, int at, int64_t ask_lo, int64_t ask_hi, int below);

/* The learned guess at a position, in units. */
int32_t learned_value(const work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows);

/* solve_three.c: bounds of a position with three cards each for the window (alpha, beta). */
bounds three_cards(work *w, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int64_t alpha, int64_t beta);

#endif
