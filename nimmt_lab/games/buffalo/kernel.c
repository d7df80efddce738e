/* Rounds of Beat the Buffalo: dealing, turns, outcomes; and single steps. Random numbers are drawn as in the engine. */
#include "games/buffalo/kernel.h"
#include "games/buffalo/team.h"

#define SELF nl_buffalo
static const nl_field FIELDS[] = {
    NL_OWN(key, first, rng, stats, gains, players, between, takes_at, policies, lows, tie_loses, wins),
    NL_OWN(team, risk, log, plays, me, asked, n_options, options, tried, usual, n_pool, n_special_pool),
    NL_OWN(n_mixes, n_kinds, kinds, mixes, chance, n_codes, codes, values, card_heads, pool, special_pool),
    NL_PART(table, heads, count, seven, stopped, n_empty, empty, n_up, up, n_deck, deck, n_queue, queue),
    NL_PART(table, seats, passed, swapping, held, n_cards, cards),
    NL_PART_GRIDS(table, rows, hand),
    NL_AS(hand_size, hand),
    NL_AS(deck_size, deck),
    NL_AS(first_card, table.first),
    NL_AS(last_card, table.last)};
NL_API int32_t nl_buffalo_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Deal round `number`, and start the stream of its choices. */
static uint64_t deal_round(const nl_buffalo *w, uint64_t number, buffalo_table *t) {
    uint64_t rng = nl_stream(w->key, number);
    deal(w, rng, t);
    return nl_stream(nl_key(rng), 1);
}

static void play_round(const nl_buffalo *w, uint64_t number, int32_t *out) {
    buffalo_table t;
    int took[2] = {0, 0}, heads, row;
    uint64_t rng = deal_round(w, number, &t);
    memset(out, 0, sizeof(int32_t) * BUFFALO_FIELDS * 2);
    while (!is_over(w, &t)) {
        if (!t.n_queue) {
            took[0] = took[1] = 0;
            choose_all(w, &t, -1, 0, &rng);
        }
        if (w->team) {
            int takes = use_specials(w, &t);
            out[3] += takes;
            if (takes && !took[0]++) out[4]++;
            if (!t.n_queue) continue;
        }
        int side = t.seats[0] == w->players;
        int given = is_low(&t, w->players) ? choose_row(w, &t, w->lows[t.seats[0]], &rng) : -1;
        int kind = place_next(w, &t, given, &heads, &row);
        if (!kind) continue;
        out[BUFFALO_FIELDS * side + kind]++;
        if (!took[side]++) out[BUFFALO_FIELDS * side + 4]++;
    }
    out[0] = counted(w, &t);
    out[BUFFALO_FIELDS] = t.heads[1];
    /* R-B1: nobody wins with equal totals, unless a tie counts as a loss. */
    if (out[0] < out[BUFFALO_FIELDS]) out[5] = NL_CREDIT;
    else if (out[0] > out[BUFFALO_FIELDS] || w->tie_loses) out[BUFFALO_FIELDS + 5] = NL_CREDIT;
}

NL_API int32_t nl_buffalo_rounds(nl_buffalo *w, int32_t rounds, int32_t *out, int32_t size) {
    int wrong = check_buffalo(w);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 24) return NL_BAD_SIZE;
    if ((int64_t)rounds * BUFFALO_FIELDS * 2 * 4 > size) return NL_TOO_SMALL;
    for (int i = 0; i < rounds; i++) play_round(w, w->first + (uint64_t)i, out + (int64_t)i * BUFFALO_FIELDS * 2);
    w->first += (uint64_t)rounds;
    return NL_OK;
}

NL_API int32_t nl_buffalo_deal(nl_buffalo *w) {
    int wrong = check_buffalo(w);
    if (wrong) return wrong;
    w->rng = deal_round(w, w->first++, &w->table);
    return NL_OK;
}

static int check_step(const nl_buffalo *w) {
    int wrong = check_buffalo(w);
    return wrong ? wrong : check_buffalo_table(w, &w->table, 1);
}

NL_API int32_t nl_buffalo_reveal(nl_buffalo *w) {
    int wrong = check_step(w);
    if (wrong) return wrong;
    buffalo_table *t = &w->table;
    if (t->n_queue) return NL_BAD_CODE;
    for (int seat = 0; seat < w->players; seat++)
        if (t->held[seat] && !in_hand(t, seat, w->plays[seat])) return NL_BAD_CODE;
    reveal(w, t, w->plays);
    return NL_OK;
}

NL_API int32_t nl_buffalo_legal(nl_buffalo *w, int32_t use) {
    int wrong = use < 0 ? NL_BAD_CODE : check_step(w);
    return wrong ? wrong : is_legal(w, &w->table, use);
}

NL_API int32_t nl_buffalo_use(nl_buffalo *w, int32_t use) {
    int wrong = check_step(w);
    if (wrong) return wrong;
    if (!is_legal(w, &w->table, use)) return NL_BAD_CODE;
    carry_out(w, &w->table, use);
    return NL_OK;
}

NL_API int32_t nl_buffalo_swap(nl_buffalo *w, int32_t card) {
    int wrong = check_step(w);
    if (wrong) return wrong;
    buffalo_table *t = &w->table;
    if (t->swapping == NOBODY || !in_hand(t, t->swapping, card)) return NL_BAD_CODE;
    swap_in(t, card);
    return NL_OK;
}

NL_API int32_t nl_buffalo_place(nl_buffalo *w, int32_t row) {
    int wrong = check_step(w), heads, where;
    if (wrong) return wrong;
    buffalo_table *t = &w->table;
    if (!t->n_queue || t->swapping != NOBODY) return NL_BAD_CODE;
    if (is_low(t, w->players) && (row < 0 || row >= BUFFALO_ROWS || !(rows_to_take(t) >> row & 1))) return NL_BAD_CODE;
    int side = t->seats[0] == w->players, kind = place_next(w, t, row, &heads, &where);
    w->log[0] = side;
    w->log[1] = kind;
    w->log[2] = heads;
    w->log[3] = where;
    return NL_OK;
}

NL_API int32_t nl_buffalo_team(nl_buffalo *w) {
    /* Hands are not needed: w->me is nobody, so no hand has to be known. */
    int wrong = check_buffalo(w);
    if (!wrong) wrong = w->me == -1 ? check_buffalo_table(w, &w->table, 0) : NL_BAD_CODE;
    if (wrong) return wrong;
    return w->table.swapping != NOBODY ? NL_BAD_CODE : team_choice(w, &w->table);
}
