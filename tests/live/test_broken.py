"""Broken and hostile messages: no crash, no traceback to anybody, and nobody else is disturbed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.rng import Rng
from nimmt_lab.live import limits
from tests.live.support import CODE, WALL, Pupil, Room
from tests.live.test_class import QUICK, choose

#: What pages send, to be changed in every way.
HONEST: tuple[dict[str, Any], ...] = (
    {"type": "hello", "token": "x", "version": 3},
    {"type": "join", "code": CODE, "name": "Eve", "lang": "en"},
    {"type": "wall", "token": WALL},
    {"type": "leave"},
    *(
        {"path": path, "message": message}
        for path, message in (
            ([], {"type": "tab", "tab": "table"}),
            ([], {"type": "lang", "lang": "pl"}),
            ([], {"type": "sit", "table": 1}),
            ([], {"type": "stand"}),
            ([], {"type": "replay"}),
            ([], {"type": "review"}),
            ([], {"type": "back"}),
            ([], {"type": "release", "who": 1}),
            ([], {"type": "remove", "who": 1}),
            ([], {"type": "pace", "pace": "wait", "at": 3}),
            (["lesson"], {"type": "go", "at": 2}),
            (["lesson"], {"type": "restart"}),
            (["lesson"], {"type": "save", "name": "../../x"}),
            (["lesson"], {"type": "download", "name": "x"}),
            (["lesson"], {"type": "sheet", "seed": 9}),
            (["lesson"], {"type": "lang", "lang": "cs"}),
            (["lesson", "board"], {"type": "answer", "text": "1/3"}),
            (["lesson", "board", "experiment"], {"type": "run", "times": 10}),
            (["lesson", "board", "experiment"], {"type": "stop"}),
            (["table"], {"type": "choose", "choice": "14", "ply": 0, "given": 0}),
            (["table"], {"type": "undo"}),
            (["table"], {"type": "new"}),
            (["replay"], {"type": "what_if", "ply": 0, "choices": [{}]}),
            (["course"], {"type": "run"}),
        )
    ),
    {"path": ["replay"], "data": {"at": 3}},
    {"path": ["lesson"], "data": {"at": 3, "ready": True}},
)
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2**63, 10**30, 1.5, "", "x" * 300, "\ud800", "\u202e", "../../etc/passwd", "<script>", [], [[]],
    {}, {"a": 1}, [1] * 50, {"type": "join"}, [{}] * 200,
)  # fmt: skip


class Dice:
    def __init__(self, seed: int) -> None:
        self.rng = Rng.from_seed(seed)

    def below(self, n: int) -> int:
        found, self.rng = self.rng.below(n)
        return found

    def one(self, of: Any) -> Any:
        return of[self.below(len(of))]


def changed(value: Any, dice: Dice) -> Any:
    """The value with one place of it replaced, removed or doubled."""
    if isinstance(value, dict) and value and dice.below(5):
        name = dice.one(list(value))
        match dice.below(6):
            case 0:
                return {key: inner for key, inner in value.items() if key != name}
            case 1:
                return {**value, str(dice.one(VALUES))[:40]: value[name]}
            case _:
                return {**value, name: changed(value[name], dice)}
    if isinstance(value, list) and value and dice.below(5):
        at = dice.below(len(value))
        return [*value[:at], changed(value[at], dice), *value[at + dice.below(2) :]]
    return dice.one(VALUES)


def broken(dice: Dice) -> str:
    """A message as somebody might send it: changed in its fields, or in its letters."""
    said = dice.one(HONEST)
    for _ in range(dice.below(3)):
        said = changed(said, dice)
    text = json.dumps(said)
    for _ in range(dice.below(4) if not dice.below(3) else 0):
        at = dice.below(len(text) + 1)
        text = (
            text[:at] + dice.one(("", "{", '"', "\\", "\0", "9", "]", "\ud800", text[:at])) + text[at + dice.below(3) :]
        )
    return text


def bombard(folder: Path, count: int, seed: int) -> None:
    """Eve sends anything she likes, from strangers' pages and her own, while Ann and Bob play and the wall watches."""
    room, dice = Room(folder), Dice(seed)
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob")
    wall.send(type="tables", how="deal", setup=QUICK, limit=0, level="level-1")
    wall.send(type="start")
    eve: Pupil = room.join("Eve", address="10.9.9.9")
    quiet = [len(page.socket.texts) for page in (ann, bob)]
    for number in range(count):
        room.now += 0.05
        if eve.socket.is_closed or eve.socket.said[-1:] == [{"type": "out"}]:
            room.hub.closed(eve.socket)
            room.now += limits.LONGEST_WAIT
            member = room.session.named("Eve")
            if member is not None and member.mark:
                wall.send(type="release", who=member.number)
            eve = room.join("Eve", address="10.9.9.9")
        text = broken(dice)
        if dice.below(4):
            eve.raw(text)
        else:
            stranger = room.socket("10.8.8.8")
            room.hub.receive(stranger, text, room.now)
            room.pump()
            room.hub.closed(stranger)
        if number % 500 == 0:
            room.tick()
            eve.socket.texts.clear()
            eve.socket._parsed.clear()
            eve._read = 0
    for page, before in zip((ann, bob), quiet, strict=True):
        new = page.socket.said[before:]
        assert all(said.get("path") == [] and "message" not in said for said in new), new[:3]  # who sits where, no more
    assert room.session.members[1].mark and not room.session.revealed and room.session.pace == "free"
    assert choose(ann) or choose(bob)
    room.tick()
    again = room.again()
    assert again.session.members.keys() == room.session.members.keys()


def test_mutated_messages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bombard(tmp_path, 1500, seed=5)
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_many_mutated_messages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bombard(tmp_path, 100_000, seed=11)
    assert capsys.readouterr().err == ""


def test_a_flood_closes_one_page_only(tmp_path: Path) -> None:
    room = Room(tmp_path)
    ann, eve = room.join("Ann"), room.join("Eve")
    for _ in range(int(limits.BURST) + 5):
        room.hub.receive(eve.socket, '{"path": [], "message": {"type": "tab", "tab": "lesson"}}', room.now)
    assert eve.socket.is_closed
    room.pump()
    ann.send("lesson", type="go", at=1)
    assert ann.part("lesson")["data"]["at"] == 1


def test_long_messages_close_the_page(tmp_path: Path) -> None:
    room = Room(tmp_path)
    stranger = room.socket()
    room.hub.receive(stranger, '"' + "x" * limits.LONGEST_STRANGER + '"', room.now)
    assert stranger.is_closed
    eve = room.join("Eve")
    room.hub.receive(eve.socket, '"' + "x" * limits.LONGEST + '"', room.now)
    assert eve.socket.is_closed


def test_a_pupil_cannot_fill_the_disk(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="p2")
    ann, eve = room.join("Ann"), room.join("Eve")
    room.session.members[2].kept = limits.MOST_KEPT
    before = (tmp_path / "journal.jsonl").stat().st_size
    eve.send("lesson", type="go", at=1)
    assert (tmp_path / "journal.jsonl").stat().st_size == before and eve.refused
    ann.send("lesson", type="go", at=1)
    assert (tmp_path / "journal.jsonl").stat().st_size > before


def test_strangers_must_say_who_they_are(tmp_path: Path) -> None:
    room = Room(tmp_path)
    stranger, ann = room.socket(), room.join("Ann")
    for _ in range(100):
        room.tick()
    assert stranger.is_closed and not ann.socket.is_closed
