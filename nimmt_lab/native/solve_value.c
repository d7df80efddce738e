#include "solve_value.h"

void note_facts(key of, int k, facts *into) {
    int cards = 2 * k, rank[4], count[4], heads[4], cheapest = 31, n = 0, m;
    int gap_lines = cards * 10, row_lines = gap_lines + cards * 24, big = (int)(of.structure >> 56) - 1, row = -1;
    for (int index = 0; index < 4; index++) {
        rank[index] = (int)(of.structure >> (20 + 5 * index)) & 31;
        count[index] = (int)(of.structure >> (40 + 3 * index)) & 7;
        heads[index] = (int)(of.weights >> (40 + 5 * index)) & 31;
        cheapest = heads[index] < cheapest ? heads[index] : cheapest;
    }
    m = 2 * cards + 4;
    into->scaled = m;
    for (int card = 0; card < cards; card++) {
        int owner = (int)(of.structure >> card) & 1, class = card == big ? 4 : (int)(of.weights >> (2 * card)) & 3;
        while (row < 3 && rank[row + 1] <= card) row++;
        int between = row < 0 ? card : card - rank[row];
        int gap = (between * 6 + (row < 0 ? 0 : count[row])) * 2 + owner;
        into->line[n++] = (int16_t)((card * 2 + owner) * 5 + class);
        into->line[n++] = (int16_t)(gap_lines + gap);
        into->line[m] = (int16_t)(gap_lines + cards * 12 + gap);
        into->times[m++] = (int16_t)(row < 0 ? cheapest : heads[row]);
    }
    for (int index = 0; index < 4; index++) {
        int line = (index * (cards + 1) + rank[index]) * 5 + count[index] - 1;
        into->line[n++] = (int16_t)(row_lines + line);
        into->line[m] = (int16_t)(row_lines + 20 * (cards + 1) + line);
        into->times[m++] = (int16_t)heads[index];
    }
    into->count = m;
}

static inline int32_t clipped(int32_t sum) { return sum < 0 ? 0 : sum > VALUE_TOP ? VALUE_TOP : sum; }

int32_t guess_value(const int16_t *numbers, key of, int k) {
    facts seen;
    note_facts(of, k, &seen);
    const int16_t *more = numbers + facts_of(k) * VALUE_UNITS;
    int16_t active[VALUE_UNITS];
    /* A few units at a time, so that their sums stay in registers, which halves the time. */
    for (int block = 0; block < VALUE_UNITS; block += VALUE_BLOCK) {
        int16_t sum[VALUE_BLOCK];
        for (int unit = 0; unit < VALUE_BLOCK; unit++) sum[unit] = more[START_ONE * VALUE_UNITS + block + unit];
        for (int i = 0; i < seen.scaled; i++) {
            const int16_t *line = numbers + seen.line[i] * VALUE_UNITS + block;
            for (int unit = 0; unit < VALUE_BLOCK; unit++) sum[unit] = (int16_t)(sum[unit] + line[unit]);
        }
        /* Products are divided by 8 (at most 127 * 31 / 8 each), so that their sum fits in sixteen bits. */
        for (int i = seen.scaled; i < seen.count; i++) {
            const int16_t *line = numbers + seen.line[i] * VALUE_UNITS + block;
            int16_t times = seen.times[i];
            for (int unit = 0; unit < VALUE_BLOCK; unit++)
                sum[unit] = (int16_t)(sum[unit] + (int16_t)((int16_t)(line[unit] * times) >> 3));
        }
        for (int unit = 0; unit < VALUE_BLOCK; unit++) active[block + unit] = (int16_t)clipped(sum[unit]);
    }
    int32_t result = more[START_LAST * VALUE_UNITS] * VALUE_PARTS;
    for (int unit = 0; unit < VALUE_UNITS; unit++) {
        const int16_t *line = more + (SECOND + unit) * VALUE_UNITS;
        int32_t sum = 0;
        for (int from = 0; from < VALUE_UNITS; from++) sum += active[from] * line[from];
        sum += more[START_TWO * VALUE_UNITS + unit] * VALUE_PARTS;
        result += clipped(sum >> 6) * more[LAST_LINE * VALUE_UNITS + unit];
    }
    /* from units of 1/(64 * 64) to 1/16, rounded to nearest */
    return (result + 128) >> 8;
}
