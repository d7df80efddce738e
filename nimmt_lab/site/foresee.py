"""Compute what a page shows and answers before its Python has loaded: the map of lessons, the start of the first.

The screens themselves are run here, click by click, and their messages recorded. Once Python has loaded it receives the
same clicks and gives the same messages, so nobody notices the handover.
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

#: Wrong answers before the last one that is foreseen. After a third wrong answer the learner gets the same idea with
#: random cards, which no page can know in advance.
MISSES: Final = 1
#: A page that opens with the map.
BARE: Final = Begin()
_LEARN: Final[list[Json]] = ["screen"]
_LESSON: Final[list[Json]] = ["screen", "lesson"]
_BOARD: Final[list[Json]] = ["screen", "lesson", "board"]


def key(click: Obj) -> str:
    """Normalise a click for looking it up: the seconds somebody thought do not count.

    >>> key({"path": ["a"], "message": {"type": "answer", "seconds": 1.5}})
    '{"message":{"type":"answer"},"path":["a"]}'
    """
    message = click.get("message")
    if isinstance(message, dict):
        click = {**click, "message": {name: value for name, value in message.items() if name != "seconds"}}
    return json.dumps(click, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass
class _Talk:
    """A node of the tree of clicks: the messages after the last click, and the clicks that may follow."""

    said: list[Json] = field(default_factory=list)
    then: dict[str, _Talk] = field(default_factory=dict)

    def plain(self) -> Obj:
        return {"said": self.said, "then": {click: after.plain() for click, after in self.then.items()}}


def foreseen(lang: str, begin: Begin = BARE) -> Obj:
    """The first page (`page`) and its replies to the first clicks (`talk`). A page that asks for a code has none."""
    root = _Talk()
    if not begin.codes:
        first: Obj = {"path": _LEARN, "message": {"type": "open", "lesson": begin.lesson or lesson_names()[0]}}
        _follow(root, lang, begin, [] if begin.lesson else [first], 0)
    return {"page": first_screen(Desk(None, lang), begin).whole(), "talk": root.plain()}


def _follow(talk: _Talk, lang: str, begin: Begin, clicks: list[Obj], misses: int) -> None:
    """Add the messages after the last of these clicks, and the subtrees of the clicks that can follow."""
    home, messages = _walked(lang, begin, clicks)
    here = talk
    if clicks:
        here = talk.then[key(clicks[-1])] = _Talk(messages)
    lesson = home.parts["screen"].parts["lesson"]
    at, board = lesson.data["at"], lesson.parts.get("board")
    assert isinstance(at, int)
    if board is None or board.module != "exercise":
        if lesson.data["ready"] and board is not None:
            _follow(here, lang, begin, [*clicks, {"path": _LESSON, "message": {"type": "go", "at": at + 1}}], 0)
        return
    if lesson.data["ready"]:  # answered: the next step can be read, but its question needs Python
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
    """A fresh page after these clicks, and its messages after the last one."""
    home = first_screen(Desk(None, lang), begin)
    messages: list[Json] = []
    wire = Connection(home, messages.append)
    for click in clicks:
        messages.clear()
        wire.receive(click)
    return home, json.loads(json.dumps(messages))
