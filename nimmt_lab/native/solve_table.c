#include "solve_table.h"

#include "solve.h"

#define GUARD 15
#define WRITING 1ULL
#define ONE_WRITE 2ULL
#define ONE_REPLACED (1ULL << 32)

static inline uint64_t get(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
static inline void set(uint64_t *word, uint64_t to) { __atomic_store_n(word, to, __ATOMIC_RELAXED); }

static inline uint64_t packed_bounds(bounds b) { return ((uint64_t)(uint32_t)b.lo << 32) | (uint32_t)b.hi; }
static inline bounds unpacked(uint64_t word) {
    return (bounds){(int32_t)(uint32_t)(word >> 32), (int32_t)(uint32_t)word};
}

static inline int cards_of(uint64_t structure) { return (int)(structure >> 52) & 15; }

table table_at(uint64_t *words, int32_t log2) {
    table made = {words, 0, 1ULL << log2};
    made.small = log2 - 2 < SMALL_LOG2 ? made.large / 4 : 1ULL << SMALL_LOG2;
    return made;
}

static inline uint64_t *bucket_of(const table *in, uint64_t structure, uint64_t hashed) {
    hashed >>= 1;
    if (cards_of(structure) == 3) return in->words + (hashed & (in->small - 1)) * BUCKET;
    return in->words + ((hashed & (in->large - 1)) + in->small) * BUCKET;
}

static inline uint64_t begin_reading(const uint64_t *bucket) {
    return __atomic_load_n(bucket + GUARD, __ATOMIC_ACQUIRE);
}

/* Whether the bucket is unchanged since the guard was read. */
static inline int undisturbed(const uint64_t *bucket, uint64_t guard) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return !(guard & WRITING) && get(bucket + GUARD) == guard;
}

/* Return the guard for end_writing, or WRITING if another thread is writing. */
static inline uint64_t begin_writing(uint64_t *bucket) {
    uint64_t guard = get(bucket + GUARD);
    if ((guard & WRITING) ||
        !__atomic_compare_exchange_n(bucket + GUARD, &guard, guard | WRITING, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return WRITING;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return guard;
}

static inline void end_writing(uint64_t *bucket, uint64_t guard, uint64_t replaced) {
    uint64_t writes = (guard + ONE_WRITE) & (ONE_REPLACED - 1);
    __atomic_store_n(bucket + GUARD, writes | (replaced << 32), __ATOMIC_RELEASE);
}

static inline void put(uint64_t *entry, key of, bounds known) {
    set(entry, of.structure);
    set(entry + 1, of.weights);
    set(entry + 2, packed_bounds(known));
}

int find(const table *in, key of, bounds *found) {
    const uint64_t *bucket = bucket_of(in, of.structure, scramble_two(of.structure, of.weights));
    uint64_t guard = begin_reading(bucket);
    for (int way = 0; way < WAYS; way++) {
        const uint64_t *entry = bucket + 3 * way;
        if (get(entry) == of.structure && get(entry + 1) == of.weights) {
            *found = unpacked(get(entry + 2));
            return undisturbed(bucket, guard);
        }
    }
    return 0;
}

void expect_lookup(const table *in, const table *beside, key of) {
    const uint64_t *bucket = bucket_of(in, of.structure, scramble_two(of.structure, of.weights));
    __builtin_prefetch(bucket);
    __builtin_prefetch(bucket + BUCKET / 2);
    if (beside) {
        bucket = bucket_of(beside, of.structure, scramble(of.structure));
        __builtin_prefetch(bucket);
        __builtin_prefetch(bucket + BUCKET / 2);
    }
}

/* Four slots of a bucket prefer positions with many cards left, which cost most; the fifth accepts anything. */
int store(const table *in, key of, bounds known) {
    uint64_t *bucket = bucket_of(in, of.structure, scramble_two(of.structure, of.weights));
    uint64_t guard = begin_writing(bucket), replaced = guard >> 32;
    if (guard == WRITING) return 0;
    uint64_t *victim = bucket + 3 * (WAYS - 1);
    int fewest = cards_of(of.structure), filled = 0, found = 0;
    for (int way = 0; way < WAYS && !found; way++) {
        uint64_t *entry = bucket + 3 * way, structure = get(entry);
        if (structure == 0 || (structure == of.structure && get(entry + 1) == of.weights)) {
            victim = entry;
            found = 1;
            filled = structure == 0;
            if (!filled) { /* another thread may know more */
                bounds theirs = unpacked(get(entry + 2));
                int64_t lo = most_of(known.lo, theirs.lo), hi = least_of(known.hi, theirs.hi);
                if (lo <= hi) known = (bounds){(int32_t)lo, (int32_t)hi}; /* estimates may contradict each other */
            }
        } else if (way < WAYS - 1 && cards_of(structure) <= fewest) {
            /* replace equal ones in turn, so that no slot of the bucket goes stale */
            if (cards_of(structure) < fewest || (int)(replaced & 3) == way) victim = entry;
            fewest = cards_of(structure);
        }
    }
    put(victim, of, known);
    end_writing(bucket, guard, replaced + !found);
    return filled;
}

/* The sum of differences in heads between two weight words with the same structure. */
static inline int distance(uint64_t one, uint64_t two) {
    int total = 0;
    for (int index = 0; index < 4; index++) {
        int change = (int)((one >> (40 + 5 * index)) & 31) - (int)((two >> (40 + 5 * index)) & 31);
        total += change < 0 ? -change : change;
    }
    for (uint64_t change = (one ^ two) & ((1ULL << 40) - 1); change;) {
        int at = lowest_bit(change) & ~1;
        int p = (int)(one >> at) & 3, q = (int)(two >> at) & 3;
        int step = p + (p == 3) - q - (q == 3); /* classes 0, 1, 2, 3 are 1, 2, 3, 5 heads */
        total += step < 0 ? -step : step;
        change &= ~(3ULL << at);
    }
    return total;
}

bounds neighbours(const table *in, key of, bounds known, int shift) {
    const uint64_t *bucket = bucket_of(in, of.structure, scramble(of.structure));
    uint64_t guard = begin_reading(bucket);
    int64_t lo = known.lo, hi = known.hi;
    for (int way = 0; way < WAYS; way++) {
        const uint64_t *entry = bucket + 3 * way;
        if (get(entry) == of.structure) {
            bounds theirs = unpacked(get(entry + 2));
            int64_t slack = (int64_t)distance(get(entry + 1), of.weights) << shift;
            lo = most_of(lo, theirs.lo - slack);
            hi = least_of(hi, theirs.hi + slack);
        }
    }
    return undisturbed(bucket, guard) ? (bounds){(int32_t)lo, (int32_t)hi} : known;
}

/* A full bucket loses its oldest entry. */
void store_neighbour(const table *in, key of, bounds known) {
    uint64_t *bucket = bucket_of(in, of.structure, scramble(of.structure));
    uint64_t guard = begin_writing(bucket), oldest = (guard >> 32) % WAYS;
    if (guard == WRITING) return;
    uint64_t *at = bucket + 3 * oldest;
    int found = 0;
    for (int way = 0; way < WAYS && !found; way++) {
        uint64_t structure = get(bucket + 3 * way);
        if (structure == 0 || (structure == of.structure && get(bucket + 3 * way + 1) == of.weights)) {
            at = bucket + 3 * way;
            found = 1;
        }
    }
    put(at, of, known);
    end_writing(bucket, guard, found ? oldest : (oldest + 1) % WAYS);
}

NL_API int32_t nl_solve_grow(uint64_t *words, int32_t size, int32_t log2, int32_t side) {
    if (log2 < LEAST_LOG2 || log2 >= MOST_LOG2 || log2 < SMALL_LOG2 + 2)
        return NL_BAD_SIZE; /* a table this small would lay out its parts differently after growing */
    table in = table_at(words, log2);
    if (size < 0 || (uint64_t)size < in.small + 2 * in.large) return NL_TOO_SMALL;
    for (uint64_t index = 0; index < in.large; index++) {
        uint64_t *here = words + (in.small + index) * BUCKET, *there = here + in.large * BUCKET;
        int stay = 0, move = 0;
        for (int way = 0; way < WAYS; way++) {
            uint64_t *entry = here + 3 * way, one = entry[0], two = entry[1], three = entry[2];
            entry[0] = entry[1] = entry[2] = 0;
            if (one == 0) continue;
            uint64_t hashed = (side ? scramble(one) : scramble_two(one, two)) >> 1;
            uint64_t *to = hashed & in.large ? there + 3 * move++ : here + 3 * stay++;
            to[0] = one;
            to[1] = two;
            to[2] = three;
        }
        here[GUARD] = there[GUARD] = 0;
    }
    return NL_OK;
}
