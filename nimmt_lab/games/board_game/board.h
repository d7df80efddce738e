/* The rules of the board game, as in nimmt_lab/games/board_game/rules.py and plays.py: the same decisions in the same
   order, and the same random numbers. The engine cites the rulings. */
#ifndef NIMMT_BOARD_H
#define NIMMT_BOARD_H

#include "board_work.h"
#include "memory.h"
#include "nimmt.h"
#include "rng.h"

enum { PLAIN, TWO, TAKE, TAKE_TILES, DRAW_TILE, DRAW_ACTION, HEADS, POINTS, FIELD_KINDS };
enum { STOP, SWAP, SKIP, START, ASCENDING, PLAY_TWO, ACTION_KINDS };
enum { PLUS_FIVE, POSITIVE_HEADS, LUCK_KINDS };
enum { NOBODY, ASK_TILES, ASK_CARDS, ASK_LUCK, ASK_ROW, QUESTIONS }; /* what is asked */
enum { TRACK = 44, MARKERS = 2, TILES = 100, HAND = 12, ACTION_HAND = 2, ACTIVE_ROWS = 4 };

/* Choices as numbers. Tiles: low + 256·high (one tile: high is 0). A card played before a tile: its kind + 256·(row +
   1, or the first tile) + 65536·(the second tile), where kinds count from 1 in the order of Luck, then Action; 0
   passes. Luck cards: fives + 256·(positive heads). A row: itself. */
enum { PASS = 0, LUCK_CODE = 1, ACTION_CODE = LUCK_CODE + LUCK_KINDS };
#define USE(kind, first, second) ((kind) | (first) << 8 | (second) << 16)

typedef nl_board Board;
typedef nl_board_state State;

typedef struct {
    int row, slot;
} Landing;

/* Sets of tiles ------------------------------------------------------------------------------------------ */

ALWAYS int has(const uint64_t *set, int tile) { return (int)(set[tile >> 6] >> (tile & 63) & 1); }
ALWAYS void add(uint64_t *set, int tile) { set[tile >> 6] |= 1ull << (tile & 63); }
ALWAYS void drop(uint64_t *set, int tile) { set[tile >> 6] &= ~(1ull << (tile & 63)); }
ALWAYS int size_of(const uint64_t *set) { return __builtin_popcountll(set[0]) + __builtin_popcountll(set[1]); }
ALWAYS int is_empty(const uint64_t *set) { return !(set[0] | set[1]); }
/* The next higher tile; 0 if there is none. */
ALWAYS int after(const uint64_t *set, int tile) {
    int from = tile + 1;
    if (from < 64) {
        uint64_t low = set[0] >> from << from;
        if (low) return __builtin_ctzll(low);
        from = 64;
    }
    if (from > 127) return 0;
    uint64_t high = set[1] >> (from - 64) << (from - 64);
    return high ? 64 + __builtin_ctzll(high) : 0;
}
/* The tile at index `at`, ascending. */
ALWAYS int nth(const uint64_t *set, int at) {
    int low = __builtin_popcountll(set[0]), word = at >= low;
    uint64_t left = set[word];
    for (at -= word ? low : 0; at > 0; at--) left &= left - 1;
    return 64 * word + __builtin_ctzll(left);
}

/* Where a tile goes -------------------------------------------------------------------------------------- */

/* The row by rules 1 to 3, without stopped rows (R-P4); negative if there is none. */
ALWAYS int row_for(const Board *b, const State *s, int tile, int stops) {
    int below = -1, below_end = 0, highest = -1, highest_end = 0;
    for (int row = 0; row < b->n_rows; row++) {
        if (!s->length[row] || (stops >> row & 1)) continue;
        int end = s->end[row];
        if (end > highest_end) highest = row, highest_end = end;
        if (end < tile && end > below_end) below = row, below_end = end;
    }
    return below >= 0 ? below : highest;
}

/* How many of the tiles whose heads count as plus points are in a row. */
ALWAYS int among(const State *s, int row, const uint8_t *tiles, int count) {
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int slot = 0; slot < s->length[row]; slot++) found += s->rows[row][slot] == tiles[i];
    return found;
}

/* The place of a tile by the rules and its plan; row -1 if the plan is impossible. */
ALWAYS Landing landing(const Board *b, const State *s, const nl_board_plan *plan, int tile, int stops) {
    const Landing nowhere = {-1, 0};
    int row = plan->row, last, slot;
    if (row < 0) {
        row = row_for(b, s, tile, stops);
        if (row < 0) return nowhere;
    } else if (stops >> row & 1) {
        return nowhere;
    }
    last = b->fields[row] - 1;
    if (plan->at_start) { /* the first free field, even in a gap (R-P14, R-P16) */
        for (slot = 0; slot < s->length[row] && s->rows[row][slot]; slot++) {}
    } else {
        slot = s->length[row] + plan->skips; /* R-P15 */
        if (slot > last) return nowhere;     /* the last field of a row cannot be skipped */
    }
    if (plan->luck == PLUS_FIVE && slot == last) return nowhere;
    if (plan->luck == POSITIVE_HEADS) {
        int kind = b->kind[row][slot];
        if (kind != TAKE && kind != TAKE_TILES) return nowhere;
        if (among(s, row, plan->tiles, plan->n_tiles) != plan->n_tiles) return nowhere;
    }
    return (Landing){row, slot};
}

static const nl_board_plan NO_PLAN = {0, -1, 0, -1, 0, {0, 0}, {0, 0}};

ALWAYS int is_planned(const nl_board_plan *plan) { return plan->skips || plan->row >= 0 || plan->luck >= 0; }

/* Cards played before a tile ------------------------------------------------------------------------ */

/* List the plays open to the next player, passing first. Writes at most `most` of them and counts all. */
static int list_uses(const Board *b, const State *s, int32_t *uses, int most) {
    const int seat = s->queue_seat[0], tile = s->queue_tile[0];
    const nl_board_plan *plan = &s->plan;
    int count = 0;
#define OFFER(code)                             \
    do {                                        \
        if (count < most) uses[count] = (code); \
        count++;                                \
    } while (0)
    OFFER(PASS);
    if (plan->luck < 0) {
        nl_board_plan with = *plan;
        with.luck = PLUS_FIVE;
        if (s->luck[seat][PLUS_FIVE] && landing(b, s, &with, tile, s->stops).row >= 0) OFFER(USE(LUCK_CODE, 0, 0));
        with.luck = POSITIVE_HEADS;
        if (s->luck[seat][POSITIVE_HEADS]) {
            int row = landing(b, s, &with, tile, s->stops).row;
            if (row >= 0) {
                uint64_t others[2] = {0, 0};
                for (int slot = 0; slot < s->length[row]; slot++)
                    if (s->rows[row][slot]) add(others, s->rows[row][slot]);
                int there = size_of(others), code = LUCK_CODE + POSITIVE_HEADS;
                if (there == 0) OFFER(USE(code, 0, 0));
                if (there == 1) OFFER(USE(code, after(others, 0), 0));
                if (there > 1)
                    for (int one = after(others, 0); one; one = after(others, one))
                        for (int two = after(others, one); two; two = after(others, two)) OFFER(USE(code, one, two));
            }
        }
    }
    for (int action = 0; action < ACTION_KINDS; action++) {
        const int code = ACTION_CODE + action;
        if (!s->actions[seat][action]) continue;
        if (action == SWAP || action == PLAY_TWO) {
            /* Both need another tile. The tile with the plan is placed next, whatever else is played (R-P18). */
            int only_above = 0;
            if (is_planned(plan)) {
                if (action == SWAP) continue;
                int next_anyway = 1;
                for (int i = 1; i < s->n_queue; i++) next_anyway &= s->queue_seat[i] != seat || s->queue_tile[i] > tile;
                if (!next_anyway) continue;
                only_above = 1;
            }
            for (int other = after(s->hands[seat], only_above ? tile : 0); other; other = after(s->hands[seat], other))
                OFFER(USE(code, other, 0));
        } else if (action == SKIP) {
            nl_board_plan with = *plan;
            with.skips++;
            if (!plan->at_start && landing(b, s, &with, tile, s->stops).row >= 0) OFFER(USE(code, 0, 0));
        } else {
            for (int row = 0; row < b->n_rows; row++) {
                if (!s->length[row] || (s->stops >> row & 1)) continue; /* R-P13, R-P17 */
                if (action == STOP) {
                    if (__builtin_popcount((unsigned)s->stops) < MARKERS &&
                        landing(b, s, plan, tile, s->stops | 1 << row).row >= 0)
                        OFFER(USE(code, row + 1, 0));
                } else if (plan->row < 0) {
                    nl_board_plan with = *plan;
                    with.row = row;
                    with.at_start = action == START;
                    int fits = action == START ? s->rows[row][0] > tile && !plan->skips : s->end[row] < tile;
                    if (fits && landing(b, s, &with, tile, s->stops).row >= 0) OFFER(USE(code, row + 1, 0));
                }
            }
        }
    }
#undef OFFER
    return count;
}

/* Whether a seat is asked before its tile. Everybody with an action card is, so that the question reveals nothing
   about a hand (R-P19). Luck cards are public. */
ALWAYS int is_asked(const Board *b, const State *s) {
    const int seat = s->queue_seat[0];
    int held = 0;
    for (int action = 0; action < ACTION_KINDS; action++) held |= s->actions[seat][action];
    if (held) return 1;
    if (s->plan.luck >= 0) return 0;
    nl_board_plan with = s->plan;
    for (int luck = 0; luck < LUCK_KINDS; luck++) {
        with.luck = luck;
        if (s->luck[seat][luck] && landing(b, s, &with, s->queue_tile[0], s->stops).row >= 0) return 1;
    }
    return 0;
}

/* What happens -------------------------------------------------------------------------------------------- */

ALWAYS void settle(State *s) {
    if (!s->n_queue && s->owed_seat < 0 && s->starting < 0) s->turn++;
}

ALWAYS int on_track(int points) { return points > TRACK ? TRACK : points < -TRACK ? -TRACK : points; }

/* Add the points of an effect; a loss may pass clovers (R-P5). */
ALWAYS void score(const Board *b, State *s, int seat, int points, int clovers) {
    int before = s->totals[seat], now = on_track(before + points);
    s->totals[seat] = now;
    if (!b->luck || !clovers || now >= before) return;
    int owed = 0, left = s->luck_stacks[0] + s->luck_stacks[1];
    for (int place = now; place < before; place++) owed += b->clovers[place + TRACK];
    if (owed > left) owed = left;
    if (owed) s->owed_seat = seat, s->owed = owed;
}

/* Draw tiles (R-P3), as far as the stock lasts. */
ALWAYS void draw_tiles(State *s, int seat, int count) {
    while (count-- && s->n_stock) add(s->hands[seat], s->stock[--s->n_stock]);
}

/* An empty stack is refilled with the shuffled discards. */
static void draw_action(State *s, int seat) {
    if (!s->n_deck && s->n_discards) {
        uint8_t cards[NL_BOARD_ACTIONS];
        memcpy(cards, s->discards, sizeof cards);
        nl_shuffle(&s->rng, cards, s->n_discards, s->n_discards);
        for (int i = 0; i < s->n_discards; i++) s->deck[s->n_discards - 1 - i] = cards[i];
        s->n_deck = s->n_discards;
        s->n_discards = 0;
    }
    if (s->n_deck) s->actions[seat][s->deck[--s->n_deck]]++;
}

ALWAYS void queue_out(State *s) {
    s->n_queue--;
    for (int i = 0; i < s->n_queue; i++) {
        s->queue_tile[i] = s->queue_tile[i + 1];
        s->queue_seat[i] = s->queue_seat[i + 1];
    }
}

/* The other tiles of the row leave the game for minus points, or go behind the player's screen. */
static void take_row(const Board *b, State *s, int row, int seat, int tile, int kind, const nl_board_plan *plan) {
    int heads = 0, plus = 0, points;
    for (int slot = 0; slot < s->length[row]; slot++) {
        int other = s->rows[row][slot];
        if (!other || other == tile) continue;
        heads += b->heads[other];
        add(kind == TAKE_TILES ? s->hands[seat] : s->piles[seat], other);
    }
    s->length[row] = 0;
    s->end[row] = 0;
    s->sum[row] = 0;
    s->starting = row;
    s->quiet = kind == TAKE_TILES && !s->stops && !plan->n_tiles;
    s->stops = 0;
    for (int i = s->n_queue++; i > 0; i--) {
        s->queue_tile[i] = s->queue_tile[i - 1];
        s->queue_seat[i] = s->queue_seat[i - 1];
    }
    s->queue_tile[0] = (uint8_t)tile;
    s->queue_seat[0] = (uint8_t)seat;
    s->takes[seat]++;
    if (s->take_turn[seat] != s->turn) s->take_turns[seat]++, s->take_turn[seat] = s->turn;
    for (int i = 0; i < plan->n_tiles; i++) plus += b->heads[plan->tiles[i]];
    points = plus;
    if (kind == TAKE) points -= heads - plus;
    if (plan->n_tiles || kind == TAKE) score(b, s, seat, points, 1);
}

/* Apply the field that `tile` covers, for the player who placed `own`. */
ALWAYS void act(const Board *b, State *s, int seat, int own, int row, int slot, int tile, const nl_board_plan *plan) {
    int kind = b->kind[row][slot];
    if (plan->luck == PLUS_FIVE) {
        score(b, s, seat, 5, 1);
        return;
    }
    if (kind == HEADS) score(b, s, seat, b->points[row][slot] * b->heads[tile], 1);
    else if (kind == POINTS) score(b, s, seat, b->points[row][slot], 1);
    else if (kind == DRAW_TILE) draw_tiles(s, seat, 1);
    else if (kind == DRAW_ACTION) draw_action(s, seat);
    else if (kind == TAKE || kind == TAKE_TILES) take_row(b, s, row, seat, own, kind, plan);
}

ALWAYS void put(const Board *b, State *s, int row, int tile) {
    s->rows[row][s->length[row]++] = (uint8_t)tile;
    s->end[row] = (uint8_t)tile;
    s->sum[row] += b->heads[tile];
}

/* Place the next tile by the rules or by the cards played for it, then apply the field. */
ALWAYS int place(const Board *b, State *s) {
    const int tile = s->queue_tile[0], seat = s->queue_seat[0];
    const nl_board_plan plan = s->plan;
    Landing to = landing(b, s, &plan, tile, s->stops);
    int acting = tile;
    if (to.row < 0) return NL_BAD_CODE;
    queue_out(s);
    s->plan = NO_PLAN;
    if (plan.at_start) {
        /* Move tiles up to the first free field, and apply the newly covered one. */
        uint8_t *tiles = s->rows[to.row];
        if (to.slot < 1) return NL_BAD_CODE;
        acting = tiles[to.slot - 1];
        for (int slot = to.slot; slot > 0; slot--) tiles[slot] = tiles[slot - 1];
        tiles[0] = (uint8_t)tile;
        if (to.slot == s->length[to.row]) s->end[to.row] = tiles[s->length[to.row]++];
        s->sum[to.row] += b->heads[tile];
    } else {
        for (int i = 0; i < plan.skips; i++) s->rows[to.row][s->length[to.row]++] = 0;
        put(b, s, to.row, tile);
    }
    act(b, s, seat, tile, to.row, to.slot, acting, &plan);
    settle(s);
    return NL_OK;
}

/* Start that row with the tile, and apply its first field (R-P9). */
ALWAYS void start_in(const Board *b, State *s, int row) {
    const int tile = s->queue_tile[0], seat = s->queue_seat[0];
    queue_out(s);
    s->starting = -1;
    put(b, s, row, tile);
    if (b->first_acts) act(b, s, seat, tile, row, 0, tile, &NO_PLAN);
    settle(s);
}

ALWAYS void give_luck(State *s, int fives, int heads) {
    int seat = s->owed_seat;
    s->luck[seat][PLUS_FIVE] += fives;
    s->luck[seat][POSITIVE_HEADS] += heads;
    s->luck_stacks[PLUS_FIVE] -= fives;
    s->luck_stacks[POSITIVE_HEADS] -= heads;
    s->owed_seat = -1;
    s->owed = 0;
    settle(s);
}

/* The most and the fewest cards of the first kind among the luck cards owed. */
ALWAYS int most_fives(const State *s) { return s->owed < s->luck_stacks[0] ? s->owed : s->luck_stacks[0]; }
ALWAYS int fewest_fives(const State *s) { return s->owed > s->luck_stacks[1] ? s->owed - s->luck_stacks[1] : 0; }

/* Whether an active row shows a "play two tiles" field; skipped and stopped ones count (R-P10). */
ALWAYS int plays_two(const Board *b, const State *s) {
    for (int i = 0; i < b->n_twos; i++) {
        int row = b->two_row[i], slot = b->two_slot[i];
        if (s->length[row] && (slot >= s->length[row] || !s->rows[row][slot])) return 1;
    }
    return 0;
}

static void end_game(const Board *b, State *s) {
    if (b->advanced)
        for (int seat = 0; seat < b->players; seat++) { /* R-P12 */
            int heads = 0, cards = 0;
            for (int tile = after(s->hands[seat], 0); tile; tile = after(s->hands[seat], tile)) heads += b->heads[tile];
            for (int action = 0; action < ACTION_KINDS; action++) cards += s->actions[seat][action];
            score(b, s, seat, -heads, 0);
            score(b, s, seat, cards, 0);
        }
    s->over = 1;
}

ALWAYS void ask_tiles(const Board *b, State *s) {
    int held = 0;
    for (int seat = 0; seat < b->players; seat++) held += !is_empty(s->hands[seat]);
    if (b->advanced ? held < b->players : !held) {
        if (b->advanced || !b->refills || s->round || !s->n_stock) {
            end_game(b, s);
            return;
        }
        s->round++;
        for (int seat = 0; seat < b->players; seat++) draw_tiles(s, seat, HAND);
    }
    s->two = plays_two(b, s);
    s->asked = ASK_TILES;
}

/* Continue until somebody has a decision, or the game is over. */
ALWAYS int go_on(const Board *b, State *s) {
    s->two = 0;
    for (s->asked = NOBODY; !s->asked && !s->over;) {
        if (s->owed_seat >= 0) {
            if (most_fives(s) > fewest_fives(s)) s->asked = ASK_LUCK;
            else give_luck(s, most_fives(s), s->owed - most_fives(s));
        } else if (s->starting >= 0) {
            int first = -1, below = -1, empty = 0;
            for (int row = 0; row < b->n_rows; row++) {
                if (s->length[row]) continue;
                empty++;
                if (first < 0) first = row;
                if (below < 0 && row > s->starting) below = row;
            }
            if (!b->advanced) start_in(b, s, below >= 0 ? below : first);
            else if (empty == 1) s->full[s->queue_seat[0]] += s->quiet, start_in(b, s, first);
            else s->asked = ASK_ROW;
        } else if (s->n_queue) {
            if (is_asked(b, s)) s->asked = ASK_CARDS;
            else if (place(b, s)) return NL_BAD_CODE;
        } else {
            ask_tiles(b, s);
        }
    }
    return NL_OK;
}

/* Answers ------------------------------------------------------------------------------------------------- */

/* Insert a tile into the queue, in the order of placing. */
ALWAYS void queue_in(State *s, int seat, int tile) {
    int i = s->n_queue++;
    for (; i > 0 && s->queue_tile[i - 1] > tile; i--) {
        s->queue_tile[i] = s->queue_tile[i - 1];
        s->queue_seat[i] = s->queue_seat[i - 1];
    }
    s->queue_tile[i] = (uint8_t)tile;
    s->queue_seat[i] = (uint8_t)seat;
}

/* Remove a seat's chosen tiles from its hand. */
ALWAYS void reveal(State *s, int seat, int code) {
    for (; code; code >>= 8) {
        drop(s->hands[seat], code & 255);
        queue_in(s, seat, code & 255);
    }
}

/* Play a card for the tile to be placed next. */
static void use_card(State *s, int code) {
    const int seat = s->queue_seat[0], kind = code & 255, first = code >> 8 & 255, second = code >> 16 & 255;
    if (kind < ACTION_CODE) {
        int luck = kind - LUCK_CODE;
        s->luck[seat][luck]--;
        s->luck_stacks[luck]++;
        s->plan.luck = luck;
        s->plan.n_tiles = (first > 0) + (second > 0);
        s->plan.tiles[0] = (uint8_t)first;
        s->plan.tiles[1] = (uint8_t)second;
        return;
    }
    int action = kind - ACTION_CODE;
    s->actions[seat][action]--;
    s->discards[s->n_discards++] = (uint8_t)action;
    if (action == SKIP) {
        s->plan.skips++;
    } else if (action == STOP) {
        s->stops |= 1 << (first - 1);
    } else if (action == START || action == ASCENDING) {
        s->plan.row = first - 1;
        s->plan.at_start = action == START;
    } else {
        drop(s->hands[seat], first);
        if (action == SWAP) {
            add(s->hands[seat], s->queue_tile[0]);
            s->queue_tile[0] = (uint8_t)first;
            return;
        }
        /* The player's waiting tiles go first, lowest first. */
        uint8_t tiles[NL_BOARD_QUEUE], seats[NL_BOARD_QUEUE];
        int others = 0, left = s->n_queue;
        memcpy(tiles, s->queue_tile, sizeof tiles);
        memcpy(seats, s->queue_seat, sizeof seats);
        s->n_queue = 0;
        queue_in(s, seat, first);
        for (int i = 0; i < left; i++) {
            if (seats[i] == seat) {
                queue_in(s, seat, tiles[i]);
            } else {
                tiles[others] = tiles[i];
                seats[others++] = seats[i];
            }
        }
        for (int i = 0; i < others; i++, s->n_queue++) {
            s->queue_tile[s->n_queue] = tiles[i];
            s->queue_seat[s->n_queue] = seats[i];
        }
    }
}

/* Apply the choice of a seat that decides alone. */
ALWAYS int answer(const Board *b, State *s, int code) {
    if (s->asked == ASK_LUCK) give_luck(s, code & 255, code >> 8);
    else if (s->asked == ASK_ROW) start_in(b, s, code);
    else if (code == PASS) return place(b, s);
    else use_card(s, code);
    return NL_OK;
}

/* The seat with a decision, if it is only one. */
ALWAYS int asked_seat(const State *s) { return s->asked == ASK_LUCK ? s->owed_seat : s->queue_seat[0]; }

/* Deal a round from its stream: hands, first tiles of the rows, stock and action cards, as in start_round. */
static inline int deal_round(const Board *b, State *s, uint64_t rng) {
    uint8_t tiles[TILES], cards[NL_BOARD_ACTIONS];
    int at = 0, n_cards = 0;
    memset(s, 0, sizeof *s);
    s->rng = rng;
    for (int i = 0; i < TILES; i++) tiles[i] = (uint8_t)(i + 1);
    nl_shuffle(&s->rng, tiles, TILES, TILES);
    for (int seat = 0; seat < b->players; seat++) {
        for (int i = 0; i < HAND; i++) add(s->hands[seat], tiles[at++]);
        s->take_turn[seat] = -1;
    }
    /* The active rows start at the top; in advanced mode with 4 to 6 players they are at the bottom. */
    int first = b->advanced && b->players > 3 ? b->n_rows - ACTIVE_ROWS : 0;
    for (int row = first; row < first + ACTIVE_ROWS; row++) put(b, s, row, tiles[at++]);
    if (b->advanced || b->refills)
        for (int i = TILES - 1; i >= at; i--) s->stock[s->n_stock++] = tiles[i];
    s->plan = NO_PLAN;
    s->owed_seat = s->starting = -1;
    for (int kind = 0; kind < LUCK_KINDS; kind++) s->luck_stacks[kind] = b->luck ? b->luck_cards[kind] : 0;
    if (b->advanced) {
        for (int kind = 0; kind < ACTION_KINDS; kind++)
            for (int i = 0; i < b->action_cards[kind]; i++) cards[n_cards++] = (uint8_t)kind;
        nl_shuffle(&s->rng, cards, n_cards, n_cards);
        int given = 0;
        for (; given < ACTION_HAND * b->players && given < n_cards; given++)
            s->actions[given / ACTION_HAND][cards[given]]++;
        for (int i = n_cards - 1; i >= given; i--) s->deck[s->n_deck++] = cards[i];
    }
    return go_on(b, s);
}

#endif
