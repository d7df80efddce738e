"""Measure the search for positions of eight and nine cards a hand: estimates of cards, repetition, threads, time.

    python benchmarks/bench_search.py                       five positions of eight cards and five of nine
    python benchmarks/bench_search.py --eight 10 --nine 0   other numbers of positions
    python benchmarks/bench_search.py --against FOLDER      the time of another checkout's search, too

Four ratios, each to something measured in the same run:

* the mean error of cards' estimates, in heads and relative to saying that each card is worth what the position is;
* nodes of a second run with one thread relative to the first (1.000000: the same);
* what two threads gain: by nodes, 2 * nodes of one thread / nodes of two, which other work on the machine doesn't
  change and which is the gain if each thread has a core of its own; and by the clock, which needs an idle machine;
* processor time to the exact value relative to the other checkout's, the positions in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Advanced
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.exact import RootProof, Searcher
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.two_players import solve
from tools.solved_turns import state_of

GAME = Advanced(players=2, rounds=1)
TURNS = Path(__file__).resolve().parent.parent / "tests" / "solver" / "data" / "turns.json"
#: Positions searched after the estimate: less than a second.
NODES = 100_000
#: The code that another checkout runs: the processor time of one search, its nodes and its bounds.
OTHER = """
import sys, time
from nimmt_lab import Advanced
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition
position = OpenPosition.of(random_state(Advanced(players=2, rounds=1), int(sys.argv[1]), int(sys.argv[2])))
start = time.process_time()
proof = Searcher().prove(position)
print(time.process_time() - start, proof.lo, proof.hi)
"""


def card_errors(cards: int, most: int) -> str:
    """Estimates of cards compared with exact payoffs."""
    off, level, positions = list[float](), list[float](), 0
    for turn in json.loads(TURNS.read_text(encoding="utf-8"))["turns"]:
        if turn["cards"] != cards or positions == most:
            continue
        positions += 1
        solution = solve(state_of(turn["game"], cards, turn["seed"]), nodes=NODES, detail="bounds")
        for seat in (0, 1):
            mix = solution.strategies[1 - seat].values()
            for p, worth in enumerate(solution.worth[seat].values()):
                entries = [turn["payoffs"][p][q] if seat == 0 else turn["payoffs"][q][p] for q in range(len(mix))]
                parts = [(chance, entry) for chance, entry in zip(mix, entries, strict=True) if chance > 0]
                if worth.estimate is not None and all(entry is not None for _, entry in parts):
                    exact = sum(chance * entry for chance, entry in parts) / 1000
                    off.append(abs(worth.estimate - exact))
                    level.append(abs(solution.value - exact))
    if not off:
        return f"{cards:5}  no exact payoffs"
    return f"{cards:5}  {positions:9}  {len(off):5}  {sum(off) / len(off):10.2f}  {sum(off) / sum(level):19.2f}"


def timed(position: OpenPosition, threads: int) -> tuple[RootProof, float, float]:
    """The proof, processor seconds and seconds on the clock."""
    searcher = Searcher(threads=threads)
    processor, clock = time.process_time(), time.perf_counter()
    proof = searcher.prove(position)
    return proof, time.process_time() - processor, time.perf_counter() - clock


def other_time(folder: Path, left: int, seed: int, proof: RootProof) -> float:
    """Processor seconds of another checkout, whose bounds must agree."""
    run = subprocess.run(
        [sys.executable, "-c", OTHER, str(left), str(seed)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, lo, hi = map(float, run.stdout.split())
    assert abs(lo - proof.lo) < 1e-5 and abs(hi - proof.hi) < 1e-5, "the two checkouts disagree"
    return seconds


def searches(left: int, count: int, against: Path | None) -> str:
    """Repetition, two threads, and the other checkout, over positions of one size."""
    nodes = [0, 0, 0]
    processor, clocks, other = 0.0, [0.0, 0.0], 0.0
    for seed in range(count):
        position = OpenPosition.of(random_state(GAME, left, seed))
        first, used, one = timed(position, 1)
        second, again, _ = timed(position, 1)
        both, _, two = timed(position, 2)
        assert abs(both.lo - first.lo) < 1e-5, "two threads find another value"
        for at, proof in enumerate((first, second, both)):
            nodes[at] += proof.nodes
        processor += min(used, again)
        clocks[0], clocks[1] = clocks[0] + one, clocks[1] + two
        if against is not None:
            other += min(other_time(against, left, seed, first) for _ in range(2))
    line = f"{left:5}  {count:9}  {nodes[0]:11,}  {nodes[1] / nodes[0]:8.6f}  {2 * nodes[0] / nodes[2]:12.2f}"
    line += f"  {clocks[0] / clocks[1]:12.2f}  {processor:7.2f}"
    return line + (f"  {other:7.2f}  {processor / other:5.2f}" if against is not None else "")


def main() -> None:
    """Measure and print one line per number of cards."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--eight", type=int, default=5, metavar="N", help="positions with eight cards a hand (5)")
    options.add_argument("--nine", type=int, default=5, metavar="N", help="positions with nine cards a hand (5)")
    options.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    given = options.parse_args()
    counts = {left: count for left, count in ((8, given.eight), (9, given.nine)) if count}
    print("cards  positions  cards   mean error  against the value's")
    for left, count in counts.items():
        print(card_errors(left, 2 * count), flush=True)
    print("\ncards  positions        nodes  repeated  two: by nodes  by the clock  seconds  the other's, ratio")
    for left, count in counts.items():
        print(searches(left, count, given.against), flush=True)


if __name__ == "__main__":
    main()
