"""Learning the numbers of `trained.py`: play many rounds against random players, and bring what the network expects
closer to what happened.

    python -m nimmt_lab.fast.learn --players 4 --rounds 8000000 trained.json

plays so many rounds (a million takes about twenty seconds), prints how many heads the network takes as it learns, and
writes its numbers for that player count into the file. Same arguments, same numbers. The numbers in `data/` come from
8,000,000 rounds for four players and 3,000,000 for every other count.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.rng import Rng
from nimmt_lab.fast import trained as t
from nimmt_lab.fast.kernels import (
    CLASSIC,
    DECK,
    HAND,
    LOG,
    PLAYS,
    U64,
    Array,
    below,
    inline,
    jit,
    memory,
    play_turn,
    start_round,
    start_stream,
    zeros,
)

#: Rounds between two reports; in every tenth block nothing is learned, and only the network plays.
BLOCK = 50_000
#: One in so many choices is random, so that it learns what other cards would have done.
STRAY = 20


@inline
def promise(pick: int, weights: Array, gains: Array, notes: Array, sums: Array, units: Array) -> float:
    """Heads to expect from card `pick` on (in parts of `SCALE`); `units` are what is left of the sums."""
    held, stake = notes[t.HELD + pick], notes[t.STAKE + pick]
    played = held + t.PLAYED * t.UNITS
    expected = float(notes[t.NOW + pick])
    for j in range(t.UNITS):
        units[j] = max(0.0, sums[j] - weights[held + j] + weights[played + j] + weights[stake + j])
        expected += gains[j] * units[j]
    return expected


@jit
def learn_rounds(
    n: int, key: Any, first: int, rounds: int, rate: float, stray: int, weights: Array, squares: Array, gains: Array,
    gain_squares: Array, chance: Array, m: Array, rng: Array, masks: Array, notes: Array, kept: Array, sums: Array,
    units: Array, totals: Array,
) -> None:  # fmt: skip
    """Seat 0 plays by the network, the others at random. Adds the heads it takes to `totals`.

    `rate` 0: only play. While it learns every unit has a gain; the squares slow every number down by how much it has
    already been moved (Adagrad).
    """
    lows = totals[1:]
    for number in range(first, first + rounds):
        start_stream(rng, key, number)
        start_round(CLASSIC, n, number, m, rng)
        masks[0] = U64(0)
        masks[1] = U64(0)
        for card in range(1, LAST_CARD + 1):
            t.add_card(masks, 0, card)
        for i in range(HAND):
            t.drop_card(masks, 0, m[DECK + i])
        for row in range(4):
            t.drop_card(masks, 0, m[row])
        heads = 0
        for turn in range(HAND):
            place, last = DECK + turn, DECK + HAND
            t.note(m, place, last, masks, 0, chance, notes)
            t.add_up(last - place, weights, notes, sums)
            pick, best = place, 1e30
            for i in range(last - place):
                expected = promise(i, weights, gains, notes, sums, units)
                if expected < best:
                    best, pick = expected, place + i
            if stray > 0 and below(rng, stray) == 0:
                pick = place + below(rng, last - place)
            for i in range(t.NOTES):
                kept[turn * 128 + i] = notes[i]
            kept[turn * 128 + 126], kept[turn * 128 + 127] = pick - place, heads
            card = m[pick]
            m[pick] = m[place]
            m[place] = card
            for seat in range(n):
                m[PLAYS + seat] = m[DECK + HAND * seat + turn]
                if seat > 0:
                    t.drop_card(masks, 0, m[PLAYS + seat])
            play_turn(CLASSIC, n, lows, m, rng)
            heads += m[LOG] >> 8
        totals[0] += heads
        if rate == 0.0:
            continue
        for turn in range(HAND):
            base, left = turn * 128, HAND - turn
            for i in range(t.NOTES):
                notes[i] = kept[base + i]
            pick, before = kept[base + 126], kept[base + 127]
            t.add_up(left, weights, notes, sums)
            expected = promise(pick, weights, gains, notes, sums, units)
            error = min(max(expected / t.SCALE - (heads - before), -15.0), 15.0)
            stake, played = notes[t.STAKE + pick], notes[t.HELD + pick] + t.PLAYED * t.UNITS
            for j in range(t.UNITS):
                move = error * units[j] / t.SCALE
                units[j] = error * gains[j] if units[j] > 0.0 else 0.0
                gain_squares[j] += move * move
                gains[j] -= rate * move / np.sqrt(gain_squares[j])
                # The first half stays cost, the second half relief.
                gains[j] = max(gains[j], 0.01) if 2 * j < t.UNITS else min(gains[j], -0.01)
            for i in range(t.TABLE_LINES + left + 1):
                line = stake
                if i < t.TABLE_LINES:
                    line = notes[i]
                elif i < t.TABLE_LINES + left:
                    line = notes[t.HELD + i - t.TABLE_LINES]
                    if i - t.TABLE_LINES == pick:
                        line = played
                for j in range(t.UNITS):
                    move = units[j]
                    squares[line + j] += move * move
                    weights[line + j] -= t.SCALE * rate * move / np.sqrt(squares[line + j])


def learn(players: int, rounds: int, rate: float, seed: int, report: bool = True) -> list[int]:
    """The network's numbers after so many rounds."""
    key = U64(Rng.from_seed(seed, stream=0).state)
    m, rng = memory(players)
    size = t.LINES * t.UNITS
    weights, squares = np.zeros(size, dtype=np.float32), np.ones(size, dtype=np.float32)
    gains, gain_squares = np.zeros(t.UNITS, dtype=np.float32), np.ones(t.UNITS, dtype=np.float32)
    spread = Rng.from_seed(seed, stream=1)
    for i in range(size):
        number, spread = spread.below(2001)
        weights[i] = (number - 1000) * 0.1 * t.SCALE / 1000
    for j in range(t.UNITS):
        number, spread = spread.below(1000)
        gains[j] = (number + 1) / 2000 * (1 if 2 * j < t.UNITS else -1)
    unseen = LAST_CARD - HAND - 4
    chance = t.chances(players - 1, unseen, HAND)
    masks, notes, kept = t.mask_memory(1), zeros(t.NOTES), zeros(128 * HAND)
    sums, units = np.zeros(t.UNITS, dtype=np.float32), np.zeros(t.UNITS, dtype=np.float32)
    blocks = max(1, rounds // BLOCK)
    for block in range(blocks + 1):
        totals = zeros(1 + 16)
        testing = block == blocks or block % 10 == 9
        step = 0.0 if testing else rate * (1 - 0.95 * block / blocks)
        stray = 0 if testing else 1 if block == 0 else STRAY
        learn_rounds(
            players, key, block * BLOCK, BLOCK, step, stray, weights, squares, gains, gain_squares, chance, m, rng,
            masks, notes, kept, sums, units, totals,
        )  # fmt: skip
        if report and testing:
            print(f"{players} players, {block * BLOCK:,} rounds: {totals[0] / BLOCK:.2f} heads a round", flush=True)
    # A gain is the same as larger numbers, for sums of which only the sign is looked at.
    return [int(number) for number in np.rint(weights * np.tile(np.abs(gains), t.LINES))]


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn for one player count and write the numbers."""
    options = argparse.ArgumentParser(description="Learn the quick way to play that searching bots use.")
    options.add_argument("--players", type=int, required=True)
    options.add_argument("--rounds", type=int, default=3_000_000)
    options.add_argument("--rate", type=float, default=0.15)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("file", type=Path)
    given = options.parse_args(arguments)
    if not 2 <= given.players <= 10:
        options.error("--players must be from 2 to 10")
    known = json.loads(given.file.read_text(encoding="utf-8"))["players"] if given.file.exists() else {}
    numbers = learn(given.players, given.rounds, given.rate, given.seed)
    known[str(given.players)] = [numbers[i : i + t.UNITS] for i in range(0, len(numbers), t.UNITS)]
    parts = [
        f'"{players}": [\n' + ",\n".join(json.dumps(line, separators=(",", ":")) for line in known[players]) + "\n]"
        for players in sorted(known, key=int)
    ]
    given.file.write_text('{"players": {\n' + ",\n".join(parts) + "\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
