/* Playouts of Beat the Buffalo from a view. Deal hidden hands, the buffalo's cards and the face-down special cards at
   random; everybody plays on by policy, the team as in team.h. Only what the view shows is used. */
#include "games/buffalo/kernel.h"
#include "games/buffalo/lone.h"
#include "games/buffalo/team.h"

/* The buffalo's pile is face down, but its heads are known: draw one of the mixes of cards with these heads, each set
   of cards being equally likely. These cards leave the pool, which is in random order. Returns how many remain. */
static int without_pile(const nl_buffalo *w, uint8_t *pool, uint64_t *rng) {
    if (!w->n_mixes) return w->n_pool;
    int take[8], mix = 0, left = 0, at = (int)nl_below(rng, 1u << 31);
    while (mix < w->n_mixes - 1 && w->chance[mix] <= at) mix++;
    for (int kind = 0; kind < w->n_kinds; kind++) take[kind] = w->mixes[8 * mix + kind];
    for (int i = 0; i < w->n_pool; i++) {
        int kind = 0;
        while (kind < w->n_kinds && w->kinds[kind] != w->card_heads[pool[i]]) kind++;
        if (kind < w->n_kinds && take[kind]) take[kind]--;
        else pool[left++] = pool[i];
    }
    return left;
}

static void deal_out(const nl_buffalo *w, buffalo_table *t, uint64_t *rng) {
    uint8_t pool[NL_CARDS], specials[BUFFALO_SPECIALS];
    *t = w->table;
    memcpy(pool, w->pool, sizeof pool);
    memcpy(specials, w->special_pool, sizeof specials);
    nl_shuffle(rng, pool, w->n_pool, w->n_pool);
    without_pile(w, pool, rng);
    const uint8_t *next = pool;
    for (int seat = 0; seat < w->players; seat++) {
        if (seat == w->me) continue;
        int held = t->held[seat];
        t->held[seat] = 0;
        for (int i = 0; i < held; i++) into_hand(t, seat, *next++);
    }
    memcpy(t->cards, next, t->n_cards);
    nl_shuffle(rng, specials, w->n_special_pool, t->n_deck);
    memcpy(t->deck, specials, t->n_deck);
}

/* The card that replaces one taken back: as in team.h or, for random players, any card. */
static int other_card(const nl_buffalo *w, const buffalo_table *t, uint64_t *rng) {
    const int seat = t->swapping;
    return w->team ? swap_choice(w, t) : t->hand[seat][nl_below(rng, t->held[seat])];
}

/* Play to the end with `option` as the next choice. */
static void play_out(const nl_buffalo *w, const buffalo_table *start, int option, uint64_t rng, buffalo_table *t) {
    int heads, row;
    *t = *start;
    if (w->asked == 0) choose_all(w, t, w->me, option, &rng);
    if (w->asked == 1) place_next(w, t, option, &heads, &row);
    if (w->asked == 2) carry_out(w, t, option);
    if (w->asked == 3) swap_in(t, option);
    if (t->swapping != NOBODY) swap_in(t, other_card(w, t, &rng));
    while (!is_over(w, t)) {
        if (!t->n_queue) choose_all(w, t, -1, 0, &rng);
        if (w->team) use_specials(w, t);
        if (t->n_queue) place_next(w, t, -1, &heads, &row);
    }
}

static int check_pile(const nl_buffalo *w, int kinds_in_pool[256], int *least) {
    *least = 0;
    if (w->n_mixes < 0 || w->n_mixes > BUFFALO_MIXES || w->n_kinds < 0 || w->n_kinds > 8) return NL_BAD_SIZE;
    for (int kind = 0; kind < w->n_kinds; kind++)
        if (w->kinds[kind] < 0 || w->kinds[kind] > 255) return NL_BAD_CODE;
    for (int mix = 0; mix < w->n_mixes; mix++) {
        int cards = 0;
        for (int kind = 0; kind < w->n_kinds; kind++) {
            int count = w->mixes[8 * mix + kind];
            if (count < 0 || count > kinds_in_pool[w->kinds[kind]]) return NL_BAD_SIZE;
            cards += count;
        }
        if (cards > *least) *least = cards;
    }
    return NL_OK;
}

static int check_search(const nl_buffalo *w) {
    const buffalo_table *t = &w->table;
    int wrong = check_buffalo(w);
    if (wrong) return wrong;
    if (is_outside(w->me, -1, w->players - 1) || is_outside(w->asked, 0, 3)) return NL_BAD_CODE;
    if (is_outside(w->n_pool, 0, BUFFALO_CARDS)) return NL_BAD_SIZE;
    wrong = check_buffalo_table(w, t, 0);
    if (wrong) return wrong;
    int kinds[256] = {0}, pile, hidden = t->n_cards, stops = 0;
    uint8_t seen[NL_CARDS] = {0};
    for (int row = 0; row < BUFFALO_ROWS; row++)
        for (int i = 0; i < t->count[row]; i++) seen[t->rows[row][i]] = 1;
    for (int i = 0; i < t->n_queue; i++) seen[t->queue[i]] = 1;
    for (int seat = 0; seat < w->players; seat++) {
        if (seat != w->me) hidden += t->held[seat];
        for (int i = 0; seat == w->me && i < t->held[seat]; i++) seen[t->hand[seat][i]] = 1;
    }
    for (int i = 0; i < w->n_pool; i++) {
        if (no_card(w->pool[i]) || seen[w->pool[i]]++) return NL_BAD_CODE;
        kinds[w->card_heads[w->pool[i]]]++;
    }
    wrong = check_pile(w, kinds, &pile);
    if (wrong) return wrong;
    if (w->n_pool - pile < hidden) return NL_BAD_SIZE;
    if (w->n_special_pool < t->n_deck || w->n_special_pool > BUFFALO_SPECIALS) return NL_BAD_SIZE;
    for (int i = 0; i < w->n_special_pool; i++) {
        if (w->special_pool[i] >= KINDS) return NL_BAD_CODE;
        stops += w->special_pool[i] == STOP;
    }
    for (int i = 0; i < t->n_up; i++) stops += t->up[i] == STOP;
    for (int row = 0; row < BUFFALO_ROWS; row++) stops += t->stopped >> row & 1;
    return stops > 2 ? NL_BAD_CODE : NL_OK;
}

static int check_question(const nl_buffalo *w) {
    const buffalo_table *t = &w->table;
    const int me = w->me;
    if (w->asked == 2 ? me >= 0 || t->swapping != NOBODY : me < 0) return NL_BAD_CODE;
    if ((w->asked == 3) != (t->swapping != NOBODY) || (w->asked == 3 && t->swapping != me)) return NL_BAD_CODE;
    if (w->asked == 0 && (t->n_queue || !t->held[me])) return NL_BAD_CODE;
    if (w->asked == 1 && (!t->n_queue || t->seats[0] != me || !is_low(t, w->players))) return NL_BAD_CODE;
    return NL_OK;
}

static int check_options(const nl_buffalo *w) {
    const buffalo_table *t = &w->table;
    const int me = w->me;
    int wrong = check_search(w);
    if (wrong) return wrong;
    if (is_outside(w->n_options, 1, BUFFALO_OPTIONS)) return NL_BAD_SIZE;
    if (is_outside(w->usual, -1, w->n_options - 1)) return NL_BAD_CODE;
    wrong = check_question(w);
    if (wrong) return wrong;
    for (int o = 0; o < w->n_options; o++) {
        int option = w->options[o], known;
        if (w->asked == 1) known = !is_outside(option, 0, BUFFALO_ROWS - 1) && (rows_to_take(t) >> option & 1);
        else known = w->asked == 2 ? is_legal(w, t, option) : in_hand(t, me, option);
        if (!known) return NL_BAD_CODE;
    }
    return NL_OK;
}

NL_API int32_t nl_buffalo_usual(nl_buffalo *w) {
    int wrong = check_search(w);
    if (!wrong) wrong = check_question(w);
    if (wrong) return wrong;
    const buffalo_table *t = &w->table;
    uint64_t rng = w->key;
    if (w->asked == 0) return choose_card(w, t, w->me, &rng);
    if (w->asked == 1) return cheapest(w, t, rows_to_take(t), CHEAPEST);
    return w->asked == 2 ? team_choice(w, t) : swap_choice(w, t);
}

/* The value of an end to the side that compares: twice the team's lead, as far as it may still matter (R-B1: a draw
   is not a win). Win rates alone would need many times as many playouts to distinguish options. */
enum { FAR_AHEAD = 40 };
static int lead_of(const nl_buffalo *w, const buffalo_table *t) {
    int lead = 2 * (t->heads[1] - counted(w, t)) - 1;
    return lead < -FAR_AHEAD ? -FAR_AHEAD : lead > FAR_AHEAD ? FAR_AHEAD : lead;
}

NL_API int32_t nl_buffalo_search(nl_buffalo *w, int32_t playouts) {
    int wrong = check_options(w);
    if (wrong) return wrong;
    if (playouts < 0 || playouts > 1 << 24) return NL_BAD_SIZE;
    for (int i = 0; i < playouts; i++) {
        uint64_t rng = nl_stream(w->key, w->first++);
        buffalo_table start, t;
        int leads[BUFFALO_OPTIONS];
        deal_out(w, &start, &rng);
        for (int o = 0; o < w->n_options; o++) {
            play_out(w, &start, w->options[o], rng, &t);
            int64_t mine = counted(w, &t);
            nl_note(w->stats, o, mine, mine < t.heads[1] ? NL_CREDIT : 0);
            leads[o] = lead_of(w, &t);
        }
        for (int o = 0; w->usual >= 0 && o < w->n_options; o++) {
            int64_t gain = leads[o] - leads[w->usual];
            w->gains[2 * o] += gain;
            w->gains[2 * o + 1] += gain * gain;
        }
    }
    return NL_OK;
}

NL_API int32_t nl_buffalo_tree(void) { return (int32_t)sizeof(lone_tree); }

NL_API int32_t nl_buffalo_alone(nl_buffalo *w, void *tree, int32_t bytes, int32_t playouts) {
    int wrong = check_options(w);
    if (wrong) return wrong;
    if (bytes < nl_buffalo_tree()) return NL_TOO_SMALL;
    /* No more than 32-bit sums can store. */
    if (playouts < 0 || playouts > 1 << 17 || w->n_options != w->table.held[0]) return NL_BAD_SIZE;
    if (w->players > 1 || w->asked || w->table.n_up || w->table.stopped || w->table.n_empty) return NL_BAD_CODE;
    for (int o = 0; o < w->n_options; o++)
        if (w->options[o] != w->table.hand[0][o]) return NL_BAD_CODE;
    if (((lone_tree *)tree)->node[0].visits > (1 << 17) - playouts) return NL_BAD_SIZE;
    for (int i = 0; i < playouts; i++) {
        uint64_t rng = nl_stream(w->key, w->first++);
        buffalo_table t;
        deal_out(w, &t, &rng);
        int o = lone_playout(w, tree, &t);
        int64_t mine = counted(w, &t);
        w->tried[o]++;
        nl_note(w->stats, o, mine, mine < t.heads[1] ? NL_CREDIT : 0);
    }
    return NL_OK;
}

NL_API int32_t nl_buffalo_outlooks(nl_buffalo *w) {
    int wrong = check_search(w);
    if (wrong) return wrong;
    if (w->n_codes < 0 || w->n_codes > BUFFALO_CODES) return NL_BAD_SIZE;
    for (int i = 0; i < w->n_codes; i++) {
        if (!is_legal(w, &w->table, w->codes[i])) return NL_BAD_CODE;
        w->values[i] = outlook_after(w, &w->table, w->codes[i]);
    }
    return NL_OK;
}
