/* Games of Beat the Buffalo in step: what the engine's `choose` does, to thousands of games at a time. Records come from
   outside, so each is looked at before it is played on: what is no table is refused. */
#include "games/buffalo/check.h"
#include "games/buffalo/kernel.h"
#include "in_step.h"

typedef nl_buffalo_game Game;

/* What is asked; the numbers between are what other games ask. */
enum { CARDS_ASKED, ROW_ASKED, USE_ASKED = 4, SWAP_ASKED };
/* How a card came to lie where it does; 4 and 8 as in other games. */
enum { PLACED = 0, FULL_ROW = 4, LOW_CARD = 8, EMPTY_ROW = 16, INSERTED = 32, PUSHED = 64, SWAPPED = 128 };

NL_API int32_t nl_buffalo_game_size(void) { return (int32_t)sizeof(Game); }

/* Actions as nimmt_lab/rl/actions.py numbers them: 0 waits, then cards by number, rows, and what the team may do, which is
   numbered anew at each question. */
static inline int first_row(const nl_buffalo *w) { return 1 + w->deck; }
static inline int first_way(const nl_buffalo *w) { return first_row(w) + BUFFALO_ROWS; }

/* How many there are: `ways` in encode.py. */
static inline int actions_of(const nl_buffalo *w) {
    const int n = w->players, rows = BUFFALO_ROWS;
    return first_way(w) + (IN_PLAY[n] ? 1 + 4 * rows + 5 * n + 7 * rows * (rows - 1) + orders(n + 1) : 0);
}

/* The uses of one kind of special card in the order in which effects.py lists them: how many there are. Number `at`, if
   there is one, is put into `use`. */
static inline int uses_of(const nl_buffalo *w, const buffalo_table *t, int kind, int at, int *use) {
    const int base = USES * (2 + kind);
    int count = 0;
    switch (kind) {
    case SWAP:
        for (int seat = 0; seat < w->players; seat++)
            if (is_legal(w, t, base + seat) && count++ == at) *use = base + seat;
        return count;
    case PUSH: {
        int open[BUFFALO_ROWS], rows = 0, cards = 0;
        for (int row = 0; row < BUFFALO_ROWS; row++) {
            if (t->stopped >> row & 1) continue;
            open[rows++] = row;
            cards += t->count[row];
        }
        if (rows < 2) return 0;
        if (at >= 0 && at < cards * (rows - 1)) {
            int card = at / (rows - 1), target = at % (rows - 1), place = 0;
            while (card >= t->count[open[place]]) card -= t->count[open[place++]];
            *use = base + 4 * t->rows[open[place]][card] + open[target + (target >= place)];
        }
        return cards * (rows - 1);
    }
    case FIRST:
    case LAST:
        for (int second = 0; second < 2; second++)
            for (int i = 0; i < t->n_queue; i++) {
                int one = base + 2 * t->seats[i] + second;
                if (is_legal(w, t, one) && count++ == at) *use = one;
            }
        return count;
    case SORT:
        count = orders(t->n_queue);
        if (at >= 0 && at < count) *use = base + at;
        return count;
    default: /* what lies at a row, and Insert */
        for (int row = 0; row < BUFFALO_ROWS; row++)
            if (is_legal(w, t, base + row) && count++ == at) *use = base + row;
        return count;
    }
}

/* All that the team may do now, in order (`legal_uses`): how many, and number `at` of it. */
static int all_uses(const nl_buffalo *w, const buffalo_table *t, int at, int *use) {
    int count = 1;
    if (!at) *use = PASS;
    for (int row = 0; row < BUFFALO_ROWS; row++)
        if ((t->stopped >> row & 1) && count++ == at) *use = LIFT + row;
    for (int i = 0; i < t->n_up; i++) {
        const int kind = t->up[i];
        /* Two special cards of a kind have the same uses; R-B12. */
        if ((i && kind == t->up[0]) || !(t->n_queue || (w->between && kind <= STOP))) continue;
        count += uses_of(w, t, kind, at - count, use);
    }
    return count;
}

/* Everybody waits, until somebody is asked. */
static inline void ask_nobody(const nl_buffalo *w, Game *g) {
    for (int seat = 0; seat <= w->players; seat++) {
        g->counts[seat] = 1;
        g->options[seat][0] = 0;
    }
}

static inline void ask_hand(Game *g, int seat) {
    const buffalo_table *t = &g->table;
    g->counts[seat] = t->held[seat];
    for (int i = 0; i < t->held[seat]; i++) g->options[seat][i] = t->hand[seat][i];
}

static inline void ask_row(const nl_buffalo *w, Game *g, int seat) {
    int rows = rows_to_take(&g->table), count = 0;
    for (int row = 0; row < BUFFALO_ROWS; row++)
        if (rows >> row & 1) g->options[seat][count++] = (int16_t)(first_row(w) + row);
    g->counts[seat] = (int16_t)count;
}

static inline void note(Game *g, int seat, int card, int row, int how, int heads) {
    if (g->logged >= BUFFALO_LOG) return;
    uint8_t *line = g->log[g->logged++];
    line[0] = (uint8_t)seat;
    line[1] = (uint8_t)card;
    line[2] = (uint8_t)row;
    line[3] = (uint8_t)how;
    line[4] = (uint8_t)heads;
}

/* The rows before a card takes one. */
typedef struct {
    uint8_t rows[BUFFALO_ROWS][8], count[BUFFALO_ROWS], seven;
} Rows;

static inline Rows rows_of(const buffalo_table *t) {
    Rows found;
    memcpy(found.rows, t->rows, sizeof found.rows);
    memcpy(found.count, t->count, sizeof found.count);
    found.seven = t->seven;
    return found;
}

/* The first cards of a row go to a pile, and its 7 takes! leaves the game; the team may look through its own pile. */
static inline void into_pile(Game *g, int side, const Rows *before, int row, int count) {
    g->sizes[side] = (uint8_t)(g->sizes[side] + count);
    for (int i = 0; !side && i < count; i++) g->pile[before->rows[row][i] - 1] = 1;
    if (before->seven >> row & 1) g->used[SEVEN_TAKES]++;
}

/* Place the next card; a player's low card takes `given`. */
static inline void place(const nl_buffalo *w, Game *g, int given) {
    buffalo_table *t = &g->table;
    const int card = t->queue[0], seat = t->seats[0], fills = t->n_empty, low = row_for(t, card) < 0;
    const Rows before = rows_of(t);
    int heads, row, took = place_next(w, t, given, &heads, &row);
    if (took) into_pile(g, seat == w->players, &before, row, before.count[row]);
    note(g, seat, card, row, fills ? EMPTY_ROW : !took ? PLACED : low ? LOW_CARD : FULL_ROW, heads);
}

/* What the team chose, and what it took by that. */
static inline void use_special(const nl_buffalo *w, Game *g, int use) {
    buffalo_table *t = &g->table;
    const int kind = use / USES - 2, row = use % USES & 3, card = kind == PUSH ? use % USES / 4 : t->queue[0];
    const int seat = kind == PUSH ? NOBODY : t->seats[0];
    Rows before = rows_of(t);
    int heads = carry_out(w, t, use);
    if (use / USES == 1) g->used[STOP]++;
    if (kind > STOP) g->used[kind]++;
    if (kind != PUSH && kind != INSERT) return;
    if (heads >= 0) {
        /* All but the last, which may be the card itself (R-B11). */
        uint8_t *last = &before.rows[row][before.count[row] - 1];
        if (card < *last) *last = (uint8_t)card;
        into_pile(g, 0, &before, row, before.count[row]);
    }
    note(g, seat, card, row, kind == PUSH ? PUSHED : INSERTED, heads > 0 ? heads : 0);
}

static inline void swap(Game *g, int card) {
    note(g, g->table.swapping, card, NOBODY, SWAPPED, 0);
    swap_in(&g->table, card);
}

static inline void show_cards(const nl_buffalo *w, Game *g, const int16_t *actions) {
    int32_t plays[8] = {0};
    for (int seat = 0; seat < w->players; seat++) plays[seat] = actions[seat];
    reveal(w, &g->table, plays);
    for (int i = 0; i < g->table.n_queue; i++) g->played[g->turn][g->table.seats[i]] = g->table.queue[i];
}

/* Go on until somebody is asked: whether the game is over before that (`go_on` in rules.py). */
static int go_on(const nl_buffalo *w, Game *g) {
    buffalo_table *t = &g->table;
    const int n = w->players;
    ask_nobody(w, g);
    for (;;) {
        if (is_over(w, t)) return 1;
        if (t->swapping != NOBODY) {
            if (t->held[t->swapping] > 1) {
                g->phase = SWAP_ASKED;
                g->asked = t->swapping;
                ask_hand(g, t->swapping);
                return 0;
            }
            swap(g, t->hand[t->swapping][0]);
        }
        int unused, uses = t->passed ? 1 : all_uses(w, t, -1, &unused);
        if (uses > 1) {
            g->phase = USE_ASKED;
            g->asked = (uint8_t)n;
            g->options[n][0] = (int16_t)first_way(w);
            g->counts[n] = (int16_t)uses;
            return 0;
        }
        if (!t->n_queue) {
            int most = 0;
            g->phase = CARDS_ASKED;
            g->asked = NOBODY;
            for (int seat = 0; seat < n; seat++) {
                if (t->held[seat]) ask_hand(g, seat);
                most = t->held[seat] > most ? t->held[seat] : most;
            }
            g->turn = (uint8_t)(w->hand - most);
            return 0;
        }
        if (is_low(t, n)) {
            g->phase = ROW_ASKED;
            g->asked = t->seats[0];
            ask_row(w, g, t->seats[0]);
            return 0;
        }
        place(w, g, -1);
    }
}

/* Behind what is there: 0 where a card is missing, NOBODY for a seat, a row or a kind. */
static inline void tidy(const nl_buffalo *w, Game *g) {
    buffalo_table *t = &g->table;
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        uint64_t cards;
        memcpy(&cards, t->rows[row], 8);
        cards &= (1ull << 8 * t->count[row]) - 1;
        memcpy(t->rows[row], &cards, 8);
        g->end[row] = (uint8_t)(t->count[row] ? end_of(t, row) : 0);
        g->sum[row] = (uint8_t)heads_of(w, t, row);
    }
    for (int i = t->n_queue; i < 8; i++) {
        t->queue[i] = 0;
        t->seats[i] = NOBODY;
    }
    for (int i = t->n_empty; i < BUFFALO_ROWS; i++) t->empty[i] = NOBODY;
    for (int i = t->n_up; i < 2; i++) t->up[i] = NOBODY;
}

/* The game of the next seed. */
static void start_game(nl_buffalo *w, Game *g) {
    memset(g, 0, sizeof *g);
    g->seed = w->first++;
    g->players = (uint8_t)w->players;
    g->hand = (uint8_t)w->hand;
    g->deck = (uint8_t)w->deck;
    g->between = !!w->between;
    g->takes_at = (uint8_t)w->takes_at;
    deal(w, nl_stream(nl_key(g->seed), 0), &g->table);
    go_on(w, g);
    tidy(w, g);
}

static inline int in_hand(const buffalo_table *t, int seat, int card) {
    int found = 0;
    for (int i = 0; i < t->held[seat]; i++) found |= t->hand[seat][i] == card;
    return found;
}

/* Whether a player may do that now. */
static inline int may(const nl_buffalo *w, const Game *g, int seat, int action) {
    const buffalo_table *t = &g->table;
    int row = action - first_row(w);
    if (g->phase == CARDS_ASKED && t->held[seat]) return in_hand(t, seat, action);
    if (seat != g->asked) return !action;
    return g->phase == SWAP_ASKED ? in_hand(t, seat, action)
                                  : row >= 0 && row < BUFFALO_ROWS && (rows_to_take(t) >> row & 1);
}

/* What the buffalo has more than what counts of the team's. */
static inline int standing(const nl_buffalo *w, const buffalo_table *t) { return t->heads[1] - counted(w, t); }

/* One question answered, and how that ended the game. Rewards are the same for all. */
static int step_game(const nl_buffalo *w, Game *g, const int16_t *actions, float *rewards) {
    const int n = w->players, before = standing(w, &g->table);
    int use = -1;
    for (int seat = 0; seat <= n; seat++) rewards[seat] = 0;
    for (int seat = 0; seat < n; seat++)
        if (!may(w, g, seat, actions[seat])) {
            rewards[seat] = ILLEGAL_REWARD;
            return IS_ILLEGAL;
        }
    if (g->phase == USE_ASKED) all_uses(w, &g->table, actions[n] - first_way(w), &use);
    else if (!actions[n]) use = PASS;
    if (use < 0) {
        rewards[n] = ILLEGAL_REWARD;
        return IS_ILLEGAL;
    }
    g->logged = 0;
    if (g->phase == CARDS_ASKED) show_cards(w, g, actions);
    if (g->phase == ROW_ASKED) place(w, g, actions[g->asked] - first_row(w));
    if (g->phase == USE_ASKED) use_special(w, g, use);
    if (g->phase == SWAP_ASKED) swap(g, actions[g->asked]);
    int over = go_on(w, g), after = standing(w, &g->table);
    float given = (float)(w->wins ? over && after > 0 : after - before);
    for (int seat = 0; seat <= n; seat++) rewards[seat] = given;
    if (!over) tidy(w, g);
    return over ? IS_OVER : GOES_ON;
}

/* Whether that is a game which can be played on; the workspace's settings are right. */
static int check_game(const nl_buffalo *w, const Game *g) {
    const buffalo_table *t = &g->table;
    const int n = w->players, phase = g->phase;
    if (g->players != n || g->hand != w->hand || g->deck != w->deck || g->between != !!w->between ||
        g->takes_at != w->takes_at || g->turn >= w->hand)
        return NL_BAD_CODE;
    int wrong = check_buffalo_table(w, t, 1);
    if (wrong) return wrong;
    switch (phase) {
    case CARDS_ASKED: return t->n_queue || t->swapping != NOBODY || is_over(w, t) ? NL_BAD_CODE : NL_OK;
    case ROW_ASKED:
        return !t->n_queue || t->swapping != NOBODY || !is_low(t, n) || g->asked != t->seats[0] ? NL_BAD_CODE : NL_OK;
    case USE_ASKED: return t->swapping != NOBODY || g->asked != n ? NL_BAD_CODE : NL_OK;
    case SWAP_ASKED: return t->swapping == NOBODY || g->asked != t->swapping ? NL_BAD_CODE : NL_OK;
    default: return NL_BAD_CODE;
    }
}

/* How many actions a seat has, as far as there is room for them: 0, if the record says otherwise. The team's are in no list. */
static inline int count_of(const nl_buffalo *w, const Game *g, int seat) {
    return seat < w->players && g->counts[seat] > BUFFALO_HAND ? 0 : g->counts[seat];
}
static inline int option(const nl_buffalo *w, const Game *g, int seat, int at) {
    return seat < w->players ? g->options[seat][at] : g->options[seat][0] + at;
}

/* How many games there are room for, or a refusal. */
static int check_games(const nl_buffalo *w, int32_t size) {
    int wrong = check_buffalo(w);
    return wrong ? wrong : size < 0 ? NL_BAD_SIZE : size / (int32_t)sizeof(Game);
}

NL_API int32_t nl_buffalo_games_start(nl_buffalo *w, nl_buffalo_game *games, int32_t size) {
    int count = check_games(w, size);
    for (int i = 0; i < count; i++) start_game(w, games + i);
    return count < 0 ? count : NL_OK;
}

NL_API int32_t nl_buffalo_games_step(nl_buffalo *w, nl_buffalo_game *games, int32_t size, const int16_t *actions,
                                     int32_t bytes, float *rewards, int32_t words, uint8_t *ends, int32_t count) {
    const int number = check_games(w, size);
    if (number < 0) return number;
    const int seats = w->players + 1;
    if (!has_actions(number, seats, bytes) || !has_rewards(number, seats, words, count)) return NL_TOO_SMALL;
    for (int i = 0; i < number; i++, actions += seats, rewards += seats) {
        if (i + AHEAD < number) fetch(games + i + AHEAD, sizeof(Game));
        int wrong = check_game(w, games + i);
        if (wrong) return wrong;
        int16_t chosen[BUFFALO_SEATS];
        read_actions(actions, seats, chosen);
        int end = step_game(w, games + i, chosen, rewards);
        ends[i] = (uint8_t)end;
        if (end) start_game(w, games + i);
    }
    return NL_OK;
}

NL_API int32_t nl_buffalo_games_sample(nl_buffalo *w, const nl_buffalo_game *games, int32_t size, int16_t *actions,
                                       int32_t bytes) {
    const int number = check_games(w, size), n = w->players;
    if (number < 0) return number;
    if (!has_actions(number, n + 1, bytes)) return NL_TOO_SMALL;
    for (int i = 0; i < number; i++) {
        const Game *g = games + i;
        if (i + AHEAD < number) fetch(g + AHEAD, sizeof(Game));
        if (g->players != n) return NL_BAD_CODE;
        for (int seat = 0; seat <= n; seat++) {
            const int count = count_of(w, g, seat);
            if (count < 1) return NL_BAD_CODE;
            *actions++ = (int16_t)option(w, g, seat, count > 1 ? (int)nl_below(&w->rng, (uint32_t)count) : 0);
        }
    }
    return NL_OK;
}

NL_API int32_t nl_buffalo_games_masks(const nl_buffalo *w, const nl_buffalo_game *games, int32_t size, uint8_t *masks,
                                      int32_t bytes) {
    const int number = check_games(w, size), n = w->players;
    if (number < 0) return number;
    const int width = actions_of(w);
    if (bytes / width / (n + 1) < number) return NL_TOO_SMALL;
    memset(masks, 0, (size_t)number * (size_t)(n + 1) * (size_t)width);
    for (int i = 0; i < number; i++) {
        const Game *g = games + i;
        if (g->players != n) return NL_BAD_CODE;
        for (int seat = 0; seat <= n; seat++, masks += width) {
            const int count = count_of(w, g, seat);
            if (count < 1) return NL_BAD_CODE;
            for (int at = 0; at < count; at++) {
                int action = option(w, g, seat, at);
                if (action < 0 || action >= width) return NL_BAD_CODE;
                masks[action] = 1;
            }
        }
    }
    return NL_OK;
}
