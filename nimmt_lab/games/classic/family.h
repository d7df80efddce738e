/* What the classic family's files share: policies and placing, and the checks of what comes from outside. */
#ifndef NIMMT_FAMILY_H
#define NIMMT_FAMILY_H

#include "kernel.h"
#include "memory.h"
#include "policy.h"

/* Round w->first laid out in the workspace, without a look at what the settings are (kernel.c). */
void nl_deal_round(nl_work *w);

static inline void get_table(const nl_work *w, Table *t) {
    for (int i = 0; i < 4; i++) {
        t->end[i] = w->end[i];
        t->count[i] = w->count[i];
        t->sum[i] = w->sum[i];
        t->mark[i] = w->mark[i];
        t->shows[i] = w->shows[i];
    }
    memcpy(t->rows, w->rows, sizeof t->rows);
}

static inline void put_table(nl_work *w, const Table *t) {
    for (int i = 0; i < 4; i++) {
        w->end[i] = t->end[i];
        w->count[i] = t->count[i];
        w->sum[i] = t->sum[i];
        w->mark[i] = t->mark[i];
        w->shows[i] = t->shows[i];
    }
    memcpy(w->rows, t->rows, sizeof t->rows);
}

/* Four cards start the rows, lowest on top where that is the rule (R-A2); then the fan cards beside them. */
ALWAYS void start_rows(const int flags, const nl_work *w, uint8_t *first, Table *t) {
    if (w->draft || w->ascending)
        for (int i = 1; i < ROWS; i++) {
            uint8_t card = first[i];
            int j = i;
            for (; j > 0 && first[j - 1] > card; j--) first[j] = first[j - 1];
            first[j] = card;
        }
    for (int row = 0; row < ROWS; row++) {
        int card = first[row];
        t->end[row] = card;
        t->count[row] = 1;
        t->sum[row] = w->heads[card];
        t->rows[row][0] = (uint8_t)card;
    }
    for (int i = 0; i < 4; i++) {
        t->mark[i] = -1;
        t->shows[i] = 0;
    }
    if (flags & EVEN_ODD) even_odd_goes(t, -1);
    if (flags & MOUNTAIN) mountain_starts(t);
    if (flags & JUMPING_COW) t->mark[COW_MARK] = lowest_other(t, -1);
}

/* Policies from `policies` on are unknown. Outcomes are bytes, so all heads together must fit into one. */
static inline int check_settings(const nl_work *w, int policies) {
    if (w->players < 2 || w->players > 10 || w->hand < 1 || w->hand > 10) return NL_BAD_SIZE;
    if (w->deck < w->players * w->hand + ROWS || w->deck > LAST_CARD) return NL_BAD_SIZE;
    if (w->flags < 0 || w->flags > 31) return NL_BAD_CODE;
    for (int seat = 0; seat < w->players; seat++) {
        if (w->policies[seat] < 0 || w->policies[seat] >= policies) return NL_BAD_CODE;
        if (w->lows[seat] < 0 || w->lows[seat] >= LOW_POLICIES) return NL_BAD_CODE;
    }
    int heads = 0;
    for (int card = 0; card < NL_CARDS; card++) heads += w->heads[card];
    if (heads > 255) return NL_BAD_SIZE;
    for (int i = 0; i < 6 * NL_CARDS; i++)
        if (w->risk[i] < 0 || w->risk[i] > 4096) return NL_BAD_SIZE;
    return NL_OK;
}

static inline int check_cards(const uint8_t *cards, int count) {
    for (int i = 0; i < count; i++)
        if (cards[i] < 1 || cards[i] > LAST_CARD) return NL_BAD_CODE;
    return NL_OK;
}

static inline int check_table(const nl_work *w) {
    for (int row = 0; row < ROWS; row++) {
        if (w->end[row] < 1 || w->end[row] > LAST_CARD || w->count[row] < 1 || w->count[row] > PLACES)
            return NL_BAD_CODE;
        if (w->sum[row] < 0 || w->sum[row] > 255) return NL_BAD_CODE;
        /* A row is worth its cards: whoever takes all but one of them (the cow) must not be paid for it. */
        int worth = w->heads[w->end[row]];
        if (LOOKS(w->flags)) {
            if (check_cards(w->rows + 8 * row, w->count[row])) return NL_BAD_CODE;
            worth = 0;
            for (int i = 0; i < w->count[row]; i++) worth += w->heads[w->rows[8 * row + i]];
        }
        if (w->sum[row] < worth) return NL_BAD_CODE;
    }
    for (int marker = 0; marker < 3; marker++)
        if ((w->flags >> marker & 1) && (w->mark[marker] < 0 || w->mark[marker] >= ROWS)) return NL_BAD_CODE;
    if ((w->flags & JUMPING_COW) && w->count[w->mark[COW_MARK]] >= PLACES) return NL_BAD_CODE;
    if (w->flags & MOUNTAIN) {
        int step = w->shows[MOUNTAIN_MARK], row = w->mark[MOUNTAIN_MARK] + step;
        if ((step != 1 && step != -1) || row < 0 || row >= ROWS) return NL_BAD_CODE;
    }
    return NL_OK;
}

#endif
