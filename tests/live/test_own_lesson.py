"""A lesson from the teacher's file in class: questions in words and about the rules, in step, and after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.lessons import trust
from nimmt_lab.lessons.authoring import template
from nimmt_lab.lessons.lessonfile import load_lesson
from nimmt_lab.lessons.rules import Lesson
from nimmt_lab.live import start
from nimmt_lab.live.lesson import own_lesson, questions_of, steps_of
from nimmt_lab.screens.base import as_object
from tests.catalogue import in_error
from tests.live.support import Pupil, Room
from tests.live.test_waiting import answers_to


def written(folder: Path, *, program: bool = False) -> Path:
    path = folder / "mine.toml"
    path.write_text(template("mine", "en", program=program), encoding="utf-8")
    return path


@pytest.fixture
def mine(tmp_path: Path) -> Lesson:
    return load_lesson(written(tmp_path))


def test_a_lesson_of_ones_own_in_step(tmp_path: Path, mine: Lesson) -> None:
    room = Room(tmp_path, lesson="mine", own=mine)
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob", "pl")
    assert wall.data["lesson"] == ann.part("lesson")["data"]["title"] == mine.texts["en"]["mine.title"]
    steps = steps_of(mine, room.session.seed)
    assert len(wall.data["steps"]) == len(steps) + 1 and ann.part("lesson")["data"]["steps"] == len(steps) + 1
    for question in questions_of(mine, room.session.seed):
        at = steps.index(question)
        wall.send(type="pace", pace="wait", at=at)
        right, wrong = answers_to(mine, question)
        for pupil, said in ((ann, right), (bob, wrong[0])):
            message = {"choice": said, "question": 0} if "exercise" in board(pupil) else {"text": said}
            pupil.send("lesson", "board", type="answer", **message)
        assert room.session.held[question] == {1: right, 2: wrong[0]}, question
        room.tick()
        assert all(group["right"] is None for group in wall.data["question"]["groups"])
        wall.send(type="reveal", question=question)
        room.tick()
        assert [group["right"] for group in wall.data["question"]["groups"]] == [True, False], question
        tries = [as_object(room.session.members[number].pages["lesson mine"]["tries"]) for number in (1, 2)]
        assert [one[question] for one in tries] == [[right], [wrong[0]]]
    wall.send(type="pace", pace="wait", at=len(steps))
    assert ann.part("lesson")["data"]["end"]
    again = room.again()
    assert again.back(ann.token).part("lesson")["data"]["at"] == len(steps)
    assert again.wall().data["lesson"] == wall.data["lesson"]


def board(pupil: Pupil) -> str:
    module: str = pupil.part("lesson", "board")["module"]
    return module


def test_a_lesson_is_found_by_file_and_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lessons").mkdir()
    path = written(tmp_path / "lessons")
    (tmp_path / "nimmt-lab.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    by_file, by_name = own_lesson(str(path)), own_lesson("mine")
    assert by_file is not None and by_name is not None and by_file.mark == by_name.mark
    with pytest.raises(NimmtError) as raised:
        own_lesson("nobody's")
    assert raised.value.key == "shared.no_lesson_of" and "mine" in str(raised.value.fields["known"])
    path.write_text(path.read_text().replace('name = "mine"', 'name = "traps"'), encoding="utf-8")
    with pytest.raises(NimmtError) as raised:
        own_lesson(str(path))
    assert raised.value.key == "lessons.file_of_package"


def test_another_version_does_not_continue_the_class(tmp_path: Path) -> None:
    path = written(tmp_path)
    options = start.Options(lesson="mine", own=load_lesson(path), folder=tmp_path / "class")
    start.begin(options)[1].close()
    _, journal, resumed = start.begin(options)
    journal.close()
    assert resumed  # the same file does
    path.write_text(path.read_text().replace('"safe / cards"', '"1 - safe / cards"'), encoding="utf-8")
    changed = load_lesson(path)
    assert changed.mark != options.own.mark  # type: ignore[union-attr]
    with pytest.raises(NimmtError) as raised:
        start.begin(start.Options(lesson="mine", own=changed, folder=tmp_path / "class"))
    assert raised.value.key == "live.lesson_changed"


def test_no_program_runs_before_it_is_confirmed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    confirmed: set[str] = set()
    monkeypatch.setattr("nimmt_lab.lessons.program.confirmed", confirmed.__contains__)
    path = written(tmp_path, program=True)
    words = ["class", "--lesson", str(path), "--folder", str(tmp_path / "class"), "--port", "1"]
    monkeypatch.setattr("nimmt_lab.live.server.bind", lambda port, lan: [])
    lesson = load_lesson(path)
    assert main(words) == 2
    said = capsys.readouterr().err
    refusal = in_error(
        "lessons.not_confirmed", name="mine", fingerprint=trust.short(lesson.fingerprint), file=path.name
    )
    assert refusal.search(said)
    assert not (tmp_path / "class").exists()
    confirmed.add(lesson.fingerprint)
    room = Room(tmp_path / "class", lesson="mine", own=lesson)
    ann, wall = room.join("Ann"), room.wall()
    wall.send(type="pace", pace="wait", at=steps_of(lesson, 7).index("two"))
    ann.send("lesson", "board", "experiment", type="run", times=10)
    room.tick()
    assert sum(count for _, count in wall.data["pooled"]["bars"]) == 10
