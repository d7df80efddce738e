"""A page for a class: pupils enter their code and get their own sheets."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.lessons.classroom import lesson_names, number_of
from nimmt_lab.lessons.codes import code_of, seed_of
from nimmt_lab.lessons.words import LANGUAGES

from .base import Screen
from .desk import Desk
from .words import LANGUAGE_NAMES, labels, screen_words


class PupilScreen(Screen):
    """`codes` are those of the class; `home` makes the screen that a valid code opens.

    >>> pupil = PupilScreen(Desk(None), {"PFKS"}, lambda: Screen())
    >>> pupil.handle({"path": [], "message": {"type": "code", "text": "PFLV"}})
    >>> pupil.data["told"]
    'Nobody in this class has the code PFLV. Look at it again.'
    >>> pupil.handle({"path": [], "message": {"type": "code", "text": "pf-ks"}})
    >>> pupil.data["code"], list(pupil.parts)
    ('PFKS', ['home'])
    >>> pupil.leave()
    >>> pupil.data["code"], list(pupil.parts)
    ('', [])
    """

    module: ClassVar[str] = "screens/pupil"

    def __init__(self, desk: Desk, codes: Collection[str], home: Callable[[], Screen]) -> None:
        super().__init__()
        self.desk, self.codes, self._home = desk, codes, home
        desk.leaver = self.leave
        kept = desk.memory.get("class").get("code")
        self._label("")
        if isinstance(kept, str) and kept in codes:
            self.enter(kept)

    def enter(self, code: str) -> None:
        """Open Home for a code: its lessons use that pupil's sheets, and earlier work under the code continues."""
        self.desk.come_back(code)
        if self.desk.memory.get("class").get("code") != code:
            seed = seed_of(code)
            self.desk.memory.put("class", {"code": code})
            for name in lesson_names():
                if number_of(name) is not None:
                    self.desk.memory.put(f"lesson {name}", {"at": 0, "seed": seed, "tries": {}})
        self.put("home", self._home(), code=code, told="")

    def leave(self) -> None:
        """Put this pupil's work away under the code."""
        self.desk.leave(str(self.data["code"]))
        self.put("home", None, code="", told="")

    def receive(self, message: Obj) -> None:
        """`code` or `lang`; Home has the button to leave."""
        kind, say = message.get("type"), screen_words(self.desk.lang)
        if kind == "code":
            text = str(message.get("text"))[:40]
            try:
                code = code_of(seed_of(text))
            except NotationError:
                code = ""
            if code in self.codes:
                self.enter(code)
            else:
                self.show(told=say("pupil.unknown", code=" ".join(text.split()) or "?"))
        elif kind == "lang":
            lang = str(message.get("lang"))
            if lang not in LANGUAGES:
                raise NotationError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
            self.desk.switch(lang)
            self._label("")
        else:
            super().receive(message)

    def _label(self, told: str) -> None:
        self.show(
            labels={**labels(self.desk.lang, "home", "pupil")},
            lang=self.desk.lang,
            languages=[[lang, LANGUAGE_NAMES[lang]] for lang in LANGUAGES],
            code=self.data.get("code", ""),
            told=told,
        )
