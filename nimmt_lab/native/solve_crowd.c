/* Two to six players with open hands, between turns, with at most one marker: the best response of one seat to given
 * policies, and what it can guarantee against a coalition of all others.
 *
 * Cards and rows are packed as in solve_packed.h. Then only the lowest card of a turn can fit nowhere: once its owner has
 * taken a row, every other card fits. With a marker they are packed as in solve_marked.h, and any number of cards may fit
 * nowhere. Their players choose rows one after the other, each knowing the earlier choices.
 *
 * Against given policies nothing is rounded. If all choices are equally likely, the value of a position is a whole number
 * of heads divided by the number of ways in which the others can continue. The search multiplies by that number, so that
 * it adds only integers. */
#include "solve_crowd.h"

#include "solve.h"

#define OPENED 0x63726f77
/* Guarantees are stored in these fractions of a head. Matrix entries are scaled by it, which makes the quarter unit that
 * solve_game tolerates small. */
#define SCALE 16777216.0
/* Columns of the small game that finds the guarantee; a new one replaces the least useful. */
#define COLUMNS 18
/* More heads than four rows and all hands can have together. */
#define MOST_HEADS 512

enum { PAIR, CHILD, TAKE };

static int options_of(const crowd *c, int seat, const crowd_frame *f, uint8_t *into) {
    uint32_t hand = c->hands[seat] & f->left;
    int count = marked_actions(c->kind, hand, other_way_left(f->marker, seat), c->cards, into);
    return c->kinds[seat] == NL_LOWEST && seat != c->seat ? 1 : count;
}

static int nth_card(uint32_t mask, int n) {
    while (n--) mask &= mask - 1;
    return lowest_bit(mask);
}

/* List the actions of every seat and count the joint actions of the others. If every card has only one way to be played,
 * there is nothing to list. */
static void list_options(const crowd *c, crowd_frame *f) {
    f->joints = 1;
    f->weight = 1;
    for (int seat = 0; seat < c->players; seat++) {
        int all = f->k;
        if (has_other_ways(c->kind)) all = options_of(c, seat, f, f->actions[seat]);
        else if (c->kinds[seat] == NL_LOWEST && seat != c->seat) all = 1;
        f->options[seat] = (uint8_t)all;
        if (seat == c->seat) continue;
        f->joints *= all;
        if (c->kinds[seat] == NL_UNIFORM) f->weight *= c->share[seat][f->k] / all;
    }
}

/* The cards played: our seat's action f->mine, and those of the others from the digits of f->joint. */
static void draw_turn(const crowd *c, crowd_frame *f) {
    int joint = f->joint;
    f->played = 0;
    for (int seat = 0; seat < c->players; seat++) {
        int nth = f->mine, action;
        if (seat != c->seat) {
            nth = joint % f->options[seat];
            joint /= f->options[seat];
        }
        action = has_other_ways(c->kind) ? f->actions[seat][nth] : nth_card(c->hands[seat] & f->left, nth);
        f->chosen[seat] = (uint8_t)action;
        f->played |= 1u << (action & CARD_INDEX);
    }
    f->own = f->chosen[c->seat];
}

/* The row taken with a card that fits nowhere: by policy (R-C4), or the one being explored. */
static int row_to_take(const crowd *c, crowd_frame *f, int seat, int cheapest) {
    int mine = seat == c->seat;
    if (!c->united && !(mine && c->kinds[seat] == NL_MINE)) return cheapest;
    int at = f->decisions++;
    if (at == f->opened) {
        f->opened++;
        f->pick[at] = 0;
        f->by_me[at] = (uint8_t)mine;
        f->best[at] = (outlook){INT64_MAX, mine ? 1e9 : -1.0};
    }
    return f->pick[at];
}

/* Place the cards of a turn, lowest first, and return the rows; f->taken gets the heads of our seat. */
static uint64_t plain_turn(const crowd *c, crowd_frame *f) {
    uint32_t cards = f->played;
    uint64_t rows = f->rows;
    int32_t taken;
    int low = lowest_bit(cards);
    if (row_below(rows, 2 * low + 1) < 0) { /* after it, every other card fits */
        int owner = 0;
        while (f->chosen[owner] != low) owner++;
        int row = row_to_take(c, f, owner, cheapest_row(rows));
        rows = take_row(rows, row, 2 * low + 1, heads_at(c->heads, low), &taken);
        f->taken += low == f->own ? taken : 0;
        cards &= cards - 1;
    }
    for (; cards; cards &= cards - 1) {
        int card = lowest_bit(cards);
        rows = add_card(rows, row_below(rows, 2 * card + 1), 2 * card + 1, heads_at(c->heads, card), &taken);
        f->taken += card == f->own ? taken : 0;
    }
    return rows;
}

/* The same with a marker: cards are placed by value, and any of them may fit nowhere. */
static laid marked_turn(const crowd *c, crowd_frame *f) {
    laid now = {f->rows, f->marker, 0};
    int order[MOST_SEATS], count = 0;
    for (int seat = 0; seat < c->players; seat++) {
        int rank = placing_key(f->chosen[seat], c->cards, seat), at = count++;
        if (f->chosen[seat] & OTHER_WAY) now.marker = without_other_way(now.marker, seat);
        for (; at > 0 && order[at - 1] > rank; at--) order[at] = order[at - 1];
        order[at] = rank;
    }
    for (int at = 0; at < count; at++) {
        int seat = order[at] & 15, row = marked_row(c->kind, now.rows, now.marker, order[at] >> 5), low = row < 0;
        if (low) row = row_to_take(c, f, seat, marked_cheapest_row(now.rows));
        now = marked_put(c->kind, now.rows, now.marker, row, c->cards[f->chosen[seat] & CARD_INDEX], low,
                         c->heads_by_card);
        f->taken += seat == c->seat ? now.taken : 0;
    }
    return now;
}

/* The slot of a position, used or free; 0 if the table is full. The first word of a used slot is not 0. */
static int64_t *slot_of(const crowd *c, uint32_t left, int marker, uint64_t rows) {
    int64_t first = (int64_t)left | (int64_t)marker << MOST_CARDS;
    uint64_t at = scramble_two((uint64_t)first, rows) >> 1;
    for (int probe = 0; probe < 16; probe++, at++) {
        int64_t *slot = c->known + 3 * (at & (c->slots - 1));
        if (slot[0] == 0 || (slot[0] == first && slot[1] == (int64_t)rows)) return slot;
    }
    return 0;
}

/* Query a position: 1 if the answer is known, 0 if the position was pushed on the stack. */
static int ask(crowd *c, int k, uint32_t left, int marker, uint64_t rows) {
    c->turns++;
    c->answer = 0;
    c->heads_answer = 0.0;
    if (k == 0) return 1;
    if (k > 1 && k < c->each) {
        const int64_t *slot = slot_of(c, left, marker, rows);
        if (slot && slot[0]) {
            c->answer = slot[2];
            c->heads_answer = (double)slot[2] / SCALE;
            return 1;
        }
    }
    crowd_frame *f = c->stack + c->depth++;
    f->k = k;
    f->left = left;
    f->marker = marker;
    f->rows = rows;
    f->mine = f->joint = 0;
    f->later = c->ways[k - 1];
    list_options(c, f);
    f->fewest = INT64_MAX;
    f->total = f->worth = 0;
    f->phase = PAIR;
    return 0;
}

static double *table_of(crowd *c, int k) { return (double *)(c + 1) + c->table_at[k]; }

/* The fewest heads that a mix of m cards guarantees against n replies; also the mix, and its gap to the others' guarantee.
 * If no pure card is best, solve a game with few replies and add the best reply to its mix until that is already in it
 * (double oracle). */
static double settle(crowd *c, const double *heads, int m, int n, double *mix) {
    double pure = 1e9, spared = -1.0, bound = -1.0;
    int first = 0, columns[COLUMNS] = {0}, count = 1;
    for (int i = 0; i < m; i++) {
        double most = -1.0;
        int worst = 0;
        for (int j = 0; j < n; j++)
            if (heads[i * n + j] > most) {
                most = heads[i * n + j];
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
        for (int i = 0; i < m; i++) least = heads[i * n + j] < least ? heads[i * n + j] : least;
        spared = least > spared ? least : spared;
    }
    if (spared >= pure) return pure;
    double best = pure;
    for (int round = 0; round < 60 * m; round++) {
        game *g = &c->game;
        for (int column = 0; column < count; column++)
            for (int i = 0; i < m; i++) g->entry[i][column] = -heads[i * n + columns[column]] * SCALE;
        solve_game(g, m, count);
        double total = 0.0, weight = 0.0, sure = 1e9, most = -1.0;
        for (int i = 0; i < m; i++) total += g->x[i];
        for (int column = 0; column < count; column++) weight += g->y[column];
        for (int i = 0; i < m; i++) { /* the least the others' mix of these columns costs us */
            double sum = 0.0;
            for (int column = 0; column < count; column++) sum += g->y[column] * heads[i * n + columns[column]];
            sure = sum / weight < sure ? sum / weight : sure;
        }
        bound = sure > bound ? sure : bound;
        int worst = 0, inside = 0, idle = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int i = 0; i < m; i++) sum += g->x[i] * heads[i * n + j];
            if (sum / total > most) {
                most = sum / total;
                worst = j;
            }
        }
        if (most < best) {
            best = most;
            for (int i = 0; i < m; i++) mix[i] = g->x[i] / total;
        }
        for (int column = 0; column < count; column++) {
            inside |= columns[column] == worst;
            if (g->y[column] < g->y[idle]) idle = column;
        }
        if (inside) break;
        if (count < COLUMNS) columns[count++] = worst;
        else columns[idle] = worst;
    }
    c->error = best - bound > c->error ? best - bound : c->error;
    return best;
}

/* Store and return the result of a finished position. */
static void finish(crowd *c, const crowd_frame *f) {
    int64_t kept;
    if (c->kinds[c->seat] == NL_MINE && c->united) {
        double heads = settle(c, table_of(c, f->k), f->options[c->seat], f->joints, c->mix);
        c->heads_answer = heads;
        kept = ceiling_of(heads * SCALE); /* rounded up, so it is still a guarantee */
        if (f->k > 1 && f->k < c->each && (double)kept / SCALE - heads > c->error)
            c->error = (double)kept / SCALE - heads;
    } else kept = c->answer = c->kinds[c->seat] == NL_MINE ? f->fewest : f->total;
    if (f->k > 1 && f->k < c->each) {
        /* look up again: a position below this one may have filled the slot */
        int64_t *slot = slot_of(c, f->left, f->marker, f->rows);
        if (slot) {
            slot[0] = (int64_t)f->left | (int64_t)f->marker << MOST_CARDS;
            slot[1] = (int64_t)f->rows;
            slot[2] = kept;
        }
    }
    c->depth--;
}

/* Add the value of these cards and go on to the next joint action. */
static void take_pair(crowd *c, crowd_frame *f, outlook found) {
    int own = c->kinds[c->seat] == NL_UNIFORM ? (int)(c->share[c->seat][f->k] / f->options[c->seat]) : 1;
    if (c->united) table_of(c, f->k)[f->mine * f->joints + f->joint] = found.heads;
    else f->worth += found.whole * f->weight;
    f->phase = PAIR;
    if (++f->joint < f->joints) return;
    if (f->k == c->each)
        c->results[f->mine] = f->worth * (c->kinds[c->seat] == NL_UNIFORM ? c->share[c->seat][f->k] : 1);
    f->fewest = least_of(f->fewest, f->worth);
    if (c->kinds[c->seat] == NL_UNIFORM || f->mine == 0) f->total += f->worth * own;
    f->worth = f->joint = 0;
    f->mine++;
}

/* Process the value of one outcome of the turn. For each row choice on the way, keep the best row for its player so far,
 * and decide whether to try another. */
static int next_row(crowd_frame *f, outlook *found) {
    while (f->decisions > 0) {
        int at = --f->decisions;
        outlook *best = f->best + at;
        best->whole = least_of(best->whole, found->whole);
        if (f->by_me[at] ? found->heads < best->heads : found->heads > best->heads) best->heads = found->heads;
        f->opened = at + 1;
        if (++f->pick[at] < 4) return 1;
        *found = *best;
    }
    return 0;
}

static void work_on(crowd *c, crowd_frame *f) {
    for (;;) switch (f->phase) {
        case PAIR:
            if (f->mine == f->options[c->seat] || (f->mine > 0 && c->kinds[c->seat] == NL_LOWEST && f->k < c->each)) {
                finish(c, f);
                return;
            }
            draw_turn(c, f);
            f->opened = 0;
            f->phase = CHILD;
            break;
        case CHILD:
            f->taken = f->decisions = 0;
            laid after = {0, 0, 0};
            if (!c->kind) after.rows = plain_turn(c, f);
            else after = marked_turn(c, f);
            f->phase = TAKE;
            if (!ask(c, f->k - 1, f->left & ~f->played, after.marker, after.rows)) return;
            break;
        default: /* TAKE */
            ;
            outlook found = {f->taken * f->later + c->answer, f->taken + c->heads_answer};
            if (next_row(f, &found)) f->phase = CHILD;
            else take_pair(c, f, found);
        }
}

static int64_t common_multiple(int64_t a, int64_t b) {
    int64_t one = a, two = b;
    while (two) {
        int64_t rest = one % two;
        one = two;
        two = rest;
    }
    return a / one * b;
}

/* The number of actions of a uniformly random seat with k cards left, or a multiple of it: while the seat can still play
 * a card in another way, the number depends on which cards are left. */
static int64_t share_of(const crowd *c, int seat, int k) {
    int others = 0;
    if (c->kinds[seat] != NL_UNIFORM) return 1;
    if (other_way_left(c->marker, seat))
        for (int index = 0; index < c->players * c->each; index++)
            others += (c->hands[seat] >> index & 1) && has_other_way(c->kind, c->cards[index]);
    if (k == c->each) return k + others;
    int64_t share = k;
    for (int left = (int)most_of(0, k - (c->each - others)); left <= least_of(k, others); left++)
        share = common_multiple(share, k + left);
    return share;
}

/* The factor for probabilities, by cards per hand: a multiple of the number of ways in which the seats with a policy can
 * continue. 0 if sums of heads might overflow. */
static int count_ways(crowd *c) {
    c->ways[0] = 1;
    for (int k = 1; k <= c->each; k++) {
        c->ways[k] = c->ways[k - 1];
        for (int seat = 0; seat < c->players; seat++) {
            c->share[seat][k] = share_of(c, seat, k);
            if (c->ways[k] > INT64_MAX / MOST_HEADS / c->share[seat][k]) return 0;
            c->ways[k] *= c->share[seat][k];
        }
    }
    return 1;
}

/* The number of joint actions with k cards per hand. */
static int pairs_of(int players, int k, int kind) {
    int pairs = 1;
    for (int seat = 0; seat < players; seat++) pairs *= has_other_ways(kind) ? 2 * k : k;
    return pairs;
}

NL_API int32_t nl_crowd_work(int32_t players, int32_t cards_each, int32_t kind) {
    if (players < 2 || players > MOST_SEATS || cards_each < 1 || cards_each > 10 || players * cards_each > MOST_CARDS)
        return NL_BAD_SIZE;
    if (!good_kind(kind)) return NL_BAD_CODE;
    int pairs = 0;
    for (int k = 1; k <= cards_each; k++) pairs += pairs_of(players, k, kind);
    return (int32_t)(sizeof(crowd) + sizeof(double) * (unsigned)pairs);
}

/* Read the owners of the cards and the policies; 0 if they are invalid. */
static int take_seats(crowd *c, const int32_t *q, uint8_t *owner) {
    int players = q[NL_C_PLAYERS], asks = q[NL_C_SEAT];
    if (asks < 0 || asks >= players) return 0;
    c->united = 0;
    for (int seat = 0; seat < players; seat++) {
        int kind = q[NL_C_KINDS + seat], mine = seat == asks;
        if (kind < 0 || kind > NL_UNITED || (kind == NL_MINE && !mine) || (kind == NL_UNITED && mine)) return 0;
        c->united += kind == NL_UNITED;
        c->kinds[seat] = kind;
        c->hands[seat] = 0;
        for (int i = 0; i < q[NL_C_EACH]; i++) {
            int32_t card = q[NL_C_HANDS + 10 * seat + i];
            if (card < 1 || card > 104 || owner[card]) return 0;
            owner[card] = (uint8_t)(seat + 1);
        }
    }
    return !c->united || (c->united == players - 1 && c->kinds[asks] == NL_MINE);
}

/* Read the sorted cards with their heads, and the rows; 0 if they are invalid. */
static int take_cards(crowd *c, const int32_t *q, const uint8_t *owner) {
    int index = 0;
    c->heads = 0;
    for (int card = 1; card <= 104; card++) {
        int32_t heads = q[NL_C_HEADS + card];
        if (heads < 0 || heads > 7) return 0;
        c->heads_by_card[card] = (uint8_t)heads;
        if (owner[card]) {
            c->cards[index] = (uint8_t)card;
            c->heads |= (uint64_t)heads << (3 * index);
            c->hands[owner[card] - 1] |= 1u << index++;
        }
    }
    if (!c->kind) return pack_rows(q + NL_C_ROWS, c->cards, index, &c->rows);
    return marked_rows(q + NL_C_ROWS, owner, &c->rows);
}

NL_API int32_t nl_crowd_open(void *memory, int32_t bytes, const int32_t *q, int32_t words, int64_t *known,
                             int32_t log2) {
    crowd *c = memory;
    if (words < NL_C_WORDS || log2 < 3 || log2 > 24) return NL_BAD_SIZE;
    int32_t players = q[NL_C_PLAYERS], each = q[NL_C_EACH], needed = nl_crowd_work(players, each, q[NL_C_KIND]);
    if (needed < 0) return needed;
    if (bytes < needed) return NL_TOO_SMALL;
    uint8_t owner[105] = {0};
    c->state = 0;
    c->kind = q[NL_C_KIND];
    c->marker = q[NL_C_MARKER];
    if (!good_marker(c->kind, c->marker, players) || !take_seats(c, q, owner) || !take_cards(c, q, owner))
        return NL_BAD_CODE;
    c->players = players;
    c->each = each;
    c->seat = q[NL_C_SEAT];
    if (!count_ways(c)) return NL_TOO_SMALL;
    for (int k = 1, at = 0; k <= each; at += pairs_of(players, k++, c->kind)) c->table_at[k] = at;
    c->known = known;
    c->slots = 1ULL << log2;
    c->error = 0.0;
    c->depth = 0;
    c->turns = 0;
    for (int i = 0; i < MOST_CHOICES; i++) c->results[i] = 0;
    ask(c, each, (1u << (players * each)) - 1, c->marker, c->rows);
    c->state = OPENED;
    return NL_OK;
}

NL_API int32_t nl_crowd_run(void *memory, int32_t turns) {
    crowd *c = memory;
    if (c->state != OPENED) return NL_BAD_CODE;
    if (turns < 1) return NL_BAD_SIZE;
    for (int64_t until = c->turns + turns; c->depth > 0;) {
        if (c->turns >= until) return 0;
        work_on(c, c->stack + c->depth - 1);
    }
    return 1;
}

NL_API int32_t nl_crowd_result(const void *memory, int64_t *results, int32_t words, double *guarantee,
                               int32_t chances) {
    const crowd *c = memory;
    if (c->state != OPENED || c->depth > 0) return NL_BAD_CODE;
    if (words < NL_CR_WORDS || chances < 2 + MOST_CHOICES) return NL_BAD_SIZE;
    int options = c->stack[0].options[c->seat];
    results[NL_CR_WAYS] = c->ways[c->each];
    results[NL_CR_TURNS] = c->turns;
    results[NL_CR_OPTIONS] = options;
    for (int i = 0; i < MOST_CHOICES; i++) {
        results[NL_CR_CARDS + i] = c->results[i];
        guarantee[2 + i] = c->united && i < options ? c->mix[i] : 0.0;
    }
    guarantee[0] = c->heads_answer;
    guarantee[1] = c->error;
    return NL_OK;
}
