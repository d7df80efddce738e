/* Rounds of the plain classic game, choice by choice: the rows of `nimmt_lab.study.dataset`. */
#include "family.h"

/* A player: its policies for cards and low cards, and one in how many of its choices is random (0: none). */
enum { POLICY, LOW, OVERLOOKS, PLAYER };
/* A policy of this number: the round is left out. */
enum { ELSEWHERE = 255 };
/* A choice, a byte each. By row of the table: its last card, number of cards and heads, as the seat saw them. */
enum {
    ROUND, /* the lowest 16 bits of its number */
    SEAT = ROUND + 2,
    TURN,
    KIND, /* 0: a card, 1: the row that a low card takes */
    CARD,
    RANK,    /* its place in the hand, from the lowest */
    HOME,    /* the row where it belongs (0: none), or the one chosen */
    GAP,     /* its distance from the last card there, */
    BETWEEN, /* and how many cards between them this seat has not seen; of a low card, how many below it */
    ENDS,
    COUNTS = ENDS + USUAL_ROWS,
    HEADS = COUNTS + USUAL_ROWS,
    LANDED = HEADS + USUAL_ROWS, /* the row where the card was placed */
    TOOK,                        /* 1: a full row, 2: a row for a low card */
    COST,
    ALL_HEADS, /* of the seat in this round */
    WINNERS,   /* how many share the win, if the seat does */
    WIDE
};

/* Begin a choice: the seat and the table as it sees it. */
ALWAYS void note(uint8_t *line, uint64_t number, int seat, int turn, const Table *t) {
    memset(line, 0, WIDE);
    line[ROUND] = (uint8_t)number;
    line[ROUND + 1] = (uint8_t)(number >> 8);
    line[SEAT] = (uint8_t)seat;
    line[TURN] = (uint8_t)(turn + 1);
    for (int row = 0; row < USUAL_ROWS; row++) {
        line[ENDS + row] = (uint8_t)t->end[row];
        line[COUNTS + row] = (uint8_t)t->count[row];
        line[HEADS + row] = (uint8_t)t->sum[row];
    }
}

/* The index in the hand of the card that a player chooses. */
ALWAYS int pick_card(const nl_classic *w, const uint8_t *player, const Table *t, const uint8_t *hand, int left,
                     uint64_t *rng) {
    if (left > 1 && player[OVERLOOKS] && nl_below(rng, player[OVERLOOKS]) == 0)
        return (int)nl_below(rng, (uint32_t)left);
    return player[POLICY] == RANDOM ? 0 : choose_by_policy(USUAL(0), player[POLICY], t, w->risk, hand, left, 0);
}

ALWAYS int pick_row(const uint8_t *player, const Table *t, uint64_t *rng) {
    if (player[OVERLOOKS] && nl_below(rng, player[OVERLOOKS]) == 0) return (int)nl_below(rng, USUAL_ROWS);
    return low_row(USUAL(0), t, player[LOW], rng);
}

/* What a card means on the table, for the seat that holds it. `known`: by card, whether everybody has seen it. */
ALWAYS void note_card(uint8_t *line, const Table *t, const uint8_t *known, const uint8_t *hand, int left, int card) {
    const int home = target(USUAL(0), t, card), end = home < 0 ? 0 : t->end[home];
    int between = card - end - 1, rank = 1;
    for (int other = end + 1; other < card; other++) between -= known[other];
    for (int i = 0; i < left; i++) {
        rank += hand[i] < card;
        between -= hand[i] > end && hand[i] < card;
    }
    line[CARD] = (uint8_t)card;
    line[RANK] = (uint8_t)rank;
    line[HOME] = (uint8_t)(home + 1);
    line[GAP] = (uint8_t)(home < 0 ? 0 : card - end);
    line[BETWEEN] = (uint8_t)between;
}

/* Play a round of its own seed and write its choices. Returns the end of what it wrote. */
static uint8_t *play_choices(const nl_classic *w, uint64_t number, const uint8_t *players, uint8_t *out) {
    const Rules r = USUAL(0);
    const int n = w->players, hand = w->hand;
    const uint64_t key = nl_key(nl_stream(w->key, number));
    uint64_t deal = nl_stream(key, 0), rng = nl_stream(key, 1);
    uint8_t cards[NL_CARDS], known[NL_CARDS] = {0}, *line = out;
    int heads[NL_SEATS] = {0}, least = 1 << 30, winners = 0;
    Table t;
    for (int i = 0; i < w->deck; i++) cards[i] = (uint8_t)(i + 1);
    nl_shuffle(&deal, cards, w->deck, n * hand + r.rows);
    start_rows(r, w, cards + n * hand, &t);
    for (int row = 0; row < r.rows; row++) known[t.end[row]] = 1;
    for (int turn = 0; turn < hand; turn++) {
        uint8_t *first = line;
        int32_t plays[NL_SEATS], order[NL_SEATS];
        for (int seat = 0; seat < n; seat++) {
            uint8_t *mine = cards + hand * seat + turn;
            const int left = hand - turn, pick = pick_card(w, players + PLAYER * seat, &t, mine, left, &rng);
            const uint8_t card = mine[pick];
            note(line, number, seat, turn, &t);
            note_card(line, &t, known, mine, left, card);
            line += WIDE;
            mine[pick] = mine[0];
            mine[0] = card;
            plays[seat] = card;
        }
        put_in_order(r, n, plays, order);
        for (int i = 0; i < n; i++) {
            const int seat = order[i] & 15, card = plays[seat];
            int row = target(r, &t, card), took = row < 0 ? LOW_CARD : is_full(r, &t, row) ? FULL_ROW : 0;
            uint8_t *chosen = NULL;
            if (row < 0) {
                row = pick_row(players + PLAYER * seat, &t, &rng);
                chosen = line;
                note(line, number, seat, turn, &t);
                line += WIDE;
                chosen[KIND] = 1;
                chosen[CARD] = (uint8_t)card;
                chosen[HOME] = (uint8_t)(row + 1);
            }
            const int cost = lay_card(r, &t, w->heads, card, row, took) >> 8;
            uint8_t *both[] = {first + WIDE * seat, chosen};
            for (int choice = 0; choice < 2 && both[choice]; choice++) {
                both[choice][LANDED] = (uint8_t)(row + 1);
                both[choice][TOOK] = took == FULL_ROW ? 1 : took == LOW_CARD ? 2 : 0;
                both[choice][COST] = (uint8_t)cost;
            }
            heads[seat] += cost;
        }
        for (int seat = 0; seat < n; seat++) known[plays[seat]] = 1;
    }
    for (int seat = 0; seat < n; seat++) least = heads[seat] < least ? heads[seat] : least;
    for (int seat = 0; seat < n; seat++) winners += heads[seat] == least;
    for (uint8_t *each = out; each < line; each += WIDE) {
        each[ALL_HEADS] = (uint8_t)heads[each[SEAT]];
        each[WINNERS] = (uint8_t)(heads[each[SEAT]] == least ? winners : 0);
    }
    return line;
}

NL_API int32_t nl_classic_choices(nl_classic *w, int32_t rounds, const uint8_t *players, int32_t listed, uint8_t *out,
                                  int32_t size) {
    int wrong = check_settings(w, POLICIES);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 16) return NL_BAD_SIZE;
    if (w->flags || w->draft || w->ascending || !is_usual(w)) return NL_BAD_CODE;
    const int each = PLAYER * w->players;
    /* A seat chooses at most a card and a row in a turn. */
    if ((int64_t)rounds * each > listed || (int64_t)rounds * w->players * w->hand * 2 * WIDE > size)
        return NL_TOO_SMALL;
    for (int i = 0; i < rounds * w->players; i++) {
        const uint8_t *player = players + PLAYER * i;
        if (player[POLICY] != ELSEWHERE && (player[POLICY] >= POLICIES || player[LOW] >= LOW_POLICIES))
            return NL_BAD_CODE;
    }
    uint8_t *end = out;
    for (int round = 0; round < rounds; round++, players += each, w->first++) {
        int elsewhere = 0;
        for (int seat = 0; seat < w->players; seat++) elsewhere |= players[PLAYER * seat + POLICY] == ELSEWHERE;
        if (!elsewhere) end = play_choices(w, w->first, players, end);
    }
    return (int32_t)((end - out) / WIDE);
}
