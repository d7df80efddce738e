/* Shared by the workspaces of all chapters: sizes, sums of playouts, and beliefs about hidden hands. Each chapter declares
   its workspace in games/<chapter>; the caller owns it and fills in the settings. */
#ifndef NIMMT_WORK_H
#define NIMMT_WORK_H

#include "layout.h"

#define ALWAYS static inline __attribute__((always_inline))

/* Four numbers at once; a compiler without vectors takes one after the other. */
typedef int32_t Four __attribute__((vector_size(16)));

enum {
    NL_SEATS = 16,  /* the size of arrays by seat; at most 10 play */
    NL_CARDS = 128, /* the size of arrays by card */
    NL_STATS = 4,   /* sums for each option of a search: heads, their squares, win credit, its squares */
    /* result bytes for each seat and round: heads, takes of three kinds (by chapter), turns with a take */
    NL_FIELDS = 5,
    NL_BINS = 256,                   /* bins of a histogram of heads */
    NL_TOTALS = NL_BINS + NL_FIELDS, /* for each seat: the histogram, sums of the other fields, win credit */
    NL_CREDIT = 2520                 /* the credit for a win; divisible by 1 to 10, so shared wins add up exactly */
};

/* Evidence about hidden hands from earlier plays (belief.h): the number of swaps; for each seat, the turns on which its
   play contradicts a card that it is known to have held; for each seat and turn, how much less likely a contradicted play
   is (in 1/65536); for each seat and card, the turns on which holding that card contradicts the play. */
typedef struct {
    int32_t settle, clashed[NL_SEATS], doubt[NL_SEATS * NL_SEATS];
    uint16_t clash[NL_SEATS * NL_CARDS];
} nl_belief;
/* The fields of a workspace's `belief`. */
#define NL_BELIEF_FIELDS NL_PART(belief, settle, clashed, doubt, clash)

/* Insert a card into `size` sorted cards. */
ALWAYS void nl_insert(uint8_t *cards, int size, int card) {
    for (; size > 0 && cards[size - 1] > card; size--) cards[size] = cards[size - 1];
    cards[size] = (uint8_t)card;
}

ALWAYS int is_outside(int32_t number, int32_t least, int32_t most) {
    return (uint32_t)number - (uint32_t)least > (uint32_t)most - (uint32_t)least;
}

/* Record a playout of an option: the points lost and the win credit. */
static inline void nl_note(int64_t *stats, int option, int64_t lost, int64_t credit) {
    int64_t *sums = stats + NL_STATS * option;
    sums[0] += lost;
    sums[1] += lost * lost;
    sums[2] += credit;
    sums[3] += credit * credit;
}

#endif
