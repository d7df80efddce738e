/* Whole games of the board game, and single steps: tests compare the engine with these. */
#include "board_check.h"
#include "kernel.h"

#define SELF nl_board
static const nl_field FIELDS[] = {
    NL_OWN(key, first, dice, stats, players, advanced, luck, first_acts, refills, n_rows, n_twos, widest),
    NL_OWN(action_cards, luck_cards, policies, lows, stray, choices, me, tiles_of, actions_of, n_unseen,
           n_unseen_actions, n_options),
    NL_OWN(options, blind, fields, two_row, two_slot, heads, clovers, unseen, unseen_actions),
    NL_AS(rng, rng),
    NL_AS(state_rng, state.rng),
    NL_AS(wins, wins),
    NL_PART(state, totals, round, turn, over, asked, two, stops, owed_seat, owed, starting, luck_stacks),
    NL_PART(state, sum, takes, full, take_turns, take_turn, n_queue, n_stock, n_deck, n_discards, quiet, length, end),
    NL_PART(state, queue_tile, queue_seat, stock, deck, discards),
    NL_PART(state.plan, skips, at_start),
    NL_GRIDS(risk, kind, points),
    NL_PART_GRIDS(state, hands, piles, actions, rows),
    NL_GRID_AS(luck_held, state.luck),
    NL_AS(plan_row, state.plan.row),
    NL_AS(plan_luck, state.plan.luck),
    NL_AS(n_plan_tiles, state.plan.n_tiles),
    NL_AS(plan_tiles, state.plan.tiles),
    NL_CUBE(chance),
    NL_BELIEF_FIELDS};
NL_API int32_t nl_board_layout(nl_field *into, int32_t count) { return NL_DESCRIBE(FIELDS, into, count); }

/* Deal round `number`, and start the stream of its choices. */
static int deal(const Board *b, State *s, uint64_t number, uint64_t *dice) {
    const uint64_t rng = nl_stream(b->key, number);
    *dice = nl_stream(nl_key(rng), 1);
    return deal_round(b, s, rng);
}

NL_API int32_t nl_board_rounds(nl_board *b, int32_t rounds, int32_t *out, int32_t size) {
    int wrong = check_settings(b, 0);
    if (wrong) return wrong;
    if (rounds < 0 || rounds > 1 << 20) return NL_BAD_SIZE;
    if ((int64_t)rounds * 24 * b->players > size) return NL_TOO_SMALL;
    for (int i = 0; i < rounds; i++) {
        State s;
        uint64_t dice;
        wrong = deal(b, &s, b->first++, &dice);
        if (!wrong) wrong = play_on(b, &s, 0, b->policies, &dice);
        if (wrong) return wrong;
        for (int seat = 0; seat < b->players; seat++, out += 6) {
            out[0] = s.totals[seat];
            out[1] = s.full[seat];
            out[2] = 0;
            out[3] = s.takes[seat] - s.full[seat];
            out[4] = s.take_turns[seat];
            out[5] = credit(b, &s, seat);
        }
    }
    return NL_OK;
}

NL_API int32_t nl_board_deal(nl_board *b) {
    int wrong = check_settings(b, 0);
    return wrong ? wrong : deal(b, &b->state, b->first++, &b->dice);
}

static int check_all(nl_board *b) {
    uint64_t seen[2] = {0, 0};
    int wrong = check_settings(b, 0);
    return wrong ? wrong : check_state(b, &b->state, seen);
}

NL_API int32_t nl_board_list(nl_board *b, int32_t seat) {
    int wrong = check_all(b), count = 0;
    State *s = &b->state;
    if (wrong) return wrong;
    if (seat < 0 || seat >= b->players || s->over) return NL_BAD_CODE;
    if (s->asked == ASK_TILES) {
        const uint64_t *hand = s->hands[seat];
        int pairs = s->two && size_of(hand) > 1;
        for (int low = after(hand, 0); low; low = after(hand, low)) {
            if (!pairs && count < NL_BOARD_OPTIONS) b->options[count++] = low;
            for (int high = after(hand, low); pairs && high; high = after(hand, high))
                if (count < NL_BOARD_OPTIONS) b->options[count++] = low | high << 8;
        }
        return count;
    }
    if (seat != asked_seat(s)) return NL_BAD_CODE;
    if (s->asked == ASK_CARDS) {
        count = list_uses(b, s, b->options, NL_BOARD_OPTIONS);
        return count < NL_BOARD_OPTIONS ? count : NL_BOARD_OPTIONS;
    }
    if (s->asked == ASK_LUCK)
        for (int fives = most_fives(s); fives >= fewest_fives(s) && count < NL_BOARD_OPTIONS; fives--)
            b->options[count++] = fives | (s->owed - fives) << 8;
    if (s->asked == ASK_ROW)
        for (int row = 0; row < b->n_rows; row++)
            if (!s->length[row]) b->options[count++] = row;
    return count;
}

NL_API int32_t nl_board_step(nl_board *b) {
    int wrong = check_all(b);
    State *s = &b->state;
    if (wrong) return wrong;
    if (s->over) return NL_BAD_CODE;
    for (int seat = 0; seat < b->players; seat++)
        if (check_choice(b, s, seat, b->choices[seat])) return NL_BAD_CODE;
    if (s->asked == ASK_TILES)
        for (int seat = 0; seat < b->players; seat++) reveal(s, seat, b->choices[seat]);
    else wrong = answer(b, s, b->choices[asked_seat(s)]);
    return wrong ? wrong : go_on(b, s);
}

NL_API int32_t nl_board_choose(nl_board *b) {
    int wrong = check_all(b);
    State *s = &b->state;
    if (wrong) return wrong;
    if (s->over) return NL_BAD_CODE;
    for (int seat = 0; seat < b->players; seat++) {
        b->choices[seat] = 0;
        if (s->asked == ASK_TILES && !is_empty(s->hands[seat]))
            b->choices[seat] = choose_tiles(b, s, seat, policy_of(b, seat, b->policies, &b->dice), &b->dice);
    }
    if (s->asked != ASK_TILES)
        b->choices[asked_seat(s)] = choose_other(b, s, asked_seat(s), b->policies[asked_seat(s)], &b->dice);
    return NL_OK;
}
