/* Training the numbers of solve_value.h (train_values.py): random positions to be solved, and gradient steps (Adam) on the
 * results. Samples are a key and its value in parts of 65536, three words each.
 *
 * Floats are used here only; results are rounded to whole numbers before a search uses them. */
#include "games/classic/placing.h"
#include "memory.h"
#include "solve.h"
#include "solve_packed.h"
#include "solve_value.h"

#define BATCH 64
#define MOST_STEPS 100000 /* of one call */
/* Rounded numbers must fit eight bits. */
#define MOST 1.98f

NL_API int32_t nl_learn_deal(uint64_t *rng, int32_t each, const int32_t *heads, int32_t *question, int32_t words);
/* `lesson` has room for four times the numbers of a level. */
NL_API int32_t nl_learn_steps(float *lesson, int32_t words, int32_t each, const int64_t *samples, int32_t count,
                              uint64_t *rng, const double *rate, int32_t rounds);
/* Sums of errors and of their squares. */
NL_API int32_t nl_learn_errors(const int16_t *learned, int32_t words, int32_t each, const int64_t *samples,
                               int32_t count, double *sums);

/* A question for nl_solve_open: a random deal of 24 cards that have heads, played at random until `each` cards a hand are
 * left. Cards that fit nowhere take any row, mostly the cheapest. */
NL_API int32_t nl_learn_deal(uint64_t *rng, int32_t each, const int32_t *heads, int32_t *question, int32_t words) {
    if (words < NL_Q_WORDS) return NL_BAD_SIZE;
    if (each < 1 || each > 10) return NL_BAD_CODE;
    uint8_t deck[LAST_CARD], worth[NL_CARDS] = {0};
    int held = 0;
    for (int card = 1; card <= LAST_CARD; card++) {
        if (heads[card] < 0 || heads[card] > 7) return NL_BAD_CODE;
        worth[card] = (uint8_t)heads[card];
        if (heads[card] > 0) deck[held++] = (uint8_t)card;
    }
    if (held < 24) return NL_BAD_SIZE;
    nl_shuffle(rng, deck, held, 24);
    Table t;
    for (int row = 0; row < USUAL_ROWS; row++) {
        t.end[row] = deck[20 + row];
        t.count[row] = 1;
        t.sum[row] = worth[deck[20 + row]];
    }
    for (int left = 10; left > each; left--) {
        int32_t plays[2], lows[2], order[2], log[2];
        for (int who = 0; who < 2; who++) {
            uint8_t *hand = deck + 10 * who;
            int at = (int)nl_below(rng, (uint32_t)left);
            plays[who] = hand[at];
            hand[at] = hand[left - 1];
            lows[who] = nl_below(rng, 3) ? CHEAPEST : ANY_ROW;
        }
        play_turn(USUAL(0), 2, &t, worth, plays, lows, order, log, rng);
    }
    memset(question, 0, NL_Q_WORDS * sizeof *question);
    question[NL_Q_EACH] = each;
    for (int row = 0; row < USUAL_ROWS; row++) {
        int32_t *into = question + NL_Q_ROWS + 3 * row;
        into[0] = t.end[row];
        into[1] = t.count[row];
        into[2] = t.sum[row];
    }
    for (int i = 0; i < 2 * each; i++) question[NL_Q_HANDS + i / each * 10 + i % each] = deck[i / each * 10 + i % each];
    memcpy(question + NL_Q_HEADS, heads, 105 * sizeof *question);
    return NL_OK;
}

static inline float bent(float sum) {
    return sum<0.0f ? 0.0f : sum>(float) VALUE_TOP / VALUE_PARTS ? (float)VALUE_TOP / VALUE_PARTS : sum;
}

/* What the numbers say of a position, with what is needed to go back. */
typedef struct {
    facts seen;
    float one[VALUE_UNITS], two[VALUE_UNITS], sum_one[VALUE_UNITS], sum_two[VALUE_UNITS];
} run;

static float forward(const float *numbers, key of, int k, run *r) {
    note_facts(of, k, &r->seen);
    const float *more = numbers + facts_of(k) * VALUE_UNITS;
    memcpy(r->sum_one, more + START_ONE * VALUE_UNITS, sizeof r->sum_one);
    memcpy(r->sum_two, more + START_TWO * VALUE_UNITS, sizeof r->sum_two);
    for (int i = 0; i < r->seen.count; i++) {
        const float *line = numbers + r->seen.line[i] * VALUE_UNITS;
        float times = i < r->seen.scaled ? 1.0f : (float)r->seen.times[i] / VALUE_HEADS;
        for (int unit = 0; unit < VALUE_UNITS; unit++) r->sum_one[unit] += times * line[unit];
    }
    for (int from = 0; from < VALUE_UNITS; from++) {
        r->one[from] = bent(r->sum_one[from]);
        const float *line = more + (SECOND + from) * VALUE_UNITS;
        if (r->one[from] > 0.0f)
            for (int unit = 0; unit < VALUE_UNITS; unit++) r->sum_two[unit] += r->one[from] * line[unit];
    }
    float result = more[START_LAST * VALUE_UNITS];
    for (int unit = 0; unit < VALUE_UNITS; unit++) {
        r->two[unit] = bent(r->sum_two[unit]);
        result += r->two[unit] * more[LAST_LINE * VALUE_UNITS + unit];
    }
    return result;
}

/* Add the gradient of half the squared error. */
static void backward(const float *numbers, float *slopes, int k, const run *r, float error) {
    int at = facts_of(k) * VALUE_UNITS;
    const float *more = numbers + at;
    float *steep = slopes + at, back_one[VALUE_UNITS], back_two[VALUE_UNITS];
    for (int unit = 0; unit < VALUE_UNITS; unit++) {
        steep[LAST_LINE * VALUE_UNITS + unit] += error * r->two[unit];
        int inside = r->sum_two[unit] > 0.0f && r->sum_two[unit] == r->two[unit];
        back_two[unit] = inside ? error * more[LAST_LINE * VALUE_UNITS + unit] : 0.0f;
        steep[START_TWO * VALUE_UNITS + unit] += back_two[unit];
    }
    steep[START_LAST * VALUE_UNITS] += error;
    for (int from = 0; from < VALUE_UNITS; from++) {
        const float *line = more + (SECOND + from) * VALUE_UNITS;
        float *slope = steep + (SECOND + from) * VALUE_UNITS, sum = 0.0f;
        for (int unit = 0; unit < VALUE_UNITS; unit++) {
            slope[unit] += r->one[from] * back_two[unit];
            sum += line[unit] * back_two[unit];
        }
        back_one[from] = r->sum_one[from] > 0.0f && r->sum_one[from] == r->one[from] ? sum : 0.0f;
        steep[START_ONE * VALUE_UNITS + from] += back_one[from];
    }
    for (int i = 0; i < r->seen.count; i++) {
        float *slope = slopes + r->seen.line[i] * VALUE_UNITS;
        float times = i < r->seen.scaled ? 1.0f : (float)r->seen.times[i] / VALUE_HEADS;
        for (int unit = 0; unit < VALUE_UNITS; unit++) slope[unit] += times * back_one[unit];
    }
}

/* One step of Adam with the slopes of a batch, which are then zero again. */
static void step(float *numbers, float *slopes, float *means, float *squares, int count, float rate) {
    for (int i = 0; i < count; i++) {
        float slope = slopes[i] / BATCH;
        means[i] = 0.9f * means[i] + 0.1f * slope;
        squares[i] = 0.999f * squares[i] + 0.001f * slope * slope;
        float moved = numbers[i] - rate * means[i] / (__builtin_sqrtf(squares[i]) + 1e-8f);
        numbers[i] = moved > MOST ? MOST : moved < -MOST ? -MOST : moved;
        slopes[i] = 0.0f;
    }
}

/* Samples: two words of a key and the value in parts of 65536. */
static key key_at(const int64_t *samples, int at) {
    return (key){(uint64_t)samples[3 * at], (uint64_t)samples[3 * at + 1]};
}

static int good_samples(int32_t each, const int64_t *samples, int32_t count) {
    for (int i = 0; i < count; i++) {
        key of = key_at(samples, i);
        if ((int)((of.structure >> 52) & 15) != each || (of.structure >> 56) > (uint64_t)(2 * each)) return 0;
        for (int index = 0; index < 4; index++) {
            int rank = (int)(of.structure >> (20 + 5 * index)) & 31,
                cards = (int)(of.structure >> (40 + 3 * index)) & 7;
            if (rank > 2 * each || cards < 1 || cards > ROW_LIMIT) return 0;
        }
    }
    return 1;
}

NL_API int32_t nl_learn_steps(float *lesson, int32_t words, int32_t each, const int64_t *samples, int32_t count,
                              uint64_t *rng, const double *rate, int32_t rounds) {
    int numbers = nl_solve_numbers(each);
    if (numbers < 0 || words < 4 * numbers || count < 1 || rounds < 0 || rounds > MOST_STEPS) return NL_BAD_SIZE;
    if (!good_samples(each, samples, count)) return NL_BAD_CODE;
    float *slopes = lesson + numbers, *means = slopes + numbers, *squares = means + numbers;
    run r;
    for (int32_t i = 0; i < rounds; i++) {
        for (int one = 0; one < BATCH; one++) {
            int at = (int)nl_below(rng, (uint32_t)count);
            float error = forward(lesson, key_at(samples, at), each, &r) - (float)samples[3 * at + 2] / 65536.0f;
            backward(lesson, slopes, each, &r, error);
        }
        step(lesson, slopes, means, squares, numbers, (float)rate[0]);
    }
    return NL_OK;
}

NL_API int32_t nl_learn_errors(const int16_t *learned, int32_t words, int32_t each, const int64_t *samples,
                               int32_t count, double *sums) {
    if (nl_solve_numbers(each) < 0 || words < numbers_of(each) || count < 1) return NL_BAD_SIZE;
    if (!good_samples(each, samples, count) || !good_numbers(learned, numbers_of(each))) return NL_BAD_CODE;
    sums[0] = sums[1] = 0.0;
    for (int i = 0; i < count; i++) {
        double off = guess_value(learned, key_at(samples, i), each) / 16.0 - (double)samples[3 * i + 2] / 65536.0;
        sums[0] += off < 0 ? -off : off;
        sums[1] += off * off;
    }
    return NL_OK;
}
