"""What a learner has done so far, and in which language: a small file in the learner's folder.

It is looked for in the notebook's folder and those above it, so that every tutorial finds it. Without one (a notebook
opened on its own) nothing is remembered.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from nimmt_lab.engine.errors import CannotWrite, Left, NotationError
from nimmt_lab.engine.files import Patience, locked, name_of, parse_json, read_text, write_file

from .words import LANGUAGES

__all__ = [
    "FILE",
    "FORMAT",
    "HAND_IN",
    "LOCK",
    "Progress",
    "begin",
    "check_epoch",
    "current",
    "epoch_of",
    "find_folder",
    "load",
    "set_aside",
    "update",
]

FILE = "nimmt-lab.json"
FORMAT = "nimmt-progress/1"
#: Where answers to hand in are saved, beside the progress.
HAND_IN = "hand-in"
#: Whoever holds this may change the progress: two notebooks of one folder do not lose each other's.
LOCK = ".nimmt-lab-lock"
#: How long somebody at a page waits for it. Writing takes milliseconds: a lock held longer is not one of ours.
PATIENCE = Patience(seconds=3.0)
AT_ONCE = Patience(seconds=0.0)


@dataclass(frozen=True)
class Progress:
    """Lessons done (questions right at the first try, of how many), the language, the learner's name.

    `epoch` changes whenever somebody leaves a shared computer or comes back: pages that are still open from before
    know another one, and write nothing more. It is empty until somebody leaves for the first time.
    """

    lang: str = "en"
    name: str = ""
    done: dict[str, tuple[int, int]] = field(default_factory=dict)
    folder: Path | None = None
    epoch: str = ""

    def with_lesson(self, lesson: str, right: int, of: int) -> Progress:
        """The same with a lesson done; the best result is kept."""
        before = self.done.get(lesson, (-1, of))
        return replace(self, done={**self.done, lesson: max(before, (right, of))})

    def save(self) -> None:
        """Write it, if there is a folder."""
        if self.folder is not None:
            data = {"format": FORMAT, "lang": self.lang, "name": self.name, "done": self.done}
            if self.epoch:
                data["epoch"] = self.epoch
            write_file(self.folder / FILE, json.dumps(data, ensure_ascii=False, indent=1) + "\n", follow=False)


def find_folder(start: Path | None = None) -> Path | None:
    """The learner's folder: the nearest one, from here upwards, that holds a progress file."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if os.path.isfile(folder / FILE):
            return folder
    return None


def load(folder: Path | None) -> Progress:
    """The progress kept in a folder. One that cannot be read is set aside, not overwritten, and a new one begun."""
    lang = os.environ.get("NIMMT_LANG", "en")
    fresh = Progress(lang if lang in LANGUAGES else "en", folder=folder)
    if folder is None or not os.path.lexists(folder / FILE):
        return fresh
    try:
        return _of(parse_json(read_text(folder / FILE)), folder)
    except NotationError:
        return fresh if set_aside(folder / FILE) else replace(fresh, folder=None)


def _of(data: object, folder: Path) -> Progress:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotationError("shared.another_format")
    lang, name, done = data.get("lang"), data.get("name"), data.get("done")
    if not isinstance(lang, str) or not isinstance(name, str) or not isinstance(done, dict):
        raise NotationError("lessons.expected_lang_name")
    read = {}
    for lesson, counts in done.items():
        if not isinstance(counts, list) or len(counts) != 2 or not all(type(count) is int for count in counts):
            raise NotationError("lessons.expected_two_whole")
        read[lesson] = (counts[0], counts[1])
    return Progress(lang if lang in LANGUAGES else "en", name, read, folder, _epoch_in(data))


def _epoch_in(data: object) -> str:
    epoch = data.get("epoch") if isinstance(data, dict) else None
    return epoch if isinstance(epoch, str) and epoch.isascii() and len(epoch) <= 64 else ""


def epoch_of(folder: Path) -> str:
    """The epoch that a folder is in. A file that cannot be read stays where it is: `load` deals with it."""
    try:
        return _epoch_in(parse_json(read_text(folder / FILE)))
    except NotationError:
        return ""


def check_epoch(folder: Path, epoch: str) -> None:
    """Raise `Left` if the folder is in another epoch by now."""
    if epoch_of(folder) != epoch:
        raise Left("lessons.somebody_else", path=name_of(folder))


def begin(folder: Path, lang: str | None = None) -> Progress:
    """Start another epoch, for somebody who holds the lock: with what the folder holds now, in that language."""
    now = load(folder)
    now = replace(now, lang=lang or now.lang, epoch=secrets.token_hex(8))
    now.save()
    return now


def set_aside(path: Path) -> bool:
    """Rename a file that cannot be read, under a name that is free; whether that could be done."""
    number = 1
    while (aside := path.with_name(f"{path.name}.unreadable{'' if number == 1 else f'-{number}'}")).exists():
        number += 1
    try:
        os.replace(path, aside)
    except OSError:
        return False
    return True


def update(
    folder: Path | None,
    change: Callable[[Progress], Progress],
    patience: Patience = PATIENCE,
    epoch: str | None = None,
) -> Progress:
    """Change what is kept in a folder: read, changed and written while nobody else does. A page that says in which
    `epoch` it began changes nothing in a later one: that raises `Left`."""
    if folder is None:
        return change(load(None))
    with locked(folder, LOCK, patience):
        if epoch is not None:
            check_epoch(folder, epoch)
        now = change(load(folder))
        if now.folder is None:  # what is there can neither be read nor set aside
            raise CannotWrite("lessons.kept_file", folder=name_of(folder / FILE))
        now.save()
    return now


def current() -> Progress:
    """The progress of the folder this notebook is in."""
    return load(find_folder())
