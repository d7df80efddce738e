"""Measure how fast environments step, as ratios within one run on one core.

    python benchmarks/bench_rl.py [--games 4096] [--rounds 100000] [--repeat 5]

* the vector environment, classic by 4 at random, choosing by chance included, against the simulation kernel's rounds
* the same against PettingZoo's way: one game at a time through `parallel_env`
* every fan card and advanced mode against classic
* games of other chapters against classic, and against PettingZoo's way
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from nimmt_lab import Advanced, Baron, Buffalo, Classic, Game
from nimmt_lab.rl import parallel_env
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.study.rounds import Simulator

PLAYERS = 4
SEED = 1


def rate(work: Callable[[], int]) -> float:
    """Rounds per second of processor time."""
    begun = time.process_time()
    done = work()
    return done / (time.process_time() - begun)


def stepped(env: VectorEnv, rounds: int) -> int:
    """Play at least the given number of rounds."""
    done = 0
    while done < rounds:
        _, ends = env.step(env.sample())
        done += int(np.count_nonzero(ends))
    return done


def questions(env: VectorEnv) -> float:
    """The number of steps in a round."""
    env.reset(seed=SEED)
    ended = sum(int(np.count_nonzero(env.step(env.sample())[1])) for _ in range(1000))
    return 1000 * len(env.ends) / ended


def one_by_one(game: Game, rounds: int) -> int:
    """PettingZoo's way, as in its own examples."""
    env = parallel_env(game)
    for number in range(rounds):
        seen, _ = env.reset(seed=number)
        while env.agents:
            chosen = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
            seen, *_ = env.step(chosen)
    return rounds


def vector(game: Game, games: int) -> VectorEnv:
    env = VectorEnv(game, games=games)
    env.reset(seed=SEED)
    return env


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()

    classic = Simulator.of(Classic(players=PLAYERS))
    classic.play(SEED, 0, 1)  # built, or loaded
    one_round = Classic(players=PLAYERS, rounds=1)
    env = vector(one_round, args.games)
    kernel = steps = zoo = 0.0
    for _ in range(args.repeat):  # alternate, so that a busy machine disturbs all of them equally
        kernel = max(kernel, rate(lambda: len([classic.play(SEED, 0, args.rounds)]) * args.rounds))
        steps = max(steps, rate(lambda: stepped(env, args.rounds)))
        zoo = max(zoo, rate(lambda: one_by_one(one_round, 20)))
    print(f"simulation kernel                {kernel:12,.0f} rounds/s")
    print(f"vector environment               {steps:12,.0f} rounds/s   {steps / kernel:.2f} of the kernel")
    print(f"PettingZoo, a game at a time     {zoo:12,.0f} rounds/s   {steps / zoo:,.0f} × slower than in step")

    others: dict[str, Game] = {"advanced": Advanced(players=PLAYERS, rounds=1)}
    for card in ("even_odd", "mountain", "jumping_cow", "number_twister"):
        others[card] = Classic(players=PLAYERS, rounds=1, fan_cards=(card,))
    for name, game in others.items():
        other = vector(game, args.games)
        here = max(rate(partial(stepped, other, args.rounds)) for _ in range(2))
        print(f"{name:32} {here:12,.0f} rounds/s   {here / steps:.2f} of classic")

    chapters: dict[str, Game] = {"Bull Baron": Baron(players=PLAYERS)}
    chapters |= {f"Beat the Buffalo by {n}": Buffalo(players=n) for n in (1, PLAYERS, 6)}
    for name, game in chapters.items():
        other = vector(game, args.games)
        here = slow = 0.0
        for _ in range(args.repeat):
            here = max(here, rate(partial(stepped, other, args.rounds // 5)))
            slow = max(slow, rate(partial(one_by_one, game, 4)))
        longer = questions(vector(game, 64)) / questions(vector(one_round, 64))
        print(f"{name:32} {here:12,.0f} rounds/s   {here / steps:.2f} of classic; {longer:.1f} × the questions")
        print(f"{name + ', PettingZoo':32} {slow:12,.0f} rounds/s   {here / slow:,.0f} × slower than in step")


if __name__ == "__main__":
    main()
