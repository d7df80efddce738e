/* Vectorised games of Bull Baron: the engine's `choose`, applied to thousands of games at a time. */
#include "games/baron/kernel.h"
#include "games/baron/turn.h"
#include "in_step.h"

/* NOBODY_ASKED: the game is over. If it was over as soon as it was dealt (R-O5), the next step reports that. */
enum { CARDS_ASKED, ROW_ASKED, NOBODY_ASKED = 3 };
enum { NOBODY = 255, MOST_GAMES = 1000000, MOST_IN_ROW = 30 };
/* Actions are numbered as in nimmt_lab/rl/actions.py: 0 waits, then come cards by number, then rows. */
enum { WAIT, FIRST_ROW = 1 + BARON_CARDS, ACTIONS = FIRST_ROW + BARON_ROWS };
/* More points than any game can have. */
#define MOST_POINTS ((int64_t)1 << 60)

typedef nl_baron_game Game;
typedef nl_baron_game Records;
typedef nl_baron Work;
typedef uint8_t Mind;
#define CALL(name) nl_baron_games_##name
enum { HOT = sizeof(Game) };

#define SELF Game
static const nl_field FIELDS[] = {NL_OWN(seed, rng, totals, round, turn, when, by, lies, counts, queue, seats, queued),
                                  NL_OWN(placed, players, dealt, variant, phase, asked, logged),
                                  NL_PART(t, lanes, end, count, bulls, taken, held, start, size),
                                  NL_GRIDS(log, rows, options), NL_PART_GRIDS(t, hand, pile)};
NL_API int32_t nl_baron_game_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

static int acting(const nl_baron *w) { return w->players; }
static int actions_of(const nl_baron *w) { return (void)w, ACTIONS; }

static int check_games(const nl_baron *w) {
    int wrong = check_baron(w);
    if (wrong) return wrong;
    if (w->games < 1 || w->games > MOST_GAMES) return NL_BAD_SIZE;
    return w->bulls[0] || w->lanes[0] || w->colours[0] ? NL_BAD_CODE : NL_OK;
}

/* The highest card of a set. */
static int highest(const uint8_t *cards, int count) {
    uint8_t most = 0;
    for (int i = 0; i < count; i++) most = cards[i] > most ? cards[i] : most;
    return most;
}

/* Whether a record belongs to the game described by the workspace, and its options are actions. */
static int is_readable(const nl_baron *w, const Game *g) {
    const int n = w->players;
    int wrong = g->players != n || g->dealt != w->dealt || g->variant != w->variant;
    for (int seat = 0; seat < n; seat++) wrong |= is_outside(g->counts[seat], 1, BARON_ROWS);
    return !wrong && highest((const uint8_t *)g->options, BARON_ROWS * n) < ACTIONS;
}

/* Whether no number in the record leads outside an array or overflows a sum. Empty places hold 0, a card without
   bulls (check_games). Checking everything is faster than stopping at the first error. */
static int is_sound(const nl_baron *w, const Game *g) {
    const int n = w->players;
    const baron_table *t = &g->t;
    int wrong = !is_readable(w, g);
    for (int row = 0; row < BARON_ROWS; row++) {
        wrong |= is_outside(t->end[row], 1, BARON_CARDS) | is_outside(t->count[row], 1, MOST_IN_ROW);
        wrong |= is_outside(t->bulls[row], 0, MOST_BULLS) | ((t->lanes[row] & ~LANES) != 0);
    }
    for (int seat = 0; seat < n; seat++) {
        wrong |= is_outside(t->held[seat], 0, BARON_HAND) | is_outside(t->size[seat], 0, BARON_PILE - BARON_SEATS);
        wrong |= is_outside(t->start[seat], 0, BARON_PILE - 1) | is_outside(t->taken[seat], 0, MOST_BULLS);
        wrong |= g->totals[seat] < -MOST_POINTS || g->totals[seat] > MOST_POINTS;
    }
    wrong |= highest((const uint8_t *)t->hand, BARON_HAND * n) > BARON_CARDS ||
             highest((const uint8_t *)t->pile, BARON_PILE * n) > BARON_CARDS;
    wrong |= is_outside(g->round, 0, w->games - 1) | is_outside(g->turn, 0, 1 << 30);
    wrong |= g->queued > n || g->placed > g->queued;
    if (wrong) return 0;
    if (g->phase == CARDS_ASKED) {
        /* A seat's options are the cards of its hand, in order. */
        for (int seat = 0; seat < n; seat++)
            if (t->held[seat] && g->counts[seat] != t->held[seat]) return 0;
        return 1;
    }
    if (g->phase == NOBODY_ASKED) return 1;
    if (g->phase != ROW_ASKED || g->placed == g->queued || g->seats[g->placed] != g->asked) return 0;
    for (int i = 0; i < g->queued; i++)
        if (no_card(g->queue[i]) || g->seats[i] >= n) return 0;
    for (int i = 0; i < g->counts[g->asked]; i++)
        if (g->options[g->asked][i] < FIRST_ROW) return 0;
    return 1;
}

#define is_playable is_sound
ALWAYS int count_of(const nl_baron *w, const Game *g, int seat) { return (void)w, g->counts[seat]; }
ALWAYS int option_of(const nl_baron *w, const Game *g, int seat, int at) { return (void)w, g->options[seat][at]; }

/* Nobody is asked anything. */
static void ask_nobody(Game *g, int n, int phase) {
    for (int seat = 0; seat < n; seat++) {
        g->counts[seat] = 1;
        g->options[seat][0] = WAIT;
    }
    g->asked = NOBODY;
    g->phase = (uint8_t)phase;
}

static void ask_row(Game *g, int n, int seat, int rows) {
    int count = 0;
    ask_nobody(g, n, ROW_ASKED);
    for (int row = 0; row < BARON_ROWS; row++)
        if (rows >> row & 1) g->options[seat][count++] = (uint8_t)(FIRST_ROW + row);
    g->counts[seat] = (uint8_t)count;
    g->asked = (uint8_t)seat;
}

static void ask_cards(Game *g, int n) {
    ask_nobody(g, n, CARDS_ASKED);
    for (int seat = 0; seat < n; seat++) {
        if (!g->t.held[seat]) continue;
        g->counts[seat] = (uint8_t)g->t.held[seat];
        memcpy(g->options[seat], g->t.hand[seat], BARON_HAND);
    }
}

static void start_round(const nl_baron *w, Game *g) {
    deal_round(w, &g->rng, &g->t);
    g->turn = g->queued = g->placed = 0;
    memset(g->when, 0, sizeof g->when);
    memset(g->by, 0, sizeof g->by);
    memset(g->lies, 0, sizeof g->lies);
    memset(g->rows, 0, sizeof g->rows);
    for (int row = 0; row < BARON_ROWS; row++) {
        g->rows[row][0] = (uint8_t)g->t.end[row];
        g->lies[g->t.end[row] & 127] = (uint8_t)(BARON_IN_ROW + row);
    }
}

/* Between turns: score finished rounds and deal the next one, which may be over at once (R-O5). Then ask everybody
   for a card. */
static int settle(const nl_baron *w, Game *g) {
    int32_t points[BARON_SEATS];
    while (is_over(w, &g->t)) {
        count_points(w, &g->t, points);
        for (int seat = 0; seat < w->players; seat++) g->totals[seat] += points[seat];
        if (g->round + 1 >= w->games) {
            ask_nobody(g, w->players, NOBODY_ASKED);
            return IS_OVER;
        }
        g->round++;
        start_round(w, g);
    }
    refill(w, &g->t);
    ask_cards(g, w->players);
    return GOES_ON;
}

static void start_game(const nl_baron *w, Game *g, uint64_t seed) {
    g->seed = seed;
    g->rng = nl_stream(nl_key(seed), 0);
    g->players = (uint8_t)w->players;
    g->dealt = (uint8_t)w->dealt;
    g->variant = (uint8_t)w->variant;
    g->round = 0;
    memset(g->totals, 0, sizeof g->totals);
    start_round(w, g);
    settle(w, g);
}

/* Add the next card of the turn to `row`, which it matches; -1: put it under its draw pile. */
static void lay_next(const nl_baron *w, Game *g, int rows, int row) {
    const int card = g->queue[g->placed], seat = g->seats[g->placed];
    const int before = row < 0 ? 0 : g->t.count[row];
    int32_t note[4];
    lay_card(w, &g->t, seat, card, rows, row, note);
    const int what = note[3] & 7;
    if (what == BARON_TUCKED) {
        g->lies[card] = (uint8_t)(BARON_UNDER + seat);
    } else {
        int place = before;
        if (what != BARON_PUT) {
            for (int i = 0; i < before; i++) g->lies[g->rows[row][i] & 127] = (uint8_t)(BARON_TAKEN + seat);
            memset(g->rows[row], 0, BARON_ROW);
            place = 0;
        }
        g->rows[row][place] = (uint8_t)card;
        g->lies[card] = (uint8_t)(BARON_IN_ROW + row);
    }
    int32_t *line = g->log[g->logged++];
    line[0] = seat;
    line[1] = card;
    line[2] = row;
    line[3] = what;
    line[4] = note[3] >> 4;
    g->placed++;
}

/* Place the remaining cards of the turn until somebody must choose a row, or the turn is over. */
static int go_on(const nl_baron *w, Game *g) {
    while (g->placed < g->queued) {
        int rows = matching(w, &g->t, g->queue[g->placed]), asked = rows_asked(w, rows);
        if (asked) {
            ask_row(g, w->players, g->seats[g->placed], asked);
            return GOES_ON;
        }
        lay_next(w, g, rows, lowest_row(rows));
    }
    g->queued = g->placed = 0;
    g->turn++;
    return settle(w, g);
}

/* Move the chosen cards from the hands to the queue, lowest first. */
static void reveal(Game *g, int n, const int *at) {
    int32_t queue[BARON_SEATS], seats[BARON_SEATS];
    int queued = 0;
    for (int seat = 0; seat < n; seat++) {
        if (!g->t.held[seat]) continue;
        const int card = g->t.hand[seat][at[seat]];
        queued = queue_card(queue, seats, queued, seat, card);
        play_from_hand(&g->t, seat, at[seat]);
        g->t.hand[seat][g->t.held[seat]] = 0;
        g->by[card] = (uint8_t)(seat + 1);
        g->when[card] = (int16_t)g->turn;
        g->lies[card] = BARON_TURNED_UP;
    }
    for (int i = 0; i < queued; i++) {
        g->queue[i] = (uint8_t)queue[i];
        g->seats[i] = (uint8_t)seats[i];
    }
    g->queued = (uint8_t)queued;
    g->placed = 0;
}

/* Answer one question, and say how that ended the game. */
static int step_game(const nl_baron *w, Game *g, const int16_t *actions, float *rewards) {
    const int n = w->players;
    int at[BARON_SEATS];
    g->logged = 0;
    for (int seat = 0; seat < n; seat++) {
        at[seat] = 0;
        while (at[seat] < g->counts[seat] && g->options[seat][at[seat]] != actions[seat]) at[seat]++;
        if (at[seat] == g->counts[seat]) {
            rewards[seat] = ILLEGAL_REWARD;
            return IS_ILLEGAL;
        }
    }
    if (g->phase == NOBODY_ASKED) return IS_OVER;
    int64_t before[BARON_SEATS];
    for (int seat = 0; seat < n; seat++) before[seat] = g->totals[seat] + g->t.taken[seat];
    if (g->phase == CARDS_ASKED) reveal(g, n, at);
    else lay_next(w, g, matching(w, &g->t, g->queue[g->placed]), actions[g->asked] - FIRST_ROW);
    int end = go_on(w, g);
    if (w->wins) {
        reward_wins(end, g->totals, n, w->variant == BULLS_ARE_GOOD, rewards);
        return end;
    }
    /* The final totals include the last takes and (variant 2) the leftover cards. */
    for (int seat = 0; seat < n; seat++) {
        int64_t more = g->totals[seat] + (end ? 0 : g->t.taken[seat]) - before[seat];
        rewards[seat] = (float)(w->variant == BULLS_ARE_GOOD ? more : -more);
    }
    return end;
}

#define stepper(w) ((void)(w), step_game)

static int check_mind(const nl_baron *w, const uint8_t *mind, int32_t room) {
    return (void)w, (void)mind, (void)room, NL_OK;
}

/* Choose by a policy, as in simulations. */
static int16_t choose_action(nl_baron *w, const Game *g, int seat, const uint8_t *mind) {
    (void)mind;
    const baron_table *t = &g->t;
    if (g->phase == CARDS_ASKED)
        return t->hand[seat][choose_card(w, t, w->policies[seat], t->hand[seat], t->held[seat], &w->rng)];
    const int card = g->queue[g->placed], rows = matching(w, t, card);
    return (int16_t)(FIRST_ROW + choose_row(w, t, w->lows[seat], card, rows_asked(w, rows), rows != 0, &w->rng));
}

static Shape shape_of(const nl_baron *w) {
    const int n = w->players;
    return (Shape){.players = n,
                   .seats = n,
                   .cards = BARON_CARDS,
                   .rows = BARON_ROWS,
                   .places = 5,
                   .piles = n,
                   .turns = w->dealt,
                   .beside = n};
}

ALWAYS void tell(const nl_baron *w, const Shape *shape, const Game *g, Facts *f, const int compact, int from, int to) {
    (void)from, (void)to;
    const int n = w->players;
    const baron_table *t = &g->t;
    memset(f, 0, offsetof(Facts, plays));
    f->over = g->phase == NOBODY_ASKED;
    f->round = g->round;
    f->turn = g->turn;
    f->stock_size = BARON_CARDS - n * w->dealt - BARON_ROWS;
    for (int row = 0; row < BARON_ROWS; row++) {
        f->rows[row] = g->rows[row];
        f->lengths[row] = t->count[row];
    }
    for (int seat = 0; seat < n; seat++) {
        add_all(f->hands[seat], t->hand[seat], t->held[seat]);
        f->held[seat] = t->held[seat];
        f->heads[seat] = t->taken[seat];
        f->totals[seat] = g->totals[seat];
        f->asks[seat] = g->phase == CARDS_ASKED && t->held[seat] ? ASKS_CARD : ASKS_NOTHING;
    }
    if (g->phase == ROW_ASKED) f->asks[g->asked] = ASKS_ROW;
    for (int i = g->placed; i < g->queued; i++) {
        f->queue[f->n_queue] = g->queue[i];
        f->queue_seats[f->n_queue++] = g->seats[i];
    }
    for (int card = 1; card <= BARON_CARDS; card++) {
        if (g->lies[card] >= BARON_TAKEN && g->lies[card] < BARON_TAKEN + n)
            add_to(f->piles[g->lies[card] - BARON_TAKEN], card);
        if (!compact && g->by[card]) note_play(f, shape, card, g->by[card] - 1, turn_number(shape, g->when[card]));
    }
    find_laid(f, shape);
}

/* The sizes of the draw piles. */
ALWAYS void beside(const nl_baron *w, const Game *g, int seat, int16_t *numbers, int16_t *over) {
    for (int step = 0; step < w->players; step++) {
        numbers[step] = (int16_t)g->t.size[(seat + step) % w->players];
        over[step] = 24;
    }
}

#include "in_step_calls.h"
