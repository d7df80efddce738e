"""An experiment to repeat: the frequency of each result, and the mean beside the exact value."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.problem import Problem, run, show
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import localised

from .base import Screen, Work, at_once

#: Runs per click.
TIMES: Final = (1, 10, 1000)
#: The most runs of Continue.
MOST: Final = 20_000
#: The lessons before the one that explains the standard error.
BEFORE_ERRORS: Final = frozenset({"p1", "p2", "p3"})
#: Points of the running mean; beyond that every other one is dropped.
POINTS: Final = 240


class ExperimentScreen(Screen):
    """Runs the trial of a problem; the exact value is shown once `known()`.

    >>> from nimmt_lab.lessons import problems, words
    >>> problem = problems(1, 7)[2]
    >>> experiment = ExperimentScreen(problem, words("en"), seed=1)
    >>> experiment.run(100)
    >>> experiment.runs, abs(experiment.mean - problem.answer) < 5 * experiment.error
    (100, True)
    """

    module: ClassVar[str] = "screens/experiment"

    def __init__(self, problem: Problem, say: Words, known: Callable[[], bool] = lambda: True, *, seed: int) -> None:
        assert problem.trial is not None
        self.problem, self.say, self.known, self.seed = problem, say, known, seed
        #: Whether the standard error has been taught: from lesson 4 on, and in lessons of one's own.
        self.taught = problem.key.partition(".")[0] not in BEFORE_ERRORS
        self._results = run(problem.trial, 10**9, seed)
        self.runs = 0
        self._sum = self._squares = 0.0
        self._path: list[tuple[int, float, float]] = []
        self.counts: Counter[float] = Counter()
        buttons: list[Json] = [{"times": times, "text": say("page.run", times=times)} for times in TIMES]
        super().__init__(
            text=say(f"page.experiment_{problem.a_run}"),
            buttons=buttons,
            stop=say("page.stop"),
            go=say("page.go_on"),
            counted=say("page.counted"),
            running_mean=say("page.running_mean"),
            bars=[],
            running=False,
            told="",
            meaning=say("page.plus_minus") if self.taught else say("page.own_runs"),
            band=say("page.band") if self.taught else "",
            path=[],
            exact=None,
        )

    @property
    def mean(self) -> float:
        return self._sum / self.runs

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 while all results are equal, which proves nothing."""
        spread = max(0.0, self._squares - self.runs * self.mean**2)
        return math.sqrt(spread / max(1, self.runs - 1) / self.runs)

    def receive(self, message: Obj) -> None:
        """`run` the trial `times` times, or `go` until `stop`."""
        kind, times = message.get("type"), message.get("times")
        if kind == "run" and times in TIMES and isinstance(times, int):
            self.work(self._run(times))
        elif kind == "go":
            self.work(self._run(MOST))
        elif kind == "stop":
            self.stop()
            self.found()
        else:
            super().receive(message)

    def resume(self, counts: Iterable[tuple[float, int]]) -> None:
        """Continue from results by value that were found before."""
        for value, count in counts:
            self.counts[value] += count
            self.runs += count
            self._sum += value * count
            self._squares += value * value * count
        self.found()

    def run(self, times: int) -> None:
        at_once(self._run(times))

    def _run(self, times: int) -> Work:
        self.show(running=True)
        every = max(1, min(times // 60, 50))
        for at, result in enumerate(islice(self._results, times)):
            self.runs += 1
            self._sum += result
            self._squares += result * result
            self.counts[result] += 1
            if at % every == 0 or at == times - 1:
                if len(self._path) >= POINTS:
                    del self._path[1::2]
                self._path.append((self.runs, self.mean, self.error))
                self.show(path=self._drawn(), bars=self._bars())
                yield
        self.found()

    def _drawn(self) -> list[Json]:
        """The running mean, once it varies."""
        return [[runs, mean, error] for runs, mean, error in self._path] if self.runs and self.error > 1e-9 else []

    def _bars(self) -> list[Json]:
        return [[value, count] for value, count in sorted(self.counts.items())]

    def found(self) -> None:
        """Show the result so far."""
        if not self.runs:
            self.show(running=False)
            return
        parts = {"runs": self.runs, "mean": f"{self.mean:.3f}", "error": f"{self.error:.3f}"}
        answer = self.problem.answer
        assert not isinstance(answer, str)
        known = self.known()
        varied = self.error > 1e-9
        text = self.say(("page.result" if self.taught else "page.result_plain") if varied else "page.same", **parts)
        if known:
            text += " " + self.say("page.exact", exact=show(answer))
        self.show(
            running=False,
            told=localised(text, self.say.lang),
            path=self._drawn(),
            bars=self._bars(),
            exact=float(answer) if known else None,
        )
