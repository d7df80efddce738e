/* Many games in step: what the engine's `choose` does, to thousands of games at a time. */
#include "family.h"
#include "in_step.h"

enum { CARDS_ASKED, ROW_ASKED, PICK_ASKED };
enum { MOST_SEATS = 10, MOST_HAND = 10, MOST_OPTIONS = 2 * MOST_HAND, MOST_STOCK = 64 };

/* What one seat has: its hand, and (the first `count` of them) its options; of a pick they are the stock. */
typedef struct {
    uint8_t hand[HELD], options[MOST_OPTIONS], count, spare;
} Seat;

/* A game in progress; kernel.py lists the same fields in the same order. What a turn works with lies together: thousands of
   games do not fit into a cache. */
typedef struct {
    uint64_t seed, rng;
    int32_t round, totals[MOST_SEATS];
    Table t;
    int16_t taken[MOST_SEATS];
    int16_t order[MOST_SEATS];                 /* the turn's cards in the order of placing, as place_in_order has it */
    uint8_t log[MOST_SEATS][5], logged;        /* placings of the last step: seat, card, row, how, heads taken */
    uint8_t players, hand, deck, flags, draft; /* what is played: the workspace must say the same */
    uint8_t phase, turn, asked, queued, placed;
    Seat seats[MOST_SEATS];
    uint8_t played[MOST_HAND][MOST_SEATS]; /* by turn and seat; 128 more: with the twister */
    uint8_t starts[ROWS], stock_size, stock[MOST_STOCK];
} Game;

NL_API int32_t nl_classic_game_size(void) { return (int32_t)sizeof(Game); }

/* Actions as nimmt_lab/rl/actions.py numbers them: 0 waits, then cards by number, rows, cards with the twister. */
ALWAYS int row_action(int deck, int row) { return deck + 1 + row; }
ALWAYS int turned_action(int deck, int card) { return deck + ROWS + card; }
static int actions_of(const nl_work *w) { return 1 + w->deck + ROWS + (w->flags & NUMBER_TWISTER ? w->deck : 0); }

static int check_games(const nl_work *w, int32_t size, int *count) {
    int wrong = check_settings(w, POLICIES);
    if (wrong) return wrong;
    if (w->draft && w->deck > MOST_STOCK) return NL_BAD_SIZE;
    if (w->draft && (w->first_seat < 0 || w->first_seat >= w->players)) return NL_BAD_CODE;
    if (size < 0) return NL_BAD_SIZE;
    *count = size / (int32_t)sizeof(Game);
    return NL_OK;
}

static int is_same(const nl_work *w, const Game *g) {
    return g->players == w->players && g->hand == w->hand && g->deck == w->deck && g->flags == w->flags &&
           g->draft == !!w->draft;
}

/* What a turn works with: the draft's cards are behind it. */
enum { HOT = offsetof(Game, starts) };

/* The actions that a seat has: of a pick they are the stock. */
ALWAYS const uint8_t *options_of(const Game *g, int seat) {
    return g->phase == PICK_ASKED && seat == g->asked ? g->stock : g->seats[seat].options;
}

/* Nobody is asked anything but `seat`. */
ALWAYS void ask_one(Game *g, int n, int seat, int phase, int count) {
    for (int other = 0; other < n; other++) {
        g->seats[other].count = 1;
        g->seats[other].options[0] = 0;
    }
    g->seats[seat].count = (uint8_t)count;
    g->asked = (uint8_t)seat;
    g->phase = (uint8_t)phase;
}

ALWAYS void ask_row(Game *g, int n, int seat) {
    ask_one(g, n, seat, ROW_ASKED, ROWS);
    for (int row = 0; row < ROWS; row++) g->seats[seat].options[row] = (uint8_t)row_action(g->deck, row);
}

ALWAYS void ask_cards(const int flags, Game *g, int n) {
    const int left = g->hand - g->turn;
    g->phase = CARDS_ASKED;
    g->asked = NL_SEATS;
    for (int seat = 0; seat < n; seat++) {
        int count = left;
        memcpy(g->seats[seat].options, g->seats[seat].hand, MOST_HAND);
        if ((flags & NUMBER_TWISTER) && g->seats[seat].spare)
            for (int i = 0; i < left; i++)
                if (twistable(flags, g->seats[seat].hand[i]))
                    g->seats[seat].options[count++] = (uint8_t)turned_action(g->deck, g->seats[seat].hand[i]);
        g->seats[seat].count = (uint8_t)count;
    }
}

/* R-A1: picks go round from the seat whose turn it is to pick first. */
ALWAYS void ask_pick(const nl_work *w, Game *g, int n) {
    int picks = g->deck - g->stock_size;
    int seat = (int)(((int64_t)w->first_seat + g->round + picks) % n);
    ask_one(g, n, seat, PICK_ASKED, g->stock_size);
}

ALWAYS void begin_turns(const int flags, const nl_work *w, Game *g, uint8_t *first) {
    start_rows(flags, w, first, &g->t);
    memcpy(g->starts, first, ROWS);
    ask_cards(flags, g, w->players);
}

ALWAYS void start_round(const int flags, const nl_work *w, Game *g) {
    const int n = w->players, hand = w->hand, deck = w->deck;
    g->turn = g->queued = g->placed = 0;
    memset(g->played, 0, sizeof g->played);
    memset(g->t.rows, 0, sizeof g->t.rows);
    for (int seat = 0; seat < n; seat++) {
        g->taken[seat] = 0;
        memset(g->seats[seat].hand, 0, HELD);
        if (!w->once || !g->round) g->seats[seat].spare = (flags & NUMBER_TWISTER) != 0;
    }
    if (w->draft) {
        for (int i = 0; i < deck; i++) g->stock[i] = (uint8_t)(i + 1);
        g->stock_size = (uint8_t)deck;
        memset(g->starts, 0, ROWS);
        for (int row = 0; row < ROWS; row++) g->t.end[row] = g->t.count[row] = g->t.sum[row] = 0;
        for (int i = 0; i < 4; i++) {
            g->t.mark[i] = -1;
            g->t.shows[i] = 0;
        }
        ask_pick(w, g, n);
        return;
    }
    uint8_t cards[NL_CARDS];
    for (int i = 0; i < deck; i++) cards[i] = (uint8_t)(i + 1);
    nl_shuffle(&g->rng, cards, deck, n * hand + ROWS);
    for (int seat = 0; seat < n; seat++) { sort_hand(cards + seat * hand, hand, g->seats[seat].hand); }
    begin_turns(flags, w, g, cards + n * hand);
}

/* The game of the next seed. */
ALWAYS void start_game(const int flags, nl_work *w, Game *g) {
    g->seed = w->first++;
    g->rng = nl_stream(nl_key(g->seed), 0);
    g->players = (uint8_t)w->players;
    g->hand = (uint8_t)w->hand;
    g->deck = (uint8_t)w->deck;
    g->flags = (uint8_t)w->flags;
    g->draft = !!w->draft;
    g->round = 0;
    for (int seat = 0; seat < MOST_SEATS; seat++) g->totals[seat] = 0;
    start_round(flags, w, g);
}

/* A placing, for whoever compares or watches, and what it cost. */
ALWAYS void note(Game *g, int seat, int card, int code, float *rewards) {
    int heads = code >> 8;
    uint8_t *line = g->log[g->logged++];
    line[0] = (uint8_t)seat;
    line[1] = (uint8_t)card;
    line[2] = (uint8_t)(code & 3);
    line[3] = (uint8_t)(code & 0xfc);
    line[4] = (uint8_t)heads;
    g->taken[seat] = (int16_t)(g->taken[seat] + heads);
    rewards[seat] -= (float)heads;
}

/* Place what is left of the turn's cards until a row is to be chosen, or the turn is over. Whether the game is. */
ALWAYS int go_on(const int flags, const nl_work *w, Game *g, int n, float *rewards) {
    while (g->placed < g->queued) {
        int key = g->order[g->placed], seat = key & 15, value = key >> 5;
        int row = target(flags, &g->t, value);
        if (row < 0) {
            ask_row(g, n, seat);
            return 0;
        }
        int card = flags & NUMBER_TWISTER ? g->played[g->turn][seat] & 127 : value;
        note(g, seat, card, lay_card(flags, &g->t, w->heads, card, row, is_full(flags, &g->t, row) ? 4 : 0), rewards);
        g->placed++;
    }
    g->queued = g->placed = 0;
    g->turn++;
    if (g->turn < g->hand) {
        ask_cards(flags, g, n);
        return 0;
    }
    int most = 0;
    for (int seat = 0; seat < n; seat++) {
        /* Bounded, because a limit can be any number: nobody gets that far. */
        if (g->totals[seat] < 1 << 30) g->totals[seat] += g->taken[seat];
        most = g->totals[seat] > most ? g->totals[seat] : most;
    }
    if (most >= w->limit || (w->rounds > 0 && g->round + 1 >= w->rounds) || g->round >= 1 << 30) return 1;
    g->round++;
    start_round(flags, w, g);
    return 0;
}

/* The place in the seat's hand of the card that an action plays; -1: it is not allowed. */
ALWAYS int place_in_hand(const int flags, const Game *g, int seat, int action, int left) {
    int card = action;
    if ((flags & NUMBER_TWISTER) && action > g->deck + ROWS) {
        card = action - g->deck - ROWS;
        if (!g->seats[seat].spare || !twistable(flags, card)) return -1;
    }
    /* Behind the cards a hand has noughts, which are lower than any card. */
    if (card < 1 || card > g->deck) return -1;
    return place_of(g->seats[seat].hand, left, card);
}

/* The first seat whose action is not allowed where one is asked; -1: all are. */
ALWAYS int who_is_wrong(const Game *g, int n, const int16_t *actions) {
    for (int seat = 0; seat < n; seat++) {
        int action = actions[seat];
        if (seat != g->asked) {
            if (action) return seat;
        } else if (g->phase == ROW_ASKED) {
            if (action < row_action(g->deck, 0) || action >= row_action(g->deck, ROWS)) return seat;
        } else {
            int found = 0;
            for (int i = 0; i < g->stock_size; i++) found |= g->stock[i] == action;
            if (!found) return seat;
        }
    }
    return -1;
}

/* A seat takes a face-up card; the four left over start the rows. */
ALWAYS void pick(const int flags, const nl_work *w, Game *g, int n, int card) {
    int seat = g->asked, at = 0, held = (g->deck - g->stock_size) / n;
    while (g->stock[at] != card) at++;
    g->stock_size--;
    for (int i = at; i < g->stock_size; i++) g->stock[i] = g->stock[i + 1];
    g->stock[g->stock_size] = 0;
    int place = held;
    for (; place > 0 && g->seats[seat].hand[place - 1] > card; place--)
        g->seats[seat].hand[place] = g->seats[seat].hand[place - 1];
    g->seats[seat].hand[place] = (uint8_t)card;
    if (g->stock_size > ROWS) {
        ask_pick(w, g, n);
        return;
    }
    uint8_t first[ROWS];
    memcpy(first, g->stock, ROWS);
    memset(g->stock, 0, ROWS);
    g->stock_size = 0;
    begin_turns(flags, w, g, first);
}

/* One question answered, and how that ended the game. */
ALWAYS int step_game(const int flags, const nl_work *w, Game *g, const int n, const int16_t *actions, float *rewards) {
    g->logged = 0;
    if (g->phase == CARDS_ASKED) {
        const int left = g->hand - g->turn;
        int32_t plays[NL_SEATS], order[NL_SEATS], at[NL_SEATS];
        for (int seat = 0; seat < n; seat++) {
            at[seat] = place_in_hand(flags, g, seat, actions[seat], left);
            if (at[seat] < 0) {
                rewards[seat] = ILLEGAL_REWARD;
                return IS_ILLEGAL;
            }
        }
        for (int seat = 0; seat < n; seat++) {
            uint8_t *hand = g->seats[seat].hand;
            int turned = (flags & NUMBER_TWISTER) && actions[seat] > g->deck + ROWS;
            plays[seat] = hand[at[seat]] + (turned ? TWISTED : 0);
            if (turned) g->seats[seat].spare = 0;
            leave_hand(hand, at[seat]);
            g->played[g->turn][seat] = (uint8_t)plays[seat];
        }
        put_in_order(flags, n, plays, order);
        for (int i = 0; i < n; i++) g->order[i] = (int16_t)order[i];
        g->queued = (uint8_t)n;
        g->placed = 0;
        return go_on(flags, w, g, n, rewards);
    }
    int wrong = who_is_wrong(g, n, actions), seat = g->asked;
    if (wrong >= 0) {
        rewards[wrong] = ILLEGAL_REWARD;
        return IS_ILLEGAL;
    }
    if (g->phase == PICK_ASKED) {
        pick(flags, w, g, n, actions[seat]);
        return 0;
    }
    int row = actions[seat] - row_action(g->deck, 0);
    int card = flags & NUMBER_TWISTER ? g->played[g->turn][seat] & 127 : g->order[g->placed] >> 5;
    note(g, seat, card, lay_card(flags, &g->t, w->heads, card, row, 8), rewards);
    g->placed++;
    return go_on(flags, w, g, n, rewards);
}

ALWAYS int step_games(const int flags, nl_work *w, Game *games, int count, const int n, const int16_t *actions,
                      float *rewards, uint8_t *ends) {
    for (int i = 0; i < count; i++, actions += n, rewards += n) {
        Game *g = games + i;
        if (i + AHEAD < count) fetch(g + AHEAD, HOT);
        if (!is_same(w, g)) return NL_BAD_CODE;
        for (int seat = 0; seat < n; seat++) rewards[seat] = 0;
        int16_t chosen[NL_SEATS];
        read_actions(actions, n, chosen);
        int end = step_game(flags, w, g, n, chosen, rewards);
        if (w->wins) {
            int64_t totals[MOST_SEATS]; /* who has fewest heads shares the win (R-C1) */
            for (int seat = 0; seat < n; seat++) totals[seat] = g->totals[seat];
            reward_wins(end, totals, n, 0, rewards);
        }
        ends[i] = (uint8_t)end;
        if (end) start_game(flags, w, g);
    }
    return NL_OK;
}

NL_API int32_t nl_classic_games_start(nl_work *w, void *games, int32_t size) {
    int count, wrong = check_games(w, size, &count);
    if (wrong) return wrong;
    for (int i = 0; i < count; i++) {
        memset((Game *)games + i, 0, sizeof(Game));
        start_game(w->flags | SHOWN, w, (Game *)games + i);
    }
    return NL_OK;
}

NL_API int32_t nl_classic_games_step(nl_work *w, void *games, int32_t size, const int16_t *actions, int32_t bytes,
                                     float *rewards, int32_t words, uint8_t *ends, int32_t count) {
    int number, n = w->players, wrong = check_games(w, size, &number);
    if (wrong) return wrong;
    if (!has_actions(number, n, bytes) || !has_rewards(number, n, words, count)) return NL_TOO_SMALL;
    if (w->flags) return step_games(w->flags | SHOWN, w, games, number, n, actions, rewards, ends);
    if (n == 4) return step_games(SHOWN, w, games, number, 4, actions, rewards, ends);
    return step_games(SHOWN, w, games, number, n, actions, rewards, ends);
}

NL_API int32_t nl_classic_games_sample(nl_work *w, const void *games, int32_t size, int16_t *actions, int32_t bytes) {
    int number, n = w->players, wrong = check_games(w, size, &number);
    if (wrong) return wrong;
    if (!has_actions(number, n, bytes)) return NL_TOO_SMALL;
    for (int i = 0; i < number; i++) {
        const Game *g = (const Game *)games + i;
        if (i + AHEAD < number) fetch(g + AHEAD, HOT);
        if (!is_same(w, g)) return NL_BAD_CODE;
        for (int seat = 0; seat < n; seat++) {
            *actions++ = any_option(&w->rng, options_of(g, seat), g->seats[seat].count);
        }
    }
    return NL_OK;
}

NL_API int32_t nl_classic_games_masks(const nl_work *w, const void *games, int32_t size, uint8_t *masks,
                                      int32_t bytes) {
    int number, n = w->players, wrong = check_games(w, size, &number);
    if (wrong) return wrong;
    const int width = actions_of(w);
    if (bytes / width / n < number) return NL_TOO_SMALL;
    memset(masks, 0, (size_t)number * (size_t)n * (size_t)width);
    for (int i = 0; i < number; i++) {
        const Game *g = (const Game *)games + i;
        if (!is_same(w, g)) return NL_BAD_CODE;
        for (int seat = 0; seat < n; seat++, masks += width)
            for (int at = 0; at < g->seats[seat].count; at++) masks[options_of(g, seat)[at]] = 1;
    }
    return NL_OK;
}
