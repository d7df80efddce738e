"""What all screens of a page share: the learner's folder and progress, the language, and how to open a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import CannotWrite, DataError, Left, Locked, NimmtError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import Patience, leads_out, read_text
from nimmt_lab.engine.material import MATERIAL, Entering, Material
from nimmt_lab.engine.options import LARGEST_MATERIAL, OptionData
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.errors import translate
from nimmt_lab.lessons import progress as learner
from nimmt_lab.lessons.library import Library
from nimmt_lab.lessons.words import LANGUAGES

from .base import Screen
from .leave import bring_back, put_away
from .memory import FOLDER, LOCKED, PAST, Memory
from .rules import Own
from .words import labels, screen_words

Change: TypeAlias = Callable[[learner.Progress], learner.Progress]

#: The folder of the learner's own decks and boards, inside the learner's folder.
MATERIAL_FOLDER = "material"


def own_material(folder: Path, lang: str = "en") -> tuple[Own, dict[str, str]]:
    """The decks and boards in the user's folder by game, and the errors of those that cannot be used."""
    own: dict[str, list[tuple[str, OptionData]]] = {}
    wrong: dict[str, str] = {}
    for game, kind, entering in enterable():
        path = folder / MATERIAL_FOLDER / f"{kind.name}{entering.ending}"
        if not path.is_file():
            continue
        try:
            if leads_out(folder, path):  # an error quotes the file, and a link could lead to any file
                raise DataError("shared.is_link", source=path.name)
            text = read_text(path, largest=LARGEST_MATERIAL, error=DataError, follow=False)
            material = entering.parse(text)
        except NimmtError as error:
            wrong[kind.name] = translate(error, lang)
        else:
            own.setdefault(game, []).append((entering.option, material))
    return own, wrong


def enterable() -> Iterator[tuple[str, Material, Entering]]:
    """Everything that games let people enter by clicking, with the name of the game."""
    for name, game in all_games().items():
        for kind in MATERIAL.find(game) or ():
            if kind.entering is not None:
                yield name, kind, kind.entering


class Desk:
    """The environment of a screen. Without a `folder`, nothing is saved.

    >>> desk = Desk(None, lang="pl")
    >>> desk.lang, desk.progress.done
    ('pl', {})
    """

    def __init__(self, folder: Path | None, lang: str | None = None, patience: Patience = learner.PATIENCE) -> None:
        self.folder = folder
        #: The lessons of the package and the person's own.
        self.library = Library(folder)
        self._patience = patience
        self._begin()
        self.lang = lang if lang in LANGUAGES else self.progress.lang
        #: Called once when something cannot be saved; set by the page that shows the notice.
        self.trouble: Callable[[], None] | None = None
        #: Replaces `leave`, for a page that has more to do then.
        self.leaver: Callable[[], None] | None = None
        self.screens: frozenset[str] = frozenset()
        #: Opens one of `screens`, with a record if it takes one; set by Home.
        self.open: Callable[[str, Record | None, Seat | None], None] | None = None
        #: Opens one of `screens` and passes it a message; set by Home.
        self.send: Callable[[str, Obj], None] | None = None

    @property
    def own(self) -> Own:
        """The learner's own decks and boards, which replace the samples everywhere."""
        return {} if self.folder is None else own_material(self.folder)[0]

    @classmethod
    def found(cls, folder: str | Path | None = None, lang: str | None = None) -> Desk:
        """The desk of that folder, or of the learner's folder that contains the current one."""
        return cls(learner.find_folder() if folder is None else Path(folder), lang)

    def switch(self, lang: str) -> None:
        """Change the language of this and every later page."""
        self.lang = lang
        self.update(lambda now: replace(now, lang=lang))

    def leave(self, label: str = "") -> str:
        """Start afresh for the next person, in the same language; returns the folder of the old work, if any."""
        where = ""
        if self.folder is not None:
            where = put_away(self.folder, label, epoch=self._epoch, lang=self.lang)
        self._begin()
        if self.folder is None:
            self.switch(self.lang)
        return where

    def come_back(self, label: str) -> bool:
        """Continue the work put away under that label; whether there was any."""
        if self.folder is None or not bring_back(self.folder, label):
            return False
        self._begin()
        return True

    def _begin(self) -> None:
        """Load the folder, and drop unsaved changes of the previous person."""
        self.progress = learner.load(self.folder)
        self._epoch = self.progress.epoch
        self.memory = Memory(self.folder, self._patience, self._epoch)
        self.memory.trouble = self._unkept
        #: Changes of the progress that could not be written yet, and the reason.
        self._waits: list[Change] = []
        self._why = ""

    @property
    def is_past(self) -> bool:
        """Whether somebody has left or come back since this page began."""
        return self.folder is not None and learner.epoch_of(self.folder) != self._epoch

    @property
    def keeps(self) -> bool:
        """Whether the progress is saved."""
        return not self._waits

    @property
    def why(self) -> str:
        """Why something cannot be saved, as `memory` names it; empty if everything is."""
        return self._why or self.memory.why

    def update(self, change: Change) -> None:
        """Change the progress and save it, merged with the changes of other pages. If that fails, the change stays
        in memory and is tried again with the next one."""
        if self.folder is None:
            self.progress = change(self.progress)
            return
        self._waits.append(change)
        self._write()

    def retry(self) -> None:
        """Try again to save changes that could not be written."""
        if self._waits:
            self._write()
        self.memory.retry()

    def _write(self) -> None:
        def change(now: learner.Progress) -> learner.Progress:
            for waiting in self._waits:
                now = waiting(now)
            return now

        before = self._why
        patience = learner.AT_ONCE if before == LOCKED else self._patience
        try:
            self.progress = learner.update(self.folder, change, patience, self._epoch)
            self._waits, self._why = [], ""
        except CannotWrite as error:
            self.progress = change(self.progress)
            self._why = LOCKED if isinstance(error, Locked) else PAST if isinstance(error, Left) else FOLDER
            if self._why != before:
                self._unkept()

    def _unkept(self) -> None:
        if self.trouble is not None:
            self.trouble()


class DeskScreen(Screen):
    """A screen of the menu, in the language of its desk. The last part of `module` names its section of the texts."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.say = screen_words(desk.lang)

    def label(self, **data: Json) -> None:
        """Show data together with the screen's labels."""
        lang = self.desk.lang
        self.show(labels={**labels(lang, self.module.rpartition("/")[2])}, lang=lang, **data)
