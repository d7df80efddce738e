/* The memory of the search: two bounded tables of positions and the bounds known for them.
 *
 * A table is the caller's zeroed memory, in buckets of sixteen 64-bit words: five entries of three words (two key words
 * stored whole, so nothing is taken for the same position on the strength of a hash, and the bounds) and one word that
 * guards the bucket. Its lowest bit is set while somebody writes and its low half counts the writes: a reader who finds
 * it set, or changed while he read, has read nothing; a writer who finds it set goes without. So threads may share a
 * table without waiting for each other, and a half-written entry is never believed. Its high half counts replacements.
 *
 * The main table is looked up by the whole key. The side table is looked up by the structure and answers with
 * neighbours: positions that differ only in how many heads lie where. The values of two such positions differ by at most
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

/* This position will be looked up soon, and its neighbours in the table beside (0: not there). */
void expect_lookup(const table *in, const table *beside, key of);

/* Remember bounds; 1 when an empty place was filled, 0 when an entry was renewed or thrown out. */
int store(const table *in, key of, bounds known);

/* Tighten bounds by what is known of neighbours. */
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
