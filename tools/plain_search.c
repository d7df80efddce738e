/* The plain search: every entry of every turn, stored by canonical key (plain_search.py). Value in heads and number of
 * stored positions, for the question a work was opened with; known is a zeroed memory of 2**log2 positions of 24 bytes. */
#include "solve.h"
#include "solve_work.h"

NL_API int32_t nl_solve_plain(void *work, void *known, int32_t log2, double *result);

typedef struct {
    uint64_t structure, weights;
    double value;
} plain_entry;

typedef struct {
    plain_entry *known;
    uint64_t size, stored;
    work *w;
} plain;

static plain_entry *place_in(const plain *p, key is) {
    uint64_t at = scramble_two(is.structure, is.weights);
    for (;; at++) {
        plain_entry *e = p->known + (at & (p->size - 1));
        if (e->structure == 0 || (e->structure == is.structure && e->weights == is.weights)) return e;
    }
}

static double value_of(plain *p, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows) {
    work *w = p->w;
    if (k == 1)
        return (double)last_turn(lowest_bit(mask_a), lowest_bit(mask_b), rows, w->heads) * (double)(1LL << w->shift);
    if (8 * p->stored > 7 * p->size) return 0.0;
    int turned = is_turned(w, mask_a, mask_b);
    if (turned) {
        uint32_t mask = mask_a;
        mask_a = mask_b;
        mask_b = mask;
    }
    key is = canonical(mask_a, mask_b, rows, w->classes);
    if (k > 2) {
        const plain_entry *e = place_in(p, is);
        if (e->structure) return turned ? -e->value : e->value;
    }
    double entries[MOST_EACH][MOST_EACH];
    int i = 0;
    for (uint32_t hand_a = mask_a; hand_a; hand_a &= hand_a - 1, i++) {
        int a = lowest_bit(hand_a), j = 0;
        for (uint32_t hand_b = mask_b; hand_b; hand_b &= hand_b - 1, j++) {
            int b = lowest_bit(hand_b), first = a < b ? a : b, second = a < b ? b : a;
            int index = row_below(rows, 2 * first + 1);
            double sign = a < b ? 1.0 : -1.0, best = -1e300;
            for (int choice = 0; choice < (index >= 0 ? 1 : 4); choice++) {
                played after = play_two(rows, index, choice, first, second, w->heads);
                double worth = (double)(after.two - after.one) * (double)(1LL << w->shift) +
                               sign * value_of(p, k - 1, mask_a & ~(1u << a), mask_b & ~(1u << b), after.rows);
                best = worth > best ? worth : best;
            }
            entries[i][j] = sign * best;
        }
    }
    for (i = 0; i < k; i++)
        for (int j = 0; j < k; j++) w->game.entry[i][j] = entries[i][j];
    double value = solve_game(&w->game, k, k);
    if (k > 2) {
        *place_in(p, is) = (plain_entry){is.structure, is.weights, value};
        p->stored++;
    }
    return turned ? -value : value;
}

NL_API int32_t nl_solve_plain(void *memory, void *known, int32_t log2, double *result) {
    work *w = memory;
    int64_t opened[NL_R_WORDS];
    if (nl_solve_result(w, opened, NL_R_WORDS) || w->kind) return NL_BAD_CODE;
    if (log2 < 4 || log2 > 26) return NL_BAD_SIZE;
    plain p = {known, 1ULL << log2, 0, w};
    result[0] = value_of(&p, w->cards_each, w->mask_a, w->mask_b, w->rows) / (double)(1LL << w->shift);
    result[1] = (double)p.stored;
    return 8 * p.stored > 7 * p.size ? NL_TOO_SMALL : NL_OK;
}
