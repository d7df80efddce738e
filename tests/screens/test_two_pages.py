"""Two pages of one learner: neither erases the other's work, and deleted things stay deleted."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.events import Json
from nimmt_lab.lessons import progress, question_of, rules_lesson
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.learn import LearnScreen
from nimmt_lab.screens.lesson import lesson
from nimmt_lab.screens.lesson_page import LessonScreen
from nimmt_lab.screens.memory import Memory
from nimmt_lab.screens.merge import merge_page

VECTORS = json.loads((Path(__file__).parent / "merge.json").read_text(encoding="utf-8"))
FIRST = "first_turn"


@pytest.mark.parametrize("case", VECTORS["pages"], ids=lambda case: case["says"])
def test_pages_are_merged_record_by_record(case: dict[str, object]) -> None:
    given = [json.loads(json.dumps(case[version])) for version in ("base", "mine", "theirs")]
    assert merge_page(str(case["name"]), *given) == case["merged"]
    assert given == [case["base"], case["mine"], case["theirs"]], "nothing that was given is changed"


def _solve(page: LessonScreen, steps: int) -> None:
    """Work through the given number of steps, answering every question correctly."""
    for at in range(page.at, page.at + steps):
        question = page.asks(at)
        if question is not None and question not in page._open:
            right = min(question_of(rules_lesson(page.name).steps[at]).right)
            message: Json = {"type": "answer", "question": 0, "choice": right}
            page.handle({"path": ["board"], "message": message})
        page.handle({"path": [], "message": {"type": "go", "at": at + 1}})
        assert page.at == at + 1


def test_a_stale_page_does_not_undo_a_lesson(tmp_path: Path) -> None:
    _solve(lesson(FIRST, Desk(tmp_path)), 1)
    ahead, stale = lesson(FIRST, Desk(tmp_path)), lesson(FIRST, Desk(tmp_path))
    assert (ahead.at, stale.at) == (1, 1)
    _solve(ahead, 3)
    _solve(stale, 1)
    now = lesson(FIRST, Desk(tmp_path))
    assert now.at == 4 and now._open >= ahead._open | stale._open
    assert now.sitting == ahead.sitting and set(now.tries) >= {*ahead.tries, *stale.tries}


def test_a_lesson_begun_again_stays_begun_again(tmp_path: Path) -> None:
    _solve(lesson(FIRST, Desk(tmp_path)), 2)
    one, stale = lesson(FIRST, Desk(tmp_path)), lesson(FIRST, Desk(tmp_path))
    one.handle({"path": [], "message": {"type": "restart"}})
    _solve(stale, 1)
    now = lesson(FIRST, Desk(tmp_path))
    assert now.at == 0 and now.tries == {} and now.starts == 2


def test_lessons_done_and_settings_come_together(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    one.update(lambda now: now.with_lesson("traps", 3, 5))
    other.update(lambda now: now.with_lesson("traps", 1, 5).with_lesson(FIRST, 2, 4))
    one.switch("pl")
    other.update(lambda now: replace(now, name="Ann"))
    now = progress.load(tmp_path)
    assert (now.done, now.lang, now.name) == ({"traps": (3, 5), FIRST: (2, 4)}, "pl", "Ann")


def test_what_was_forgotten_does_not_come_back(tmp_path: Path) -> None:
    Memory(tmp_path).put("analyse", {"mode": "game"})
    one, stale = Memory(tmp_path), Memory(tmp_path)
    one.put("analyse", {})
    stale.put("home", {"screen": "play"})
    stale.put("analyse", {"mode": "game"})  # the value it already knew, so nothing changes
    assert not Memory(tmp_path).get("analyse")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs locks")
def test_many_pages_at_once_lose_nothing(tmp_path: Path) -> None:
    """Threads and not turns: each answers questions of its own in the same record."""
    start: dict[str, Json] = {"at": 0, "seed": 0, "tries": {}, "open": [], "sitting": "0" * 16, "starts": 1}
    Memory(tmp_path).put("lesson traps", {**start})
    ready = threading.Barrier(12)

    def answer(which: int) -> None:
        memory = Memory(tmp_path)
        page = memory.get("lesson traps")
        ready.wait()
        for turn in range(5):
            tries: Json = {f"q{which}": ["x"] * (turn + 1)}
            memory.put(
                "lesson traps",
                {**page, "at": turn, "tries": tries, "open": [f"q{which}.{one}" for one in range(turn + 1)]},
            )

    threads = [threading.Thread(target=answer, args=(which,)) for which in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now = Memory(tmp_path).get("lesson traps")
    assert now["tries"] == {f"q{which}": ["x"] * 5 for which in range(12)} and now["at"] == 4
    assert isinstance(now["open"], list) and len(now["open"]) == 60


def test_the_map_shows_what_the_other_page_has_done(tmp_path: Path) -> None:
    one, other = Desk(tmp_path), Desk(tmp_path)
    other.update(lambda now: now.with_lesson("traps", 3, 5))
    one.update(lambda now: now.with_lesson(FIRST, 2, 4))
    steps: Any = LearnScreen(one).data["steps"]
    assert [step["name"] for step in steps if step["state"] == "done"] == [FIRST, "traps"]
