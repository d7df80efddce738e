/* Vectorised games of the board game: the engine's `choose`, applied to thousands of games at a time. */
#include "board_check.h"
#include "in_step.h"
#include "kernel.h"

/* A game in progress. By seat: the number of its actions, and the first of them. By seat and tile: 1 + the turn of
   this round in which it was played. */
typedef struct {
    uint64_t seed;
    State s;
    int16_t options[NL_BOARD_SEATS][1], counts[NL_BOARD_SEATS];
    uint8_t players, advanced, luck, refills, first_acts, n_rows; /* the settings of the game; the workspace must have
                                                                     the same */
    uint8_t played[NL_BOARD_SEATS][NL_BOARD_TILES];
} Game;
typedef nl_board Work;
typedef void Records;
typedef uint8_t Mind;
#define CALL(name) nl_board_games_##name
enum { HOT = offsetof(Game, played) };

#define SELF Game
static const nl_field FIELDS[] = {
    NL_OWN(seed, counts),
    NL_PART(s, rng, totals, round, turn, over, two, stops, owed_seat, owed, starting, luck_stacks, sum),
    NL_PART(s, n_queue, n_stock, n_deck, n_discards, length, end, queue_tile, queue_seat, stock, deck, discards),
    NL_PART(s.plan, skips, at_start),
    NL_GRIDS(options, played),
    NL_PART_GRIDS(s, hands, piles, actions, rows),
    NL_GRID_AS(luck_held, s.luck),
    NL_AS(asked, s.asked),
    NL_AS(plan_row, s.plan.row),
    NL_AS(plan_luck, s.plan.luck),
    NL_AS(n_plan_tiles, s.plan.n_tiles),
    NL_AS(plan_tiles, s.plan.tiles)};
NL_API int32_t nl_board_game_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Actions are numbered as in nimmt_lab/rl/actions.py: 0 waits, then come tiles by number, rows, and all other
   options, numbered afresh for each decision. */
enum { FIRST_ROW = 1 + TILES };
static inline int first_way(const Board *b) { return FIRST_ROW + b->n_rows; }
static inline int pairs_of(int n) { return n * (n - 1) / 2; }

/* The number of options: `ways` in encode.py. */
static int actions_of(const Board *b) {
    int draws = 0, hand = HAND;
    for (int row = 0; row < b->n_rows; row++)
        for (int slot = 0; slot < b->fields[row]; slot++)
            if (b->kind[row][slot] == TAKE_TILES || b->kind[row][slot] == DRAW_TILE) hand = TILES - ACTIVE_ROWS;
    int most = b->n_twos ? pairs_of(hand) : 0, uses = 1;
    if (b->luck) {
        uses += 1 + pairs_of(b->widest);
        draws = b->luck_cards[0] + b->luck_cards[1] + 1;
    }
    if (b->advanced) uses += 2 * hand + 3 * b->n_rows + 1;
    if (uses > most) most = uses;
    return first_way(b) + (draws > most ? draws : most);
}

static int acting(const Board *b) { return b->players; }
static int check_games(const Board *b) { return check_settings(b, 0); }
static int is_playable(const Board *b, const Game *g) {
    return g->players == b->players && g->advanced == b->advanced && g->luck == b->luck && g->refills == b->refills &&
           g->first_acts == b->first_acts && g->n_rows == b->n_rows;
}
#define is_readable is_playable

static inline int has_pairs(const State *s, int seat) { return s->two && size_of(s->hands[seat]) > 1; }

/* They were written in this file, or checked by is_sound. */
ALWAYS int count_of(const Board *b, const Game *g, int seat) { return (void)b, g->counts[seat]; }
static int option_of(const Board *b, const Game *g, int seat, int at) {
    const State *s = &g->s;
    if (!g->options[seat][0]) return 0;
    if (s->asked == ASK_TILES && !has_pairs(s, seat)) return nth(s->hands[seat], at);
    if (s->asked != ASK_ROW) return g->options[seat][0] + at;
    for (int row = 0; row < b->n_rows; row++)
        if (!s->length[row] && at-- == 0) return FIRST_ROW + row;
    return 0;
}

/* The index of a pair of tiles of a hand, and the pair at an index. */
static int rank_of(const uint64_t *hand, int code) {
    int size = size_of(hand), low = 0, high = 0;
    for (int tile = after(hand, 0); tile; tile = after(hand, tile)) {
        low += tile < (code & 255);
        high += tile < code >> 8;
    }
    return low * (2 * size - low - 1) / 2 + high - low - 1;
}
static int pair_at(const uint64_t *hand, int at) {
    int size = size_of(hand), first = 0;
    for (; at >= size - 1 - first; first++) at -= size - 1 - first;
    return nth(hand, first) | nth(hand, first + 1 + at) << 8;
}

/* Store everybody's decision. */
static void ask(const Board *b, Game *g) {
    const State *s = &g->s;
    for (int seat = 0; seat < b->players; seat++) {
        g->options[seat][0] = 0;
        g->counts[seat] = 1;
        if (s->asked != ASK_TILES || is_empty(s->hands[seat])) continue;
        const int size = size_of(s->hands[seat]), pairs = has_pairs(s, seat);
        g->options[seat][0] = (int16_t)(pairs ? first_way(b) : after(s->hands[seat], 0));
        g->counts[seat] = (int16_t)(pairs ? pairs_of(size) : size);
    }
    if (s->asked == ASK_TILES || s->over) return;
    const int seat = asked_seat(s);
    int count = 0, first = first_way(b);
    if (s->asked == ASK_CARDS) {
        int32_t uses[NL_BOARD_OPTIONS];
        count = list_uses(b, s, uses, NL_BOARD_OPTIONS);
    } else if (s->asked == ASK_LUCK) {
        count = most_fives(s) - fewest_fives(s) + 1;
    } else {
        for (int row = b->n_rows - 1; row >= 0; row--)
            if (!s->length[row]) count++, first = FIRST_ROW + row;
    }
    g->options[seat][0] = (int16_t)first;
    g->counts[seat] = (int16_t)(count < NL_BOARD_OPTIONS ? count : NL_BOARD_OPTIONS);
}

static void start_game(const Board *b, Game *g, uint64_t seed) {
    g->seed = seed;
    g->players = (uint8_t)b->players;
    g->advanced = (uint8_t)b->advanced;
    g->luck = (uint8_t)b->luck;
    g->refills = (uint8_t)b->refills;
    g->first_acts = (uint8_t)b->first_acts;
    g->n_rows = (uint8_t)b->n_rows;
    memset(g->played, 0, sizeof g->played);
    deal_round(b, &g->s, nl_stream(nl_key(seed), 0));
    ask(b, g);
}

/* The choice behind an action, numbered as in board.h; -1: it is illegal. */
static int choice_of(const Board *b, const Game *g, int seat, int action) {
    const State *s = &g->s;
    const int at = action - first_way(b);
    if (!g->options[seat][0]) return action ? -1 : 0;
    if (s->asked == ASK_TILES && !has_pairs(s, seat))
        return action >= 1 && action <= TILES && has(s->hands[seat], action) ? action : -1;
    if (s->asked == ASK_ROW) {
        const int row = action - FIRST_ROW;
        return row >= 0 && row < b->n_rows && !s->length[row] ? row : -1;
    }
    if (at < 0 || at >= g->counts[seat]) return -1;
    if (s->asked == ASK_TILES) return pair_at(s->hands[seat], at);
    if (s->asked == ASK_LUCK) return (most_fives(s) - at) | (s->owed - most_fives(s) + at) << 8;
    int32_t uses[NL_BOARD_OPTIONS];
    list_uses(b, s, uses, NL_BOARD_OPTIONS);
    return uses[at];
}

/* Answer one question, and say how that ended the game. Rewards are points or wins. */
static int step_game(const Board *b, Game *g, const int16_t *actions, float *rewards) {
    const int n = b->players, round = g->s.round;
    State *s = &g->s;
    int choices[NL_BOARD_SEATS], before[NL_BOARD_SEATS], wrong = 0;
    int64_t totals[NL_BOARD_SEATS] = {0};
    for (int seat = 0; seat < n; seat++) {
        choices[seat] = choice_of(b, g, seat, actions[seat]);
        before[seat] = s->totals[seat];
        if (choices[seat] >= 0) continue;
        rewards[seat] = ILLEGAL_REWARD;
        return IS_ILLEGAL;
    }
    if (s->asked == ASK_TILES) {
        for (int seat = 0; seat < n; seat++) {
            for (int code = choices[seat]; code; code >>= 8) g->played[seat][code & 127] = (uint8_t)(s->turn + 1);
            reveal(s, seat, choices[seat]);
        }
    } else {
        wrong = answer(b, s, choices[asked_seat(s)]);
    }
    if (wrong || go_on(b, s)) return IS_ILLEGAL; /* cannot happen: every option offered is possible */
    if (s->round != round) memset(g->played, 0, sizeof g->played);
    for (int seat = 0; seat < n; seat++) {
        totals[seat] = s->totals[seat];
        rewards[seat] = (float)(s->totals[seat] - before[seat]);
    }
    const int end = s->over ? IS_OVER : GOES_ON;
    if (b->wins) reward_wins(end, totals, n, 1, rewards);
    ask(b, g);
    return end;
}
#define stepper(b) ((void)(b), step_game)

/* Whether a stored game can be continued: its state is legal and matches the decision in the record. */
static int is_sound(const Board *b, const Game *g) {
    uint64_t seen[2] = {0, 0};
    if (!is_playable(b, g) || g->s.over) return 0;
    Game copy = *g;
    if (check_state(b, &copy.s, seen)) return 0;
    int wrong = 0;
    for (int row = 0; row < b->n_rows; row++)
        wrong |= copy.s.end[row] != g->s.end[row] || copy.s.sum[row] != g->s.sum[row];
    ask(b, &copy);
    for (int seat = 0; seat < b->players; seat++)
        wrong |= copy.counts[seat] != g->counts[seat] || copy.options[seat][0] != g->options[seat][0];
    return !wrong;
}

static int check_mind(const Board *b, const uint8_t *mind, int32_t room) {
    return (void)b, (void)mind, (void)room, NL_OK;
}

/* Choose by a policy, as in simulations; RANDOM also plays any card. */
static int16_t choose_action(Board *b, const Game *g, int seat, const uint8_t *mind) {
    const State *s = &g->s;
    const int policy = b->policies[seat], first = g->options[seat][0];
    (void)mind;
    if (policy == RANDOM && s->asked != ASK_ROW)
        return (int16_t)option_of(b, g, seat, (int)nl_below(&b->rng, (uint32_t)g->counts[seat]));
    if (s->asked == ASK_TILES) {
        const int code = choose_tiles(b, s, seat, policy, &b->rng);
        return (int16_t)(has_pairs(s, seat) ? first + rank_of(s->hands[seat], code) : code);
    }
    const int code = choose_other(b, s, seat, policy, &b->rng);
    if (s->asked == ASK_ROW) return (int16_t)(FIRST_ROW + code);
    if (s->asked == ASK_LUCK) return (int16_t)(first + most_fives(s) - (code & 255));
    int32_t uses[NL_BOARD_OPTIONS];
    list_uses(b, s, uses, NL_BOARD_OPTIONS);
    for (int at = 0; at < g->counts[seat]; at++)
        if (uses[at] == code) return (int16_t)(first + at);
    return (int16_t)first;
}

static Shape shape_of(const Board *b) {
    const int n = b->players, rows = b->n_rows;
    return (Shape){.players = n,
                   .seats = n,
                   .cards = TILES,
                   .rows = rows,
                   .places = b->widest - 1,
                   .piles = n,
                   .turns = b->refills ? 2 * HAND : HAND,
                   .beside = LUCK_KINDS * (n + 2) + 2 * ACTION_KINDS + 2 * n + 3 * rows + TILES + 4};
}

ALWAYS void tell(const Board *b, const Shape *shape, const Game *g, Facts *f, const int compact, int from, int to) {
    (void)from, (void)to;
    const State *s = &g->s;
    memset(f, 0, offsetof(Facts, plays));
    f->round = s->round;
    f->turn = s->turn;
    f->over = s->over;
    f->stock_size = s->n_stock;
    for (int row = 0; row < b->n_rows; row++) {
        f->rows[row] = s->rows[row];
        f->lengths[row] = s->length[row];
    }
    for (int seat = 0; seat < b->players; seat++) {
        memcpy(f->hands[seat], s->hands[seat], sizeof f->hands[seat]);
        f->held[seat] = size_of(s->hands[seat]);
        f->totals[seat] = s->totals[seat];
        memcpy(f->piles[seat], s->piles[seat], sizeof f->piles[seat]);
        for (int tile = after(s->piles[seat], 0); tile; tile = after(s->piles[seat], tile))
            f->heads[seat] += b->heads[tile];
        if (!g->options[seat][0]) continue;
        f->asks[seat] = s->asked == ASK_ROW                            ? ASKS_ROW
                        : s->asked == ASK_TILES && !has_pairs(s, seat) ? ASKS_CARD
                                                                       : ASKS_OTHER;
    }
    f->n_queue = s->n_queue;
    memcpy(f->queue, s->queue_tile, sizeof s->queue_tile);
    memcpy(f->queue_seats, s->queue_seat, sizeof s->queue_seat);
    for (int seat = 0; !compact && seat < b->players; seat++)
        for (int tile = 1; tile <= TILES; tile++)
            if (g->played[seat][tile]) note_play(f, shape, tile, seat, turn_number(shape, g->played[seat][tile] - 1));
    find_laid(f, shape);
}

/* The part of observations from encode.py: luck and action cards, markers, the plan for the next tile. */
ALWAYS void beside(const Board *b, const Game *g, int seat, int16_t *numbers, int16_t *over) {
    const State *s = &g->s;
    const int n = b->players;
    int at = 0;
#define ADD(number, whole) (numbers[at] = (int16_t)(number), over[at++] = (whole))
    for (int kind = 0; kind < LUCK_KINDS; kind++)
        for (int step = 0; step < n; step++) ADD(s->luck[(seat + step) % n][kind], 4);
    for (int kind = 0; kind < LUCK_KINDS; kind++) ADD(s->luck_stacks[kind], 8);
    for (int kind = 0; kind < ACTION_KINDS; kind++) ADD(s->actions[seat][kind], 4);
    for (int step = 0; step < n; step++) {
        int held = 0;
        for (int kind = 0; kind < ACTION_KINDS; kind++) held += s->actions[(seat + step) % n][kind];
        ADD(held, 4);
    }
    ADD(s->n_deck, 16);
    for (int kind = 0; kind < ACTION_KINDS; kind++) {
        int count = 0;
        for (int i = 0; i < s->n_discards; i++) count += s->discards[i] == kind;
        ADD(count, 4);
    }
    for (int row = 0; row < b->n_rows; row++) ADD(s->stops >> row & 1, 1);
    ADD(s->plan.skips, 1);
    for (int row = 0; row < b->n_rows; row++) ADD(s->plan.row == row, 1);
    ADD(s->plan.at_start, 1);
    for (int kind = 0; kind < LUCK_KINDS; kind++) ADD(s->plan.luck == kind, 1);
    for (int tile = 1; tile <= TILES; tile++)
        ADD((s->plan.n_tiles > 0 && s->plan.tiles[0] == tile) || (s->plan.n_tiles > 1 && s->plan.tiles[1] == tile), 1);
    for (int step = 0; step < n; step++) ADD(s->owed_seat == (seat + step) % n, 1);
    ADD(s->owed, 1);
    for (int row = 0; row < b->n_rows; row++) ADD(s->starting == row, 1);
#undef ADD
}

#include "in_step_calls.h"
