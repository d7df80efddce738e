"""The tutorials as notebooks: a cell that shows the whole lesson, then its questions one by one with a seed to change,
a simulation to read and the results of a class. `tools/build_notebooks.py` generates them from the lessons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from .classroom import CLASSROOM, problems
from .rules import rules_lessons
from .shipped import shipped
from .words import words

#: Hides the code from learners and keeps them from deleting it.
_HIDDEN = {"deletable": False, "editable": False, "jupyter": {"source_hidden": True}}

INDEX = "index.ipynb"
HOME_PAGE = "home.ipynb"


def paths() -> dict[str, str]:
    """The path of each lesson's notebook, by lesson.

    >>> paths()["first_turn"], paths()["p2"]
    ('rules/01_first_turn.ipynb', 'probability/2_is_my_card_safe.ipynb')
    """
    where = {lesson.name: f"rules/{number:02}_{lesson.name}.ipynb" for number, lesson in enumerate(rules_lessons(), 1)}
    for number in CLASSROOM:
        slug = "_".join(re.findall(r"[^\W_]+", words("en")(f"p{number}.title").lower()))
        where[f"p{number}"] = f"probability/{number}_{slug}.ipynb"
    return where


def lesson_notebook(name: str, lang: str = "en") -> str:
    """A lesson's notebook; its page uses the learner's language."""
    say, lesson = words(lang), shipped(name)
    # `verify` checks every answer of the lesson and shows nothing.
    cells = [
        f"# {say(f'{name}.title')}\n\n{say('page.start')}",
        f'from nimmt_lab.widgets.lesson import show\n\npage = show("{name}")\npage.verify()\npage',
    ]
    aims = f"{say(f'{name}.aims')}\n\n" if say.has(f"{name}.aims") else ""
    cells.append(f"## {say('tutorial.one_by_one')}\n\n{aims}{say('tutorial.seed')}")
    first = "" if lesson.drawn else f"  # {say('tutorial.first_cards')}"
    cells.append(f"from nimmt_lab.widgets.lesson import ask\n\nSEED = 0{first}")
    code = [1, 3]
    for number, step in enumerate(lesson.questions, 1):
        cells += [f"### {say('tutorial.question', number=number)}", f'ask("{name}.{step.name}", seed=SEED)']
        code.append(len(cells) - 1)
    if lesson.drawn:
        played = next((at for at, one in enumerate(problems(name, 0)) if one.trial is not None), None)
        if played is not None:
            number = played + 1
            cells += [
                f"## {say('tutorial.simulate', number=number)}\n\n{say('tutorial.simulate_text')}",
                _SIMULATE.format(name=name, at=played),
                f"## {say('tutorial.pool')}\n\n{say('tutorial.pool_text')}",
                _POOL,
            ]
            code += [len(cells) - 3, len(cells) - 1]
    own = next(
        (f"{name}.{part}" for part in ("box", "idea", "summary") if say.has(f"{name}.{part}")), "tutorial.closing"
    )
    closing = say(own)
    cells.append(f"## {say('tutorial.summary')}\n\n{closing}")
    return notebook(cells, code=code, hidden=(1,))


_SIMULATE: Final = """\
from nimmt_lab.engine.rng import Rng
from nimmt_lab.lessons import problems

question = problems("{name}", SEED)[{at}]


def play(times, seed):
    rng, results = Rng.from_seed(seed), []
    while len(results) < times:
        result, rng = question.trial(rng)
        if result is not None:  # a run that does not fit what is known does not count
            results.append(result)
    return sum(results) / times


play(1000, seed=1), float(question.answer)"""

_POOL: Final = """\
class_of_30 = [play(40, seed=pupil) for pupil in range(1, 31)]
mean = sum(class_of_30) / 30
spread = (sum((one - mean) ** 2 for one in class_of_30) / 29) ** 0.5
{"lowest": min(class_of_30), "highest": max(class_of_30), "all together": mean, "spread": spread}"""


def contents(lang: str, done: Mapping[str, tuple[int, int]], strategy: Iterable[tuple[str, str]] = ()) -> str:
    """The list of lessons in Markdown, with links and results."""
    say = words(lang)
    where = paths()
    lines = [say("index.progress", done=sum(name in done for name in where), all=len(where)), ""]
    for part in ("rules", "probability"):
        lines += [f"## {say(f'index.{part}')}", ""]
        for name in (name for name, path in where.items() if path.startswith(f"{part}/")):
            mark = f" ✓ {done[name][0]}/{done[name][1]}" if name in done else ""
            lines.append(f"1. [{say(f'{name}.title')}]({where[name]}){mark}")
        lines.append("")
    studies = list(strategy)
    if studies:
        lines += [f"## {say('index.strategy')}", ""]
        lines += [f"1. [{title}]({path})" for title, path in studies]
    return "\n".join(lines).rstrip()


def index_notebook(
    lang: str = "en", done: Mapping[str, tuple[int, int]] | None = None, strategy: Iterable[tuple[str, str]] = ()
) -> str:
    """The start page. Its list works without running; its cell shows the current progress."""
    say = words(lang)
    return notebook(
        [
            f"# {say('index.title')}\n\n{say('index.start')}",
            contents(lang, done or {}, strategy),
            "from nimmt_lab.widgets.lesson import progress\n\nprogress()",
        ],
        code=(2,),
    )


def home_notebook() -> str:
    """The notebook that `nimmt-lab` opens as a plain page."""
    return notebook(["from nimmt_lab.widgets import Home\n\nHome()"], code=(0,))


def notebook(cells: Iterable[str], code: Iterable[int] | None = None, hidden: Iterable[int] | None = None) -> str:
    """A notebook file. `code` has the indices of code cells, by default all but the first; `hidden` has those
    whose code is folded and locked, by default all."""
    texts = list(cells)
    is_code = set(range(1, len(texts)) if code is None else code)
    folded = is_code if hidden is None else set(hidden)
    made: list[dict[str, object]] = []
    for at, text in enumerate(texts):
        cell: dict[str, object] = {
            "cell_type": "code" if at in is_code else "markdown",
            "id": f"cell-{at + 1:02}",
            "metadata": _HIDDEN if at in folded else {},
            "source": text.splitlines(keepends=True),
        }
        if at in is_code:
            cell |= {"execution_count": None, "outputs": []}
        made.append(cell)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    data = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
