/* The Number Twister: once a round a two-digit card counts with its digits swapped. */
#ifndef NIMMT_NUMBER_TWISTER_H
#define NIMMT_NUMBER_TWISTER_H

#include "games/classic/table.h"

enum { NUMBER_TWISTER = 8, SINGLE_DIGITS = 16, TWISTED = 128 };

/* R-F2: two digits, so that they can be swapped; optionally a single digit too, with a 0 before it. */
ALWAYS int twistable(const int flags, int card) { return card >= (flags & SINGLE_DIGITS ? 1 : 10) && card <= 99; }
ALWAYS int twisted(int card) { return card % 10 * 10 + card / 10; }

#endif
