"""A part of Teach: the teacher's own lessons. A form writes a lesson's file; copies of our lessons begin another."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import make_folder, read_text, shown, write_file
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.errors import translate
from nimmt_lab.lessons.asked import problems_of, words_of
from nimmt_lab.lessons.authoring import copy_of
from nimmt_lab.lessons.classroom import number_of
from nimmt_lab.lessons.drafts import KINDS, blank, draft_of, file_stem, lines_of, written
from nimmt_lab.lessons.lessonfile import LARGEST, MOST_OPTIONS, MOST_STEPS, read_lesson
from nimmt_lab.lessons.library import FOLDER, OwnFile
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.rules import Lesson, LessonStep
from nimmt_lab.lessons.shipped import names
from nimmt_lab.lessons.words import Words, words
from nimmt_lab.lessons.worksheet import answer_text, choice_text, question_text, table_svg, working_text

from .base import Screen, as_object
from .desk import Desk
from .words import LANGUAGE_NAMES, labels, screen_words

#: The numbers of the preview.
PREVIEW_SEED: Final = 1001


class AuthorScreen(Screen):
    """The lessons in the teacher's folder, and the one in the form.

    >>> import tempfile
    >>> author = AuthorScreen(Desk(Path(tempfile.mkdtemp())))
    >>> author.receive({"type": "new"})
    >>> [step["kind"] for step in author.data["draft"]["steps"]]
    ['row']
    """

    module: ClassVar[str] = "screens/author"

    def __init__(self, desk: Desk, changed: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.desk = desk
        #: Called when a lesson was written.
        self._changed = changed
        self.say = screen_words(desk.lang)
        #: The draft, and the file that it came from.
        self.draft: dict[str, Json] | None = None
        self._file = ""
        self._opened = 0
        kept = desk.memory.get("author")
        draft, file = kept.get("draft"), kept.get("file")
        if isinstance(draft, dict) and isinstance(file, str):
            self.draft, self._file = draft, file
        say = self.say
        self.show(
            labels={**labels(desk.lang, "author")},
            lang=desk.lang,
            kinds=[[kind, say(f"author.kind_{kind}")] for kind in KINDS],
            languages=[[one, name] for one, name in LANGUAGE_NAMES.items()],
            sources=[[name, self._title(name)] for name in names()],
            blank=blank(),
        )
        self._draw()

    def receive(self, message: Obj) -> None:
        """Begin a `new` lesson, `copy` one of ours, `edit` one of yours, change the `draft`, `save` or `close` it, or
        `open` a lesson of your own."""
        kind = message.get("type")
        if kind == "new":
            title = self.say("author.untitled")
            self._begin({"title": title, "language": self.desk.lang, "steps": [blank()]}, "")
        elif kind == "copy":
            self._copy(str(message.get("lesson")))
        elif kind == "edit":
            self._edit(str(message.get("name")))
        elif kind == "draft":
            self._change(as_object(message.get("draft")))
        elif kind == "save":
            self._save()
        elif kind == "close":
            self.draft, self._file = None, ""
            self._opened += 1
            self._keep()
            self._draw()
        elif kind == "open" and self.desk.send is not None:
            self.desk.send("learn", {"type": "open", "lesson": str(message.get("name"))})
        else:
            super().receive(message)

    @property
    def _folder(self) -> Path:
        assert self.desk.folder is not None
        return self.desk.folder / FOLDER

    def _title(self, name: str) -> str:
        title = words(self.desk.lang)(f"{name}.title")
        number = number_of(name)
        return title if number is None else f"{number}. {title}"

    def _begin(self, draft: dict[str, Json], file: str, told: str = "") -> None:
        self.draft, self._file = draft, file
        self._opened += 1
        self._keep()
        self._draw(told)

    def _change(self, draft: Obj) -> None:
        steps = draft.get("steps")
        if not isinstance(steps, list) or len(steps) > MOST_STEPS or not all(isinstance(one, dict) for one in steps):
            raise RulesError("screens.draft_steps", most=MOST_STEPS)
        self.draft = {**draft}
        self._keep()
        self._draw()

    def _keep(self) -> None:
        self.desk.memory.put("author", {"draft": self.draft, "file": self._file} if self.draft else {})

    def _copy(self, name: str) -> None:
        """A copy of one of our lessons, as a file: in this language and in the form, or, with a program, to change in
        a text editor."""
        title = words(self.desk.lang)(f"{self.desk.library.find(name).name}.title")
        stem = self._free(f"{file_stem(title)}_2")
        file, text = f"{stem}.toml", copy_of(name, stem, self.desk.library)
        draft = draft_of(text, self.desk.lang)
        self._write(file, text if draft is None else written(draft, stem))
        if draft is None:
            self._draw(self.say("author.copied_by_hand", file=f"{FOLDER}/{file}"))
        else:
            self._begin(draft, file, self.say("author.copied", file=f"{FOLDER}/{file}"))

    def _edit(self, name: str) -> None:
        own = self._newest(name)
        text = read_text(own.path, largest=LARGEST, follow=False)
        draft = draft_of(text)
        if draft is None:
            self._draw(self.say("author.by_hand", file=f"{FOLDER}/{own.path.name}"))
        else:
            self._begin(draft, own.path.name)

    def _newest(self, name: str) -> OwnFile:
        lesson = self.desk.library.own().get(name)
        for own in self.desk.library.files():
            if lesson is not None and own.lesson is lesson and own.path.suffix == ".toml":
                return own
        raise RulesError("shared.no_lesson_of", lesson=shown(name), known=", ".join(self.desk.library.own()))

    def _free(self, stem: str) -> str:
        """A name that no lesson and no file has yet."""
        taken = {*self.desk.library.names()}
        number, made = 1, stem
        while made in taken or os.path.lexists(self._folder / f"{made}.toml"):
            number += 1
            made = f"{stem}_{number}"
        return made

    def _write(self, name: str, text: str) -> None:
        make_folder(self._folder)
        write_file(self._folder / name, text, follow=False)
        self._changed()

    def _save(self) -> None:
        """Write the draft's file. A saved lesson whose answers change gets the next version, and its old file stays, so
        that what was handed in can still be graded."""
        if self.draft is None:
            return
        lesson, _, said = self._made()
        if lesson is None:
            self._draw(said)
            return
        name = self._file or f"{lesson.name}.toml"
        try:
            before = self._before()
            if before is not None and before.mark != lesson.mark:
                old = f"{before.name}_{before.version}.toml"
                self._write(old, read_text(self._folder / self._file, largest=LARGEST, follow=False))
                lesson, _, _ = self._made(before.version + 1)
                assert lesson is not None
            self._write(name, written(self.draft, lesson.name, lesson.version))
        except CannotWrite:
            self._draw(self.say("teach.not_saved", folder=FOLDER))
            return
        self._file = name
        self._keep()
        self._draw(self.say("author.saved", file=f"{FOLDER}/{name}"))

    def _before(self) -> Lesson | None:
        """The lesson in the draft's file as it was saved."""
        own = next((one for one in self.desk.library.files() if one.path.name == self._file), None)
        return None if own is None else own.lesson

    def _made(self, version: int = 0) -> tuple[Lesson | None, str, str]:
        """The lesson of the draft and its file; or none, and what is wrong, with the step."""
        assert self.draft is not None
        before = self._before()
        stem = before.name if before is not None else self._free(file_stem(str(self.draft.get("title") or "")))
        text = written(self.draft, stem, version or (1 if before is None else before.version))
        try:
            lesson = read_lesson(text)
            problems_of(lesson, PREVIEW_SEED)
            return lesson, text, ""
        except NimmtError as error:
            return None, text, self._wrong(error, text)

    def _wrong(self, error: NimmtError, text: str) -> str:
        """The mistake in words, with its step; the teacher never sees the lines of the file."""
        line = error.line if isinstance(error, NotationError) else None
        said = self._why(error)
        number = sum(begin <= line for begin in lines_of(text)) if line is not None else 0
        return self.say("author.wrong_in", number=number, why=said) if number else self.say("author.wrong", why=said)

    def _why(self, error: NimmtError) -> str:
        bare = error
        while isinstance(inner := bare.fields.get("error"), NimmtError):
            bare = inner
        if bare.key == "lessons.file_step_needs":  # it names the step, as the file does
            return self.say("author.no_text")
        if bare.key == "lessons.file_options":  # the form has one language
            return self.say("author.no_options", most=MOST_OPTIONS)
        return translate(NotationError.of(bare), self.desk.lang)

    # Showing --------------------------------------------------------------------------------------------------

    def _draw(self, told: str = "") -> None:
        preview: list[Json] = []
        wrong = ""
        if self.draft is not None:
            lesson, _, wrong = self._made()
            preview = self._step_by_step() if lesson is None else _preview(lesson)
        self.show(
            draft=self.draft,
            opened=self._opened,
            file=self._file,
            preview=preview,
            wrong=wrong,
            own=self._own(),
            told=told,
        )

    def _step_by_step(self) -> list[Json]:
        """The preview of an unfinished lesson: every step that is ready, and what is wrong with the others."""
        assert self.draft is not None
        steps = self.draft.get("steps")
        lines: list[Json] = []
        for number, step in enumerate(steps if isinstance(steps, list) else [], 1):
            if not isinstance(step, dict):
                continue
            alone = {**step, "name": step.get("name") or f"step{number}"}
            title = self.draft.get("title") or self.say("author.untitled")
            try:
                lesson = read_lesson(written({**self.draft, "title": title, "steps": [alone]}, "preview"))
                lines += _preview(lesson, number)
            except NimmtError as error:
                lines.append({"step": number, "wrong": self._why(error)})
        return lines

    def _own(self) -> list[Json]:
        lessons = self.desk.library.own()
        listed: list[Json] = []
        for own in self.desk.library.files():
            if own.error is not None:
                listed.append({"name": "", "title": own.path.name, "note": own.error.translate(self.desk.lang)})
            elif own.lesson is not None and lessons.get(own.lesson.name) is own.lesson:
                name, count = own.lesson.name, len(own.lesson.questions)
                title = words_of(own.lesson, self.desk.lang)(f"{name}.title")
                note = self.say("author.own", count=count, version=own.lesson.version, file=own.path.name)
                listed.append({"name": name, "title": title, "note": note})
        return listed


def _preview(lesson: Lesson, first: int = 1) -> list[Json]:
    """Each step with its table as a picture; a question with its options, its answer and why."""
    say = words_of(lesson, lesson.languages[0])
    made = iter(problems_of(lesson, PREVIEW_SEED))
    lines: list[Json] = []
    for number, step in enumerate(lesson.steps, first):
        shown_ = _question(next(made), say) if step.ask else _read(lesson, step, say)
        lines.append({"step": number, "wrong": "", **shown_})
    return lines


def _question(problem: Problem, say: Words) -> dict[str, Json]:
    return {
        "picture": _picture(problem.state, say),
        "question": question_text(problem, say),
        "options": [choice_text(choice, say) for choice in problem.choices],
        "answer": answer_text(problem, say),
        "how": working_text(problem, say),
    }


def _read(lesson: Lesson, step: LessonStep, say: Words) -> dict[str, Json]:
    """A step to read, or to watch from its first table on."""
    state = Record(step.game, start=step.position).final if step.position else None
    text = say(f"{lesson.name}.{step.name}")
    return {"picture": _picture(state, say), "question": text, "options": [], "answer": "", "how": ""}


def _picture(state: GameState | None, say: Words) -> str:
    if state is None:
        return ""
    return f"data:image/svg+xml;base64,{base64.b64encode(table_svg(state, say).encode()).decode()}"
