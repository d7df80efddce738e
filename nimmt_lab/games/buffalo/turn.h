/* Beat the Buffalo: placing cards, and the effects of special cards (as in rules.py and effects.py). */
#ifndef NIMMT_BUFFALO_TURN_H
#define NIMMT_BUFFALO_TURN_H

#include "games/buffalo/kernel.h"
#include "memory.h"
#include "rng.h"

enum { PLACES = 5 };
enum { CHEAPEST, ANY_ROW, SHORTEST, LOW_POLICIES };

static inline int end_of(const buffalo_table *t, int row) { return t->rows[row][t->count[row] - 1]; }

static inline int heads_of(const nl_buffalo *w, const buffalo_table *t, int row) {
    int heads = 0;
    for (int i = 0; i < t->count[row]; i++) heads += w->card_heads[t->rows[row][i]];
    return heads;
}

/* The rows a low card may take: not empty, not stopped (R-B3); one bit each. */
static inline int rows_to_take(const buffalo_table *t) {
    int rows = 0;
    for (int row = 0; row < BUFFALO_ROWS; row++) rows |= (t->count[row] && !(t->stopped >> row & 1)) << row;
    return rows;
}

/* The row that is not stopped and whose end is closest below the card; -1 if there is none (R-B14). */
static inline int row_for(const buffalo_table *t, int card) {
    int best = -1, end = 0;
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        if (!t->count[row] || (t->stopped >> row & 1)) continue;
        int last = end_of(t, row);
        if (last < card && last > end) {
            end = last;
            best = row;
        }
    }
    return best;
}

static inline int limit_of(const buffalo_table *t, int row, int usual) { return usual + (t->seven >> row & 1); }

/* Fewest heads (with SHORTEST, cards first), then the highest last card. */
static inline int cheapest(const nl_buffalo *w, const buffalo_table *t, int rows, int policy) {
    int best = 0, least = 1 << 30;
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        if (!(rows >> row & 1)) continue;
        int cost = heads_of(w, t, row) * 128 - end_of(t, row);
        if (policy == SHORTEST) cost += t->count[row] << 20;
        if (cost < least) {
            least = cost;
            best = row;
        }
    }
    return best;
}

static inline void forget(buffalo_table *t, int card) {
    if (t->first == card) t->first = 0;
    if (t->last == card) t->last = 0;
}

static inline void drop_from_queue(buffalo_table *t, int at) {
    for (int i = at + 1; i < t->n_queue; i++) {
        t->queue[i - 1] = t->queue[i];
        t->seats[i - 1] = t->seats[i];
    }
    t->n_queue--;
}

static inline void put_in(buffalo_table *t, int at, int card, int seat) {
    for (int i = t->n_queue; i > at; i--) {
        t->queue[i] = t->queue[i - 1];
        t->seats[i] = t->seats[i - 1];
    }
    t->queue[at] = (uint8_t)card;
    t->seats[at] = (uint8_t)seat;
    t->n_queue++;
}

/* Remove a seat's card from the queue. */
static inline int pull_out(buffalo_table *t, int seat) {
    int at = 0;
    while (at < t->n_queue - 1 && t->seats[at] != seat) at++;
    int card = t->queue[at];
    drop_from_queue(t, at);
    return card;
}

/* Whether a player has to choose a row for the next card. */
static inline int is_low(const buffalo_table *t, int players) {
    return !t->n_empty && t->seats[0] < players && row_for(t, t->queue[0]) < 0;
}

/* Place the next card; a player's low card takes row `given` or (-1) the cheapest. Returns the kind of take (0 none,
   1 full, 2 low card). */
static inline int place_next(const nl_buffalo *w, buffalo_table *t, int given, int *taken, int *where) {
    const int card = t->queue[0], ours = t->seats[0] < w->players;
    int kind = 0, row, heads = 0;
    drop_from_queue(t, 0);
    if (t->n_empty) {
        row = t->empty[0];
        for (int i = 1; i < t->n_empty; i++) t->empty[i - 1] = t->empty[i];
        t->n_empty--;
        t->count[row] = 0; /* and is */
    } else {
        row = row_for(t, card);
        if (row < 0) {
            kind = ours ? 2 : 1;
            row = ours && given >= 0 ? given : cheapest(w, t, rows_to_take(t), CHEAPEST);
        } else if (t->count[row] >= limit_of(t, row, PLACES)) {
            kind = 1;
        }
    }
    if (kind) {
        heads = heads_of(w, t, row);
        t->heads[!ours] += heads;
        t->count[row] = 0;
        t->seven &= (uint8_t)~(1 << row);
    }
    t->rows[row][t->count[row]++] = (uint8_t)card;
    forget(t, card);
    t->passed = 0;
    *taken = heads;
    *where = row;
    return kind;
}

/* Insert a card so that the row stays ascending. */
static inline void squeeze_in(buffalo_table *t, int row, int card) { nl_insert(t->rows[row], t->count[row]++, card); }

/* One card too many by Insert or Push: the team takes all but the last card (R-B11). Returns the heads taken, or -1. */
static inline int take_full_row(const nl_buffalo *w, buffalo_table *t, int row) {
    if (t->count[row] < limit_of(t, row, w->takes_at)) return -1;
    int last = end_of(t, row), heads = heads_of(w, t, row) - w->card_heads[last];
    t->heads[0] += heads;
    t->rows[row][0] = (uint8_t)last;
    t->count[row] = 1;
    t->seven &= (uint8_t)~(1 << row);
    return heads;
}

static inline int row_of(const buffalo_table *t, int card) {
    for (int row = 0; row < BUFFALO_ROWS; row++)
        for (int i = 0; i < t->count[row]; i++)
            if (t->rows[row][i] == card) return row;
    return -1;
}

static inline int is_waiting(const buffalo_table *t, int seat) {
    for (int i = 0; i < t->n_queue; i++)
        if (t->seats[i] == seat) return t->queue[i];
    return 0;
}

static inline int orders(int n) {
    int count = 1;
    for (int i = 2; i <= n; i++) count *= i;
    return count;
}

/* Whether a use is legal now (legal_uses in effects.py); w->between: 7 takes! and Stop! may also be used before the
   cards are chosen (R-B12). */
static inline int is_legal(const nl_buffalo *w, const buffalo_table *t, int use) {
    if (use == PASS) return 1;
    if (use < 0 || t->swapping != NOBODY) return 0;
    const int group = use / USES, what = use % USES, kind = group - 2, row = what & 3;
    if (group == 1) return what < 4 && (t->stopped >> what & 1);
    int up = 0;
    for (int i = 0; i < t->n_up; i++) up |= t->up[i] == kind;
    if (group < 2 || !up || (!t->n_queue && !(w->between && kind <= STOP))) return 0;
    switch (kind) {
    case SEVEN_TAKES: return what < 4 && t->count[what] && !(t->seven >> what & 1);
    case STOP: return what < 4 && t->count[what] && !(t->stopped >> what & 1);
    case SWAP: return what < w->players && is_waiting(t, what) && t->held[what];
    case INSERT:
        return what < 4 && !t->n_empty && t->seats[0] < w->players && t->count[what] && !(t->stopped >> what & 1) &&
               t->queue[0] < end_of(t, what);
    case PUSH: {
        int from = what / 4 > BUFFALO_CARDS ? -1 : row_of(t, what / 4);
        return from >= 0 && from != row && !((t->stopped >> row | t->stopped >> from) & 1);
    }
    case FIRST:
    case LAST: {
        int card = what / 2 < w->players ? is_waiting(t, what / 2) : 0, set = kind == FIRST ? t->first : t->last;
        return card && (!(what & 1) || (set && set != card));
    }
    case SORT: return what < orders(t->n_queue);
    default: return 0;
    }
}

/* Remove a used special card, and turn up the next one. */
static inline void use_up(buffalo_table *t, int kind) {
    int at = t->n_up > 1 && t->up[0] != kind ? 1 : 0;
    if (at == 0) t->up[0] = t->up[1];
    t->n_up--;
    while (t->n_deck && t->n_up < 2) {
        t->up[t->n_up++] = t->deck[0];
        for (int i = 1; i < t->n_deck; i++) t->deck[i - 1] = t->deck[i];
        t->n_deck--;
    }
}

static inline void sort_queue(buffalo_table *t, int number) {
    uint8_t cards[8], seats[8];
    int left = t->n_queue;
    memcpy(cards, t->queue, 8);
    memcpy(seats, t->seats, 8);
    for (int i = 0; i < t->n_queue; i++, left--) {
        int block = orders(left - 1), at = number / block;
        number %= block;
        t->queue[i] = cards[at];
        t->seats[i] = seats[at];
        for (int j = at + 1; j < left; j++) {
            cards[j - 1] = cards[j];
            seats[j - 1] = seats[j];
        }
    }
    t->first = t->last = 0;
}

/* Apply the team's choice, which must be legal. Returns the heads taken by that, or -1. */
static inline int carry_out(const nl_buffalo *w, buffalo_table *t, int use) {
    const int group = use / USES, what = use % USES, kind = group - 2;
    if (use == PASS) {
        t->passed = 1;
        return -1;
    }
    if (group == 1) {
        t->stopped &= (uint8_t)~(1 << what);
        return -1;
    }
    use_up(t, kind);
    switch (kind) {
    case SEVEN_TAKES: t->seven |= (uint8_t)(1 << what); break;
    case STOP: t->stopped |= (uint8_t)(1 << what); break;
    case SWAP: t->swapping = (uint8_t)what; break;
    case INSERT: {
        int card = t->queue[0];
        drop_from_queue(t, 0);
        squeeze_in(t, what, card);
        int heads = take_full_row(w, t, what);
        forget(t, card);
        return heads;
    }
    case PUSH: {
        int card = what / 4, row = what & 3, from = row_of(t, card), at = 0, waiting = 0;
        for (int i = 0; i < t->count[from]; i++)
            if (t->rows[from][i] != card) t->rows[from][at++] = t->rows[from][i];
        t->count[from] = (uint8_t)at;
        squeeze_in(t, row, card);
        for (int i = 0; i < t->n_empty; i++)
            if (t->empty[i] != row) t->empty[waiting++] = t->empty[i];
        if (!at) t->empty[waiting++] = (uint8_t)from;
        t->n_empty = (uint8_t)waiting;
        return take_full_row(w, t, row);
    }
    case FIRST:
    case LAST: {
        int seat = what / 2, second = what & 1, card = pull_out(t, seat);
        put_in(t, kind == FIRST ? second : t->n_queue - second, card, seat);
        forget(t, card);
        if (!second && kind == FIRST) t->first = (uint8_t)card;
        if (!second && kind == LAST) t->last = (uint8_t)card;
        break;
    }
    default: sort_queue(t, what);
    }
    return -1;
}

static inline int in_hand(const buffalo_table *t, int seat, int card) {
    int found = 0;
    for (int i = 0; i < t->held[seat]; i++) found |= t->hand[seat][i] == card;
    return found;
}

static inline void out_of_hand(buffalo_table *t, int seat, int card) {
    int at = 0;
    while (at < t->held[seat] - 1 && t->hand[seat][at] != card) at++;
    for (int i = at + 1; i < t->held[seat]; i++) t->hand[seat][i - 1] = t->hand[seat][i];
    t->hand[seat][--t->held[seat]] = 0;
}

static inline void into_hand(buffalo_table *t, int seat, int card) { nl_insert(t->hand[seat], t->held[seat]++, card); }

/* The other card is placed at once. */
static inline void swap_in(buffalo_table *t, int card) {
    int seat = t->swapping, back = pull_out(t, seat);
    out_of_hand(t, seat, card);
    into_hand(t, seat, back);
    put_in(t, 0, card, seat);
    forget(t, back);
    t->passed = 1;
    t->swapping = NOBODY;
}

static const uint8_t IN_PLAY[BUFFALO_PLAYERS + 1] = {0, 0, 2, 4, 6, 11, 16};

/* Deal a round from its stream, as the engine does. */
static inline void deal(const nl_buffalo *w, uint64_t rng, buffalo_table *t) {
    uint8_t cards[BUFFALO_CARDS], specials[BUFFALO_SPECIALS];
    const int n = w->players, size = w->hand, dealt = size * (n + 1);
    for (int i = 0; i < w->deck; i++) cards[i] = (uint8_t)(i + 1);
    nl_shuffle(&rng, cards, w->deck, dealt + BUFFALO_ROWS);
    for (int i = 0; i < BUFFALO_SPECIALS; i++) specials[i] = (uint8_t)(i / 2);
    nl_shuffle(&rng, specials, BUFFALO_SPECIALS, IN_PLAY[n]);
    memset(t, 0, sizeof *t);
    t->swapping = NOBODY;
    for (int seat = 0; seat < n; seat++)
        for (int i = 0; i < size; i++) into_hand(t, seat, cards[seat * size + i]);
    t->n_cards = (uint8_t)size;
    memcpy(t->cards, cards + n * size, (size_t)size);
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        t->rows[row][0] = cards[dealt + row];
        t->count[row] = 1;
    }
    for (int i = 0; i < IN_PLAY[n]; i++) {
        if (i < 2) t->up[t->n_up++] = specials[i];
        else t->deck[t->n_deck++] = specials[i];
    }
}

/* Reveal the players' cards together with the buffalo's next one. */
static inline void reveal(const nl_buffalo *w, buffalo_table *t, const int32_t *plays) {
    t->n_queue = 0;
    for (int seat = 0; seat <= w->players; seat++) {
        int card;
        if (seat == w->players) {
            if (!t->n_cards) continue;
            card = t->cards[0];
            for (int i = 1; i < t->n_cards; i++) t->cards[i - 1] = t->cards[i];
            t->n_cards--;
        } else {
            if (!t->held[seat]) continue;
            card = plays[seat];
            out_of_hand(t, seat, card);
        }
        int at = 0;
        while (at < t->n_queue && t->queue[at] < card) at++;
        put_in(t, at, card, seat);
    }
    t->passed = 0;
}

static inline int is_over(const nl_buffalo *w, const buffalo_table *t) {
    int held = t->n_queue;
    for (int seat = 0; seat < w->players; seat++) held += t->held[seat];
    return !held;
}

/* The team's heads as they count: doubled for one or two players. */
static inline int counted(const nl_buffalo *w, const buffalo_table *t) {
    return w->players <= 2 ? 2 * t->heads[0] : t->heads[0];
}

#endif
