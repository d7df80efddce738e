"""What all screens of one page share: the learner's folder and progress, the language, and the way to other screens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from nimmt_lab.engine.record import Record
from nimmt_lab.lessons import progress as learner
from nimmt_lab.lessons.words import LANGUAGES

from .memory import Memory


class Desk:
    """The surroundings of a screen. `folder` is where things are kept (None: nowhere).

    >>> desk = Desk(None, lang="pl")
    >>> desk.lang, desk.progress.done
    ('pl', {})
    """

    def __init__(self, folder: Path | None, lang: str | None = None) -> None:
        self.folder = folder
        self.memory = Memory(folder)
        self.progress = learner.load(folder)
        self.lang = lang if lang in LANGUAGES else self.progress.lang
        #: Opens a screen by name, with a record if it is about one; the page that has screens sets it.
        self.open: Callable[[str, Record | None], None] | None = None

    def switch(self, lang: str) -> None:
        """Another language, for this and every other page."""
        self.lang = lang
        self.update(lang=lang)

    def update(self, **changed: object) -> None:
        """Change something about the learner, and keep it. What other pages have kept meanwhile stays."""
        now = learner.load(self.folder) if self.folder is not None else self.progress
        self.progress = replace(now, **changed)  # type: ignore[arg-type]
        self.progress.save()

    def finished(self, lesson: str, right: int, of: int) -> None:
        """A lesson was gone through."""
        now = learner.load(self.folder) if self.folder is not None else self.progress
        self.progress = now.with_lesson(lesson, right, of)
        self.progress.save()
