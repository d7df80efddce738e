/* The API of the two-player search. All input is validated here. */
#include "solve.h"

#include "solve_search.h"

#define OPENED 0x6e696d6d /* marks a work initialised by nl_solve_open */

/* What the root's table contains: nothing, a survey, or a proof that can be refined. */
enum { NO_TURN, SURVEYED, PROVED };

static int wide_of(int32_t kind) { return kind ? MOST_CHOICES : MOST_EACH; }
static int ways_of(int32_t kind) { return kind ? 16 : 4; }

/* Whether trained estimates may be needed after a turn. */
static int has_guesses(int32_t cards_each, int32_t kind) { return !kind && cards_each > VALUE_FIRST; }

NL_API int32_t nl_solve_work(int32_t cards_each, int32_t kind) {
    if (cards_each < 1 || cards_each > MOST_EACH) return NL_BAD_SIZE;
    if (!good_kind(kind)) return NL_BAD_CODE;
    int entries = wide_of(kind) * wide_of(kind);
    int levels = (cards_each + 1) * entries * (int32_t)(sizeof(entry) + ways_of(kind) * sizeof(leaf));
    return (int32_t)sizeof(work) + (has_guesses(cards_each, kind) ? 8 << GUESSES_LOG2 : 0) + levels;
}

/* Head classes in the key: 1, 2, 3, 5 heads; one card may have 7. -1 for any other number. */
static int class_of(int heads) {
    return heads == 1 || heads == 7 ? 0 : heads == 2 ? 1 : heads == 3 ? 2 : heads == 5 ? 3 : -1;
}

/* Sort the cards of both hands and mark their owners; 0 if a card is repeated or not in the deck. */
static int take_hands(work *w, const int32_t *q, uint8_t *owner) {
    int each = q[NL_Q_EACH], index = 0;
    for (int who = 0; who < 2; who++)
        for (int i = 0; i < each; i++) {
            int32_t card = q[NL_Q_HANDS + 10 * who + i];
            if (card < 1 || card > LAST_CARD || owner[card]) return 0;
            owner[card] = (uint8_t)(who + 1);
        }
    w->mask_a = w->mask_b = 0;
    for (int card = 1; card <= LAST_CARD; card++)
        if (owner[card]) {
            w->cards[index] = (uint8_t)card;
            *(owner[card] == 1 ? &w->mask_a : &w->mask_b) |= 1u << index++;
        }
    return 1;
}

static int take_rows(work *w, const int32_t *q, const uint8_t *owner) {
    if (!w->kind) return pack_rows(q + NL_Q_ROWS, w->cards, 2 * q[NL_Q_EACH], &w->rows);
    return marked_rows(q + NL_Q_ROWS, owner, &w->rows); /* rows keep their positions */
}

/* Set the heads of the cards, the classes for the key, and the finest units that fit. */
static int take_heads(work *w, const int32_t *q) {
    int64_t total = 0;
    int each = q[NL_Q_EACH], sevens = 0;
    for (int card = 1; card <= LAST_CARD; card++) {
        int32_t heads = q[NL_Q_HEADS + card];
        sevens += heads == 7;
        if (class_of(heads) < 0 || sevens > 1) return 0;
        w->heads_by_card[card] = (uint8_t)heads;
    }
    w->heads = 0;
    w->classes = (classes){0, 0, 0};
    for (int index = 0; index < 2 * each; index++) {
        int heads = w->heads_by_card[w->cards[index]], class = class_of(heads);
        total += heads;
        w->heads |= (uint64_t)heads << (3 * index);
        w->classes.low |= (uint32_t)(class & 1) << index;
        w->classes.high |= (uint32_t)(class >> 1) << index;
        w->classes.big |= (uint32_t)(heads == 7) << index;
    }
    for (int index = 0; index < 4; index++) total += q[NL_Q_ROWS + 3 * index + 2];
    w->shift = q[NL_Q_SHIFT];
    w->cap = (total > 0 ? total : 1) << w->shift;
    return w->cap < INT32_MAX - 1024; /* bounds have 32 bits */
}

NL_API int32_t nl_solve_open(void *memory, int32_t bytes, const int32_t *question, int32_t words, uint64_t *main_table,
                             int32_t main_log2, uint64_t *side_table, int32_t side_log2) {
    work *w = memory;
    if (words < NL_Q_WORDS || main_log2 < LEAST_LOG2 || main_log2 > MOST_LOG2 || side_log2 < LEAST_LOG2 ||
        side_log2 > MOST_LOG2)
        return NL_BAD_SIZE;
    int32_t each = question[NL_Q_EACH], kind = question[NL_Q_KIND], shift = question[NL_Q_SHIFT];
    int32_t needed = nl_solve_work(each, kind);
    if (needed < 0) return needed;
    if (bytes < needed) return NL_TOO_SMALL;
    w->state = 0;
    if (!good_marker(kind, question[NL_Q_MARKER], 2) || shift < 8 || shift > 25) return NL_BAD_CODE;
    uint8_t owner[LAST_CARD + 1] = {0};
    w->kind = kind;
    w->marker = question[NL_Q_MARKER];
    w->jitter = question[NL_Q_JITTER] & 1023;
    w->cards_each = each;
    if (!take_hands(w, question, owner) || !take_rows(w, question, owner) || !take_heads(w, question))
        return NL_BAD_CODE;
    w->base = w->unstored = !kind && each >= 3 ? 2 : 0;
    w->wide = wide_of(kind);
    w->ways = ways_of(kind);
    w->main = table_at(main_table, main_log2);
    w->side = table_at(side_table, side_log2);
    int entries = w->wide * w->wide;
    w->guesses = has_guesses(each, kind) ? (uint64_t *)(w + 1) : 0;
    leaf *leaves = (leaf *)((uint64_t *)(w + 1) + (w->guesses ? 1 << GUESSES_LOG2 : 0));
    entry *all = (entry *)(leaves + (int64_t)(each + 1) * entries * w->ways);
    for (int k = 0; k <= each; k++) {
        w->levels[k].leaves = leaves + (int64_t)k * entries * w->ways;
        w->levels[k].entries = all + k * entries;
        w->levels[k].favourite[0] = w->levels[k].favourite[1] = 0;
    }
    w->root = w->found = w->answer = (bounds){(int32_t)-w->cap, (int32_t)w->cap};
    for (int k = 0; k <= MOST_EACH; k++) w->learned[k] = 0;
    w->cut = 0;
    w->grain = 1;
    w->guided_from = MOST_EACH + 1;
    w->busy = 0;
    w->nodes = w->stored = w->doubt = 0;
    w->depth = w->stop = w->turn = 0;
    w->first_tried = w->jitter % 3; /* each thread searches endings in its own order */
    w->state = OPENED;
    return NL_OK;
}

NL_API int32_t nl_solve_numbers(int32_t each) {
    return is_outside(each, VALUE_FIRST, VALUE_LAST) ? NL_BAD_SIZE : numbers_of(each);
}

NL_API int32_t nl_solve_learned(void *memory, const int16_t *numbers, int32_t count, int32_t cut) {
    work *w = memory;
    int32_t needed = 0;
    if (w->state != OPENED || w->kind || w->depth > 0) return NL_BAD_CODE;
    for (int k = VALUE_FIRST; k <= VALUE_LAST; k++) needed += numbers_of(k);
    if (count != needed) return NL_BAD_SIZE;
    if (cut != 0 && (cut < VALUE_FIRST || cut > VALUE_LAST || cut >= w->cards_each)) return NL_BAD_CODE;
    if (!good_numbers(numbers, count)) return NL_BAD_CODE;
    if (w->guesses) memset(w->guesses, 0, 8 << GUESSES_LOG2); /* of other weights */
    for (int k = VALUE_FIRST; k <= VALUE_LAST; numbers += numbers_of(k++)) w->learned[k] = numbers;
    w->cut = cut;
    w->grain = cut ? 1 << (w->shift - 5) : 1;
    return NL_OK;
}

NL_API int32_t nl_solve_guide(void *memory, uint64_t *words, int32_t log2, int32_t from) {
    work *w = memory;
    if (w->state != OPENED || w->kind || w->depth > 0 || from < 1 || from > MOST_EACH) return NL_BAD_CODE;
    if (log2 < LEAST_LOG2 || log2 > MOST_LOG2) return NL_BAD_SIZE;
    w->guide = table_at(words, log2);
    w->guided_from = from;
    return NL_OK;
}

NL_API int32_t nl_solve_share(void *memory, uint32_t *busy, int32_t log2) {
    work *w = memory;
    if (w->state != OPENED || w->depth > 0) return NL_BAD_CODE;
    if (log2 < 4 || log2 > 16) return NL_BAD_SIZE;
    w->busy = busy;
    w->busy_mask = (1u << log2) - 1;
    return NL_OK;
}

NL_API int32_t nl_solve_key(const void *memory, int64_t *words) {
    const work *w = memory;
    if (w->state != OPENED || w->kind) return NL_BAD_CODE;
    int turned = is_turned(w, w->mask_a, w->mask_b);
    key is = turned ? canonical(w->mask_b, w->mask_a, w->rows, w->classes)
                    : canonical(w->mask_a, w->mask_b, w->rows, w->classes);
    words[0] = (int64_t)is.structure;
    words[1] = (int64_t)is.weights;
    return turned;
}

/* The level of the root, with the players swapped as in the search. */
static void survey(work *w) {
    int turned = is_turned(w, w->mask_a, w->mask_b);
    uint32_t a = turned ? w->mask_b : w->mask_a, b = turned ? w->mask_a : w->mask_b;
    level *l = w->levels + w->cards_each;
    lay_out(w, w->cards_each, a, b, w->rows, w->marker, 3 * w->cards_each);
    l->mix[0][l->small_a[0]] = l->mix[1][l->small_b[0]] = 1.0;
}

NL_API int32_t nl_solve_ask(void *memory, int32_t what, const int64_t *window) {
    work *w = memory;
    if (w->state != OPENED || what < 0 || what >= NL_ASK_KINDS) return NL_BAD_CODE;
    if (what == NL_ASK_SURVEY) {
        w->depth = 0;
        survey(w);
        w->turn = SURVEYED;
    } else if (what == NL_ASK_REGRETS || what == NL_ASK_ALL) {
        if (w->turn != PROVED || w->depth > 0) return NL_BAD_CODE;
        begin_refining(w, what == NL_ASK_ALL);
    } else {
        if (!(window[0] < window[1])) return NL_BAD_CODE;
        w->turn = what == NL_ASK_TURN ? PROVED : NO_TURN;
        begin_search(w, most_of(window[0], -w->cap), least_of(window[1], w->cap), what == NL_ASK_TURN);
    }
    return NL_OK;
}

NL_API int32_t nl_solve_run(void *memory, int32_t positions) {
    work *w = memory;
    if (w->state != OPENED) return NL_BAD_CODE;
    if (positions < 1) return NL_BAD_SIZE;
    return go_on(w, positions);
}

NL_API int32_t nl_solve_stop(void *memory) {
    work *w = memory;
    if (w->state != OPENED) return NL_BAD_CODE;
    w->stop = 1;
    go_on(w, 0);
    w->stop = 0;
    return NL_OK;
}

NL_API int32_t nl_solve_result(const void *memory, int64_t *result, int32_t words) {
    const work *w = memory;
    if (w->state != OPENED) return NL_BAD_CODE;
    if (words < NL_R_WORDS) return NL_BAD_SIZE;
    result[NL_R_LO] = w->found.lo;
    result[NL_R_HI] = w->found.hi;
    result[NL_R_ROOT_LO] = w->root.lo;
    result[NL_R_ROOT_HI] = w->root.hi;
    result[NL_R_NODES] = w->nodes;
    result[NL_R_STORED] = w->stored;
    result[NL_R_DOUBT] = w->doubt;
    result[NL_R_SHIFT] = w->shift;
    result[NL_R_CAP] = w->cap;
    return NL_OK;
}

NL_API int32_t nl_solve_turn(const void *memory, int32_t *turn, int32_t words, double *mixes, int32_t chances) {
    const work *w = memory;
    if (w->state != OPENED || w->turn == NO_TURN) return NL_BAD_CODE;
    if (words < NL_T_WORDS || chances < 2 * MOST_CHOICES) return NL_BAD_SIZE;
    const level *l = w->levels + w->cards_each;
    int turned = is_turned(w, w->mask_a, w->mask_b), m = turned ? l->n : l->m, n = turned ? l->m : l->n;
    turn[NL_T_SIZES] = m;
    turn[NL_T_SIZES + 1] = n;
    for (int who = 0; who < 2; who++) {
        const uint8_t *choices = (who == 0) == !turned ? l->cards_a : l->cards_b;
        for (int i = 0; i < (who == 0 ? m : n); i++) {
            turn[NL_T_CHOICES + MOST_CHOICES * who + i] =
                w->cards[choices[i] & CARD_INDEX] + (choices[i] & OTHER_WAY ? 256 : 0);
            mixes[MOST_CHOICES * who + i] = l->mix[turned ? 1 - who : who][i];
        }
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const entry *e = l->entries + (turned ? j * w->wide + i : i * w->wide + j);
            int at = MOST_CHOICES * i + j;
            turn[NL_T_LOW + at] = turned ? -e->hi : e->lo;
            turn[NL_T_HIGH + at] = turned ? -e->lo : e->hi;
            turn[NL_T_GUESS + at] = turned ? -e->guess : e->guess;
        }
    return NL_OK;
}
