/* Validation of input: nothing in the kernel runs on a workspace that has not passed these checks. */
#ifndef NIMMT_BOARD_CHECK_H
#define NIMMT_BOARD_CHECK_H

#include "board_policy.h"

ALWAYS int is_flag(int value) { return value == 0 || value == 1; }

/* Check the material, the settings and the policies. */
static inline int check_settings(const Board *b, int searching) {
    if (is_outside(b->players, 2, NL_BOARD_SEATS)) return NL_BAD_SIZE;
    if (!is_flag(b->advanced) || !is_flag(b->luck) || !is_flag(b->first_acts) || !is_flag(b->refills))
        return NL_BAD_CODE;
    if (is_outside(b->n_rows, ACTIVE_ROWS, NL_BOARD_ROWS) || is_outside(b->widest, 2, NL_BOARD_FIELDS) ||
        is_outside(b->n_twos, 0, NL_BOARD_ROWS * NL_BOARD_FIELDS))
        return NL_BAD_SIZE;
    for (int row = 0; row < b->n_rows; row++) {
        int fields = b->fields[row];
        if (fields < 2 || fields > b->widest) return NL_BAD_SIZE;
        for (int slot = 0; slot < fields; slot++) {
            int kind = b->kind[row][slot], takes = kind == TAKE || kind == TAKE_TILES;
            if (kind >= FIELD_KINDS || (takes && slot == 0) || (!takes && slot == fields - 1)) return NL_BAD_CODE;
            if (b->points[row][slot] < -99 || b->points[row][slot] > 99) return NL_BAD_SIZE;
        }
    }
    for (int i = 0; i < b->n_twos; i++) {
        int row = b->two_row[i];
        if (row >= b->n_rows || b->two_slot[i] >= b->fields[row]) return NL_BAD_SIZE;
    }
    for (int tile = 0; tile < NL_BOARD_TILES; tile++)
        if (b->heads[tile] > 99 || b->clovers[tile] > 1) return NL_BAD_SIZE;
    int cards = 0;
    for (int kind = 0; kind < ACTION_KINDS; kind++) {
        if (is_outside(b->action_cards[kind], 0, NL_BOARD_ACTIONS)) return NL_BAD_SIZE;
        cards += b->action_cards[kind];
    }
    if (cards > NL_BOARD_ACTIONS) return NL_BAD_SIZE;
    for (int kind = 0; kind < LUCK_KINDS; kind++)
        if (b->luck_cards[kind] < 0 || b->luck_cards[kind] > 999) return NL_BAD_SIZE;
    for (int seat = 0; seat < b->players; seat++) {
        int policy = b->policies[seat];
        if (policy < 0 || (policy >= POLICIES && policy != SENSIBLE && !(policy == EITHER && searching)))
            return NL_BAD_CODE;
        if (is_outside(b->lows[seat], 0, ROW_POLICIES - 1)) return NL_BAD_CODE;
    }
    for (int gap = 0; gap < NL_BOARD_TILES; gap++) {
        for (int i = 0; i < 8; i++)
            if (b->chance[i >> 2][gap][i & 3] < 0 || b->chance[i >> 2][gap][i & 3] > 256) return NL_BAD_SIZE;
        for (int count = 0; count < NL_BOARD_FIELDS; count++)
            if (b->risk[count][gap] < 0 || b->risk[count][gap] > 4096) return NL_BAD_SIZE;
    }
    return NL_OK;
}

/* Mark one more tile as used; each may appear only once. */
ALWAYS int meet(uint64_t *seen, int tile) {
    if (tile < 1 || tile > TILES || has(seen, tile)) return NL_BAD_CODE;
    add(seen, tile);
    return NL_OK;
}

/* Check a game in progress. Fills in the ends and heads of rows, which follow from the tiles, and adds the tiles to
   `seen`. */
static inline int check_state(const Board *b, State *s, uint64_t *seen) {
    int active = 0, open = 0, cards = 0, held = 0;
    if (s->stops < 0 || s->stops >> b->n_rows || __builtin_popcount((unsigned)s->stops) > MARKERS) return NL_BAD_CODE;
    if (is_outside(s->n_queue, 0, TILES) || is_outside(s->n_stock, 0, TILES)) return NL_BAD_SIZE;
    if (is_outside(s->n_deck, 0, NL_BOARD_ACTIONS)) return NL_BAD_SIZE;
    if (is_outside(s->n_discards, 0, NL_BOARD_ACTIONS - s->n_deck)) return NL_BAD_SIZE;
    for (int row = 0; row < b->n_rows; row++) {
        int length = s->length[row];
        if (length >= b->fields[row]) return NL_BAD_SIZE;
        s->end[row] = length ? s->rows[row][length - 1] : 0;
        s->sum[row] = 0;
        if (!length) {
            if (s->stops >> row & 1) return NL_BAD_CODE;
            continue;
        }
        active++;
        open += !(s->stops >> row & 1);
        if (!s->rows[row][0] || !s->end[row]) return NL_BAD_CODE;
        for (int slot = 0; slot < length; slot++) {
            int tile = s->rows[row][slot];
            if (!tile) continue;
            if (meet(seen, tile)) return NL_BAD_CODE;
            s->sum[row] += b->heads[tile];
        }
    }
    if (!open || active > b->n_rows) return NL_BAD_CODE;
    for (int i = 0; i < s->n_queue; i++)
        if (s->queue_seat[i] >= b->players || meet(seen, s->queue_tile[i])) return NL_BAD_CODE;
    for (int seat = 0; seat < b->players; seat++) {
        if (s->hands[seat][0] & 1 || s->hands[seat][1] >> (TILES - 63)) return NL_BAD_CODE;
        for (int tile = after(s->hands[seat], 0); tile; tile = after(s->hands[seat], tile))
            if (meet(seen, tile)) return NL_BAD_CODE;
        held += !is_empty(s->hands[seat]);
        for (int kind = 0; kind < LUCK_KINDS; kind++)
            if (is_outside(s->luck[seat][kind], 0, 9999)) return NL_BAD_SIZE;
        for (int kind = 0; kind < ACTION_KINDS; kind++) {
            if (is_outside(s->actions[seat][kind], 0, NL_BOARD_ACTIONS)) return NL_BAD_SIZE;
            cards += s->actions[seat][kind];
        }
        if (is_outside(s->totals[seat], -TRACK, TRACK) || is_outside(s->takes[seat], 0, 9999) ||
            is_outside(s->full[seat], 0, 9999) || is_outside(s->take_turns[seat], 0, 9999))
            return NL_BAD_SIZE;
    }
    for (int i = 0; i < s->n_stock; i++)
        if (meet(seen, s->stock[i])) return NL_BAD_CODE;
    for (int i = 0; i < s->n_deck; i++)
        if (s->deck[i] >= ACTION_KINDS) return NL_BAD_CODE;
    for (int i = 0; i < s->n_discards; i++)
        if (s->discards[i] >= ACTION_KINDS) return NL_BAD_CODE;
    if (cards + s->n_deck + s->n_discards > NL_BOARD_ACTIONS) return NL_BAD_SIZE;
    for (int kind = 0; kind < LUCK_KINDS; kind++)
        if (s->luck_stacks[kind] < 0 || s->luck_stacks[kind] > 9999) return NL_BAD_SIZE;
    if (is_outside(s->round, 0, 9) || is_outside(s->turn, 0, 9999)) return NL_BAD_CODE;
    if (!is_flag(s->two) || !is_flag(s->over) || !is_flag(s->quiet)) return NL_BAD_CODE;
    if (is_outside(s->owed_seat, -1, b->players - 1)) return NL_BAD_CODE;
    if (s->owed < 0 || (s->owed_seat >= 0 ? s->owed < 1 : s->owed > 0)) return NL_BAD_CODE;
    if (s->owed > s->luck_stacks[0] + s->luck_stacks[1]) return NL_BAD_SIZE;
    if (s->starting < -1 || s->starting >= b->n_rows) return NL_BAD_CODE;
    if (s->starting >= 0 && (s->length[s->starting] || !s->n_queue || is_planned(&s->plan))) return NL_BAD_CODE;
    const nl_board_plan *plan = &s->plan;
    if (is_outside(plan->skips, 0, NL_BOARD_FIELDS) || is_outside(plan->row, -1, b->n_rows - 1)) return NL_BAD_CODE;
    if (!is_flag(plan->at_start) || plan->luck < -1 || plan->luck >= LUCK_KINDS) return NL_BAD_CODE;
    if (plan->n_tiles < 0 || plan->n_tiles > 2 || (plan->n_tiles && plan->luck != POSITIVE_HEADS)) return NL_BAD_CODE;
    if (plan->at_start && (plan->row < 0 || plan->skips)) return NL_BAD_CODE;
    if (plan->row >= 0 && !s->length[plan->row]) return NL_BAD_CODE;
    if (is_planned(plan) && (!s->n_queue || landing(b, s, plan, s->queue_tile[0], s->stops).row < 0))
        return NL_BAD_CODE;
    if (s->asked < 0 || s->asked >= QUESTIONS || (s->asked == NOBODY) != s->over) return NL_BAD_CODE;
    switch (s->asked) {
    case ASK_TILES:
        if (s->n_queue || s->owed_seat >= 0 || s->starting >= 0) return NL_BAD_CODE;
        if (!held || (b->advanced && held < b->players) || s->two != plays_two(b, s)) return NL_BAD_CODE;
        break;
    case ASK_CARDS:
        if (!s->n_queue || s->owed_seat >= 0 || s->starting >= 0) return NL_BAD_CODE;
        break;
    case ASK_LUCK:
        if (s->owed_seat < 0 || most_fives(s) <= fewest_fives(s)) return NL_BAD_CODE;
        break;
    case ASK_ROW:
        if (s->starting < 0 || s->owed_seat >= 0) return NL_BAD_CODE;
        break;
    default: break;
    }
    return NL_OK;
}

/* Whether that is a legal answer of the seat. */
static inline int check_choice(const Board *b, const State *s, int seat, int code) {
    if (s->asked == ASK_TILES) {
        int low = code & 255, high = code >> 8, size = size_of(s->hands[seat]);
        if (!size) return code ? NL_BAD_CODE : NL_OK;
        if (code < 0 || low < 1 || low > TILES || high > TILES || !has(s->hands[seat], low)) return NL_BAD_CODE;
        if (!(s->two && size > 1)) return high ? NL_BAD_CODE : NL_OK;
        return high > low && has(s->hands[seat], high) ? NL_OK : NL_BAD_CODE;
    }
    if (seat != asked_seat(s)) return code ? NL_BAD_CODE : NL_OK;
    if (s->asked == ASK_LUCK) {
        int fives = code & 255, heads = code >> 8;
        if (code < 0 || fives + heads != s->owed) return NL_BAD_CODE;
        return fives <= s->luck_stacks[0] && heads <= s->luck_stacks[1] ? NL_OK : NL_BAD_CODE;
    }
    if (s->asked == ASK_ROW) return code >= 0 && code < b->n_rows && !s->length[code] ? NL_OK : NL_BAD_CODE;
    int32_t uses[NL_BOARD_OPTIONS];
    int count = list_uses(b, s, uses, NL_BOARD_OPTIONS);
    for (int i = 0; i < count && i < NL_BOARD_OPTIONS; i++)
        if (uses[i] == code) return NL_OK;
    return NL_BAD_CODE;
}

#endif
