"""While the class waits, nothing that a device gets depends on what the right answer is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.lessons import Question
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.words import words
from nimmt_lab.live.lesson import Taught, is_right, questions_of, steps_of
from nimmt_lab.live.pool import label
from nimmt_lab.live.words import live_words
from tests.live.support import Pupil, Room


def answers_to(lesson: Taught, question: str) -> tuple[str, list[str]]:
    """A right answer and wrong ones."""
    asked = questions_of(lesson, 7)[question]
    said = [*asked.choices]
    if isinstance(asked, Problem) and not said:
        said = ["999", "-1", "1/7", str(asked.answer)]
    right = [one for one in said if is_right(lesson, 7, question, one)]
    return right[0], [one for one in said if one not in right]


def reply(pupil: Pupil, lesson: str, question: str, said: str) -> list[str]:
    """What a device gets for an answer and for everything else that it may try, without the answer itself."""
    asked, before = questions_of(lesson, 7)[question], len(pupil.socket.texts)
    if isinstance(asked, Question):
        pupil.send("lesson", "board", type="answer", question=0, choice=said)
    else:
        pupil.send("lesson", "board", type="answer", text=said)
    for message in ({"type": "show"}, {"type": "next"}, {"type": "stop"}, {"type": "hint"}, {"type": "hint"}):
        pupil.send("lesson", "board", question=0, **message)
    pupil.send("lesson", type="go", at=len(steps_of(lesson, 7)))
    kept = live_words("en")("page.kept", answer=label(asked, said, words("en")))
    shown = json.dumps(kept, ensure_ascii=False)[1:-1]
    return [text.replace(shown, "*") for text in pupil.socket.texts[before:] if '"sitting"' not in text]


def try_all(folder: Path, lesson: str) -> int:
    """Every question of a lesson, with a right and a wrong answer; the number of questions."""
    room = Room(folder, lesson=lesson)
    wall, ann, bob = room.wall(), room.join("Ann"), room.join("Bob")
    asked = questions_of(lesson, room.session.seed)
    for at, question in enumerate(steps_of(lesson, room.session.seed)):
        if question not in asked:
            continue
        right, wrong = answers_to(lesson, question)
        wall.send(type="pace", pace="wait", at=at)
        one, other = reply(ann, lesson, question, right), reply(bob, lesson, question, wrong[0])
        assert one == other, question
        assert room.session.answers[question] == {1: right, 2: wrong[0]}
        said: list[dict[str, Any]] = [*ann.socket.said, *bob.socket.said]
        kinds = {one["message"]["type"] for one in said if isinstance(one.get("message"), dict)}
        assert not kinds & {"verdict"}, question
    return len(asked)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("lesson", lesson_names())
def test_replies_do_not_tell_the_right_answer(tmp_path: Path, lesson: str) -> None:
    assert try_all(tmp_path, lesson)


def test_the_last_hint_waits_for_the_reveal(tmp_path: Path) -> None:
    room = Room(tmp_path, lesson="first_turn")
    wall, ann = room.wall(), room.join("Ann")
    at = steps_of("first_turn", 0).index("closest")
    wall.send(type="pace", pace="wait", at=at)
    for _ in range(4):
        ann.send("lesson", "board", type="hint", question=0)
    given = [said["message"] for said in ann.socket.said if said.get("message", {}).get("type") == "hint"]
    assert given and all(hint["number"] < hint["of"] for hint in given)
    wall.send(type="reveal", question="closest")
    ann.send("lesson", "board", type="hint", question=0)
    given = [said["message"] for said in ann.socket.said if said.get("message", {}).get("type") == "hint"]
    assert given[-1]["number"] == given[-1]["of"]
