"""An experiment to repeat: the mean of many runs with its error, drawn beside the exact value."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.problem import Problem, run, show
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import localised

from .base import Screen, Work, at_once

#: How often one may run it at a time.
TIMES = (10, 100, 1000)


class ExperimentScreen(Screen):
    """Runs a problem's trial as often as asked. The exact value is shown when `known` says that it may be.

    >>> from nimmt_lab.lessons import problems, words
    >>> problem = problems(1, 7)[2]
    >>> experiment = ExperimentScreen(problem, words("en"), seed=1)
    >>> experiment.run(100)
    >>> experiment.runs, abs(experiment.mean - problem.answer) < 5 * experiment.error
    (100, True)
    """

    module: ClassVar[str] = "screens/experiment"

    def __init__(
        self, problem: Problem, say: Words, known: Callable[[], bool] = lambda: True, *, seed: int
    ) -> None:
        assert problem.trial is not None
        self.problem, self.say, self.known, self.seed = problem, say, known, seed
        self._results = run(problem.trial, 10**9, seed)
        self.runs = 0
        self._sum = self._squares = 0.0
        self._path: list[tuple[int, float, float]] = []
        buttons: list[Json] = [{"times": times, "text": say("page.run", times=times)} for times in TIMES]
        super().__init__(
            text=say("page.experiment" if problem.state is not None else "page.experiment_draw"),
            buttons=buttons,
            stop=say("page.stop"),
            running=False,
            told="",
            meaning=say("page.plus_minus"),
            path=[],
            exact=None,
        )

    @property
    def mean(self) -> float:
        """The mean so far."""
        return self._sum / self.runs

    @property
    def error(self) -> float:
        """Its standard error; 0 as long as every run came out the same, which says nothing about the next one."""
        spread = max(0.0, self._squares - self.runs * self.mean**2)
        return math.sqrt(spread / max(1, self.runs - 1) / self.runs)

    def receive(self, message: Obj) -> None:
        """`run` so many `times`, or `stop`."""
        kind, times = message.get("type"), message.get("times")
        if kind == "run" and times in TIMES and isinstance(times, int):
            self.work(self._run(times))
        elif kind == "stop":
            self.stop()
            self.found()
        else:
            super().receive(message)

    def run(self, times: int) -> None:
        """So many runs more."""
        at_once(self._run(times))

    def _run(self, times: int) -> Work:
        self.show(running=True)
        every = max(1, times // 60)
        for at, result in enumerate(islice(self._results, times)):
            self.runs += 1
            self._sum += result
            self._squares += result * result
            if at % every == 0 or at == times - 1:
                self._path.append((self.runs, self.mean, self.error))
                yield
        self.found()

    def found(self) -> None:
        """Say and draw what has been found."""
        if not self.runs:
            self.show(running=False)
            return
        parts = {"runs": self.runs, "mean": f"{self.mean:.3f}", "error": f"{self.error:.3f}"}
        answer = self.problem.answer
        assert not isinstance(answer, str)
        known = self.known()
        varied = self.error > 1e-9
        text = self.say("page.result" if varied else "page.same", **parts)
        if known:
            text += " " + self.say("page.exact", exact=show(answer))
        path: list[Json] = [[runs, mean, error] for runs, mean, error in self._path] if varied else []
        self.show(
            running=False,
            told=localised(text, self.say.lang),
            path=path,
            exact=float(answer) if known else None,
        )
