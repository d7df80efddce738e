"""No device ever gets what its view hides: tested on the bytes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.record import Record
from tests.live.support import Room
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


def parts_of(name: str) -> dict[str, str]:
    """The first position of a system by its parts: the rows (""), the hands by seat, and what lies elsewhere."""
    rows, *others = str(SYSTEMS[name].deal(seed=7).position).split(" ; ")
    return {"": rows, **{part.partition(": ")[0]: part.partition(": ")[2] for part in others}}


def text_of(parts: dict[str, str]) -> str:
    return " ; ".join(f"{key}: {value}" if key else value for key, value in parts.items())


def exchanged(text: str, one: str, other: str) -> str:
    return re.sub(rf"\b[{one}{other}]\b", lambda found: other if found[0] == one else one, text)


def others_changed(parts: dict[str, str]) -> dict[str, str]:
    """The same position for the first seat: two others have exchanged their hands and draw piles, and everything that
    lies face down is in another order."""
    made = {**parts, "B": parts["C"], "C": parts["B"]}
    if "draw" in parts:  # A's own pile is face down, too
        packs = {pack[0]: pack[1:].split() for pack in re.findall(r"[A-J][ 0-9]+", exchanged(parts["draw"], "B", "C"))}
        made["draw"] = " ".join(" ".join([seat, *reversed(pack)]) for seat, pack in sorted(packs.items()))
    for key in {"stock", "buffalo", "special_deck"} & parts.keys():
        made[key] = " ".join(reversed(parts[key].split()))
    return made


def bytes_of(folder: Path, name: str, position: str) -> list[str]:
    """What Ann's device, her second one and the wall get until she chooses. The bots have chosen by then."""
    folder.mkdir()
    room = Room(folder, lesson="")
    wall, ann = room.wall(), room.join("Ann")
    wall.send(type="tables", how="open", count=1, setup=setup_of(name), limit=60, level="level-1")
    table = room.session.tables[1]
    table.record = Record(table.game, start=position)
    ann.send(type="sit", table=1)
    wall.send(type="start")
    wall.send(type="watch", table=1)
    room.tick()
    assert set(table.given) == set(table.state.pending) - {0} and not table.record.choices
    seen = [text for text in ann.socket.texts if "joined" not in text]
    return [*seen, *room.back(ann.token).socket.texts, "wall", *wall.socket.texts]


@pytest.mark.parametrize("name", [name for name, game in SYSTEMS.items() if game.hidden_hands])
def test_what_is_hidden_changes_no_byte(tmp_path: Path, name: str) -> None:
    parts = parts_of(name)
    one = bytes_of(tmp_path / "one", name, text_of(parts))
    other = bytes_of(tmp_path / "other", name, text_of(others_changed(parts)))
    assert one == other
    mine = bytes_of(tmp_path / "mine", name, text_of({**parts, "A": parts["B"], "B": parts["A"]}))
    wall = one.index("wall")
    assert one[:wall] != mine[:wall]  # the comparison sees a hand that Ann may see
    assert one[wall:] == mine[wall:]  # and the wall none
