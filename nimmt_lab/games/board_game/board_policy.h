/* Policies for seats that don't search: those of the simulation (nimmt_lab/study/by_engine.py), and SENSIBLE
   (policy.py in this folder). Everything is in integers, so that the engine plays the same. */
#ifndef NIMMT_BOARD_POLICY_H
#define NIMMT_BOARD_POLICY_H

#include "board.h"

enum { RANDOM, LOWEST, HIGHEST, CLOSEST_SAFE, LEAST_RISK, EDGES_FIRST, POLICIES, SENSIBLE = 16, EITHER };
/* What a policy does at decisions other than tiles. The first three: like SENSIBLE if that is the policy; otherwise
   no card, any luck cards, and the first row (or any row). The others, whatever the policy: like SENSIBLE, at random,
   like the first, or like the first but with any card. */
enum { CHEAPEST_ROW, RANDOM_ROW, SHORTEST_ROW, SENSIBLY, ANYTHING, BY_HABIT, ANY_CARD, ROW_POLICIES };
/* EDGES_FIRST: the bonus per step away from the middle of the deck, in heads / 32768. */
enum { EDGE_BONUS = 1700, MIDDLE = 52 };

/* The unit of SENSIBLE's evaluations: so many per point. */
enum { POINT = 8 };
/* SENSIBLE's values of a drawn tile, of an action card, and of the heads on an unknown tile. */
enum { TILE_WORTH = -POINT, ACTION_WORTH = POINT, UNSEEN_HEADS = 2 };
/* The least gain for which it plays a card. */
enum { FIVE_GAIN = 4 * POINT, HEADS_GAIN = 6 * POINT, ACTION_GAIN = 3 * POINT };

/* The value of a field for the tile that covers it, with `more` expected tiles in the row. */
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

/* The value of a tile in hand before the reveal: up to two tiles of the others may be placed in its row first.
   chance[g][k] is the probability, in 256ths, that k of them fall into a gap of g numbers. */
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

/* The one or two tiles that a seat plays. */
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

/* The immediate points for placing a tile by a plan. */
ALWAYS int worth_of_plan(const Board *b, const State *s, const nl_board_plan *plan, int tile, int stops) {
    Landing to = landing(b, s, plan, tile, stops);
    return worth(b, s, to.row, to.slot, plan->at_start ? s->rows[to.row][to.slot - 1] : tile, 0);
}

/* The card that SENSIBLE plays before a tile, or PASS. It plays "5 plus points" and "Positive heads" where they gain
   enough, and an action card only if the tile would cost points: the card that saves most, the first of equals. */
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
        /* The two tiles with the most heads, the lower of equals. */
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
            /* As many of one kind as of the other, as far as possible. */
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

/* How a seat chooses its tiles this time: by its policy, or at random. */
ALWAYS int policy_of(const Board *b, int seat, const int32_t *policies, uint64_t *dice) {
    return b->stray[seat] && (int)nl_below(dice, 256) < b->stray[seat] ? RANDOM : policies[seat];
}

/* Let the policies play to the end of the game or the round. */
ALWAYS int play_on(const Board *b, State *s, int round, const int32_t *policies, uint64_t *dice) {
    while (!s->over && s->round == round) {
        if (s->asked == ASK_TILES) {
            /* Everybody chooses before the reveal. */
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

/* A seat's share of the win, given the totals; the most points win. */
ALWAYS int credit(const Board *b, const State *s, int seat) {
    int best = -TRACK, ties = 0;
    for (int other = 0; other < b->players; other++) best = s->totals[other] > best ? s->totals[other] : best;
    for (int other = 0; other < b->players; other++) ties += s->totals[other] == best;
    return s->totals[seat] == best ? NL_CREDIT / ties : 0;
}

#endif
