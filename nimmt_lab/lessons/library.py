"""The lessons that a person has: those of the package, and files in the folder `lessons/` of theirs.

>>> Library(None).names()[:2], Library(None).find("p2").name
(('first_turn', 'taking_rows'), 'p2')
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import DataError, NimmtError, RecordError, RulesError
from nimmt_lab.engine.files import leads_out, shown

from . import shipped
from .asked import problems_of, words_of
from .lessonfile import ENDINGS, load_lesson
from .rules import CHOICE, NUMBER, Lesson

__all__ = ["FOLDER", "SHIPPED", "Library", "OwnFile"]

#: The folder of a person's own lessons, inside the learner's folder.
FOLDER: Final = "lessons"
#: More files than anybody writes; others in the folder are not looked at.
MOST_FILES: Final = 200


@dataclass(frozen=True)
class OwnFile:
    """A file in the folder: its lesson, or why there is none."""

    path: Path
    lesson: Lesson | None = None
    error: NimmtError | None = None


class Library:
    """The lessons of the package and those in the folder `inside` a folder. Files are read again when they change."""

    def __init__(self, folder: Path | None, inside: str = FOLDER) -> None:
        self.folder = None if folder is None else folder / inside
        self._read: dict[Path, tuple[tuple[int, int], OwnFile]] = {}

    @classmethod
    def of(cls, folder: Path) -> Library:
        """The lessons in a folder, or in the folder for lessons inside it."""
        inside = (folder / FOLDER).is_dir()
        return cls(folder, inside=FOLDER if inside else "")

    def files(self) -> tuple[OwnFile, ...]:
        """The person's own lesson files, by name."""
        found: list[OwnFile] = []
        taken: dict[tuple[str, int], Path] = {}
        for path in self._paths():
            one = self._file(path)
            if one.lesson is not None:
                key = one.lesson.name, one.lesson.version
                if key in taken:
                    other = taken[key].name
                    error = DataError("lessons.file_taken", name=one.lesson.name, other=other, source=path.name)
                    one = OwnFile(path, error=error)
                taken.setdefault(key, path)
            found.append(one)
        return tuple(found)

    def _paths(self) -> Iterator[Path]:
        if self.folder is None or not self.folder.is_dir() or leads_out(self.folder.parent, self.folder):
            return
        names = sorted(name for name in os.listdir(self.folder) if name.endswith(ENDINGS) and not name.startswith("."))
        yield from (self.folder / name for name in names[:MOST_FILES])

    def _file(self, path: Path) -> OwnFile:
        try:
            facts = path.stat()
            stamp = facts.st_mtime_ns, facts.st_size
        except OSError:
            stamp = 0, 0
        if path in self._read and self._read[path][0] == stamp:
            return self._read[path][1]
        made = self._load(path)
        self._read[path] = stamp, made
        return made

    def _load(self, path: Path) -> OwnFile:
        try:
            if path.is_symlink():  # an error quotes the file, and a link could lead to any file
                raise DataError("shared.is_link", source=path.name)
            lesson = load_lesson(path)
            if lesson.name in shipped.names():
                raise DataError("lessons.file_of_package", name=lesson.name, source=path.name)
            words_of(lesson, lesson.languages[0])  # its questions about the rules need one right answer each
            return OwnFile(path, lesson)
        except NimmtError as error:
            return OwnFile(path, error=error)

    def own(self) -> Mapping[str, Lesson]:
        """The newest version of each lesson of one's own, by name."""
        found: dict[str, Lesson] = {}
        for one in self.files():
            lesson = one.lesson
            if lesson is not None and (lesson.name not in found or found[lesson.name].version < lesson.version):
                found[lesson.name] = lesson
        return found

    def names(self) -> tuple[str, ...]:
        """Every lesson: the rules lessons by name, the classroom ones as p1 to p9, then one's own."""
        return (*shipped.names(), *self.own())

    def find(self, name: str) -> Lesson:
        """A lesson by name; those of the classroom also by number."""
        name = shipped.full_name(name)
        if name in shipped.names():
            return shipped.shipped(name)
        if (lesson := self.own().get(name)) is not None:
            return lesson
        raise RulesError("shared.no_lesson_of", lesson=shown(name), known=", ".join(self.names()))

    def graded_by(self, name: str, version: int, mark: str) -> Lesson:
        """The lesson that made the questions of a hand-in: the same version, with the same answers. Otherwise raises an
        error that names the lesson and its versions."""
        if name in shipped.names():
            lesson = shipped.shipped(name)
            if version in lesson.earlier:
                return before(lesson, version)
            if lesson.version != version:
                raise RecordError("lessons.hand_in_version", name=name, got=version, version=lesson.version)
            return lesson
        found = [one.lesson for one in self.files() if one.lesson is not None and one.lesson.name == name]
        for lesson in found:
            if (lesson.version, lesson.mark) == (version, mark):
                return lesson
        if not found:
            raise RecordError("lessons.hand_in_lesson", lesson=shown(name))
        versions = ", ".join(str(lesson.version) for lesson in found)
        if all(lesson.version != version for lesson in found):
            raise RecordError("lessons.hand_in_version", name=name, got=version, version=versions)
        raise RecordError("lessons.hand_in_changed", name=name, version=version)

    def renamed(self, done: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
        """Results by lesson, where lessons that were renamed or split have those of what they were."""
        made = dict(done)
        for name in self.names():
            for was in self.find(name).was:
                if was in done and name not in done:
                    made[name] = done[was]
        return made


def before(lesson: Lesson, version: int) -> Lesson:
    """An earlier version of a lesson of the package, to grade by.

    >>> [step.name for step in before(shipped.shipped("p8"), 1).questions][-1]
    'permutation'
    """
    asked = replace(lesson, version=version, questions_by=lesson.earlier[version], mark=f"{lesson.mark}-{version}")
    made = problems_of(asked, 0)
    # Where a question was another one, it had the same marks.
    steps = tuple(
        replace(step, name=problem.key.partition(".")[2], ask=CHOICE if problem.choices else NUMBER)
        for step, problem in zip(lesson.questions, made, strict=True)
    )
    return replace(asked, steps=steps)


#: Only the lessons of the package.
SHIPPED: Final = Library(None)
