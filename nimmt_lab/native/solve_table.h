/* The memory of the search: two bounded tables of positions and the bounds known for them.
 *
 * A table is the caller's zeroed memory, in buckets of sixteen 64-bit words: five entries of three words (two key words
 * stored in full, so that hash collisions can't confuse positions, and the bounds) and one sequence lock word.
 * The lowest bit of the lock is set during a write, and its low half counts writes: a reader that finds the bit set,
 * or the count changed, discards the entry; a writer that finds it set skips the write. So threads share a table
 * without waiting for each other and never use a half-written entry. The high half of the lock counts replacements.
 *
 * The main table is looked up by the whole key. The side table is looked up by the structure and answers with
 * neighbours: positions that differ only in their numbers of heads. The values of two such positions differ by at most
 * the sum of the differences, because every row is taken at most once before it restarts and every card is collected at
 * most once. That often settles a question without search. */
#ifndef NIMMT_SOLVE_TABLE_H
#define NIMMT_SOLVE_TABLE_H

#include "solve_packed.h"

#define BUCKET 16
#define WAYS 5
/* Positions with three cards a hand are many, cheap, and mostly met again soon: they have a small part of their own that
 * stays in the processor's cache (2**14 buckets at most), and are not counted as stored. */
#define SMALL_LOG2 14
#define LEAST_LOG2 4
#define MOST_LOG2 26

typedef struct {
    uint64_t *words;
    uint64_t small, large; /* buckets in the two parts, each a power of two */
} table;

/* A table of 2**log2 buckets and its small part before them: (2**log2 + small) * 128 bytes at words. */
table table_at(uint64_t *words, int32_t log2);

/* Whether exactly this position is stored; its bounds. */
int find(const table *in, key of, bounds *found);

/* Prefetch the bucket of a position, and that of its neighbours in the side table (0: none). */
void expect_lookup(const table *in, const table *beside, key of);

/* Store bounds; 1 if an empty slot was filled, 0 if an entry was updated or replaced. */
int store(const table *in, key of, bounds known);

/* Tighten bounds by the stored bounds of neighbours. */
bounds neighbours(const table *in, key of, bounds known, int shift);

void store_neighbour(const table *in, key of, bounds known);

static inline uint64_t scramble(uint64_t word) {
    word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93ULL;
    word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93ULL;
    return word ^ (word >> 32);
}

static inline uint64_t scramble_two(uint64_t one, uint64_t two) {
    return scramble(one + scramble(two) * 0x9E3779B97F4A7C15ULL);
}

#endif
