/* The exact search for two players: double oracle with alpha-beta windows on certified bounds.
 *
 * A position is queried with a window: is its value at most alpha, at least beta, or what is it? The answer is a pair of
 * integers [lo, hi] (in units of 2**-shift heads) that provably encloses the value, with
 *
 *     hi <= alpha    or    lo >= beta    or    hi - lo <= tolerance of the level.
 *
 * A turn is a matrix game, of which the search examines only a few entries (Bosansky, Lisy, Lanctot, Cermak and
 * Winands, Artificial Intelligence 237, 2016). Each entry has bounds and an estimate between them. Repeat:
 *
 * 1. solve the small game of the cards considered so far, using estimates as entries: mixes x and y, value v;
 * 2. if v is not above the window, look for a card of A that does better against y. Search only entries that could make
 *    the difference, each with just the window that decides it. A better card joins the small game;
 * 3. do the same for B against x, unless v is below the window;
 * 4. when neither has a better card, the mixes prove bounds for the position.
 *
 * Whatever x is, it guarantees A the smallest column sum of x over the lower bounds. That sum, rounded down, is the
 * certificate, and likewise for B. So estimates and floating-point errors never make an answer wrong. They can only make
 * it slow or, in the worst case, wider than asked, which `doubt` counts and the result shows.
 *
 * The positions of the current line are frames on an explicit stack, so that a search can stop at any node and resume
 * later. */
#include "solve_search.h"

/* The most null-window queries that bracket the value of a level with a wide window. */
#define BRACKET_FROM 5
#define BRACKETS 4
#define MOST_ROUNDS 400
#define MOST_TRIES 40

/* The fewest cards per hand of positions that works divide among each other. Smaller ones are searched too quickly. */
#define SHARED_FROM 5

/* The next step of a frame. */
enum { BRACKET, BRACKETED, LAY_OUT, ROUND, SIDE, CARD, QUESTION, LEAF, ANSWERED, FINISH, REFINE };

static int settled(int64_t lo, int64_t hi, int64_t alpha, int64_t beta, int tolerance) {
    return hi <= alpha || lo >= beta || hi - lo <= tolerance;
}

static void give(work *w, int turned, int64_t lo, int64_t hi) {
    w->answer = turned ? (bounds){(int32_t)-hi, (int32_t)-lo} : (bounds){(int32_t)lo, (int32_t)hi};
}

static inline uint32_t *busy_at(const work *w, key is) {
    return w->busy + ((uint32_t)scramble_two(is.structure, is.weights) & w->busy_mask);
}

/* Tell other works that this one is searching the position of the frame. */
static void mark(work *w, frame *f) {
    f->marked = w->busy && f->k >= SHARED_FROM && f->k < w->cards_each;
    if (f->marked) __atomic_fetch_add(busy_at(w, f->is), 1, __ATOMIC_RELAXED);
}

/* Leave the top frame. */
static void pop(work *w) {
    const frame *f = w->stack + --w->depth;
    if (f->marked) __atomic_fetch_sub(busy_at(w, f->is), 1, __ATOMIC_RELAXED);
}

/* Store the bounds found for a position and return them. */
static void conclude(work *w, const frame *f) {
    if (!settled(f->lo, f->hi, f->alpha, f->beta, f->tolerance) && !w->stop) w->doubt++;
    if (f->k > w->unstored) {
        bounds known = {(int32_t)f->lo, (int32_t)f->hi};
        int fresh = store(&w->main, f->is, known);
        if (f->k > 3) w->stored += fresh;
        if (!w->kind && !w->cut) store_neighbour(&w->side, f->is, known);
    }
    give(w, f->turned, f->lo, f->hi);
}

/* Query the bounds of a position: 1 if the answer is known, 0 if a frame was pushed for it. */
static int ask(work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker, int64_t alpha, int64_t beta,
               int full) {
    if (w->cut && k == w->cut) {
        int32_t guess = learned_value(w, k, mask_a, mask_b, rows);
        w->answer = (bounds){guess, guess};
        return 1;
    }
    if (k == w->base) {
        w->answer = k == 0 ? (bounds){0, 0} : two_cards(mask_a, mask_b, rows, w->heads, w->shift);
        return 1;
    }
    if (w->stop) {
        give(w, 0, -w->cap, w->cap);
        return 1;
    }
    w->nodes++;
    frame *f = w->stack + w->depth;
    f->k = k;
    f->full = full;
    f->refine = 0;
    f->rows = rows;
    f->marker = marker;
    f->turned = is_turned(w, mask_a, mask_b);
    f->mask_a = f->turned ? mask_b : mask_a;
    f->mask_b = f->turned ? mask_a : mask_b;
    f->alpha = f->turned ? -beta : alpha;
    f->beta = f->turned ? -alpha : beta;
    f->lo = -w->cap;
    f->hi = w->cap;
    /* The allowed width of an exact answer, which grows a little with each level. */
    f->tolerance = w->grain * 3 * (k - (w->cut ? w->cut : w->base)) + (w->base > 0);
    f->below = f->tolerance - 3 * w->grain;
    f->phase = LAY_OUT;
    if (k > w->unstored) {
        f->is = key_of(w, k, f->mask_a, f->mask_b, rows, marker);
        bounds known;
        if (find(&w->main, f->is, &known)) {
            f->lo = known.lo;
            f->hi = known.hi;
        }
        if (!w->kind && !w->cut && !settled(f->lo, f->hi, f->alpha, f->beta, f->tolerance)) {
            known = neighbours(&w->side, f->is, (bounds){(int32_t)f->lo, (int32_t)f->hi}, w->shift);
            f->lo = known.lo;
            f->hi = known.hi;
        }
        if (!full) {
            if (settled(f->lo, f->hi, f->alpha, f->beta, f->tolerance)) {
                give(w, f->turned, f->lo, f->hi);
                return 1;
            }
            if (k >= BRACKET_FROM && f->beta - f->alpha > 1) {
                /* First narrow a wide window with null-window queries around a guess. */
                int64_t one = 1LL << w->shift;
                int64_t guess = f->hi - f->lo <= 8 * one
                                    ? (f->lo + f->hi) >> 1
                                    : least_of(most_of(0, most_of(f->lo, f->alpha)), least_of(f->hi, f->beta) - 1);
                f->guess = ((guess + one / 2) >> w->shift) * one;
                f->ask = f->guess + f->tolerance;
                f->bracket = 0;
                f->phase = BRACKET;
            } else {
                f->alpha = most_of(f->alpha, f->lo);
                f->beta = least_of(f->beta, f->hi);
            }
        }
    }
    if (k == 3 && !full && w->base == 2) {
        bounds known = three_cards(w, f->mask_a, f->mask_b, rows, f->alpha, f->beta);
        f->lo = most_of(f->lo, known.lo);
        f->hi = least_of(f->hi, known.hi);
        conclude(w, f);
        return 1;
    }
    mark(w, f);
    w->depth++;
    return 0;
}

/* Solve the small game and store its mixes in the level. */
static double small_game(work *w, level *l, const frame *f) {
    for (int p = 0; p < f->count_a; p++)
        for (int q = 0; q < f->count_b; q++) {
            const entry *e = l->entries + l->small_a[p] * w->wide + l->small_b[q];
            if ((int64_t)e->hi - e->lo <= f->below) w->game.entry[p][q] = 0.5 * (double)((int64_t)e->lo + e->hi);
            else w->game.entry[p][q] = (double)least_of(most_of(e->guess, e->lo), e->hi);
        }
    double value = solve_game(&w->game, f->count_a, f->count_b);
    for (int p = 0; p < f->count_a; p++) l->mix[0][l->small_a[p]] = w->game.x[p];
    for (int q = 0; q < f->count_b; q++) l->mix[1][l->small_b[q]] = w->game.y[q];
    return value;
}

/* List the cards of a player that might beat a goal against the other's mix, most promising first, and return their
 * number. Signs are flipped for player 1, so that both maximise. */
static int in_order(const work *w, level *l, int who, double goal) {
    int own = who == 0 ? l->m : l->n, other = who == 0 ? l->n : l->m, count = 0;
    double hopes[MOST_CHOICES];
    for (int p = 0; p < own; p++) {
        double most = 0.0, hope = 0.0;
        for (int q = 0; q < other; q++) {
            double share = l->mix[1 - who][q];
            if (share > 0.0) {
                const entry *e = l->entries + place_of(w, who, p, q);
                int64_t guess = least_of(most_of(e->guess, e->lo), e->hi);
                most += share * (double)(who == 0 ? e->hi : -e->lo);
                hope += share * (double)(who == 0 ? guess : -guess);
            }
        }
        if (most > goal) {
            int place = count++;
            for (; place > 0 && hopes[place - 1] < hope; place--) {
                hopes[place] = hopes[place - 1];
                l->order[place] = l->order[place - 1];
            }
            hopes[place] = hope;
            l->order[place] = (uint8_t)p;
        }
    }
    return count;
}

/* Choose the entry of card p to search, and its window, to decide whether the card beats the goal. Sets f->at (-1 if it is
 * decided), the window, and f->most, the most the card can earn. */
static void next_question(work *w, level *l, frame *f, int p) {
    int who = f->who, other = who == 0 ? l->n : l->m, pick = -1;
    double most = 0.0, least = 0.0, widest = 0.0, share = 1.0, goal = f->goal;
    for (int q = 0; q < other; q++) {
        double part = l->mix[1 - who][q];
        if (part > 0.0) {
            int at = place_of(w, who, p, q);
            const entry *e = l->entries + at;
            int64_t width = (int64_t)e->hi - e->lo;
            most += part * (double)(who == 0 ? e->hi : -e->lo);
            least += part * (double)(who == 0 ? e->lo : -e->hi);
            if (width > f->below && part * (double)width > widest) {
                widest = part * (double)width;
                pick = at;
                share = part;
            }
        }
    }
    f->most = most;
    f->at = -1;
    if (most <= goal || least > goal || pick < 0) return;
    entry *e = l->entries + pick;
    /* Whatever the other entries are, the card fails at ask_lo and succeeds at ask_hi. */
    if (who == 0) {
        f->ask_lo = floor_of(e->hi - (most - goal) / share);
        f->ask_hi = ceiling_of(e->lo + (goal - least) / share);
    } else {
        f->ask_hi = -floor_of(-(double)e->lo - (most - goal) / share);
        f->ask_lo = -ceiling_of(-(double)e->hi + (goal - least) / share);
    }
    int asked = e->asked++;
    if (asked > 0) {
        /* Widen the window on each repeated query, or the answers would approach the value in tiny steps. */
        int64_t margin = asked < 6 ? (1LL << (w->shift - 3)) << (2 * asked) : 2 * w->cap;
        f->ask_lo -= margin;
        f->ask_hi += margin;
    }
    f->ask_lo = most_of(f->ask_lo, e->lo);
    f->ask_hi = least_of(f->ask_hi, e->hi);
    if (f->ask_hi <= f->ask_lo) {
        if (who == 0) f->ask_hi = f->ask_lo + 1;
        else f->ask_lo = f->ask_hi - 1;
    }
    f->at = pick;
}

/* What any mix of a player provably guarantees. The sums are doubles: at most twenty products of an integer below 2**31
 * and a probability, so their error is far below 0.001. */
static int64_t certificate(const work *w, const level *l, int who) {
    int own = who == 0 ? l->m : l->n, other = who == 0 ? l->n : l->m, pure = 1;
    double total = 0.0, worst = 1e300;
    for (int p = 0; p < own; p++) {
        double share = l->mix[who][p];
        total += share;
        pure = pure && (share == 0.0 || share == 1.0);
    }
    for (int q = 0; q < other; q++) {
        double sum = 0.0;
        for (int p = 0; p < own; p++) {
            double share = l->mix[who][p];
            if (share > 0.0) {
                const entry *e = l->entries + place_of(w, who, p, q);
                sum += share * (double)(who == 0 ? e->lo : -e->hi);
            }
        }
        worst = sum / total < worst ? sum / total : worst;
    }
    int64_t sure = pure ? (int64_t)worst : floor_of(worst - 0.001);
    return who == 0 ? sure : -sure;
}

/* The value that player f->who must beat, given the value of the small game. */
static double goal_of(const level *l, const frame *f, double edge) {
    int other = f->who == 0 ? l->n : l->m;
    double goal;
    if (f->who == 0) goal = f->v <= (double)f->alpha - edge ? (double)f->alpha : f->v + 0.5 * f->below + 0.5;
    else goal = f->v >= (double)f->beta + edge ? -(double)f->beta : -f->v + 0.5 * f->below + 0.5;
    for (int q = 0; q < other; q++)
        if (l->mix[1 - f->who][q] > 0.0 && l->mix[1 - f->who][q] < 1.0)
            return goal - 0.01; /* room for rounding outwards */
    return goal;
}

/* Add a card that was not refuted to the small game. If it is already there, only its entries have changed. */
static void join(level *l, frame *f, int p) {
    uint8_t *inside = f->who == 0 ? l->in_a : l->in_b;
    if (inside[p]) return;
    inside[p] = 1;
    if (f->who == 0) l->small_a[f->count_a++] = (uint8_t)p;
    else l->small_b[f->count_b++] = (uint8_t)p;
}

/* The next null-window query of a bracket: 1 if its answer is known. */
static int ask_bracket(work *w, frame *f) {
    f->ask = least_of(most_of(f->ask, most_of(f->lo, f->alpha)), least_of(f->hi, f->beta) - 1);
    f->bracket++;
    f->phase = BRACKETED;
    return ask(w, f->k, f->mask_a, f->mask_b, f->rows, f->marker, f->ask, f->ask + 1, 0);
}

static void take_bracket(work *w, frame *f) {
    f->lo = most_of(f->lo, w->answer.lo);
    f->hi = least_of(f->hi, w->answer.hi);
    int upward = f->lo > f->ask;
    f->ask = upward ? f->lo + f->tolerance : f->hi - f->tolerance - 1;
    if (f->k == w->cards_each)
        w->root = f->turned ? (bounds){(int32_t)-f->hi, (int32_t)-f->lo} : (bounds){(int32_t)f->lo, (int32_t)f->hi};
    f->phase = BRACKET;
}

/* The next position to search for entry f->at: -1 if none is left, 1 if its answer is known, 0 if it was pushed. */
static int ask_leaf(work *w, level *l, frame *f) {
    if (f->tries++ == MOST_TRIES) return -1;
    weighed next = weigh(w, l, f->at, f->ask_lo, f->ask_hi, f->below);
    if (next.spot < 0) return -1;
    const leaf *is = l->leaves + next.spot;
    uint32_t a = l->cards_a[f->at / w->wide] & CARD_INDEX, b = l->cards_b[f->at % w->wide] & CARD_INDEX;
    f->spot = next.spot;
    return ask(w, f->k - 1, f->mask_a & ~(1u << a), f->mask_b & ~(1u << b), is->rows, is->marker, next.ask_lo - is->now,
               next.ask_hi - is->now, 0);
}

/* If another work is searching the next position of entry f->at, put its card behind the others (1), unless all of them
 * have been put off: then help with it. */
static int put_off(work *w, level *l, frame *f) {
    if (f->k <= SHARED_FROM || f->later >= f->waiting - f->turn - 1) return 0;
    int32_t spot = weigh(w, l, f->at, f->ask_lo, f->ask_hi, f->below).spot;
    if (spot < 0) return 0;
    uint32_t a = l->cards_a[f->at / w->wide] & CARD_INDEX, b = l->cards_b[f->at % w->wide] & CARD_INDEX;
    uint32_t mask_a = f->mask_a & ~(1u << a), mask_b = f->mask_b & ~(1u << b);
    const leaf *is = l->leaves + spot;
    int turned = is_turned(w, mask_a, mask_b);
    key next = key_of(w, f->k - 1, turned ? mask_b : mask_a, turned ? mask_a : mask_b, is->rows, is->marker);
    if (!__atomic_load_n(busy_at(w, next), __ATOMIC_RELAXED)) return 0;
    l->entries[f->at].asked--;
    uint8_t card = l->order[f->turn];
    for (int place = f->turn; place < f->waiting - 1; place++) l->order[place] = l->order[place + 1];
    l->order[f->waiting - 1] = card;
    f->later++;
    return 1;
}

static void take_leaf(work *w, level *l, const frame *f) {
    leaf *is = l->leaves + f->spot;
    is->lo = (int32_t)most_of(is->lo, (int64_t)w->answer.lo + is->now);
    is->hi = (int32_t)least_of(is->hi, (int64_t)w->answer.hi + is->now);
}

/* Update entry f->at from its leaves, and return whether it changed. */
static int take_entry(const work *w, level *l, const frame *f) {
    entry *e = l->entries + f->at;
    weighed known = weigh(w, l, f->at, f->ask_lo, f->ask_hi, f->below);
    e->lo = (int32_t)most_of(f->old_lo, known.lo);
    e->hi = (int32_t)least_of(f->old_hi, known.hi);
    return e->lo != f->old_lo || e->hi != f->old_hi;
}

/* Remember the likeliest actions: positions of a level that are searched in turn are often alike. */
static void note_favourites(level *l) {
    for (int who = 0; who < 2; who++) {
        const uint8_t *actions = who == 0 ? l->cards_a : l->cards_b;
        double most = 0.0;
        for (int p = 0; p < (who == 0 ? l->m : l->n); p++)
            if (l->mix[who][p] > most) {
                most = l->mix[who][p];
                l->favourite[who] = actions[p];
            }
    }
}

/* Start on an entry, whose window is in the frame. */
static void begin_entry(const level *l, frame *f) {
    f->old_lo = l->entries[f->at].lo;
    f->old_hi = l->entries[f->at].hi;
    f->tries = 0;
    f->phase = LEAF;
}

/* Find the next entry to refine, from f->at on, and return whether there is one. */
static int next_to_refine(const work *w, level *l, frame *f) {
    for (; f->at < l->m * w->wide; f->at++) {
        int i = f->at / w->wide, j = f->at % w->wide;
        if (j < l->n && (int64_t)l->entries[f->at].hi - l->entries[f->at].lo > f->below &&
            (f->refine > 1 || l->mix[0][i] != 0.0 || l->mix[1][j] != 0.0))
            return 1;
    }
    return 0;
}

/* Run the top frame until it pushes another or finishes and is popped. */
static void work_on(work *w, frame *f) {
    level *l = w->levels + f->k;
    double edge = 0.5 * f->below + 1.0; /* how far outside the window v must be to check one side only */
    int there;
    for (;;) switch (f->phase) {
        case BRACKET:
            if (f->bracket == BRACKETS || settled(f->lo, f->hi, f->alpha, f->beta, 2 * f->tolerance) || w->stop) {
                if (settled(f->lo, f->hi, f->alpha, f->beta, f->tolerance) || w->stop) {
                    give(w, f->turned, f->lo, f->hi);
                    pop(w);
                    return;
                }
                f->alpha = most_of(f->alpha, f->lo);
                f->beta = least_of(f->beta, f->hi);
                f->phase = LAY_OUT;
            } else if (!ask_bracket(w, f)) return;
            break;
        case BRACKETED: take_bracket(w, f); break;
        case LAY_OUT:
            lay_out(w, f->k, f->mask_a, f->mask_b, f->rows, f->marker, f->below);
            f->count_a = f->count_b = 1;
            f->round = 0;
            f->phase = ROUND;
            break;
        case ROUND:
            if (f->round++ == MOST_ROUNDS) {
                f->phase = FINISH;
                break;
            }
            f->v = small_game(w, l, f);
            f->who = 0;
            f->phase = SIDE;
            break;
        case SIDE:
            if (f->who == 2) {
                f->phase = FINISH;
                break;
            }
            if (f->who == 0 ? f->v >= (double)f->beta + edge : f->v <= (double)f->alpha - edge) {
                f->who++;
                break;
            }
            f->goal = goal_of(l, f, edge);
            f->waiting = in_order(w, l, f->who, f->goal);
            f->turn = f->later = 0;
            f->phase = CARD;
            break;
        case CARD:
            if (f->turn == f->waiting) {
                f->who++;
                f->phase = SIDE;
                break;
            }
            f->phase = QUESTION;
            break;
        case QUESTION:
            next_question(w, l, f, l->order[f->turn]);
            if (f->at >= 0) {
                if (w->busy && put_off(w, l, f)) break;
                begin_entry(l, f);
                break;
            }
            if (f->most > f->goal) {
                join(l, f, l->order[f->turn]);
                f->phase = ROUND;
            } else {
                f->turn++;
                f->later = 0;
                f->phase = CARD;
            }
            break;
        case LEAF:
            there = ask_leaf(w, l, f);
            if (there >= 0) {
                f->phase = ANSWERED;
                if (!there) return;
                break;
            }
            if (f->refine) {
                take_entry(w, l, f);
                f->at++;
                f->phase = REFINE;
            } else if (take_entry(w, l, f) && !w->stop) f->phase = QUESTION;
            else if (f->most > f->goal && !w->stop) {
                join(l, f, l->order[f->turn]);
                f->phase = ROUND;
            } else {
                f->turn++;
                f->later = 0;
                f->phase = w->stop ? FINISH : CARD;
            }
            break;
        case ANSWERED:
            take_leaf(w, l, f);
            if (w->stop) f->tries = MOST_TRIES;
            f->phase = LEAF;
            break;
        case FINISH:
            f->lo = most_of(f->lo, certificate(w, l, 0));
            f->hi = least_of(f->hi, certificate(w, l, 1));
            note_favourites(l);
            conclude(w, f);
            pop(w);
            return;
        default: /* REFINE */
            if (w->stop || !next_to_refine(w, l, f)) {
                pop(w);
                return;
            }
            f->ask_lo = -w->cap;
            f->ask_hi = w->cap;
            begin_entry(l, f);
        }
}

void begin_search(work *w, int64_t alpha, int64_t beta, int full) {
    w->depth = w->stop = 0;
    ask(w, w->cards_each, w->mask_a, w->mask_b, w->rows, w->marker, alpha, beta, full);
}

void begin_refining(work *w, int all) {
    frame *f = w->stack;
    w->depth = 1;
    w->stop = 0;
    f->refine = all ? 2 : 1;
    /* The root's search left its frame on the stack. */
    f->at = 0;
    f->phase = REFINE;
}

int go_on(work *w, int64_t nodes) {
    int64_t until = w->nodes + nodes;
    while (w->depth > 0) {
        if (w->nodes >= until && !w->stop) return 0;
        work_on(w, w->stack + w->depth - 1);
    }
    if (!w->stack[0].refine) w->found = w->answer;
    return 1;
}
