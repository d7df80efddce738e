"""Teach: worksheets with a key, slides, cards to cut out, Moodle files, and a gradebook."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import make_folder, shown, write_file
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.lessons.asked import words_of
from nimmt_lab.lessons.class_list import ClassList, make_class_list, parse_class_list
from nimmt_lab.lessons.classbook import COLUMNS, SUMMARY, Gradebook, gradebook
from nimmt_lab.lessons.classroom import CLASSROOM, find, label_of, problems
from nimmt_lab.lessons.deck import deck_html
from nimmt_lab.lessons.moodle import moodle_xml
from nimmt_lab.lessons.progress import HAND_IN
from nimmt_lab.lessons.rules import Lesson, rules_lessons
from nimmt_lab.lessons.slides import example_seed, slides_html
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import (
    LARGEST_SEED,
    MOST_PUPILS,
    Sheet,
    answer_text,
    class_set,
    pages,
    question_text,
    working_text,
    write_folder,
)

from .author import AuthorScreen
from .base import as_object, whole_number
from .class_start import ClassStart
from .desk import Desk, DeskScreen
from .words import LANGUAGE_NAMES

#: The folder for class sets, and the default one for hand-ins: where lessons save theirs.
FOLDER: Final = "worksheets"
HAND_INS: Final = HAND_IN
#: The limits of uploaded files: their number, and their letters in all.
MOST_FILES: Final = 2000
MOST_LETTERS: Final = 50_000_000
#: The longest list of names that may be typed or pasted.
MOST_NAMES: Final = 100_000
#: The files that can be downloaded.
FILES: Final = ("print", "key", "slides", "moodle", "deck", "class_list")
#: The columns on show; the file has all of them.
SHOWN: Final = (
    "name", "lesson", "marks", "marks_of", "questions", "right", "right_at_first", "tries", "hints", "file", "note",
)  # fmt: skip


class TeachScreen(DeskScreen):
    """A lesson, the pupils and a seed make a set of worksheets, with a preview of the first.

    >>> teach = TeachScreen(Desk(None))
    >>> teach.receive({"type": "form", "form": {"lesson": 2, "pupils": 3, "seed": 7}})
    >>> teach.data["preview"][1]["answer"]
    '2/15 ≈ 0.1333'
    """

    module: ClassVar[str] = "screens/teach"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        kept = desk.memory.get("teach").get("form")
        # The number of a lesson in the classroom, or the name of one's own.
        usual: dict[str, Json] = {"lesson": 1, "pupils": 30, "seed": 1, "lang": desk.lang, "class_list": ""}
        self.form = usual
        self.book: Gradebook | None = None
        if isinstance(kept, dict):
            with suppress(RulesError):  # saved by another version
                self.form = self._form_of({**usual, "class_list": kept.get("roster", ""), **kept})
        try:
            self._label()
        except NimmtError:  # a lesson of one's own that no longer works
            self.form = usual
            self._label()
        if desk.folder is not None:
            self.put("author", AuthorScreen(desk, self._label))
        if desk.folder is not None and sys.platform != "emscripten":  # a browser's Python starts no process
            self.put("class", ClassStart(desk, lambda: self.form, lambda: self.class_list))

    def receive(self, message: Obj) -> None:
        """Change the `form`, `save` the set, download one of `FILES`, `grade` a folder or files; then download the
        `table` or the `summary`."""
        kind = message.get("type")
        if kind == "form":
            before = self.form
            self.form = self._form_of(self.form | as_object(message.get("form")))
            try:
                self._label()
            except NimmtError:  # such as a program that nobody has confirmed
                self.form = before
                raise
            self.desk.memory.put("teach", {"form": self.form})
        elif kind == "save":
            self.show(told=self.save(force=message.get("force") is True))
        elif kind in FILES:
            self._give(*self.file(str(kind)))
        elif kind == "grade":
            self._grade(message)
        elif kind in ("table", "summary"):
            if self.book is None:
                raise RulesError("screens.no_table")
            if kind == "table":
                self._give("gradebook.csv", self.book.to_csv())
            else:
                self._give("gradebook-questions.csv", self.book.summary_csv())
        else:
            super().receive(message)

    def _form_of(self, form: dict[str, Json]) -> dict[str, Json]:
        return _checked(form, self.say, self.desk.library.own())

    def _give(self, name: str, text: str) -> None:
        self.tell({"type": "file", "name": name, "text": text})
        self.show(told=self.say("teach.downloaded", file=name))

    @property
    def class_list(self) -> ClassList | None:
        """The pupils by name, if given: a class list, or names that become one with the seed of the form."""
        return _class_list(self.form)

    @property
    def _set(self) -> tuple[Lesson, int, tuple[Sheet, ...], str]:
        chosen, pupils, seed, lang = (self.form[name] for name in ("lesson", "pupils", "seed", "lang"))
        assert isinstance(pupils, int) and isinstance(seed, int) and isinstance(lang, str)
        try:
            lesson = self.desk.library.find(str(chosen))
        except RulesError:  # a lesson of one's own whose file has gone
            lesson = find(1)
        named = self.class_list
        if named is None:
            return lesson, seed, class_set(pupils, seed), lang
        return lesson, named.seed, named.sheets, lang

    def save(self, *, force: bool = False) -> str:
        """Write sheets, key and slides into the user's folder; returns a notice for the teacher."""
        lesson, seed, of, lang = self._set
        if self.desk.folder is None:
            return self.say("teach.no_folder")
        folder = self.desk.folder / FOLDER / f"lesson-{label_of(lesson)}-{seed}-{lang}"
        try:
            make_folder(folder.parent)
            if folder.exists() and not force:
                self.show(exists=True)
                return self.say("teach.exists", folder=f"{FOLDER}/{folder.name}")
            made: dict[str, str | bytes] = {**pages(lesson, of, lang)}
            made |= dict(self.file(what) for what in ("slides", "class_list") if what == "slides" or self.class_list)
            write_folder(made, folder, force=True)
        except (CannotWrite, OSError):
            return self.say("teach.not_saved", folder=f"{FOLDER}/{folder.name}")
        self.show(exists=False)
        return self.say("teach.saved", folder=f"{FOLDER}/{folder.name}", pupils=len(of))

    def file(self, what: str) -> tuple[str, str]:
        """Name and text of one of `FILES`."""
        lesson, seed, of, lang = self._set
        label = label_of(lesson)
        if what == "moodle":
            return f"lesson-{label}-moodle.xml", moodle_xml(lesson, of, lang)
        if what == "deck":
            return "deck.html", deck_html(lang)
        if what == "slides":
            return f"lesson-{label}-slides.html", slides_html(lesson, example_seed(seed), lang)
        if what == "class_list":
            named = self.class_list
            if named is None:
                raise RulesError("screens.no_class_list")
            return "class.csv", named.to_csv()
        name = f"lesson-{label}-{'sheets' if what == 'print' else 'key'}.html"
        return name, pages(lesson, of, lang)[name]

    def _grade(self, message: Obj) -> None:
        seed = message.get("seed")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise NotationError("screens.seed_number", got=shown(seed))
        lesson = message.get("lesson") or ""
        if not isinstance(lesson, str):
            raise NotationError("shared.no_lesson_of", lesson=shown(lesson), known="")
        given = message.get("files")
        if isinstance(given, list):
            try:
                with tempfile.TemporaryDirectory() as folder:
                    called = _lay(Path(folder), given)
                    self._make_book(Path(folder), seed, lesson, called)
            except OSError:  # no room, no permission, or too many files open
                raise RulesError("screens.not_read") from None
        else:
            folder_name = str(message.get("folder") or HAND_INS)
            place = Path(folder_name).expanduser()
            folder_path = place if place.is_absolute() or self.desk.folder is None else self.desk.folder / place
            if "\0" in folder_name or not folder_path.is_dir():
                raise NotationError("screens.no_such_folder", folder=folder_name[:200])
            self._make_book(folder_path, seed, lesson)
        self._label()

    def _make_book(self, folder: Path, seed: int | None, lesson: str, called: Mapping[str, str] | None = None) -> None:
        self.book = gradebook(
            folder,
            seed=seed,
            class_list=self.class_list,
            lang=self.desk.lang,
            library=self.desk.library,
            lesson=lesson,
            called=called,
        )

    def _label(self) -> None:
        lesson, _, of, lang = self._set
        say, titles = words_of(lesson, lang), words(self.desk.lang)
        of_class: list[Json] = [[number, f"{number}. {titles(f'p{number}.title')}"] for number in CLASSROOM]
        preview: list[Json] = [
            {"question": question_text(one, say), "answer": answer_text(one, say), "how": working_text(one, say)}
            for one in problems(lesson, of[0].seed)
        ]
        self.label(
            form=self.form,
            lessons=[*of_class, *self._own()],
            languages=[[one, LANGUAGE_NAMES[one]] for one in LANGUAGES],
            preview=preview,
            preview_lang=lang,
            notes=[say(key) for part in ("aims", "activity") if say.has(key := f"{lesson.name}.{part}")],
            book=None if self.book is None else self._book(self.book),
            hand_ins=HAND_INS,
            graded=[["", self.say("teach.all_lessons")], *self._graded()],
            folder=self.desk.folder is not None,
            named="" if self.class_list is None else self.say("teach.named", count=len(of)),
            exists=False,
            told="",
        )

    def _graded(self) -> list[Json]:
        """The lessons that may have been handed in, by name."""
        say = words(self.desk.lang)
        of_class: list[Json] = [[f"p{number}", f"{number}. {say(f'p{number}.title')}"] for number in CLASSROOM]
        rules: list[Json] = [[one.name, say(f"{one.name}.title")] for one in rules_lessons()]
        return [*self._own(), *of_class, *rules]

    def _own(self) -> list[Json]:
        """The teacher's own lessons, by name."""
        return [
            [name, words_of(lesson, self.desk.lang)(f"{name}.title")]
            for name, lesson in self.desk.library.own().items()
            if lesson.questions
        ]

    def _book(self, book: Gradebook) -> Json:
        column = {name: at for at, name in enumerate(book.columns)}
        questions = book.columns[len(COLUMNS) :]
        lines: list[Json] = [
            ["" if (cell := line[column[name]]) is None else str(cell) for name in (*SHOWN, *questions)]
            for line in book.lines
        ]
        said = [self.say("teach.counted", count=len(book.lines) - book.unusable - book.missing)]
        if book.missing:
            said.append(self.say("teach.missing", count=book.missing))
        if book.unusable:
            said.append(self.say("teach.unusable", count=book.unusable))
        if book.passed_over:
            said.append(self.say("teach.passed_over", files=", ".join(book.passed_over[:10])))
        columns: list[Json] = [*(self.say(f"teach.column_{name}") for name in SHOWN), *questions]
        summary: list[Json] = [["" if cell is None else str(cell) for cell in line] for line in book.summary]
        heads: list[Json] = [self.say(f"teach.column_{name}") for name in SUMMARY]
        return {"columns": columns, "lines": lines, "said": " ".join(said), "summary": summary, "heads": heads}


def _class_list(form: dict[str, Json]) -> ClassList | None:
    text, seed = form["class_list"], form["seed"]
    assert isinstance(text, str) and isinstance(seed, int)
    if not text.strip():
        return None
    first = text.strip().partition("\n")[0].casefold()
    if first.startswith("name") and any(mark in first for mark in ",;\t"):
        return parse_class_list(text.strip())
    return make_class_list([line for line in text.splitlines() if line.strip()], seed)


def _checked(form: dict[str, Json], say: Words, names: Container[str]) -> dict[str, Json]:
    """The form if it is valid; raises if it is not. `names` are the teacher's own lessons."""

    def number(name: str, least: int, most: int) -> int:
        value = whole_number(form.get(name), least, most)
        if value is None:
            got = shown(form.get(name))
            raise RulesError("screens.range", what=say(f"teach.{name}"), least=least, most=most, got=got)
        return value

    lang = form.get("lang")
    if not isinstance(lang, str) or lang not in LANGUAGES:
        raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
    class_list = form.get("class_list")
    if not isinstance(class_list, str) or len(class_list) > MOST_NAMES:
        raise RulesError("screens.class_list_long", most=MOST_NAMES)
    own = form.get("lesson")
    checked: dict[str, Json] = {
        "lesson": own if isinstance(own, str) and own in names else number("lesson", 1, max(CLASSROOM)),
        "pupils": number("pupils", 1, MOST_PUPILS),
        "seed": number("seed", 0, LARGEST_SEED),
        "lang": lang,
        "class_list": class_list,
    }
    _class_list(checked)  # raises if something is wrong with it
    return checked


def _lay(folder: Path, given: list[Json]) -> dict[str, str]:
    """Write uploaded files into a folder, under harmless names. Returns the names they came with, by the names they
    have there; a name that came twice gets a number."""
    if len(given) > MOST_FILES:
        raise NotationError("screens.most_files", most_files=MOST_FILES, got=len(given))
    size = 0
    called: dict[str, str] = {}
    often = Counter[str]()
    for at, one in enumerate(given):
        name, text = (one.get("name"), one.get("text")) if isinstance(one, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(text, str):
            raise NotationError("screens.file_has_name")
        size += len(text)
        if size > MOST_LETTERS:
            raise NotationError("screens.files_long")
        plain = "".join(letter if letter.isalnum() or letter in "-_. ()" else "_" for letter in Path(name).name)
        plain = plain[-60:]  # file names have a limit in bytes
        under = folder / str(at)  # two pupils may use the same name
        under.mkdir()
        plain = plain.strip(". ") or "file"
        write_file(under / plain, text.encode("utf-8", "replace"))
        often[plain] += 1
        called[f"{at}/{plain}"] = plain if often[plain] == 1 else f"{plain} ({often[plain]})"
    return called
