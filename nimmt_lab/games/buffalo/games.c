/* Vectorised games of Beat the Buffalo: the engine's `choose`, applied to thousands of games at a time. Records come from
   outside, so each is validated before it is played: invalid tables are refused. */
#include "games/buffalo/kernel.h"
#include "games/buffalo/team.h"
#include "in_step.h"

typedef nl_buffalo_game Game;
typedef nl_buffalo_game Records;
typedef nl_buffalo Work;
typedef uint8_t Mind;
#define CALL(name) nl_buffalo_games_##name
enum { HOT = sizeof(Game) };

/* Decisions; the numbers in between are those of other games. GAME_OVER: nobody has one, and a step reports the end
   again. */
enum { CARDS_ASKED, ROW_ASKED, GAME_OVER = 3, USE_ASKED, SWAP_ASKED };
/* How a card got to its place; 4 and 8 as in other games. */
enum { PLACED = 0, FULL_ROW = 4, LOW_CARD = 8, EMPTY_ROW = 16, INSERTED = 32, PUSHED = 64, SWAPPED = 128 };

#define SELF Game
static const nl_field FIELDS[] = {
    NL_OWN(seed, counts, players, between, takes_at, phase, asked, turn, end, sum, used, sizes),
    NL_OWN(logged, pile),
    NL_PART(table, heads, count, seven, stopped, n_empty, empty, n_up, up, n_deck, deck, n_queue, queue),
    NL_PART(table, seats, passed, swapping, held, n_cards, cards),
    NL_GRIDS(options, log, played),
    NL_PART_GRIDS(table, rows, hand),
    NL_AS(first_card, table.first),
    NL_AS(last_card, table.last),
    NL_AS(hand_size, hand),
    NL_AS(deck_size, deck)};
NL_API int32_t nl_buffalo_game_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Actions are numbered as in nimmt_lab/rl/actions.py: 0 waits, then come cards by number, rows, and the team's
   options, numbered afresh for each decision. */
static inline int first_row(const nl_buffalo *w) { return 1 + w->deck; }
static inline int first_way(const nl_buffalo *w) { return first_row(w) + BUFFALO_ROWS; }

/* The number of options: `ways` in encode.py. */
static inline int actions_of(const nl_buffalo *w) {
    const int n = w->players, rows = BUFFALO_ROWS;
    return first_way(w) + (IN_PLAY[n] ? 1 + 4 * rows + 5 * n + 7 * rows * (rows - 1) + orders(n + 1) : 0);
}

/* Count the uses of one kind of special card, in the order of effects.py. Use number `at`, if it exists, is written
   to `use`. */
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
    default: /* cards beside a row, and Insert */
        for (int row = 0; row < BUFFALO_ROWS; row++)
            if (is_legal(w, t, base + row) && count++ == at) *use = base + row;
        return count;
    }
}

/* Count all legal uses, in order (`legal_uses`), and find number `at`. */
static int all_uses(const nl_buffalo *w, const buffalo_table *t, int at, int *use) {
    int count = 1;
    if (!at) *use = PASS;
    for (int row = 0; row < BUFFALO_ROWS; row++)
        if ((t->stopped >> row & 1) && count++ == at) *use = LIFT + row;
    for (int i = 0; i < t->n_up; i++) {
        const int kind = t->up[i];
        /* Two special cards of the same kind have the same uses; R-B12. */
        if ((i && kind == t->up[0]) || !(t->n_queue || (w->between && kind <= STOP))) continue;
        count += uses_of(w, t, kind, at - count, use);
    }
    return count;
}

/* Everybody waits until somebody has a decision. */
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

/* The first cards of a row go to a pile, and its 7 takes! leaves the game. The team may look through its own pile. */
static inline void into_pile(Game *g, int side, const Rows *before, int row, int count) {
    g->sizes[side] = (uint8_t)(g->sizes[side] + count);
    for (int i = 0; !side && i < count; i++) g->pile[before->rows[row][i] - 1] = 1;
    if (before->seven >> row & 1) g->used[SEVEN_TAKES]++;
}

/* Place the next card; a player's low card takes row `given`. */
static inline void place(const nl_buffalo *w, Game *g, int given) {
    buffalo_table *t = &g->table;
    const int card = t->queue[0], seat = t->seats[0], fills = t->n_empty, low = row_for(t, card) < 0;
    const Rows before = rows_of(t);
    int heads, row, took = place_next(w, t, given, &heads, &row);
    if (took) into_pile(g, seat == w->players, &before, row, before.count[row]);
    note(g, seat, card, row, fills ? EMPTY_ROW : !took ? PLACED : low ? LOW_CARD : FULL_ROW, heads);
}

/* Apply the team's choice; return the heads it takes. */
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
        /* All but the last card, which may be the one just placed (R-B11). */
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

/* Continue until somebody has a decision; return whether the game is over before that (`go_on` in rules.py). */
static int go_on(const nl_buffalo *w, Game *g) {
    buffalo_table *t = &g->table;
    const int n = w->players;
    ask_nobody(w, g);
    for (;;) {
        if (is_over(w, t)) {
            g->phase = GAME_OVER;
            g->asked = NOBODY;
            return 1;
        }
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

/* Padding after the used places: 0 for cards, NOBODY for a seat, a row or a kind. */
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

static void start_game(const nl_buffalo *w, Game *g, uint64_t seed) {
    memset(g, 0, sizeof *g);
    g->seed = seed;
    g->players = (uint8_t)w->players;
    g->hand = (uint8_t)w->hand;
    g->deck = (uint8_t)w->deck;
    g->between = !!w->between;
    g->takes_at = (uint8_t)w->takes_at;
    deal(w, nl_stream(nl_key(g->seed), 0), &g->table);
    go_on(w, g);
    tidy(w, g);
}

/* Whether that is a legal action of the player now. */
static inline int may(const nl_buffalo *w, const Game *g, int seat, int action) {
    const buffalo_table *t = &g->table;
    int row = action - first_row(w);
    if (g->phase == CARDS_ASKED && t->held[seat]) return in_hand(t, seat, action);
    if (seat != g->asked) return !action;
    return g->phase == SWAP_ASKED ? in_hand(t, seat, action)
                                  : row >= 0 && row < BUFFALO_ROWS && (rows_to_take(t) >> row & 1);
}

/* The buffalo's heads minus the team's, as they count. */
static inline int standing(const nl_buffalo *w, const buffalo_table *t) { return t->heads[1] - counted(w, t); }

/* Answer one question, and say how that ended the game. Everybody gets the same reward. */
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
    tidy(w, g);
    return over ? IS_OVER : GOES_ON;
}

/* Whether a stored game can be continued; the workspace's settings have been checked. */
static int check_game(const nl_buffalo *w, const Game *g) {
    const buffalo_table *t = &g->table;
    const int n = w->players, phase = g->phase;
    if (g->players != n || g->hand != w->hand || g->deck != w->deck || g->between != !!w->between ||
        g->takes_at != w->takes_at || g->turn >= w->hand)
        return NL_BAD_CODE;
    int wrong = check_buffalo_table(w, t, 1);
    if (wrong) return wrong;
    switch (phase) {
    case CARDS_ASKED:
        return t->n_queue || t->swapping != NOBODY || is_over(w, t) || g->asked != NOBODY ? NL_BAD_CODE : NL_OK;
    case ROW_ASKED:
        return !t->n_queue || t->swapping != NOBODY || !is_low(t, n) || g->asked != t->seats[0] ? NL_BAD_CODE : NL_OK;
    case USE_ASKED: return t->swapping != NOBODY || g->asked != n ? NL_BAD_CODE : NL_OK;
    case SWAP_ASKED: return t->swapping == NOBODY || g->asked != t->swapping ? NL_BAD_CODE : NL_OK;
    case GAME_OVER: return !is_over(w, t) || g->asked != NOBODY ? NL_BAD_CODE : NL_OK;
    default: return NL_BAD_CODE;
    }
}

static int acting(const nl_buffalo *w) { return w->players + 1; }
#define check_games check_buffalo
#define is_playable(w, g) (check_game(w, g) == NL_OK)
#define is_sound(w, g) (is_playable(w, g) && is_readable(w, g) && (g)->phase != GAME_OVER)
#define stepper(w) ((void)(w), step_game)

/* The team's actions are not stored as a list. */
ALWAYS int count_of(const nl_buffalo *w, const Game *g, int seat) { return (void)w, g->counts[seat]; }
ALWAYS int option_of(const nl_buffalo *w, const Game *g, int seat, int at) {
    return seat < w->players ? g->options[seat][at] : g->options[seat][0] + at;
}

static int is_readable(const nl_buffalo *w, const Game *g) {
    const int n = w->players, width = actions_of(w);
    int wrong = g->players != n;
    for (int seat = 0; seat < n && !wrong; seat++) {
        wrong |= is_outside(g->counts[seat], 1, BUFFALO_HAND);
        for (int i = 0; i < BUFFALO_HAND; i++) wrong |= is_outside(g->options[seat][i], 0, width - 1);
    }
    return !wrong && g->options[n][0] >= 0 && g->counts[n] >= 1 && g->options[n][0] + g->counts[n] <= width;
}

static int check_mind(const nl_buffalo *w, const uint8_t *mind, int32_t room) {
    return (void)w, (void)mind, (void)room, NL_OK;
}

/* Choose by a policy, as in simulations; policies that don't weigh cards pass. */
static int16_t choose_action(nl_buffalo *w, const Game *g, int seat, const uint8_t *mind) {
    (void)mind;
    const buffalo_table *t = &g->table;
    const int policy = w->policies[seat], weighs = policy >= CLOSEST_SAFE;
    if (g->phase == CARDS_ASKED || (g->phase == SWAP_ASKED && !weighs))
        return (int16_t)choose_card(w, t, seat, &w->rng);
    if (g->phase == ROW_ASKED) return (int16_t)(first_row(w) + choose_row(w, t, w->lows[seat], &w->rng));
    if (g->phase == SWAP_ASKED) return (int16_t)swap_choice(w, t);
    if (weighs) {
        const int chosen = team_choice(w, t);
        for (int at = 0; at < g->counts[seat]; at++) {
            int use = PASS;
            all_uses(w, t, at, &use);
            if (use == chosen) return (int16_t)option_of(w, g, seat, at);
        }
    }
    return (int16_t)option_of(w, g, seat, policy == RANDOM ? (int)nl_below(&w->rng, (uint32_t)g->counts[seat]) : 0);
}

static Shape shape_of(const nl_buffalo *w) {
    const int n = w->players;
    return (Shape){.players = n,
                   .seats = n + 1,
                   .team = 1,
                   .cards = w->deck,
                   .rows = BUFFALO_ROWS,
                   .places = PLACES,
                   .piles = 2,
                   .turns = w->hand,
                   .beside = 2 + 2 * KINDS + 3 * BUFFALO_ROWS + 3 + n};
}

ALWAYS void tell(const nl_buffalo *w, const Shape *shape, const Game *g, Facts *f, const int compact, int from,
                 int to) {
    (void)from, (void)to;
    const int n = w->players;
    const buffalo_table *t = &g->table;
    memset(f, 0, offsetof(Facts, plays));
    f->turn = g->turn;
    f->over = g->phase == GAME_OVER;
    f->stock_size = w->deck - w->hand * (n + 1) - BUFFALO_ROWS;
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        f->rows[row] = t->rows[row];
        f->lengths[row] = t->count[row];
    }
    for (int seat = 0; seat < n; seat++) {
        add_all(f->hands[seat], t->hand[seat], t->held[seat]);
        f->held[seat] = t->held[seat];
        f->asks[seat] = g->phase == CARDS_ASKED && t->held[seat] ? ASKS_CARD : ASKS_NOTHING;
    }
    if (g->asked != NOBODY)
        f->asks[g->asked] = g->phase == ROW_ASKED ? ASKS_ROW : g->phase == SWAP_ASKED ? ASKS_CARD : ASKS_OTHER;
    for (int side = 0; side < 2; side++) f->heads[side] = t->heads[side];
    f->totals[0] = f->over ? counted(w, t) : 0;
    f->totals[1] = f->over ? t->heads[1] : 0;
    for (int card = 1; card <= w->deck; card++)
        if (g->pile[card - 1]) add_to(f->piles[0], card);
    f->n_queue = t->n_queue;
    memcpy(f->queue, t->queue, t->n_queue);
    memcpy(f->queue_seats, t->seats, t->n_queue);
    for (int turn = 0; !compact && turn < w->hand; turn++)
        for (int seat = 0; seat <= n; seat++)
            note_play(f, shape, g->played[turn][seat], seat, turn_number(shape, turn));
    find_laid(f, shape);
}

/* The part of observations from encode.py: the buffalo's cards, special cards, rows with a marker or without a card. */
ALWAYS void beside(const nl_buffalo *w, const Game *g, int seat, int16_t *numbers, int16_t *over) {
    const buffalo_table *t = &g->table;
    int at = 0;
    (void)seat;
#define ADD(number, whole) (numbers[at] = (int16_t)(number), over[at++] = (whole))
    ADD(t->n_cards, 10);
    for (int kind = 0; kind < KINDS; kind++) {
        int up = 0;
        for (int i = 0; i < t->n_up; i++) up += t->up[i] == kind;
        ADD(up, 2);
    }
    ADD(t->n_deck, 16);
    for (int kind = 0; kind < KINDS; kind++) ADD(g->used[kind], 2);
    for (int row = 0; row < BUFFALO_ROWS; row++) ADD(t->seven >> row & 1, 1);
    for (int row = 0; row < BUFFALO_ROWS; row++) ADD(t->stopped >> row & 1, 1);
    for (int row = 0; row < BUFFALO_ROWS; row++) {
        int place = 0;
        for (int i = 0; i < t->n_empty; i++)
            if (t->empty[i] == row) place = i + 1;
        ADD(place, BUFFALO_ROWS);
    }
    ADD(t->first, BUFFALO_CARDS);
    ADD(t->last, BUFFALO_CARDS);
    ADD(t->passed, 1);
    for (int other = 0; other < w->players; other++) ADD(t->swapping == other, 1);
#undef ADD
}

#include "in_step_calls.h"
