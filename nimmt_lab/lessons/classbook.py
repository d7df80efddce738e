"""A class's files as one table: a line for every pupil and sheet, and one for every file that could not be used.

Files are a convenience, not proof: a pupil who programs can write any file. So the table shows what a teacher can ask
about: tries, seeds, fresh starts, files that are alike.
"""

from __future__ import annotations

import csv
import io
import os
import stat
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.files import name_of

from .classroom import Grade, number_of
from .progress import FILE
from .results import Results

#: Text first, then numbers; `TEXTS` are the columns of text.
COLUMNS = (
    "name", "lesson", "seed", "questions", "answered", "right", "right_at_first", "tries", "hints", "starts", "sheets",
    "file", "note",
)  # fmt: skip
TEXTS = frozenset({"name", "lesson", "file", "note"})

Cell = str | int | None


def harmless(cell: Cell) -> Cell:
    """A cell that no spreadsheet takes for a formula, whichever width its first sign is typed in.

    >>> harmless("=1+2"), harmless("＝1+2"), harmless(" @x"), harmless("Ann"), harmless(-3)
    ("'=1+2", "'＝1+2", "' @x", 'Ann', -3)
    """
    if not isinstance(cell, str) or not cell:
        return cell
    # Compatibility forms (full-width, small) become the plain sign; white space in front hides nothing.
    first = unicodedata.normalize("NFKC", cell).lstrip()[:1]
    return f"'{cell}" if first in ("=", "+", "-", "@", "−", "|", "%") or not cell[0].isprintable() else cell


@dataclass(frozen=True)
class Gradebook:
    """The table. An unusable file has a line that says why; files of another kind are only named (`passed_over`)."""

    columns: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]
    unusable: int = 0
    passed_over: tuple[str, ...] = ()

    def to_csv(self) -> str:
        """The table as CSV, for any spreadsheet."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        for line in self.lines:
            writer.writerow([harmless(cell) for cell in line])
        return text.getvalue()


@dataclass(eq=False)
class _Entry:
    """A file that could be read, and what there is to say about it."""

    results: Results
    grades: tuple[Grade, ...]
    file: str
    notes: list[str]

    @property
    def who(self) -> str:
        """The name as it is compared: people write theirs with more or fewer blanks and capitals."""
        return " ".join(self.results.name.casefold().split())

    @property
    def wrong(self) -> int:
        return sum(mark.tries - mark.right for mark in self.grades)


def gradebook(folder: Path, *, seed: int | None = None, questions: bool = False) -> Gradebook:
    """Judge every file of a folder and those below. None can stop the others: an odd one has a line of its own.

    `seed` is the class's seed, as given to `worksheet`: a sheet that is none of it is noted. With `questions` there is
    a column for each question: how many tries, with a minus where it never was right.
    """
    entries: list[_Entry] = []
    odd: list[tuple[str, str]] = []
    others: list[str] = []
    for path, trouble in _files(folder):
        name = _shown(path, folder)
        if trouble == _OTHER:
            others.append(name)
        elif trouble:
            odd.append((name, trouble))
        else:
            try:
                results = Results.load(path)
                entries.append(_Entry(results, results.grades, name, []))
            except NotationError as error:
                odd.append((name, error.message if error.line is None else f"line {error.line}: {error.message}"))
            except (NimmtError, OSError, MemoryError, RecursionError) as error:
                odd.append((name, str(error) or type(error).__name__))
    kept = _one_a_sitting(entries)
    _compare(kept, seed)
    kept.sort(key=lambda entry: (entry.who, entry.results.lesson, entry.results.seed, entry.file))
    asked = list(dict.fromkeys(mark.question for entry in kept for mark in entry.grades)) if questions else []
    lines = [*(_line(entry, asked) for entry in kept), *(_odd_line(file, why, asked) for file, why in sorted(odd))]
    return Gradebook((*COLUMNS, *asked), tuple(lines), len(odd), tuple(sorted(others)))


def _line(entry: _Entry, asked: Iterable[str]) -> tuple[Cell, ...]:
    results, grades = entry.results, entry.grades
    tries = {mark.question: mark.tries if mark.right else -mark.tries for mark in grades if mark.tries}
    return (
        results.name,
        results.lesson,
        results.seed,
        len(grades),
        sum(mark.tries > 0 for mark in grades),
        sum(mark.right for mark in grades),
        sum(mark.first for mark in grades),
        sum(mark.tries for mark in grades),
        len(results.hinted),
        results.starts,
        results.sheets,
        entry.file,
        "; ".join(entry.notes),
        *(tries.get(question) for question in asked),
    )


def _odd_line(file: str, why: str, asked: Iterable[str]) -> tuple[Cell, ...]:
    said: Mapping[str, Cell] = {"name": "", "lesson": "", "file": file, "note": f"not counted: {why}"}
    return (*(said.get(column) for column in COLUMNS), *(None for _ in asked))


# What is alike -------------------------------------------------------------------------------------------


def _one_a_sitting(entries: Iterable[_Entry]) -> list[_Entry]:
    """Of one pupil's files of one sheet and sitting the fullest counts: answers were saved more than once."""
    best: dict[tuple[str, str, int, str], _Entry] = {}
    for entry in entries:
        results = entry.results
        key = (entry.who, results.lesson, results.seed, results.sitting)
        before = best.get(key)
        if before is None:
            best[key] = entry
            continue
        more, less = (entry, before) if sum(_size(entry)) > sum(_size(before)) else (before, entry)
        more.notes = [*more.notes, *less.notes, f"also handed in as {less.file}"]
        best[key] = more
    return list(best.values())


def _size(entry: _Entry) -> Iterator[int]:
    return (mark.tries for mark in entry.grades)


def _compare(entries: list[_Entry], seed: int | None) -> None:
    """Note what a teacher may want to ask about. None of it proves anything."""
    sittings, sheets, names = defaultdict(list), defaultdict(list), defaultdict(list)
    for entry in entries:
        results = entry.results
        sittings[results.sitting, results.lesson, results.seed].append(entry)
        sheets[results.lesson, results.seed].append(entry)
        names[entry.who, results.lesson].append(entry)
    for entry in entries:
        results, notes = entry.results, entry.notes
        if results.starts > 1:
            notes.append(f"started again: {results.starts - 1}")
        if results.sheets > 1:
            notes.append(f"looked at {results.sheets} sheets")
        chosen = number_of(results.lesson) is not None
        if chosen and seed is not None and not seed * 1000 < results.seed < (seed + 1) * 1000:
            notes.append("the seed is none of this class")
        copies = [other for other in sittings[results.sitting, results.lesson, results.seed] if other is not entry]
        if copies:
            notes.append(f"a copy: the same sitting as {_named(copies)}")
        sheet = sheets[results.lesson, results.seed]
        alike = [other for other in sheet if other.who != entry.who and other not in copies]
        # Everybody has the same questions about the rules: only the same mistakes are remarkable there.
        telling = bool(results.tries) if chosen else entry.wrong > 1
        same = [other for other in alike if telling and other.results.tries == results.tries]
        if same:
            notes.append(f"the same tries as {_named(same)}")
        if chosen and alike:
            notes.append(f"the same seed as {_named(alike)}")
        again = [other for other in names[entry.who, results.lesson] if other is not entry and other not in copies]
        if again:
            notes.append(f"another file under this name: {', '.join(other.file for other in again[:3])}")


def _named(entries: list[_Entry]) -> str:
    more = f" and {len(entries) - 3} more" if len(entries) > 3 else ""
    return ", ".join(entry.results.name for entry in entries[:3]) + more


# Which files ---------------------------------------------------------------------------------------------

_OTHER = "another kind of file"


def _shown(path: Path, folder: Path) -> str:
    """A file's name for the table: below the folder, with whatever cannot be shown written out."""
    text = name_of(path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name)
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def _looks_like_answers(name: str) -> bool:
    """`.json`, however written, also behind another ending (`.json.txt`), or none: mail and schools' systems rename."""
    name = name.casefold()
    return ".json" in name or name.endswith(".txt") or "." not in name


def _files(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file in a folder and below, with the reason why it is not read (none: it is). No link is followed."""
    troubles: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=troubles.append):
        here = Path(place)
        for name in sorted(folders):
            if os.path.islink(here / name):
                yield here / name, "it is a link to a folder, which is not followed"
            elif _looks_like_answers(name) and "." in name:
                yield here / name, "it is a folder"
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            # Names that begin with a dot are an editor's or the system's; the progress file is the learner's own.
            if (name.startswith(".") and name.casefold() not in (".json", ".txt")) or name.startswith(FILE):
                continue
            yield here / name, _trouble(here / name) if _looks_like_answers(name) else _OTHER
    for error in troubles:
        yield Path(error.filename), f"it cannot be opened: {error.strerror or error}"


def _trouble(path: Path) -> str:
    try:
        mode = os.lstat(path).st_mode
    except OSError as error:
        return f"it cannot be read: {error.strerror or error}"
    if stat.S_ISLNK(mode):
        return "it is a link, not a file"
    return "" if stat.S_ISREG(mode) else "it is not a regular file"
