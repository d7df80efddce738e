/* Playouts of Bull Baron from a view: deal hidden hands and draw piles at random, then play to the end. */
#include "games/baron/kernel.h"
#include "games/baron/turn.h"
#include "belief.h"

/* Where bulls are good, a game continues only while some card fits (R-O5), so a deal in which none does is impossible
   here. The number of deals to try. */
enum { TRIES = 50 };

static int is_hidden(const nl_baron *w, int seat) { return seat != w->me || w->blind; }

static void deal_out(const nl_baron *w, baron_table *t, uint64_t *rng) {
    uint8_t pool[BARON_CARDS + 2];
    for (int tries = 0; tries < TRIES; tries++) {
        *t = w->table;
        memcpy(pool, w->pool, sizeof pool);
        nl_shuffle(rng, pool, w->n_pool, w->n_pool);
        if (w->belief.settle) {
            nl_hand hands[BARON_SEATS];
            int count = 0, place = 0;
            for (int seat = 0; seat < w->players; seat++) {
                if (is_hidden(w, seat)) {
                    hands[count++] = (nl_hand){seat, place, t->held[seat]};
                    place += t->held[seat];
                }
                place += t->size[seat];
            }
            settle_hands(&w->belief, rng, pool, w->n_pool, hands, count);
        }
        int next = 0;
        for (int seat = 0; seat < w->players; seat++) {
            t->start[seat] = 0;
            if (is_hidden(w, seat))
                for (int i = 0; i < t->held[seat]; i++) nl_insert(t->hand[seat], i, pool[next++]);
            for (int i = 0; i < t->size[seat]; i++) t->pile[seat][i] = pool[next++];
        }
        if (w->for_row || !is_over(w, t)) return;
    }
}

/* Play to the end with `option` as my next choice, and return everybody's points. */
static void play_out(const nl_baron *w, const baron_table *start, int option, uint64_t rng, int32_t *points) {
    baron_table t = *start;
    int32_t queue[BARON_SEATS], seats[BARON_SEATS], note[4];
    int me = w->blind ? -1 : w->me, queued = 0, row = -1;
    if (w->for_row) {
        memcpy(queue, w->queue, sizeof queue);
        memcpy(seats, w->seats, sizeof seats);
        queued = w->n_queue;
        row = option;
        me = -1;
    }
    for (;;) {
        for (int i = 0; i < queued; i++) {
            place(w, &t, seats[i], queue[i], row, &rng, note);
            row = -1;
        }
        if (is_over(w, &t)) break;
        refill(w, &t);
        queued = choose_all(w, &t, me, option, queue, seats, &rng);
        me = -1;
    }
    count_points(w, &t, points);
}

static int check_search(const nl_baron *w) {
    int wrong = check_baron(w);
    if (!wrong && is_outside(w->me, 0, w->players - 1)) wrong = NL_BAD_SIZE;
    if (!wrong) wrong = check_baron_table(w, 0);
    if (wrong) return wrong;
    const baron_table *t = &w->table;
    int hidden = 0;
    for (int seat = 0; seat < w->players; seat++) hidden += t->size[seat] + (is_hidden(w, seat) ? t->held[seat] : 0);
    if (w->n_pool < hidden || w->n_pool > BARON_CARDS) return NL_BAD_SIZE;
    for (int i = 0; i < w->n_pool; i++)
        if (no_card(w->pool[i])) return NL_BAD_CODE;
    if (check_belief(&w->belief)) return NL_BAD_SIZE;
    if (w->n_options < 1 || w->n_options > BARON_OPTIONS) return NL_BAD_SIZE;
    if (w->blind) return w->for_row || w->n_options != 1 || w->options[0] != -1 ? NL_BAD_CODE : NL_OK;
    if (w->for_row) {
        if (w->n_queue < 1 || w->n_queue > w->players || w->seats[0] != w->me) return NL_BAD_SIZE;
        int cards = 0;
        for (int i = 0; i < w->n_queue; i++) {
            if (is_outside(w->seats[i], 0, w->players - 1) || no_card(w->queue[i])) return NL_BAD_CODE;
            if (cards >> w->seats[i] & 1 || t->size[w->seats[i]] > 59) return NL_BAD_CODE;
            cards |= 1 << w->seats[i];
        }
    }
    for (int o = 0; o < w->n_options; o++) {
        int option = w->options[o], known = 0;
        if (w->for_row) known = option >= 0 && option < BARON_ROWS;
        else
            for (int i = 0; i < t->held[w->me]; i++) known |= t->hand[w->me][i] == option;
        if (!known) return NL_BAD_CODE;
    }
    if (w->for_row) {
        /* The row must be one that the card matches, or any row to take if it matches none. */
        int rows = matching(w, t, w->queue[0]);
        if (!rows && w->variant == BULLS_ARE_GOOD) return NL_BAD_CODE;
        for (int o = 0; o < w->n_options; o++)
            if (rows && !(rows >> w->options[o] & 1)) return NL_BAD_CODE;
    }
    return NL_OK;
}

NL_API int32_t nl_baron_search(nl_baron *w, int32_t playouts) {
    int wrong = check_search(w);
    if (wrong) return wrong;
    if (playouts < 0 || playouts > 1 << 24) return NL_BAD_SIZE;
    for (int i = 0; i < playouts; i++) {
        uint64_t rng = nl_stream(w->key, w->first++);
        baron_table start;
        deal_out(w, &start, &rng);
        for (int o = 0; o < w->n_options; o++) {
            /* Every option is tried with the same hidden cards, so that only its effect differs. */
            int32_t points[BARON_SEATS];
            play_out(w, &start, w->options[o], rng, points);
            int64_t lost = w->variant == BULLS_ARE_GOOD ? -points[w->me] : points[w->me];
            for (int seat = 0; seat < w->players; seat++) points[seat] += w->points[seat];
            nl_note(w->stats, o, lost, credit(w, points, w->me));
        }
    }
    return NL_OK;
}
