"""Measure what the solver's search saves, in stored positions and time, as a ratio to the plain search in the same run.

    python benchmarks/bench_solver.py            five to eight cards a hand (a few minutes)
    python benchmarks/bench_solver.py --nine     nine cards a hand as well (six positions, a quarter of an hour)
    python benchmarks/bench_solver.py --anytime  only: estimate and certain bounds of solved deals while time passes

Positions come from random play with the deck 1–24. Times are processor time of one thread after compiling and depend on
the machine; the ratios do so much less. The plain search is run for six and seven cards. It stores positions of three
cards a hand and more, the fast search four and more (three in a small cache that is not counted).

Then, in the same run: what proving the value as a fraction adds to the search that found its bounds, and what a second
thread on the same table gains. Threads are compared by the clock, so this means little on a machine with other work.
Last, three and more players: compiled code against game states, for the same answers.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Advanced
from nimmt_lab.solver.deals import SolvedDeal, random_state, solved_deals
from nimmt_lab.solver.exact import Progress, Searcher
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.proof import Prover
from nimmt_lab.solver.several import (
    Guarantee,
    Response,
    best_response,
    paranoid,
    paranoid_by_engine,
    response_by_engine,
    turns_to_play,
    uniform,
)
from tools.plain_search import plain_value

T = TypeVar("T")
GAME = Advanced(players=2, rounds=1)
#: Positions per number of cards, and the project's promises: stored positions on average, approximate seconds.
PLAN = {5: (40, None, None), 6: (20, None, None), 7: (10, 60_000, 1.0), 8: (10, 700_000, 6.0), 9: (6, 8_000_000, 90.0)}


def random_position(left: int, seed: int) -> OpenPosition:
    """Draft and play at random until `left` cards per hand remain, in the form the search uses."""
    return OpenPosition.of(random_state(GAME, left, seed))


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """The result, and its processor time."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def clocked(position: OpenPosition, threads: int) -> float:
    """Seconds on the clock for one position."""
    searcher = Searcher(threads=threads)
    start = time.perf_counter()
    searcher.prove(position)
    return time.perf_counter() - start


def stored_by_search(position: OpenPosition) -> int:
    """The number of positions that the search puts into its table."""
    return Searcher().prove(position).states


def stored_by_plain(position: OpenPosition) -> int:
    """The same for the plain search."""
    return plain_value(position)[1]


def fractions(left: int, count: int) -> str:
    """The cost of proving values as fractions, in addition to the search."""
    search = proof = 0.0
    positions = []
    for seed in range(count):
        state = random_state(GAME, left, seed)
        searcher = Searcher()
        search += timed(partial(searcher.prove, OpenPosition.of(state)))[1]
        prover = Prover(searcher)
        proof += timed(partial(prover.value, state))[1]
        positions.append(prover.positions)
    return (
        f"{left:5}  {count:9}  {sum(positions) / count:18,.0f}  {max(positions):8,}"
        f"  {proof / count:8.3f}  {proof / search:25.2f}"
    )


def crowds(players: int, left: int) -> str:
    """Three and more players: the two exact answers, and small ones again with the engine."""
    state = random_state(Advanced(players=players, rounds=1), left, 1)
    policies = [uniform] * players
    best_response(random_state(Advanced(players=players, rounds=1), 1, 1), 0, policies)  # compiled by now
    paranoid(random_state(Advanced(players=players, rounds=1), 1, 1), 0)
    line = f"{players:7}  {left:5}"
    pairs: list[tuple[Callable[[], Response | Guarantee], Callable[[], Response | Guarantee]]] = [
        (lambda: best_response(state, 0, policies), lambda: response_by_engine(state, 0, policies)),
        (lambda: paranoid(state, 0), lambda: paranoid_by_engine(state, 0)),
    ]
    for quick, slow in pairs:
        answer, seconds = timed(quick)
        line += f"  {seconds:20.3f}"
        if turns_to_play(state) < 10_000:
            same, long = timed(slow)
            assert abs(float(answer.heads) - float(same.heads)) < 1e-6
            line += f"  {long:9.2f}  {long / seconds:9.0f}"
        else:
            line += 22 * " "
    return line.rstrip()


#: Cards per hand: processor seconds after which a search is inspected.
LOOKS = {9: (2, 10, 30, 60), 10: (3, 30, 90)}


def anytime(deal: SolvedDeal) -> str:
    """One solved deal: the error of the estimate and the width of the bounds over time, and when it becomes exact."""
    looks = LOOKS[deal.cards]
    start = time.process_time()
    seen: list[tuple[float, Progress]] = []

    def report(progress: Progress) -> None:
        lo, hi = progress.bounds
        assert lo - 1e-6 <= deal.value <= hi + 1e-6
        seen.append((time.process_time() - start, progress))
        if seen[-1][0] > looks[-1]:
            raise KeyboardInterrupt

    proof = Searcher().prove(OpenPosition.of(deal.state), report=report)
    line = f"{deal.cards:5}  {deal.seed:4}"
    first = Progress(0.0, 0, 0, (-38.0, 38.0))  # its answer for any deal before it knows more
    for look in looks:
        progress = ([first] + [progress for at, progress in seen if at <= look])[-1]
        off = "     -" if progress.estimate is None else f"{abs(progress.estimate - deal.value):6.2f}"
        line += f"  {look:3} s: off {off} width {progress.bounds[1] - progress.bounds[0]:6.2f}"
    begun = next((at for at, progress in seen if progress.estimate is not None), None)
    line += f"  estimate after {begun:.1f} s" if begun is not None else "  no estimate"
    return line + (f", exact after {seen[-1][0]:.1f} s" if proof.complete else "")


def main() -> None:
    """Measure and print one line per number of cards."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--nine", action="store_true", help="nine cards a hand as well")
    options.add_argument("--anytime", action="store_true", help="only what is known of solved deals while time passes")
    given = options.parse_args()
    nine = given.nine
    if given.anytime:
        for deal in solved_deals():
            if deal.cards in LOOKS:
                print(anytime(deal), flush=True)
        return
    warm = random_position(4, 0)
    Searcher().prove(warm)
    plain_value(warm, states=1 << 12)
    print("cards  positions  stored (avg)   promise   seconds   about   plain: stored  seconds   saves: states  time")
    for left, (count, promise, about) in PLAN.items():
        if left == 9 and not nine:
            continue
        positions = [random_position(left, seed) for seed in range(count)]
        fast = [timed(partial(stored_by_search, position)) for position in positions]
        stored, seconds = sum(n for n, _ in fast) / count, sum(t for _, t in fast) / count
        line = f"{left:5}  {count:9}  {stored:12,.0f}  {promise or '':>8}  {seconds:8.3f}  {about or '':>6}"
        if left in (6, 7):
            slow = [timed(partial(stored_by_plain, position)) for position in positions]
            plain_stored, plain_seconds = sum(n for n, _ in slow) / count, sum(t for _, t in slow) / count
            line += f"   {plain_stored:13,.0f}  {plain_seconds:7.2f}"
            line += f"   {plain_stored / stored:13.1f}  {plain_seconds / seconds:4.1f}"
        print(line, flush=True)
    print("\ncards  positions  proved (avg)         most   seconds   as a part of the search")
    for left, count in ((4, 40), (5, 40), (6, 20), (7, 6)):
        print(fractions(left, count), flush=True)
    print("\ncards  positions  one thread  two threads   faster by")
    for left, count in ((8, 5), (9, 3)) if nine else ((8, 5),):
        positions = [random_position(left, seed) for seed in range(count)]
        # In turns, so that other work on the machine disturbs both alike.
        times = [(clocked(position, 1), clocked(position, 2)) for position in positions]
        one, two = (sum(part) / count for part in zip(*times, strict=True))
        print(f"{left:5}  {count:9}  {one:10.2f}  {two:11.2f}  {one / two:10.2f}", flush=True)
    print("\nplayers  cards   best reply: seconds  by engine  faster by   guarantee: seconds  by engine  faster by")
    for players, left in ((3, 3), (4, 2), (6, 2), (3, 5), (4, 4), (6, 3)):
        print(crowds(players, left), flush=True)


if __name__ == "__main__":
    main()
