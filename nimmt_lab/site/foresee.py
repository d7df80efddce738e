"""What a page can show and answer before its Python is there: the map of lessons, and the first steps of the first.

It is said by the same screens, here and now, and written down: after these clicks, this is said. When Python has come
it is told the same clicks and says the same, so that nobody notices where one took over from the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.connection import Connection
from nimmt_lab.screens.desk import Desk

from .inside import Begin, first_screen

#: How many wrong answers may come before the last one that is foreseen. After a third one the same idea comes with
#: other cards, which are the learner's own: no page can know them beforehand.
MISSES: Final = 1
#: A page that begins with the map.
BARE: Final = Begin()
_LEARN: Final[list[Json]] = ["screen"]
_LESSON: Final[list[Json]] = ["screen", "lesson"]
_BOARD: Final[list[Json]] = ["screen", "lesson", "board"]


def key(said: Obj) -> str:
    """A click by which to look it up: how long somebody thought makes no difference.

    >>> key({"path": ["a"], "message": {"type": "answer", "seconds": 1.5}})
    '{"message":{"type":"answer"},"path":["a"]}'
    """
    message = said.get("message")
    if isinstance(message, dict):
        said = {**said, "message": {name: value for name, value in message.items() if name != "seconds"}}
    return json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass
class _Talk:
    """A page at some point: what the last click made it say, and what may be clicked next."""

    said: list[Json] = field(default_factory=list)
    then: dict[str, _Talk] = field(default_factory=dict)

    def plain(self) -> Obj:
        return {"said": self.said, "then": {click: after.plain() for click, after in self.then.items()}}


def foreseen(lang: str, begin: Begin = BARE) -> Obj:
    """The page as it begins (`page`), and what it answers to the first clicks (`talk`). A page that asks for a code can
    only be read."""
    root = _Talk()
    if not begin.codes:
        first: Obj = {"path": _LEARN, "message": {"type": "open", "lesson": begin.lesson or lesson_names()[0]}}
        _follow(root, lang, begin, [] if begin.lesson else [first], 0)
    return {"page": first_screen(Desk(None, lang), begin).whole(), "talk": root.plain()}


def _follow(talk: _Talk, lang: str, begin: Begin, clicks: list[Obj], misses: int) -> None:
    """Add what comes after the last of these clicks, and after those that can follow it."""
    home, said = _walked(lang, begin, clicks)
    here = talk
    if clicks:
        here = talk.then[key(clicks[-1])] = _Talk(said)
    lesson = home.parts["screen"].parts["lesson"]
    at, board = lesson.data["at"], lesson.parts.get("board")
    assert isinstance(at, int)
    if board is None or board.module != "exercise":
        if lesson.data["ready"] and board is not None:
            _follow(here, lang, begin, [*clicks, {"path": _LESSON, "message": {"type": "go", "at": at + 1}}], 0)
        return
    if lesson.data["ready"]:  # answered: the next step can be read; its question waits for Python
        onward: Obj = {"path": _BOARD, "message": {"type": "next", "question": 0}}
        here.then[key(onward)] = _Talk(_walked(lang, begin, [*clicks, onward])[1])
    elif misses <= MISSES:
        scene = board.data["scene"]
        assert isinstance(scene, dict) and isinstance(scene["question"], dict)
        question = scene["question"]
        assert isinstance(question["options"], list)
        for option in question["options"]:
            assert isinstance(option, dict)
            answer: Obj = {"type": "answer", "choice": option["text"], "question": question["number"]}
            _follow(here, lang, begin, [*clicks, {"path": _BOARD, "message": answer}], misses + 1)


def _walked(lang: str, begin: Begin, clicks: list[Obj]) -> tuple[Screen, list[Json]]:
    """A fresh page after these clicks, and what the last of them made it say."""
    home = first_screen(Desk(None, lang), begin)
    heard: list[Json] = []
    wire = Connection(home, lambda said: heard.append(said))
    for click in clicks:
        heard.clear()
        wire.receive(click)
    return home, json.loads(json.dumps(heard))
