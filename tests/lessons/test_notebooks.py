"""The tutorials: a cell for each question, and code that runs as it stands."""

from __future__ import annotations

import json
import re

import pytest

from nimmt_lab.lessons.classroom import find, lesson_names
from nimmt_lab.lessons.notebooks import lesson_notebook
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.widgets.lesson import ask


def cells(name: str, lang: str = "en") -> list[tuple[str, dict[str, object], str]]:
    return [
        (cell["cell_type"], cell["metadata"], "".join(cell["source"]))
        for cell in json.loads(lesson_notebook(name, lang))["cells"]
    ]


@pytest.mark.parametrize("name", lesson_names())
def test_every_question_has_a_cell_to_run_and_to_change(name: str) -> None:
    made = cells(name)
    code = [text for kind, _, text in made if kind == "code"]
    locked = [text for kind, data, text in made if data]
    assert locked == [code[0]] and "show(" in code[0], "only the launcher is locked"
    asked = [match[1] for text in code if (match := re.fullmatch(r'ask\("([\w.]+)", seed=SEED\)', text))]
    assert asked == [f"{name}.{step.name}" for step in find(name).questions]
    assert made[-1][0] == "markdown" and any(text.endswith("SEED = 0") or "SEED = 0 " in text for text in code)


@pytest.mark.parametrize("name", [name for name in lesson_names() if find(name).drawn])
def test_the_simulation_comes_to_the_answer(name: str) -> None:
    code = [text for kind, _, text in cells(name) if kind == "code" and "ask(" not in text and "show(" not in text]
    names: dict[str, object] = {}
    for text in code:
        exec(text.replace("range(1, 31)", "range(1, 4)").replace("/ 30", "/ 3").replace("/ 29", "/ 2"), names)
    if len(code) > 1:
        assert len(code) == 3 and callable(names["play"]) and 8 <= len(code[1].splitlines()) <= 20
        mean, answer = eval(code[1].splitlines()[-1], names)
        assert abs(mean - answer) < 0.2 * max(1.0, abs(answer))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_alone_is_judged(lang: str) -> None:
    alone = ask("p2.two", seed=7, lang=lang)
    alone.screen.receive({"type": "answer", "text": "0.999"})
    assert alone.screen.data["verdict"] == "wrong"
    assert ask("first_turn.row", lang=lang).screen.data != ask("first_turn.row", seed=3, lang=lang).screen.data
