"""Train the evaluation of positions with few cards a hand: the program that made the solver's
``data/learned.bin``.

    python -m tools.train_values learned.bin                  all levels, about half an hour
    python -m tools.train_values --each 5 learned.bin         one level, the others stay

Positions come from random play of random deals: three in four with the two-player deck of advanced mode, the rest with
the classic deck. Those with five cards a hand are solved; beyond that, a search that stops at a learned level values
them. Small networks are trained in floats (`train_values.c`) and rounded. The error on held-out positions is printed;
the file is written after each level, whole or not at all. The same arguments give the same weights on the same kind of
machine (``data/learned.bin`` is older: retraining gives an equally good, different file). A quick demonstration:

    python -m tools.train_values --each 5 --positions 2000 --steps 1000 try.bin
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path

from nimmt_lab.engine.cards import LAST_CARD, PRINTED_HEADS
from nimmt_lab.engine.files import read_bytes, write_file
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import Core, Memory
from nimmt_lab.solver import core
from nimmt_lab.solver.learned import LEVELS, read_numbers
from tools.extended_core import core_with

SOURCE = Path(__file__).with_suffix(".c")

#: By cards per hand: training positions, steps of 64 positions, and search cut-off (0: solved).
PLAN = {5: (160_000, 60_000, 0), 6: (150_000, 40_000, 5), 7: (100_000, 40_000, 6), 8: (100_000, 40_000, 7)}
RATE = 0.003
#: Steps between changes of the learning rate: a few hundredths of a second. (A clock would make runs differ.)
STRIDE = 20
#: One position in this many is held out.
ASIDE = 20
#: Fractions of a head in samples and weights. As in ``train_values.c`` and ``solve_value.h``.
_FINE, _PARTS, _MOST = 65536, 64, 127
_SHIFT = 24
_WORDS = 3
UNITS = 64
#: The two-player deck of advanced mode.
_SMALL_DECK = 24


class Teacher:
    """Generates positions with their values, and trains networks on them."""

    def __init__(self, native: Core, learned: Memory, seed: int) -> None:
        self._core, self._learned = native, learned
        self._rng, self._question, self._words = native.memory(8), native.memory(4 * 142), native.memory(8 * 16)
        self._rng.write("Q", [Rng.from_seed(seed).state])
        self._decks = []
        for last in (_SMALL_DECK, LAST_CARD):
            deck = native.memory(4 * (LAST_CARD + 1))
            deck.write("i", PRINTED_HEADS[: last + 1])
            self._decks.append(deck)
        self._whole = PRINTED_HEADS

    def samples(self, each: int, count: int, cut: int) -> array[int]:
        """`count` positions: keys and values, three words each."""
        native, tables = self._core, core.Tables(self._core, 1 << 24)
        size = native.call("nl_solve_work", each, 0)
        work = native.memory(size)
        samples = array("q")
        for number in range(count):
            native.call("nl_learn_deal", self._rng, each, self._decks[number % 4 == 3], self._question, 142)
            self._question.write("i", [_SHIFT], at=4)
            # Other cards are not in play, but the core needs heads for every card.
            self._question.write("i", self._whole, at=4 * 37)
            native.call(
                "nl_solve_open", work, size, self._question, 142,
                tables.main, tables.main_log2, tables.side, tables.side_log2,
            )  # fmt: skip
            if cut:
                native.call("nl_solve_learned", work, self._learned, self._learned.size // 2, cut)
            self._words.write("q", [-(1 << 31), 1 << 31])
            native.call("nl_solve_ask", work, core.VALUE, self._words)
            while not native.call("nl_solve_run", work, 100_000):
                pass
            native.call("nl_solve_result", work, self._words, 9)
            lo, hi = self._words.read("q", 2)
            turned = native.call("nl_solve_key", work, self._words)
            value = (lo + hi) * _FINE >> _SHIFT + 1
            samples.extend((*self._words.read("q", 2), -value if turned else value))
            if sys.stderr.isatty() and number % 500 == 0:
                print(f"\r{each} cards a hand: {number:,} of {count:,} positions", end="", file=sys.stderr)
        return samples

    def network(self, each: int, samples: array[int], steps: int) -> array[int]:
        """Train on these samples; return the rounded weights."""
        native = self._core
        count = native.call("nl_solve_numbers", each)
        lesson, rate = native.memory(16 * count), native.memory(8)
        start, rng = [], Rng.from_seed(each)
        for _ in range(count):
            number, rng = rng.below(2001)
            start.append((number - 1000) / 4000)
        lesson.write("f", start)
        block = native.memory(8 * len(samples))
        block.write("q", samples)
        for done in range(0, steps, STRIDE):
            # warm up slowly, then decay to zero
            rate.write("d", [RATE * min(1.0, (done + 1) / 2000, 1.02 - done / steps)])
            some = min(STRIDE, steps - done)
            native.call("nl_learn_steps", lesson, 4 * count, each, block, len(samples) // _WORDS, self._rng, rate, some)
        rounded = [max(-_MOST, min(_MOST, round(number * _PARTS))) for number in lesson.read("f", count)]
        # The core reads the second layer transposed, which is faster with integers.
        second = count - (UNITS + 3) * UNITS
        turned = [rounded[second + UNITS * row + column] for column in range(UNITS) for row in range(UNITS)]
        return array("h", [*rounded[:second], *turned, *rounded[second + UNITS * UNITS :]])

    def error(self, each: int, numbers: array[int], samples: array[int]) -> tuple[float, float]:
        """Mean error and root mean square error, in heads."""
        native, count = self._core, len(samples) // _WORDS
        block, learned = native.memory(8 * len(samples)), native.memory(2 * len(numbers))
        block.write("q", samples)
        learned.write("h", numbers)
        native.call("nl_learn_errors", learned, len(numbers), each, block, count, self._words)
        total, squares = self._words.read("d", 2)
        return total / count, float((squares / count) ** 0.5)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train one level or all and write the weights."""
    options = argparse.ArgumentParser(description="Learn what positions of few cards a hand are worth.")
    options.add_argument("--each", type=int, choices=LEVELS, help="only so many cards a hand (all levels)")
    options.add_argument("--positions", type=int, help="positions to learn from (as the level needs)")
    options.add_argument("--steps", type=int, help="steps of learning (as the level needs)")
    options.add_argument("--cut", type=int, help="cards a hand at which the search for their values stops (0: never)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("file", type=Path)
    given = options.parse_args(arguments)
    if given.positions is not None and given.positions < ASIDE:
        options.error(f"--positions must be at least {ASIDE}, of which one is kept aside")
    if given.steps is not None and given.steps < 1:
        options.error("--steps must be at least 1")
    if given.cut and not all(
        LEVELS[0] <= given.cut < each for each in (LEVELS if given.each is None else [given.each])
    ):
        options.error(f"--cut must be 0, or from {LEVELS[0]} to below the cards a hand that are learned")
    native = core_with(SOURCE)
    sizes = [native.call("nl_solve_numbers", each) for each in LEVELS]
    learned = native.memory(2 * sum(sizes))
    if given.file.exists():
        learned.write("h", read_numbers(read_bytes(given.file), sum(sizes)))
    for each in LEVELS if given.each is None else [given.each]:
        teacher = Teacher(native, learned, given.seed * 100 + each)
        positions, steps, cut = PLAN[each]
        cut = cut if given.cut is None else given.cut
        samples = teacher.samples(each, positions if given.positions is None else given.positions, cut)
        aside = len(samples) // _WORDS // ASIDE * _WORDS
        weights = teacher.network(each, samples[aside:], steps if given.steps is None else given.steps)
        learned.write("h", weights, at=2 * sum(sizes[: each - LEVELS[0]]))
        mean, root = teacher.error(each, weights, samples[:aside])
        print(f"{each} cards a hand: off by {mean:.3f} heads on average (root of squares {root:.3f})", flush=True)
        write_file(given.file, array("b", learned.read("h", sum(sizes))).tobytes())


if __name__ == "__main__":
    main()
