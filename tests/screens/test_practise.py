"""Practise without a browser: tasks of every kind, streaks, and missed tasks that return until they are known."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.registry import all_games, from_options
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.lessons.words import words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.practise import AGAIN, MOST_MISSED, Missed, PractiseScreen, kinds_for, made
from nimmt_lab.screens.rules import forms, game_of
from nimmt_lab.screens.words import screen_words
from nimmt_lab.solver import solve
from tests.support import dig

ROW: Any = {"type": "start", "setup": {"game": "classic", "players": 4, "options": {}}, "kind": "row", "difficulty": 2}


def answer(practise: PractiseScreen, *, right: bool) -> None:
    exercise = practise.exercise
    question = exercise.question
    wrong = [choice for choice in question.choices if choice not in question.right]
    said = min(question.right) if right else wrong[0]
    exercise.receive({"type": "answer", "question": 0, "choice": said, "seconds": 1})


def figures(practise: PractiseScreen) -> tuple[Any, ...]:
    return tuple(practise.data[name] for name in ("streak", "best", "missed"))


@pytest.mark.parametrize("name", all_games())
def test_every_kind_of_every_game_makes_the_same_task_again(name: str) -> None:
    fewest, most = all_games()[name].for_players
    game = from_options({"system": name, "players": max(fewest, min(3, most))})
    for kind in kinds_for(game):
        (*_, first), (*_, second) = made(game, kind, 1, 5), made(game, kind, 1, 5)
        assert first is not None and second is not None
        assert (first.state, first.right) == (second.state, second.right) and first.right < set(first.choices)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_has_a_name(lang: str) -> None:
    say = screen_words(lang)
    for form in forms(lang):
        assert isinstance(form, dict)
        setups: list[Any] = [{}]
        for option in dig(form, "options"):
            assert isinstance(option, dict)
            choices: Any = option.get("choices", [])
            setups += [{option["name"]: choice["value"]} for choice in choices]
        for options in setups:
            for players in {*dig(form, "players"), dig(form, "usual")}:
                try:
                    game = game_of({"game": form["name"], "players": players, "options": options})
                except RulesError:
                    continue  # not for that number of players
                assert all(say(f"kind.{kind}") for kind in kinds_for(game))


def test_open_hands_for_two_have_puzzles_against_best_play() -> None:
    (*_, question) = made(Advanced(players=2), "best_card", 2, 3)
    assert question is not None and question.kind == "best_card"
    assert "best_card" not in kinds_for(Advanced(players=3)) and "best_card" not in kinds_for(Classic(players=2))


def test_a_streak_grows_and_breaks_and_the_best_one_stays() -> None:
    practise = PractiseScreen(Desk(None))
    practise.receive(ROW)
    for count in (1, 2, 3):
        answer(practise, right=True)
        assert figures(practise) == (count, count, 0)
        practise.exercise.receive({"type": "next"})
    answer(practise, right=False)
    assert figures(practise) == (0, 3, 1)
    answer(practise, right=True)
    assert figures(practise) == (0, 3, 1), "only the first try counts"
    assert practise.count == 4 and practise.right == 3


def test_hints_and_shown_answers_do_not_count_as_right() -> None:
    practise = PractiseScreen(Desk(None))
    practise.receive(ROW)
    practise.exercise.receive({"type": "hint", "question": 0})
    answer(practise, right=True)
    assert figures(practise) == (0, 0, 1)
    practise.exercise.receive({"type": "next"})
    practise.exercise.receive({"type": "show", "question": 0})
    answer(practise, right=True)
    assert figures(practise) == (0, 0, 2) and practise.count == 2


def test_what_was_missed_comes_again_when_it_is_due_and_then_no_more() -> None:
    practise = PractiseScreen(Desk(None))
    practise.receive(ROW)
    answer(practise, right=False)
    missed = practise.task
    seen = []
    for _ in range(sum(AGAIN) + 10):
        practise.exercise.receive({"type": "next"})
        if practise.task == missed:
            seen.append(practise.count)
            assert practise.data["again"] is True
        answer(practise, right=True)
    # After a miss in task 1, it is due again after these numbers of tasks.
    due, at = [], 1
    for wait in AGAIN:
        due.append(at + wait)
        at = due[-1] + 1
    assert seen == due and figures(practise)[2] == 0


def test_missed_tasks_of_every_game_are_repeated() -> None:
    practise = PractiseScreen(Desk(None))
    practise.receive(ROW)
    answer(practise, right=False)
    first = practise.task
    practise.receive({**ROW, "setup": {"game": "classic", "players": 2, "options": {}}, "kind": "takes"})
    assert practise.task != first, "another game has other tasks"
    practise.receive({**ROW, "missed": True, "setup": {"game": "advanced", "players": 2, "options": {}}})
    assert practise.task == first
    for _ in AGAIN:
        answer(practise, right=True)
        practise.exercise.receive({"type": "next"})
    assert practise.task != first and practise.only_missed is False and len(practise.missed.items) == 0


def test_a_reload_finds_the_task_the_streak_and_what_was_missed(tmp_path: Path) -> None:
    practise = PractiseScreen(Desk(tmp_path))
    practise.receive(ROW)
    answer(practise, right=False)
    practise.exercise.receive({"type": "next"})
    answer(practise, right=True)
    again = PractiseScreen(Desk(tmp_path))
    assert figures(again) == (1, 1, 1) and again.exercise.question.kind == "row", "answered: the next one is there"
    third = PractiseScreen(Desk(tmp_path))
    assert third.task == again.task and third.exercise.question == again.exercise.question
    third.receive({"type": "leave"})
    assert "exercise" not in PractiseScreen(Desk(tmp_path)).parts


@pytest.mark.parametrize(
    "change",
    [{"kind": "dance"}, {"difficulty": 4}, {"difficulty": True}, {"setup": {"game": "whist"}}, {"missed": True}],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    practise = PractiseScreen(Desk(None))
    heard: list[Any] = []
    practise.listen(heard.append)
    practise.handle({"path": [], "message": {**ROW, **change}})
    assert heard[-1]["message"]["type"] == "refused" and "exercise" not in practise.parts


def test_a_memory_of_another_version_does_no_harm(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    bad: Any = {"task": {"game": "whist"}, "box": 0, "due": 0}
    items: Any = [bad, 7, {"task": {}}, {"task": {"game": "classic", "players": 99}, "box": 1, "due": 0}]
    desk.memory.put("practise", {"count": -4, "streak": "x", "missed": items, "task": {"kind": 3}, "kind": "x"})
    practise = PractiseScreen(desk)
    assert figures(practise) == (0, 0, 2)
    practise.receive(ROW)
    assert practise.exercise.question.kind == "row"
    heard: list[Any] = []
    practise.listen(heard.append)
    practise.handle({"path": [], "message": {**ROW, "missed": True}})
    assert heard[-1]["message"]["type"] == "refused" and len(practise.missed.items) == 1, "it is forgotten"


def test_no_more_is_kept_than_fits() -> None:
    missed = Missed()
    for seed in range(MOST_MISSED + 20):
        missed.wrong({"seed": seed}, 0)
    assert len(missed.items) == MOST_MISSED and missed.items[0]["task"] == {"seed": 20}
    assert len(Missed(missed.items * 2).items) == MOST_MISSED


def test_a_puzzle_says_that_it_is_looked_for() -> None:
    practise = PractiseScreen(Desk(None))
    works: list[Any] = []
    practise.listen(lambda said: None, works.append)
    practise.receive({**ROW, "kind": "best_choice"})
    next(works[0])
    assert practise.data["waiting"] is True
    for _ in works[0]:
        pass
    assert practise.data["waiting"] is False and practise.exercise.question.kind == "best_choice"


@pytest.mark.parametrize("seed", [3, 11])
def test_the_best_line_is_played_out_after_the_best_card(seed: int) -> None:
    """It begins with the answer, both continue with the solver's best mixes, and it ends with the round."""
    practise = PractiseScreen(Desk(None))
    practise.daily(date.fromordinal(date(2026, 11, 16).toordinal() + seed))
    exercise = practise.exercise
    steps = exercise.line()
    question = exercise.question
    assert steps[0].before == question.state and str(steps[0].choices[question.seat]) in question.right
    assert steps[-1].state.is_over or steps[-1].state.round > question.state.round
    for step in steps[1:]:
        mixes = solve(step.before).strategies
        for seat, choice in step.choices.items():
            assert mixes[seat][choice] == max(mixes[seat].values())
    told: list[Any] = []
    exercise.listen(told.append)
    exercise.receive({"type": "answer", "question": 0, "choice": min(question.right)})
    verdict = next(said["message"] for said in told if "message" in said)
    assert len(verdict["frames"]) > len(steps) and verdict["why"]


@pytest.mark.parametrize("kind", ["best_choice", "safe"])
def test_a_puzzle_is_put_to_you_and_its_rows_have_names(kind: str) -> None:
    practise = PractiseScreen(Desk(None))
    practise.receive({"type": "start", "setup": {"game": "classic", "players": 4}, "kind": kind})
    exercise = practise.exercise
    scene: Any = exercise.data["scene"]
    assert [seat["seat"] for seat in scene["seats"] if seat["you"]] == [exercise.question.seat]
    assert scene["question"]["prompt"] == screen_words("en")(f"practise.ask_{kind}")
    assert not scene["question"]["free"], "a puzzle is answered or shown, which counts"
    for answer in exercise.question.choices:
        said = exercise.question.refute(answer, words("en")).said if answer not in exercise.question.right else ""
        assert "@" not in said + exercise.question.why(min(exercise.question.right), words("en"))


def test_what_is_missed_comes_back_at_longer_and_longer_intervals() -> None:
    task: dict[str, Any] = {"kind": "row"}
    missed, now, waits = Missed(), 0, []
    missed.wrong(task, now)
    while missed.items:
        since = now
        while missed.due(now) is None:
            now += 1
        waits.append(now - since)
        missed.right(task, now)
    assert waits == sorted(set(waits)) and len(waits) > 1
