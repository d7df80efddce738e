"""Teach: worksheets with their key, slides for the wall, and a table of what a class handed in."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import make_folder, shown, write_file
from nimmt_lab.lessons.classbook import Gradebook, gradebook
from nimmt_lab.lessons.classroom import CLASSROOM, problems
from nimmt_lab.lessons.slides import slides_html
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import answer_text, pupil_seed, question_text, sheets, working_text, write_folder

from .base import Screen
from .desk import Desk
from .words import LANGUAGE_NAMES, labels, screen_words

#: Where class sets are kept in the user's folder, and where hand-ins are looked for unless another folder is named.
FOLDER: Final = "worksheets"
HAND_INS: Final = "hand-ins"
#: A class has no more files than this, and they are no longer.
MOST_FILES: Final = 2000
MOST_LETTERS: Final = 50_000_000
MOST_PUPILS: Final = 999
LARGEST_SEED: Final = 10**12
#: Columns of the table that are shown; the file has all of them.
SHOWN: Final = (
    "name", "lesson", "seed", "questions", "right", "right_at_first", "tries", "hints", "file", "note",
)  # fmt: skip


class TeachScreen(Screen):
    """A lesson, a number of pupils and a seed make a set; the first sheet's questions are there to look at.

    >>> teach = TeachScreen(Desk(None))
    >>> teach.receive({"type": "form", "form": {"lesson": 2, "pupils": 3, "seed": 7}})
    >>> teach.data["preview"][1]["answer"]
    '2/15 ≈ 0.1333'
    """

    module: ClassVar[str] = "screens/teach"

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.say = screen_words(desk.lang)
        kept = desk.memory.get("teach").get("form")
        usual: dict[str, Json] = {"lesson": 1, "pupils": 30, "seed": 1, "lang": desk.lang}
        self.form = usual
        self.book: Gradebook | None = None
        if isinstance(kept, dict):
            with suppress(RulesError):  # kept by another version
                self.form = _checked({**usual, **kept})
        self._label()

    def receive(self, message: Obj) -> None:
        """A changed `form`; `save` the set, `print` it, the `key`, `slides`; `grade` a folder or files; the `table`."""
        kind = message.get("type")
        if kind == "form":
            form = message.get("form")
            self.form = _checked({**self.form, **(form if isinstance(form, dict) else {})})
            self.desk.memory.put("teach", {"form": self.form})
            self._label()
        elif kind == "save":
            self.show(told=self.save(force=message.get("force") is True))
        elif kind in ("print", "key", "slides"):
            name, text = {"print": self.printed, "key": self.key, "slides": self.slides}[str(kind)]()
            self.tell({"type": "file", "name": name, "text": text})
            self.show(told=self.say("teach.downloaded", file=name))
        elif kind == "grade":
            self._grade(message)
        elif kind == "table":
            if self.book is None:
                raise RulesError(self.say("teach.no_table"))
            self.tell({"type": "file", "name": "gradebook.csv", "text": self.book.to_csv()})
            self.show(told=self.say("teach.downloaded", file="gradebook.csv"))
        else:
            super().receive(message)

    # Sheets, key and slides ------------------------------------------------------------------------------

    @property
    def _set(self) -> tuple[int, int, int, str]:
        lesson, pupils, seed, lang = (self.form[name] for name in ("lesson", "pupils", "seed", "lang"))
        assert isinstance(lesson, int) and isinstance(pupils, int) and isinstance(seed, int) and isinstance(lang, str)
        return lesson, pupils, seed, lang

    def save(self, *, force: bool = False) -> str:
        """Write sheets, key and slides into the user's folder; what to tell the teacher."""
        lesson, pupils, seed, lang = self._set
        if self.desk.folder is None:
            return self.say("teach.no_folder")
        folder = self.desk.folder / FOLDER / f"lesson-{lesson}-{seed}-{lang}"
        try:
            make_folder(folder.parent)
            if folder.exists() and not force:
                self.show(exists=True)
                return self.say("teach.exists", folder=f"{FOLDER}/{folder.name}")
            write_folder(sheets(lesson, pupils, seed, lang), folder, force=True)
            write_file(folder / f"lesson-{lesson}-slides.html", self.slides()[1])
        except (CannotWrite, OSError):
            return self.say("teach.not_saved", folder=folder)
        self.show(exists=False)
        return self.say("teach.saved", folder=f"{FOLDER}/{folder.name}", pupils=pupils)

    def printed(self) -> tuple[str, str]:
        """All sheets as one page to print, each on a page of its own."""
        lesson, pupils, seed, lang = self._set
        made = [text for name, text in sheets(lesson, pupils, seed, lang).items() if "-sheet-" in name]
        head, _, _ = made[0].partition("<body>")
        head = head.replace("</style>", ".sheet { break-after: page; }\n</style>")
        bodies = [text.partition("<body>")[2].partition("</body>")[0] for text in made]
        whole = "".join(f'<div class="sheet">{body}</div>\n' for body in bodies)
        return f"lesson-{lesson}-sheets.html", f"{head}<body>\n{whole}</body>\n</html>\n"

    def key(self) -> tuple[str, str]:
        """The teacher's page."""
        lesson, pupils, seed, lang = self._set
        name = f"lesson-{lesson}-key.html"
        return name, sheets(lesson, pupils, seed, lang)[name]

    def slides(self) -> tuple[str, str]:
        """Slides of the first sheet."""
        lesson, _, seed, lang = self._set
        return f"lesson-{lesson}-slides.html", slides_html(lesson, pupil_seed(seed, 1), lang)

    # What was handed in ----------------------------------------------------------------------------------

    def _grade(self, message: Obj) -> None:
        seed = message.get("seed")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise NotationError(f"a seed is a number, got {shown(seed)}")
        given = message.get("files")
        if isinstance(given, list):
            with tempfile.TemporaryDirectory() as folder:
                _lay(Path(folder), given)
                self.book = gradebook(Path(folder), seed=seed)
        else:
            folder_name = str(message.get("folder") or HAND_INS)
            place = Path(folder_name).expanduser()
            folder_path = place if place.is_absolute() or self.desk.folder is None else self.desk.folder / place
            if "\0" in folder_name or not folder_path.is_dir():
                raise NotationError(self.say("teach.no_such_folder", folder=folder_name[:200]))
            self.book = gradebook(folder_path, seed=seed)
        self._label()

    # Showing ---------------------------------------------------------------------------------------------

    def _label(self) -> None:
        lesson, _, seed, lang = self._set
        say, titles = words(lang), words(self.desk.lang)
        preview: list[Json] = [
            {"question": question_text(one, say), "answer": answer_text(one, say), "how": working_text(one, say)}
            for one in problems(lesson, pupil_seed(seed, 1))
        ]
        self.show(
            labels={**labels(self.desk.lang, "teach")},
            lang=self.desk.lang,
            form=self.form,
            lessons=[[number, f"{number}. {titles(f'p{number}.title')}"] for number in CLASSROOM],
            languages=[[one, LANGUAGE_NAMES[one]] for one in LANGUAGES],
            preview=preview,
            preview_lang=lang,
            notes=[say(f"p{lesson}.aims"), say(f"p{lesson}.activity")],
            book=None if self.book is None else self._book(self.book),
            hand_ins=HAND_INS,
            folder=self.desk.folder is not None,
            exists=False,
            told="",
        )

    def _book(self, book: Gradebook) -> Json:
        column = {name: at for at, name in enumerate(book.columns)}
        lines: list[Json] = [
            ["" if (cell := line[column[name]]) is None else str(cell) for name in SHOWN] for line in book.lines
        ]
        said = [self.say("teach.counted", count=len(book.lines) - book.unusable)]
        if book.unusable:
            said.append(self.say("teach.unusable", count=book.unusable))
        if book.passed_over:
            said.append(self.say("teach.passed_over", files=", ".join(book.passed_over[:10])))
        columns: list[Json] = [self.say(f"teach.column_{name}") for name in SHOWN]
        return {"columns": columns, "lines": lines, "said": " ".join(said)}


def _checked(form: dict[str, Json]) -> dict[str, Json]:
    """A form that can be made into a set, or an error that says what cannot."""

    def number(name: str, least: int, most: int) -> int:
        value = form.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise RulesError(f"{name} must be from {least} to {most}, got {shown(value)}")
        return value

    lang = form.get("lang")
    if not isinstance(lang, str) or lang not in LANGUAGES:
        raise RulesError(f"no language {shown(lang)}; there are: {', '.join(LANGUAGES)}")
    return {
        "lesson": number("lesson", 1, max(CLASSROOM)),
        "pupils": number("pupils", 1, MOST_PUPILS),
        "seed": number("seed", 0, LARGEST_SEED),
        "lang": lang,
    }


def _lay(folder: Path, given: list[Json]) -> None:
    """Files that a browser has read, in a folder: their names as far as they are plain names."""
    if len(given) > MOST_FILES:
        raise NotationError(f"no more than {MOST_FILES} files at a time, got {len(given)}")
    size = 0
    for at, one in enumerate(given):
        name, text = (one.get("name"), one.get("text")) if isinstance(one, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(text, str):
            raise NotationError("a file has a name and a text")
        size += len(text)
        if size > MOST_LETTERS:
            raise NotationError("these files are too long")
        plain = "".join(letter if letter.isalnum() or letter in "-_. ()" else "_" for letter in Path(name).name)
        plain = plain[-60:]  # names have a longest length, counted in bytes
        under = folder / str(at)  # two pupils may hand in files of one name
        under.mkdir()
        write_file(under / (plain.strip(". ") or "file"), text.encode("utf-8", "replace"))
