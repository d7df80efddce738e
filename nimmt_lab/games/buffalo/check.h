/* Beat the Buffalo: validation of input before it is used. */
#ifndef NIMMT_BUFFALO_CHECK_H
#define NIMMT_BUFFALO_CHECK_H

#include "games/buffalo/turn.h"

enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, ALONE };

static inline int no_card(int card) { return card < 1 || card > BUFFALO_CARDS; }

static inline int check_buffalo(const nl_buffalo *w) {
    if (w->players < 1 || w->players > BUFFALO_PLAYERS || w->hand < 1 || w->hand > BUFFALO_HAND) return NL_BAD_SIZE;
    if (w->deck > BUFFALO_CARDS || w->deck < (w->players + 1) * w->hand + BUFFALO_ROWS) return NL_BAD_SIZE;
    if (w->takes_at != PLACES && w->takes_at != PLACES + 1) return NL_BAD_CODE;
    for (int seat = 0; seat < w->players; seat++) {
        if (is_outside(w->policies[seat], 0, w->players > 1 ? ALONE - 1 : ALONE)) return NL_BAD_CODE;
        if (is_outside(w->lows[seat], 0, LOW_POLICIES - 1)) return NL_BAD_CODE;
    }
    for (int i = 0; i < 6 * NL_CARDS; i++)
        if (w->risk[i] < 0 || w->risk[i] > 4096) return NL_BAD_SIZE;
    return NL_OK;
}

/* Check that every step can be played on this table; `known`: all hands and the buffalo's cards are known. */
static inline int check_buffalo_table(const nl_buffalo *w, const buffalo_table *t, int known) {
    uint8_t seen[NL_CARDS] = {0};
    int empty = 0, lying = 0;
    if (t->heads[0] < 0 || t->heads[0] > 1000 || t->heads[1] < 0 || t->heads[1] > 1000) return NL_BAD_SIZE;
    if (t->seven > 15 || t->stopped > 15 || t->n_empty > BUFFALO_ROWS) return NL_BAD_CODE;
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        if (t->count[row] > limit_of(t, row, PLACES)) return NL_BAD_SIZE;
        empty += !t->count[row];
        lying += t->stopped >> row & 1;
        if (!t->count[row] && (t->stopped >> row & 1)) return NL_BAD_CODE;
        for (int i = 0; i < t->count[row]; i++) {
            int card = t->rows[row][i];
            if (no_card(card) || seen[card]++ || (i && card < t->rows[row][i - 1])) return NL_BAD_CODE;
        }
    }
    if (empty != t->n_empty || lying > 2) return NL_BAD_CODE;
    for (int i = 0; i < t->n_empty; i++) {
        if (t->empty[i] >= BUFFALO_ROWS || t->count[t->empty[i]]) return NL_BAD_CODE;
        for (int j = 0; j < i; j++)
            if (t->empty[i] == t->empty[j]) return NL_BAD_CODE;
    }
    if (t->n_up > 2 || t->n_deck > BUFFALO_SPECIALS || t->n_queue > w->players + 1) return NL_BAD_SIZE;
    /* At most two Stops, in play or to come, so a low card always finds a row. */
    for (int i = 0; i < t->n_up; i++) {
        if (t->up[i] >= KINDS) return NL_BAD_CODE;
        lying += t->up[i] == STOP;
    }
    for (int i = 0; known && i < t->n_deck; i++) {
        if (t->deck[i] >= KINDS) return NL_BAD_CODE;
        lying += t->deck[i] == STOP;
    }
    if (lying > 2) return NL_BAD_CODE;
    int waiting = 0;
    for (int i = 0; i < t->n_queue; i++) {
        if (t->seats[i] > w->players || (waiting >> t->seats[i] & 1)) return NL_BAD_CODE;
        if (no_card(t->queue[i]) || seen[t->queue[i]]++) return NL_BAD_CODE;
        waiting |= 1 << t->seats[i];
    }
    if (t->n_cards > BUFFALO_HAND) return NL_BAD_SIZE;
    for (int seat = 0; seat < w->players; seat++) {
        if (t->held[seat] + (waiting >> seat & 1) > BUFFALO_HAND) return NL_BAD_SIZE;
        if (known || seat == w->me)
            for (int i = 0; i < t->held[seat]; i++)
                if (no_card(t->hand[seat][i]) || seen[t->hand[seat][i]]++) return NL_BAD_CODE;
    }
    for (int i = 0; known && i < t->n_cards; i++)
        if (no_card(t->cards[i]) || seen[t->cards[i]]++) return NL_BAD_CODE;
    if (t->swapping != NOBODY)
        if (t->swapping >= w->players || !(waiting >> t->swapping & 1) || !t->held[t->swapping]) return NL_BAD_CODE;
    return NL_OK;
}

#endif
