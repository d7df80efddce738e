/* Rounds of the classic family: dealing, turns, outcomes. */
#include "family.h"

#define SELF nl_classic
static const nl_field FIELDS[] = {
    NL_OWN(key, first, rng, unseen, stats, players, hand, deck, n_rows, places, flags, draft),
    NL_OWN(ascending, policies, lows, spare, turn, plays, order, log, me, turns, pool, open),
    NL_OWN(taken, usual, gains),
    NL_OWN(n_options, options, points, kinds, odds, limit, halves, rounds, once, wins, first_seat, risk),
    NL_OWN(stray, heads, cards),
    TABLE_FIELDS,
    NL_BELIEF_FIELDS};
NL_API int32_t nl_classic_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Deal round `number`: hands, the first cards of the rows, the fan cards beside them. */
ALWAYS void deal(const Rules r, const nl_classic *w, uint64_t number, uint8_t *cards, Table *t, uint64_t *rng) {
    const int n = w->players, held = n * w->hand;
    *rng = nl_stream(w->key, number);
    for (int i = 0; i < w->deck; i++) cards[i] = (uint8_t)(i + 1);
    nl_shuffle(rng, cards, w->deck, w->draft ? held : held + r.rows);
    if (w->draft) {
        /* A random open draft, clockwise from the seat whose turn it is to pick first (R-A1). */
        uint8_t picked[NL_CARDS];
        int seat = (int)(number % (uint64_t)n), turn = 0;
        for (int i = 0; i < held; i++) {
            picked[seat * w->hand + turn] = cards[i];
            if (++seat == n) seat = 0;
            turn += (i + 1) % n == 0;
        }
        for (int i = 0; i < held; i++) cards[i] = picked[i];
    }
    start_rows(r, w, cards + held, t);
}

/* A log entry packed into NL_FIELDS bytes of one number: a round adds them without branching on takes, which are
   unpredictable. No byte overflows into the next, since the heads of all cards fit into one. */
ALWAYS uint64_t spread(int code) {
    uint64_t heads = (uint64_t)(code >> 8), full = code >> 3 & 1, low = code >> 4 & 1, cow = code >> 5 & 7;
    return heads | full << 8 | low << 16 | cow << 24 | (uint64_t)(code > 7) << 32;
}

/* Play one round; `plain`: all seats play at random and have no other choices, so they play their cards in the order
   dealt. */
ALWAYS void play_round(const Rules r, const int plain, const int n, const nl_classic *w, uint64_t number,
                       uint8_t *out) {
    const int hand = w->hand;
    uint8_t cards[NL_CARDS];
    int32_t plays[NL_SEATS], order[NL_SEATS], spare[NL_SEATS];
    uint64_t rng, sums[NL_SEATS];
    Table t;
    deal(r, w, number, cards, &t, &rng);
    for (int seat = 0; seat < n; seat++) {
        spare[seat] = 1;
        sums[seat] = 0;
    }
    for (int turn = 0; turn < hand; turn++) {
        for (int seat = 0; seat < n; seat++) {
            uint8_t *mine = cards + hand * seat + turn;
            plays[seat] =
                plain ? *mine : choose(r, w->policies[seat], &t, w->risk, mine, hand - turn, spare[seat], &rng);
            if ((r.flags & NUMBER_TWISTER) && plays[seat] >= TWISTED) spare[seat] = 0;
        }
        put_in_order(r, n, plays, order);
        for (int i = 0; i < n; i++) {
            int seat = order[i] & 15, value = order[i] >> 5,
                card = r.flags & NUMBER_TWISTER ? plays[seat] & 127 : value;
            sums[seat] += spread(place(r, &t, w->heads, card, value, w->lows[seat], &rng));
        }
    }
    for (int seat = 0; seat < n; seat++)
        for (int field = 0; field < NL_FIELDS; field++) *out++ = (uint8_t)(sums[seat] >> 8 * field);
}

ALWAYS void play_rounds(const Rules r, const int plain, const int n, const nl_classic *w, int rounds, uint8_t *out,
                        int64_t *totals) {
    for (int i = 0; i < rounds; i++) {
        uint8_t one[NL_FIELDS * NL_SEATS];
        play_round(r, plain, n, w, w->first + (uint64_t)i, out ? out + (size_t)i * NL_FIELDS * n : one);
        if (totals) nl_tally_round(n, one, totals);
    }
}

static int is_plain(const nl_classic *w) {
    if (w->flags & NUMBER_TWISTER) return 0;
    for (int seat = 0; seat < w->players; seat++)
        if (w->policies[seat] != RANDOM) return 0;
    return 1;
}

/* The same code for each fan card alone, with the rules of the others left out. Combinations share one version, and
   so do tables of other sizes. */
#define ROUNDS(name, rules)                                                                              \
    static __attribute__((noinline)) void name(const nl_classic *w, int plain, int rounds, uint8_t *out, \
                                               int64_t *totals) {                                        \
        if (plain && w->players == 4) play_rounds(rules, 1, 4, w, rounds, out, totals);                  \
        else if (plain) play_rounds(rules, 1, w->players, w, rounds, out, totals);                       \
        else play_rounds(rules, 0, w->players, w, rounds, out, totals);                                  \
    }
ROUNDS(rounds_classic, USUAL(0))
ROUNDS(rounds_even_odd, USUAL(EVEN_ODD))
ROUNDS(rounds_mountain, USUAL(MOUNTAIN))
ROUNDS(rounds_cow, USUAL(JUMPING_COW))
ROUNDS(rounds_twister, USUAL(NUMBER_TWISTER))
ROUNDS(rounds_cards, USUAL(w->flags))
ROUNDS(rounds_any, rules_of(w))

static void run_rounds(nl_classic *w, int rounds, uint8_t *out, int64_t *totals) {
    void (*run)(const nl_classic *, int, int, uint8_t *, int64_t *) = rounds_cards;
    if (w->flags == 0) run = rounds_classic;
    if (w->flags == EVEN_ODD) run = rounds_even_odd;
    if (w->flags == MOUNTAIN) run = rounds_mountain;
    if (w->flags == JUMPING_COW) run = rounds_cow;
    if (w->flags == NUMBER_TWISTER) run = rounds_twister;
    if (!is_usual(w)) run = rounds_any;
    run(w, is_plain(w), rounds, out, totals);
    w->first += (uint64_t)rounds;
}

NL_API int32_t nl_classic_rounds(nl_classic *w, int32_t rounds, uint8_t *out, int32_t size) {
    int wrong = check_settings(w, POLICIES);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 24) return NL_BAD_SIZE;
    if ((int64_t)rounds * NL_FIELDS * w->players > size) return NL_TOO_SMALL;
    run_rounds(w, rounds, out, 0);
    return NL_OK;
}

NL_API int32_t nl_classic_totals(nl_classic *w, int32_t rounds, int64_t *totals, int32_t count) {
    int wrong = check_settings(w, POLICIES);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 24) return NL_BAD_SIZE;
    if (w->players * NL_TOTALS > count) return NL_TOO_SMALL;
    run_rounds(w, rounds, 0, totals);
    return NL_OK;
}

void nl_deal_round(nl_classic *w) {
    memset(&w->t, 0, sizeof w->t);
    deal(rules_of(w), w, w->first, w->cards, &w->t, &w->rng);
    for (int seat = 0; seat < w->players; seat++) w->spare[seat] = 1;
    w->turn = 0;
    w->first++;
}

NL_API int32_t nl_classic_deal(nl_classic *w) {
    int wrong = check_settings(w, POLICIES);
    if (!wrong) nl_deal_round(w);
    return wrong;
}

NL_API int32_t nl_classic_turn(nl_classic *w) {
    int wrong = check_settings(w, POLICIES);
    if (!wrong) wrong = check_table(w);
    if (!wrong) wrong = check_cards(w->cards, w->players * w->hand);
    if (wrong) return wrong;
    if (w->turn < 0 || w->turn >= w->hand) return NL_BAD_SIZE;
    const Rules r = rules_of(w);
    for (int seat = 0; seat < w->players; seat++) {
        uint8_t *mine = w->cards + w->hand * seat + w->turn;
        w->plays[seat] = choose(r, w->policies[seat], &w->t, w->risk, mine, w->hand - w->turn, w->spare[seat], &w->rng);
        if (w->plays[seat] >= TWISTED) w->spare[seat] = 0;
    }
    play_turn(r, w->players, &w->t, w->heads, w->plays, w->lows, w->order, w->log, &w->rng);
    w->turn++;
    return NL_OK;
}
