/* A player that learned to end a round ahead of the others (ahead.py says how it judges a card). Integers only, so it
   is the same everywhere. */
#ifndef NIMMT_AHEAD_H
#define NIMMT_AHEAD_H

#include "network.h"

enum {
    SIGNALS = 32, /* signals about a card, seen by every such player; 64 stands for 1 */
    WIDE = 32,
    LATE = 16,
    MOST_LEAD = 30,
    /* Features of the table and the hand: by row its count, its heads and the unseen cards up to the next row; cards
       left; players; the lead; the cards held */
    ROW_COUNTS = 0,
    ROW_SUMS = ROW_COUNTS + USUAL_ROWS * (USUAL_PLACES + 1),
    ROW_GAPS = ROW_SUMS + USUAL_ROWS * STAKES,
    CARDS_LEFT = ROW_GAPS + USUAL_ROWS * GAPS,
    AT_TABLE = CARDS_LEFT + 11,
    LEADS = AT_TABLE + 11,
    HOLDS = LEADS + 16,
    /* Features of the card to play: where it goes; what it may take, and how likely; its rank in the hand; the
       nearest cards of the hand below and above */
    GOES = HOLDS + PLAYED,
    MAY_TAKE = GOES + PLAYED,
    LIKELY = MAY_TAKE + (USUAL_PLACES + 1) * STAKES,
    IN_HAND = LIKELY + 16 * (USUAL_PLACES + 1),
    BELOW = IN_HAND + 11 * 10,
    ABOVE = BELOW + 2 * (GAPS + 1),
    ALL_LINES = ABOVE + 2 * (GAPS + 1),
    ABOUT_TABLE = 3 * USUAL_ROWS + 3,
    ABOUT_CARD = 6
};
_Static_assert((int)ALL_LINES == NL_AHEAD_LINES && (int)WIDE == NL_AHEAD_WIDE, "ahead.py counts the same lines");

/* Its input: features of the table, of each card held, and of each card if played; signals of each card. */
typedef struct {
    int16_t signal[10][SIGNALS];
    uint16_t table[ABOUT_TABLE], held[10], played[10][ABOUT_CARD];
    int32_t left;
} Sight;

ALWAYS int at_most(int number, int most) { return number < most ? number : most; }
ALWAYS int within(int number, int most) { return number < -most ? -most : number > most ? most : number; }

ALWAYS int chance_class(int chance) {
    static const int16_t from[15] = {1, 24, 64, 112, 180, 260, 370, 520, 720, 980, 1300, 1750, 2300, 2900, 3500};
    int found = 0;
    for (int i = 0; i < 15; i++) found += chance >= from[i];
    return found;
}

/* `taken` has what each seat took earlier in this round. */
ALWAYS void look(const Table *t, const uint8_t *hand, int left, const uint64_t *unseen, int players, int me,
                 const int32_t *taken, const int32_t *chance, Sight *s) {
    int sorted[USUAL_ROWS], below[USUAL_ROWS], most = 0, full = 0, nearly = 0;
    const int all = ones(unseen[0]) + ones(unseen[1]), others = players - 1;
    uint64_t own[2] = {0, 0};
    for (int row = 0; row < USUAL_ROWS; row++) {
        int key = USUAL_ROWS * t->end[row] + row, i = row;
        for (; i > 0 && sorted[i - 1] > key; i--) sorted[i] = sorted[i - 1];
        sorted[i] = key;
        most = t->sum[row] > most ? t->sum[row] : most;
        full += t->count[row] == USUAL_PLACES;
        nearly += t->count[row] == USUAL_PLACES - 1;
    }
    for (int i = 0; i < USUAL_ROWS; i++) below[i] = lower_cards(unseen, (sorted[i] >> 2) + 1);
    for (int i = 0; i < USUAL_ROWS; i++) {
        const int row = sorted[i] & 3, gap = (i + 1 < USUAL_ROWS ? below[i + 1] : all) - below[i];
        s->table[3 * i] = (uint16_t)(ROW_COUNTS + i * (USUAL_PLACES + 1) + t->count[row]);
        s->table[3 * i + 1] = (uint16_t)(ROW_SUMS + i * STAKES + stake_class(t->sum[row]));
        s->table[3 * i + 2] = (uint16_t)(ROW_GAPS + i * GAPS + GAP_CLASS[gap]);
    }
    int least = 1 << 20, rest = 0;
    for (int seat = 0; seat < players; seat++) {
        if (seat == me) continue;
        least = taken[seat] < least ? taken[seat] : least;
        rest += taken[seat];
    }
    const int behind = within(taken[me] - least, MOST_LEAD),
              more = within(taken[me] * others - rest, MOST_LEAD * others);
    s->table[12] = (uint16_t)(CARDS_LEFT + left);
    s->table[13] = (uint16_t)(AT_TABLE + players);
    s->table[14] = (uint16_t)(LEADS + (behind + 32) / 4);
    s->left = left;
    for (int i = 0; i < left; i++) add_card(own, hand[i]);
    const int cheap = t->sum[cheapest(USUAL(0), t)];
    int lower[10], rank[10], order[10] = {0}, slots[10], now[10], calm = 1 << 20, sum = 0;
    for (int i = 0; i < left; i++) {
        const int card = hand[i];
        int slot = 0, count = 0, heads = cheap, extra = 0, gap = lower[i] = lower_cards(unseen, card);
        for (int j = 0; j < USUAL_ROWS; j++) slot += USUAL_ROWS * card > sorted[j];
        if (slot > 0) {
            int row = sorted[slot - 1] & 3;
            gap -= below[slot - 1];
            count = t->count[row];
            heads = t->sum[row];
            extra = 13 * (USUAL_PLACES - count);
        }
        const int due = chance[left * PER_TURN + gap * 8 + count], line = (slot * (USUAL_PLACES + 1) + count) * GAPS;
        rank[i] = lower_cards(own, card);
        order[rank[i]] = i;
        slots[i] = slot;
        now[i] = at_most(((8 * heads + extra) * due) >> 12, 127); /* in units of 8 heads */
        calm = now[i] < calm ? now[i] : calm;
        sum += now[i];
        s->held[i] = (uint16_t)(HOLDS + line + GAP_CLASS[gap]);
        s->played[i][0] = (uint16_t)(GOES + line + GAP_CLASS[gap]);
        s->played[i][1] = (uint16_t)(MAY_TAKE + count * STAKES + stake_class(heads));
        s->played[i][2] = (uint16_t)(LIKELY + count * 16 + chance_class(due));
        s->played[i][3] = (uint16_t)(IN_HAND + left * 10 + rank[i]);
        int16_t *x = s->signal[i];
        memset(x, 0, sizeof s->signal[i]);
        x[0] = (int16_t)(due >> 6);
        x[1] = (int16_t)now[i];
        x[2] = (int16_t)at_most(4 * heads, 127);
        x[3] = (int16_t)at_most(gap, 64);
        x[4 + count] = 64;
        x[10] = (int16_t)(6 * left);
        x[11] = (int16_t)(6 * players);
        x[16] = (int16_t)(card * 5 / 8);
        x[17] = (int16_t)(64 * lower[i] / (all > 0 ? all : 1));
        x[20] = (int16_t)(64 * rank[i] / left);
        x[23] = (int16_t)at_most(4 * cheap, 127);
        x[24] = (int16_t)(2 * behind);
        x[25] = (int16_t)(2 * more / others);
        x[26] = (int16_t)(16 * full);
        x[27] = (int16_t)(16 * nearly);
        x[28] = (int16_t)at_most(4 * most, 127);
        x[29] = (int16_t)at_most(16 * gap * others / (all > 0 ? all : 1), 127);
        x[30] = (int16_t)(12 * (USUAL_PLACES - count));
        x[31] = 64;
    }
    for (int i = 0; i < left; i++) {
        int16_t *x = s->signal[i];
        int under = 64, over = 64, same_under = 0, same_over = 0, calmer = 0;
        if (rank[i] > 0) {
            int next = order[rank[i] - 1];
            under = at_most(lower[i] - lower[next], 63);
            same_under = slots[next] == slots[i];
        }
        if (rank[i] + 1 < left) {
            int next = order[rank[i] + 1];
            over = at_most(lower[next] - lower[i], 63);
            same_over = slots[next] == slots[i];
        }
        for (int j = 0; j < left; j++) {
            x[12] = (int16_t)(x[12] + 16 * (slots[j] == slots[i] && rank[j] < rank[i]));
            x[13] = (int16_t)(x[13] + 16 * (slots[j] == slots[i] && rank[j] > rank[i]));
            calmer += now[j] < now[i];
        }
        x[14] = (int16_t)under;
        x[15] = (int16_t)over;
        x[18] = (int16_t)calm;
        x[19] = (int16_t)(now[i] - calm);
        x[21] = (int16_t)(64 * calmer / left);
        x[22] = (int16_t)(sum / left);
        s->played[i][4] = (uint16_t)(BELOW + same_under * (GAPS + 1) + (under < 64 ? GAP_CLASS[under] : GAPS));
        s->played[i][5] = (uint16_t)(ABOVE + same_over * (GAPS + 1) + (over < 64 ? GAP_CLASS[over] : GAPS));
    }
}

/* The score of each card. */
static inline void likes(const Sight *s, const nl_ahead *net, int32_t *found) {
    enum { EIGHTS = WIDE / 8 };
    Eight sums[EIGHTS] = {{0}}, line[EIGHTS];
    if (net->lined)
        for (int i = 0; i < ABOUT_TABLE + s->left; i++) {
            memcpy(line, net->lines[i < ABOUT_TABLE ? s->table[i] : s->held[i - ABOUT_TABLE]], sizeof line);
            for (int j = 0; j < EIGHTS; j++) sums[j] += line[j];
        }
    for (int i = 0; i < s->left; i++) {
        Eight own[EIGHTS];
        int16_t mine[WIDE], units[WIDE];
        memcpy(own, sums, sizeof own);
        if (net->lined) {
            memcpy(line, net->lines[s->held[i]], sizeof line);
            for (int j = 0; j < EIGHTS; j++) own[j] -= line[j];
            for (int k = 0; k < ABOUT_CARD; k++) {
                memcpy(line, net->lines[s->played[i][k]], sizeof line);
                for (int j = 0; j < EIGHTS; j++) own[j] += line[j];
            }
        }
        memcpy(mine, own, sizeof mine);
        for (int j = 0; j < WIDE; j++) {
            int32_t sum = mine[j] * 128;
            for (int k = 0; k < SIGNALS; k++) sum += net->signals[j][k] * s->signal[i][k];
            units[j] = (int16_t)(sum < 0 ? 0 : at_most(sum >> 6, 511));
        }
        found[i] = 0;
        for (int j = 0; j < LATE; j++) {
            int32_t sum = net->base[j] * 64;
            for (int k = 0; k < WIDE; k++) sum += net->late[j][k] * units[k];
            found[i] += net->out[j] * (sum < 0 ? 0 : at_most(sum >> 6, 511));
        }
    }
}

/* The index of the card with the highest score; among equals the lowest card. */
static inline int choose_ahead(const Table *t, const uint8_t *hand, int left, const uint64_t *unseen, int players,
                               int me, const int32_t *taken, const int32_t *chance, const nl_ahead *net) {
    Sight s;
    int32_t found[10];
    int pick = 0;
    if (left == 1) return 0;
    look(t, hand, left, unseen, players, me, taken, chance, &s);
    likes(&s, net, found);
    for (int i = 1; i < left; i++)
        if (found[i] > found[pick] || (found[i] == found[pick] && hand[i] < hand[pick])) pick = i;
    return pick;
}

/* Limits that keep every sum from overflowing. */
static inline int check_ahead(const nl_ahead *net) {
    const int16_t *numbers = (const int16_t *)net;
    for (size_t i = 0; i < sizeof *net / sizeof *numbers; i++)
        if (numbers[i] < -NL_AHEAD_MOST || numbers[i] > NL_AHEAD_MOST) return NL_BAD_SIZE;
    return NL_OK;
}

#endif
