"""Measure what the solver's search saves, in stored positions and time, as a ratio to the plain search in the same run.

    python benchmarks/bench_solver.py            five to eight cards a hand (a few minutes)
    python benchmarks/bench_solver.py --nine     nine cards a hand as well (six positions, a quarter of an hour)
    python benchmarks/bench_solver.py --anytime  only: estimate and certain bounds of solved deals while time passes
    python benchmarks/bench_solver.py --exact    only: ten positions of eight and nine cards: do counts repeat, and what
                                                 does a second thread gain (``--positions`` chooses others)
    python benchmarks/bench_solver.py --sound N  only: whether every estimate of N positions at five limits is within
                                                 its bounds, and those hold once the position is solved

Positions come from random play with the deck 1–24. Times are processor time of one thread after compiling and depend on
the machine; the ratios do so much less. The plain search is run for six and seven cards. It stores positions of three
cards a hand and more, the fast search four and more (three in a small cache that is not counted).

Then, in the same run: what proving the value as a fraction adds to the search that found its bounds. Last, three and
more players: compiled code against game states, for the same answers.

Two threads are compared with one by the processor time of the first thread, which estimates, searches until one of them
has the answer, and never waits for long. On a machine with nothing else to do that is the time on the clock.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Advanced
from nimmt_lab.solver.deals import SolvedDeal, random_state, solved_deals
from nimmt_lab.solver.exact import Progress, RootProof, Searcher
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
from nimmt_lab.solver.two_players import solve
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


#: Positions for comparisons of exact searches, as cards-seed.
TEN = tuple(f"8-{seed}" for seed in range(5)) + tuple(f"9-{seed}" for seed in (0, 2, 3, 4, 5))


def searched(position: OpenPosition, threads: int) -> tuple[RootProof, float]:
    """A position searched to the end, and the processor time of the first thread."""
    start = time.thread_time()
    proof = Searcher(threads=threads).prove(position)
    return proof, time.thread_time() - start


def exact_searches(names: Sequence[str]) -> None:
    """Print nodes and processor time of one thread, twice, and of two, for each position."""
    print("cards-seed      nodes  repeat       value   one thread  two threads  faster by")
    totals = [0.0, 0.0]
    for name in names:
        cards, seed = map(int, name.split("-"))
        position = random_position(cards, seed)
        (first, alone), (again, alone_again) = searched(position, 1), searched(position, 1)
        both, together = searched(position, 2)
        assert abs(first.lo + first.hi - both.lo - both.hi) < 4e-6, "one answer for any number of threads"
        same = (first.nodes, first.lo, first.hi) == (again.nodes, again.lo, again.hi)
        alone = (alone + alone_again) / 2
        totals = [totals[0] + alone, totals[1] + together]
        print(
            f"{name:>10}  {first.nodes:9,}  {'yes' if same else 'NO':>6}  {(first.lo + first.hi) / 2:+10.6f}"
            f"  {alone:11.2f}  {together:11.2f}  {alone / together:9.2f}",
            flush=True,
        )
    print(f"{'all':>10}  {'':35}  {totals[0]:11.2f}  {totals[1]:11.2f}  {totals[0] / totals[1]:9.2f}")


#: Positions searched after the estimate at which `sound` looks; the last ones reach many exact answers.
LIMITS = (1, 300, 3_000, 20_000, 100_000)


def sound(count: int) -> None:
    """Count estimates outside their bounds, and bounds that miss the value of a position solved in the end."""
    outside = missed = exact = estimates = 0
    for number in range(count):
        cards = 9 if number % 50 == 0 else 8 if number % 10 == 5 else 6 + number % 2
        solution = solve(random_state(GAME, cards, number), nodes=LIMITS[0], detail="bounds")
        answers = [solution]
        for before, limit in pairwise(LIMITS):
            solution = solution.search_on(nodes=limit - before)
            answers.append(solution)
        for answer in answers:
            within = [(answer.estimate, answer.bounds)]
            within += [(worth.estimate, worth.bounds) for part in answer.worth.values() for worth in part.values()]
            estimates += sum(guess is not None for guess, _ in within)
            outside += sum(guess is not None and not lo <= guess <= hi for guess, (lo, hi) in within)
            missed += solution.exact and not answer.bounds.lo - 1e-6 <= solution.value <= answer.bounds.hi + 1e-6
        exact += solution.exact
    print(f"{count} positions, {len(LIMITS)} limits, {estimates:,} estimates: {outside} outside their bounds")
    print(f"{exact} positions were solved in the end: {missed} earlier bounds missed the value")


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
    options.add_argument("--exact", action="store_true", help="only exact searches: repeated, and with two threads")
    options.add_argument("--positions", nargs="+", default=TEN, metavar="CARDS-SEED", help="positions for --exact")
    options.add_argument(
        "--sound", type=int, metavar="N", help="check the estimates of N positions only, at five limits"
    )
    given = options.parse_args()
    nine = given.nine
    if given.exact:
        exact_searches(given.positions)
        return
    if given.sound:
        sound(given.sound)
        return
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
    print("\nplayers  cards   best reply: seconds  by engine  faster by   guarantee: seconds  by engine  faster by")
    for players, left in ((3, 3), (4, 2), (6, 2), (3, 5), (4, 4), (6, 3)):
        print(crowds(players, left), flush=True)


if __name__ == "__main__":
    main()
