/* Shared by the classic family's files: policies, placing, and the validation of input. */
#ifndef NIMMT_FAMILY_H
#define NIMMT_FAMILY_H

#include "kernel.h"
#include "memory.h"
#include "policy.h"

/* Deal round w->first into the workspace, without checking the settings (kernel.c). */
void nl_deal_round(nl_classic *w);

static inline Rules rules_of(const nl_classic *w) { return (Rules){w->flags, (int16_t)w->n_rows, (int16_t)w->places}; }
static inline int is_usual(const nl_classic *w) { return w->n_rows == USUAL_ROWS && w->places == USUAL_PLACES; }

/* The first cards start the rows, lowest first where the rules say so (R-A2); then the fan cards are put beside them. */
ALWAYS void start_rows(const Rules r, const nl_classic *w, uint8_t *first, Table *t) {
    if (w->draft || w->ascending)
        for (int i = 1; i < r.rows; i++) nl_insert(first, i, first[i]);
    for (int row = 0; row < r.rows; row++) {
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
    if (r.flags & EVEN_ODD) even_odd_goes(r, t, -1);
    if (r.flags & MOUNTAIN) mountain_starts(r, t);
    if (r.flags & JUMPING_COW) cow_starts(r, t);
}

/* Check the settings. Policies from `policies` on are unknown. Outcomes are bytes, so the heads of all cards must fit
   into one. Fan cards need rows to move to, and the cow a place beside a card. */
static inline int check_settings(const nl_classic *w, int policies) {
    if (w->players < 2 || w->players > 10 || w->hand < 1 || w->hand > 10) return NL_BAD_SIZE;
    if (w->n_rows < 1 || w->n_rows > MOST_ROWS || w->places < 1 || w->places > MOST_PLACES) return NL_BAD_SIZE;
    if (w->deck < w->players * w->hand + w->n_rows || w->deck > LAST_CARD) return NL_BAD_SIZE;
    if (w->flags < 0 || w->flags > 31) return NL_BAD_CODE;
    if ((w->flags & (EVEN_ODD | MOUNTAIN | JUMPING_COW)) && w->n_rows < 2) return NL_BAD_SIZE;
    if ((w->flags & JUMPING_COW) && w->places < 2) return NL_BAD_SIZE;
    for (int seat = 0; seat < w->players; seat++)
        if (is_outside(w->policies[seat], 0, policies - 1) || is_outside(w->lows[seat], 0, LOW_POLICIES - 1))
            return NL_BAD_CODE;
    int heads = 0;
    for (int card = 0; card < NL_CARDS; card++) heads += w->heads[card];
    if (heads > 255) return NL_BAD_SIZE;
    int wrong = 0; /* no branches, because every call does this */
    for (int i = 0; i < (w->places + 1) * NL_CARDS; i++) wrong |= (uint32_t)w->risk[i] > 4096;
    return wrong ? NL_BAD_SIZE : NL_OK;
}

/* Each seat's policy in this playout: its own, or one drawn with its odds. */
static inline void draw_kinds(nl_classic *w, int32_t *kinds) {
    for (int seat = 0; seat < w->players; seat++) {
        const int32_t *odds = w->odds + NL_KINDS * seat;
        int all = 0, kind = 0;
        for (int i = 0; i < NL_KINDS; i++) all += odds[i];
        kinds[seat] = w->policies[seat];
        if (all == 0) continue;
        for (int at = (int)nl_below(&w->rng, (uint32_t)all); at >= odds[kind]; kind++) at -= odds[kind];
        kinds[seat] = w->kinds[kind];
    }
}

static inline int check_odds(const nl_classic *w) {
    for (int i = 0; i < NL_KINDS * w->players; i++)
        if (w->odds[i] < 0 || w->odds[i] > 1 << 16) return NL_BAD_SIZE;
    return NL_OK;
}

static inline int check_cards(const uint8_t *cards, int count) {
    for (int i = 0; i < count; i++)
        if (cards[i] < 1 || cards[i] > LAST_CARD) return NL_BAD_CODE;
    return NL_OK;
}

/* The settings have been checked before. */
static inline int check_table(const nl_classic *w) {
    const Table *t = &w->t;
    for (int row = 0; row < w->n_rows; row++) {
        if (is_outside(t->end[row], 1, LAST_CARD) || is_outside(t->count[row], 1, w->places)) return NL_BAD_CODE;
        if (is_outside(t->sum[row], 0, 255)) return NL_BAD_CODE;
        /* The value of a row depends on its cards: taking all but one of them (the cow) must never gain. */
        int worth = w->heads[t->end[row]];
        if (LOOKS(w->flags)) {
            if (check_cards(t->rows[row], t->count[row])) return NL_BAD_CODE;
            worth = 0;
            for (int i = 0; i < t->count[row]; i++) worth += w->heads[t->rows[row][i]];
        }
        if (t->sum[row] < worth) return NL_BAD_CODE;
    }
    for (int marker = 0; marker < 3; marker++)
        if ((w->flags >> marker & 1) && (t->mark[marker] < 0 || t->mark[marker] >= w->n_rows)) return NL_BAD_CODE;
    if ((w->flags & JUMPING_COW) && cow_overfills(t, t->mark[COW_MARK], w->places)) return NL_BAD_CODE;
    if ((w->flags & MOUNTAIN) && !mountain_stands(t, w->n_rows)) return NL_BAD_CODE;
    return NL_OK;
}

#endif
