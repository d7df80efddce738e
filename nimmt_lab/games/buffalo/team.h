/* How the team and its members play in simulations and playouts. The team's policy is stated in
   nimmt_lab/games/buffalo/team.py, from which the engine plays the same. */
#ifndef NIMMT_BUFFALO_TEAM_H
#define NIMMT_BUFFALO_TEAM_H

#include "games/buffalo/alone.h"

enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, ALONE, POLICIES };
enum { EDGE_BONUS = 1700, TAKES = 1 << 16 };
/* What a card that is not known yet may cost, when a swap is weighed. */
enum { SWAP_RISK = 3 };

/* What is left of the turn, placed without further uses: the buffalo's heads less what counts of the team's. */
static int outlook(const nl_buffalo *w, const buffalo_table *now) {
    buffalo_table t = *now;
    int taken, row;
    while (t.n_queue) place_next(w, &t, -1, &taken, &row);
    return t.heads[1] - counted(w, &t);
}

/* The same after a use. A swap is weighed as if the seat's card were not placed at all, less a risk: nobody knows which
   card will come (R-B18). */
static int outlook_after(const nl_buffalo *w, const buffalo_table *now, int use) {
    buffalo_table t = *now;
    if (use / USES == 2 + SWAP) {
        pull_out(&t, use % USES);
        return outlook(w, &t) - SWAP_RISK;
    }
    carry_out(w, &t, use);
    return outlook(w, &t);
}

/* The number of the order in which the card at `from` is moved to place `to`, the others staying as they are. */
static inline int moved(int n, int from, int to) {
    int number = 0, left[8];
    for (int i = 0; i < n; i++) left[i] = i;
    for (int place = 0, next = 0; place < n; place++) {
        int card;
        if (place == to) card = from;
        else {
            if (next == from) next++;
            card = next++;
        }
        int at = 0;
        while (left[at] != card) at++;
        for (int j = at + 1; j < n - place; j++) left[j - 1] = left[j];
        number += at * orders(n - place - 1);
    }
    return number;
}

typedef struct {
    const nl_buffalo *w;
    const buffalo_table *t;
    int best, use;
} thought;

static inline void consider(thought *it, int use) {
    if (!is_legal(it->w, it->t, use)) return;
    int value = outlook_after(it->w, it->t, use);
    if (value > it->best) {
        it->best = value;
        it->use = use;
    }
}

/* Whether the next card would make a player take a row. */
static inline int threatens(const nl_buffalo *w, const buffalo_table *t) {
    if (t->seats[0] >= w->players || t->n_empty) return 0;
    int row = row_for(t, t->queue[0]);
    return row < 0 || t->count[row] >= limit_of(t, row, PLACES);
}

/* What the team does before the next placement. */
static int team_choice(const nl_buffalo *w, const buffalo_table *t) {
    if (!t->n_queue || (!t->n_up && !t->stopped)) return PASS;
    if (t->n_queue <= w->players && !threatens(w, t)) return PASS;
    const int left = t->n_up + t->n_deck, now = outlook(w, t);
    thought it = {w, t, now, PASS};
    for (int row = 0; row < BUFFALO_ROWS; row++) consider(&it, LIFT + row);
    /* Using a card must gain more while there are many turns for few cards. */
    const int price = left ? 1 + 2 * t->n_cards / left : 0;
    int lift = it.use, gain = it.best - now;
    it.best = now + price - 1;
    it.use = PASS;
    for (int i = 0; i < t->n_up; i++) {
        const int kind = t->up[i], base = USES * (2 + kind);
        if (i && kind == t->up[0]) continue;
        switch (kind) {
        case SEVEN_TAKES:
        case STOP:
        case INSERT:
            for (int row = 0; row < BUFFALO_ROWS; row++) consider(&it, base + row);
            break;
        case SWAP:
            for (int seat = 0; seat < w->players; seat++) consider(&it, base + seat);
            break;
        case PUSH:
            for (int from = 0; from < BUFFALO_ROWS; from++)
                for (int at = 0; at < t->count[from]; at++)
                    for (int row = 0; row < BUFFALO_ROWS; row++) consider(&it, base + 4 * t->rows[from][at] + row);
            break;
        case FIRST:
        case LAST:
            for (int seat = 0; seat < w->players; seat++) consider(&it, base + 2 * seat);
            break;
        default:
            for (int from = 0; from < t->n_queue; from++)
                for (int to = 0; to < t->n_queue; to++)
                    if (from != to) consider(&it, base + moved(t->n_queue, from, to));
        }
    }
    if (it.use != PASS && it.best - now >= gain) return it.use;
    return gain > 0 ? lift : PASS;
}

/* The card that the swapping seat names: what is best for the rest of this turn; the lowest of equals. */
static int swap_choice(const nl_buffalo *w, const buffalo_table *t) {
    int seat = t->swapping, best = 0, pick = 0;
    for (int i = 0; i < t->held[seat]; i++) {
        buffalo_table after = *t;
        swap_in(&after, t->hand[seat][i]);
        int value = outlook(w, &after);
        if (!i || value > best) {
            best = value;
            pick = t->hand[seat][i];
        }
    }
    return pick;
}

/* What a card that fits nowhere takes: the cheapest row that is not stopped (R-B3); nothing, where all are. */
static inline int low_heads(const nl_buffalo *w, const buffalo_table *t) {
    int rows = rows_to_take(t);
    return rows ? heads_of(w, t, cheapest(w, t, rows, CHEAPEST)) : 0;
}

/* Roughly the heads a card will take this turn (least_risk in nimmt_lab/bots/simple.py). */
static inline int card_risk(const nl_buffalo *w, const buffalo_table *t, int card) {
    int row = row_for(t, card);
    if (row < 0) return 8 * low_heads(w, t) * w->risk[card];
    int count = t->count[row] < PLACES ? t->count[row] : PLACES;
    return (8 * heads_of(w, t, row) + 13 * (PLACES - count)) * w->risk[NL_CARDS * count + card - end_of(t, row) - 1];
}

static inline int unsafety(const nl_buffalo *w, const buffalo_table *t, int card) {
    int row = row_for(t, card);
    if (row < 0) return TAKES + (low_heads(w, t) << 7) + card;
    if (t->count[row] >= PLACES) return TAKES + (heads_of(w, t, row) << 7) + card;
    return ((card - end_of(t, row)) << 7) + card;
}

static inline int choose_card(const nl_buffalo *w, const buffalo_table *t, int seat, uint64_t *rng) {
    const int policy = w->policies[seat], held = t->held[seat];
    const uint8_t *hand = t->hand[seat];
    if (policy == RANDOM) return hand[nl_below(rng, (uint32_t)held)];
    if (policy == LOWEST) return hand[0];
    if (policy == HIGHEST) return hand[held - 1];
    if (policy == ALONE) return lone_choice(w, t);
    int pick = hand[0], best = 0x7fffffff;
    for (int i = 0; i < held; i++) {
        int card = hand[i], cost = policy == CLOSEST_SAFE ? unsafety(w, t, card) : card_risk(w, t, card);
        int off = card > BUFFALO_CARDS / 2 ? card - BUFFALO_CARDS / 2 : BUFFALO_CARDS / 2 - card;
        if (policy == EDGES_FIRST) cost -= EDGE_BONUS * off;
        if (cost < best) {
            best = cost;
            pick = card;
        }
    }
    return pick;
}

static inline int choose_row(const nl_buffalo *w, const buffalo_table *t, int policy, uint64_t *rng) {
    int rows = rows_to_take(t);
    if (policy != ANY_ROW) return cheapest(w, t, rows, policy);
    int count = 0;
    for (int row = 0; row < BUFFALO_ROWS; row++) count += rows >> row & 1;
    int skip = (int)nl_below(rng, (uint32_t)(count ? count : 1));
    for (int row = 0; row < BUFFALO_ROWS; row++)
        if ((rows >> row & 1) && skip-- == 0) return row;
    return 0;
}

/* Everybody's card, from the policies; `me` plays `mine`. */
static inline void choose_all(const nl_buffalo *w, buffalo_table *t, int me, int mine, uint64_t *rng) {
    int32_t plays[8] = {0};
    for (int seat = 0; seat < w->players; seat++) {
        if (!t->held[seat]) continue;
        plays[seat] = seat == me ? mine : choose_card(w, t, seat, rng);
    }
    reveal(w, t, plays);
}

/* The team's uses before the next placement, until it passes (or somebody has swapped). Heads taken by them are told. */
static inline int use_specials(const nl_buffalo *w, buffalo_table *t) {
    int takes = 0;
    while (t->n_queue && !t->passed) {
        takes += carry_out(w, t, team_choice(w, t)) >= 0;
        if (t->swapping != NOBODY) swap_in(t, swap_choice(w, t));
    }
    return takes;
}

static inline int no_card(int card) { return card < 1 || card > BUFFALO_CARDS; }

static inline int check_buffalo(const nl_buffalo *w) {
    if (w->players < 1 || w->players > BUFFALO_PLAYERS || w->hand < 1 || w->hand > BUFFALO_HAND) return NL_BAD_SIZE;
    if (w->deck > BUFFALO_CARDS || w->deck < (w->players + 1) * w->hand + BUFFALO_ROWS) return NL_BAD_SIZE;
    if (w->takes_at != PLACES && w->takes_at != PLACES + 1) return NL_BAD_CODE;
    for (int seat = 0; seat < w->players; seat++) {
        if (w->policies[seat] < 0 || w->policies[seat] >= POLICIES) return NL_BAD_CODE;
        if (w->policies[seat] == ALONE && w->players > 1) return NL_BAD_CODE;
        if (w->lows[seat] < 0 || w->lows[seat] >= LOW_POLICIES) return NL_BAD_CODE;
    }
    for (int i = 0; i < 6 * NL_CARDS; i++)
        if (w->risk[i] < 0 || w->risk[i] > 4096) return NL_BAD_SIZE;
    return NL_OK;
}

/* A table on which every step can be made; `known`: with the cards of all hands and of the buffalo. */
static inline int check_buffalo_table(const nl_buffalo *w, int known) {
    const buffalo_table *t = &w->table;
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
    /* Two Stops at most, lying or to come: a low card always finds a row. */
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
