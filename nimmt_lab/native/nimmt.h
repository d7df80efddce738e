/* The compiled core's interface.

   Every exported function takes addresses and 32-bit whole numbers and returns a 32-bit whole number: 0 or a count, or
   one of the refusals below. Wider numbers cross inside memory, which is always the caller's: nothing here allocates,
   and of libc only memcpy and memset are used. So the same source serves as a shared library (called through ctypes)
   and as a WebAssembly module. Blocks must be aligned to 8 bytes; numbers are little-endian. What comes from outside
   (sizes, codes, cards) is checked before it is used. */
#ifndef NIMMT_H
#define NIMMT_H

#include <stdint.h>

#include "work.h"

#if defined(_WIN32)
#define NL_API __declspec(dllexport)
#else
#define NL_API __attribute__((visibility("default")))
/* Rounds of the classic family (games/classic/kernel.c). The workspace says what is played. */

/* Rounds w->first … on; NL_FIELDS bytes per round and seat into `out`, which has room for `size` bytes. */
NL_API int32_t nl_classic_rounds(nl_work *w, int32_t rounds, uint8_t *out, int32_t size);
/* The same rounds added to totals: NL_TOTALS numbers per seat, `count` numbers in all. */
NL_API int32_t nl_classic_totals(nl_work *w, int32_t rounds, int64_t *totals, int32_t count);
/* Round w->first laid out in the workspace; then its turns, one a call. */
NL_API int32_t nl_classic_deal(nl_work *w);
NL_API int32_t nl_classic_turn(nl_work *w);

/* `playouts` more for each option of a searching seat, added to w->stats: w->cards are its hand, then what the others may
   hold; the table is as it lies now. The network is looked at if the seat plays on by it (policy 16). */
NL_API int32_t nl_classic_search(nl_work *w, const nl_network *net, int32_t playouts);
/* Which of the w->turns cards at w->cards the network plays. */
NL_API int32_t nl_classic_judge(const nl_work *w, const nl_network *net);
/* So many rounds more of learning. */
NL_API int32_t nl_classic_learn(nl_work *w, nl_lesson *l, int32_t rounds);

/* Outcomes as totals (tally.c). */
NL_API int32_t nl_tally(int32_t players, int32_t rounds, const uint8_t *outcomes, int64_t *totals);
/* Bytes of a workspace, for the caller to compare. */
NL_API int32_t nl_work_size(void);

#endif

/* Refusals. */
enum { NL_OK = 0, NL_BAD_SIZE = -1, NL_BAD_CODE = -2, NL_TOO_SMALL = -3 };

/* Which interface this is: the loader takes no other. */
NL_API int32_t nl_interface(void);

/* The random stream (rng.c): the numbers of nimmt_lab.engine.rng.Rng, bit for bit. */

/* state[0]: the start of stream number state[1] of the seed in state[0], as Rng.from_seed has it. */
NL_API int32_t nl_rng_start(uint64_t *state);
/* The first `take` of `count` bytes in random order, by and into state[0], as Rng.shuffled has it. */
NL_API int32_t nl_rng_shuffle(uint64_t *state, uint8_t *items, int32_t count, int32_t take);

/* Rounds of the classic family (games/classic/kernel.c). The workspace says what is played. */

/* Rounds w->first … on; NL_FIELDS bytes per round and seat into `out`, which has room for `size` bytes. */
NL_API int32_t nl_classic_rounds(nl_work *w, int32_t rounds, uint8_t *out, int32_t size);
/* The same rounds added to totals: NL_TOTALS numbers per seat, `count` numbers in all. */
NL_API int32_t nl_classic_totals(nl_work *w, int32_t rounds, int64_t *totals, int32_t count);
/* Round w->first laid out in the workspace; then its turns, one a call. */
NL_API int32_t nl_classic_deal(nl_work *w);
NL_API int32_t nl_classic_turn(nl_work *w);

/* `playouts` more for each option of a searching seat, added to w->stats: w->cards are its hand, then what the others may
   hold; the table is as it lies now. The network is looked at if the seat plays on by it (policy 16). */
NL_API int32_t nl_classic_search(nl_work *w, const nl_network *net, int32_t playouts);
/* Which of the w->turns cards at w->cards the network plays. */
NL_API int32_t nl_classic_judge(const nl_work *w, const nl_network *net);
/* So many rounds more of learning. */
NL_API int32_t nl_classic_learn(nl_work *w, nl_lesson *l, int32_t rounds);

/* Outcomes as totals (tally.c). */
NL_API int32_t nl_tally(int32_t players, int32_t rounds, const uint8_t *outcomes, int64_t *totals);
/* Bytes of a workspace, for the caller to compare. */
NL_API int32_t nl_work_size(void);

#endif
