"""Measure the engine's speed as a ratio to a bare loop timed in the same run.

    python benchmarks/bench_engine.py [--rounds 2000]

Both play complete random 4-player rounds, low cards taking a random row. The engine goes through its public
API: validated choices, immutable states, decisions, every event. The bare loop is what one writes in an
afternoon: lists, no validation, no events, no states. Runs alternate, and the best of each is reported, because
shared machines are noisy.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from nimmt_lab import Classic
from nimmt_lab.engine.cards import PRINTED_HEADS

PLAYERS = 4


def engine_rounds(rounds: int, seed: int) -> float:
    """Random rounds through the engine's public API; mean heads per player and round."""
    draw = random.Random(seed).random
    game = Classic(players=PLAYERS, rounds=1)
    total = 0
    for number in range(rounds):
        state = game.deal(seed + number)
        while state.pending:
            choices = {}
            for seat, decision in state.pending.items():
                options = decision.options
                choices[seat] = options[int(draw() * len(options))]
            state, _events = state.choose(choices)
        total += sum(state.totals)
    return total / rounds / PLAYERS


def bare_rounds(rounds: int, seed: int) -> float:
    """The same work without events, validation or states."""
    rng = random.Random(seed)
    draw = rng.random
    heads = PRINTED_HEADS
    total = 0
    for _ in range(rounds):
        deck = list(range(1, 105))
        rng.shuffle(deck)
        hands = [deck[10 * seat : 10 * seat + 10] for seat in range(PLAYERS)]
        rows = [[card] for card in deck[10 * PLAYERS : 10 * PLAYERS + 4]]
        for _turn in range(10):
            for card in sorted([hand.pop(int(draw() * len(hand))) for hand in hands]):
                best, end = None, 0
                for row in rows:
                    if end < row[-1] < card:
                        best, end = row, row[-1]
                if best is None:
                    best = rows[int(draw() * 4)]
                elif len(best) < 5:
                    best.append(card)
                    continue
                total += sum([heads[taken] for taken in best])
                best[:] = [card]
    return total / rounds / PLAYERS


def rate(play: Callable[[int, int], float], rounds: int, seed: int) -> float:
    """Rounds per second of processor time."""
    start = time.process_time()
    play(rounds, seed)
    return rounds / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=300, help="rounds in each of the ten runs (default 300)")
    rounds = parser.parse_args().rounds
    runs = [(rate(engine_rounds, rounds, seed), rate(bare_rounds, rounds, seed)) for seed in range(10)]
    engine = max(run[0] for run in runs)
    bare = max(run[1] for run in runs)
    print(f"engine, every event   {engine:>9,.0f} rounds/s")
    print(f"bare loop, no events  {bare:>9,.0f} rounds/s")
    print(f"ratio 1 : {bare / engine:.2f}   (the aim is 1 : 6 or better)")


if __name__ == "__main__":
    main()
