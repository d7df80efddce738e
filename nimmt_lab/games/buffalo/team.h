/* How the team and its members play in simulations and playouts. The team's policy is stated again in
   nimmt_lab/games/buffalo/team.py, which the engine uses. */
#ifndef NIMMT_BUFFALO_TEAM_H
#define NIMMT_BUFFALO_TEAM_H

#include "games/buffalo/alone.h"
#include "games/buffalo/check.h"

enum { EDGE_BONUS = 1700, TAKES = 1 << 16 };
/* The assumed cost of the unknown card after a swap. */
enum { SWAP_RISK = 3 };

/* The result of the rest of the turn without further uses: the buffalo's heads minus the team's, as they count. */
static int outlook(const nl_buffalo *w, const buffalo_table *now) {
    buffalo_table t = *now;
    int taken, row;
    while (t.n_queue) place_next(w, &t, -1, &taken, &row);
    return t.heads[1] - counted(w, &t);
}

/* The same after a use. A swap is evaluated as if the seat's card were not placed at all, minus a risk, because the
   new card is unknown (R-B18). */
static int outlook_after(const nl_buffalo *w, const buffalo_table *now, int use) {
    buffalo_table t = *now;
    if (use / USES == 2 + SWAP) {
        pull_out(&t, use % USES);
        return outlook(w, &t) - SWAP_RISK;
    }
    carry_out(w, &t, use);
    return outlook(w, &t);
}

/* The index of the order that moves the card at `from` to place `to` and leaves the others as they are. */
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

/* The team's choice before the next placement. */
static int team_choice(const nl_buffalo *w, const buffalo_table *t) {
    if (!t->n_queue || (!t->n_up && !t->stopped)) return PASS;
    if (t->n_queue <= w->players && !threatens(w, t)) return PASS;
    const int left = t->n_up + t->n_deck, now = outlook(w, t);
    thought it = {w, t, now, PASS};
    for (int row = 0; row < BUFFALO_ROWS; row++) consider(&it, LIFT + row);
    /* While many turns and few special cards remain, a use must gain more. */
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

/* The card that the swapping seat plays: the best for the rest of the turn; the lowest of equals. */
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

/* The row taken by a card that fits nowhere: the cheapest that is not stopped (R-B3); none if all are stopped. */
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

/* Everybody's card by policy; `me` plays `mine`. */
static inline void choose_all(const nl_buffalo *w, buffalo_table *t, int me, int mine, uint64_t *rng) {
    int32_t plays[8] = {0};
    for (int seat = 0; seat < w->players; seat++) {
        if (!t->held[seat]) continue;
        plays[seat] = seat == me ? mine : choose_card(w, t, seat, rng);
    }
    reveal(w, t, plays);
}

/* The team's uses before the next placement, until it passes or somebody has swapped. Heads taken this way are added
   up. */
static inline int use_specials(const nl_buffalo *w, buffalo_table *t) {
    int takes = 0;
    while (t->n_queue && !t->passed) {
        takes += carry_out(w, t, team_choice(w, t)) >= 0;
        if (t->swapping != NOBODY) swap_in(t, swap_choice(w, t));
    }
    return takes;
}

#endif
