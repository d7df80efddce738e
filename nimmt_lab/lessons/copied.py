"""For copies of the package's lessons: their questions, as the program of a lesson file returns them.

>>> from nimmt_lab.engine.rng import Rng
>>> from nimmt_lab.lessons.draw import Draw
>>> made = question("p2", "one", Draw(Rng.from_seed(7)))
>>> sorted(made)
['answer', 'chart', 'position', 'slack', 'slips', 'trial', 'values']
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .asked import problems_of
from .draw import Draw
from .problem import Problem, Trial
from .shipped import shipped


def question(lesson: str, name: str, draw: Draw) -> dict[str, object]:
    """A question of a lesson of the package, with the numbers that a seed drawn here gives it."""
    made = problems_of(shipped(lesson), draw.number(0, 10**9))
    problem = next(one for one in made if one.key == f"{lesson}.{name}")
    chart = problem.chart
    found: dict[str, object] = {
        "values": {key: _plain(value) for key, value in {**problem.parts, **problem.working}.items()},
        "answer": _answer(problem),
        "slips": dict(problem.slips),
        "position": "" if problem.state is None else str(problem.state.position),
        "chart": None if chart is None else [list(chart.head), [list(line) for line in chart.lines]],
        "slack": problem.slack,
    }
    if problem.trial is not None:
        found["trial"] = _with(problem.trial)
    return found


def _answer(problem: Problem) -> Fraction | int:
    return problem.answer if isinstance(problem.answer, Fraction) else problem.choices.index(problem.answer) + 1


def _plain(value: object) -> object:
    return value if isinstance(value, (int, float)) else str(value)


def _with(trial: Trial) -> Callable[[Draw], float | None]:
    def one(draw: Draw) -> float | None:
        result, draw.rng = trial(draw.rng)
        return result

    return one
