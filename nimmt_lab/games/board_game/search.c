/* Playouts from a view: deal the hidden tiles and action cards as guess.py in this folder does, then play the round
   out. Playout p of a key deals the same cards for every option, and the same as the engine. */
#include "board_check.h"
#include "kernel.h"
#include "belief.h"

/* Deal unseen tiles to the hidden hands, seat by seat, and to the stock; action cards likewise. */
static void deal_out(const Board *b, State *s, uint64_t *dice) {
    uint8_t tiles[NL_BOARD_TILES], cards[NL_BOARD_ACTIONS];
    int at = 0, card = 0;
    memcpy(tiles, b->unseen, sizeof tiles);
    memcpy(cards, b->unseen_actions, sizeof cards);
    *dice = nl_stream(nl_key(s->rng), 1);
    nl_shuffle(&s->rng, tiles, b->n_unseen, b->n_unseen);
    if (b->belief.settle) {
        nl_hand hands[NL_BOARD_SEATS];
        int count = 0, place = 0;
        for (int seat = 0; seat < b->players; seat++) {
            if (b->tiles_of[seat]) hands[count++] = (nl_hand){seat, place, b->tiles_of[seat]};
            place += b->tiles_of[seat];
        }
        settle_hands(&b->belief, dice, tiles, b->n_unseen, hands, count);
    }
    for (int seat = 0; seat < b->players; seat++)
        for (int i = 0; i < b->tiles_of[seat]; i++) add(s->hands[seat], tiles[at++]);
    for (int i = 0; i < s->n_stock; i++) s->stock[s->n_stock - 1 - i] = tiles[at + i];
    if (!b->advanced) return;
    nl_shuffle(&s->rng, cards, b->n_unseen_actions, b->n_unseen_actions);
    for (int seat = 0; seat < b->players; seat++)
        for (int i = 0; i < b->actions_of[seat]; i++) s->actions[seat][cards[card++]]++;
    for (int i = 0; i < s->n_deck; i++) s->deck[s->n_deck - 1 - i] = cards[card + i];
}

/* Play out one option of the view's seat after everything is dealt; the others decide by their policies. */
static int play_out(const Board *b, State *s, int option, const int32_t *policies, uint64_t *dice) {
    int round = s->round, wrong = NL_OK;
    if (b->blind) return play_on(b, s, round, policies, dice);
    if (s->asked == ASK_TILES) {
        int chosen[NL_BOARD_SEATS] = {0};
        for (int seat = 0; seat < b->players; seat++)
            if (seat != b->me && !is_empty(s->hands[seat]))
                chosen[seat] = choose_tiles(b, s, seat, policy_of(b, seat, policies, dice), dice);
        chosen[b->me] = option;
        for (int seat = 0; seat < b->players; seat++) reveal(s, seat, chosen[seat]);
    } else {
        wrong = answer(b, s, option);
    }
    if (!wrong) wrong = go_on(b, s);
    return wrong ? wrong : play_on(b, s, round, policies, dice);
}

/* The number of unseen cards must fit the hidden places, and none may be visible elsewhere. */
static int check_search(Board *b) {
    State *s = &b->state;
    uint64_t seen[2] = {0, 0};
    int tiles = 0, cards = 0, held = 0, wrong = check_settings(b, 1);
    if (wrong) return wrong;
    if (is_outside(b->me, 0, b->players - 1)) return NL_BAD_SIZE;
    if (is_outside(s->n_stock, 0, TILES) || is_outside(s->n_deck, 0, NL_BOARD_ACTIONS)) return NL_BAD_SIZE;
    if (is_outside(b->n_unseen, 0, TILES) || is_outside(b->n_unseen_actions, 0, NL_BOARD_ACTIONS)) return NL_BAD_SIZE;
    for (int seat = 0; seat < b->players; seat++) {
        if (is_outside(b->tiles_of[seat], 0, TILES)) return NL_BAD_SIZE;
        if (is_outside(b->actions_of[seat], 0, NL_BOARD_ACTIONS)) return NL_BAD_SIZE;
        if (b->tiles_of[seat] && !is_empty(s->hands[seat])) return NL_BAD_CODE;
        tiles += b->tiles_of[seat];
        cards += b->actions_of[seat];
    }
    if (!is_flag(b->blind) || check_belief(&b->belief)) return NL_BAD_CODE;
    if (!b->blind && (b->tiles_of[b->me] || b->actions_of[b->me])) return NL_BAD_CODE;
    if (b->blind && (s->asked != ASK_TILES || b->n_options != 1 || b->options[0] != -1)) return NL_BAD_CODE;
    if (tiles + s->n_stock > b->n_unseen || cards + s->n_deck > b->n_unseen_actions) return NL_BAD_SIZE;
    for (int i = 0; i < b->n_unseen_actions; i++)
        if (b->unseen_actions[i] >= ACTION_KINDS) return NL_BAD_CODE;
    for (int seat = 0; seat < b->players; seat++)
        for (int kind = 0; kind < ACTION_KINDS; kind++) {
            if (s->actions[seat][kind] < 0 || s->actions[seat][kind] > NL_BOARD_ACTIONS) return NL_BAD_SIZE;
            held += s->actions[seat][kind];
        }
    if (held + b->n_unseen_actions > NL_BOARD_ACTIONS) return NL_BAD_SIZE;
    /* With hidden cards dealt in any way, the rest is checked like a whole game: their places make no difference. */
    State view = *s;
    uint64_t dice;
    for (int i = 0; i < b->n_unseen; i++)
        if (b->unseen[i] < 1 || b->unseen[i] > TILES) return NL_BAD_CODE;
    deal_out(b, s, &dice);
    wrong = check_state(b, &b->state, seen);
    if (!wrong) {
        uint64_t rest[2] = {0, 0};
        for (int i = 0; i < b->n_unseen && !wrong; i++) wrong = meet(rest, b->unseen[i]);
        /* No visible card may be among the unseen ones. */
        for (int seat = 0; seat < b->players && !wrong; seat++)
            if (!b->tiles_of[seat] && ((rest[0] & s->hands[seat][0]) | (rest[1] & s->hands[seat][1])))
                wrong = NL_BAD_CODE;
        for (int i = 0; i < s->n_queue && !wrong; i++)
            if (has(rest, s->queue_tile[i])) wrong = NL_BAD_CODE;
        for (int row = 0; row < b->n_rows && !wrong; row++)
            for (int slot = 0; slot < s->length[row]; slot++)
                if (s->rows[row][slot] && has(rest, s->rows[row][slot])) wrong = NL_BAD_CODE;
    }
    memcpy(view.end, s->end, sizeof view.end);
    memcpy(view.sum, s->sum, sizeof view.sum);
    if (!wrong && (s->over || (s->asked == ASK_TILES ? is_empty(s->hands[b->me]) : asked_seat(s) != b->me)))
        wrong = NL_BAD_CODE;
    if (!wrong && (b->n_options < 1 || b->n_options > NL_BOARD_OPTIONS)) wrong = NL_BAD_SIZE;
    for (int o = 0; !wrong && !b->blind && o < b->n_options; o++) wrong = check_choice(b, s, b->me, b->options[o]);
    *s = view;
    return wrong;
}

NL_API int32_t nl_board_search(nl_board *b, int32_t playouts) {
    if (playouts < 0 || playouts > 1 << 24) return NL_BAD_SIZE;
    int wrong = check_search(b), me = b->me;
    if (wrong) return wrong;
    for (int i = 0; i < playouts; i++) {
        State dealt = b->state;
        uint64_t dice;
        dealt.rng = nl_stream(b->key, b->first++);
        deal_out(b, &dealt, &dice);
        /* The strength of the others is unknown, so a seat plays sensibly in one playout and at random in another. */
        int32_t policies[NL_BOARD_SEATS];
        for (int seat = 0; seat < b->players; seat++) {
            policies[seat] = b->policies[seat];
            if (policies[seat] == EITHER) policies[seat] = nl_below(&dice, 2) ? SENSIBLE : RANDOM;
        }
        for (int o = 0; o < b->n_options; o++) {
            /* Every option is tried with the same hidden cards, so that only its effect differs. */
            State s = dealt;
            uint64_t own = dice;
            wrong = play_out(b, &s, b->options[o], policies, &own);
            if (wrong) return wrong;
            int64_t lost = dealt.totals[me] - s.totals[me];
            nl_note(b->stats, o, lost, credit(b, &s, me));
        }
    }
    return NL_OK;
}
