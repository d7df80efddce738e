"""Compare the speed of this checkout with another one's, by processor time.

    python benchmarks/compare.py FOLDER                       nine runs of everything that both can do
    python benchmarks/compare.py FOLDER --only engine review  some of it
    python benchmarks/compare.py FOLDER --runs 5

For example `git worktree add ../before 940513c`, then `python ../before/nimmt_lab/native/build.py` and
`python benchmarks/compare.py ../before`. Each checkout has its own process; they take turns on the same deals. Printed:
the median, smallest and largest ratio of the runs (the other's time / ours: above 1 we are faster), and whether both
computed the same. All work uses public names only, so that older checkouts can do it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import IO, Any

#: Rounds of a run by the engine, and by the kernels.
ENGINE, KERNEL = 240, 400_000
FAN_CARDS = ("even_odd", "mountain", "jumping_cow", "number_twister")


def by_engine(name: str, options: Sequence[dict[str, Any]], rounds: int, seed: int) -> object:
    """Random games through the public API: validated choices, immutable states, every event."""
    import nimmt_lab

    draw, totals = random.Random(seed).random, []
    for each in options:
        game = getattr(nimmt_lab, name)(**each)
        for number in range(rounds):
            state = game.deal(seed + number)
            while state.pending:
                choices = {}
                for seat, decision in state.pending.items():
                    options_now = decision.options
                    choices[seat] = options_now[int(draw() * len(options_now))]
                state, _events = state.choose(choices)
            totals.append(state.totals)
    return totals


def by_kernel(name: str, options: Sequence[dict[str, Any]], rounds: int, seed: int) -> object:
    """Random rounds through the compiled core."""
    import nimmt_lab
    from nimmt_lab.study import simulate

    games = [getattr(nimmt_lab, name)(**each) for each in options]
    return [simulate(game, rounds=rounds, seed=seed, progress=False, each_round=False).totals.heads for game in games]


def by_search(bot: str, seed: int) -> object:
    """The playouts of a search bot for one card of each hand size."""
    from nimmt_lab import Classic
    from nimmt_lab.bots import bot as named

    searcher, found = named(bot), []
    for size in range(2, 11):
        view = Classic(players=4, hand_size=size).deal(seed).view(0)
        found.append([(one.option, one.points, one.playouts) for one in searcher.advise(view, seed=seed).promises])
    return found


def by_review(kind: str, folder: str, seed: int) -> object:
    """A review of one seat of a recorded round."""
    from nimmt_lab import Record
    from nimmt_lab.study import review

    found = review(Record.load(Path(folder) / f"{kind} {seed}.nimmt"), seat=0, progress=False)
    return [(one.choice, one.best, one.least, one.most, one.verdict) for one in found.judgements]


#: Bots that play the reviewed rounds; the first seat's choices are judged.
REVIEWED = {"review": (5, 5, 5, 5), "review, weak player": (1, 3, 5, 7)}
FOUR, ONE = {"players": 4}, {"rounds": 1}
WORK: dict[str, Callable[..., object]] = {
    "engine": partial(by_engine, "Classic", [FOUR | ONE], 4 * ENGINE),
    "engine, fan cards": partial(
        by_engine,
        "Classic",
        [FOUR | ONE | {"fan_cards": (card,)} for card in FAN_CARDS]
        + [FOUR | ONE | {"fan_cards": FAN_CARDS, "combine_fan_cards": True}],
        ENGINE // 2,
    ),
    "engine, advanced": partial(by_engine, "Advanced", [FOUR | ONE], 2 * ENGINE),
    "engine, baron": partial(by_engine, "Baron", [FOUR], ENGINE // 3),
    "engine, board game": partial(by_engine, "BoardGame", [FOUR], ENGINE),
    "engine, buffalo": partial(by_engine, "Buffalo", [FOUR], ENGINE // 2),
    "kernel": partial(by_kernel, "Classic", [FOUR], KERNEL),
    "kernel, fan cards": partial(
        by_kernel, "Classic", [FOUR | {"fan_cards": (card,)} for card in FAN_CARDS], KERNEL // 4
    ),
    "kernel, advanced": partial(by_kernel, "Advanced", [FOUR], KERNEL),
    "search, flat": partial(by_search, "flat:playouts=8000"),
    "search": partial(by_search, "best:playouts=8000,goal=heads"),
    "review": partial(by_review, "review"),
    "review, weak player": partial(by_review, "review, weak player"),
}


def serve(folder: str) -> None:
    """The process of one checkout: does what it reads, one line each, and answers with seconds and a checksum."""
    for line in sys.stdin:
        name, seed = json.loads(line)
        work = partial(WORK[name], folder) if name in REVIEWED else WORK[name]
        begun = time.process_time()
        try:
            found = work(seed)
        except Exception as problem:  # an older checkout may lack something
            print(json.dumps([None, f"{type(problem).__name__}: {problem}"]), flush=True)
            continue
        seconds = time.process_time() - begun
        print(json.dumps([seconds, zlib.crc32(repr(found).encode())]), flush=True)


class Checkout:
    """A process that works with the code of a folder."""

    def __init__(self, folder: Path, records: str) -> None:
        command = [sys.executable, __file__, str(folder), "--serve", records]
        env = {**os.environ, "PYTHONPATH": str(folder)}
        self.process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, name: str, seed: int) -> tuple[float | None, object]:
        asked, answers = self.process.stdin, self.process.stdout
        assert asked is not None and answers is not None
        tell(asked, [name, seed])
        seconds, found = json.loads(answers.readline())
        return seconds, found


def tell(pipe: IO[str], what: object) -> None:
    pipe.write(json.dumps(what) + "\n")
    pipe.flush()


def compared(name: str, ours: Checkout, other: Checkout, runs: int) -> str:
    """One line: the ratios of the runs after a first one that loads and warms up everything."""
    ratios, same = [], True
    for run in range(runs + 1):
        first, second = (ours, other) if run % 2 else (other, ours)
        answers = {first: first.run(name, run), second: second.run(name, run)}
        (mine, found), (theirs, found_there) = answers[ours], answers[other]
        if mine is None or theirs is None:
            return f"{name:20}  {found if mine is None else found_there}"
        same = same and found == found_there
        if run:
            ratios.append(theirs / mine)
    what = "same results" if same else "other results"
    return f"{name:20}  {median(ratios):6.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  {mine:6.2f} s a run, {what}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the other checkout, with a compiled core")
    parser.add_argument("--runs", type=int, default=9, help="runs of each checkout (default 9)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="the beginnings of names, e.g. engine")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        serve(given.serve)
        return
    here = Path(__file__).resolve().parent.parent
    sys.path.insert(0, str(here))
    from nimmt_lab import Classic
    from nimmt_lab.bots import bot, record

    names = [name for name in WORK if not given.only or name.startswith(tuple(given.only))]
    with tempfile.TemporaryDirectory() as records:
        for name in REVIEWED.keys() & names:
            table = [bot(f"level-{level}") for level in REVIEWED[name]]
            for seed in range(given.runs + 1):
                record(Classic(players=4, rounds=1), table, seed=seed).save(Path(records) / f"{name} {seed}.nimmt")
        checkouts = Checkout(here, records), Checkout(given.folder.resolve(), records)
        print(f"{'':20}  median  (range)  against {given.folder}")
        for name in names:
            print(compared(name, *checkouts, given.runs), flush=True)
        for checkout in checkouts:
            assert checkout.process.stdin is not None
            checkout.process.stdin.close()
            checkout.process.wait()


if __name__ == "__main__":
    main()
