"""No device ever gets what its view hides: tested on the bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.record import Record
from tests.live.support import Pupil, Room
from tests.live.test_class import choose
from tests.widgets.games import SYSTEMS

NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eva", "Fay", "Gil", "Hal", "Ida", "Jan")


def setup_of(name: str) -> dict[str, Any]:
    options = SYSTEMS[name].to_json()
    system, players = options.pop("system"), options.pop("players")
    return {"game": system, "players": players, "options": options}


def hands_in(value: object) -> list[tuple[int, object]]:
    """Every hand in a scene with its place among the seats, wherever it is."""
    found: list[tuple[int, object]] = []
    if isinstance(value, dict):
        if "pool" in value and "frames" in value:
            for frame in value["frames"]:
                found += [(seat, value["pool"][at]["hand"]) for seat, at in enumerate(frame["seats"])]
        for inner in value.values():
            found += hands_in(inner)
    elif isinstance(value, list):
        for inner in value:
            found += hands_in(inner)
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SYSTEMS)
def test_no_hand_of_another_seat_is_sent(tmp_path: Path, name: str) -> None:
    """All systems, with a pupil in every seat, to the end of the game or for thirty rounds of choices."""
    room = Room(tmp_path, lesson="")
    wall, setup = room.wall(), setup_of(name)
    pupils = [room.join(NAMES[at]) for at in range(setup["players"])]
    wall.send(type="tables", how="deal", setup=setup, limit=60, level="level-1")
    assert not wall.refused, wall.refused
    wall.send(type="start")
    room.tick()
    wall.send(type="watch", table=1)
    table = room.session.tables[1]
    counts: list[int] = []
    for _ in range(30):
        if table.phase == "playing":  # afterwards the hands of a finished game are everybody's
            counts = [len(page.socket.texts) for page in (wall, *pupils)]
        sum(choose(pupil) for pupil in pupils)
        room.tick()
    assert len(table.record.choices) > 3
    secret = str(table.seed)
    for pupil, count in zip((wall, *pupils), counts, strict=True):
        own = None if pupil is wall else table.seat_of(room.session.named(pupil.data["name"]).number)  # type: ignore[union-attr]
        assert all(secret not in text for text in pupil.socket.texts)
        hands = [hand for said in pupil.socket.said[:count] for hand in hands_in(said)]
        assert hands
        if table.game.hidden_hands:
            assert all(hand is None for seat, hand in hands if seat != own)
            if pupil is not wall:
                assert any(hand for seat, hand in hands if seat == own)


def bytes_of(folder: Path, position: str) -> list[str]:
    """What Ann's device gets, up to the choices that nobody has shown yet."""
    folder.mkdir()
    room = Room(folder, lesson="")
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob")
    setup = {"game": "classic", "players": 3, "options": {"rounds": 1}}
    wall.send(type="tables", how="open", count=1, setup=setup, limit=60, level="level-1")
    table = room.session.tables[1]
    table.record = Record(Classic(players=3, rounds=1), start=position)
    ann.send(type="sit", table=1)
    bob.send(type="sit", table=1)
    wall.send(type="start")
    assert choose(ann)
    before = [text for text in ann.socket.texts if "joined" not in text]
    second = Pupil(room, room.back(ann.token).socket)
    return before + second.socket.texts


def test_hands_that_differ_give_the_same_bytes(tmp_path: Path) -> None:
    one, other, mine = (
        bytes_of(tmp_path / name, f"12 | 37 | 43 | 58 ; A: {own} ; B: {theirs}")
        for name, own, theirs in (
            ("one", "14 20", "15 30 ; C: 50 60"),
            ("other", "14 20", "16 90 ; C: 7 99"),
            ("mine", "14 21", "15 30 ; C: 50 60"),
        )
    )
    assert one == other
    assert one != mine  # the comparison sees a hand that Ann may see
