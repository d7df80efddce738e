/* A tree of one player's choices. Which card of the buffalo comes is chance: a node is what was played, and between which ends
   of rows (and on which side of one's own card) the buffalo's cards fell. Whole numbers only, so the same everywhere. */
#ifndef NIMMT_BUFFALO_LONE_H
#define NIMMT_BUFFALO_LONE_H

#include "games/buffalo/team.h"

/* A win, and what a head is worth beside it; a node is grown under a card that was played so often; how the usual card (three
   times as likely as another to be good) and cards seldom tried are favoured. Found by trying. */
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

/* Where in the hand the card to try next is: promising, or seldom tried. */
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

/* One playout from a dealt table, through the tree and on; where in the hand its first card is. */
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
