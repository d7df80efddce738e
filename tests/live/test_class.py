"""A class from joining to the last card, without a network: what everybody sees, and what survives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.record import Record
from nimmt_lab.lessons import words
from nimmt_lab.lessons.class_list import ClassList
from nimmt_lab.lessons.classroom import problems
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.worksheet import answer_text
from nimmt_lab.live import limits
from nimmt_lab.live.found import Found
from nimmt_lab.live.session import Refused
from nimmt_lab.live.sheets import pool_sheets
from tests.catalogue import in_error
from tests.live.support import CODE, WALL, Pupil, Room

QUICK = {"game": "classic", "players": 3, "options": {"rounds": 1, "hand_size": 2}}


def seated(room: Room, names: tuple[str, ...], **tables: Any) -> tuple[Pupil, list[Pupil]]:
    wall, pupils = room.wall(), [room.join(name) for name in names]
    wall.send(type="tables", how="deal", **{"setup": QUICK, "limit": 60, "level": "level-1", **tables})
    wall.send(type="start")
    assert not wall.refused
    return wall, pupils


def choose(pupil: Pupil) -> bool:
    """The first option, if the page asks for one."""
    if "table" not in pupil.part()["parts"]:
        return False
    scene = pupil.part("table")["data"]["scene"]
    if scene["asked"] is None:
        return False
    question = next(one for one in scene["pool"][scene["frames"][-1]["asked"]] if one["seat"] == scene["asked"])
    pupil.send("table", type="choose", choice=question["first"], ply=scene["ply"], given=scene["given"])
    return True


def play_out(room: Room, pupils: list[Pupil]) -> None:
    for _ in range(2000):
        if pupils[0].data["result"]:
            return
        if not sum(choose(pupil) for pupil in pupils):  # everybody, not just the first who can
            room.tick()
    raise AssertionError("the game never ended")


def test_joining(tmp_path: Path) -> None:
    room = Room(tmp_path)
    ann = room.join("Ann", "cs")
    assert (ann.data["name"], ann.data["lang"]) == ("Ann", "cs")
    for name, key in (
        (" ANN ", "live.name_taken"),
        ("", "live.no_name"),
        ("x" * 41, "live.no_name"),
        ("a\u202eb", "live.no_name"),
    ):
        page = room.first({"type": "join", "code": CODE, "name": name})
        assert page.socket.said[-1]["type"] == "no" and not page.token
        assert in_error(key, name="Ann", most=40).search(page.socket.said[-1]["text"])
    spaced = room.first({"type": "join", "code": " ab-cde ", "name": "Bob"})
    assert spaced.token


def test_with_a_class_list_only_its_names_come_in(tmp_path: Path) -> None:
    room = Room(tmp_path, listed={"Ann": 7001, "Bob": -1})
    assert room.join("ann").data["name"] == "Ann"
    bob = room.first({"type": "join", "code": CODE, "name": "Bobby"})
    assert not bob.token
    for text in ("-1", code_of(9), "7002"):
        assert not room.first({"type": "join", "code": CODE, "name": text}).token
    wall = room.wall()
    wall.send(type="release", who=1)
    by_code = room.first({"type": "join", "code": CODE, "name": code_of(7001).lower()})
    assert by_code.data["name"] == "Ann"


def test_a_name_is_taken_until_the_teacher_releases_it(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="p2")
    ann = room.join("Ann")
    ann.send("lesson", type="go", at=1)
    ann.send("lesson", "board", type="answer", text="10")
    thief = room.first({"type": "join", "code": CODE, "name": "Ann"})
    assert not thief.token
    room.wall().send(type="release", who=1)
    assert ann.socket.said[-1] == {"type": "out"} and ann.socket.is_closed
    assert room.first({"type": "hello", "token": ann.token}).socket.said == [{"type": "out"}]
    other = room.join("Ann")
    assert other.part("lesson")["data"]["at"] == 1  # with all her work


def test_a_name_is_taken_off_the_wall(tmp_path: Path) -> None:
    """With its answers; at a table a bot continues in its place, and nobody else gets its number."""
    room = Room(tmp_path)
    wall, [rude, bob] = seated(room, ("Rude", "Bob"))
    wall.send(type="pace", pace="wait", at=4)
    for pupil in (rude, bob):
        pupil.send("lesson", "board", type="answer", text="1/3")
        pupil.send("lesson", "board", "experiment", type="run", times=10)
    wall.send(type="remove", who=1)
    room.tick()
    assert rude.socket.said[-1] == {"type": "out"} and rude.socket.is_closed
    assert [one["name"] for one in wall.data["members"]] == ["Bob"]
    assert wall.data["question"]["groups"][0]["count"] == 1 and len(wall.data["pooled"]["dots"]) == 1
    assert "Rude" not in json.dumps([wall.data, bob.data, *room.session.tables[1].record.tags])
    play_out(room, [bob])
    room.join("Cyd")
    room = room.again()
    assert {number: member.name for number, member in room.session.members.items()} == {2: "Bob", 3: "Cyd"}
    assert not room.session.with_mark("") and "Rude" not in (tmp_path / "games.csv").read_text()
    wall = room.wall()
    wall.send(type="remove", who=1)
    assert wall.refused


def test_wrong_codes_are_slowed_down_for_one_address_only(tmp_path: Path) -> None:
    room = Room(tmp_path)
    for _ in range(limits.FREE_TRIES + 1):
        page = room.first({"type": "join", "code": "WRONG", "name": "Eve"}, "10.0.0.66")
        assert page.socket.said[-1]["type"] == "no"
    late = room.first({"type": "join", "code": CODE, "name": "Eve"}, "10.0.0.66")
    assert late.socket.said[-1]["wait"] > 0 and not late.token
    assert room.join("Ann").token
    room.now += limits.LONGEST_WAIT
    assert room.first({"type": "join", "code": CODE, "name": "Eve"}, "10.0.0.66").token


def test_one_device_cannot_fill_the_class(tmp_path: Path) -> None:
    room = Room(tmp_path)
    for at in range(limits.MOST_NAMES):
        room.join(f"Eve {at}", address="10.0.0.66")
    assert not room.first({"type": "join", "code": CODE, "name": "Eve more"}, "10.0.0.66").token
    room.wall().send(type="lock", on=True)
    assert not room.first({"type": "join", "code": CODE, "name": "Late"}).token


def test_the_wall_is_for_this_machine_and_its_token(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert room.first({"type": "wall", "token": WALL}).socket.said == [{"type": "out"}]
    assert room.first({"type": "wall", "token": "?"}, "127.0.0.1", local=True).socket.said == [{"type": "out"}]
    ann = room.join("Ann")
    ann.send(type="reveal", question="p4.exact")
    ann.send(type="release", who=1)
    assert not room.session.revealed and room.session.members[1].mark


def test_answers_wait_for_the_reveal(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="p2")
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob")
    right = str(problems(2, 7)[0].answer)
    wall.send(type="pace", pace="wait", at=3)  # after three pages to read
    before = len(ann.socket.texts)
    ann.send("lesson", "board", type="answer", text="1")
    ann.send("lesson", "board", type="answer", text=right)
    bob.send("lesson", "board", type="answer", text="no number")
    bob.send("lesson", "board", type="answer", text="-5")
    assert ann.part("lesson", "board")["data"]["verdict"] == ""
    assert "right" not in "".join(ann.socket.texts[before:]).lower().replace("nl-right", "")
    assert not room.session.members[1].pages["lesson p2"].get("tries")
    room.tick()
    groups = wall.data["question"]["groups"]
    assert sorted((group["label"], group["right"]) for group in groups) == [("-5", None), (right, None)]
    assert not wall.data["question"]["right"]
    ann.send("lesson", type="go", at=5)
    assert ann.part("lesson")["data"]["at"] == 3  # nobody runs ahead
    wall.send(type="reveal", question="p2.between")
    room.tick()
    assert ann.part("lesson", "board")["data"]["verdict"] == "right"
    assert bob.part("lesson", "board")["data"]["verdict"] == "wrong"
    assert right in bob.part("lesson", "board")["data"]["told"]
    assert [group["right"] for group in wall.data["question"]["groups"]] == [True, False]
    wall.send(type="pace", pace="wait", at=4)
    assert bob.part("lesson")["data"]["at"] == 4
    wall.send(type="pace", pace="free")
    bob.send("lesson", "board", type="answer", text="3")
    assert bob.part("lesson", "board")["data"]["verdict"] in ("right", "wrong")


def test_at_ones_own_pace_no_answer_waits(tmp_path: Path) -> None:
    """After a reload nothing says that a judged answer can be changed, and the reveal does not judge it again."""
    room = Room(tmp_path, lesson="p2")
    ann = room.join("Ann")
    ann.send("lesson", type="go", at=3)
    ann.send("lesson", "board", type="answer", text="1")
    assert ann.part("lesson", "board")["data"]["verdict"] == "wrong"
    room = room.again()
    ann, wall = room.back(ann.token), room.wall()
    assert ann.part("lesson", "board")["data"]["told"] == ""
    wall.send(type="pace", pace="wait", at=3)
    wall.send(type="reveal", question="p2.between")
    tries: Any = room.session.members[1].pages["lesson p2"]["tries"]
    assert tries == {"p2.between": ["1"]}
    assert str(problems(2, 7)[0].answer) in ann.part("lesson", "board")["data"]["told"]


@pytest.mark.parametrize("lesson", ["first_turn", "traps"])
def test_rules_lessons_wait_too(tmp_path: Path, lesson: str) -> None:
    room = Room(tmp_path, lesson=lesson)
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob", "pl")
    page = ann.part("lesson")["data"]
    at = next(at for at in range(page["steps"]) if _asks(room, wall, ann, at))
    question = wall.data["question"]["name"]
    options = [one["text"] for one in ann.part("lesson", "board")["data"]["scene"]["question"]["options"]]
    ann.send("lesson", "board", type="answer", question=0, choice=options[0])
    bob.send("lesson", "board", type="answer", question=0, choice=options[1])
    bob.send("lesson", "board", type="show", question=0)
    assert not any(said.get("message", {}).get("type") == "verdict" for said in ann.socket.said + bob.socket.said)
    wall.send(type="reveal", question=question)
    room.tick()
    verdicts = [said["message"] for said in ann.socket.said if said.get("message", {}).get("type") == "verdict"]
    assert verdicts and verdicts[-1]["answers"]
    wrong = [group for group in wall.data["question"]["groups"] if group["right"] is False]
    assert all(len(group["label"]) > len(options[0]) for group in wrong)  # why, not just what
    assert {group["right"] for group in wall.data["question"]["groups"]} == {True, False} or len(options) > 2
    assert wall.data["at"] == at


def _asks(room: Room, wall: Pupil, ann: Pupil, at: int) -> bool:
    wall.send(type="pace", pace="wait", at=at)
    room.tick()
    return wall.data["question"] is not None


def test_names_of_a_class_list_as_people_type_them(tmp_path: Path) -> None:
    names = ("Zoë Žáková", "Łukasz Wójcik", "Jan Nowak", "Jan Dvořák", "Renée", "Renee")
    session = Room(tmp_path, listed={name: 7001 + at for at, name in enumerate(names)}).session
    for typed, meant in (
        ("zoe  ZAKOVA", "Zoë Žáková"),
        ("lukasz", "Łukasz Wójcik"),
        ("Dvorak", "Jan Dvořák"),
        ("JAN NOWAK", "Jan Nowak"),
        ("renee", "Renee"),  # exactly so in the list
        ("renée", "Renée"),
        (code_of(7001), "Zoë Žáková"),
    ):
        assert session.identify(typed)[0] == meant
    for typed, key in (("Jan", "live.names_alike"), ("Reneé", "live.names_alike"), ("Lu", "live.not_listed")):
        with pytest.raises(Refused) as caught:
            session.identify(typed)
        assert caught.value.key == key
    with pytest.raises(Refused):
        session.identify("")


def test_experiments_are_pooled_and_codes_join_them(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall = room.wall()
    pupils = [room.join(name) for name in ("Ann", "Bob", "Cyd")]
    wall.send(type="pace", pace="wait", at=4)
    for pupil in pupils:
        for _ in range(4):
            pupil.send("lesson", "board", "experiment", type="run", times=10)
    room.tick()
    pooled = wall.data["pooled"]
    assert sum(count for _, count in pooled["bars"]) == 120 and len(pooled["dots"]) == 3
    low, high = pooled["ends"]
    assert low < pooled["mean"] < high and pooled["exact"] is None
    found = Found(2, 40, 11, 11)  # the second question, as sheets count, at the fifth step
    wall.send(type="code", code=found.code().lower())
    wall.send(type="code", code="ABCDE")
    room.tick()
    assert len(wall.data["pooled"]["dots"]) == 4 and len(wall.refused) == 1
    assert sum(count for _, count in wall.data["pooled"]["bars"]) == 160
    wall.send(type="reveal", question="p4.exact")
    room.tick()
    assert wall.data["pooled"]["exact"] == float(problems(4, 7)[1].answer or 0)
    own = Found.of(2, room.session.ran["p4.exact"][1])
    assert own is not None and own.code() in pupils[0].data["found"][0]
    pooled_alone = pool_sheets(ClassList(7, {"Ann": 7001}), 4, codes=[own.code()])
    assert [one.key for one in pooled_alone if one.found is not None] == ["p4.exact"]
    assert wall.data["codes"] == [found.code()]
    wall.send(type="uncode", code=found.code())
    room.tick()
    assert wall.data["codes"] == [] and len(wall.data["pooled"]["dots"]) == 3


def test_the_dots_of_a_step_to_try_are_pooled_by_way(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall = room.wall()
    ann, bob = room.join("Ann"), room.join("Bob")
    wall.send(type="pace", pace="wait", at=1)
    assert wall.data["clouds"] == []
    for pupil in (ann, bob):
        pupil.send("lesson", "board", type="run", times=200)
    bob.send("lesson", "board", type="way", at=2)
    bob.send("lesson", "board", type="run", times=10)
    room.tick()
    few, many = wall.data["clouds"]
    assert sum(count for _, count in few["bars"]) == 400 and len(few["dots"]) == 2 and few["exact"] == 0.2
    assert sum(count for _, count in many["bars"]) == 10 and len(many["dots"]) == 1
    assert few["wide"] == 1 / 40 and few["title"] != many["title"]
    assert few["scale"] == many["scale"], "widths are compared on one scale"
    # The interval below the dots is their standard deviation: that of ten turns, 0.126.
    low, high = few["ends"]
    assert abs((high - low) / 2 - 0.1265) < 0.02 and abs(few["mean"] - 0.2) < 0.03
    bob.send("lesson", "board", type="way", at=0)  # he starts again: what he had counts until he has more
    bob.send("lesson", "board", type="run", times=10)
    room.tick()
    assert sum(count for _, count in wall.data["clouds"][0]["bars"]) == 400
    wall.send(type="look", at=4)
    assert wall.data["clouds"] == [] and wall.data["pooled"] is None


def test_a_code_of_another_question_is_refused_with_its_step(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall = room.wall()
    wall.send(type="look", at=3)  # the first question
    elsewhere, nowhere = Found(2, 40, 11, 11).code(), Found(9, 40, 11, 11).code()
    wall.send(type="code", code=elsewhere)
    wall.send(type="code", code=nowhere)
    assert in_error("live.code_elsewhere", code=elsewhere, step=5).search(str(wall.refused[0]))
    assert in_error("live.code_of_no_question", code=nowhere).search(str(wall.refused[1]))
    assert not room.session.codes


def test_the_wall_shows_what_a_question_is_about(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall = room.wall()
    hook, activity = wall.data["steps"][0].split("\n")
    assert hook.endswith("?") and activity
    marks = problems(4, room.session.seed)[0].chart
    assert marks is not None
    wall.send(type="look", at=3)
    assert wall.data["question"]["chart"]["lines"] == [list(line) for line in marks.lines]
    wall.send(type="look", at=6)
    assert len(wall.data["question"]["choices"]) == 2
    wall.send(type="look", at=5)
    assert wall.data["question"]["chart"] is None and not wall.data["question"]["rests"]
    wall.send(type="reveal", question="p4.exact")
    room.tick()
    wall.send(type="look", at=5)
    [(_, answer)] = wall.data["question"]["rests"]
    assert answer == answer_text(problems(4, room.session.seed)[1], words("en"))


def test_time_that_is_up_goes_when_the_class_moves_on(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall = room.wall()
    wall.send(type="timer", seconds=60)
    wall.send(type="pace", pace="wait", at=1)
    assert wall.data["timer"] is not None  # still running
    room.tick(61)
    wall.send(type="pace", pace="wait", at=2)
    assert wall.data["timer"] is None


def test_a_page_says_which_card_was_chosen(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="")
    _, (ann, bob, cyd) = seated(room, ("Ann", "Bob", "Cyd"))
    assert ann.data["table"]["chosen"] == ""
    scene = ann.part("table")["data"]["scene"]
    card = next(one for one in scene["pool"][scene["frames"][-1]["asked"]] if one["seat"] == scene["asked"])["first"]
    assert choose(ann)
    assert ann.data["table"]["chosen"] == f"You chose {card}." and bob.data["table"]["chosen"] == ""
    assert choose(bob) and choose(cyd)
    assert ann.data["table"]["chosen"] == ""  # the next turn


def test_a_table_to_its_end(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="")
    wall, pupils = seated(room, ("Ann", "Bob"))
    play_out(room, pupils)
    room.tick()
    assert wall.data["tables"][0]["phase"] == "over"
    [file] = (tmp_path / "games").glob("*.nimmt")
    record = Record.load(file)
    assert record.outcome is not None and set(record.names.values()) >= {"Ann", "Bob"}
    lines = (tmp_path / "games.csv").read_text().splitlines()
    assert len(lines) == 4 and sum(line.split(",")[6] == "1" for line in lines[1:]) == 2
    pupils[0].send(type="replay")
    assert pupils[0].part("replay")["module"] == "replay"
    pupils[0].send(type="back")
    wall.send(type="again")
    assert pupils[0].data["result"] is None and pupils[0].data["table"]["phase"] == "playing"
    play_out(room, pupils)
    room.tick()
    assert len(list((tmp_path / "games").glob("*.nimmt"))) == 2
    assert len(room.session.played) == 2 and len((tmp_path / "games.csv").read_text().splitlines()) == 7


def test_a_bot_plays_for_the_absent(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="")
    _, [ann, bob] = seated(room, ("Ann", "Bob"), limit=20, setup={**QUICK, "options": {"rounds": 1, "hand_size": 5}})
    assert choose(ann)
    for _ in range(60):
        room.tick()
    assert ann.part("table")["data"]["scene"]["ply"] == 0  # 15 s: Bob still has time
    for _ in range(100):
        room.tick()
    assert ann.part("table")["data"]["scene"]["ply"] > 0
    assert bob.data["table"]["phase"] == "playing"  # he can choose again in the next turn


def test_nobody_chooses_for_others(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="")
    _, [ann, bob] = seated(room, ("Ann", "Bob"))
    seat = room.session.tables[1].seat_of(2)
    hand = room.session.tables[1].state.hands[seat or 0]
    ann.send("table", type="choose", choice=str(hand[0]), ply=0, given=0)
    for kind in ("undo", "new", "run", "hints", "leave"):
        ann.send("table", type=kind, on=True)
    table = room.session.tables[1]
    assert not table.given.keys() & {*table.people}
    assert room.session.tables[1].record.choices == ()
    assert len(ann.refused) >= 4 and not bob.refused


def test_pupils_choose_their_table(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="")
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob")
    wall.send(type="tables", how="open", count=2, setup=QUICK, limit=0, level="level-1")
    assert [one["free"] for one in ann.data["open"]] == [3, 3]
    ann.send(type="sit", table=2)
    bob.send(type="sit", table=2)
    bob.send(type="sit", table=9)
    assert len(bob.refused) == 1 and ann.data["table"]["number"] == 2
    bob.send(type="stand")
    assert bob.data["table"] is None
    wall.send(type="start")
    assert ann.data["table"]["phase"] == "playing" and bob.data["open"] == []
    assert room.session.tables[1].phase == "over"  # only bots: they play at once
    ann.send(type="stand")
    assert ann.data["table"] is not None


def test_a_killed_server_continues(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall, pupils = seated(room, ("Ann", "Bob"))
    ann, bob = pupils
    wall.send(type="pace", pace="wait", at=4)
    ann.send("lesson", "board", type="answer", text="1/3")
    bob.send("lesson", "board", "experiment", type="run", times=10)
    assert choose(ann)
    seat = ann.part("table")["data"]["scene"]["seat"]
    given = dict(room.session.tables[1].given)
    room = room.again()
    ann, bob, wall = room.back(ann.token), room.back(bob.token), room.wall()
    assert room.session.tables[1].given[seat] == given[seat]
    room.tick()
    assert not room.session.tables[1].record.choices  # everybody has the whole time again
    assert ann.part("table")["data"]["scene"]["asked"] is None  # she has chosen
    assert "1/3" in ann.part("lesson", "board")["data"]["told"]
    assert wall.data["pooled"]["bars"] and (wall.data["pace"], wall.data["at"]) == ("wait", 4)
    bob.send("lesson", "board", "experiment", type="run", times=10)
    room.tick()
    assert sum(count for _, count in wall.data["pooled"]["bars"]) == 20
    wall.send(type="reveal", question="p4.exact")
    assert ann.part("lesson", "board")["data"]["verdict"] in ("right", "wrong")
    play_out(room, [ann, bob])


def test_the_class_read_again_is_the_same_after_every_line(tmp_path: Path) -> None:
    room = Room(tmp_path)
    wall, pupils = seated(room, ("Ann", "Bob"))
    wall.send(type="pace", pace="wait", at=4)
    pupils[0].send("lesson", "board", type="answer", text="1/3")
    play_out(room, pupils)
    from nimmt_lab.live.journal import read
    from nimmt_lab.live.session import Session

    entries = read(tmp_path / "journal.jsonl")
    again = Session.read(entries)
    now = room.session
    assert again.members == now.members and again.answers == now.answers and again.ran == now.ran
    assert {n: t.record for n, t in again.tables.items()} == {n: t.record for n, t in now.tables.items()}
    assert [t.file for t in again.tables.values()] == [t.file for t in now.tables.values()]
    for count in range(1, len(entries)):
        Session.read(entries[:count])
    assert pupils[0].token not in json.dumps(entries)


def test_a_second_tab_shows_the_same(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="p2")
    first = room.join("Ann")
    second = room.back(first.token)
    first.send("lesson", type="go", at=1)
    assert second.part("lesson")["data"]["at"] == 1
    pages = [room.back(first.token) for _ in range(limits.MOST_PAGES)]
    assert first.socket.is_closed and first.socket.said[-1] == {"type": "elsewhere"}
    assert not pages[-1].socket.is_closed


def test_a_choice_for_another_seat_is_not_written(tmp_path: Path) -> None:
    """Should a page ever be made to say so: the hub checks again who sits where."""
    room = Room(tmp_path, lesson="")
    seated(room, ("Ann", "Bob"))
    table = room.session.tables[1]
    seat = table.seat_of(2)
    assert seat is not None
    choice = str(table.state.hands[seat][0])
    effect: dict[str, Any] = {"do": "choose", "table": 1, "ply": 0, "seat": seat, "choice": choice}
    room.hub._effect(1, dict(effect))
    assert seat not in table.given
    room.hub._effect(2, dict(effect))
    assert table.given[seat] == int(choice)


def test_the_wall_shows_what_pupils_watch(tmp_path: Path) -> None:
    """The text and the table of a step without a question, and the task of a lesson about probability."""
    room = Room(tmp_path / "rules", lesson="traps")
    wall, ann = room.wall(), room.join("Ann")
    at = next(at for at in range(wall.data["at"], 9) if not _asks(room, wall, ann, at))
    assert wall.data["steps"][at] == ann.part("lesson")["data"]["text"]["text"]
    assert frames(wall.part("board")) == frames(ann.part("lesson", "board")) > 1
    room = Room(tmp_path / "chance", lesson="p4")
    ann = room.join("Ann")
    hook, _, activity, _ = (one["text"] for one in ann.part("lesson")["data"]["text"]["parts"])
    assert room.wall().data["steps"][0] == f"{hook}\n{activity}"


def frames(part: dict[str, Any]) -> int:
    return len(part["data"]["scene"]["frames"])
