"""An experiment to repeat: the mean of many runs with its error, drawn beside the exact value."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from itertools import islice

import ipywidgets

from nimmt_lab.lessons.problem import Problem, run, show
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import localised

_WIDTH, _HEIGHT = 420, 120


class Experiment(ipywidgets.VBox):  # type: ignore[misc]
    """Runs a problem's trial as often as asked. The exact value is shown when `known` says that it may be.

    >>> from nimmt_lab.lessons import problems, words
    >>> problem = problems(1, 7)[2]
    >>> experiment = Experiment(problem, words("en"), seed=1)
    >>> experiment.run(100)
    >>> experiment.runs, abs(experiment.mean - problem.answer) < 5 * experiment.error
    (100, True)
    """

    def __init__(
        self, problem: Problem, say: Words, known: Callable[[], bool] = lambda: True, *, seed: int
    ) -> None:
        assert problem.trial is not None
        self.problem, self.say, self.known, self.seed = problem, say, known, seed
        self._results = run(problem.trial, 10**9, seed)
        self.runs = 0
        self._sum = self._squares = 0.0
        self._path: list[tuple[int, float, float]] = []
        self._told = ipywidgets.HTML()
        buttons = []
        for times in (10, 100, 1000):
            button = ipywidgets.Button(description=say("page.run", times=times), layout={"width": "auto"})
            button.on_click(lambda _button, times=times: self.run(times))
            buttons.append(button)
        text = say("page.experiment" if problem.state is not None else "page.experiment_draw")
        super().__init__([ipywidgets.HTML(f"<p>{escape(text)}</p>"), ipywidgets.HBox(buttons), self._told])
        self.add_class("nimmt-experiment")

    @property
    def mean(self) -> float:
        """The mean so far."""
        return self._sum / self.runs

    @property
    def error(self) -> float:
        """Its standard error; 0 as long as every run came out the same, which says nothing about the next one."""
        spread = max(0.0, self._squares - self.runs * self.mean**2)
        return math.sqrt(spread / max(1, self.runs - 1) / self.runs)

    def run(self, times: int) -> None:
        """So many runs more."""
        for at, result in enumerate(islice(self._results, times)):
            self.runs += 1
            self._sum += result
            self._squares += result * result
            if at % max(1, times // 60) == 0 or at == times - 1:
                self._path.append((self.runs, self.mean, self.error))
        self.tell()

    def tell(self) -> None:
        """Say and draw what has been found."""
        if not self.runs:
            return
        parts = {"runs": self.runs, "mean": f"{self.mean:.3f}", "error": f"{self.error:.3f}"}
        answer = self.problem.answer
        assert not isinstance(answer, str)
        known = self.known()
        varied = self.error > 1e-9
        text = self.say("page.result" if varied else "page.same", **parts)
        if known:
            text += " " + self.say("page.exact", exact=show(answer))
        meant = f"{self._svg(known)}<p><small>{escape(self.say('page.plus_minus'))}</small></p>" if varied else ""
        self._told.value = f"<p role='status'>{escape(localised(text, self.say.lang))}</p>{meant}"

    def _svg(self, known: bool) -> str:
        """The running mean with a band of two standard errors, on a scale that grows with the runs."""
        answer = self.problem.answer
        assert not isinstance(answer, str)
        lines = [mean for _, mean, _ in self._path[len(self._path) // 20 :]] + ([float(answer)] if known else [])
        low, high = min(lines) - 2 * self.error, max(lines) + 2 * self.error
        spread = (high - low) or 1.0

        def x(runs: int) -> float:
            return 40 + (_WIDTH - 50) * runs / self.runs

        def y(value: float) -> float:
            return 8 + (_HEIGHT - 24) * (1 - (min(max(value, low), high) - low) / spread)

        band = [(x(runs), y(mean + 2 * error)) for runs, mean, error in self._path]
        band += [(x(runs), y(mean - 2 * error)) for runs, mean, error in reversed(self._path)]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in band)
        line = " ".join(f"{x(runs):.1f},{y(mean):.1f}" for runs, mean, _ in self._path)
        exact = (
            f'<line x1="40" x2="{_WIDTH - 10}" y1="{y(float(answer)):.1f}" y2="{y(float(answer)):.1f}" '
            'stroke="currentColor" stroke-dasharray="6 4"/>'
            if known
            else ""
        )

        def number(value: float) -> str:
            return localised(f"{value:.2f}", self.say.lang)

        small = 'text-anchor="end" font-size="11" fill="currentColor"'
        labels = "".join(f'<text x="36" y="{y(value) + 4:.1f}" {small}>{number(value)}</text>' for value in (low, high))
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" aria-label="{self.mean:.3f}">'
            f'<polygon points="{points}" fill="#00568a" fill-opacity=".18"/>'
            f'<polyline points="{line}" fill="none" stroke="#00568a" stroke-width="2"/>{exact}{labels}'
            f'<text x="{_WIDTH - 10}" y="{_HEIGHT - 3}" {small}>{self.runs}</text></svg>'
        )
