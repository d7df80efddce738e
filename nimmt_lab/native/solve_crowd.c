/* Two to six players with open hands, between two turns and without fan cards: the best answer of one seat to stated
 * policies, and what it can guarantee against all others united.
 *
 * Cards and rows are packed as in solve_packed.h. Of all cards of a turn at most the lowest fits nowhere; its owner takes
 * a row, and after that every other card fits.
 *
 * Against stated policies nothing is rounded: with equal chances a position that has k cards a hand is worth a whole
 * number of heads divided by the number of ways the others can play on, so that number is multiplied in, and whole
 * numbers are added up. */
#include "solve_crowd.h"

#include "solve.h"

#define OPENED 0x63726f77
/* Guarantees are kept in these parts of a head, and tables are scaled by them, so that the quarter unit solve_game
 * allows is small. */
#define SCALE 16777216.0
/* Columns of the small game the guarantee is found in; the least useful one makes room for the next. */
#define COLUMNS 18

enum { PAIR, CHILD, TAKE };

static int options_of(const crowd *c, int k, int seat) { return c->kinds[seat] == NL_LOWEST ? 1 : k; }

/* In how many equally likely ways those with a policy can play from k cards a hand on. */
static int64_t ways_of(const crowd *c, int k) {
    int64_t ways = 1;
    for (int size = 2; size <= k; size++)
        for (int seat = 0; seat < c->players; seat++)
            if (c->kinds[seat] == NL_UNIFORM)
                ways *= size;
    return ways;
}

/* In how many ways the others can choose their cards together. */
static int joints_of(const crowd *c, int k) {
    int joints = 1;
    for (int seat = 0; seat < c->players; seat++)
        if (seat != c->seat)
            joints *= options_of(c, k, seat);
    return joints;
}

static int nth_card(uint32_t mask, int n) {
    while (n--)
        mask &= mask - 1;
    return lowest_bit(mask);
}

/* Which cards are played: the f->mine-th of the one who asks, the others' by the digits of f->joint. */
static void draw_turn(const crowd *c, crowd_frame *f) {
    int joint = f->joint, low = 64;
    f->played = 0;
    for (int seat = 0; seat < c->players; seat++) {
        uint32_t hand = c->hands[seat] & f->left;
        int card;
        if (seat == c->seat)
            f->own = card = nth_card(hand, f->mine);
        else {
            int options = options_of(c, f->k, seat);
            card = nth_card(hand, joint % options);
            joint /= options;
        }
        f->played |= 1u << card;
        if (card < low) {
            low = card;
            f->owner = seat;
        }
    }
}

/* Place cards that all fit, lowest first: the rows after it; heads of the one who asks are added to *mine. */
static uint64_t place_all(const crowd *c, uint32_t cards, int own, uint64_t rows, int32_t *mine) {
    for (; cards; cards &= cards - 1) {
        int card = lowest_bit(cards);
        int32_t taken;
        rows = add_card(rows, row_below(rows, 2 * card + 1), 2 * card + 1, heads_at(c->heads, card), &taken);
        if (card == own)
            *mine += taken;
    }
    return rows;
}

/* Where a position is kept or may be; 0: no room. The first word of a slot in use is not 0. */
static int64_t *slot_of(const crowd *c, uint32_t left, uint64_t rows) {
    uint64_t at = scramble_two(left, rows) >> 1;
    for (int probe = 0; probe < 16; probe++, at++) {
        int64_t *slot = c->known + 3 * (at & (c->slots - 1));
        if (slot[0] == 0 || (slot[0] == (int64_t)left && slot[1] == (int64_t)rows))
            return slot;
    }
    return 0;
}

/* Ask for a position: 1 if the answer is there, 0 if it was put on the stack. */
static int ask(crowd *c, int k, uint32_t left, uint64_t rows) {
    c->turns++;
    c->answer = 0;
    c->heads_answer = 0.0;
    if (k == 0)
        return 1;
    if (k > 1 && k < c->each) {
        const int64_t *slot = slot_of(c, left, rows);
        if (slot && slot[0]) {
            c->answer = slot[2];
            c->heads_answer = (double)slot[2] / SCALE;
            return 1;
        }
    }
    crowd_frame *f = c->stack + c->depth++;
    f->k = k;
    f->left = left;
    f->rows = rows;
    f->mine = f->joint = 0;
    f->joints = joints_of(c, k);
    f->later = ways_of(c, k - 1);
    f->fewest = INT64_MAX;
    f->total = f->worth = 0;
    f->phase = PAIR;
    return 0;
}

/* The least heads a mix of m cards guarantees against n answers; the mix, and the gap to the others' guarantee. A pure
 * card if one is best; otherwise the mix is found in a game of few answers, to which the best answer to the mix is added
 * until it is among them. */
static double settle(crowd *c, int m, int n, double *mix) {
    double pure = 1e9, spared = -1.0, bound = -1.0;
    int first = 0, columns[COLUMNS] = {0}, count = 1;
    for (int i = 0; i < m; i++) {
        double most = -1.0;
        int worst = 0;
        for (int j = 0; j < n; j++)
            if (c->table[m][i * n + j] > most) {
                most = c->table[m][i * n + j];
                worst = j;
            }
        if (most < pure) {
            pure = most;
            first = i;
            columns[0] = worst;
        }
        mix[i] = 0.0;
    }
    mix[first] = 1.0;
    for (int j = 0; j < n; j++) {
        double least = 1e9;
        for (int i = 0; i < m; i++)
            least = c->table[m][i * n + j] < least ? c->table[m][i * n + j] : least;
        spared = least > spared ? least : spared;
    }
    if (spared >= pure)
        return pure;
    double best = pure;
    for (int round = 0; round < 60 * m; round++) {
        game *g = &c->game;
        for (int column = 0; column < count; column++)
            for (int i = 0; i < m; i++)
                g->entry[i][column] = -c->table[m][i * n + columns[column]] * SCALE;
        solve_game(g, m, count);
        double total = 0.0, weight = 0.0, sure = 1e9, most = -1.0;
        for (int i = 0; i < m; i++)
            total += g->x[i];
        for (int column = 0; column < count; column++)
            weight += g->y[column];
        for (int i = 0; i < m; i++) { /* what the others' mix of these columns takes at least */
            double sum = 0.0;
            for (int column = 0; column < count; column++)
                sum += g->y[column] * c->table[m][i * n + columns[column]];
            sure = sum / weight < sure ? sum / weight : sure;
        }
        bound = sure > bound ? sure : bound;
        int worst = 0, inside = 0, idle = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int i = 0; i < m; i++)
                sum += g->x[i] * c->table[m][i * n + j];
            if (sum / total > most) {
                most = sum / total;
                worst = j;
            }
        }
        if (most < best) {
            best = most;
            for (int i = 0; i < m; i++)
                mix[i] = g->x[i] / total;
        }
        for (int column = 0; column < count; column++) {
            inside |= columns[column] == worst;
            if (g->y[column] < g->y[idle])
                idle = column;
        }
        if (inside)
            break;
        if (count < COLUMNS)
            columns[count++] = worst;
        else
            columns[idle] = worst;
    }
    c->error = best - bound > c->error ? best - bound : c->error;
    return best;
}

/* A position is done: keep what was found and give it. */
static void finish(crowd *c, const crowd_frame *f) {
    int64_t kept;
    if (c->kinds[c->seat] == NL_MINE && c->united) {
        double heads = settle(c, f->k, f->joints, c->mix);
        c->heads_answer = heads;
        kept = ceiling_of(heads * SCALE); /* rounded up to a whole unit: still a guarantee */
        if (f->k > 1 && f->k < c->each && (double)kept / SCALE - heads > c->error)
            c->error = (double)kept / SCALE - heads;
    } else
        kept = c->answer = c->kinds[c->seat] == NL_MINE ? f->fewest : f->total;
    if (f->k > 1 && f->k < c->each) {
        /* looked up again: the slot may have been filled by a position below this one */
        int64_t *slot = slot_of(c, f->left, f->rows);
        if (slot) {
            slot[0] = f->left;
            slot[1] = (int64_t)f->rows;
            slot[2] = kept;
        }
    }
    c->depth--;
}

/* The best of the rows a low card may take, or what simply happens: add it up and go to the next pair. */
static void take_pair(crowd *c, crowd_frame *f) {
    if (c->united)
        c->table[f->k][f->mine * f->joints + f->joint] = f->best_heads;
    else
        f->worth += f->best;
    f->phase = PAIR;
    if (++f->joint < f->joints)
        return;
    if (f->k == c->each)
        c->results[f->mine] = f->worth;
    f->fewest = least_of(f->fewest, f->worth);
    if (c->kinds[c->seat] == NL_UNIFORM || f->mine == 0)
        f->total += f->worth;
    f->worth = f->joint = 0;
    f->mine++;
}

static void work_on(crowd *c, crowd_frame *f) {
    int low, mine_to_take;
    uint64_t after;
    for (;;)
        switch (f->phase) {
        case PAIR:
            if (f->mine == f->k || (f->mine > 0 && c->kinds[c->seat] == NL_LOWEST && f->k < c->each)) {
                finish(c, f);
                return;
            }
            draw_turn(c, f);
            f->fits = row_below(f->rows, 2 * lowest_bit(f->played) + 1) >= 0;
            f->row = 0;
            f->best = INT64_MAX;
            f->best_heads = c->united && f->owner != c->seat ? -1.0 : 1e9;
            f->phase = CHILD;
            break;
        case CHILD:
            low = lowest_bit(f->played);
            mine_to_take = f->owner == c->seat;
            f->taken = 0;
            if (f->fits)
                after = place_all(c, f->played, f->own, f->rows, &f->taken);
            else {
                if (!c->united && !(mine_to_take && c->kinds[c->seat] == NL_MINE))
                    f->row = cheapest_row(f->rows); /* policies take it (R-C4) */
                int32_t cost;
                after = take_row(f->rows, f->row, 2 * low + 1, heads_at(c->heads, low), &cost);
                after = place_all(c, f->played & ~(1u << low), f->own, after, &f->taken);
                f->taken += mine_to_take ? cost : 0;
            }
            f->phase = TAKE;
            if (!ask(c, f->k - 1, f->left & ~f->played, after))
                return;
            break;
        default: /* TAKE */
            mine_to_take = f->owner == c->seat;
            double heads = f->taken + c->heads_answer;
            f->best = least_of(f->best, f->taken * f->later + c->answer);
            if (f->fits || (mine_to_take ? heads < f->best_heads : heads > f->best_heads))
                f->best_heads = heads;
            if (f->fits || ++f->row == 4 || (!c->united && !(mine_to_take && c->kinds[c->seat] == NL_MINE)))
                take_pair(c, f);
            else
                f->phase = CHILD;
        }
}

NL_API int32_t nl_crowd_work(void) { return (int32_t)sizeof(crowd); }

NL_API int32_t nl_crowd_open(void *memory, int32_t bytes, const int32_t *q, int32_t words, int64_t *known,
                             int32_t log2) {
    crowd *c = memory;
    if (words < NL_C_WORDS || log2 < 3 || log2 > 24 || bytes < (int32_t)sizeof(crowd))
        return NL_BAD_SIZE;
    int players = q[NL_C_PLAYERS], each = q[NL_C_EACH], index = 0;
    c->state = 0;
    if (players < 2 || players > MOST_SEATS || each < 1 || each > 10 || players * each > MOST_CARDS)
        return NL_BAD_SIZE;
    if (q[NL_C_SEAT] < 0 || q[NL_C_SEAT] >= players)
        return NL_BAD_CODE;
    uint8_t owner[105] = {0}, cards[MOST_CARDS];
    c->united = 0;
    for (int seat = 0; seat < players; seat++) {
        int kind = q[NL_C_KINDS + seat], mine = seat == q[NL_C_SEAT];
        if (kind < 0 || kind > NL_UNITED || (kind == NL_MINE && !mine) || (kind == NL_UNITED && mine))
            return NL_BAD_CODE;
        c->united += kind == NL_UNITED;
        c->kinds[seat] = kind;
        c->hands[seat] = 0;
        for (int i = 0; i < each; i++) {
            int32_t card = q[NL_C_HANDS + 10 * seat + i];
            if (card < 1 || card > 104 || owner[card])
                return NL_BAD_CODE;
            owner[card] = (uint8_t)(seat + 1);
        }
    }
    if (c->united && (c->united < players - 1 || c->kinds[q[NL_C_SEAT]] != NL_MINE))
        return NL_BAD_CODE;
    c->heads = 0;
    for (int card = 1; card <= 104; card++)
        if (owner[card]) {
            int32_t heads = q[NL_C_HEADS + card];
            if (heads < 0 || heads > 7)
                return NL_BAD_CODE;
            cards[index] = (uint8_t)card;
            c->heads |= (uint64_t)heads << (3 * index);
            c->hands[owner[card] - 1] |= 1u << index++;
        }
    if (!pack_rows(q + NL_C_ROWS, cards, index, &c->rows))
        return NL_BAD_CODE;
    c->players = players;
    c->each = each;
    c->seat = q[NL_C_SEAT];
    c->known = known;
    c->slots = 1ULL << log2;
    c->error = 0.0;
    c->depth = 0;
    c->turns = 0;
    for (int i = 0; i < 10; i++)
        c->results[i] = 0;
    ask(c, each, (1u << index) - 1, c->rows);
    c->state = OPENED;
    return NL_OK;
}

NL_API int32_t nl_crowd_run(void *memory, int32_t turns) {
    crowd *c = memory;
    if (c->state != OPENED)
        return NL_BAD_CODE;
    if (turns < 1)
        return NL_BAD_SIZE;
    for (int64_t until = c->turns + turns; c->depth > 0;) {
        if (c->turns >= until)
            return 0;
        work_on(c, c->stack + c->depth - 1);
    }
    return 1;
}

NL_API int32_t nl_crowd_result(const void *memory, int64_t *results, int32_t words, double *guarantee, int32_t chances) {
    const crowd *c = memory;
    if (c->state != OPENED || c->depth > 0)
        return NL_BAD_CODE;
    if (words < NL_CR_WORDS || chances < 12)
        return NL_BAD_SIZE;
    results[NL_CR_WAYS] = ways_of(c, c->each);
    results[NL_CR_TURNS] = c->turns;
    for (int i = 0; i < 10; i++) {
        results[NL_CR_CARDS + i] = c->results[i];
        guarantee[2 + i] = c->united && i < c->each ? c->mix[i] : 0.0;
    }
    guarantee[0] = c->heads_answer;
    guarantee[1] = c->error;
    return NL_OK;
}
