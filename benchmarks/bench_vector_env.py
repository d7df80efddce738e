"""Measure what vectorised games cost with observations and masks, as ratios within one run on one core.

    python benchmarks/bench_vector_env.py [--games 2048] [--steps 300] [--repeat 9]

Every number is the processor time of a whole loop, as you would write it. The two loops of a ratio alternate, and the
median of their ratios is printed with the lowest and the highest one.

* classic by 4, random actions included: step + compact observation of one seat + bit masks, against the simulation
  kernel's rounds (goal: at least 0.20); also with 512 games, which fit into a cache of 1 MB
* the same with all seats in 32-bit floats (goal: at least 0.02); each game writes 32 kB a step, so that a batch of
  32 games fits into a cache and one of 2048 does not
* bit masks of one seat, and of all, against a step (goal: at most a third)
* opponents inside, against a step without
* the board game, against PettingZoo's way (goal: at least 100 times as fast)
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from nimmt_lab import BoardGame, Classic, Game
from nimmt_lab.rl import parallel_env
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.study.rounds import Simulator

SEED = 1
#: Rounds per call of the simulation kernel.
ROUNDS = 2000


def seconds(work: Callable[[], object], times: int) -> float:
    """Processor time per call, over a whole loop."""
    begun = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begun) / times


class Loop:
    """A loop of random play that observes every step."""

    def __init__(self, game: Game, games: int, look: Callable[[VectorEnv], object], **options: object) -> None:
        self.env, self.look, self.ended = VectorEnv(game, games=games, **options), look, 0  # type: ignore[arg-type]
        self.env.reset(SEED)
        for _ in range(100):  # until games are at different turns
            self.turn()

    def turn(self) -> None:
        env = self.env
        env.sample()
        _, ends = env.step()
        self.look(env)
        self.ended += int(np.count_nonzero(ends))

    def rate(self, times: int) -> float:
        """Finished games a second."""
        self.ended = 0
        took = seconds(self.turn, times) * times
        return self.ended / took


def zoo_rate(game: Game, games: int) -> float:
    """Finished games per second through `parallel_env`."""
    env, begun = parallel_env(game), time.process_time()
    for number in range(games):
        seen, _ = env.reset(seed=number)
        while env.agents:
            chosen = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
            seen, *_ = env.step(chosen)
    return games / (time.process_time() - begun)


def say(name: str, amount: str, ratios: list[float], digits: int, of: str) -> None:
    low, middle, high = (f"{ratio:,.{digits}f}" for ratio in (min(ratios), median(ratios), max(ratios)))
    print(f"{name:32} {amount:>24}   {middle} {of}   ({low} to {high})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=9)
    args = parser.parse_args()
    games, steps, repeat = args.games, args.steps, args.repeat

    game, simulator = Classic(players=4, rounds=1), Simulator.of(Classic(players=4))
    others = dict.fromkeys((1, 2, 3), "edges-first")

    def compact(env: VectorEnv) -> object:
        return env.observe(0, compact=True), env.bit_masks(0)

    loops = {
        "step": (Loop(game, games, lambda env: None), steps),
        "step, compact, bits": (Loop(game, games, compact), steps),
        "step, compact, bits, 512 games": (Loop(game, 512, compact), 4 * steps),
        "step, all in floats": (Loop(game, games, lambda env: env.observe()), max(1, steps // 8)),
        "step, all in floats, 32 games": (Loop(game, 32, lambda env: env.observe()), 8 * steps),
        "opponents": (Loop(game, games, lambda env: None, opponents=others), steps),
    }
    kernel: list[float] = []
    rates: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(repeat):
        for name, (loop, times) in loops.items():
            kernel.append(ROUNDS / seconds(lambda: simulator.play(SEED, 0, ROUNDS), 50))
            rates[name].append(loop.rate(times))
    print(f"{'kernel':32} {f'{median(kernel):,.0f} rounds/s':>24}")
    for at, (name, here) in enumerate(rates.items()):
        against = kernel[at :: len(rates)]
        ratios = [one / other for one, other in zip(here, against, strict=True)]
        say(name, f"{median(here):,.0f} rounds/s", ratios, 3, "of the kernel")

    env = loops["step"][0].env
    looks: dict[str, Callable[[], object]] = {
        "bits of one seat": lambda: env.bit_masks(0), "bits of all": env.bit_masks, "masks of all": env.masks,
    }  # fmt: skip
    times_of: dict[str, list[float]] = {name: [] for name in looks}
    ratios_of: dict[str, list[float]] = {name: [] for name in looks}
    for _ in range(repeat):
        for name, look in looks.items():
            step = seconds(lambda: env.step(env.sample()), steps) - seconds(env.sample, steps)
            times_of[name].append(seconds(look, steps))
            ratios_of[name].append(times_of[name][-1] / step)
    for name, ratios in ratios_of.items():
        say(name, f"{1e9 * median(times_of[name]) / games:,.0f} ns a game", ratios, 2, "of a step")

    for mode in ("basic", "advanced"):
        for luck in (False, True):
            board = BoardGame(players=4, mode=mode, luck=luck)
            loop, fast, ratios = Loop(board, games, lambda env: None), list[float](), list[float]()
            for _ in range(3):
                fast.append(loop.rate(steps))
                ratios.append(fast[-1] / zoo_rate(board, 2))
            name = f"board game, {mode}{', luck' if luck else ''}"
            say(name, f"{median(fast):,.0f} games/s", ratios, 0, "times PettingZoo's way")


if __name__ == "__main__":
    main()
