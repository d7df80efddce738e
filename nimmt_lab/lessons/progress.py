"""A learner's progress and language, in a small file in the learner's folder.

Tutorials look for it in the notebook's folder and those above. Without one (a notebook opened on its own) nothing is
remembered.
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
    "FILE", "FORMAT", "HAND_IN", "LOCK", "Progress", "begin", "check_epoch", "current", "epoch_of", "find_folder",
    "load", "set_aside", "update",
]  # fmt: skip

FILE = "nimmt-lab.json"
FORMAT = "nimmt-progress/1"
#: The folder for answers to hand in, beside the progress file.
HAND_IN = "hand-in"
#: The lock for changing the progress, so that two notebooks in one folder do not lose each other's changes.
LOCK = ".nimmt-lab-lock"
#: How long a page waits for the lock. Writing takes milliseconds, so a lock held longer is not one of ours.
PATIENCE = Patience(seconds=3.0)
AT_ONCE = Patience(seconds=0.0)


@dataclass(frozen=True)
class Progress:
    """Finished lessons (questions right at first, out of how many), the language, the learner's name.

    `epoch` changes whenever somebody leaves a shared computer or comes back: pages that are still open from before have
    another epoch and write nothing. It is empty until somebody leaves for the first time.
    """

    lang: str = "en"
    name: str = ""
    done: dict[str, tuple[int, int]] = field(default_factory=dict)
    folder: Path | None = None
    epoch: str = ""

    def with_lesson(self, lesson: str, right: int, of: int) -> Progress:
        """Add a finished lesson; the best result counts."""
        before = self.done.get(lesson, (-1, of))
        return replace(self, done={**self.done, lesson: max(before, (right, of))})

    def save(self) -> None:
        """Write the file, if there is a folder."""
        if self.folder is not None:
            data = {"format": FORMAT, "lang": self.lang, "name": self.name, "done": self.done}
            if self.epoch:
                data["epoch"] = self.epoch
            write_file(self.folder / FILE, json.dumps(data, ensure_ascii=False, indent=1) + "\n", follow=False)


def find_folder(start: Path | None = None) -> Path | None:
    """The nearest folder, from here upwards, with a progress file."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if os.path.isfile(folder / FILE):
            return folder
    return None


def load(folder: Path | None) -> Progress:
    """Read the progress in a folder. A file that cannot be read is renamed, and a new one started."""
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
    """The epoch of a folder. A file that cannot be read is left for `load` to handle."""
    try:
        return _epoch_in(parse_json(read_text(folder / FILE)))
    except NotationError:
        return ""


def check_epoch(folder: Path, epoch: str) -> None:
    """Raise `Left` if the folder has moved on to another epoch."""
    if epoch_of(folder) != epoch:
        raise Left("lessons.somebody_else", path=name_of(folder))


def begin(folder: Path, lang: str | None = None) -> Progress:
    """Start another epoch with the present progress, in that language. The caller holds the lock."""
    now = load(folder)
    now = replace(now, lang=lang or now.lang, epoch=secrets.token_hex(8))
    now.save()
    return now


def set_aside(path: Path) -> bool:
    """Rename an unreadable file to a free name; return whether that worked."""
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
    """Change the progress in a folder under the lock. With the `epoch` in which a page started, raise `Left` if a later
    one has begun."""
    if folder is None:
        return change(load(None))
    with locked(folder, LOCK, patience):
        if epoch is not None:
            check_epoch(folder, epoch)
        now = change(load(folder))
        if now.folder is None:  # the file can neither be read nor renamed
            raise CannotWrite("lessons.kept_file", folder=name_of(folder / FILE))
        now.save()
    return now


def current() -> Progress:
    """The progress for this notebook's folder."""
    return load(find_folder())
