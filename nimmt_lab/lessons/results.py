"""A pupil's answers, as a file to hand in.

    {"format": "nimmt-answers/3", "name": "Ann", "lesson": "p2", "version": 1, "fingerprint": "9f86d0…", "seed": 7,
     "sitting": "0f2c51a8d3e94b77", "starts": 1, "sheets": 1, "tries": {"p2.one": ["0.2", "3/14"]},
     "hinted": ["p2.one"], "check": "1a2b3c4d"}

Version and fingerprint say which lesson asked. Files of the format before have neither: they are of version 1.

The check detects files that were changed or damaged on the way. It proves nothing: a programmer can recompute it. Marks
are never read from a file: the engine judges every answer again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nimmt_lab.engine.errors import RecordError
from nimmt_lab.engine.files import make_folder, parse_json, read_text, shown, write_file
from nimmt_lab.engine.limits import is_whole

from .classroom import Grade, find, grade, judges
from .library import SHIPPED, Library
from .rules import Lesson

FORMAT = "nimmt-answers"
VERSION = 3
#: The format before, without version and fingerprint.
BEFORE = 2
#: More than any honest file needs.
LARGEST = 1_000_000
MOST_TRIES = 1_000
_LONGEST_FILE_NAME = 40


@dataclass(frozen=True)
class Results:
    """One pupil's answers in one lesson: every try at every question, in order.

    >>> results = Results("Ann", "p2", 7, {"p2.between": ("10",)})
    >>> Results.from_json(results.to_json()) == results, results.right
    (True, 1)
    """

    name: str
    lesson: str
    seed: int = 0
    tries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hinted: frozenset[str] = frozenset()
    #: A new one whenever a lesson is opened: two files with the same sitting have the same origin.
    sitting: str = "0" * 16
    #: How often the lesson was started in this sitting, and on how many sheets (seeds) questions were opened.
    starts: int = 1
    sheets: int = 1
    #: The lesson that asked, if it is not one of the package.
    by: Lesson | None = field(default=None, compare=False, repr=False)

    @property
    def asked_by(self) -> Lesson:
        return find(self.lesson) if self.by is None else self.by

    @property
    def grades(self) -> tuple[Grade, ...]:
        return grade(self.asked_by, self.seed, self.tries)

    @property
    def right(self) -> int:
        """Questions that were answered right in the end."""
        return sum(mark.right for mark in self.grades)

    @property
    def file(self) -> str:
        """The file's name: the pupil, the lesson and its seed.

        >>> Results("Ann", "p2", 7).file
        'Ann-p2-7.json'
        """
        return f"{file_name(self.name)}-{self.lesson}-{self.seed}.json"

    def to_json(self) -> str:
        asked_by = self.asked_by
        data: dict[str, object] = {"format": f"{FORMAT}/{VERSION}"}
        data |= {"version": asked_by.version, "fingerprint": asked_by.mark}
        data |= {name: getattr(self, name) for name in ("name", "lesson", "seed", "sitting", "starts", "sheets")}
        data |= {"tries": {key: list(answers) for key, answers in self.tries.items()}, "hinted": sorted(self.hinted)}
        return json.dumps(data | {"check": _check(data)}, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, library: Library = SHIPPED) -> Results:
        """Read and check a file. A lesson that the library lacks in that version raises an error with its name."""
        data = parse_json(text, error=RecordError)
        if not isinstance(data, dict) or "format" not in data:
            raise RecordError("lessons.not_answers")
        before = data["format"] == f"{FORMAT}/{BEFORE}"
        if not before and data["format"] != f"{FORMAT}/{VERSION}":
            raise RecordError("shared.expected_format", format=f"{FORMAT}/{VERSION}", got=shown(data["format"]))
        if data.pop("check", None) != _check(data):
            raise RecordError("lessons.answers_changed")

        name, lesson, seed = data.get("name"), data.get("lesson"), data.get("seed")
        if not isinstance(name, str) or not check_name(name):
            raise RecordError("lessons.answers_name")
        if not isinstance(lesson, str):
            raise RecordError("lessons.no_lesson", lesson=shown(lesson))
        version, mark = (1, "") if before else (data.get("version"), data.get("fingerprint"))
        if not is_whole(version, 1, 10**6) or not isinstance(mark, str):
            raise RecordError("lessons.answers_version")
        asked_by = library.graded_by(lesson, version, mark)
        if not is_whole(seed, 0, (1 << 63) - 1):
            raise RecordError("shared.seed_whole", got=shown(seed))
        sitting, starts, sheets = data.get("sitting"), data.get("starts"), data.get("sheets")
        if not isinstance(sitting, str) or not re.fullmatch("[0-9a-f]{16}", sitting):
            raise RecordError("lessons.answers_sitting")
        if not is_whole(starts, 1, 10**6) or not is_whole(sheets, 0, 10**6):
            raise RecordError("lessons.answers_starts")
        assert isinstance(starts, int) and isinstance(sheets, int)
        tries, hinted = data.get("tries"), data.get("hinted")
        known = judges(asked_by, seed)
        if not isinstance(tries, dict) or not set(tries) <= set(known):
            raise RecordError("lessons.answers_tries", lesson=lesson)
        for answers in tries.values():
            whole = isinstance(answers, list) and len(answers) <= MOST_TRIES
            if not whole or not all(isinstance(text, str) and len(text) <= 200 for text in answers):
                raise RecordError("lessons.answers_list")
        if not isinstance(hinted, list) or not all(isinstance(key, str) and key in known for key in hinted):
            raise RecordError("lessons.answers_hinted", lesson=lesson)
        kept = {key: tuple(answers) for key, answers in tries.items()}
        return cls(name, lesson, seed, kept, frozenset(hinted), sitting, starts, sheets, asked_by)

    def save(self, folder: Path) -> Path:
        """Write the file into a folder, under the pupil's name, over an older one of the same sheet."""
        make_folder(folder)
        path = folder / self.file
        write_file(path, self.to_json(), follow=False)
        return path

    @classmethod
    def load(cls, path: Path, *, follow: bool = True, library: Library = SHIPPED) -> Results:
        """Read a file; without `follow`, a link raises an error."""
        return cls.from_json(read_text(path, largest=LARGEST, error=RecordError, follow=follow), library)


def check_name(name: str) -> bool:
    """Whether this can be a person's name: one printable line that is not blank."""
    return bool(name.strip()) and len(name) <= 80 and name.isprintable()


def file_name(name: str) -> str:
    """A file name that every system allows; different names give different file names.

    >>> file_name("Zoë Nováková"), file_name("../x")
    ('Zoë-Nováková', 'x-d6b96a')
    """
    plain = "".join(letter if letter.isalnum() else "-" for letter in name.strip()).strip("-")
    # Every file system limits names, counted in bytes.
    if plain.replace("-", " ") == name.strip() and 0 < len(plain) <= _LONGEST_FILE_NAME:
        return plain
    return f"{plain[:_LONGEST_FILE_NAME] or 'pupil'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _check(data: Mapping[str, object]) -> str:
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]
