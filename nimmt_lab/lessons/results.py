"""A pupil's answers as a file to hand in, and a class's files as one table.

    {"format": "nimmt-answers/1", "name": "Ann", "lesson": "p2", "seed": 7,
     "tries": {"p2.one": ["0.2", "3/14"]}, "hinted": ["p2.one"], "check": "1a2b3c4d"}

The check notices a file that was changed or damaged on the way. Marks are never read from a file: every answer is
judged again by the engine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nimmt_lab.engine.errors import NimmtError, RecordError
from nimmt_lab.engine.files import write_file

from .classroom import Grade, grade, judges, lesson_names

FORMAT = "nimmt-answers"
VERSION = 1
#: More than any honest file needs.
LARGEST = 1_000_000
MOST_TRIES = 1_000


@dataclass(frozen=True)
class Results:
    """What one pupil answered in one lesson: every try of every question, in order.

    >>> results = Results("Ann", "p2", 7, {"p2.between": ("10",)})
    >>> Results.from_json(results.to_json()) == results, results.right
    (True, 1)
    """

    name: str
    lesson: str
    seed: int = 0
    tries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hinted: frozenset[str] = frozenset()

    @property
    def grades(self) -> tuple[Grade, ...]:
        """Every question judged."""
        return grade(self.lesson, self.seed, self.tries)

    @property
    def right(self) -> int:
        """Questions answered right in the end."""
        return sum(mark.right for mark in self.grades)

    def to_json(self) -> str:
        """The file's text."""
        data = {
            "format": f"{FORMAT}/{VERSION}",
            "name": self.name,
            "lesson": self.lesson,
            "seed": self.seed,
            "tries": {question: list(said) for question, said in self.tries.items()},
            "hinted": sorted(self.hinted),
        }
        return json.dumps(data | {"check": _check(data)}, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Results:
        """Read a file's text; what is wrong with it is said in words."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise RecordError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno) from None
        except (RecursionError, ValueError):
            raise RecordError("not a file of answers") from None
        if not isinstance(data, dict):
            raise RecordError("not a file of answers")
        said = data.get("format")
        if said != f"{FORMAT}/{VERSION}":
            raise RecordError(f"expected format {FORMAT}/{VERSION}, got {said!r}"[:200])
        if data.pop("check", None) != _check(data):
            raise RecordError("the file was changed: it does not match its check")
        return cls._of(data)

    @classmethod
    def _of(cls, data: dict[str, object]) -> Results:
        name, lesson, seed = data.get("name"), data.get("lesson"), data.get("seed")
        if not isinstance(name, str) or not check_name(name):
            raise RecordError("the name must be one line of up to 80 letters")
        if not isinstance(lesson, str) or lesson not in lesson_names():
            raise RecordError(f"no lesson {lesson!r}"[:200])
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
            raise RecordError(f"the seed must be a whole number, got {seed!r}"[:200])
        tries, hinted = data.get("tries"), data.get("hinted")
        known = judges(lesson, seed)
        if not isinstance(tries, dict) or not set(tries) <= set(known):
            raise RecordError(f"tries must be answers by question of lesson {lesson}")
        for said in tries.values():
            whole = isinstance(said, list) and len(said) <= MOST_TRIES
            if not whole or not all(isinstance(text, str) and len(text) <= 200 for text in said):
                raise RecordError("the tries of a question must be a list of short texts")
        if not isinstance(hinted, list) or not all(isinstance(key, str) and key in known for key in hinted):
            raise RecordError(f"hinted must be questions of lesson {lesson}")
        return cls(name, lesson, seed, {key: tuple(said) for key, said in tries.items()}, frozenset(hinted))

    def save(self, folder: Path) -> Path:
        """Write the file into a folder, under the pupil's name; an older one of the same lesson is replaced."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{file_name(self.name)}-{self.lesson}-{self.seed}.json"
        write_file(path, self.to_json())
        return path

    @classmethod
    def load(cls, path: Path) -> Results:
        """Read a handed-in file."""
        try:
            if path.stat().st_size > LARGEST:
                raise RecordError("too large to be a file of answers")
            return cls.from_json(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise RecordError(f"cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise RecordError("is not UTF-8 text") from None


def check_name(name: str) -> bool:
    """Whether somebody may be called that: one line of text that says something."""
    return bool(name.strip()) and len(name) <= 80 and name.isprintable()


def file_name(name: str) -> str:
    """A name that any file system takes; two names that differ never become the same one.

    >>> file_name("Zoë Nováková"), file_name("../x")
    ('Zoë-Nováková', 'x-d6b96a')
    """
    plain = "".join(letter if letter.isalnum() else "-" for letter in name.strip()).strip("-")
    if plain.replace("-", " ") == name.strip() and plain:
        return plain
    return f"{plain or 'pupil'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _check(data: Mapping[str, object]) -> str:
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]


# The class -----------------------------------------------------------------------------------------------

COLUMNS = ("name", "lesson", "seed", "questions", "answered", "right", "right_at_first", "hints", "file")


@dataclass(frozen=True)
class Gradebook:
    """A class's results: a line per pupil and lesson, and what was wrong with which file."""

    lines: tuple[tuple[str | int, ...], ...]
    problems: tuple[str, ...]


def gradebook(paths: Iterable[Path], folder: Path) -> Gradebook:
    """Judge every file. Nothing in a file can stop it: what cannot be used is named with its reason.

    Of several files of one pupil for one sheet, the one with most right answers counts; the others are named too.
    """
    best: dict[tuple[str, str, int], tuple[int, str, tuple[str | int, ...]]] = {}
    problems: list[str] = []
    for path in sorted(paths):
        shown = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
        try:
            results = Results.load(path)
            grades = results.grades
        except NimmtError as error:
            problems.append(f"{shown}: {error}")
            continue
        line = (
            results.name,
            results.lesson,
            results.seed,
            len(grades),
            sum(mark.tries > 0 for mark in grades),
            sum(mark.right for mark in grades),
            sum(mark.first for mark in grades),
            len(results.hinted),
            shown,
        )
        # People write their names with more or fewer spaces and capitals.
        key = (" ".join(results.name.casefold().split()), results.lesson, results.seed)
        right = sum(mark.right for mark in grades)
        before = best.get(key)
        if before is None:
            best[key] = (right, shown, line)
        elif right > before[0]:
            problems.append(f"{before[1]}: {results.name} handed in a better file for the same sheet, {shown}")
            best[key] = (right, shown, line)
        else:
            problems.append(f"{shown}: {results.name} handed in the same sheet before, {before[1]}")
    lines = sorted((line for _, _, line in best.values()), key=lambda line: (str(line[0]).casefold(), str(line[1:3])))
    return Gradebook(tuple(lines), tuple(problems))
