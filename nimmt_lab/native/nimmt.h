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

/* Copy a table of fields, followed by an entry without a name whose size is that of the structure; return the number
   of entries. */
#define NL_DESCRIBE(fields, into, count) \
    nl_describe(fields, (int)(sizeof(fields) / sizeof(nl_field)), sizeof(SELF), into, count)
static inline int32_t nl_describe(const nl_field *fields, int known, size_t size, nl_field *into, int32_t count) {
    if (count <= known) return NL_TOO_SMALL;
    memcpy(into, fields, (size_t)known * sizeof *fields);
    into[known] = (nl_field){"", 0, 0, (int32_t)size, 0};
    return known + 1;
}

/* The random stream (rng.c): the numbers of nimmt_lab.engine.rng.Rng, bit for bit. */

/* state[0]: the start of stream number state[1] of the seed in state[0], as in Rng.from_seed. */
NL_API int32_t nl_rng_start(uint64_t *state);
/* Draw the first `take` of `count` bytes in random order, with the stream in state[0], as in Rng.shuffled. */
NL_API int32_t nl_rng_shuffle(uint64_t *state, uint8_t *items, int32_t count, int32_t take);

/* Vectorised games, each dealt by the engine's rules from a seed: the calls of a chapter that has them, defined by
   in_step_calls.h. Records are laid out as in nl_<chapter>_game_layout; arrays have a place for each game and acting
   seat, a team's after the players'.
       start    deals games with the seeds made from w->key and the numbers from w->first on.
       check    says whether stored records can be continued.
       step     applies everybody's actions (those without a decision pass 0) and writes rewards. `ends` is 1 for a
                finished game and 2 for one that an illegal action ended; the next game is dealt in its place. If games
                are listed, only the active ones are stepped (a byte each), and their rewards add up. If there is room
                for finals, a game that ends is copied to its place there, so that it can be observed.
       sample   draws legal actions at random (w->rng).
       choose   chooses for `seats` (a bit each) by w->policies and w->lows; `mind` has the weights of a policy that
                needs them.
       masks    writes a 1 for each legal action of the seats from `from` up to `to`: a byte each or, if `packed`, a bit
                each in 64-bit words.
       observe  writes what these seats see (in_step.h), as floats or, if `compact`, bytes; without room for any, it
                returns the number of values. */
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

/* Add outcomes (NL_FIELDS bytes per round and seat; `size` bytes) to totals (NL_TOTALS numbers per seat, `count`
   numbers; tally.c). */
NL_API int32_t nl_tally(int32_t players, int32_t rounds, const uint8_t *outcomes, int32_t size, int64_t *totals,
                        int32_t count);
/* The same for one round, for kernels. */
void nl_tally_round(int players, const uint8_t *one, int64_t *totals);

#endif
