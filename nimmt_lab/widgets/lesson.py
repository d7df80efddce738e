"""A lesson in a notebook cell: `show("first_turn")` is all that a tutorial's code cell says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.notebooks import contents
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.lesson import ClassroomLesson, RulesLesson, lesson

from .page import Page

__all__ = ["Contents", "LessonPage", "progress", "show"]


class LessonPage(Page):
    """A lesson as one widget. Where the learner was, it goes on."""

    screen: RulesLesson | ClassroomLesson

    def __init__(self, name: str, *, seed: int = 0, lang: str | None = None, folder: str | Path | None = None) -> None:
        super().__init__(lesson(name, Desk.found(folder, lang), seed=seed))

    def questions(self) -> list[str]:
        """The names of the steps; the last one, the end, is not among them."""
        return self.screen.questions()

    @property
    def at(self) -> int:
        """Which step is on show, from 0."""
        return self.screen.at

    def go(self, at: int) -> None:
        """Show a step; a question on the way that still waits for its answer comes first."""
        self.screen.go(at)

    def verify(self) -> None:
        """Answer every question as the engine says and see that it counts; raises what is wrong with the lesson."""
        self.screen.verify()


def show(name: str, *, seed: int = 0, lang: str | None = None) -> LessonPage:
    """A lesson to click through: a rules lesson by name, or a probability lesson as p1 to p9.

    >>> page = show("first_turn", lang="pl")
    >>> page.questions()[:3]
    ['see', 'row', 'closest']
    """
    return LessonPage(name, seed=seed, lang=lang)


@dataclass(frozen=True)
class Contents:
    """The list of lessons with what is done, for the index page."""

    markdown: str

    def _repr_markdown_(self) -> str:
        return self.markdown


def progress() -> Contents:
    """What has been done so far, with links to every lesson.

    >>> "first_turn.ipynb" in progress().markdown
    True
    """
    now = memory.current()
    return Contents(contents(now.lang, now.done))
