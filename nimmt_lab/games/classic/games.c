/* Vectorised games of the classic family: the engine's `choose`, applied to thousands of games at a time. */
#include "in_step.h"
#include "network.h"

enum { CARDS_ASKED, ROW_ASKED, PICK_ASKED, GAME_OVER };
enum { MOST_SEATS = 10, MOST_HAND = 10, MOST_OPTIONS = 2 * MOST_HAND, MOST_STOCK = 64 };

/* A game in progress. The fields used in a turn are adjacent, because thousands of games do not fit into a cache. By
   seat: its first `counts` options (in a draft, the stock), and its hand, also as a set. */
typedef struct {
    uint64_t seed, rng;
    uint8_t players, hand, deck, n_rows, places, flags, draft; /* the settings of the game; the workspace must have
                                                                  the same */
    uint8_t phase, turn, asked, queued, placed;
    int32_t round;
    uint8_t counts[MOST_SEATS], spare[MOST_SEATS], options[MOST_SEATS][MOST_OPTIONS];
    uint64_t in_hand[MOST_SEATS][2], laid[2]; /* sets of cards: each hand; the cards in rows and piles */
    int16_t taken[MOST_SEATS];
    int16_t order[MOST_SEATS]; /* the cards of the turn in the order of placing, as place_in_order returns it */
    int32_t totals[MOST_SEATS];
    Table t;
    uint8_t hands[MOST_SEATS][HELD];
    uint8_t played[MOST_HAND][MOST_SEATS]; /* by turn and seat; + 128 if played with the twister */
    uint8_t log[MOST_SEATS][5], logged;    /* placements of the last step: seat, card, row, cause, heads taken */
    uint8_t starts[MOST_ROWS], stock_size, stock[MOST_STOCK];
    uint64_t piles[MOST_SEATS][2]; /* the cards taken by each seat, as sets */
} Game;
typedef nl_classic Work;
typedef void Records;
typedef nl_network Mind;
#define CALL(name) nl_classic_games_##name

#define SELF Game
static const nl_field FIELDS[] = {
    NL_OWN(seed, rng, round, totals, taken, order, logged, players, hand, deck, n_rows, places),
    NL_OWN(flags, draft, phase, turn, asked, queued, placed, counts, spare, starts, stock_size, stock), NL_OWN(laid),
    NL_GRIDS(log, hands, options, played, in_hand, piles), TABLE_FIELDS};
NL_API int32_t nl_classic_game_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Actions are numbered as in nimmt_lab/rl/actions.py: 0 waits, then come cards by number, rows, and cards with the
   twister. */
ALWAYS int row_action(int deck, int row) { return deck + 1 + row; }
ALWAYS int turned_action(const Rules r, int deck, int card) { return deck + r.rows + card; }
static int actions_of(const nl_classic *w) {
    return 1 + w->deck + w->n_rows + (w->flags & NUMBER_TWISTER ? w->deck : 0);
}

static int acting(const nl_classic *w) { return w->players; }

static int check_games(const nl_classic *w) {
    int wrong = check_settings(w, TRAINED + 1);
    if (wrong) return wrong;
    for (int seat = 0; seat < w->players; seat++)
        if (w->policies[seat] >= POLICIES && (w->policies[seat] != TRAINED || !has_network(w))) return NL_BAD_CODE;
    if (w->draft && w->deck > MOST_STOCK) return NL_BAD_SIZE;
    return w->draft && (w->first_seat < 0 || w->first_seat >= w->players) ? NL_BAD_CODE : NL_OK;
}

/* The settings in one word: the first seven bytes from `players` on. */
typedef uint64_t Kind;
static Kind kind_of(const nl_classic *w) {
    const int parts[] = {w->players, w->hand, w->deck, w->n_rows, w->places, w->flags, !!w->draft};
    Kind kind = 0;
    for (int i = 0; i < 7; i++) kind |= (Kind)(uint8_t)parts[i] << 8 * i;
    return kind;
}
#define KIND(w) kind_of(w)
ALWAYS int is_playable(Kind kind, const Game *g) {
    Kind here;
    memcpy(&here, &g->players, sizeof here);
    return here << 8 == kind << 8;
}
_Static_assert(offsetof(Game, phase) == offsetof(Game, players) + 7, "is_playable compares seven bytes");

static Rules shown(const nl_classic *w) { return (Rules){w->flags | SHOWN, w->n_rows, w->places}; }

/* The bytes used in a turn: the draft's cards follow them. The decisions of four seats are at the front. */
enum { HOT = offsetof(Game, starts) };
#define ASKED_FROM 0
#define ASKED_TO offsetof(Game, options[4])
#define SEEN_FROM offsetof(Game, in_hand)
#define SEEN_TO offsetof(Game, hands)

/* The actions of a seat; for a pick they are the stock. They were written in this file, or checked by is_sound. */
ALWAYS int count_of(const nl_classic *w, const Game *g, int seat) { return (void)w, g->counts[seat]; }
ALWAYS int option_of(const nl_classic *w, const Game *g, int seat, int at) {
    (void)w;
    return g->phase == PICK_ASKED && seat == g->asked ? g->stock[at] : g->options[seat][at];
}
#define is_readable is_playable
/* Card actions are card numbers. */
#define KNOWN_MASK(w, g, seat) ((g)->phase == CARDS_ASKED && !((g)->flags & NUMBER_TWISTER) ? (g)->in_hand[seat] : NULL)

/* Only `seat` has a decision. */
ALWAYS void ask_one(Game *g, int n, int seat, int phase, int count) {
    for (int other = 0; other < n; other++) {
        g->counts[other] = 1;
        g->options[other][0] = 0;
    }
    g->counts[seat] = (uint8_t)count;
    g->asked = (uint8_t)seat;
    g->phase = (uint8_t)phase;
}

ALWAYS void ask_row(const Rules r, Game *g, int n, int seat) {
    ask_one(g, n, seat, ROW_ASKED, r.rows);
    for (int row = 0; row < r.rows; row++) g->options[seat][row] = (uint8_t)row_action(g->deck, row);
}

ALWAYS void ask_cards(const Rules r, Game *g, int n) {
    const int left = g->hand - g->turn;
    g->phase = CARDS_ASKED;
    g->asked = NL_SEATS;
    for (int seat = 0; seat < n; seat++) {
        int count = left;
        memcpy(g->options[seat], g->hands[seat], MOST_HAND);
        if ((r.flags & NUMBER_TWISTER) && g->spare[seat])
            for (int i = 0; i < left; i++)
                if (twistable(r.flags, g->hands[seat][i]))
                    g->options[seat][count++] = (uint8_t)turned_action(r, g->deck, g->hands[seat][i]);
        g->counts[seat] = (uint8_t)count;
    }
}

/* R-A1: players pick in turn, starting with the seat that picks first. */
ALWAYS void ask_pick(const nl_classic *w, Game *g, int n) {
    int picks = g->deck - g->stock_size;
    int seat = (int)(((int64_t)w->first_seat + g->round + picks) % n);
    ask_one(g, n, seat, PICK_ASKED, g->stock_size);
    g->options[seat][0] = g->stock[0]; /* the other seats' options remain in the stock */
}

ALWAYS void begin_turns(const Rules r, const nl_classic *w, Game *g, uint8_t *first) {
    start_rows(r, w, first, &g->t);
    add_all(g->laid, first, r.rows);
    memcpy(g->starts, first, (size_t)r.rows);
    ask_cards(r, g, w->players);
}

ALWAYS void start_round(const Rules r, const nl_classic *w, Game *g) {
    const int n = w->players, hand = w->hand, deck = w->deck;
    g->turn = g->queued = g->placed = 0;
    g->laid[0] = g->laid[1] = 0;
    memset(g->played, 0, sizeof g->played);
    memset(g->t.rows, 0, sizeof g->t.rows);
    for (int seat = 0; seat < n; seat++) {
        g->taken[seat] = 0;
        g->piles[seat][0] = g->piles[seat][1] = g->in_hand[seat][0] = g->in_hand[seat][1] = 0;
        memset(g->hands[seat], 0, HELD);
        if (!w->once || !g->round) g->spare[seat] = (r.flags & NUMBER_TWISTER) != 0;
    }
    if (w->draft) {
        for (int i = 0; i < deck; i++) g->stock[i] = (uint8_t)(i + 1);
        g->stock_size = (uint8_t)deck;
        memset(g->starts, 0, sizeof g->starts);
        for (int row = 0; row < r.rows; row++) g->t.end[row] = g->t.count[row] = g->t.sum[row] = 0;
        for (int i = 0; i < 4; i++) {
            g->t.mark[i] = -1;
            g->t.shows[i] = 0;
        }
        ask_pick(w, g, n);
        return;
    }
    uint8_t cards[NL_CARDS];
    for (int i = 0; i < deck; i++) cards[i] = (uint8_t)(i + 1);
    nl_shuffle(&g->rng, cards, deck, n * hand + r.rows);
    for (int seat = 0; seat < n; seat++) sort_hand(cards + seat * hand, hand, g->hands[seat], g->in_hand[seat]);
    begin_turns(r, w, g, cards + n * hand);
}

static void start_game(const nl_classic *w, Game *g, uint64_t seed) {
    g->seed = seed;
    g->rng = nl_stream(nl_key(seed), 0);
    g->players = (uint8_t)w->players;
    g->hand = (uint8_t)w->hand;
    g->deck = (uint8_t)w->deck;
    g->n_rows = (uint8_t)w->n_rows;
    g->places = (uint8_t)w->places;
    g->flags = (uint8_t)w->flags;
    g->draft = !!w->draft;
    g->round = 0;
    for (int seat = 0; seat < MOST_SEATS; seat++) g->totals[seat] = 0;
    start_round(shown(w), w, g);
}

/* Record a placement, for comparison and display, and score it. */
ALWAYS void note_placing(Game *g, int seat, int card, int code, float *rewards) {
    int heads = code >> 8;
    uint8_t *line = g->log[g->logged++];
    line[0] = (uint8_t)seat;
    line[1] = (uint8_t)card;
    line[2] = (uint8_t)(code & (MOST_ROWS - 1));
    line[3] = (uint8_t)(code >> 1 & 0x7c); /* 4: full row, 8: low card, from 16 on rows taken by the cow */
    line[4] = (uint8_t)heads;
    g->taken[seat] = (int16_t)(g->taken[seat] + heads);
    rewards[seat] -= (float)heads;
}

/* The cards of a row or (since the cow may take any) of all rows. */
ALWAYS void cards_in(const Rules r, const Table *t, int row, uint64_t *set) {
    set[0] = set[1] = 0;
    for (int other = r.flags & JUMPING_COW ? 0 : row; other < r.rows; other++) {
        add_all(set, t->rows[other], t->count[other]);
        if (!(r.flags & JUMPING_COW)) break;
    }
}

/* Place a card and record it; cards that leave the rows go to the seat's pile. */
ALWAYS void lay(const Rules r, const nl_classic *w, Game *g, int seat, int card, int row, int took, float *rewards) {
    uint64_t before[2], left[2];
    add_to(g->laid, card);
    if (!took && !(r.flags & JUMPING_COW)) {
        note_placing(g, seat, card, lay_card(r, &g->t, w->heads, card, row, took), rewards);
        return;
    }
    cards_in(r, &g->t, row, before);
    add_to(before, card);
    note_placing(g, seat, card, lay_card(r, &g->t, w->heads, card, row, took), rewards);
    cards_in(r, &g->t, row, left);
    for (int word = 0; word < 2; word++) g->piles[seat][word] |= before[word] & ~left[word];
}

/* Place the remaining cards of the turn until somebody must choose a row, or the turn is over. Returns whether the
   game is over. */
ALWAYS int go_on(const Rules r, const nl_classic *w, Game *g, int n, float *rewards) {
    while (g->placed < g->queued) {
        int key = g->order[g->placed], seat = key & 15, value = key >> 5;
        int row = target(r, &g->t, value);
        if (row < 0) {
            ask_row(r, g, n, seat);
            return 0;
        }
        int card = r.flags & NUMBER_TWISTER ? g->played[g->turn][seat] & 127 : value;
        lay(r, w, g, seat, card, row, is_full(r, &g->t, row) ? FULL_ROW : 0, rewards);
        g->placed++;
    }
    g->queued = g->placed = 0;
    g->turn++;
    if (g->turn < g->hand) {
        ask_cards(r, g, n);
        return 0;
    }
    int most = 0;
    for (int seat = 0; seat < n; seat++) {
        /* Capped, because a limit can be any number and nobody gets that far. */
        if (g->totals[seat] < 1 << 30) g->totals[seat] += g->taken[seat];
        most = g->totals[seat] > most ? g->totals[seat] : most;
    }
    if (most >= w->limit || (w->rounds > 0 && g->round + 1 >= w->rounds) || g->round >= 1 << 30) {
        g->phase = GAME_OVER;
        return 1;
    }
    g->round++;
    start_round(r, w, g);
    return 0;
}

/* The index in the seat's hand of the card that an action plays; -1: it is illegal. */
ALWAYS int place_in_hand(const Rules r, const Game *g, int seat, int action, int left) {
    int card = action;
    if ((r.flags & NUMBER_TWISTER) && action > g->deck + r.rows) {
        card = action - g->deck - r.rows;
        if (!g->spare[seat] || !twistable(r.flags, card)) return -1;
    }
    /* The hand is padded with zeros, which are lower than any card. */
    if (card < 1 || card > g->deck) return -1;
    return place_of(g->hands[seat], left, card);
}

/* The first seat whose action is illegal; -1: all are legal. */
ALWAYS int who_is_wrong(const Rules r, const Game *g, int n, const int16_t *actions) {
    for (int seat = 0; seat < n; seat++) {
        int action = actions[seat];
        if (seat != g->asked) {
            if (action) return seat;
        } else if (g->phase == ROW_ASKED) {
            if (action < row_action(g->deck, 0) || action >= row_action(g->deck, r.rows)) return seat;
        } else {
            int found = 0;
            for (int i = 0; i < g->stock_size; i++) found |= g->stock[i] == action;
            if (!found) return seat;
        }
    }
    return -1;
}

/* A seat picks a face-up card; the last four start the rows. */
ALWAYS void pick(const Rules r, const nl_classic *w, Game *g, int n, int card) {
    int seat = g->asked, at = 0, held = (g->deck - g->stock_size) / n;
    while (g->stock[at] != card) at++;
    g->stock_size--;
    for (int i = at; i < g->stock_size; i++) g->stock[i] = g->stock[i + 1];
    g->stock[g->stock_size] = 0;
    nl_insert(g->hands[seat], held, card);
    add_to(g->in_hand[seat], card);
    if (g->stock_size > r.rows) {
        ask_pick(w, g, n);
        return;
    }
    uint8_t first[MOST_ROWS];
    memcpy(first, g->stock, (size_t)r.rows);
    memset(g->stock, 0, (size_t)r.rows);
    g->stock_size = 0;
    begin_turns(r, w, g, first);
}

/* Answer one question, and say how that ended the game. */
ALWAYS int step_game(const Rules r, const nl_classic *w, Game *g, const int n, const int16_t *actions, float *rewards) {
    g->logged = 0;
    if (g->phase == CARDS_ASKED) {
        const int left = g->hand - g->turn;
        int32_t plays[NL_SEATS], order[NL_SEATS], at[NL_SEATS];
        for (int seat = 0; seat < n; seat++) {
            at[seat] = place_in_hand(r, g, seat, actions[seat], left);
            if (at[seat] < 0) {
                rewards[seat] = ILLEGAL_REWARD;
                return IS_ILLEGAL;
            }
        }
        for (int seat = 0; seat < n; seat++) {
            uint8_t *hand = g->hands[seat];
            int turned = (r.flags & NUMBER_TWISTER) && actions[seat] > g->deck + r.rows;
            plays[seat] = hand[at[seat]] + (turned ? TWISTED : 0);
            if (turned) g->spare[seat] = 0;
            drop_card(g->in_hand[seat], hand[at[seat]]);
            leave_hand(hand, at[seat]);
            g->played[g->turn][seat] = (uint8_t)plays[seat];
        }
        put_in_order(r, n, plays, order);
        for (int i = 0; i < n; i++) g->order[i] = (int16_t)order[i];
        g->queued = (uint8_t)n;
        g->placed = 0;
        return go_on(r, w, g, n, rewards);
    }
    int wrong = who_is_wrong(r, g, n, actions), seat = g->asked;
    if (wrong >= 0) {
        rewards[wrong] = ILLEGAL_REWARD;
        return IS_ILLEGAL;
    }
    if (g->phase == PICK_ASKED) {
        pick(r, w, g, n, actions[seat]);
        return 0;
    }
    int row = actions[seat] - row_action(g->deck, 0);
    int card = r.flags & NUMBER_TWISTER ? g->played[g->turn][seat] & 127 : g->order[g->placed] >> 5;
    lay(r, w, g, seat, card, row, LOW_CARD, rewards);
    g->placed++;
    return go_on(r, w, g, n, rewards);
}

/* One step by these rules, with heads or wins as rewards. */
ALWAYS int step_by(const Rules r, const nl_classic *w, Game *g, const int n, const int16_t *actions, float *rewards) {
    int end = step_game(r, w, g, n, actions, rewards);
    if (w->wins) {
        int64_t totals[MOST_SEATS] = {0}; /* the seats with the fewest heads share the win (R-C1) */
        for (int seat = 0; seat < n; seat++) totals[seat] = g->totals[seat];
        reward_wins(end, totals, n, 0, rewards);
    }
    return end;
}

/* The same code for common tables, with unused rules left out. */
#define STEP(name, rules, n)                                                                \
    static int name(const nl_classic *w, Game *g, const int16_t *actions, float *rewards) { \
        return step_by(rules, w, g, n, actions, rewards);                                   \
    }
STEP(step_any, shown(w), w->players)
STEP(step_cards, USUAL(w->flags | SHOWN), w->players)
STEP(step_usual, USUAL(SHOWN), w->players)
STEP(step_four, USUAL(SHOWN), 4)
#define stepper(w) (!is_usual(w) ? step_any : (w)->flags ? step_cards : (w)->players == 4 ? step_four : step_usual)

/* Whether no number in a record leads outside an array. */
static int is_sound(const nl_classic *w, const Game *g) {
    const int n = w->players, deck = w->deck, left = g->hand - g->turn, most = actions_of(w);
    const Table *t = &g->t;
    int laid = g->phase != PICK_ASKED;
    uint64_t laid_here[2] = {0, 0};
    if (!is_playable(kind_of(w), g) || g->phase > PICK_ASKED || g->turn >= g->hand || g->logged > MOST_SEATS) return 0;
    if ((g->phase == PICK_ASKED && !w->draft) || g->placed > g->queued || g->queued > n) return 0;
    if (g->stock_size > (w->draft ? deck : 0) || g->round < 0 || g->round > 1 << 30) return 0;
    for (int i = 0; i < g->stock_size; i++)
        if (g->stock[i] < 1 || g->stock[i] > deck) return 0;
    for (int row = 0; row < w->n_rows; row++) {
        int heads = 0;
        if (is_outside(t->count[row], laid, laid ? w->places : 0) || is_outside(t->end[row], laid, laid ? deck : 0))
            return 0;
        for (int i = 0; i < t->count[row]; i++) {
            if (t->rows[row][i] < 1 || t->rows[row][i] > deck) return 0;
            heads += w->heads[t->rows[row][i]];
            add_to(laid_here, t->rows[row][i]);
        }
        if (t->sum[row] != heads) return 0;
    }
    for (int i = 0; laid && i < 3; i++)
        if ((w->flags >> i & 1) && is_outside(t->mark[i], 0, w->n_rows - 1)) return 0;
    if (laid && (w->flags & MOUNTAIN) && !mountain_stands(t, w->n_rows)) return 0;
    if (laid && (w->flags & JUMPING_COW) && cow_overfills(t, t->mark[COW_MARK], w->places)) return 0;
    for (int seat = 0; seat < n; seat++) {
        const int asked = g->phase == CARDS_ASKED || seat == g->asked, picks = g->phase == PICK_ASKED && asked;
        if (is_outside(g->totals[seat], 0, 1 << 30) || is_outside(g->taken[seat], 0, 255)) return 0;
        if (is_outside(g->counts[seat], 1, picks ? g->stock_size : MOST_OPTIONS)) return 0;
        for (int i = 0; i < (picks ? 0 : g->counts[seat]); i++)
            if (g->options[seat][i] >= most || (g->options[seat][i] == 0) == asked) return 0;
        for (int i = 0; i < HELD; i++)
            if (g->hands[seat][i] > deck || (i && g->hands[seat][i] && g->hands[seat][i] <= g->hands[seat][i - 1]))
                return 0;
        for (int i = 0; laid && i < HELD; i++)
            if ((g->hands[seat][i] != 0) != (i < left - (g->phase == ROW_ASKED))) return 0;
        for (int turn = 0; turn < MOST_HAND; turn++)
            if ((g->played[turn][seat] & 127) > deck) return 0;
        uint64_t hand[2] = {0, 0};
        for (int i = 0; i < HELD; i++)
            if (g->hands[seat][i]) add_to(hand, g->hands[seat][i]);
        if (hand[0] != g->in_hand[seat][0] || hand[1] != g->in_hand[seat][1]) return 0;
        add_set(laid_here, g->piles[seat]);
    }
    if (laid_here[0] != g->laid[0] || laid_here[1] != g->laid[1]) return 0;
    if (g->phase == CARDS_ASKED) return !g->queued;
    if (g->asked >= n) return 0;
    if (g->phase == PICK_ASKED) return g->stock_size > w->n_rows && g->counts[g->asked] == g->stock_size;
    if (g->placed == g->queued || (g->order[g->placed] & 15) != g->asked) return 0;
    for (int i = 0; i < g->queued; i++) {
        const int seat = g->order[i] & 15, value = g->order[i] >> 5;
        if (seat >= n || is_outside(value, 0, LAST_CARD) || !(g->played[g->turn][seat] & 127)) return 0;
        if (!(w->flags & NUMBER_TWISTER) && value != g->played[g->turn][seat]) return 0;
    }
    return 1;
}

static int check_mind(const nl_classic *w, const void *mind, int32_t room) {
    int trained = 0;
    for (int seat = 0; seat < w->players; seat++) trained |= w->policies[seat] == TRAINED;
    if (!trained) return NL_OK;
    return room < (int32_t)sizeof(nl_network) ? NL_TOO_SMALL : check_network(mind);
}

/* Choose by a policy: cards as in simulations; picks at random. */
static int16_t choose_action(nl_classic *w, const Game *g, int seat, const nl_network *net) {
    const Rules r = rules_of(w);
    const int policy = w->policies[seat], left = g->hand - g->turn;
    const uint8_t *hand = g->hands[seat];
    if (g->phase == ROW_ASKED) return (int16_t)row_action(g->deck, low_row(r, &g->t, w->lows[seat], &w->rng));
    if (g->phase == PICK_ASKED || policy == RANDOM)
        return (int16_t)option_of(w, g, seat, (int)nl_below(&w->rng, g->counts[seat]));
    if (policy == TRAINED) {
        uint64_t unseen[2] = {0, 0};
        for (int card = 1; card <= g->deck; card++) add_card(unseen, card);
        for (int row = 0; row < r.rows; row++)
            for (int i = 0; i < g->t.count[row]; i++) drop_card(unseen, g->t.rows[row][i]);
        for (int i = 0; i < left; i++) drop_card(unseen, hand[i]);
        for (int other = 0; other < g->players; other++)
            for (int word = 0; word < 2; word++) unseen[word] &= ~g->piles[other][word];
        return hand[choose_trained(&g->t, hand, left, unseen, net)];
    }
    int pick = choose_by_policy(r, policy, &g->t, w->risk, hand, left, g->spare[seat]);
    return (int16_t)(pick & TWISTED ? turned_action(r, g->deck, hand[pick - TWISTED]) : hand[pick]);
}

static Shape shape_of(const nl_classic *w) {
    const int n = w->players, marks = (w->flags & EVEN_ODD ? w->n_rows + 1 : 0) +
                                      (w->flags & MOUNTAIN ? w->n_rows + 1 : 0) +
                                      (w->flags & JUMPING_COW ? w->n_rows : 0) + (w->flags & NUMBER_TWISTER ? n : 0);
    return (Shape){.players = n,
                   .seats = n,
                   .cards = w->deck,
                   .rows = w->n_rows,
                   .places = w->places,
                   .piles = n,
                   .open = !!w->draft,
                   .turns = w->hand,
                   .turned = !!(w->flags & NUMBER_TWISTER),
                   .beside = marks};
}

#define USUAL_SHAPE                  \
    ((Shape){.players = 4,           \
             .seats = 4,             \
             .cards = LAST_CARD,     \
             .rows = USUAL_ROWS,     \
             .places = USUAL_PLACES, \
             .piles = 4,             \
             .turns = 10})
static int is_usual_shape(const nl_classic *w) {
    return is_usual(w) && !w->flags && !w->draft && w->players == 4 && w->deck == LAST_CARD && w->hand == 10;
}

ALWAYS void tell(const nl_classic *w, const Shape *shape, const Game *g, Facts *f, const int compact, int from,
                 int to) {
    const int n = shape->players, left = g->hand - g->turn - (g->phase == ROW_ASKED);
    (void)w, (void)from, (void)to;
    f->over = g->phase == GAME_OVER;
    f->round = g->round;
    f->turn = g->turn - f->over; /* the last one stays */
    f->stock_size = shape->open ? g->stock_size : shape->cards - n * shape->turns - shape->rows;
    f->stock[0] = f->stock[1] = f->turned[0] = f->turned[1] = 0;
    if (shape->open) add_all(f->stock, g->stock, g->stock_size);
    for (int row = 0; row < shape->rows; row++) {
        f->rows[row] = g->t.rows[row];
        f->lengths[row] = g->t.count[row];
    }
    f->laid[0] = g->laid[0];
    f->laid[1] = g->laid[1];
    for (int seat = 0; seat < n; seat++) {
        f->held[seat] = shape->open && g->phase == PICK_ASKED ? 0 : left;
        while (shape->open && g->phase == PICK_ASKED && f->held[seat] < HELD && g->hands[seat][f->held[seat]])
            f->held[seat]++;
        for (int word = 0; word < 2; word++) {
            f->hands[seat][word] = g->in_hand[seat][word];
            if (!compact) f->piles[seat][word] = g->piles[seat][word];
        }
        f->n_plays[seat] = 0;
        f->heads[seat] = g->taken[seat];
        f->totals[seat] = g->totals[seat];
        f->asks[seat] = g->phase == CARDS_ASKED ? ASKS_CARD : ASKS_NOTHING;
    }
    if (g->phase == ROW_ASKED || g->phase == PICK_ASKED)
        f->asks[g->asked] = g->phase == ROW_ASKED ? ASKS_ROW : ASKS_CARD;
    f->n_queue = g->queued - g->placed;
    for (int i = 0; i < f->n_queue; i++) {
        const int seat = g->order[g->placed + i] & 15, card = g->played[g->turn][seat];
        f->queue[i] = (uint8_t)(card & 127);
        f->queue_seats[i] = (uint8_t)seat;
        if (card & TWISTED) add_to(f->turned, card & 127);
    }
    for (int turn = 0; !compact && turn < g->turn + (g->queued > 0); turn++) {
        const float number = turn_number(shape, turn);
        for (int seat = 0; seat < n; seat++) note_play(f, shape, g->played[turn][seat] & 127, seat, number);
    }
}

/* The markers of the fan cards (each one's encode.py), in their order (R-F0). */
ALWAYS void beside(const nl_classic *w, const Game *g, int seat, int16_t *numbers, int16_t *over) {
    const int n = w->players;
    int at = 0;
    for (int mark = EVEN_ODD_MARK; mark <= COW_MARK; mark++) {
        if (!(w->flags >> mark & 1)) continue;
        for (int row = 0; row < w->n_rows; row++) numbers[at++] = g->t.mark[mark] == row;
        if (mark != COW_MARK) numbers[at++] = g->t.shows[mark] == 1;
    }
    for (int step = 0; (w->flags & NUMBER_TWISTER) && step < n; step++)
        numbers[at++] = g->phase != PICK_ASKED && g->spare[(seat + step) % n];
    for (int i = 0; i < at; i++) over[i] = 1;
}

#include "in_step_calls.h"
