/* Code shared by the vectorised games of all chapters (games/<chapter>/games.c): hands, rewards and observations. The API
   functions are in in_step_calls.h. */
#ifndef NIMMT_IN_STEP_H
#define NIMMT_IN_STEP_H

#include <stddef.h>

#include "memory.h"
#include "nimmt.h"
#include "rng.h"

/* The reward of an illegal action (nimmt_lab/rl/match.py). */
#define ILLEGAL_REWARD (-100.0f)
/* How a game ended in a step. */
enum { GOES_ON, IS_OVER, IS_ILLEGAL };

/* Prefetch a game AHEAD games before its turn: a fifth faster where the games do not fit into a cache. */
enum { AHEAD = 2, LINE = 64 };
ALWAYS void fetch(const void *game, size_t from, size_t to) {
    for (size_t at = from; at < to; at += LINE) __builtin_prefetch((const uint8_t *)game + at, 1);
}

/* Win rewards: when the game is over, the seats with the fewest (or most) points share a reward of 1. */
ALWAYS void reward_wins(int end, const int64_t *points, int seats, int most, float *rewards) {
    if (end == IS_ILLEGAL) return;
    for (int seat = 0; seat < seats; seat++) rewards[seat] = 0;
    if (end == GOES_ON) return;
    int64_t best = points[0];
    int winners = 0;
    for (int seat = 1; seat < seats; seat++)
        if (most ? points[seat] > best : points[seat] < best) best = points[seat];
    for (int seat = 0; seat < seats; seat++) winners += points[seat] == best;
    for (int seat = 0; seat < seats; seat++) rewards[seat] = points[seat] == best ? 1.0f / (float)winners : 0.0f;
}

/* Sort cards through a bit set, because comparing random cards causes mispredicted branches. */
ALWAYS void sort_hand(const uint8_t *cards, int size, uint8_t *hand, uint64_t *set) {
    set[0] = set[1] = 0;
    for (int i = 0; i < size; i++) set[cards[i] >> 6] |= 1ull << (cards[i] & 63);
    for (int word = 0; word < 2; word++)
        for (uint64_t left = set[word]; left; left &= left - 1) *hand++ = (uint8_t)(64 * word + __builtin_ctzll(left));
}

/* The size of a hand in bytes: two words, so that all cards are compared at once. */
enum { HELD = 16 };
#define BYTES(x) ((uint64_t)(x) * 0x0101010101010101ull)

/* How many of eight cards are at least `card`. Cards are below 128, so the top bit of each byte can hold the result. */
ALWAYS int not_lower(const uint8_t *cards, int card) {
    uint64_t eight;
    memcpy(&eight, cards, 8);
    uint64_t high = (eight + BYTES(128 - card)) & BYTES(128);
    return (int)(((high >> 7) * BYTES(1)) >> 56);
}

/* The index of a card in a hand of `left` cards, sorted and padded with zeros; -1 if it isn't there. */
ALWAYS int place_of(const uint8_t *hand, int left, int card) {
    int at = left - not_lower(hand, card) - not_lower(hand + 8, card);
    return at < left && hand[at] == card ? at : -1;
}

/* Remove the card at index `at` and close the gap. */
ALWAYS void leave_hand(uint8_t *hand, int at) {
    uint64_t low, high;
    memcpy(&low, hand, 8);
    memcpy(&high, hand + 8, 8);
    if (at < 8) {
        uint64_t kept = (1ull << 8 * at) - 1;
        low = (low & kept) | ((low >> 8 | high << 56) & ~kept);
        high >>= 8;
    } else {
        uint64_t kept = (1ull << 8 * (at - 8)) - 1;
        high = (high & kept) | (high >> 8 & ~kept);
    }
    memcpy(hand, &low, 8);
    memcpy(hand + 8, &high, 8);
}

/* Observations, with the same contents as in nimmt_lab/rl/observe.py. ------------------------------------------------ */

enum { SIGHT_SEATS = 10, SIGHT_ROWS = 16, SIGHT_BESIDE = 320, SIGHT_TENTHS = 10, SIGHT_HUNDREDTHS = 100 };
/* The decision that a seat faces. */
enum { ASKS_NOTHING, ASKS_CARD, ASKS_ROW, ASKS_OTHER };

/* Constants of a game: players and seats (including the buffalo's), whether a team decides; cards, rows, places per row,
   piles; whether hands and stock are open, turns per round, whether cards can be turned; how many numbers of its own. */
typedef struct {
    int players, seats, team, cards, rows, places, piles, open, turns, turned, beside;
} Shape;

/* Numbers in a plane: the card's place, and what is written there. */
typedef struct {
    int32_t place;
    float number;
} Mark;

/* The public state of a game, and all hands. A set of cards is two words; rows point into the game. `laid` are the cards
   in rows and piles. Marks, which only floats need, are those of the rows' planes, and of each seat's plane of plays. */
typedef struct {
    uint64_t hands[SIGHT_SEATS][2], piles[SIGHT_SEATS][2], stock[2], turned[2], laid[2];
    const uint8_t *rows[SIGHT_ROWS];
    int lengths[SIGHT_ROWS];
    int n_queue, n_marks, n_plays[SIGHT_SEATS + 1], round, turn, stock_size, over;
    int held[SIGHT_SEATS], asks[SIGHT_SEATS + 1]; /* the team's follows the players' */
    int64_t heads[SIGHT_SEATS], totals[SIGHT_SEATS];
    uint8_t queue[NL_CARDS], queue_seats[NL_CARDS];
    Mark plays[SIGHT_SEATS + 1][NL_CARDS], marks[NL_CARDS];
} Facts;

#define FOUR(each, n) each(n), each((n) + 1), each((n) + 2), each((n) + 3)
#define SIXTEEN(each, n) FOUR(each, n), FOUR(each, (n) + 4), FOUR(each, (n) + 8), FOUR(each, (n) + 12)
#define MANY(each, n) SIXTEEN(each, n), SIXTEEN(each, (n) + 16), SIXTEEN(each, (n) + 32), SIXTEEN(each, (n) + 48)
/* A set with one card. */
#define ALONE(card) {(card) < 64 ? 1ull << ((card) & 63) : 0, (card) < 64 ? 0 : 1ull << ((card) & 63)}
static const uint64_t CARD_SETS[NL_CARDS][2] = {MANY(ALONE, 0), MANY(ALONE, 64)};
/* Spread eight bits over the lowest bits of eight bytes. */
#define SPREAD(bits) (((bits) & 127ull) * 0x0002040810204081ull & 0x0001010101010101ull) | ((bits) & 128ull) << 49
static const uint64_t SPREADS[256] = {MANY(SPREAD, 0), MANY(SPREAD, 64), MANY(SPREAD, 128), MANY(SPREAD, 192)};

/* Four bits as floats. */
#define FLOATS(bits) {(bits) & 1, (bits) >> 1 & 1, (bits) >> 2 & 1, (bits) >> 3 & 1}
static const float FOUR_FLOATS[16][4] = {SIXTEEN(FLOATS, 0)};

/* Updates both words without indexing, so that the set stays in registers. */
ALWAYS void add_to(uint64_t *set, int card) {
    set[0] |= CARD_SETS[card & (NL_CARDS - 1)][0];
    set[1] |= CARD_SETS[card & (NL_CARDS - 1)][1];
}
ALWAYS void add_set(uint64_t *set, const uint64_t *other) {
    set[0] |= other[0];
    set[1] |= other[1];
}
ALWAYS void add_all(uint64_t *set, const uint8_t *cards, int count) {
    uint64_t all[2] = {0, 0};
    for (int i = 0; i < count; i++) add_to(all, cards[i]);
    add_set(set, all);
}
/* What observations say of plays in a turn. */
ALWAYS float turn_number(const Shape *s, int turn) { return (float)(turn + 1) / (float)s->turns; }
ALWAYS void note_play(Facts *f, const Shape *s, int card, int seat, float number) {
    if (!card || card > s->cards || seat >= s->seats || f->n_plays[seat] == NL_CARDS) return;
    f->plays[seat][f->n_plays[seat]++] = (Mark){card - 1, number};
}
/* The cards in rows. `part` are the first places of a row as fractions. */
enum { SIGHT_PARTS = 32 };
ALWAYS void find_marks(Facts *f, const Shape *s, const float *part) {
    f->n_marks = 0;
    for (int row = 0; row < s->rows; row++)
        for (int i = 0; i < f->lengths[row] && f->n_marks < NL_CARDS; i++) {
            const int card = f->rows[row][i];
            const float number = i < SIGHT_PARTS ? part[i] : (float)(i + 1) / (float)s->places;
            if (card && card <= s->cards) f->marks[f->n_marks++] = (Mark){row * s->cards + card - 1, number};
        }
}
ALWAYS void write_marks(float *plane, const Mark *marks, int count) {
    for (int i = 0; i < count; i++) plane[marks[i].place] = marks[i].number;
}
/* For chapters whose games have no set of the cards in rows and piles. */
ALWAYS void find_laid(Facts *f, const Shape *s) {
    for (int row = 0; row < s->rows; row++)
        for (int i = 0; i < f->lengths[row]; i++)
            if (f->rows[row][i] && f->rows[row][i] <= s->cards) add_to(f->laid, f->rows[row][i]);
    for (int pile = 0; pile < s->piles; pile++) add_set(f->laid, f->piles[pile]);
}

/* The length of an observation. */
static inline int sight_size(const Shape *s, int compact) {
    int hands = s->open ? s->players : 1, sets = hands + 1 + s->open;
    int numbers = 2 * s->players + 1 + s->piles + 2 * s->piles + 7 + s->beside;
    if (compact) return (sets + 1 + s->turned) * s->cards + s->rows * s->places + numbers + 1;
    return (sets + s->rows + 2 * s->seats + 1 + s->piles) * s->cards + numbers;
}

/* Write a number as a fraction of `over` or, if compact, as an integer clamped to a byte. */
ALWAYS void sight_put(void *out, const int compact, int at, int64_t value, int over) {
    if (compact) ((int8_t *)out)[at] = (int8_t)(value < -127 ? -127 : value > 127 ? 127 : value);
    else ((float *)out)[at] = (float)value / (float)over;
}
/* The same for a number that a byte holds anyway. */
ALWAYS void sight_few(void *out, const int compact, int at, int value, int over) {
    if (compact) ((int8_t *)out)[at] = (int8_t)value;
    else ((float *)out)[at] = (float)value / (float)over;
}

/* In pieces that compilers write with a few stores: `rep stos` for a hundred bytes took a tenth of an observation. */
ALWAYS void sight_clear(int8_t *out, int size) {
    int at = 0;
    for (; at + LINE <= size; at += LINE) memset(out + at, 0, LINE);
    memset(out + at, 0, (size_t)(size - at));
}

/* Write 1 for each card of a set and 0 for the others. If `few`, floats must already be zeroed. */
ALWAYS int sight_set(void *out, const int compact, const int few, int at, const uint64_t *set, int cards) {
    const uint64_t words[2] = {set[0] >> 1 | set[1] << 63, set[1] >> 1};
    const int step = compact ? 8 : 4;
    for (int word = 0; word < 2; word++) {
        const int first = 64 * word, last = cards < first + 64 ? cards : first + 64;
        uint64_t bits = words[word];
        int card = first;
        if (few && !compact) {
            for (; bits; bits &= bits - 1) {
                card = first + __builtin_ctzll(bits);
                if (card < cards) ((float *)out)[at + card] = 1;
            }
            continue;
        }
        for (; card + step <= last; card += step, bits >>= step) {
            if (compact) memcpy((int8_t *)out + at + card, &SPREADS[bits & 255], 8);
            else memcpy((float *)out + at + card, FOUR_FLOATS[bits & 15], 4 * sizeof(float));
        }
        for (; card < last; card++, bits >>= 1) sight_few(out, compact, at + card, (int)(bits & 1), 1);
    }
    return at + cards;
}

/* Write the observation of `seat` (the team follows the players), with the chapter's numbers and their divisors. */
ALWAYS void observe_game(void *restrict out, const int compact, const Shape *s, const Facts *f, int seat,
                         const int16_t *beside, const int16_t *over) {
    const int n = s->players, first = seat < n ? seat : 0, own = s->team ? 0 : first, cards = s->cards;
    const uint64_t none[2] = {0, 0};
    uint64_t seen[2] = {f->laid[0], f->laid[1]};
    int at = 0;
    /* A compact observation writes all its entries itself. */
    if (!compact) memset(out, 0, (size_t)sight_size(s, 0) * sizeof(float));
    for (int step = 0; step < (s->open ? n : 1); step++) {
        const uint64_t *hand = f->hands[(first + step) % n];
        const uint64_t *shown = seat < n || s->open ? hand : none;
        sight_set(out, compact, 1, at, shown, cards);
        add_set(seen, shown);
        at += cards;
    }
    if (!compact) write_marks((float *)out + at, f->marks, f->n_marks);
    for (int row = 0; compact && row < s->rows; row++) {
        const int length = f->lengths[row];
        const uint8_t *tiles = f->rows[row];
        if (s->places < 8 && length <= s->places) { /* copy it whole, without a branch for each card */
            uint64_t cut;
            memcpy(&cut, tiles, sizeof cut);
            cut &= (1ull << 8 * length) - 1;
            /* The plane that follows is written later. */
            memcpy((int8_t *)out + at, &cut, s->cards >= 8 ? sizeof cut : (size_t)s->places);
            at += s->places;
            continue;
        }
        const int skipped = length > s->places ? length - s->places : 0;
        memset((int8_t *)out + at, 0, (size_t)s->places);
        for (int i = skipped; i < length; i++)
            if (tiles[i] && tiles[i] <= cards) sight_put(out, 1, at + i - skipped, tiles[i], cards);
        at += s->places;
    }
    if (!compact) at += s->rows * cards;
    if (compact) sight_clear((int8_t *)out + at, cards);
    for (int i = 0; i < f->n_queue; i++) {
        const int who = f->queue_seats[i], card = f->queue[i], step = who < n ? (who - first + n) % n : who;
        if (!card || card > cards || who >= s->seats) continue;
        add_to(seen, card);
        if (compact) sight_few(out, 1, at + card - 1, step + 1, s->seats);
        else sight_put(out, 0, at + step * cards + card - 1, i + 1, 16);
    }
    at += compact ? cards : s->seats * cards;
    if (!compact || s->turned) at = sight_set(out, compact, 1, at, f->turned, cards);
    for (int step = 0; !compact && step < s->piles; step++)
        at = sight_set(out, 0, 1, at, f->piles[(own + step) % s->piles], cards);
    if (s->open) {
        at = sight_set(out, compact, 1, at, f->stock, cards);
        add_set(seen, f->stock);
    }
    if (!compact) {
        for (int who = 0; who < s->seats; who++) {
            const int step = who < n ? (who - first + n) % n : who;
            write_marks((float *)out + at + step * cards, f->plays[who], f->n_plays[who]);
        }
        at += s->seats * cards;
    }
    at = sight_set(out, compact, 0, at, (const uint64_t[]){~seen[0], ~seen[1]}, cards);
    for (int step = 0; step < n; step++) {
        sight_few(out, compact, at + step, f->held[(first + step) % n], SIGHT_TENTHS);
        sight_few(out, compact, at + n + step, f->asks[(first + step) % n] != ASKS_NOTHING, 1);
    }
    at += 2 * n;
    sight_few(out, compact, at++, s->team && f->asks[n] != ASKS_NOTHING, 1);
    for (int pile = 0; pile < s->piles; pile++)
        sight_few(out, compact, at + pile, s->team ? !pile && seat == n : pile == seat, 1);
    at += s->piles;
    for (int step = 0; step < s->piles; step++) {
        sight_put(out, compact, at + step, f->heads[(own + step) % s->piles], SIGHT_HUNDREDTHS);
        sight_put(out, compact, at + s->piles + step, f->totals[(own + step) % s->piles], SIGHT_HUNDREDTHS);
    }
    at += 2 * s->piles;
    sight_put(out, compact, at++, f->round, SIGHT_TENTHS);
    sight_put(out, compact, at++, f->turn, s->turns);
    sight_put(out, compact, at++, f->stock_size, cards);
    sight_few(out, compact, at++, f->over, 1);
    for (int kind = ASKS_CARD; kind <= ASKS_OTHER; kind++) sight_few(out, compact, at++, f->asks[seat] == kind, 1);
    if (compact) sight_put(out, 1, at++, f->n_queue ? f->queue[0] : 0, cards);
    for (int i = 0; i < s->beside; i++) sight_put(out, compact, at + i, beside[i], over[i]);
}

#endif
