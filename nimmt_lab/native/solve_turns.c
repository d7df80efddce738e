/* The possible outcomes of one turn, laid out for the search. */
#include "solve_work.h"

key key_of(const work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker) {
    if (!w->kind) return canonical(mask_a, mask_b, rows, w->classes);
    return (key){mask_a | ((uint64_t)mask_b << 20) | ((uint64_t)k << 52) | ((uint64_t)marker << 56), rows};
}

/* Bounds of a position from the tables alone. */
static bounds recall(const work *w, key is, int turned) {
    bounds known = {(int32_t)-w->cap, (int32_t)w->cap}, found;
    if (find(&w->main, is, &found)) known = found;
    if (known.lo < known.hi && !w->kind && !w->cut) known = neighbours(&w->side, is, known, w->shift);
    return turned ? (bounds){-known.hi, -known.lo} : known;
}

/* guess_value, remembered. A word has 48 bits of the position's hash and the estimate. Two positions with the same bits
 * are very rare and would only spoil an estimate. */
static int64_t trained_guess(const work *w, int k, key is) {
    uint64_t hashed = scramble_two(is.structure, is.weights),
             *kept = w->guesses + (hashed & ((1u << GUESSES_LOG2) - 1));
    if ((*kept ^ hashed) >> 16 == 0) return (int16_t)(uint16_t)*kept;
    int64_t guess = least_of(most_of(guess_value(w->learned[k], is, k), INT16_MIN), INT16_MAX);
    *kept = (hashed & ~0xffffULL) | (uint16_t)guess;
    return guess;
}

int32_t learned_value(const work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows) {
    int turned = is_turned(w, mask_a, mask_b);
    key is = turned ? canonical(mask_b, mask_a, rows, w->classes) : canonical(mask_a, mask_b, rows, w->classes);
    int64_t guess = trained_guess(w, k, is) * (1LL << (w->shift - VALUE_GRAIN_LOG2));
    guess = least_of(most_of(guess, -w->cap), w->cap); /* nobody can win more than all heads */
    return (int32_t)(turned ? -guess : guess);
}

/* The estimate of a position: the trained one, or the result of an earlier search if the guide has it. */
static int32_t foreseen(const work *w, int k, key is, int turned) {
    int64_t guess = 0;
    bounds found;
    int is_guided = k >= w->guided_from && find(&w->guide, is, &found);
    if (is_guided && (int64_t)found.hi - found.lo <= 1LL << w->shift) guess = found.lo + (found.hi - found.lo) / 2;
    else {
        if (w->learned[k]) guess = trained_guess(w, k, is) * (1LL << (w->shift - VALUE_GRAIN_LOG2));
        if (is_guided) /* it knows one bound only */
            guess = least_of(most_of(guess, found.lo), found.hi);
    }
    guess = least_of(most_of(guess, -w->cap), w->cap);
    return (int32_t)(turned ? -guess : guess);
}

/* The continuation is estimated at `later`. */
static void note_leaf(const work *w, leaf *at, int now, uint64_t rows, int marker, bounds known, int32_t later) {
    int64_t units = now * (1LL << w->shift);
    at->now = (int32_t)units;
    at->guess = (int32_t)least_of(most_of(units + later, -w->cap), w->cap);
    at->rows = rows;
    at->marker = marker;
    at->lo = (int32_t)most_of(known.lo + units, -w->cap);
    at->hi = (int32_t)least_of(known.hi + units, w->cap);
}

/* One outcome of a turn, before its lookup in the tables. */
typedef struct {
    key is;
    uint64_t rows;
    int32_t at, choice, now, turned;
} outcome;

static void plain_turns(work *w, level *l, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows) {
    int foresees = k - 1 != w->cut && (w->learned[k - 1] || k - 1 >= w->guided_from), probes = k > PROBE_FROM,
        count = 0;
    outcome ends[MOST_EACH * MOST_EACH * 4];
    l->m = l->n = 0;
    for (uint32_t rest = mask_a; rest; rest &= rest - 1) l->cards_a[l->m++] = (uint8_t)lowest_bit(rest);
    for (uint32_t rest = mask_b; rest; rest &= rest - 1) l->cards_b[l->n++] = (uint8_t)lowest_bit(rest);
    for (int i = 0; i < l->m; i++)
        for (int j = 0; j < l->n; j++) {
            int a = l->cards_a[i], b = l->cards_b[j], at = i * w->wide + j, sign = a < b ? 1 : -1;
            int first = a < b ? a : b, second = a < b ? b : a;
            int index = row_below(rows, 2 * first + 1), choices = index >= 0 ? 1 : 4;
            entry *e = l->entries + at;
            e->owner = (int8_t)(sign * choices);
            e->asked = 0;
            for (int choice = 0; choice < choices; choice++) {
                played after = play_two(rows, index, choice, first, second, w->heads);
                outcome *end = ends + count++;
                *end = (outcome){{0, 0}, after.rows, at, choice, sign * (after.two - after.one), 0};
                e->replies[choice] = 1;
                if (probes || foresees) {
                    uint32_t left_a = mask_a & ~(1u << a), left_b = mask_b & ~(1u << b);
                    end->turned = is_turned(w, left_a, left_b);
                    end->is = end->turned ? canonical(left_b, left_a, after.rows, w->classes)
                                          : canonical(left_a, left_b, after.rows, w->classes);
                    if (probes) /* prefetch it for the lookup */
                        expect_lookup(&w->main, w->cut ? 0 : &w->side, end->is);
                }
            }
        }
    for (const outcome *end = ends; end < ends + count; end++) {
        bounds known = {(int32_t)-w->cap, (int32_t)w->cap};
        if (probes) known = recall(w, end->is, end->turned);
        int32_t later = foresees && known.lo < known.hi ? foreseen(w, k - 1, end->is, end->turned) : 0;
        note_leaf(w, leaf_of(w, l, end->at, end->choice, 0), end->now, end->rows, 0, known, later);
    }
}

/* The same with a marker: both cards may fit nowhere, so the second player may have a choice too. */
static void marked_turns(work *w, level *l, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker) {
    l->m = marked_actions(w->kind, mask_a, other_way_left(marker, 0), w->cards, l->cards_a);
    l->n = marked_actions(w->kind, mask_b, other_way_left(marker, 1), w->cards, l->cards_b);
    int keys_b[MOST_CHOICES];
    for (int j = 0; j < l->n; j++) keys_b[j] = placing_key(l->cards_b[j], w->cards, 1);
    for (int i = 0; i < l->m; i++) {
        const int key_a = placing_key(l->cards_a[i], w->cards, 0);
        for (int j = 0; j < l->n; j++) {
            int a = l->cards_a[i], b = l->cards_b[j], at = i * w->wide + j;
            int left = a & OTHER_WAY ? without_other_way(marker, 0) : marker;
            if (b & OTHER_WAY) left = without_other_way(left, 1);
            int key_b = keys_b[j], a_first = key_a < key_b;
            int value_a = key_a >> 5, value_b = key_b >> 5, sign = a_first ? 1 : -1;
            int first = w->cards[(a_first ? a : b) & CARD_INDEX], second = w->cards[(a_first ? b : a) & CARD_INDEX];
            uint32_t next_a = mask_a & ~(1u << (a & CARD_INDEX)), next_b = mask_b & ~(1u << (b & CARD_INDEX));
            int index = marked_row(w->kind, rows, left, a_first ? value_a : value_b), choices = index >= 0 ? 1 : 4;
            entry *e = l->entries + at;
            e->owner = (int8_t)(sign * choices);
            e->asked = 0;
            for (int choice = 0; choice < choices; choice++) {
                laid one =
                    marked_put(w->kind, rows, left, index >= 0 ? index : choice, first, index < 0, w->heads_by_card);
                int target = marked_row(w->kind, one.rows, one.marker, a_first ? value_b : value_a);
                e->replies[choice] = target >= 0 ? 1 : 4;
                for (int reply = 0; reply < e->replies[choice]; reply++) {
                    laid two = marked_put(w->kind, one.rows, one.marker, target >= 0 ? target : reply, second,
                                          target < 0, w->heads_by_card);
                    bounds known = {0, 0};
                    if (k > 1) known = recall(w, key_of(w, k - 1, next_a, next_b, two.rows, two.marker), 0);
                    note_leaf(w, leaf_of(w, l, at, choice, reply), sign * (two.taken - one.taken), two.rows, two.marker,
                              known, 0);
                }
            }
        }
    }
}

/* Start the small game with a player's maximin choice; of equals, the one that was likeliest in the last position. */
static int open_side(const work *w, level *l, int who, uint8_t *inside) {
    int own = who == 0 ? l->m : l->n, other = who == 0 ? l->n : l->m, first = 0;
    const uint8_t *actions = who == 0 ? l->cards_a : l->cards_b;
    int64_t best = -4 * w->cap;
    for (int p = 0; p < own; p++) {
        int64_t least = 4 * w->cap;
        for (int q = 0; q < other; q++) {
            int64_t guess = l->entries[place_of(w, who, p, q)].guess;
            least = least_of(least, who == 0 ? guess : -guess);
        }
        if (least > best || (least == best && actions[p] == l->favourite[who])) {
            best = least;
            first = p;
        }
        l->mix[who][p] = 0.0;
        inside[p] = 0;
    }
    inside[first] = 1;
    return first;
}

/* Compute bounds and estimates of all entries, and the first two cards of the small game. */
static void open_game(work *w, level *l, int below) {
    for (int i = 0; i < l->m; i++)
        for (int j = 0; j < l->n; j++) {
            int at = i * w->wide + j;
            entry *e = l->entries + at;
            weighed known = weigh(w, l, at, w->cap, w->cap, below);
            e->lo = (int32_t)known.lo;
            e->hi = (int32_t)known.hi;
            e->guess = (int32_t)known.guess;
            if (w->jitter) /* the second thread breaks ties differently */
                e->guess = (int32_t)least_of(
                    w->cap, e->guess + ((w->jitter * (l->cards_a[i] * 37 + l->cards_b[j] * 11)) & 1023));
        }
    l->small_a[0] = (uint8_t)open_side(w, l, 0, l->in_a);
    l->small_b[0] = (uint8_t)open_side(w, l, 1, l->in_b);
}

void lay_out(work *w, int k, uint32_t mask_a, uint32_t mask_b, uint64_t rows, int marker, int below) {
    level *l = w->levels + k;
    if (!w->kind) plain_turns(w, l, k, mask_a, mask_b, rows);
    else marked_turns(w, l, k, mask_a, mask_b, rows, marker);
    open_game(w, l, below);
}

/* A leaf from the viewpoint of the player who chooses a row first, so that both maximise. */
static inline leaf seen_by(int sign, const leaf *is) {
    leaf seen = *is;
    if (sign < 0) {
        seen.lo = -is->hi;
        seen.hi = -is->lo;
        seen.now = -is->now;
        seen.guess = -is->guess;
    }
    return seen;
}

static weighed weigh_one(const leaf *is, int sign, const level *l, int64_t ask_lo, int64_t ask_hi, int below) {
    weighed known = {-1, ask_lo, ask_hi, is->lo, is->hi, least_of(most_of(is->guess, is->lo), is->hi)};
    if (is->lo < ask_hi && is->hi > ask_lo && (int64_t)is->hi - is->lo > below) {
        known.spot = (int32_t)(is - l->leaves);
        if (sign > 0) {
            known.ask_lo = most_of(ask_lo, is->lo);
            known.ask_hi = most_of(ask_hi, known.ask_lo + 1);
        } else {
            known.ask_hi = least_of(ask_hi, is->hi);
            known.ask_lo = least_of(ask_lo, known.ask_hi - 1);
        }
    }
    return known;
}

/* The first player's choice is a maximum for A or a minimum for B; the second player's, inside it, the opposite. */
weighed weigh(const work *w, const level *l, int at, int64_t ask_lo, int64_t ask_hi, int below) {
    const entry *e = l->entries + at;
    if ((e->owner == 1 || e->owner == -1) && e->replies[0] == 1) /* no row to choose, as in most entries */
        return weigh_one(leaf_of(w, l, at, 0, 0), e->owner, l, ask_lo, ask_hi, below);
    int sign = e->owner > 0 ? 1 : -1, choices = e->owner * sign;
    int64_t cap = w->cap, top_lo = -2 * cap, top_hi = -2 * cap, top_guess = -2 * cap;
    for (int choice = 0; choice < choices; choice++) {
        int64_t lo = 2 * cap, hi = 2 * cap, guess = 2 * cap;
        for (int reply = 0; reply < e->replies[choice]; reply++) {
            leaf seen = seen_by(sign, leaf_of(w, l, at, choice, reply));
            lo = least_of(lo, seen.lo);
            hi = least_of(hi, seen.hi);
            guess = least_of(guess, least_of(most_of(seen.guess, seen.lo), seen.hi));
        }
        top_lo = most_of(top_lo, lo);
        top_hi = most_of(top_hi, hi);
        top_guess = most_of(top_guess, guess);
    }
    int64_t want_lo = sign > 0 ? ask_lo : -ask_hi, want_hi = sign > 0 ? ask_hi : -ask_lo;
    int32_t pick = -1;
    if (top_lo < want_hi && top_hi > want_lo && top_hi - top_lo > below) {
        /* the most promising row for the first player, then the second player's best reply to it */
        want_lo = most_of(want_lo, top_lo);
        want_hi = most_of(want_hi, want_lo + 1);
        int64_t best = -4 * cap;
        for (int choice = 0; choice < choices; choice++) {
            int64_t hi = 2 * cap, worst = 4 * cap;
            int32_t place = -1;
            for (int reply = 0; reply < e->replies[choice]; reply++) {
                const leaf *is = leaf_of(w, l, at, choice, reply);
                leaf seen = seen_by(sign, is);
                int64_t guess = least_of(most_of(seen.guess, seen.lo), seen.hi);
                hi = least_of(hi, seen.hi);
                if ((int64_t)seen.hi - seen.lo > below && seen.lo < want_hi && guess < worst) {
                    worst = guess;
                    place = (int32_t)(is - l->leaves);
                }
            }
            if (place >= 0 && hi > want_lo && worst > best) {
                best = worst;
                pick = place;
            }
        }
    }
    if (sign > 0) return (weighed){pick, want_lo, want_hi, top_lo, top_hi, top_guess};
    return (weighed){pick, -want_hi, -want_lo, -top_hi, -top_lo, -top_guess};
}
