/* A policy trained in self-play (network.py says how it judges a card). Only integers and additions, in units of
   1/1024 head, so it is exact everywhere. */
#ifndef NIMMT_NETWORK_H
#define NIMMT_NETWORK_H

#include "family.h"

/* One more policy for a seat: the trained network. */
enum { TRAINED = 16 };

enum {
    UNITS = 16,
    SCALE = 1024,
    GAPS = 12,  /* classes of gaps: unseen cards between a row's end and a card */
    STAKES = 8, /* classes of heads in a row */
    /* Offsets of the features: a card held, the card played, what it may take; per row its count, heads and end; the
       turn */
    PLAYED = 5 * (USUAL_PLACES + 1) * GAPS,
    AT_STAKE = 2 * PLAYED,
    COUNTS = AT_STAKE + (USUAL_PLACES + 1) * STAKES,
    SUMS = COUNTS + USUAL_ROWS * (USUAL_PLACES + 1),
    ENDS = SUMS + USUAL_ROWS * STAKES,
    TURNS = ENDS + USUAL_ROWS * 14,
    LINES = TURNS + 11,
    PER_TURN = 128 * 8 /* probabilities per number of cards left: at 8 gap + count */
};
_Static_assert(LINES *UNITS == NL_WEIGHTS && 11 * PER_TURN == NL_CHANCES, "network.py counts the same lines");

static const uint8_t GAP_CLASS[NL_CARDS] = {
    0,  1,  2,  3,  4,  5,  5,  6,  6,  7,  7,  7,  8,  8,  8,  8,  9,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10,
    10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,
    11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,
    11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11};

ALWAYS int stake_class(int heads) {
    static const uint8_t few[18] = {0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6};
    return heads < 18 ? few[heads] : 7;
}

/* The network's input: features of the rows and the turn; for each card its own feature, that of what it may take,
   and the heads to expect now. */
typedef struct {
    int32_t table[13], held[10], stake[10], now[10], left;
} Notes;

ALWAYS int ones(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555ull;
    word = (word & 0x3333333333333333ull) + ((word >> 2) & 0x3333333333333333ull);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return (int)((word * 0x0101010101010101ull) >> 56);
}

ALWAYS void add_card(uint64_t *set, int card) { set[card >> 6] |= 1ull << (card & 63); }
ALWAYS void drop_card(uint64_t *set, int card) { set[card >> 6] &= ~(1ull << (card & 63)); }

/* The number of cards in the set below `card`. */
ALWAYS int lower_cards(const uint64_t *set, int card) {
    uint64_t lower = (1ull << (card & 63)) - 1;
    return card < 64 ? ones(set[0] & lower) : ones(set[0]) + ones(set[1] & lower);
}

ALWAYS void note(const Table *t, const uint8_t *hand, int left, const uint64_t *unseen, const int32_t *chance,
                 Notes *notes) {
    int32_t sorted[USUAL_ROWS], below[USUAL_ROWS];
    for (int row = 0; row < USUAL_ROWS; row++) {
        int key = USUAL_ROWS * t->end[row] + row, i = row;
        for (; i > 0 && sorted[i - 1] > key; i--) sorted[i] = sorted[i - 1];
        sorted[i] = key;
    }
    for (int i = 0; i < USUAL_ROWS; i++) {
        int row = sorted[i] & 3;
        below[i] = lower_cards(unseen, t->end[row] + 1);
        notes->table[3 * i] = (COUNTS + i * (USUAL_PLACES + 1) + t->count[row]) * UNITS;
        notes->table[3 * i + 1] = (SUMS + i * STAKES + stake_class(t->sum[row])) * UNITS;
        notes->table[3 * i + 2] = (ENDS + i * 14 + (t->end[row] >> 3)) * UNITS;
    }
    notes->table[12] = (TURNS + left) * UNITS;
    notes->left = left;
    int cheap = t->sum[cheapest(USUAL(0), t)];
    const int first = ones(unseen[0]);
    for (int i = 0; i < left; i++) {
        int card = hand[i], slot = 0, count = 0, heads = cheap, extra = 0;
        /* As `lower_cards`, which would count the first word for each card. */
        int gap = ones(unseen[card >> 6] & ((1ull << (card & 63)) - 1)) + (card < 64 ? 0 : first);
        for (int j = 0; j < USUAL_ROWS; j++) slot += USUAL_ROWS * card > sorted[j];
        if (slot > 0) {
            int row = sorted[slot - 1] & 3;
            gap -= below[slot - 1];
            count = t->count[row];
            heads = t->sum[row];
            /* Cards that come before mine carry about 13/8 heads each; a low card takes a row as it is. */
            extra = 13 * (USUAL_PLACES - count);
        }
        notes->held[i] = ((slot * (USUAL_PLACES + 1) + count) * GAPS + GAP_CLASS[gap]) * UNITS;
        notes->stake[i] = (AT_STAKE + count * STAKES + stake_class(heads)) * UNITS;
        notes->now[i] = ((8 * heads + extra) * chance[left * PER_TURN + gap * 8 + count]) >> 5;
    }
}

/* The expected cost of every card in the hand from now on. */
static inline void costs_trained(const Table *t, const uint8_t *hand, int left, const uint64_t *unseen,
                                 const nl_network *net, int *costs) {
    enum { FOURS = UNITS / 4 };
    Notes notes;
    Four sums[FOURS], line[FOURS], played[FOURS], stake[FOURS];
    note(t, hand, left, unseen, net->chance, &notes);
    /* The features of the table and of every card held */
    memcpy(sums, net->weights + notes.table[0], sizeof sums);
    for (int i = 1; i < 13 + left; i++) {
        memcpy(line, net->weights + (i < 13 ? notes.table[i] : notes.held[i - 13]), sizeof line);
        for (int j = 0; j < FOURS; j++) sums[j] += line[j];
    }
    for (int i = 0; i < left; i++) {
        Four units[FOURS];
        memcpy(line, net->weights + notes.held[i], sizeof line);
        memcpy(played, net->weights + notes.held[i] + PLAYED * UNITS, sizeof played);
        memcpy(stake, net->weights + notes.stake[i], sizeof stake);
        for (int j = 0; j < FOURS; j++) {
            units[j] = sums[j] - line[j] + played[j] + stake[j];
            units[j] &= units[j] > 0;
        }
        /* The first half is cost, the second relief. */
        const Four cost = units[0] + units[1] - units[2] - units[3];
        costs[i] = notes.now[i] + cost[0] + cost[1] + cost[2] + cost[3];
    }
}

/* The index of the card with the fewest expected heads; among equals the lowest card. */
static inline int choose_trained(const Table *t, const uint8_t *hand, int left, const uint64_t *unseen,
                                 const nl_network *net) {
    int costs[10], pick = 0;
    costs_trained(t, hand, left, unseen, net, costs);
    for (int i = 1; i < left; i++)
        if (costs[i] < costs[pick] || (costs[i] == costs[pick] && hand[i] < hand[pick])) pick = i;
    return pick;
}

/* Whether the network can play on this table: it was trained on the usual one, without fan cards. */
static inline int has_network(const nl_classic *w) { return !w->flags && is_usual(w); }

/* `check_settings` for seats that may also play by the network. */
static inline int check_trained(nl_classic *w) {
    int32_t policies[NL_SEATS];
    memcpy(policies, w->policies, sizeof policies);
    for (int seat = 0; seat < NL_SEATS && has_network(w); seat++)
        if (w->policies[seat] == TRAINED) w->policies[seat] = RANDOM;
    int wrong = check_settings(w, POLICIES);
    memcpy(w->policies, policies, sizeof policies);
    return wrong;
}

/* Limits that keep every sum from overflowing. */
static inline int check_network(const nl_network *net) {
    for (int i = 0; i < NL_CHANCES; i++)
        if (net->chance[i] < 0 || net->chance[i] > 4096) return NL_BAD_SIZE;
    for (int i = 0; i < NL_WEIGHTS; i++)
        if (net->weights[i] < -(1 << 20) || net->weights[i] > 1 << 20) return NL_BAD_SIZE;
    return 0;
}

#endif
