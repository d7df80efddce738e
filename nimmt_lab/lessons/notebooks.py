"""The tutorials as notebooks: a title and a hidden cell that shows the lesson. They are made, never edited by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from .classroom import CLASSROOM
from .rules import rules_lessons
from .words import words

#: Learners need not see the code, and should not lose it by accident.
_HIDDEN = {"deletable": False, "editable": False, "jupyter": {"source_hidden": True}}

INDEX = "index.ipynb"
HOME_PAGE = "home.ipynb"


def paths() -> dict[str, str]:
    """Where each lesson's notebook is, by name of the lesson.

    >>> paths()["first_turn"], paths()["p2"]
    ('rules/01_first_turn.ipynb', 'probability/2_is_my_card_safe.ipynb')
    """
    rules = {lesson.name: f"rules/{number:02}_{lesson.name}.ipynb" for number, lesson in enumerate(rules_lessons(), 1)}
    return rules | {f"p{number}": f"probability/{number}_{_slug(number)}.ipynb" for number in CLASSROOM}


def _slug(number: int) -> str:
    title = words("en")(f"p{number}.title").lower()
    return "_".join("".join(letter if letter.isalnum() else " " for letter in title).split())


def lesson_notebook(name: str, lang: str = "en") -> str:
    """The notebook of a lesson; the page in it speaks whatever language is chosen there."""
    say = words(lang)
    return notebook(
        [
            f"# {say(f'{name}.title')}\n\n{say('page.start')}",
            # `verify` makes every answer of the lesson prove itself, and shows nothing.
            f'from nimmt_lab.widgets.lesson import show\n\npage = show("{name}")\npage.verify()\npage',
        ]
    )


def contents(lang: str, done: Mapping[str, tuple[int, int]], strategy: Iterable[tuple[str, str]] = ()) -> str:
    """The list of lessons as Markdown, with links and what is done."""
    say = words(lang)
    where = paths()
    lines = [say("index.progress", done=sum(name in done for name in where), all=len(where)), ""]
    for part, names in (
        ("rules", [name for name in where if where[name].startswith("rules/")]),
        ("probability", [name for name in where if where[name].startswith("probability/")]),
    ):
        lines += [f"## {say(f'index.{part}')}", ""]
        for name in names:
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
    """The page that everything is opened from. It works without being run; its cell shows the progress of now."""
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
    """The page that `nimmt-lab` opens without notebook chrome; in JupyterLab it is a notebook like any other."""
    return notebook(["from nimmt_lab.widgets import Home\n\nHome()"], code=(0,))


def notebook(cells: Iterable[str], code: Iterable[int] | None = None) -> str:
    """A notebook's file: Markdown first, code in the cells named (all but the first, if none are)."""
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
    data = {
        "cells": made,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def all_notebooks(lang: str = "en") -> dict[str, str]:
    """Every notebook that is made from lessons, by its path below tutorials/."""
    lessons = {path: lesson_notebook(name, lang) for name, path in paths().items()}
    return {HOME_PAGE: home_notebook(), INDEX: index_notebook(lang), **lessons}
