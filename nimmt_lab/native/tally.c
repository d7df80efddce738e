/* Outcomes of rounds as running totals of constant size. */
#include "nimmt.h"

/* Per seat: the histogram of heads, the sums of the other fields, the win credit (fewest heads; a tie is shared, R-C1). */
void nl_tally_round(int players, const uint8_t *one, int64_t *totals) {
    int fewest = NL_BINS, ties = 0;
    for (int seat = 0; seat < players; seat++) {
        int heads = one[NL_FIELDS * seat];
        if (heads < fewest) {
            fewest = heads;
            ties = 0;
        }
        ties += heads == fewest;
    }
    for (int seat = 0; seat < players; seat++, totals += NL_TOTALS, one += NL_FIELDS) {
        totals[one[0]]++;
        for (int field = 1; field < NL_FIELDS; field++) totals[NL_BINS + field - 1] += one[field];
        if (one[0] == fewest) totals[NL_BINS + NL_FIELDS - 1] += NL_CREDIT / ties;
    }
}

NL_API int32_t nl_tally(int32_t players, int32_t rounds, const uint8_t *outcomes, int32_t size, int64_t *totals,
                        int32_t count) {
    if (players < 1 || players > NL_SEATS || rounds < 0) return NL_BAD_SIZE;
    if ((int64_t)rounds * NL_FIELDS * players > size || NL_TOTALS * players > count) return NL_TOO_SMALL;
    for (int i = 0; i < rounds; i++) nl_tally_round(players, outcomes + (int64_t)i * NL_FIELDS * players, totals);
    return NL_OK;
}
