/* What games in step share (games/<chapter>/games.c): hands, rewards, chance's choices, and the checks of the memory that
   is given. Nothing here knows a game. */
#ifndef NIMMT_IN_STEP_H
#define NIMMT_IN_STEP_H

#include <stddef.h>

#include "memory.h"
#include "nimmt.h"
#include "rng.h"

/* What an action is worth that is not allowed (nimmt_lab/rl/match.py). */
#define ILLEGAL_REWARD (-100.0f)
/* How a game ended in a step. */
enum { GOES_ON, IS_OVER, IS_ILLEGAL };

/* Ask for a game's memory AHEAD games before its turn: a fifth quicker where they do not fit into a cache. */
enum { AHEAD = 2, LINE = 64 };
ALWAYS void fetch(const void *game, size_t bytes) {
    for (size_t at = 0; at < bytes; at += LINE) __builtin_prefetch((const uint8_t *)game + at, 1);
}

/* Whether there is room for an action (16 bits) of every seat of so many games; for their rewards (floats); their ends. */
ALWAYS int has_actions(int games, int seats, int32_t bytes) { return bytes / 2 / seats >= games; }
ALWAYS int has_rewards(int games, int seats, int32_t words, int32_t count) {
    return words / seats >= games && count >= games;
}

/* The actions of one game's seats, read once: they lie in memory that their owner may write while a step runs, and what is
   carried out must be what was checked. */
ALWAYS void read_actions(const int16_t *actions, int seats, int16_t *chosen) {
    memcpy(chosen, actions, (size_t)seats * sizeof *chosen);
}

/* Where wins are rewarded nothing else is: who has the fewest (or the most) points shares the win, once the game is over. */
ALWAYS void reward_wins(int end, const int64_t *points, int seats, int most, float *rewards) {
    if (end == IS_ILLEGAL) return;
    for (int seat = 0; seat < seats; seat++) rewards[seat] = 0;
    if (end == GOES_ON) return;
    int64_t best = points[0];
    int winners = 0;
    for (int seat = 1; seat < seats; seat++)
        if (most ? points[seat] > best : points[seat] < best) best = points[seat];
    for (int seat = 0; seat < seats; seat++) winners += points[seat] == best;
    for (int seat = 0; seat < seats; seat++) rewards[seat] = points[seat] == best ? 1.0f / (float)winners : 0.0f;
}

/* One of a seat's options, each as likely as the others. */
ALWAYS int16_t any_option(uint64_t *rng, const uint8_t *options, int count) {
    return options[count > 1 ? nl_below(rng, (uint32_t)count) : 0];
}

/* Cards in ascending order: by way of a set, because comparing random cards is all wrong guesses. */
ALWAYS void sort_hand(const uint8_t *cards, int size, uint8_t *hand) {
    uint64_t set[2] = {0, 0};
    for (int i = 0; i < size; i++) set[cards[i] >> 6] |= 1ull << (cards[i] & 63);
    for (int word = 0; word < 2; word++)
        for (; set[word]; set[word] &= set[word] - 1) *hand++ = (uint8_t)(64 * word + __builtin_ctzll(set[word]));
}

/* A hand's room: two words, so that all its places are looked at at once. */
enum { HELD = 16 };
#define BYTES(x) ((uint64_t)(x) * 0x0101010101010101ull)

/* How many of eight cards are not lower than `card`. Cards are below 128, so a sum of each has its highest bit to say it. */
ALWAYS int not_lower(const uint8_t *cards, int card) {
    uint64_t eight;
    memcpy(&eight, cards, 8);
    uint64_t high = (eight + BYTES(128 - card)) & BYTES(128);
    return (int)(((high >> 7) * BYTES(1)) >> 56);
}

/* The place of a card (from 1 on) in a hand of `left`, ascending with noughts behind; -1: it is not there. */
ALWAYS int place_of(const uint8_t *hand, int left, int card) {
    int at = left - not_lower(hand, card) - not_lower(hand + 8, card);
    return at < left && hand[at] == card ? at : -1;
}

/* A hand without the card at that place: those behind it move up. */
ALWAYS void leave_hand(uint8_t *hand, int at) {
    uint64_t low, high;
    memcpy(&low, hand, 8);
    memcpy(&high, hand + 8, 8);
    if (at < 8) {
        uint64_t kept = (1ull << 8 * at) - 1;
        low = (low & kept) | ((low >> 8 | high << 56) & ~kept);
        high >>= 8;
    } else {
        uint64_t kept = (1ull << 8 * (at - 8)) - 1;
        high = (high & kept) | (high >> 8 & ~kept);
    }
    memcpy(hand, &low, 8);
    memcpy(hand + 8, &high, 8);
}

#endif
