/* A player that learned to end a round ahead of the others (ahead.py says how it judges a card). Integers only, so it
   is the same everywhere. */
#ifndef NIMMT_AHEAD_H
#define NIMMT_AHEAD_H

#include "network.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* Whether all cards of a hand have the same signals 2 * `pair` and 2 * `pair` + 1. */
ALWAYS int is_common(int pair) { return pair == 5 || (pair >= 11 && pair <= 13); }

/* Two signals or units in one word. */
ALWAYS int32_t pair_at(const int16_t *x, int pair) {
    int32_t both;
    memcpy(&both, x + 2 * pair, sizeof both);
    return both;
}

/* The score of each card. */
#if defined(__SSE2__)
enum { LANES = 8 }; /* numbers of 16 bits in a vector */
ALWAYS __m128i load(const int16_t *from) { return _mm_loadu_si128((const __m128i *)(const void *)from); }

/* Add the products of two inputs with the weights of all units. */
ALWAYS void add_pair(__m128i *sums, const int16_t (*weights)[2], int vectors, int32_t both) {
    const __m128i x = _mm_set1_epi32(both);
    for (int v = 0; v < vectors; v++) sums[v] = _mm_add_epi32(sums[v], _mm_madd_epi16(x, load(weights[0] + LANES * v)));
}

/* A unit is at least 0 and at most 511. */
ALWAYS __m128i units_of(__m128i low, __m128i high) {
    const __m128i units = _mm_packs_epi32(_mm_srai_epi32(low, 6), _mm_srai_epi32(high, 6));
    return _mm_max_epi16(_mm_min_epi16(units, _mm_set1_epi16(511)), _mm_setzero_si128());
}

static inline void likes(const Sight *s, const nl_ahead *net, int32_t *found) {
    enum { VECTORS = WIDE / LANES };
    const __m128i zero = _mm_setzero_si128();
    __m128i table[VECTORS], common[2 * VECTORS], late_base[LATE / 4];
    for (int v = 0; v < VECTORS; v++) table[v] = common[2 * v] = common[2 * v + 1] = zero;
    for (int i = 0; net->lined && i < ABOUT_TABLE + s->left; i++) {
        const int16_t *line = net->lines[i < ABOUT_TABLE ? s->table[i] : s->held[i - ABOUT_TABLE]];
        for (int v = 0; v < VECTORS; v++) table[v] = _mm_add_epi16(table[v], load(line + LANES * v));
    }
    for (int pair = 0; pair < SIGNALS / 2; pair++)
        if (is_common(pair)) add_pair(common, net->signals[pair], 2 * VECTORS, pair_at(s->signal[0], pair));
    /* A number in the upper half of a word, shifted down by 9 bits, is its product with 128; by 10, with 64. */
    for (int v = 0; v < LATE / LANES; v++) {
        const __m128i base = load(net->base + LANES * v);
        late_base[2 * v] = _mm_srai_epi32(_mm_unpacklo_epi16(zero, base), 10);
        late_base[2 * v + 1] = _mm_srai_epi32(_mm_unpackhi_epi16(zero, base), 10);
    }
    for (int i = 0; i < s->left; i++) {
        __m128i sums[2 * VECTORS], late[LATE / 4], total = zero;
        int16_t units[WIDE];
        int32_t parts[4];
        for (int v = 0; v < VECTORS; v++) {
            __m128i mine = table[v];
            if (net->lined) {
                mine = _mm_sub_epi16(mine, load(net->lines[s->held[i]] + LANES * v));
                for (int k = 0; k < ABOUT_CARD; k++)
                    mine = _mm_add_epi16(mine, load(net->lines[s->played[i][k]] + LANES * v));
            }
            sums[2 * v] = _mm_add_epi32(common[2 * v], _mm_srai_epi32(_mm_unpacklo_epi16(zero, mine), 9));
            sums[2 * v + 1] = _mm_add_epi32(common[2 * v + 1], _mm_srai_epi32(_mm_unpackhi_epi16(zero, mine), 9));
        }
        for (int pair = 0; pair < SIGNALS / 2; pair++) {
            const int32_t both = pair_at(s->signal[i], pair);
            if (both && !is_common(pair)) add_pair(sums, net->signals[pair], 2 * VECTORS, both);
        }
        for (int v = 0; v < VECTORS; v++)
            _mm_storeu_si128((__m128i *)(void *)(units + LANES * v), units_of(sums[2 * v], sums[2 * v + 1]));
        memcpy(late, late_base, sizeof late);
        for (int pair = 0; pair < WIDE / 2; pair++) {
            const int32_t both = pair_at(units, pair);
            if (both) add_pair(late, net->late[pair], LATE / 4, both);
        }
        for (int v = 0; v < LATE / LANES; v++) {
            const __m128i last = units_of(late[2 * v], late[2 * v + 1]);
            total = _mm_add_epi32(total, _mm_madd_epi16(last, load(net->out + LANES * v)));
        }
        _mm_storeu_si128((__m128i *)(void *)parts, total);
        found[i] = parts[0] + parts[1] + parts[2] + parts[3];
    }
}
#else
static inline void likes(const Sight *s, const nl_ahead *net, int32_t *found) {
    int16_t sums[WIDE] = {0};
    if (net->lined) {
        for (int i = 0; i < ABOUT_TABLE; i++)
            for (int j = 0; j < WIDE; j++) sums[j] = (int16_t)(sums[j] + net->lines[s->table[i]][j]);
        for (int i = 0; i < s->left; i++)
            for (int j = 0; j < WIDE; j++) sums[j] = (int16_t)(sums[j] + net->lines[s->held[i]][j]);
    }
    for (int i = 0; i < s->left; i++) {
        const int16_t *x = s->signal[i];
        int16_t mine[WIDE];
        int32_t wide[WIDE], late[LATE];
        memcpy(mine, sums, sizeof mine);
        if (net->lined) {
            for (int j = 0; j < WIDE; j++) mine[j] = (int16_t)(mine[j] - net->lines[s->held[i]][j]);
            for (int k = 0; k < ABOUT_CARD; k++)
                for (int j = 0; j < WIDE; j++) mine[j] = (int16_t)(mine[j] + net->lines[s->played[i][k]][j]);
        }
        for (int j = 0; j < WIDE; j++) wide[j] = mine[j] * 128;
        for (int pair = 0; pair < SIGNALS / 2; pair++) {
            const int16_t (*weights)[2] = net->signals[pair];
            for (int j = 0; j < WIDE; j++) wide[j] += weights[j][0] * x[2 * pair] + weights[j][1] * x[2 * pair + 1];
        }
        for (int j = 0; j < WIDE; j++) wide[j] = wide[j] < 0 ? 0 : at_most(wide[j] >> 6, 511);
        for (int j = 0; j < LATE; j++) late[j] = net->base[j] * 64;
        for (int pair = 0; pair < WIDE / 2; pair++) {
            const int16_t (*weights)[2] = net->late[pair];
            for (int j = 0; j < LATE; j++)
                late[j] += weights[j][0] * wide[2 * pair] + weights[j][1] * wide[2 * pair + 1];
        }
        found[i] = 0;
        for (int j = 0; j < LATE; j++) found[i] += net->out[j] * (late[j] < 0 ? 0 : at_most(late[j] >> 6, 511));
    }
}
#endif

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
