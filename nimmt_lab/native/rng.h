/* SplitMix64 with unbiased bounded draws: the same numbers as nimmt_lab/engine/rng.py. */
#ifndef NIMMT_RNG_H
#define NIMMT_RNG_H

#include <stdint.h>

#define NL_GAMMA 0x9E3779B97F4A7C15ull

static inline uint64_t nl_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* The state for a seed and a stream number: Rng.from_seed(seed, stream). */
static inline uint64_t nl_stream(uint64_t key, uint64_t number) { return nl_mix(key + number * NL_GAMMA); }
static inline uint64_t nl_key(uint64_t seed) { return nl_mix(seed + NL_GAMMA); }

/* A uniform 0 <= x < n. */
static inline uint32_t nl_below(uint64_t *state, uint32_t n) {
    for (;;) {
        *state += NL_GAMMA;
        uint64_t product = (nl_mix(*state) >> 32) * n;
        uint32_t low = (uint32_t)product;
        if (low >= n || low >= -n % n) return (uint32_t)(product >> 32);
    }
}

/* Draw the first `take` places in random order. */
static inline void nl_shuffle(uint64_t *state, uint8_t *items, int count, int take) {
    for (int i = 0; i < take && i < count - 1; i++) {
        int j = i + (int)nl_below(state, (uint32_t)(count - i));
        uint8_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

#endif
