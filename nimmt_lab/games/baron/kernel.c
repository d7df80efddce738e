/* Rounds of Bull Baron: dealing, turns, outcomes. Random numbers are drawn as in the engine
   (nimmt_lab/study/by_engine.py): one stream for the deal, another for choices. */
#include "games/baron/kernel.h"
#include "games/baron/turn.h"

#define SELF nl_baron
static const nl_field FIELDS[] = {
    NL_OWN(key, first, rng, stats, players, dealt, variant, games, wins, policies, lows, points),
    NL_OWN(n_queue, queue, seats, n_log, log, over, me, for_row, n_options, options, n_pool, blind),
    NL_OWN(stray, colours, pool),
    NL_PART(table, lanes, end, count, bulls, taken, held, start, size),
    NL_PART_GRIDS(table, hand, pile),
    NL_AS(card_lanes, lanes),
    NL_AS(card_bulls, bulls),
    NL_BELIEF_FIELDS};
NL_API int32_t nl_baron_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Deal round `number`, and start the stream of its choices. */
static uint64_t deal(const nl_baron *w, uint64_t number, baron_table *t) {
    uint64_t rng = nl_stream(w->key, number), choices = nl_stream(nl_key(rng), 1);
    deal_round(w, &rng, t);
    return choices;
}

static void play_round(const nl_baron *w, uint64_t number, int32_t *out) {
    const int n = w->players;
    baron_table t;
    int32_t queue[BARON_SEATS], seats[BARON_SEATS], note[4], points[BARON_SEATS];
    uint64_t rng = deal(w, number, &t);
    memset(out, 0, sizeof(int32_t) * BARON_FIELDS * (size_t)n);
    while (!is_over(w, &t)) {
        refill(w, &t);
        int queued = choose_all(w, &t, -1, 0, queue, seats, &rng);
        for (int i = 0; i < queued; i++) {
            place(w, &t, seats[i], queue[i], -1, &rng, note);
            int what = note[3] & 7;
            if (what == BARON_PUT || what == BARON_TUCKED) continue;
            int32_t *mine = out + BARON_FIELDS * seats[i];
            mine[note[3] & 8 ? 2 : 1]++;
            mine[4]++;
        }
    }
    count_points(w, &t, points);
    for (int seat = 0; seat < n; seat++) {
        out[BARON_FIELDS * seat] = points[seat];
        out[BARON_FIELDS * seat + 5] = credit(w, points, seat);
    }
}

NL_API int32_t nl_baron_rounds(nl_baron *w, int32_t rounds, int32_t *out, int32_t size) {
    int wrong = check_baron(w);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 24) return NL_BAD_SIZE;
    const int one = BARON_FIELDS * w->players;
    if ((int64_t)rounds * one * 4 > size) return NL_TOO_SMALL;
    for (int i = 0; i < rounds; i++) play_round(w, w->first + (uint64_t)i, out + (int64_t)i * one);
    w->first += (uint64_t)rounds;
    return NL_OK;
}

NL_API int32_t nl_baron_deal(nl_baron *w) {
    int wrong = check_baron(w);
    if (wrong) return wrong;
    w->rng = deal(w, w->first++, &w->table);
    w->n_log = 0;
    w->over = is_over(w, &w->table);
    return NL_OK;
}

NL_API int32_t nl_baron_turn(nl_baron *w) {
    int wrong = check_baron(w);
    if (!wrong) wrong = check_baron_table(w, 1);
    if (wrong) return wrong;
    baron_table *t = &w->table;
    if (is_over(w, t)) return NL_BAD_CODE;
    refill(w, t);
    w->n_queue = choose_all(w, t, -1, 0, w->queue, w->seats, &w->rng);
    w->n_log = 0;
    for (int i = 0; i < w->n_queue; i++) place(w, t, w->seats[i], w->queue[i], -1, &w->rng, w->log + 4 * w->n_log++);
    w->n_queue = 0;
    w->over = is_over(w, t);
    if (!w->over) refill(w, t);
    return NL_OK;
}
