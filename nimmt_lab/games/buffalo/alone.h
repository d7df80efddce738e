/* How a solo player plays on in playouts (stated again in tests/native/alone.py): consider every place where the
   buffalo's card may go, and what the rows are then worth to the buffalo and to the hand. Special cards are not used. */
#ifndef NIMMT_BUFFALO_ALONE_H
#define NIMMT_BUFFALO_ALONE_H

#include "games/buffalo/turn.h"

/* Weights in eighths of a head (alone.py names them), tuned by experiment. */
enum { OWN_HEADS = 22, NEXT_FULL = 5, NEXT_THREE = 12, BEST_LEFT = 6, ALL_LEFT = 16, LOW_LEFT = 6, EDGE = 80 };

/* Rows in order of their last cards: last card, number of cards, heads. */
typedef struct {
    int end, count, heads;
} lone_row;

static inline int cheapest_lone(const lone_row *r) {
    int best = 0;
    for (int i = 1; i < BUFFALO_ROWS; i++)
        if (r[i].heads <= r[best].heads) best = i; /* among equals the highest last card */
    return best;
}

/* Place a card with this many heads; return the heads it takes. */
static inline int put_lone(lone_row *r, int card, int heads) {
    int at = 0, taken = 0;
    while (at < BUFFALO_ROWS && r[at].end < card) at++;
    if (!at) {
        int row = cheapest_lone(r);
        taken = r[row].heads;
        for (; row > 0; row--) r[row] = r[row - 1];
        r[0].count = r[0].heads = 0;
    } else {
        at--;
        if (r[at].count >= PLACES) {
            taken = r[at].heads;
            r[at].count = r[at].heads = 0;
        }
    }
    r[at].end = card;
    r[at].count++;
    r[at].heads += heads;
    return taken;
}

/* The prospects of the rows: the heads that the buffalo's next card may take, minus those the remaining hand would
   take. In units of 1/832. */
static inline int prospect(const lone_row *r, const uint8_t *hand, int held, int but) {
    const int left = held - 1, cheap = r[cheapest_lone(r)].heads;
    if (!left) return 0;
    int full = (r[0].end - 1) * cheap, three = 0, least = 1 << 24, all = 0, at = 0;
    for (int i = 0; i < BUFFALO_ROWS; i++) {
        int gap = (i + 1 < BUFFALO_ROWS ? r[i + 1].end : BUFFALO_CARDS + 1) - r[i].end - 1;
        if (r[i].count >= PLACES) full += gap * r[i].heads;
        if (r[i].count == 3) three += gap * r[i].heads;
    }
    for (int i = 0; i < held; i++) {
        if (i == but) continue;
        while (at < BUFFALO_ROWS && r[at].end < hand[i]) at++;
        int cost = 0;
        if (!at) cost = LOW_LEFT * BUFFALO_CARDS * cheap;
        else if (r[at - 1].count >= PLACES) cost = 8 * BUFFALO_CARDS * r[at - 1].heads;
        else if (r[at - 1].count == PLACES - 1) cost = (hand[i] - r[at - 1].end - 1) * (8 * r[at - 1].heads + 13);
        if (cost < least) least = cost;
        all += cost;
    }
    return NEXT_FULL * full + (left > 1 ? NEXT_THREE * three : 0) - (BEST_LEFT * least + ALL_LEFT * all / left) / 8;
}

/* The only player's card. */
static inline int lone_choice(const nl_buffalo *w, const buffalo_table *t) {
    const uint8_t *hand = t->hand[0];
    const int held = t->held[0];
    lone_row now[BUFFALO_ROWS];
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        lone_row new = {t->count[row] ? end_of(t, row) : 0, t->count[row], heads_of(w, t, row)};
        int at = row;
        for (; at > 0 && now[at - 1].end > new.end; at--) now[at] = now[at - 1];
        now[at] = new;
    }
    int pick = hand[0];
    int64_t best = 0;
    for (int i = 0; i < held; i++) {
        const int card = hand[i], off = card > BUFFALO_CARDS / 2 ? card - BUFFALO_CARDS / 2 : BUFFALO_CARDS / 2 - card;
        int64_t value = BUFFALO_CARDS * EDGE * off;
        int from = 0, met = 0;
        /* The buffalo's card lies between two borders, which are the ends of rows and the card itself. */
        for (int k = 0; k <= BUFFALO_ROWS + 1; k++) {
            int to = k - met < BUFFALO_ROWS ? now[k - met].end : BUFFALO_CARDS + 1;
            if (!met && to > card) {
                to = card;
                met = 1;
            }
            const int size = to - from - 1, theirs = (from + to) / 2;
            from = to;
            if (size <= 0) continue;
            lone_row r[BUFFALO_ROWS];
            memcpy(r, now, sizeof r);
            int lost, won = 0;
            if (theirs < card) won = put_lone(r, theirs, 2);
            lost = put_lone(r, card, w->card_heads[card]);
            if (theirs > card) won = put_lone(r, theirs, 2);
            value += size * (BUFFALO_CARDS * (8 * won - OWN_HEADS * lost) + prospect(r, hand, held, i));
        }
        if (!i || value > best) {
            best = value;
            pick = card;
        }
    }
    return pick;
}

#endif
