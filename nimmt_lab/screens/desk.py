"""What all screens of one page share: the learner's folder and progress, the language, and the way to other screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import CannotWrite, DataError, Left, Locked, NimmtError
from nimmt_lab.engine.files import Patience, leads_out, read_text
from nimmt_lab.engine.material import MATERIAL, Entering, Material
from nimmt_lab.engine.options import LARGEST_MATERIAL, OptionData
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.errors import translate
from nimmt_lab.lessons import progress as learner
from nimmt_lab.lessons.words import LANGUAGES

from .leave import bring_back, put_away
from .memory import FOLDER, LOCKED, PAST, Memory
from .rules import Own

#: Something that changes about the learner.
Change: TypeAlias = Callable[[learner.Progress], learner.Progress]

#: Where material of one's own is kept, in the user's folder.
MATERIAL_FOLDER = "material"


def own_material(folder: Path, lang: str = "en") -> tuple[Own, dict[str, str]]:
    """The decks and boards in the user's folder, by game; and what is wrong with those that cannot be used."""
    found: dict[str, list[tuple[str, OptionData]]] = {}
    wrong: dict[str, str] = {}
    for game, kind, entering in enterable():
        path = folder / MATERIAL_FOLDER / f"{kind.name}{entering.ending}"
        if not path.is_file():
            continue
        try:
            if leads_out(folder, path):  # what is wrong with a file quotes it: a link could lead to any file
                raise DataError("shared.is_link", source=path.name)
            text = read_text(path, largest=LARGEST_MATERIAL, error=DataError, follow=False)
            material = entering.parse(text)
        except NimmtError as error:
            wrong[kind.name] = translate(error, lang)
        else:
            found.setdefault(game, []).append((entering.option, material))
    return found, wrong


def enterable() -> Iterator[tuple[str, Material, Entering]]:
    """Everything that games let people enter by clicking, with the game's name."""
    for name, game in all_games().items():
        for kind in MATERIAL.find(game) or ():
            if kind.entering is not None:
                yield name, kind, kind.entering


class Desk:
    """The surroundings of a screen. `folder` is where things are kept (None: nowhere).

    >>> desk = Desk(None, lang="pl")
    >>> desk.lang, desk.progress.done
    ('pl', {})
    """

    def __init__(self, folder: Path | None, lang: str | None = None, patience: Patience = learner.PATIENCE) -> None:
        self.folder = folder
        self._patience = patience
        self.progress = learner.load(folder)
        self.memory = Memory(folder, patience, self.progress.epoch)
        self._epoch = self.progress.epoch
        self.lang = lang if lang in LANGUAGES else self.progress.lang
        #: Changes of the learner's progress that could not be written yet, and why not.
        self._waits: list[Change] = []
        self._why = ""
        #: Called when something cannot be kept, once until it can be again; the page that can say so sets it.
        self.trouble: Callable[[], None] | None = None
        self.memory.trouble = self._unkept
        #: Called when somebody leaves, if the page has more to do then than to begin afresh.
        self.leaver: Callable[[], None] | None = None
        #: The screens that can be opened.
        self.screens: frozenset[str] = frozenset()
        #: Opens a screen by name, with a record if it is about one; the page that has screens sets it.
        self.open: Callable[[str, Record | None, Seat | None], None] | None = None

    @property
    def own(self) -> Own:
        """Material of one's own, which is played with everywhere instead of the stand-ins."""
        return {} if self.folder is None else own_material(self.folder)[0]

    @classmethod
    def found(cls, folder: str | Path | None = None, lang: str | None = None) -> Desk:
        """In that folder, or in the learner's folder around this one."""
        return cls(learner.find_folder() if folder is None else Path(folder), lang)

    def switch(self, lang: str) -> None:
        """Another language, for this and every other page."""
        self.lang = lang
        self.update(lambda now: replace(now, lang=lang))

    def leave(self, label: str = "") -> str:
        """Somebody else sits down here: begin afresh, in the same language. Where everything was put; nowhere, if
        nothing is kept."""
        where = ""
        if self.folder is not None:
            where = put_away(self.folder, label, epoch=self._epoch, lang=self.lang)
        self._begin()
        if self.folder is None:
            self.switch(self.lang)
        return where

    def come_back(self, label: str) -> bool:
        """Go on with what was put away under that label; whether there was anything."""
        if self.folder is None or not bring_back(self.folder, label):
            return False
        self._begin()
        return True

    def _begin(self) -> None:
        """Take up what the folder holds now. What could not be written for the person before is forgotten."""
        self.progress = learner.load(self.folder)
        self._epoch = self.progress.epoch
        self.memory = Memory(self.folder, self._patience, self._epoch)
        self.memory.trouble = self._unkept
        self._waits, self._why = [], ""

    @property
    def is_past(self) -> bool:
        """Whether somebody has left or come back since this page began: it is the page of somebody who is gone."""
        return self.folder is not None and learner.epoch_of(self.folder) != self._epoch

    @property
    def keeps(self) -> bool:
        """Whether the learner's progress could be written."""
        return not self._waits

    @property
    def why(self) -> str:
        """Why something cannot be kept, as `memory` names it; empty if everything is kept."""
        return self._why or self.memory.why

    def update(self, change: Change) -> None:
        """Change something about the learner, and keep it. What other pages have kept meanwhile stays. A folder that is
        full or may not be written is no reason to stop: this page goes on knowing it, tries again with the next change,
        and `keeps` says no until then."""
        if self.folder is None:
            self.progress = change(self.progress)
            return
        self._waits.append(change)
        self._write()

    def retry(self) -> None:
        """Try again to write what could not be written."""
        if self._waits:
            self._write()
        self.memory.retry()

    def _write(self) -> None:
        def change(now: learner.Progress) -> learner.Progress:
            for one in self._waits:
                now = one(now)
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
