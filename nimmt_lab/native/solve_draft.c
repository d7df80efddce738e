/* Fast playouts with open hands, for estimates of a deal.
 *
 * Both players look one turn ahead. Each plays the card with the best average over the other's cards this turn, plus a
 * little noise; a low card takes the cheapest row, whose heads count. The draft adviser needs thousands of such rounds per
 * second to distinguish good hands from bad ones. */
#include "rng.h"
#include "solve.h"
#include "solve_packed.h"

#define MOST_DRAFTED 24
/* Fractions of a head; the noise is less than one head. */
#define NOISE 1024

/* The rows after A's and B's cards, where low cards take the cheapest row; *now: B's heads minus A's. */
static uint64_t one_turn(int a, int b, uint64_t rows, uint64_t heads, int32_t *now) {
    int first = a < b ? a : b, second = a < b ? b : a, index = row_below(rows, 2 * first + 1);
    played after = play_two(rows, index, index < 0 ? cheapest_row(rows) : 0, first, second, heads);
    *now = a < b ? after.two - after.one : after.one - after.two;
    return after.rows;
}

/* Play a deal to its end and return B's heads minus A's. */
static int32_t play_out(uint32_t mask_a, uint32_t mask_b, uint64_t rows, uint64_t heads, uint64_t *rng) {
    int32_t total = 0, now;
    while (mask_a) {
        int32_t score[2][MOST_CARDS], best_a = INT32_MIN, best_b = INT32_MIN;
        int card_a = 0, card_b = 0;
        for (int index = 0; index < 2 * MOST_CARDS; index++)
            score[index / MOST_CARDS][index % MOST_CARDS] = (int32_t)nl_below(rng, NOISE);
        for (uint32_t hand_a = mask_a; hand_a; hand_a &= hand_a - 1)
            for (uint32_t hand_b = mask_b; hand_b; hand_b &= hand_b - 1) {
                int a = lowest_bit(hand_a), b = lowest_bit(hand_b);
                one_turn(a, b, rows, heads, &now);
                score[0][a] += NOISE * now;
                score[1][b] -= NOISE * now;
            }
        for (uint32_t hand_a = mask_a, hand_b = mask_b; hand_a; hand_a &= hand_a - 1, hand_b &= hand_b - 1) {
            int a = lowest_bit(hand_a), b = lowest_bit(hand_b);
            if (score[0][a] > best_a) {
                best_a = score[0][a];
                card_a = a;
            }
            if (score[1][b] > best_b) {
                best_b = score[1][b];
                card_b = b;
            }
        }
        rows = one_turn(card_a, card_b, rows, heads, &now);
        total += now;
        mask_a &= ~(1u << card_a);
        mask_b &= ~(1u << card_b);
    }
    return total;
}

/* Deal the free cards at random, alternating between the players, until four are left. */
static void finish_draft(int8_t *owners, int cards, int picker, uint64_t *rng) {
    int left = 0;
    for (int card = 0; card < cards; card++) left += owners[card] < 0;
    for (; left > 4; left--, picker = 1 - picker) {
        int skip = (int)nl_below(rng, (uint32_t)left), card = 0;
        while (owners[card] >= 0 || skip-- > 0) card++;
        owners[card] = (int8_t)picker;
    }
}

NL_API int32_t nl_draft_play(const int32_t *draft, int32_t cards, int32_t picker, int32_t rounds, int64_t *state) {
    if (cards < 6 || cards > MOST_DRAFTED || cards % 2 || rounds < 1 || rounds > 1 << 24) return NL_BAD_SIZE;
    if (picker < 0 || picker > 1) return NL_BAD_CODE;
    int held[3] = {0, 0, 0};
    for (int card = 0; card < cards; card++) {
        if (draft[2 * card] < -1 || draft[2 * card] > 1 || draft[2 * card + 1] < 0 || draft[2 * card + 1] > 7)
            return NL_BAD_CODE;
        held[draft[2 * card] + 1]++;
    }
    /* Players pick alternately, so both hands end up equal in size. */
    int each = (cards - 4) / 2, missing[2] = {each - held[1], each - held[2]};
    if (held[0] < 4 || missing[picker] - missing[1 - picker] < 0 || missing[picker] - missing[1 - picker] > 1)
        return NL_BAD_CODE;
    uint64_t rng = (uint64_t)state[0];
    for (int32_t round = 0; round < rounds; round++) {
        int8_t owners[MOST_DRAFTED];
        for (int card = 0; card < cards; card++) owners[card] = (int8_t)draft[2 * card];
        finish_draft(owners, cards, picker, &rng);
        uint32_t masks[2] = {0, 0};
        uint64_t rows = 0, heads = 0;
        int seen = 0, slot = 0;
        for (int card = 0; card < cards; card++) {
            uint64_t weight = (uint64_t)draft[2 * card + 1];
            if (owners[card] < 0) /* a row, whose end is just below the next hand card */
                rows |= ((uint64_t)(2 * seen) | (1u << 6) | (weight << 9)) << (16 * slot++);
            else {
                heads |= weight << (3 * seen);
                masks[owners[card]] |= 1u << seen++;
            }
        }
        int64_t result = play_out(masks[0], masks[1], rows, heads, &rng);
        state[1] += result;
        state[2] += result * result;
    }
    state[0] = (int64_t)rng;
    return NL_OK;
}
