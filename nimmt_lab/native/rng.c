#include "rng.h"
#include "nimmt.h"

NL_API int32_t nl_interface(void) { return 1; }

NL_API int32_t nl_rng_start(uint64_t *state) {
    state[0] = nl_stream(nl_key(state[0]), state[1]);
    return NL_OK;
}

NL_API int32_t nl_rng_shuffle(uint64_t *state, uint8_t *items, int32_t count, int32_t take) {
    if (count < 0 || take < 0) return NL_BAD_SIZE;
    nl_shuffle(state, items, count, take);
    return NL_OK;
}
