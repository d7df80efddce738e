"""The gradebook: a class's answer files in one table, with a line for every pupil and sheet and for every unusable
file.

The files prove nothing: a pupil who can program can write any file. So the table shows tries, seeds, restarts and
identical files, and a teacher knows what to ask about.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.files import name_of
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.reasons import reason
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.explain.errors import translate

from .asked import words_of
from .class_list import ClassList, who
from .classroom import Grade, asked_in, judged
from .feedback import slip_of, slip_text
from .library import SHIPPED, Library
from .problem import Problem
from .progress import FILE
from .question import Question
from .results import Results
from .rules import Lesson
from .tablefile import Cell, to_csv
from .words import Words, words

#: The columns of the table, then one for each question. `TEXTS` are the columns of text; all others are numbers.
COLUMNS = (
    "name", "lesson", "seed", "questions", "answered", "right", "right_at_first", "marks", "marks_of", "tries", "hints",
    "starts", "sheets", "file", "note",
)  # fmt: skip
TEXTS = frozenset({"name", "lesson", "file", "note", "question", "common_wrong", "slips"})
#: Columns of the class summary: a line per question, with the most common wrong answer and how many pupils gave it,
#: and the wrong ideas, each with the number of pupils who had it.
SUMMARY = (
    "lesson", "question", "files", "answered", "right", "right_at_first", "tries", "hints", "common_wrong", "by",
    "slips",
)  # fmt: skip


@dataclass(frozen=True)
class Gradebook:
    """The table. An unusable file has a line that says why; other kinds of files are only named (`passed_over`)."""

    columns: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]
    unusable: int = 0
    passed_over: tuple[str, ...] = ()
    #: Lines of `SUMMARY`.
    summary: tuple[tuple[Cell, ...], ...] = ()
    #: Pupils on the class list who handed in nothing for a lesson that others handed in.
    missing: int = 0

    def to_csv(self) -> str:
        return to_csv(self.columns, self.lines)

    def summary_csv(self) -> str:
        return to_csv(SUMMARY, self.summary)


@dataclass(eq=False)
class _Entry:
    """A readable file, its grades, and the notes about it."""

    results: Results
    grades: tuple[Grade, ...]
    file: str
    notes: list[str]
    #: The pupil's name on the class list.
    pupil: str = ""

    @property
    def name(self) -> str:
        return self.pupil or self.results.name

    @property
    def who(self) -> str:
        return who(self.name)

    @property
    def sheet(self) -> tuple[str, int]:
        return self.results.lesson, self.results.seed


def gradebook(
    folder: Path,
    *,
    seed: int | None = None,
    class_list: ClassList | None = None,
    lang: str = "en",
    library: Library = SHIPPED,
    lesson: str = "",
    called: Mapping[str, str] | None = None,
) -> Gradebook:
    """Judge every file in a folder and below. A file that cannot be read gets a line of its own and stops nothing.

    `seed` is the class seed given to `worksheet`; sheets of another class get a note. With a `class_list`, the sheet
    says whose answers these are, however the name is spelled; the table is in the order of the list and has a line for
    each pupil who handed nothing in. With a `lesson`, only its files count. Each question has a column with the number
    of tries, negative if none was right. The `library` has the lessons that may have asked. `called` has the names to
    show for files that are stored under others.
    """
    wanted = library.find(lesson) if lesson else None
    say = words(lang)
    entries: list[_Entry] = []
    odd: list[tuple[str, str]] = []
    others: list[str] = []
    for path, trouble in _few(_files(folder)):
        name = _shown(path, folder)
        name = name if called is None else called.get(name, name)
        if trouble is _OTHER:
            others.append(name)
        elif trouble:
            odd.append((name, trouble.translate(lang)))
        else:
            try:
                results = Results.load(path, follow=False, library=library)  # it may have been replaced by a link
                entries.append(_Entry(results, results.grades, name, []))
            except NotationError as error:  # without the file's name, which has a column
                odd.append((name, type(error).of(error, line=error.line).translate(lang)))
            except (NimmtError, OSError, MemoryError, RecursionError) as error:
                odd.append((name, translate(error, lang) or type(error).__name__))
    if class_list is not None:
        _match(entries, class_list, say)
    elsewhere = [entry for entry in entries if wanted is not None and entry.results.lesson != wanted.name]
    kept = _one_a_sitting([entry for entry in entries if entry not in elsewhere], say)
    _compare(kept, class_list.seed if class_list is not None and seed is None else seed, say)
    missing = [] if class_list is None else _missing(kept, elsewhere, class_list, wanted, say)
    known = {name: at for at, name in enumerate(library.names())}
    places = {} if class_list is None else {who(name): at for at, name in enumerate(class_list.pupils)}

    def order(name: str, lesson: str) -> tuple[int, str, int, str]:
        return places.get(who(name), len(places)), who(name), known.get(lesson, len(known)), lesson

    kept.sort(key=lambda entry: (*order(entry.name, entry.results.lesson), entry.results.seed, entry.file))
    lessons = sorted({entry.results.lesson for entry in kept}, key=lambda name: (known.get(name, len(known)), name))
    asked = [
        question
        for name in lessons
        for question in dict.fromkeys(
            (name, mark.question) for entry in kept if entry.results.lesson == name for mark in entry.grades
        )
    ]
    placed = [(order(entry.name, entry.results.lesson), _line(entry, asked)) for entry in kept]
    placed += [(order(str(cells["name"]), str(cells["lesson"])), _odd_line(asked, **cells)) for cells in missing]
    lines = [line for _, line in sorted(placed, key=lambda item: item[0])]
    for file, why in sorted(odd):
        lines.append(_odd_line(asked, name="", lesson="", file=file, note=say("book.not_counted", why=why)))
    # Two lessons may ask under the same name, so a question's column names its lesson.
    columns = (question if question.startswith(f"{lesson}.") else f"{lesson}.{question}" for lesson, question in asked)
    summary = tuple(_summary(kept, lesson, question, say) for lesson, question in asked)
    return Gradebook((*COLUMNS, *columns), tuple(lines), len(odd), tuple(sorted(others)), summary, len(missing))


# The class list -------------------------------------------------------------------------------------------


def _match(entries: Iterable[_Entry], class_list: ClassList, say: Words) -> None:
    """Find out whose answers these are. The sheet decides, unless the file has the name of somebody else on the list;
    where everybody has the same questions, the name does."""
    by_seed = {seed: name for name, seed in class_list.pupils.items()}
    spelled: dict[str, list[str]] = defaultdict(list)
    for name in class_list.pupils:
        spelled[_spelled(name)].append(name)
    exact = {who(name): name for name in class_list.pupils}
    for entry in entries:
        results = entry.results
        alike = spelled[_spelled(results.name)]
        owner = by_seed.get(results.seed) if results.asked_by.drawn else None
        signed = exact.get(who(results.name)) or (owner if owner in alike else alike[0] if len(alike) == 1 else None)
        entry.pupil = signed or owner or ""
        if signed is None:
            entry.notes.append(say("book.unknown_name") if owner is None else say("book.signed", name=results.name))
        if not results.asked_by.drawn:  # rules lessons are the same for everybody
            continue
        if owner is None:
            entry.notes.append(say("book.nobodys"))
        elif owner != entry.pupil:
            entry.notes.append(say("book.sheet_of", name=owner))


def _spelled(name: str) -> str:
    """A name without accents, punctuation and the order of its words.

    >>> _spelled("Nováková, Zoë") == _spelled("zoe Novakova")
    True
    """
    letters = unicodedata.normalize("NFKD", name.casefold().replace("ł", "l"))
    plain = "".join(letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " ".join(sorted(plain.split()))


def _missing(
    kept: Iterable[_Entry], elsewhere: Iterable[_Entry], class_list: ClassList, wanted: Lesson | None, say: Words
) -> list[dict[str, Cell]]:
    """The lines of pupils who handed in nothing for the lesson of the class.

    Without a given lesson, that is the one with the most pupils, and every other with at least half as many: a file of
    another lesson that one pupil handed in by mistake is one line, not one for everybody else.
    """
    here: dict[str, set[str]] = defaultdict(set)
    drawn = {} if wanted is None else {wanted.name: wanted.drawn}
    for entry in kept:
        here[entry.results.lesson].add(entry.who)
        drawn.setdefault(entry.results.lesson, entry.results.asked_by.drawn)
    most = max((len(pupils) for pupils in here.values()), default=0)
    if wanted is not None:
        of_class = [wanted.name]
    else:
        of_class = sorted(lesson for lesson, pupils in here.items() if 2 * len(pupils) >= most)
    instead = {entry.who: say("book.other_lesson", lesson=entry.results.lesson, file=entry.file) for entry in elsewhere}
    return [
        {
            "name": name,
            "lesson": lesson,
            "seed": seed if drawn[lesson] else None,
            "file": "",
            "note": "; ".join(filter(None, (say("book.nothing"), instead.get(who(name))))),
        }
        for lesson in of_class
        for name, seed in class_list.pupils.items()
        if who(name) not in here[lesson]
    ]


# By question ----------------------------------------------------------------------------------------------


def _summary(kept: Iterable[_Entry], lesson: str, question: str, say: Words) -> tuple[Cell, ...]:
    """One question across all files, with the most common wrong answer and the wrong ideas: a topic for the class."""
    marks, wrong, hints = [], Counter[str](), 0
    ideas: dict[str, str] = {}
    had = Counter[str]()
    asked_of: dict[tuple[int, str], Problem | Question | None] = {}
    for entry in kept:
        results = entry.results
        if results.lesson != lesson:
            continue
        marks += [mark for mark in entry.grades if mark.question == question]
        hints += question in results.hinted
        key = results.seed, results.asked_by.mark  # a class may have answered two versions
        if key not in asked_of:
            asked_of[key] = asked_in(results.asked_by, results.seed).get(question)
        asked = asked_of[key]
        if asked is None:
            continue
        # Each pupil counts once. Sheets have different numbers, so a common answer shows a common idea.
        answers = {" ".join(text.split())[:40] for text in results.tries.get(question, ())}
        missed = {text for text in answers if text and not judged(_judge(asked), text)}
        wrong.update(missed)
        own = words_of(results.asked_by, say.lang)
        found = dict(filter(None, (_idea(asked, text, own) for text in missed)))
        ideas = found | ideas
        had.update(found.keys())
    common, by = min(wrong.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    slips = " | ".join(
        f"{count} × {ideas[idea]}" for idea, count in sorted(had.items(), key=lambda it: (-it[1], it[0]))
    )
    marked = (lesson, question, len(marks), *_totals(marks), hints)
    return (*marked, common, by, slips) if by > 1 else (*marked, "", None, slips)


def _judge(asked: Problem | Question) -> Callable[[str], bool]:
    return asked.right.__contains__ if isinstance(asked, Question) else asked.is_right


def _idea(asked: Problem | Question, text: str, say: Words) -> tuple[str, str] | None:
    """The wrong idea behind a wrong answer, by its name and in words; None if it cannot be inferred."""
    if isinstance(asked, Question):
        said = asked.refute(text, say).said if text in asked.choices else ""
        return (text, said) if said else None
    try:
        slip = slip_of(asked, text)
    except NotationError:
        return None
    return (slip, slip_text(asked, slip, say)) if slip else None


def _line(entry: _Entry, asked: Sequence[tuple[str, str]]) -> tuple[Cell, ...]:
    results, grades = entry.results, entry.grades
    tries = {mark.question: mark.tries if mark.right else -mark.tries for mark in grades if mark.tries}
    return (
        *(entry.name, results.lesson, results.seed, len(grades), *_totals(grades)[:3]),
        *(sum(mark.marks for mark in grades), sum(mark.marks_of for mark in grades), _totals(grades)[3]),
        *(len(results.hinted), results.starts, results.sheets, entry.file, "; ".join(entry.notes)),
        *(tries.get(question) if lesson == results.lesson else None for lesson, question in asked),
    )


def _totals(marks: Sequence[Grade]) -> tuple[int, int, int, int]:
    """Questions answered, answered right, right at first, and tries."""
    return (
        sum(mark.tries > 0 for mark in marks),
        sum(mark.right for mark in marks),
        sum(mark.first for mark in marks),
        sum(mark.tries for mark in marks),
    )


def _odd_line(asked: Sequence[tuple[str, str]], **cells: Cell) -> tuple[Cell, ...]:
    return (*map(cells.get, COLUMNS), *(None for _ in asked))


# Suspicious likenesses ------------------------------------------------------------------------------------


def _one_a_sitting(entries: Iterable[_Entry], say: Words) -> list[_Entry]:
    """Keep the fullest file of each pupil, sheet and sitting: answers may be saved more than once."""
    best: dict[tuple[str, str, int, str], _Entry] = {}
    for entry in entries:
        results = entry.results
        key = (entry.who, results.lesson, results.seed, results.sitting)
        before = best.get(key)
        if before is None:
            best[key] = entry
            continue
        more, less = (entry, before) if _totals(entry.grades)[3] > _totals(before.grades)[3] else (before, entry)
        more.notes = [*more.notes, *less.notes, say("book.also", file=less.file)]
        best[key] = more
    return list(best.values())


def _compare(entries: list[_Entry], seed: int | None, say: Words) -> None:
    """Note what a teacher may want to ask about. None of it is proof."""
    sittings, sheets, names = defaultdict(list), defaultdict(list), defaultdict(list)
    for entry in entries:
        sittings[entry.results.sitting, entry.sheet].append(entry)
        sheets[entry.sheet].append(entry)
        names[entry.who, entry.results.lesson].append(entry)
    for entry in entries:
        results, notes = entry.results, entry.notes
        if results.starts > 1:
            notes.append(say("book.again", count=results.starts - 1))
        if results.sheets > 1:
            notes.append(say("book.sheets", count=results.sheets))
        chosen = results.asked_by.drawn
        if chosen and seed is not None and not seed * 1000 < results.seed < (seed + 1) * 1000:
            notes.append(say("book.other_class"))
        copies = [other for other in sittings[results.sitting, entry.sheet] if other is not entry]
        if copies:
            notes.append(say("book.copy", names=_named(copies, say)))
        alike = [other for other in sheets[entry.sheet] if other.who != entry.who and other not in copies]
        # The rules questions are the same for everybody: there only shared mistakes are remarkable.
        wrong = sum(mark.tries - mark.right for mark in entry.grades)
        telling = bool(results.tries) if chosen else wrong > 1
        same = [other for other in alike if telling and other.results.tries == results.tries]
        if same:
            notes.append(say("book.same_tries", names=_named(same, say)))
        if chosen and alike:
            notes.append(say("book.same_seed", names=_named(alike, say)))
        again = [other for other in names[entry.who, results.lesson] if other is not entry and other not in copies]
        if again:
            notes.append(say("book.namesake", files=", ".join(other.file for other in again[:3])))


def _named(entries: list[_Entry], say: Words) -> str:
    names = ", ".join(entry.name for entry in entries[:3])
    return names if len(entries) <= 3 else say("book.and_more", names=names, count=len(entries) - 3)


# Finding files --------------------------------------------------------------------------------------------

#: The reason given for other kinds of files, which are harmless.
_OTHER: Final = Phrase("lessons.other_kind")
#: More than the hand-ins of a school: somebody who names a whole disk learns it before anything is read.
MOST_FILES = 5_000
MOST_SEEN = 20_000


def _few(files: Iterator[tuple[Path, Phrase | None]]) -> list[tuple[Path, Phrase | None]]:
    """All files, unless there are too many."""
    listed, read = [], 0
    for path, trouble in files:
        listed.append((path, trouble))
        read += not trouble
        if read > MOST_FILES or len(listed) > MOST_SEEN:
            raise NotationError("lessons.whole_disk", most_files=Figure(MOST_FILES), most_seen=Figure(MOST_SEEN))
    return listed


def _shown(path: Path, folder: Path) -> str:
    """A file's path below the folder, with unprintable letters escaped."""
    text = name_of(path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name)
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def _looks_like_answers(name: str) -> bool:
    """Whether the name ends in `.json`, `.json.txt` and the like, or has no ending: mail programs and schools
    rename files."""
    name = name.casefold()
    return ".json" in name or name.endswith(".txt") or "." not in name


def _files(folder: Path) -> Iterator[tuple[Path, Phrase | None]]:
    """Every file in a folder and below, with the reason why it is not read, if any. Links are not followed."""
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
            # Dot files belong to an editor or the system, the progress file to the learner.
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
