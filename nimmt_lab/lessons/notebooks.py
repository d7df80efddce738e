"""The tutorials as notebooks: a title and a hidden cell that shows the lesson. They are generated, never edited."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from .classroom import CLASSROOM
from .rules import rules_lessons
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
    say = words(lang)
    return notebook(
        [
            f"# {say(f'{name}.title')}\n\n{say('page.start')}",
            # `verify` checks every answer of the lesson and shows nothing.
            f'from nimmt_lab.widgets.lesson import show\n\npage = show("{name}")\npage.verify()\npage',
        ]
    )


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


def notebook(cells: Iterable[str], code: Iterable[int] | None = None) -> str:
    """A notebook file. `code` has the indices of code cells, by default all but the first."""
    texts = list(cells)
    is_code = set(range(1, len(texts)) if code is None else code)
    made: list[dict[str, object]] = []
    for at, text in enumerate(texts):
        cell: dict[str, object] = {
            "cell_type": "code" if at in is_code else "markdown",
            "id": f"cell-{at + 1:02}",
            "metadata": _HIDDEN if at in is_code else {},
            "source": text.splitlines(keepends=True),
        }
        if at in is_code:
            cell |= {"execution_count": None, "outputs": []}
        made.append(cell)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    data = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
