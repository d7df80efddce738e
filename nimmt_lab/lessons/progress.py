"""What a learner has done so far, and in which language: a small file in the learner's folder.

It is looked for in the notebook's folder and those above it, so that every tutorial finds it. Without one (a notebook
opened on its own) nothing is remembered.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from nimmt_lab.engine.files import write_file

from .words import LANGUAGES

FILE = "nimmt-lab.json"
FORMAT = "nimmt-progress/1"
#: Where answers to hand in are saved, beside the progress.
HAND_IN = "hand-in"


@dataclass(frozen=True)
class Progress:
    """Lessons done (questions right at the first try, of how many), the language, the learner's name."""

    lang: str = "en"
    name: str = ""
    done: dict[str, tuple[int, int]] = field(default_factory=dict)
    folder: Path | None = None

    def with_lesson(self, lesson: str, right: int, of: int) -> Progress:
        """The same with a lesson done; the best result is kept."""
        before = self.done.get(lesson, (-1, of))
        return replace(self, done={**self.done, lesson: max(before, (right, of))})

    def save(self) -> None:
        """Write it, if there is a folder."""
        if self.folder is not None:
            data = {"format": FORMAT, "lang": self.lang, "name": self.name, "done": self.done}
            write_file(self.folder / FILE, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def find_folder(start: Path | None = None) -> Path | None:
    """The learner's folder: the nearest one, from here upwards, that holds a progress file."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            return folder
    return None


def load(folder: Path | None) -> Progress:
    """The progress kept in a folder. One that cannot be read is set aside, not overwritten, and a new one begun."""
    lang = os.environ.get("NIMMT_LANG", "en")
    fresh = Progress(lang if lang in LANGUAGES else "en", folder=folder)
    if folder is None or not (folder / FILE).exists():
        return fresh
    try:
        data = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError("another format")
        done = {str(lesson): (int(right), int(of)) for lesson, (right, of) in data["done"].items()}
        lang, name = str(data["lang"]), str(data["name"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        os.replace(folder / FILE, folder / f"{FILE}.unreadable")
        return fresh
    return Progress(lang if lang in LANGUAGES else "en", name, done, folder)


def current() -> Progress:
    """The progress of the folder this notebook is in."""
    return load(find_folder())
