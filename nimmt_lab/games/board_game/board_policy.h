/* How a seat plays where nobody searches: the policies of the simulation (nimmt_lab/study/by_engine.py), and the one that
   knows the board (policy.py beside this file). All of it in whole numbers, so that the engine plays the same. */
#ifndef NIMMT_BOARD_POLICY_H
#define NIMMT_BOARD_POLICY_H

#include "board.h"

enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, POLICIES, SENSIBLE = 16, EITHER };
/* And what it does where something else is asked. The first three: as SENSIBLE if that is its policy; else no card, any luck
   cards, the first row (any row). The others, whatever its policy: as SENSIBLE, any option, as the first, or as that with any
   card. */
enum { CHEAPEST_ROW, RANDOM_ROW, SHORTEST_ROW, SENSIBLY, ANYTHING, BY_HABIT, ANY_CARD, ROW_POLICIES };
/* The value of a step away from the middle of the deck to EDGES_FIRST, in heads / 32768. */
enum { EDGE_BONUS = 1700, MIDDLE = 52 };

/* The unit in which SENSIBLE counts: this many to a point. */
enum { POINT = 8 };
/* What a tile drawn is worth to it, an action card, and the heads of a tile that it has not seen yet. */
enum { TILE_WORTH = -POINT, ACTION_WORTH = POINT, UNSEEN_HEADS = 2 };
/* The least that a card must gain to be played. */
enum { FIVE_GAIN = 4 * POINT, HEADS_GAIN = 6 * POINT, ACTION_GAIN = 3 * POINT };

/* What the field does for the tile that covers it, with `more` tiles in the row that do not lie there yet. */
ALWAYS int worth(const Board *b, const State *s, int row, int slot, int tile, int more) {
    switch (b->kind[row][slot]) {
    case HEADS: return POINT * b->points[row][slot] * b->heads[tile];
    case POINTS: return POINT * b->points[row][slot];
    case TAKE:
    case TAKE_TILES: return -POINT * (s->sum[row] + UNSEEN_HEADS * more);
    case DRAW_TILE: return TILE_WORTH;
    case DRAW_ACTION: return ACTION_WORTH;
    default: return 0;
    }
}

/* A tile of the hand, before the reveal: up to two of the others' tiles may come to its row before it. chance[g][k] is how
   likely k of them fall into a gap of g numbers, in parts of 256. */
ALWAYS int worth_of_tile(const Board *b, const State *s, int tile) {
    int row = row_for(b, s, tile, s->stops), end = s->end[row], slot = s->length[row], found = 0;
    const int32_t *chance = b->chance[s->two][end < tile ? tile - end - 1 : tile - 1];
    for (int k = 0; k < 3 && slot + k < b->fields[row]; k++) found += chance[k] * worth(b, s, row, slot + k, tile, k);
    return found;
}

/* The cost that the simple policies minimise. */
ALWAYS int cost_of_tile(const Board *b, const State *s, int policy, int tile) {
    int row = row_for(b, s, tile, s->stops), end = s->end[row], count = s->length[row], places = b->widest - 1;
    int apart = tile > end ? tile - end : end - tile;
    if (policy == LOWEST) return tile;
    if (policy == HIGHEST) return -tile;
    if (policy == CLOSEST_SAFE) return count >= places ? (1 << 24) + (s->sum[row] << 8) + tile : (apart << 8) + tile;
    int cost = (8 * s->sum[row] + 13 * (places - count)) * b->risk[count][apart - 1];
    return policy == LEAST_RISK ? cost : cost - EDGE_BONUS * (tile > MIDDLE ? tile - MIDDLE : MIDDLE - tile);
}

/* The tile, or two, that a seat plays. */
ALWAYS int choose_tiles(const Board *b, const State *s, int seat, int policy, uint64_t *dice) {
    const uint64_t *hand = s->hands[seat];
    int size = size_of(hand), pairs = s->two && size > 1;
    if (policy == RANDOM || (pairs && policy != SENSIBLE)) {
        if (!pairs) return nth(hand, (int)nl_below(dice, (uint32_t)size));
        int at = (int)nl_below(dice, (uint32_t)(size * (size - 1) / 2)), first = 0;
        for (; at >= size - 1 - first; first++) at -= size - 1 - first;
        return nth(hand, first) | nth(hand, first + 1 + at) << 8;
    }
    int best = 0, second = 0, best_worth = 0, second_worth = 0;
    for (int tile = after(hand, 0); tile; tile = after(hand, tile)) {
        int found = policy == SENSIBLE ? worth_of_tile(b, s, tile) : -cost_of_tile(b, s, policy, tile);
        if (!best || found > best_worth) {
            second = best, second_worth = best_worth;
            best = tile, best_worth = found;
        } else if (!second || found > second_worth) {
            second = tile, second_worth = found;
        }
    }
    if (!pairs) return best;
    return best < second ? best | second << 8 : second | best << 8;
}

/* The immediate points for placing the tile by a plan. */
ALWAYS int worth_of_plan(const Board *b, const State *s, const nl_board_plan *plan, int tile, int stops) {
    Landing to = landing(b, s, plan, tile, stops);
    return worth(b, s, to.row, to.slot, plan->at_start ? s->rows[to.row][to.slot - 1] : tile, 0);
}

/* The card that SENSIBLE plays before a tile, or PASS. "5 plus points" and "Positive heads" are played where they gain
   enough; an action card only for a tile that would cost points, the one that saves most. Of equals the first listed. */
static int choose_card(const Board *b, const State *s, int seat) {
    const int tile = s->queue_tile[0];
    const nl_board_plan *plan = &s->plan;
    if (plan->luck >= 0) return PASS;
    Landing to = landing(b, s, plan, tile, s->stops);
    int now = worth_of_plan(b, s, plan, tile, s->stops), best = PASS, gain = 0, last = b->fields[to.row] - 1;
    int kind = b->kind[to.row][to.slot];
    if (s->luck[seat][PLUS_FIVE] && to.slot != last && 5 * POINT - now >= FIVE_GAIN) {
        best = USE(LUCK_CODE, 0, 0);
        gain = 5 * POINT - now;
    }
    if (s->luck[seat][POSITIVE_HEADS] && (kind == TAKE || kind == TAKE_TILES)) {
        /* The two tiles with most heads; of equals the lower. */
        int one = 0, two = 0;
        for (int slot = 0; slot < s->length[to.row]; slot++) {
            int other = s->rows[to.row][slot];
            if (!other) continue;
            if (!one || b->heads[other] > b->heads[one] || (b->heads[other] == b->heads[one] && other < one)) {
                two = one;
                one = other;
            } else if (!two || b->heads[other] > b->heads[two] || (b->heads[other] == b->heads[two] && other < two)) {
                two = other;
            }
        }
        int plus = (b->heads[one] + (two ? b->heads[two] : 0)) * POINT * (kind == TAKE ? 2 : 1);
        if (plus >= HEADS_GAIN && plus > gain) {
            best = USE(LUCK_CODE + POSITIVE_HEADS, two && two < one ? two : one, two && two < one ? one : two);
            gain = plus;
        }
    }
    if (now >= 0 || is_planned(plan)) return best;
    nl_board_plan with = NO_PLAN;
#define CONSIDER(code, found)                                               \
    do {                                                                    \
        int more = (found) - now;                                           \
        if (more >= ACTION_GAIN && more > gain) gain = more, best = (code); \
    } while (0)
    if (s->actions[seat][STOP] && __builtin_popcount((unsigned)s->stops) < MARKERS) {
        int stops = s->stops | 1 << to.row;
        if (landing(b, s, plan, tile, stops).row >= 0)
            CONSIDER(USE(ACTION_CODE + STOP, to.row + 1, 0), worth_of_plan(b, s, plan, tile, stops));
    }
    if (s->actions[seat][SWAP])
        for (int other = after(s->hands[seat], 0); other; other = after(s->hands[seat], other))
            CONSIDER(USE(ACTION_CODE + SWAP, other, 0), worth_of_plan(b, s, plan, other, s->stops));
    if (s->actions[seat][SKIP] && to.slot < last)
        CONSIDER(USE(ACTION_CODE + SKIP, 0, 0), worth(b, s, to.row, to.slot + 1, tile, 0));
    for (int action = START; action <= ASCENDING; action++) {
        if (!s->actions[seat][action]) continue;
        for (int row = 0; row < b->n_rows; row++) {
            if (!s->length[row] || (s->stops >> row & 1)) continue;
            if (action == START ? s->rows[row][0] <= tile : s->end[row] >= tile) continue;
            with.row = row;
            with.at_start = action == START;
            CONSIDER(USE(ACTION_CODE + action, row + 1, 0), worth_of_plan(b, s, &with, tile, s->stops));
        }
    }
#undef CONSIDER
    return best;
}

/* The choice of a seat that decides alone. */
ALWAYS int choose_other(const Board *b, const State *s, int seat, int policy, uint64_t *dice) {
    const int low = b->lows[seat];
    int sensible = low == SENSIBLY || (policy == SENSIBLE && low < SENSIBLY);
    if (s->asked == ASK_CARDS && (low == ANYTHING || low == ANY_CARD)) {
        int32_t uses[NL_BOARD_OPTIONS];
        int count = list_uses(b, s, uses, NL_BOARD_OPTIONS);
        return uses[nl_below(dice, (uint32_t)(count < NL_BOARD_OPTIONS ? count : NL_BOARD_OPTIONS))];
    }
    if (s->asked == ASK_CARDS) return sensible ? choose_card(b, s, seat) : PASS;
    if (s->asked == ASK_LUCK) {
        int most = most_fives(s), fives = most;
        if (!sensible) {
            fives -= (int)nl_below(dice, (uint32_t)(most - fewest_fives(s) + 1));
        } else {
            /* As many of one kind as of the other, as far as it goes. */
            int best = 1 << 20;
            for (int some = most; some >= fewest_fives(s); some--) {
                int apart = s->luck[seat][0] + some - (s->luck[seat][1] + s->owed - some);
                if (apart < 0) apart = -apart;
                if (apart < best) best = apart, fives = some;
            }
        }
        return fives | (s->owed - fives) << 8;
    }
    int first = -1, count = 0, best = 0;
    for (int row = 0; row < b->n_rows; row++) {
        if (s->length[row]) continue;
        int found = sensible ? worth(b, s, row, 0, s->queue_tile[0], 0) : 0;
        if (!count++ || found > best) first = row, best = found;
    }
    if (sensible || (low != RANDOM_ROW && low != ANYTHING)) return first;
    for (int row = 0, left = (int)nl_below(dice, (uint32_t)count); row < b->n_rows; row++)
        if (!s->length[row] && left-- == 0) return row;
    return first;
}

/* How a seat chooses its tiles this time: by its policy, or it strays from it. */
ALWAYS int policy_of(const Board *b, int seat, const int32_t *policies, uint64_t *dice) {
    return b->stray[seat] && (int)nl_below(dice, 256) < b->stray[seat] ? RANDOM : policies[seat];
}

/* Let everybody's policy decide until the game or the round is over. */
ALWAYS int play_on(const Board *b, State *s, int round, const int32_t *policies, uint64_t *dice) {
    while (!s->over && s->round == round) {
        if (s->asked == ASK_TILES) {
            /* All choose before anything is revealed. */
            int chosen[NL_BOARD_SEATS] = {0};
            for (int seat = 0; seat < b->players; seat++)
                if (!is_empty(s->hands[seat]))
                    chosen[seat] = choose_tiles(b, s, seat, policy_of(b, seat, policies, dice), dice);
            for (int seat = 0; seat < b->players; seat++) reveal(s, seat, chosen[seat]);
        } else {
            int seat = asked_seat(s), wrong = answer(b, s, choose_other(b, s, seat, policies[seat], dice));
            if (wrong) return wrong;
        }
        if (go_on(b, s)) return NL_BAD_CODE;
    }
    return NL_OK;
}

/* A seat's share of the win, given the totals; most points wins. */
ALWAYS int credit(const Board *b, const State *s, int seat) {
    int best = -TRACK, ties = 0;
    for (int other = 0; other < b->players; other++) best = s->totals[other] > best ? s->totals[other] : best;
    for (int other = 0; other < b->players; other++) ties += s->totals[other] == best;
    return s->totals[seat] == best ? NL_CREDIT / ties : 0;
}

#endif
