"""Learn: the map of lessons with the progress, and the open lesson."""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.lessons.classroom import lesson_names, number_of
from nimmt_lab.lessons.words import words

from .base import Screen
from .desk import Desk
from .lesson import lesson
from .words import labels, screen_words


class LearnScreen(Screen):
    """The map, or the open lesson.

    >>> learn = LearnScreen(Desk(None))
    >>> learn.receive({"type": "open", "lesson": "traps"})
    >>> learn.data["open"], learn.parts["lesson"].data["title"]
    ('traps', 'The traps')
    """

    module: ClassVar[str] = "screens/learn"

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._map()
        place = desk.memory.get("learn").get("lesson")
        self.open(place if isinstance(place, str) and place in lesson_names() else "")

    def open(self, name: str) -> None:
        """Open a lesson, or the map ("")."""
        if name and name not in lesson_names():
            raise RulesError("shared.no_lesson_of", lesson=shown(name), known=", ".join(lesson_names()))
        self.desk.memory.put("learn", {"lesson": name} if name else {})
        self._map()
        self.put("lesson", lesson(name, self.desk, leave=self.open) if name else None, open=name)

    def receive(self, message: Obj) -> None:
        if message.get("type") == "open":
            self.open(str(message.get("lesson") or ""))
        else:
            super().receive(message)

    def _map(self) -> None:
        say, own = words(self.desk.lang), screen_words(self.desk.lang)
        done = self.desk.progress.done
        names = lesson_names()
        count = sum(name in done for name in names)
        following = next((name for name in names if name not in done), "")
        groups: list[Json] = []
        for part in ("rules", "probability"):
            lessons: list[Json] = []
            own_names = [name for name in names if (number_of(name) is None) == (part == "rules")]
            for number, name in enumerate(own_names, 1):  # numbered as in Teach and on worksheets
                begun = self.desk.memory.get(f"lesson {name}").get("at", 0)
                lessons.append(
                    {
                        "name": name,
                        "number": number,
                        "title": say(f"{name}.title"),
                        "result": own("learn.result", right=done[name][0], all=done[name][1]) if name in done else "",
                        "begun": name not in done and isinstance(begun, int) and begun > 0,
                        "next": name == following,
                    }
                )
            groups.append({"title": say(f"index.{part}"), "lessons": lessons})
        self.show(
            labels={**labels(self.desk.lang, "learn")},
            groups=groups,
            done=count,
            all=len(names),
            progress=say("index.progress", done=count, all=len(names)),
            open=self.data.get("open", ""),
        )
