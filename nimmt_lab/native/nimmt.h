/* The compiled core's interface.

   Every exported function takes addresses and 32-bit whole numbers and returns a 32-bit whole number: 0 or a count, or
   one of the refusals below. Wider numbers cross inside memory, which is always the caller's: nothing here allocates,
   and of libc only memcpy and memset are used. So the same source serves as a shared library (called through ctypes)
   and as a WebAssembly module. Blocks must be aligned to 8 bytes; numbers are little-endian. Input
   (sizes, codes, cards) is checked before use; the amount of memory cannot be, so the caller states it in the argument
   after the address, by one of these names: size (bytes), bytes, words, count, chances, listed, room. An address is void * where the
   memory belongs to the core between calls (it must begin as zeros); all other memory may contain anything.

   This header has what every part shares and knows no game. The solver is in solve.h; each chapter declares its functions,
   nl_<chapter>_…, in games/<chapter>/kernel.h. */
#ifndef NIMMT_H
#define NIMMT_H

#include <stdint.h>

#include "memory.h"
#include "work.h"

#if defined(_WIN32)
#define NL_API __declspec(dllexport)
#else
#define NL_API __attribute__((visibility("default")))
#endif

/* Refusals. */
enum { NL_OK = 0, NL_BAD_SIZE = -1, NL_BAD_CODE = -2, NL_TOO_SMALL = -3 };

/* The version of this interface: the loader accepts no other. */
NL_API int32_t nl_interface(void);

/* Copy a table of fields, and behind it an entry without a name whose size is the structure's; the number of entries. */
#define NL_DESCRIBE(fields, into, count) \
    nl_describe(fields, (int)(sizeof(fields) / sizeof(nl_field)), sizeof(SELF), into, count)
static inline int32_t nl_describe(const nl_field *fields, int known, size_t size, nl_field *into, int32_t count) {
    if (count <= known) return NL_TOO_SMALL;
    memcpy(into, fields, (size_t)known * sizeof *fields);
    into[known] = (nl_field){"", 0, 0, (int32_t)size, 0};
    return known + 1;
}

/* The random stream (rng.c): the numbers of nimmt_lab.engine.rng.Rng, bit for bit. */

/* state[0]: the start of stream number state[1] of the seed in state[0], as Rng.from_seed has it. */
NL_API int32_t nl_rng_start(uint64_t *state);
/* The first `take` of `count` bytes in random order, by and into state[0], as Rng.shuffled has it. */
NL_API int32_t nl_rng_shuffle(uint64_t *state, uint8_t *items, int32_t count, int32_t take);

/* Many games in step, each as the engine deals it from a seed and asks about it: the calls of a chapter that has them, which
   in_step_calls.h defines. Records are laid out as nl_<chapter>_game_layout says; arrays have a place for each game and
   acting seat, a team's behind the players'.

   start: deal game after game, with the seeds that w->key and the numbers from w->first on make.
   check: whether stored records can be continued.
   step: everybody acts, and those who are not asked say 0. Rewards; `ends` is 1 for a finished game and 2 for one that an
   illegal action ended: the next one is dealt in its place. If games are listed, only the active ones are stepped (a byte
   each), and their rewards add up. If there is room for finals, a game that ends is kept there, in its own place: it can
   be observed.
   sample: legal actions, each as likely as the others (w->rng). choose: of `seats` (a bit each), by w->policies and w->lows;
   `mind` is what was learned, where a policy needs it.
   masks: a 1 for each legal action of the seats `from` up to `to`, a byte each or (`packed`) a bit in 64-bit words.
   observe: what these seats see (in_step.h), as floats or (`compact`) bytes; into no bytes: how many numbers that are. */
#define NL_GAMES(chapter, Work, Records, Mind)                                                                         \
    NL_API int32_t nl_##chapter##_game_layout(nl_field *into, int32_t count);                                          \
    NL_API int32_t nl_##chapter##_games_start(Work *w, Records *records, int32_t size);                                \
    NL_API int32_t nl_##chapter##_games_check(const Work *w, const Records *records, int32_t size);                    \
    NL_API int32_t nl_##chapter##_games_step(                                                                          \
        Work *w, Records *records, int32_t size, const int16_t *actions, int32_t bytes, float *rewards, int32_t words, \
        uint8_t *ends, int32_t count, const uint8_t *active, int32_t listed, Records *finals, int32_t room);           \
    NL_API int32_t nl_##chapter##_games_sample(Work *w, const Records *records, int32_t size, int16_t *actions,        \
                                               int32_t bytes);                                                         \
    NL_API int32_t nl_##chapter##_games_choose(Work *w, const Records *records, int32_t size, int16_t *actions,        \
                                               int32_t bytes, const uint8_t *active, int32_t listed, int32_t seats,    \
                                               const Mind *mind, int32_t room);                                        \
    NL_API int32_t nl_##chapter##_games_masks(const Work *w, const Records *records, int32_t size, int32_t from,       \
                                              int32_t to, uint8_t *masks, int32_t bytes, int32_t packed);              \
    NL_API int32_t nl_##chapter##_games_observe(const Work *w, const Records *records, int32_t size, int32_t from,     \
                                                int32_t to, uint8_t *out, int32_t bytes, int32_t compact);

/* Outcomes (NL_FIELDS bytes per round and seat; `size` bytes) added to totals (NL_TOTALS numbers per seat, `count` numbers;
   tally.c). */
NL_API int32_t nl_tally(int32_t players, int32_t rounds, const uint8_t *outcomes, int32_t size, int64_t *totals,
                        int32_t count);
/* The same for one round, for kernels. */
void nl_tally_round(int players, const uint8_t *one, int64_t *totals);

#endif
