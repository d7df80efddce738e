/* Whole games of the board game, and single steps of one: the engine is held against these. */
#include "board_check.h"
#include "kernel.h"

NL_API int32_t nl_board_size(void) { return (int32_t)sizeof(nl_board); }

/* Round `number`: tiles, the first ones of the rows, the stock and the action cards, as start_round deals them. */
static int deal(Board *b, State *s, uint64_t number, uint64_t *dice) {
    uint8_t tiles[TILES], cards[NL_BOARD_ACTIONS];
    int at = 0, n_cards = 0;
    memset(s, 0, sizeof *s);
    s->rng = nl_stream(b->key, number);
    *dice = nl_stream(nl_key(s->rng), 1);
    for (int i = 0; i < TILES; i++) tiles[i] = (uint8_t)(i + 1);
    nl_shuffle(&s->rng, tiles, TILES, TILES);
    for (int seat = 0; seat < b->players; seat++) {
        for (int i = 0; i < HAND; i++) add(s->hands[seat], tiles[at++]);
        s->take_turn[seat] = -1;
    }
    /* The rows from the top; in advanced mode with 4 to 6 players those at the bottom. */
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
    return wrong ? wrong : check_state(b, seen);
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
