"""Complete visits in a browser at the size of a school laptop, clicking only what is in sight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain import rule_text
from nimmt_lab.lessons import lesson_names, problems, rules_lesson, words
from nimmt_lab.lessons.again import IN_A_ROW
from nimmt_lab.lessons.classroom import number_of
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.results import Results
from nimmt_lab.screens.lesson_exercise import LessonExercise

from .conftest import Walker

pytestmark = pytest.mark.browser
Visit = Callable[..., Walker]


def board(walker: Walker) -> Any:
    return walker.home.screen.parts["screen"].parts["lesson"].board


@pytest.mark.parametrize("name", [name for name in lesson_names() if number_of(name) is None])
def test_every_rules_lesson_from_first_to_last_step(visit: Visit, tmp_path: Path, name: str) -> None:
    walker = visit(tmp_path)
    walker.open_lesson(name)
    steps = rules_lesson(name).steps
    for at, step in enumerate(steps):
        if at == len(steps) // 2:
            walker = visit(tmp_path)  # the page is reloaded and continues where it was
        assert f"{at + 1} of {len(steps) + 1}" in walker.text(".nl-lesson-head .nl-place")
        if not step.ask:
            walker.in_sight(".nl-lesson-say", ".nl-lane", ".nl-foot [data-do='next']")
            told = set()
            while walker.count("[data-do='step']"):
                told.add(walker.text(".nl-foot .nl-feedback"))
                walker.press("Enter")  # the focus may be anywhere: the bar has what comes next
            assert len(told) > 1, "every card is told"
            walker.in_sight(".nl-lane", ".nl-foot [data-do='next']")
        else:
            walker.in_sight(".nl-exercise .nl-prompt", ".nl-lane", ".nl-option", "[data-do='hint']")
            exercise = board(walker)
            assert isinstance(exercise, LessonExercise)
            right, before = min(exercise.question.right), exercise.question.state
            wrong = next(choice for choice in exercise.question.choices if choice not in exercise.question.right)
            assert walker.count(".nl-lesson .nl-foot [data-do='next']:not(:disabled)") == 0
            walker.click(f".nl-option[data-option='{wrong}']")
            assert walker.count(".nl-feedback.nl-wrong") == 1
            walker.in_sight(".nl-feedback")
            met = exercise.question.refute(wrong, words("en"))
            said = met.said or (rule_text(met.rule, words("en")) if met.rule else "")
            assert said and said in walker.text(".nl-feedback"), "the reason is the engine's"
            if at == len(steps) - 1:  # and two more on the last question: the solution, and the same idea again
                for _ in range(2):
                    walker.click(f".nl-option[data-option='{wrong}']")
                assert walker.count(".nl-option.nl-was-right") == 1
                walker.click(".nl-lesson .nl-foot [data-do='next']")
                assert (
                    exercise.question.state != before
                    and walker.count(".nl-lesson .nl-foot [data-do='next']:disabled") == 1
                )
                right = min(exercise.question.right)
            walker.click(f".nl-option[data-option='{right}']")
            assert walker.count(".nl-feedback.nl-right") == 1
            walker.in_sight(
                ".nl-exercise .nl-prompt",
                ".nl-lane",
                ".nl-option",
                ".nl-feedback",
                ".nl-lesson .nl-foot [data-do='next']",
            )
        walker.click(".nl-lesson .nl-foot [data-do='next']")
        assert walker.focused()
    for _ in range(IN_A_ROW):
        walker.in_sight(".nl-note-line", ".nl-exercise .nl-prompt", ".nl-lane", ".nl-option")
        walker.click(f".nl-option[data-option='{min(board(walker).question.right)}']")
        walker.click(".nl-lesson .nl-foot [data-do='next']")
    assert walker.count(".nl-recap li") == len(rules_lesson(name).questions)
    assert walker.home.screen.desk.progress.done.keys() == {name}
    following = [*lesson_names(), ""][lesson_names().index(name) + 1]
    walker.click("[data-do='next-lesson']")
    assert walker.home.screen.parts["screen"].data["open"] == following


def answer_problem(walker: Walker, problem: Problem) -> None:
    if problem.choices:
        walker.click(f"[data-choice='{problem.answer}']")
        return
    answer = problem.answer
    close = problem.slack and not isinstance(answer, str)
    walker.fill(".nl-answer", f"{float(answer):.4f}" if close else str(answer))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.smoke) if name == "p2" else name
        for name in lesson_names()
        if number_of(name) is not None
    ],
)
def test_every_probability_lesson_from_first_to_last_step(visit: Visit, tmp_path: Path, name: str) -> None:
    walker = visit(tmp_path)
    walker.open_lesson(name)
    walker.in_sight(".nl-lesson-say", ".nl-lesson .nl-foot [data-do='next']")
    walker.click(".nl-lesson .nl-foot [data-do='next']")
    # Something to try: dots fall in each way, on one scale.
    ways = walker.count("[data-way]")
    assert ways >= 2
    for at in range(ways):
        walker.click(f"[data-way='{at}']")
        walker.click("[data-times='10']")
        assert sum(count for _, count in board(walker).data["stacks"]) == 10
        assert walker.count(".nl-dots .nl-dot") == 10 and walker.count(".nl-dots .nl-mean") == 1
    walker.click("[data-times='200']")
    assert len(board(walker).values) == 210 and walker.count(".nl-dots .nl-dot")
    assert walker.count(".nl-matrix .nl-last") == (name == "p7") and bool(walker.count(".nl-tail")) == (name == "p8")
    walker.click(".nl-lesson .nl-foot [data-do='next']")
    assert walker.count(".nl-lesson-box") == 1 and walker.count(".nl-lesson-say") == 2, "the name, and an example"
    walker.click(".nl-lesson .nl-foot [data-do='next']")
    questions = problems(number_of(name) or 0, 0)
    for at, problem in enumerate(questions):
        if at == len(questions) // 2:
            walker = visit(tmp_path)
        walker.in_sight(".nl-problem .nl-prompt", ".nl-lane", ".nl-chart", ".nl-answer", "[data-choice]")
        if not problem.choices:
            walker.fill(".nl-answer", "77777")
            assert walker.count(".nl-feedback.nl-wrong") == 1
        answer_problem(walker, problem)
        walker.in_sight(".nl-feedback.nl-right")
        assert walker.count(".nl-feedback.nl-right") == 1
        if walker.count("[data-times='10']"):
            walker.click("[data-times='10']")
            assert "10" in walker.text(".nl-experiment [role=status]")
            assert walker.count(".nl-counts rect") == len(board(walker).experiment.counts), "a bar for each result"
        walker.click(".nl-lesson .nl-foot [data-do='next']")
    assert walker.count(".nl-lesson-box") == 1, "to remember"
    walker.click(".nl-lesson .nl-foot [data-do='next']")
    walker.in_sight(".nl-problem .nl-prompt", ".nl-note-line")  # fresh questions, until three in a row are right
    for _ in range(IN_A_ROW):
        assert walker.find(".nl-lesson .nl-foot [data-do='next']").is_disabled()
        answer_problem(walker, board(walker).problem)
        walker.click(".nl-lesson .nl-foot [data-do='next']")
    assert walker.count(".nl-recap li") == len(questions)
    assert walker.home.screen.desk.progress.done.keys() == {name}
    walker.fill(".nl-lesson-end input", "Ann")
    with walker.page.expect_download() as waiting:
        walker.click("[data-do='download']")
    handed_in = Results.from_json(Path(waiting.value.path()).read_text(encoding="utf-8"))
    assert (handed_in.name, handed_in.right) == ("Ann", len(questions))


def table(walker: Walker) -> Any:
    return walker.home.screen.parts["screen"].parts["table"]


def start(walker: Walker, game: str, players: int) -> None:
    walker.go("play")
    walker.click(f"[data-game='{game}']")
    walker.click(f"[data-do='players-{players}']")
    if walker.count(".nl-more summary") and any(option in ("rounds",) for option in _options(walker, game)):
        walker.click(".nl-more summary")
        walker.find("[data-option-name='rounds']").fill("1")
        walker.page.keyboard.press("Tab")
    walker.click("[data-do='start']")


def _options(walker: Walker, game: str) -> list[str]:
    forms: Any = walker.home.screen.parts["screen"].data["games"]
    return [option["name"] for form in forms if form["name"] == game for option in form["options"]]


def choose(walker: Walker, turn: int) -> None:
    """Whatever a person would click next: the next round, let it run, or one of the cards, rows or words in sight."""
    if walker.count("[data-do='next-round']"):
        walker.click("[data-do='next-round']")
        return
    if walker.count("[data-do='run']") and turn % 3:
        walker.click("[data-do='run']")
        return
    options = walker.find(".nl-mine .nl-option:not(.nl-compose)")
    if options.count():
        options.nth(turn * 5 % options.count()).click()
        walker.settle()
        return
    for at in range(walker.count(".nl-mine .nl-compose")):  # several cards make one choice
        before = len(table(walker).record.choices)
        walker.find(".nl-mine .nl-compose").nth(at).click()
        walker.settle()
        if len(table(walker).record.choices) > before:
            return


@pytest.mark.parametrize("game", all_games())
def test_a_whole_game_of_every_system_by_mouse(visit: Visit, tmp_path: Path, game: str) -> None:
    walker = visit(tmp_path)
    start(walker, game, max(2, all_games()[game].for_players[0]))
    turns = 0
    while not table(walker).record.final.is_over:
        if turns == 3:
            before = table(walker).record
            walker = visit(tmp_path)  # a reload in the middle: the same game, the same log
            walker.click("[data-do='log']")
            assert table(walker).record == before and walker.count(".nl-log-line") > 3
        if turns % 4 == 0:
            walker.in_sight(
                ".nl-lead .nl-prompt",
                ".nl-mine .nl-option",
                ".nl-lane",
                ".nl-hand",
                "[data-do='undo']",
                "[data-do='line']",
            )
        if turns == 5:
            lines, plies = walker.count(".nl-log-line"), len(table(walker).record.choices)
            choose(walker, turns)
            walker.click("[data-do='undo']")
            assert len(table(walker).record.choices) == plies and walker.count(".nl-log-line") == lines, (
                "the log is undone, too"
            )
        choose(walker, turns)
        turns += 1
        assert turns < 150
    walker.click("[data-do='finish']")
    walker.in_sight(
        ".nl-end-screen h1",
        ".nl-scores",
        "[data-do='again']",
        "[data-do='save']",
        "[data-do='share']",
        "[data-do='replay']",
    )
    walker.click("[data-do='save']")
    assert (tmp_path / "games" / f"{game}-1.nimmt").is_file()
    assert walker.page.evaluate("document.activeElement.dataset.do") == "save", "Enter once more begins no other game"
    walker.click("[data-do='replay']")
    walker.in_sight(".nl-controls", ".nl-say")
    walker.click("[data-do='back-to-end']")
    with walker.page.expect_download() as waiting:
        walker.click("[data-do='share']")
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    walker.click("[data-do='again']")
    assert table(walker).record.choices == () or len(table(walker).record.choices) < 5


@pytest.mark.smoke
def test_a_whole_game_by_keyboard_alone(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)

    def reach(wanted: str) -> None:
        for _ in range(60):
            if walker.page.evaluate(f"document.activeElement.matches({wanted!r})"):
                return
            walker.page.keyboard.press("Tab")
        raise AssertionError(f"{wanted} is not reached")

    reach("[data-door='play']")
    walker.press("Enter")
    reach(".nl-more summary")
    walker.press("Enter")
    reach("[data-option-name='rounds']")
    walker.page.keyboard.type("1")
    reach("[data-do='start']")
    walker.press("Enter")
    turns = 0
    while not table(walker).record.final.is_over:
        assert walker.page.evaluate("document.activeElement.matches('.nl-option')"), "the focus is on what to do next"
        walker.press(*["ArrowRight"] * (turns % 3), "Enter")
        turns += 1
    assert walker.page.evaluate("document.activeElement.dataset.do") == "finish"
    walker.press("Enter")
    assert walker.page.evaluate("document.activeElement.dataset.do") == "review"


@pytest.mark.smoke
def test_three_clicks_to_the_first_right_answer_and_to_the_first_card(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.click("[data-do='go-on']")
    walker.click(".nl-lesson .nl-foot [data-do='next']")
    walker.click(f".nl-option[data-option='{min(board(walker).question.right)}']")
    assert walker.count(".nl-feedback.nl-right") == 1
    walker = visit(tmp_path / "another")
    walker.go("play")
    walker.click("[data-do='quick']")
    game = table(walker).record.game
    assert (game.players, game.rounds) == (4, 1), "three opponents, one round"
    walker.click(".nl-mine .nl-option")
    assert len(table(walker).record.choices) == 1


def test_one_press_of_enter_does_one_thing_in_a_lesson(visit: Visit, tmp_path: Path) -> None:
    walker = visit(tmp_path)
    walker.open_lesson("first_turn")
    while walker.count("[data-do='step']"):
        walker.press("Enter")
    walker.press("Enter")
    exercise = board(walker)
    assert isinstance(exercise, LessonExercise)
    [right] = exercise.question.right
    wrong = next(choice for choice in exercise.question.choices if choice != right)
    walker.press(wrong)
    walker.page.evaluate("document.activeElement.blur()")
    walker.press("Enter")
    assert [answer.said for answer in exercise.answers] == [wrong], "Try again is not an answer, too"
    assert walker.count(".nl-feedback.nl-wrong") == 0
    walker.press(right, "Enter")
    after = board(walker)
    assert after is not exercise and walker.count(".nl-row-option")
    focused = walker.page.evaluate("[document.activeElement.dataset.do ?? '', document.activeElement.className]")
    assert focused[0] != "map" and "nl-row-option" in focused[1], "Enter must not leave the lesson"
