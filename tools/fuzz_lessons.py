"""Lesson files, and the form for a lesson of one's own, as targets of `tools/fuzz.py`."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import parse_json
from nimmt_lab.lessons.asked import problems_of
from nimmt_lab.lessons.authoring import template
from nimmt_lab.lessons.drafts import KINDS, blank, draft_of, written
from nimmt_lab.lessons.lessonfile import read_lesson, text_of_notebook
from nimmt_lab.lessons.library import FOLDER
from nimmt_lab.screens.author import AuthorScreen
from nimmt_lab.screens.base import Screen, plain
from nimmt_lab.screens.desk import Desk
from tools.fuzz import Target
from tools.fuzz_pages import in_file

ROOT = Path(__file__).resolve().parent.parent


def of_lessons(folder: Path) -> dict[str, Target]:
    """The readers of lesson files, and of drafts in a browser's message."""
    return {
        "lessons": Target(_lesson_file, _lesson_files()),
        "drafts": Target(_draft_of, [template("mine", "en"), _written(), *_lesson_files()[::9]]),
        "own-lesson": Target(
            in_file(folder / "author" / FOLDER / "mine.toml", lambda path: _edit(path.parent.parent)),
            [template("mine", "en"), _written()],
        ),
        "draft": Target(_typed(folder / "typed"), [json.dumps(_draft())]),
    }


def _lesson_files() -> list[str]:
    return [
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "nimmt_lab" / "lessons" / "shipped").glob("*.toml"))
    ]


def _lesson_file(text: str) -> None:
    with contextlib.suppress(NimmtError):
        text_of_notebook(text)
    lesson = read_lesson(text)
    for step in lesson.steps:
        with contextlib.suppress(NimmtError):
            step.state  # noqa: B018
    with contextlib.suppress(NimmtError):
        problems_of(lesson, 7)  # runs no program: nobody has confirmed it


def _draft() -> dict[str, Json]:
    """A draft with a step of every kind."""
    texts: dict[str, Json] = {"text": "Which?", "options": "one\ntwo", "answer": "3/14"}
    table: dict[str, Json] = {
        "rows": ["2 3 4 5 6", "37", "43", "58"],
        "hands": ["7 38", "60 61"],
        "plays": ["7", "60"],
    }
    return {"title": "My lesson", "language": "en", "steps": [{**blank(kind), **texts, **table} for kind in KINDS]}


def _written() -> str:
    return written(_draft(), "mine")


def _draft_of(text: str) -> None:
    """What the form reads from a lesson's file, it writes as the same lesson."""
    draft = draft_of(text)
    lesson = read_lesson(text)
    if draft is not None:
        again = written(draft, lesson.name, lesson.version)
        assert draft_of(again) == draft and read_lesson(again).mark == lesson.mark


def _edit(folder: Path) -> None:
    """A lesson in the teacher's folder, opened in the form and saved."""
    author = AuthorScreen(Desk(folder))
    author.receive({"type": "edit", "name": "mine"})
    author.receive({"type": "save"})
    _is_shown(author)


def _typed(folder: Path) -> Callable[[str], object]:
    """A draft in a message, which may be anything."""

    def read(text: str) -> None:
        author = AuthorScreen(Desk(folder))
        author.receive({"type": "draft", "draft": plain(cast("Json", parse_json(text)))})
        author.receive({"type": "save"})
        _is_shown(author)
        saved = author.data["file"]
        if isinstance(saved, str) and saved:
            (folder / FOLDER / saved).unlink()
        author.receive({"type": "close"})

    return read


def _is_shown(author: Screen) -> None:
    """Where a step of the preview is wrong, so is the lesson; an unfinished lesson shows the steps that are ready."""
    data: Mapping[str, object] = author.data
    steps = cast("Sequence[Mapping[str, object]]", data["preview"])
    assert data["wrong"] or not any(step["wrong"] for step in steps)
    json.dumps(author.whole(), ensure_ascii=False, allow_nan=False).encode()
