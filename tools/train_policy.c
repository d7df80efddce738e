/* Training the network's weights (train_policy.py): seats play by it, against each other and against random players, and
   what it expects is brought closer to what happened. */
#include "games/classic/family.h"
#include "games/classic/network.h"

/* The network in training: a learning rate (0: only play), and one in `stray` choices at random. */
typedef struct {
    double rate;
    int64_t heads; /* what it has taken so far */
    int32_t stray, filler;
    int32_t chance[NL_CHANCES];
    float weights[NL_WEIGHTS], squares[NL_WEIGHTS], gains[16], gain_squares[16];
} nl_lesson;

/* Play and learn from so many more rounds. */
NL_API int32_t nl_classic_learn(nl_classic *w, nl_lesson *l, int32_t rounds);

/* The features of the table and of every card held. */
static void add_up(const nl_lesson *l, const Notes *notes, float *sums) {
    memcpy(sums, l->weights + notes->table[0], UNITS * sizeof *sums);
    for (int i = 1; i < 13 + notes->left; i++) {
        const float *line = l->weights + (i < 13 ? notes->table[i] : notes->held[i - 13]);
        for (int j = 0; j < UNITS; j++) sums[j] += line[j];
    }
}

/* Heads to expect from card `pick` on, in parts of SCALE; `units` are what is left of the sums. */
static double promise(const nl_lesson *l, const Notes *notes, const float *sums, int pick, float *units) {
    const float *held = l->weights + notes->held[pick], *played = held + PLAYED * UNITS;
    const float *stake = l->weights + notes->stake[pick];
    double expected = notes->now[pick];
    for (int j = 0; j < UNITS; j++) {
        float sum = sums[j] - held[j] + played[j] + stake[j];
        units[j] = sum > 0 ? sum : 0;
        expected += l->gains[j] * units[j];
    }
    return expected;
}

/* Squares slow every number down by how much it has already been moved (Adagrad). */
static void learn_turn(nl_lesson *l, const Notes *notes, int pick, int heads) {
    float sums[UNITS], units[UNITS];
    add_up(l, notes, sums);
    double error = promise(l, notes, sums, pick, units) / SCALE - heads;
    error = error < -15 ? -15 : error > 15 ? 15 : error;
    for (int j = 0; j < UNITS; j++) {
        double move = error * units[j] / SCALE;
        units[j] = units[j] > 0 ? (float)(error * l->gains[j]) : 0;
        l->gain_squares[j] = (float)(l->gain_squares[j] + move * move);
        double gain = (float)(l->gains[j] - l->rate * move / __builtin_sqrtf(l->gain_squares[j]));
        /* The first half stays cost, the second half relief. */
        if (j < UNITS / 2) gain = gain < 0.01 ? 0.01 : gain;
        else gain = gain > -0.01 ? -0.01 : gain;
        l->gains[j] = (float)gain;
    }
    for (int i = 0; i < 13 + notes->left + 1; i++) {
        int line = notes->stake[pick];
        if (i < 13) line = notes->table[i];
        else if (i - 13 == pick) line = notes->held[pick] + PLAYED * UNITS;
        else if (i - 13 < notes->left) line = notes->held[i - 13];
        for (int j = 0; j < UNITS; j++) {
            float move = units[j];
            l->squares[line + j] = (float)(l->squares[line + j] + move * move);
            l->weights[line + j] =
                (float)(l->weights[line + j] - SCALE * l->rate * move / __builtin_sqrtf(l->squares[line + j]));
        }
    }
}

/* One seat's estimates and cards, turn by turn. */
typedef struct {
    Notes notes[10];
    int picks[10], before[10], heads;
} Memory;

/* The card with the least to expect, moved to the front of what is left of the hand; one in `stray` is any. */
static int choose_learning(nl_classic *w, const nl_lesson *l, const Table *t, uint8_t *mine, int left,
                           const uint64_t *unseen, Notes *notes) {
    int pick = 0;
    double best = 1e30;
    float sums[UNITS], units[UNITS];
    note(t, mine, left, unseen, l->chance, notes);
    add_up(l, notes, sums);
    for (int i = 0; i < left; i++) {
        double expected = promise(l, notes, sums, i, units);
        if (expected < best) {
            best = expected;
            pick = i;
        }
    }
    if (l->stray > 0 && nl_below(&w->rng, (uint32_t)l->stray) == 0) pick = (int)nl_below(&w->rng, (uint32_t)left);
    uint8_t card = mine[pick];
    mine[pick] = mine[0];
    mine[0] = card;
    return pick;
}

NL_API int32_t nl_classic_learn(nl_classic *w, nl_lesson *l, int32_t rounds) {
    int wrong = check_trained(w);
    if (wrong) return wrong;
    if (!has_network(w) || w->draft || w->hand != 10 || w->deck != LAST_CARD || l->stray < 0) return NL_BAD_CODE;
    if (rounds < 0 || rounds > 1 << 24) return NL_BAD_SIZE;
    for (int i = 0; i < NL_CHANCES; i++)
        if (l->chance[i] < 0 || l->chance[i] > 4096) return NL_BAD_SIZE;
    int learns[NL_SEATS];
    for (int seat = 0; seat < NL_SEATS; seat++) learns[seat] = w->policies[seat] == TRAINED;
    for (int round = 0; round < rounds; round++) {
        Table t;
        Memory seats[10];
        uint64_t hidden[2] = {0, 0};
        nl_deal_round(w);
        t = w->t;
        for (int card = 1; card <= LAST_CARD; card++) add_card(hidden, card);
        for (int row = 0; row < USUAL_ROWS; row++) drop_card(hidden, t.end[row]);
        for (int seat = 0; seat < w->players; seat++) seats[seat].heads = 0;
        for (int turn = 0; turn < 10; turn++) {
            for (int seat = 0; seat < w->players; seat++) {
                uint8_t *mine = w->cards + 10 * seat + turn;
                Memory *m = &seats[seat];
                if (learns[seat]) {
                    uint64_t unseen[2] = {hidden[0], hidden[1]};
                    for (int i = 0; i < 10 - turn; i++) drop_card(unseen, mine[i]);
                    m->picks[turn] = choose_learning(w, l, &t, mine, 10 - turn, unseen, &m->notes[turn]);
                    m->before[turn] = m->heads;
                }
                w->plays[seat] = *mine;
            }
            for (int seat = 0; seat < w->players; seat++) drop_card(hidden, w->plays[seat]);
            play_turn(USUAL(0), w->players, &t, w->heads, w->plays, w->lows, w->order, w->log, &w->rng);
            for (int seat = 0; seat < w->players; seat++) seats[seat].heads += w->log[seat] >> 8;
        }
        l->heads += seats[0].heads;
        if (l->rate != 0)
            for (int seat = 0; seat < w->players; seat++)
                for (int turn = 0; turn < 10 && learns[seat]; turn++)
                    learn_turn(l, &seats[seat].notes[turn], seats[seat].picks[turn],
                               seats[seat].heads - seats[seat].before[turn]);
    }
    return NL_OK;
}
