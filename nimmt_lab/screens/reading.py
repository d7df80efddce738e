"""The pages to read in a probability lesson, around its questions.

A hook and the activity; something to try by machine; the name of what was seen, its definition and a worked example;
after the questions, a box to remember.

>>> from nimmt_lab.lessons.classroom import find
>>> steps_of(find("p4"))[:4], steps_of(find("p4"))[-1]
(['start', 'try', 'meaning', 'p4.estimate'], 'box')
"""

from __future__ import annotations

from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.rules import Lesson
from nimmt_lab.lessons.sampling import sampling
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import localised

from .base import Screen
from .sampling import SamplingScreen

#: The texts of each page, in order; those of `BOXES` are in a frame.
PAGES: Final = {
    "start": ("hook", "aims", "activity", "rules"),
    "try": ("try",),
    "meaning": ("meaning", "example"),
    "box": ("box",),
}
BOXES: Final = frozenset({"meaning", "box"})


def steps_of(lesson: Lesson) -> list[str]:
    """The pages and questions of a probability lesson, in order, without the practice at its end."""
    read = {step.name for step in lesson.steps if not step.ask}
    before = ["start", *(page for page in ("try", "meaning") if page in read)]
    after = [page for page in ("box",) if page in read]
    return [*before, *(f"{lesson.name}.{step.name}" for step in lesson.questions), *after]


def page_of(lesson: Lesson, page: str, say: Words, *, seed: int) -> tuple[Obj, Screen | None]:
    """A page to read: its texts, and what to try below them."""
    parts: list[Json] = []
    for name in PAGES[page]:
        key = f"{lesson.name}.{name}" if name != "rules" else "page.rules_minute"
        if say.has(key):
            text = localised(say(key), say.lang)
            parts.append({"title": say(f"page.{name}"), "text": text, "box": name in BOXES})
    sampled = sampling(lesson.name) if page == "try" else None
    board = None if sampled is None else SamplingScreen(lesson.name, sampled, say, seed=seed)
    return {"parts": parts}, board
