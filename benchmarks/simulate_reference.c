/* Plain C reference for benchmarks/bench_simulate.py: the same work as the classic kernel (deal a round from its own
   SplitMix64 stream, ten turns of random play, low cards to the cheapest row, outcome per seat), written the
   ordinary way with local arrays. Compiled with -O3 and timed in the same run. */
#include <stdint.h>
#include <string.h>

#define GAMMA 0x9E3779B97F4A7C15ull

static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline uint32_t below(uint64_t *state, uint32_t n) {
    for (;;) {
        *state += GAMMA;
        uint64_t product = (mix(*state) >> 32) * n;
        uint32_t low = (uint32_t)product;
        if (low >= n || low >= -n % n) return (uint32_t)(product >> 32);
    }
}

/* out: 5 bytes per seat and round: heads, full rows, low cards, cow takes (none here), turns with a take. */
void simulate(uint64_t seed, int64_t first, int64_t rounds, int n, uint8_t *out) {
    uint8_t head[105], sorted[104];
    for (int c = 1; c <= 104; c++) {
        head[c] = c == 55 ? 7 : c % 11 == 0 ? 5 : c % 10 == 0 ? 3 : c % 5 == 0 ? 2 : 1;
        sorted[c - 1] = (uint8_t)c;
    }
    uint64_t key = mix(seed + GAMMA);
    for (int64_t round = 0; round < rounds; round++, out += 5 * n) {
        uint64_t rng = mix(key + (uint64_t)(first + round) * GAMMA);
        uint8_t deck[104];
        memcpy(deck, sorted, 104);
        for (int i = 0; i < 10 * n + 4 && i < 103; i++) {
            int j = i + (int)below(&rng, 104 - i);
            uint8_t card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        int end[4], count[4], sum[4];
        for (int r = 0; r < 4; r++) {
            end[r] = deck[10 * n + r];
            count[r] = 1;
            sum[r] = head[end[r]];
        }
        memset(out, 0, 5 * n);
        for (int turn = 0; turn < 10; turn++) {
            int order[10];
            for (int seat = 0; seat < n; seat++) {
                int key = deck[10 * seat + turn] << 4 | seat, i = seat;
                while (i > 0 && order[i - 1] > key) {
                    order[i] = order[i - 1];
                    i--;
                }
                order[i] = key;
            }
            for (int i = 0; i < n; i++) {
                int card = order[i] >> 4, row = -1, closest = 0;
                uint8_t *seat = out + 5 * (order[i] & 15);
                for (int r = 0; r < 4; r++)
                    if (end[r] < card && end[r] > closest) {
                        closest = end[r];
                        row = r;
                    }
                if (row >= 0 && count[row] < 5) {
                    count[row]++;
                    sum[row] += head[card];
                } else {
                    if (row < 0) {
                        int least = 1 << 30;
                        for (int r = 0; r < 4; r++) {
                            int cost = (sum[r] << 7) - end[r];
                            if (cost < least) {
                                least = cost;
                                row = r;
                            }
                        }
                        seat[2]++;
                    } else {
                        seat[1]++;
                    }
                    seat[0] += (uint8_t)sum[row];
                    seat[4]++;
                    count[row] = 1;
                    sum[row] = head[card];
                }
                end[row] = card;
            }
        }
    }
}
