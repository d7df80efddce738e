/* Bull Baron: how policies choose, how a turn is played, and when the game is over. */
#ifndef NIMMT_BARON_TURN_H
#define NIMMT_BARON_TURN_H

#include "games/baron/kernel.h"
#include "memory.h"
#include "rng.h"

enum { STANDARD, COLOUR_COUNTS, BULLS_ARE_GOOD, VARIANTS };
enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, POLICIES };
/* Which of several rows: the one with the fewest bulls (the most, where they are good); any; the shortest; or, for
   policies that look ahead, the one where the card takes least (most). Playouts use the last. */
enum { CHEAPEST, ANY_ROW, SHORTEST, CAREFUL, LOW_POLICIES };
/* EDGES_FIRST: the bonus per step away from the middle of the deck. */
enum { EDGE_BONUS = 40, MIDDLE = 55 };
#define TOPS 0x8080808080808080ull
#define SIXES 0x7a7a7a7a7a7a7a7aull
#define LANES 0x0000070707070707ull
enum { MOST_BULLS = 594 * BARON_CARDS };

/* Rule 2, R-O6: whether the card brings one of its own colours to six. Lanes reach at most 7 + 6, so they never
   overflow. */
static inline int reaches_six(const nl_baron *w, const baron_table *t, int row, int card) {
    uint64_t mine = w->lanes[card], sum = t->lanes[row] + mine;
    return ((sum + SIXES) & TOPS & (mine + (TOPS - 0x0101010101010101ull))) != 0;
}

static inline int fits(const nl_baron *w, const baron_table *t, int row, int card) {
    return (w->colours[card] & w->colours[t->end[row]]) != 0;
}

/* The effect of adding a card to a matching row. */
static inline int adding(const nl_baron *w, const baron_table *t, int row, int card) {
    if (t->count[row] >= 5 && w->variant != COLOUR_COUNTS) return BARON_SIXTH;
    return reaches_six(w, t, row, card) ? BARON_SIX : BARON_PUT;
}

/* The cost that policies minimise, equal to nimmt_lab.games.baron.kernel.cost. */
static int32_t cost_of(const nl_baron *w, const baron_table *t, int policy, int card) {
    int safe = 0, least = 1 << 20, most = -1, lowest = 1 << 20, all = 0, any = 0;
    for (int row = 0; row < BARON_ROWS; row++) {
        int bulls = t->bulls[row];
        all += bulls;
        if (bulls < lowest) lowest = bulls;
        if (!fits(w, t, row, card)) continue;
        any = 1;
        if (adding(w, t, row, card) == BARON_PUT) {
            safe++;
        } else {
            if (bulls < least) least = bulls;
            if (bulls > most) most = bulls;
        }
    }
    int32_t cost;
    if (w->variant == BULLS_ARE_GOOD) {
        /* Bulls taken now are a gain, and so is losing those on the card; but a card that matches no row comes back. */
        cost = most >= 0 ? -60 * most - 30 * w->bulls[card] : any ? -30 * w->bulls[card] : 30 * w->bulls[card];
    } else if (safe) {
        /* A take is likelier if more cards are placed before mine and fewer rows are safe. */
        cost = (w->players - 1) * (card - 1) * all / ((1 + safe) * (1 + safe) * 5);
    } else {
        cost = 110 * (any ? least : lowest);
    }
    if (policy == CLOSEST_SAFE) {
        if (w->variant == BULLS_ARE_GOOD) return most >= 0 ? -128 * most + card : any ? card : 128 + card;
        return safe ? 128 * (BARON_ROWS - safe) + card : 1024 + 128 * (any ? least : lowest) + card;
    }
    if (policy == EDGES_FIRST) cost -= EDGE_BONUS * (card > MIDDLE ? card - MIDDLE : MIDDLE - card);
    return cost;
}

/* The card that a seat plays, by its index in the hand. */
static inline int choose_card(const nl_baron *w, const baron_table *t, int policy, const uint8_t *hand, int held,
                              uint64_t *rng) {
    if (policy == RANDOM) return (int)nl_below(rng, (uint32_t)held);
    if (policy == LOWEST) return 0;
    if (policy == HIGHEST) return held - 1;
    int32_t pick = 0, best = 0x7fffffff;
    for (int i = 0; i < held; i++) {
        int32_t cost = cost_of(w, t, policy, hand[i]);
        if (cost < best) {
            best = cost;
            pick = i;
        }
    }
    return pick;
}

/* Choose one of `rows` (one bit each). `matching`: the card would join the row; otherwise it takes the row. */
static inline int choose_row(const nl_baron *w, const baron_table *t, int policy, int card, int rows, int matching,
                             uint64_t *rng) {
    if (policy == ANY_ROW) {
        int count = 0;
        for (int row = 0; row < BARON_ROWS; row++) count += rows >> row & 1;
        int skip = (int)nl_below(rng, (uint32_t)count);
        for (int row = 0;; row++)
            if ((rows >> row & 1) && skip-- == 0) return row;
    }
    int best = 0;
    int64_t least = (int64_t)1 << 62;
    for (int row = 0; row < BARON_ROWS; row++) {
        if (!(rows >> row & 1)) continue;
        int64_t bulls = w->variant == BULLS_ARE_GOOD ? -t->bulls[row] : t->bulls[row];
        int64_t cost = bulls * 128 - t->end[row];
        if (policy == SHORTEST) cost += (int64_t)t->count[row] << 32;
        if (policy == CAREFUL && matching) {
            /* Best is to take nothing; then the shortest row, and the highest last card, so the card isn't soon taken. */
            int what = adding(w, t, row, card);
            cost = (what == BARON_PUT ? 0 : bulls * 4096) + t->count[row] * 128 - t->end[row];
        }
        if (cost < least) {
            least = cost;
            best = row;
        }
    }
    return best;
}

static inline void start_row(const nl_baron *w, baron_table *t, int row, int card) {
    t->end[row] = card;
    t->count[row] = 1;
    t->bulls[row] = w->bulls[card];
    t->lanes[row] = w->lanes[card];
}

/* The sum of two lane vectors, saturated at 7: numbers above six don't matter, but must not overflow. */
static inline uint64_t stop_at_seven(uint64_t sum) {
    uint64_t over = (sum + 0x7878787878787878ull) & TOPS; /* lanes from 8 on */
    uint64_t mask = (over >> 7) * 255;
    return (sum & ~mask) | (0x0707070707070707ull & mask);
}

/* The rows whose last card shares a colour with the card, one bit each. */
static inline int matching(const nl_baron *w, const baron_table *t, int card) {
    int rows = 0;
    for (int row = 0; row < BARON_ROWS; row++) rows |= fits(w, t, row, card) << row;
    return rows;
}

/* The rows that the player of a card may choose from, given those it matches; 0: there is no choice. */
static inline int rows_asked(const nl_baron *w, int rows) {
    if (!rows) return w->variant == BULLS_ARE_GOOD ? 0 : (1 << BARON_ROWS) - 1;
    return rows & (rows - 1) ? rows : 0;
}

/* The lowest row of a set; -1 if it is empty. */
static inline int lowest_row(int rows) { return rows ? __builtin_ctz((unsigned)rows) : -1; }

/* Add a seat's card to `row`, which it matches; -1: put it under the draw pile. Records the effect. */
static inline void lay_card(const nl_baron *w, baron_table *t, int seat, int card, int rows, int row, int32_t *note) {
    int what, bulls = 0, asked = rows_asked(w, rows) != 0;
    if (row < 0) {
        t->pile[seat][(t->start[seat] + t->size[seat]++) & (BARON_PILE - 1)] = (uint8_t)card;
        what = BARON_TUCKED;
    } else {
        what = rows ? adding(w, t, row, card) : BARON_NO_COLOUR;
        if (what == BARON_PUT) {
            t->end[row] = card;
            t->count[row]++;
            t->bulls[row] += w->bulls[card];
            t->lanes[row] = stop_at_seven(t->lanes[row] + w->lanes[card]);
        } else {
            bulls = t->bulls[row];
            t->taken[seat] += bulls;
            start_row(w, t, row, card);
        }
    }
    note[0] = seat;
    note[1] = card;
    note[2] = row;
    note[3] = what | asked << 3 | bulls << 4;
}

/* Place a seat's card in row `given`, or (-1) in the row its policy chooses. Records the effect. */
static inline void place(const nl_baron *w, baron_table *t, int seat, int card, int given, uint64_t *rng,
                         int32_t *note) {
    int rows = matching(w, t, card), asked = rows_asked(w, rows), row = lowest_row(rows);
    if (asked) row = given >= 0 ? given : choose_row(w, t, w->lows[seat], card, asked, rows != 0, rng);
    lay_card(w, t, seat, card, rows, row, note);
}

static inline void play_from_hand(baron_table *t, int seat, int at) {
    for (int i = at + 1; i < t->held[seat]; i++) t->hand[seat][i - 1] = t->hand[seat][i];
    t->held[seat]--;
}

/* Insert a card into the queue, in ascending order. */
static inline int queue_card(int32_t *queue, int32_t *seats, int n, int seat, int card) {
    int at = n;
    for (; at > 0 && queue[at - 1] > card; at--) {
        queue[at] = queue[at - 1];
        seats[at] = seats[at - 1];
    }
    queue[at] = card;
    seats[at] = seat;
    return n + 1;
}

/* How a seat plays this time: by its policy, or at random. */
static inline int policy_of(const nl_baron *w, int seat, uint64_t *rng) {
    return w->stray[seat] && (int)nl_below(rng, 256) < w->stray[seat] ? RANDOM : w->policies[seat];
}

/* Every seat with cards plays one; a seat in `mine` plays the card given there. */
static inline int choose_all(const nl_baron *w, baron_table *t, int me, int mine, int32_t *queue, int32_t *seats,
                             uint64_t *rng) {
    int n = 0;
    for (int seat = 0; seat < w->players; seat++) {
        if (!t->held[seat]) continue;
        int at = 0;
        if (seat == me)
            while (at + 1 < t->held[seat] && t->hand[seat][at] != mine) at++;
        else at = choose_card(w, t, policy_of(w, seat, rng), t->hand[seat], t->held[seat], rng);
        n = queue_card(queue, seats, n, seat, t->hand[seat][at]);
        play_from_hand(t, seat, at);
    }
    return n;
}

/* Refill empty hands from the draw piles (R-O4). */
static inline void refill(const nl_baron *w, baron_table *t) {
    for (int seat = 0; seat < w->players; seat++) {
        if (t->held[seat]) continue;
        while (t->size[seat] && t->held[seat] < BARON_HAND) {
            uint8_t card = t->pile[seat][t->start[seat]];
            t->start[seat] = (t->start[seat] + 1) & (BARON_PILE - 1);
            t->size[seat]--;
            nl_insert(t->hand[seat], t->held[seat]++, card);
        }
    }
}

/* Deal a round from the stream: hands, draw piles, first cards of the rows. */
static inline void deal_round(const nl_baron *w, uint64_t *rng, baron_table *t) {
    uint8_t cards[BARON_CARDS];
    const int n = w->players;
    for (int i = 0; i < BARON_CARDS; i++) cards[i] = (uint8_t)(i + 1);
    nl_shuffle(rng, cards, BARON_CARDS, n * w->dealt + BARON_ROWS);
    memset(t, 0, sizeof *t);
    for (int seat = 0; seat < n; seat++) {
        t->size[seat] = w->dealt;
        memcpy(t->pile[seat], cards + seat * w->dealt, (size_t)w->dealt);
    }
    refill(w, t);
    for (int row = 0; row < BARON_ROWS; row++) start_row(w, t, row, cards[n * w->dealt + row]);
}

/* Why the game is over between turns: 1 all cards played, 2 somebody placed the last card, 3 no card fits (R-O5). */
static inline int is_over(const nl_baron *w, const baron_table *t) {
    int empty = 0, ends = 0;
    for (int seat = 0; seat < w->players; seat++) empty += !t->held[seat] && !t->size[seat];
    if (w->variant != BULLS_ARE_GOOD) return empty == w->players;
    if (empty) return 2;
    for (int row = 0; row < BARON_ROWS; row++) ends |= w->colours[t->end[row]];
    for (int seat = 0; seat < w->players; seat++) {
        for (int i = 0; i < t->held[seat]; i++)
            if (ends & w->colours[t->hand[seat][i]]) return 0;
        for (int i = 0; i < t->size[seat]; i++)
            if (ends & w->colours[t->pile[seat][(t->start[seat] + i) & (BARON_PILE - 1)]]) return 0;
    }
    return 3;
}

/* The points of each seat if the game ended now. */
static inline void count_points(const nl_baron *w, const baron_table *t, int32_t *points) {
    for (int seat = 0; seat < w->players; seat++) {
        points[seat] = t->taken[seat];
        if (w->variant != BULLS_ARE_GOOD) continue;
        for (int i = 0; i < t->held[seat]; i++) points[seat] -= w->bulls[t->hand[seat][i]];
        for (int i = 0; i < t->size[seat]; i++)
            points[seat] -= w->bulls[t->pile[seat][(t->start[seat] + i) & (BARON_PILE - 1)]];
    }
}

/* The win credit of a seat: the best total wins, and ties share. */
static inline int credit(const nl_baron *w, const int32_t *totals, int seat) {
    int ties = 0;
    for (int other = 0; other < w->players; other++) {
        int32_t ahead = totals[other] - totals[seat];
        if (w->variant == BULLS_ARE_GOOD ? ahead > 0 : ahead < 0) return 0;
        ties += ahead == 0;
    }
    return NL_CREDIT / ties;
}

static inline int check_baron(const nl_baron *w) {
    if (is_outside(w->players, 2, BARON_SEATS) || is_outside(w->dealt, 1, BARON_CARDS)) return NL_BAD_SIZE;
    if (w->dealt * w->players + BARON_ROWS > BARON_CARDS) return NL_BAD_SIZE;
    if (is_outside(w->variant, 0, VARIANTS - 1)) return NL_BAD_CODE;
    for (int seat = 0; seat < w->players; seat++)
        if (is_outside(w->policies[seat], 0, POLICIES - 1) || is_outside(w->lows[seat], 0, LOW_POLICIES - 1))
            return NL_BAD_CODE;
    for (int card = 1; card <= BARON_CARDS; card++) {
        int colours = 0;
        for (int colour = 0; colour < 8; colour++) {
            int bulls = w->lanes[card] >> 8 * colour & 255;
            if (bulls > (colour < 6 ? 6 : 0)) return NL_BAD_CODE;
            colours |= (bulls > 0) << colour;
        }
        if (!colours || w->colours[card] != colours || is_outside(w->bulls[card], 1, 594)) return NL_BAD_CODE;
    }
    return NL_OK;
}

static inline int no_card(int card) { return card < 1 || card > BARON_CARDS; }

/* The rows, and the known part of hands and piles: `known` says whether the cards in draw piles and in other hands
   than w->me's are known. */
static inline int check_baron_table(const nl_baron *w, int known) {
    const baron_table *t = &w->table;
    for (int row = 0; row < BARON_ROWS; row++) {
        if (no_card(t->end[row]) || is_outside(t->count[row], 1, BARON_CARDS)) return NL_BAD_CODE;
        if (is_outside(t->bulls[row], 1, MOST_BULLS) || t->lanes[row] & ~LANES) return NL_BAD_CODE;
    }
    int cards = 0;
    for (int seat = 0; seat < w->players; seat++) {
        if (is_outside(t->taken[seat], 0, MOST_BULLS) || is_outside(t->held[seat], 0, BARON_HAND)) return NL_BAD_SIZE;
        if (is_outside(t->size[seat], 0, 60) || is_outside(t->start[seat], 0, BARON_PILE - 1)) return NL_BAD_SIZE;
        cards += t->held[seat] + t->size[seat];
        if (known || seat == w->me)
            for (int i = 0; i < t->held[seat]; i++)
                if (no_card(t->hand[seat][i])) return NL_BAD_CODE;
        for (int i = 0; known && i < t->size[seat]; i++)
            if (no_card(t->pile[seat][(t->start[seat] + i) & (BARON_PILE - 1)])) return NL_BAD_CODE;
        if (is_outside(w->points[seat], -100000000, 100000000)) return NL_BAD_SIZE;
    }
    return cards > BARON_CARDS ? NL_BAD_SIZE : NL_OK;
}

#endif
