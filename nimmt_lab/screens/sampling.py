"""Samples to try in a lesson: one dot each, stacked on a scale, with the mean and the spread of the dots."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.problem import decimal, run
from nimmt_lab.lessons.sampling import MATRIX, Sampling, Way
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import localised

from .base import Screen, Work, at_once

#: Dots per click, and the most of them.
TIMES: Final = (1, 10, 200)
MOST: Final = 3000


class SamplingScreen(Screen):
    """Draws samples in the way that is chosen; another way begins with no dots.

    >>> from nimmt_lab.lessons import words
    >>> from nimmt_lab.lessons.sampling import sampling
    >>> screen = SamplingScreen("p4", sampling("p4"), words("en"), seed=1)
    >>> screen.receive({"type": "way", "at": 1})
    >>> screen.run(200)
    >>> len(screen.values), abs(screen.spread - 0.0632) < 0.01
    (200, True)
    """

    module: ClassVar[str] = "screens/sampling"

    def __init__(self, lesson: str, sampled: Sampling, say: Words, *, seed: int) -> None:
        self.lesson, self.sampled, self.say, self.seed = lesson, sampled, say, seed
        self.at = 0
        self.values: list[float] = []
        self.cells: Counter[int] = Counter()
        self._last = -1
        self._results = run(self.way.trial, 10**9, seed)
        ways: list[Json] = [localised(say(f"{lesson}.way_{way.name}", **way.parts), say.lang) for way in sampled.ways]
        buttons: list[Json] = [{"times": times, "text": say("page.run", times=times)} for times in TIMES]
        super().__init__(
            ways=ways,
            way=0,
            axis=say(f"{lesson}.axis"),
            buttons=buttons,
            labels={name: say(f"sampling.{name}") for name in ("mean", "median", "spread", "exact", "tail")},
            lang=say.lang,
            low=sampled.low,
            high=sampled.high,
            width=float(sampled.width),
            running=False,
            **self._drawn(),
        )

    @property
    def way(self) -> Way:
        return self.sampled.ways[self.at]

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / len(self.values)

    @property
    def spread(self) -> float:
        """The standard deviation of the dots."""
        return statistics.stdev(self.values) if len(self.values) > 1 else 0.0

    def receive(self, message: Obj) -> None:
        """`run` that many samples; another `way`."""
        kind, times, at = message.get("type"), message.get("times"), message.get("at")
        if kind == "run" and isinstance(times, int) and times in TIMES:
            self.work(self._run(times))
        elif kind == "way" and isinstance(at, int) and 0 <= at < len(self.sampled.ways):
            self.stop()
            self.at, self._last = at, -1
            self.values, self.cells = [], Counter()
            self.seed += 1
            self._results = run(self.way.trial, 10**9, self.seed)
            self.show(way=at, running=False, **self._drawn())
        else:
            super().receive(message)

    def run(self, times: int) -> None:
        at_once(self._run(times))

    def _run(self, times: int) -> Work:
        times = min(times, MOST - len(self.values))
        self.show(running=True)
        for count, result in enumerate(islice(self._results, times), 1):
            if self.sampled.cells:
                self._last = int(result)
                self.cells[self._last] += 1
                result = float(self.sampled.cells[self._last])
            self.values.append(result)
            # The first dots fall one by one, later ones in handfuls.
            if count == times or len(self.values) <= 20 or count % 10 == 0:
                self.show(**self._drawn())
                yield
        self.show(running=False)

    @property
    def counts(self) -> list[tuple[float, int]]:
        """The values of the dots, and how many dots have each."""
        return sorted(Counter(self.values).items())

    @property
    def stacks(self) -> list[tuple[float, int]]:
        """The middle of each stack, and its dots."""
        return stacked(self.counts, self.sampled.width)

    def _drawn(self) -> Obj:
        way, some = self.way, bool(self.values)
        cells: Json = None
        if self.sampled.cells:
            cells = {
                "rows": [f"A {number + 1}" for number in range(len(MATRIX))],
                "columns": [f"B {number + 1}" for number in range(len(MATRIX[0]))],
                "entries": [*self.sampled.cells],
                "counts": [self.cells[at] for at in range(len(self.sampled.cells))],
                "last": self._last,
            }
        return {
            "stacks": [[middle, count] for middle, count in self.stacks],
            "mean": self.mean if some else None,
            "median": statistics.median(self.values) if some and self.sampled.median else None,
            "spread": self.spread if len(self.values) > 1 and self.sampled.spread else None,
            "exact": None if way.mean is None else float(way.mean),
            "tail": way.tail,
            "cells": cells,
            "told": self._told() if some else self.say("sampling.start"),
        }

    def _told(self) -> str:
        say, way, dots = self.say, self.way, len(self.values)
        parts: dict[str, object] = {"dots": dots, "mean": _three(self.mean)}
        told = [say("sampling.dots", **parts)]
        if self.sampled.median:
            told.append(say("sampling.median_is", median=f"{statistics.median(self.values):g}"))
        if self.sampled.spread and dots > 1:
            told.append(say("sampling.spread_is", spread=_three(self.spread)))
        if way.tail is not None:
            count = sum(value >= way.tail for value in self.values)
            told.append(say("sampling.in_tail", count=count, least=way.tail, share=decimal(Fraction(count, dots), 3)))
        return localised(" ".join(told), say.lang)


def stacked(counts: Iterable[tuple[float, int]], width: Fraction) -> list[tuple[float, int]]:
    """Put dots of nearly the same value on one stack.

    >>> stacked([(0.19, 2), (0.2, 1), (0.31, 4)], Fraction(1, 10))
    [(0.2, 3), (0.3, 4)]
    """
    stacks: Counter[int] = Counter()
    for value, count in counts:
        stacks[math.floor(value / float(width) + 0.5 + 1e-9)] += count
    return [(float(at * width), count) for at, count in sorted(stacks.items())]


def _three(value: float) -> str:
    return decimal(Fraction(value), 3)
