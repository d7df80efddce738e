/* Positions with three cards per hand: the bottom of the search, which takes most of its time.
 *
 * two_cards gives the value after a turn at once, so entries are computed directly, and as few as possible: A's best worst
 * case so far, B's best reply to it, A's best reply to that, and so on. Most positions end this way in a saddle point; the
 * others need the whole matrix and a mix. */
#include "solve_work.h"

#define EACH 3

typedef struct {
    uint32_t mask_a, mask_b;
    uint64_t rows;
    int cards_a[EACH], cards_b[EACH];
    int known; /* bits: entries computed */
    bounds entry[EACH * EACH];
} ending;

/* The value of A's i-th card against B's j-th; with a low card, its owner takes the best row. */
static const bounds *look(const work *w, ending *e, int i, int j) {
    bounds *best = e->entry + EACH * i + j;
    if (e->known >> (EACH * i + j) & 1) return best;
    e->known |= 1 << (EACH * i + j);
    int a = e->cards_a[i], b = e->cards_b[j], first = a < b ? a : b, second = a < b ? b : a, sign = a < b ? 1 : -1;
    uint32_t next_a = e->mask_a & ~(1u << a), next_b = e->mask_b & ~(1u << b);
    int index = row_below(e->rows, 2 * first + 1);
    for (int choice = 0; choice < (index >= 0 ? 1 : 4); choice++) {
        played after = play_two(e->rows, index, choice, first, second, w->heads);
        int32_t now = (int32_t)(sign * (after.two - after.one) * (1LL << w->shift));
        bounds both = two_cards(next_a, next_b, after.rows, w->heads, w->shift);
        both.lo += now;
        both.hi += now;
        if (choice == 0) *best = both;
        else if (sign > 0) *best = (bounds){(int32_t)most_of(best->lo, both.lo), (int32_t)most_of(best->hi, both.hi)};
        else *best = (bounds){(int32_t)least_of(best->lo, both.lo), (int32_t)least_of(best->hi, both.hi)};
    }
    return best;
}

/* Bounds from the whole matrix: what the two mixes provably guarantee (see certificate in solve_search.c). */
static bounds mixed(work *w, ending *e, int64_t lo, int64_t hi) {
    game *g = &w->game;
    for (int i = 0; i < EACH; i++)
        for (int j = 0; j < EACH; j++) {
            const bounds *is = look(w, e, i, j);
            g->entry[i][j] = 0.5 * (double)((int64_t)is->lo + is->hi);
        }
    solve_game(g, EACH, EACH);
    double total_x = g->x[0] + g->x[1] + g->x[2], total_y = g->y[0] + g->y[1] + g->y[2], worst = 1e300, best = -1e300;
    for (int q = 0; q < EACH; q++) {
        double least = 0.0, most = 0.0;
        for (int p = 0; p < EACH; p++) {
            least += g->x[p] * e->entry[EACH * p + q].lo;
            most += g->y[p] * e->entry[EACH * q + p].hi;
        }
        worst = least / total_x < worst ? least / total_x : worst;
        best = most / total_y > best ? most / total_y : best;
    }
    return (bounds){(int32_t)most_of(lo, floor_of(worst - 0.001)), (int32_t)least_of(hi, ceiling_of(best + 0.001))};
}

bounds three_cards(work *w, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int64_t alpha, int64_t beta) {
    ending e = {.mask_a = mask_a, .mask_b = mask_b, .rows = rows};
    for (int place = 0; place < EACH; place++, mask_a &= mask_a - 1, mask_b &= mask_b - 1) {
        e.cards_a[place] = lowest_bit(mask_a);
        e.cards_b[place] = lowest_bit(mask_b);
    }
    int64_t lo = -w->cap, hi = w->cap;
    int tried = 0, i = w->first_tried, j = 0; /* bits: A's cards tried */
    while (!(tried >> i & 1)) {
        tried |= 1 << i;
        w->first_tried = i; /* start the next position with the card that held here */
        int64_t least = 4 * w->cap, most = -4 * w->cap;
        for (int column = 0; column < EACH; column++) {
            const bounds *is = look(w, &e, i, column);
            if (is->lo < least) {
                least = is->lo;
                j = column;
            }
        }
        lo = most_of(lo, least);
        if (lo >= beta) return (bounds){(int32_t)lo, (int32_t)hi};
        for (int row = 0; row < EACH; row++) {
            const bounds *is = look(w, &e, row, j);
            if (is->hi > most) {
                most = is->hi;
                i = row;
            }
        }
        hi = least_of(hi, most);
        if (hi <= alpha || hi - lo <= 1) return (bounds){(int32_t)lo, (int32_t)hi};
    }
    return mixed(w, &e, lo, hi);
}
