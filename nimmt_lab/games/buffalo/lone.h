/* Tree search for a solo player. The buffalo's card is a chance event: a node stands for the cards played, and for
   the gaps between rows' ends (and the side of the own card) into which the buffalo's cards fell. Integers only, so
   the result is the same everywhere. */
#ifndef NIMMT_BUFFALO_LONE_H
#define NIMMT_BUFFALO_LONE_H

#include "games/buffalo/team.h"

/* The value of a win, and of a head in comparison; the visits of a card before its node is expanded; the bonus of the
   usual card (assumed three times as likely to be good as another) and of rarely tried cards. Tuned by experiment. */
enum { LONE_WIN = 4096, LONE_HEAD = 20, LONE_OFTEN = 5, LONE_CURIOUS = 4096, LONE_USUAL = 3 };
enum { LONE_NODES = 8192, LONE_PLACES = 2 * (BUFFALO_ROWS + 1) };

typedef struct {
    int64_t sum, sums[BUFFALO_HAND];
    int32_t visits, usual, count[BUFFALO_HAND];
    uint16_t next[BUFFALO_HAND][LONE_PLACES];
} lone_node;

/* Zeroed memory is an unvisited root. */
typedef struct {
    int64_t more;
    lone_node node[LONE_NODES];
} lone_tree;

static inline int32_t root_of(int32_t square) {
    int32_t root = 0;
    for (int32_t bit = 1 << 15; bit; bit >>= 1)
        if ((root + bit) * (int64_t)(root + bit) <= square) root += bit;
    return root;
}

/* The index in the hand of the card to try next: promising or rarely tried. */
static inline int to_try(const nl_buffalo *w, const buffalo_table *t, lone_node *node) {
    const int held = t->held[0];
    int pick = 0, best = -0x7fffffff;
    if (held == 1) return 0;
    if (!node->visits) {
        const int card = lone_choice(w, t);
        while (t->hand[0][node->usual] != card) node->usual++;
        return node->usual;
    }
    const int curious = LONE_CURIOUS / (held - 1 + LONE_USUAL) * root_of(node->visits << 8) / 16;
    for (int i = 0; i < held; i++) {
        int value = (int)(node->count[i] ? node->sums[i] / node->count[i] : node->sum / node->visits);
        value += curious * (i == node->usual ? LONE_USUAL : 1) / (1 + node->count[i]);
        if (value > best) {
            best = value;
            pick = i;
        }
    }
    return pick;
}

static inline void lone_turn(const nl_buffalo *w, buffalo_table *t, int card) {
    const int32_t plays[8] = {card};
    int heads, row;
    reveal(w, t, plays);
    while (t->n_queue) place_next(w, t, -1, &heads, &row);
}

/* One playout from a dealt table, through the tree and on to the end; returns the index of its first card. */
static inline int lone_playout(const nl_buffalo *w, lone_tree *tree, buffalo_table *t) {
    int path[BUFFALO_HAND], played[BUFFALO_HAND], at = 0, depth = 0;
    for (int inside = 1; inside && t->held[0];) {
        lone_node *node = &tree->node[at];
        const int pick = to_try(w, t, node), card = t->hand[0][pick], theirs = t->n_cards ? t->cards[0] : 0;
        int place = theirs < card;
        for (int row = 0; row < BUFFALO_ROWS; row++) place += 2 * (t->count[row] && end_of(t, row) < theirs);
        path[depth] = at;
        played[depth++] = pick;
        lone_turn(w, t, card);
        uint16_t *next = &node->next[pick][place];
        inside = *next;
        if (!inside && node->count[pick] >= LONE_OFTEN && tree->more < LONE_NODES - 1) *next = (uint16_t)++tree->more;
        at = inside ? *next : at;
    }
    while (t->held[0]) lone_turn(w, t, lone_choice(w, t));
    const int value = (counted(w, t) < t->heads[1] ? LONE_WIN : 0) - LONE_HEAD * counted(w, t);
    for (int i = 0; i < depth; i++) {
        lone_node *node = &tree->node[path[i]];
        node->visits++;
        node->sum += value;
        node->count[played[i]]++;
        node->sums[played[i]] += value;
    }
    return played[0];
}

#endif
