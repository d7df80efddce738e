"""Measure the simulation kernels' speed as ratios within one run.

    python benchmarks/bench_simulate.py [--rounds 500000] [--repeat 5]

* classic, random play by 2, 4 and 10, against plain C for the same work (simulate_reference.c, gcc -O3), one core
* every fan card and advanced mode against classic
* two threads against one
* start of a fresh process with a core that is built, to the first result
"""

from __future__ import annotations

import argparse
import ctypes
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from nimmt_lab import Advanced, Classic
from nimmt_lab.study.rounds import Simulator

HERE = Path(__file__).parent
PLAYERS = 4
SEED = 1


def c_reference(folder: Path) -> Callable[[int, int], bytes]:
    """The C program, compiled now: given players and a number of rounds, it returns the outcomes as bytes."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        sys.exit("the reference needs a C compiler (gcc or cc)")
    library = folder / "reference.so"
    subprocess.run(
        [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(HERE / "simulate_reference.c")], check=True
    )
    simulate = ctypes.CDLL(str(library)).simulate
    simulate.argtypes = [ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int, ctypes.c_char_p]

    def run(players: int, rounds: int) -> bytes:
        out = ctypes.create_string_buffer(rounds * players * 5)
        simulate(SEED, 0, rounds, players, out)
        return out.raw

    return run


def best(work: Callable[[], object], repeat: int, clock: Callable[[], float] = time.process_time) -> float:
    """Shortest time of several (processor time, which other programs disturb least)."""
    times = []
    for _ in range(repeat):
        begun = clock()
        work()
        times.append(clock() - begun)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=500_000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    rounds, repeat = args.rounds, args.repeat

    classic = Simulator.of(Classic(players=PLAYERS))
    if not classic.compiled:
        sys.exit("there is no compiled core here: nothing to measure")
    classic.play(SEED, 0, 1)  # built, or loaded
    with tempfile.TemporaryDirectory() as folder:
        reference = c_reference(Path(folder))
        for players in (2, PLAYERS, 10):
            plan = Simulator.of(Classic(players=players))
            assert reference(players, 2000) == plan.play(SEED, 0, 2000).data, "the reference does other work"
            # Alternate, so that a busy machine disturbs both alike.
            c_time, our_time = float("inf"), float("inf")
            for _ in range(repeat):
                c_time = min(c_time, best(partial(reference, players, rounds), 1))
                our_time = min(our_time, best(partial(plan.play, SEED, 0, rounds), 1))
            print(f"plain C, classic, {players:2} players      {rounds / c_time:12,.0f} rounds/s")
            print(
                f"kernel, the same work            {rounds / our_time:12,.0f} rounds/s   {c_time / our_time:.2f} of C"
            )

    plans = {"advanced": Simulator.of(Advanced(players=PLAYERS))}
    for card in ("even_odd", "mountain", "jumping_cow", "number_twister"):
        plans[card] = Simulator.of(Classic(players=PLAYERS, fan_cards=(card,)))
    for name, plan in plans.items():
        here = best(partial(plan.play, SEED, 0, rounds), repeat)
        there = best(lambda: classic.play(SEED, 0, rounds), repeat)
        print(f"{name:32} {rounds / here:12,.0f} rounds/s   {there / here:.2f} of classic")

    with ThreadPoolExecutor(2) as threads:

        def two() -> None:
            list(threads.map(lambda first: classic.count(SEED, first, rounds), (0, rounds)))

        one_wall = best(lambda: classic.count(SEED, 0, 2 * rounds), repeat, time.perf_counter)
        two_wall = best(two, repeat, time.perf_counter)
    print(
        f"two threads                      {2 * rounds / two_wall:12,.0f} rounds/s   {one_wall / two_wall:.2f} of one"
    )

    code = "from nimmt_lab import Classic, study; study.simulate(Classic(players=4), rounds=1, progress=False)"

    def start() -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    def children() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    wall, processor = best(start, repeat, time.perf_counter), best(start, repeat, children)
    print(f"fresh process to first result    {wall:12.2f} s, {processor:.2f} s of it processor time")


if __name__ == "__main__":
    main()
