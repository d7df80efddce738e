/* The compiled core's interface.

   Every exported function takes addresses and 32-bit whole numbers and returns a 32-bit whole number: 0 or a count, or
   one of the refusals below. Wider numbers cross inside memory, which is always the caller's: nothing here allocates,
   and of libc only memcpy and memset are used. So the same source serves as a shared library (called through ctypes)
   and as a WebAssembly module. Blocks must be aligned to 8 bytes; numbers are little-endian. What comes from outside
   (sizes, codes, cards) is checked before it is used; how much memory there is cannot be, so it is said in the argument
   behind the address, by one of these names: size (bytes), bytes, words, count, chances. An address is void * where the
   memory is the core's own affair between calls (it must begin as zeros); anything else may hold anything.

   This header has what every part shares. The solver's part is in solve.h; what a chapter brings is declared in the header
   of its kernel, games/<chapter>/kernel.h, in functions that begin with nl_<chapter>_: nothing here knows a game. */
#ifndef NIMMT_H
#define NIMMT_H

#include <stdint.h>

#include "work.h"

#if defined(_WIN32)
#define NL_API __declspec(dllexport)
#else
#define NL_API __attribute__((visibility("default")))
#endif

/* Refusals. */
enum { NL_OK = 0, NL_BAD_SIZE = -1, NL_BAD_CODE = -2, NL_TOO_SMALL = -3 };

/* Which interface this is: the loader takes no other. */
NL_API int32_t nl_interface(void);
/* Bytes of a workspace, for the caller to compare. */
NL_API int32_t nl_work_size(void);

/* The random stream (rng.c): the numbers of nimmt_lab.engine.rng.Rng, bit for bit. */

/* state[0]: the start of stream number state[1] of the seed in state[0], as Rng.from_seed has it. */
NL_API int32_t nl_rng_start(uint64_t *state);
/* The first `take` of `count` bytes in random order, by and into state[0], as Rng.shuffled has it. */
NL_API int32_t nl_rng_shuffle(uint64_t *state, uint8_t *items, int32_t count, int32_t take);

/* Outcomes (NL_FIELDS bytes per round and seat; `size` bytes) added to totals (NL_TOTALS numbers per seat, `count` numbers;
   tally.c). */
NL_API int32_t nl_tally(int32_t players, int32_t rounds, const uint8_t *outcomes, int32_t size, int64_t *totals,
                        int32_t count);
/* The same for one round, for kernels. */
void nl_tally_round(int players, const uint8_t *one, int64_t *totals);

#endif
