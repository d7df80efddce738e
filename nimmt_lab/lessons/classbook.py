"""A class's files as one table: a line for every pupil and sheet, and one for every file that could not be used.

Files are a convenience, not proof: a pupil who programs can write any file. So the table shows what a teacher can ask
about: tries, seeds, fresh starts, files that are alike.
"""

from __future__ import annotations

import os
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.files import name_of
from nimmt_lab.engine.reasons import reason
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.explain.errors import translate

from .classroom import Grade, judged, judges, number_of
from .progress import FILE
from .results import Results
from .roster import Roster, who
from .tablefile import Cell, to_csv
from .words import Words, words

#: Text first, then numbers; `TEXTS` are the columns of text.
COLUMNS = (
    "name", "lesson", "seed", "questions", "answered", "right", "right_at_first", "tries", "hints", "starts", "sheets",
    "file", "note",
)  # fmt: skip
TEXTS = frozenset({"name", "lesson", "file", "note", "question", "common_wrong"})
#: The class summary: for each question how many files have it, and what was most often answered wrong, by how many.
SUMMARY = (
    "lesson", "question", "files", "answered", "right", "right_at_first", "tries", "hints", "common_wrong", "by",
)  # fmt: skip


@dataclass(frozen=True)
class Gradebook:
    """The table. An unusable file has a line that says why; files of another kind are only named (`passed_over`)."""

    columns: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]
    unusable: int = 0
    passed_over: tuple[str, ...] = ()
    #: What the class made of each question: lines of `SUMMARY`.
    summary: tuple[tuple[Cell, ...], ...] = ()
    #: Pupils of the roster who handed nothing in for a lesson that others handed in.
    missing: int = 0

    def to_csv(self) -> str:
        """The table as CSV, for any spreadsheet."""
        return to_csv(self.columns, self.lines)

    def summary_csv(self) -> str:
        """The summary by question as CSV."""
        return to_csv(SUMMARY, self.summary)


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
        return who(self.results.name)

    @property
    def wrong(self) -> int:
        return sum(mark.tries - mark.right for mark in self.grades)


def gradebook(folder: Path, *, seed: int | None = None, roster: Roster | None = None, lang: str = "en") -> Gradebook:
    """Judge every file of a folder and those below. None can stop the others: an odd one has a line of its own.

    `seed` is the class's seed, as given to `worksheet`: a sheet that is none of it is noted. A `roster` says more: who
    is in the class and whose sheet is whose; who handed nothing in has a line, too. There is a column for each
    question: how many tries, with a minus where it never was right.
    """
    say = words(lang)
    entries: list[_Entry] = []
    odd: list[tuple[str, str]] = []
    others: list[str] = []
    for path, trouble in _few(_files(folder)):
        name = _shown(path, folder)
        if trouble is _OTHER:
            others.append(name)
        elif trouble:
            odd.append((name, trouble.translate(lang)))
        else:
            try:
                results = Results.load(path, follow=False)  # it may have become a link since we looked
                entries.append(_Entry(results, results.grades, name, []))
            except NotationError as error:  # the file's name stands beside it already
                odd.append((name, type(error).of(error, line=error.line).translate(lang)))
            except (NimmtError, OSError, MemoryError, RecursionError) as error:
                odd.append((name, translate(error, lang) or type(error).__name__))
    kept = _one_a_sitting(entries, say)
    _compare(kept, roster.seed if roster is not None and seed is None else seed, say)
    missing = _call(kept, roster, say) if roster is not None else []
    kept.sort(key=lambda entry: (entry.who, entry.results.lesson, entry.results.seed, entry.file))
    asked = list(dict.fromkeys((entry.results.lesson, mark.question) for entry in kept for mark in entry.grades))
    lines = [
        *(_line(entry, asked) for entry in kept),
        *(_odd_line(asked, **said) for said in missing),
        *(
            _odd_line(asked, name="", lesson="", file=file, note=say("book.not_counted", why=why))
            for file, why in sorted(odd)
        ),
    ]
    columns = (*COLUMNS, *(_column(lesson, question) for lesson, question in asked))
    summary = tuple(_summary(kept, lesson, question) for lesson, question in asked)
    return Gradebook(columns, tuple(lines), len(odd), tuple(sorted(others)), summary, len(missing))


def _column(lesson: str, question: str) -> str:
    """A question's own name where it tells its lesson (`p2.one`), else with it: two lessons may ask under one name."""
    return question if question.startswith(f"{lesson}.") else f"{lesson}.{question}"


def _call(kept: list[_Entry], roster: Roster, say: Words) -> list[dict[str, Cell]]:
    """Hold the files against the roster: notes where they do not go together, and who handed nothing in."""
    by_who = {who(name): name for name in roster.pupils}
    by_seed = {seed: name for name, seed in roster.pupils.items()}
    here = set()
    for entry in kept:
        results = entry.results
        here.add((entry.who, results.lesson))
        if entry.who not in by_who:
            entry.notes.append(say("book.unknown_name"))
        if number_of(results.lesson) is None:  # everybody has the same questions about the rules
            continue
        owner = by_seed.get(results.seed)
        if owner is None:
            entry.notes.append(say("book.nobodys"))
        elif who(owner) != entry.who:
            entry.notes.append(say("book.sheet_of", name=owner))
    return [
        {"name": name, "lesson": lesson, "seed": None if number_of(lesson) is None else seed, "file": "",
         "note": say("book.nothing")}
        for lesson in sorted({entry.results.lesson for entry in kept})
        for name, seed in roster.pupils.items()
        if (who(name), lesson) not in here
    ]  # fmt: skip


def _summary(kept: Iterable[_Entry], lesson: str, question: str) -> tuple[Cell, ...]:
    """One question over all files: what went wrong most often is what to talk about."""
    marks, wrong, hints = [], Counter[str](), 0
    judges_of: dict[int, Callable[[str], bool]] = {}
    for entry in kept:
        results = entry.results
        if results.lesson != lesson:
            continue
        marks += [mark for mark in entry.grades if mark.question == question]
        hints += question in results.hinted
        if results.seed not in judges_of:
            judges_of[results.seed] = judges(lesson, results.seed)[question]
        # Counted once a pupil, as written: sheets have other numbers, so a common answer is a common idea.
        said = {" ".join(text.split())[:40] for text in results.tries.get(question, ())}
        wrong.update(text for text in said if text and not judged(judges_of[results.seed], text))
    common, by = min(wrong.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    return (
        lesson,
        question,
        len(marks),
        sum(mark.tries > 0 for mark in marks),
        sum(mark.right for mark in marks),
        sum(mark.first for mark in marks),
        sum(mark.tries for mark in marks),
        hints,
        common if by > 1 else "",
        by if by > 1 else None,
    )


def _line(entry: _Entry, asked: Iterable[tuple[str, str]]) -> tuple[Cell, ...]:
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
        *(tries.get(question) if lesson == results.lesson else None for lesson, question in asked),
    )


def _odd_line(asked: Iterable[tuple[str, str]], **said: Cell) -> tuple[Cell, ...]:
    return (*(said.get(column) for column in COLUMNS), *(None for _ in asked))


# What is alike -------------------------------------------------------------------------------------------


def _one_a_sitting(entries: Iterable[_Entry], say: Words) -> list[_Entry]:
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
        more.notes = [*more.notes, *less.notes, say("book.also", file=less.file)]
        best[key] = more
    return list(best.values())


def _size(entry: _Entry) -> Iterator[int]:
    return (mark.tries for mark in entry.grades)


def _compare(entries: list[_Entry], seed: int | None, say: Words) -> None:
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
            notes.append(say("book.again", count=results.starts - 1))
        if results.sheets > 1:
            notes.append(say("book.sheets", count=results.sheets))
        chosen = number_of(results.lesson) is not None
        if chosen and seed is not None and not seed * 1000 < results.seed < (seed + 1) * 1000:
            notes.append(say("book.other_class"))
        copies = [other for other in sittings[results.sitting, results.lesson, results.seed] if other is not entry]
        if copies:
            notes.append(say("book.copy", names=_named(copies, say)))
        sheet = sheets[results.lesson, results.seed]
        alike = [other for other in sheet if other.who != entry.who and other not in copies]
        # Everybody has the same questions about the rules: only the same mistakes are remarkable there.
        telling = bool(results.tries) if chosen else entry.wrong > 1
        same = [other for other in alike if telling and other.results.tries == results.tries]
        if same:
            notes.append(say("book.same_tries", names=_named(same, say)))
        if chosen and alike:
            notes.append(say("book.same_seed", names=_named(alike, say)))
        again = [other for other in names[entry.who, results.lesson] if other is not entry and other not in copies]
        if again:
            notes.append(say("book.namesake", files=", ".join(other.file for other in again[:3])))


def _named(entries: list[_Entry], say: Words) -> str:
    names = ", ".join(entry.results.name for entry in entries[:3])
    return names if len(entries) <= 3 else say("book.and_more", names=names, count=len(entries) - 3)


# Which files ---------------------------------------------------------------------------------------------

#: Neither answers nor trouble: a file of another kind.
_OTHER: Final = Phrase("lessons.other_kind")
#: A school's hand-ins are fewer. Somebody who names a whole disk learns so at once, before anything is read.
MOST_FILES = 5_000
MOST_SEEN = 20_000


def _few(files: Iterator[tuple[Path, Phrase | None]]) -> list[tuple[Path, Phrase | None]]:
    """All of them, unless there are too many."""
    found, read = [], 0
    for path, trouble in files:
        found.append((path, trouble))
        read += not trouble
        if read > MOST_FILES or len(found) > MOST_SEEN:
            raise NotationError("lessons.whole_disk", most_files=f"{MOST_FILES:,}", most_seen=f"{MOST_SEEN:,}")
    return found


def _shown(path: Path, folder: Path) -> str:
    """A file's name for the table: below the folder, with whatever cannot be shown written out."""
    text = name_of(path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name)
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def _looks_like_answers(name: str) -> bool:
    """`.json`, however written, also behind another ending (`.json.txt`), or none: mail and schools' systems rename."""
    name = name.casefold()
    return ".json" in name or name.endswith(".txt") or "." not in name


def _files(folder: Path) -> Iterator[tuple[Path, Phrase | None]]:
    """Every file in a folder and below, with the reason why it is not read (none: it is). No link is followed."""
    troubles: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=troubles.append):
        here = Path(place)
        for name in sorted(folders):
            if os.path.islink(here / name):
                yield here / name, Phrase("shared.link_folder")
            elif _looks_like_answers(name) and "." in name:
                yield here / name, Phrase("shared.it_folder")
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            # Names that begin with a dot are an editor's or the system's; the progress file is the learner's own.
            if (name.startswith(".") and name.casefold() not in (".json", ".txt")) or name.startswith(FILE):
                continue
            yield here / name, _trouble(here / name) if _looks_like_answers(name) else _OTHER
    for error in troubles:
        yield Path(error.filename), Phrase("shared.it_cannot_open", problem=reason(error))


def _trouble(path: Path) -> Phrase | None:
    try:
        mode = os.lstat(path).st_mode
    except OSError as error:
        return Phrase("shared.it_cannot_read", problem=reason(error))
    if stat.S_ISLNK(mode):
        return Phrase("shared.link")
    return None if stat.S_ISREG(mode) else Phrase("shared.it_not_regular")
