"""Lessons without a browser: steps that may be skipped, saved progress and answer files."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RecordError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons import Results, lesson_names, problems, question_of, rules_lesson
from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.classroom import CLASSROOM, find
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import answer_text, localised, question_text
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.experiment import MOST, POINTS, ExperimentScreen
from nimmt_lab.screens.learn import LearnScreen, boxes
from nimmt_lab.screens.lesson import TEST_QUESTIONS, ClassroomLesson, RulesLesson, lesson
from nimmt_lab.screens.lesson_exercise import PRAISES, LessonExercise, PracticeExercise, SkipExercise
from nimmt_lab.screens.lesson_page import LessonScreen
from nimmt_lab.screens.problem import ProblemScreen
from nimmt_lab.screens.teach import TeachScreen
from nimmt_lab.widgets.lesson import progress, show
from tests.support import dig, refused


def click(page: LessonScreen, path: tuple[str, ...] = (), **message: Any) -> None:
    page.handle({"path": [*path], "message": message})


#: The pages to read before the first question of a probability lesson.
READ = 3


def past(page: Any, number: int) -> None:
    """Go to a question of a probability lesson, from 1, as somebody who has answered what comes before. The number
    after the last one stands for the practice."""
    for problem in page.problems[: number - 1]:
        page.solved(problem.key)
    last = number > len(page.problems)
    page.go(page.questions().index("practice") if last else READ - 1 + number)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", lesson_names())
def test_every_lesson_proves_itself(name: str, lang: str) -> None:
    page = show(name, lang=lang)
    page.verify()
    assert page.page["data"]["title"] == words(lang)(f"{name}.title")


def exercise(page: RulesLesson) -> LessonExercise:
    assert isinstance(page.board, LessonExercise)
    return page.board


def test_a_question_must_be_answered_or_shown_before_going_on(tmp_path: Path) -> None:
    page = RulesLesson("first_turn", Desk(tmp_path))
    click(page, type="go", at=1)
    assert page.at == 1 and not page.data["ready"]
    click(page, type="go", at=2)
    assert page.at == 1
    board = exercise(page)
    (right,) = board.question.right
    wrong = next(choice for choice in board.question.choices if choice != right)
    click(page, ("board",), type="answer", question=0, choice=wrong, seconds=1)
    page.go(2)
    assert page.at == 1 and page.tries == {"row": [wrong]}
    click(page, ("board",), type="answer", question=0, choice=right, seconds=1)
    assert page.data["ready"] and page.tries == {"row": [wrong, right]}
    click(page, ("board",), type="next")
    assert page.at == 2
    click(page, ("board",), type="hint", question=0)
    page.go(3)
    assert page.at == 2 and page.hinted == {"closest"}
    click(page, ("board",), type="show", question=0)
    page.go(3)
    assert page.at == 3 and "closest" not in page.tries
    page.go(0)
    page.go(9)
    assert page.at == 4, "as far as the first question that waits"


def test_after_a_shown_answer_the_next_question_starts_fresh() -> None:
    page = RulesLesson("first_turn", Desk(None))
    page.go(1)
    right = exercise(page).question.right
    for wrong in [choice for choice in exercise(page).question.choices if choice not in right][:3]:
        click(page, ("board",), type="answer", question=0, choice=wrong)
    click(page, ("board",), type="show", question=0)
    click(page, type="go", at=2)
    assert page.at == 2 and not page.data["ready"] and not page.ready


def answer_all(page: RulesLesson) -> None:
    for step in page.lesson.steps:
        if step.ask:
            exercise(page).answer(next(iter(question_of(step).right)))
        page.go(page.at + 1)
    practise(page)


def practise(page: RulesLesson) -> None:
    while isinstance(page.board, PracticeExercise):
        page.board.answer(min(page.board.question.right))
        page.go(page.at + 1)


def test_the_end_is_remembered_leads_on_and_can_be_handed_in(tmp_path: Path) -> None:
    memory.Progress("pl", folder=tmp_path).save()
    left: list[str] = []
    page = RulesLesson("traps", Desk(tmp_path), leave=left.append)
    answer_all(page)
    questions = len(rules_lesson("traps").questions)
    assert memory.load(tmp_path).done == {"traps": (questions, questions)}
    end: Any = page.data["end"]
    assert end["next"] == [{"name": "scoring", "title": words("pl")("scoring.title")}]
    assert len(end["recap"]) == questions and {one["mark"] for one in end["recap"]} == {"first"}
    click(page, type="leave", to="scoring")
    assert left == ["scoring"]
    click(page, type="save", name="")
    assert page.data["told"] == words("pl")("page.name_first") and not (tmp_path / memory.HAND_IN).exists()
    click(page, type="save", name=" Ann ")
    assert "Ann-traps-0.json" in str(page.data["told"])
    assert Results.load(tmp_path / memory.HAND_IN / "Ann-traps-0.json").right == questions
    assert memory.load(tmp_path).name == "Ann" and memory.load(tmp_path).done
    # Or by download: the same answers, whatever the folder.
    heard: list[Any] = []
    page.listen(heard.append)
    click(page, type="download", name="")
    assert page.data["told"] == words("pl")("page.name_first")
    click(page, type="download", name=" Zoë ")
    (file,) = [said["message"] for said in heard if "message" in said]
    assert file["name"] == "Zoë-traps-0.json" in str(page.data["told"])
    handed_in = Results.from_json(file["text"])
    assert (handed_in.name, handed_in.right, handed_in.sitting) == ("Zoë", questions, page.results.sitting)
    click(page, type="restart")
    assert page.at == 0 and page.tries == {}


def test_a_wrong_answer_and_one_that_was_shown_are_told_apart_at_the_end() -> None:
    page = RulesLesson("traps", Desk(None))
    for number, step in enumerate(page.lesson.steps):
        if step.ask:
            question = exercise(page).question
            wrong = next(choice for choice in question.choices if choice not in question.right)
            if number % 2:
                click(page, ("board",), type="answer", question=0, choice=wrong)
                click(page, ("board",), type="answer", question=0, choice=next(iter(question.right)))
            else:
                click(page, ("board",), type="show", question=0)
        page.go(page.at + 1)
    practise(page)
    end: Any = page.data["end"]
    asked = [number for number, step in enumerate(page.lesson.steps) if step.ask]
    assert [one["mark"] for one in end["recap"]] == ["later" if number % 2 else "open" for number in asked]


def test_the_language_is_switched_for_all_lessons_and_tries_are_kept(tmp_path: Path) -> None:
    memory.Progress(folder=tmp_path).save()
    page = RulesLesson("first_turn", Desk(tmp_path))
    page.go(1)
    exercise(page).answer("1")
    click(page, type="lang", lang="cs")
    assert page.at == 1 and page.tries == {"row": ["1"]}
    scene: Any = exercise(page).data["scene"]
    assert scene["question"]["prompt"] == words("cs")("first_turn.row")
    assert memory.load(tmp_path).lang == "cs"
    assert RulesLesson("traps", Desk(tmp_path)).say.lang == "cs"


def test_a_lesson_continues_where_it_was_left(tmp_path: Path) -> None:
    first = RulesLesson("first_turn", Desk(tmp_path))
    first.go(1)
    click(first, ("board",), type="hint", question=0)
    click(first, ("board",), type="answer", question=0, choice=next(iter(exercise(first).question.right)))
    first.go(2)
    again = RulesLesson("first_turn", Desk(tmp_path))
    assert (again.at, again.tries, again.hinted, again.sitting) == (2, first.tries, {"row"}, first.sitting)
    again.go(1)
    again.go(2)
    assert again.at == 2, "what was answered need not be answered again"
    assert RulesLesson("traps", Desk(tmp_path)).at == 0
    sheet = ClassroomLesson(2, Desk(tmp_path))
    sheet.other(7002)
    past(sheet, 3)
    assert (ClassroomLesson(2, Desk(tmp_path)).seed, ClassroomLesson(2, Desk(tmp_path)).at) == (7002, 5)


@pytest.mark.parametrize(
    "kept",
    [
        {"version": [2, ""], "at": 99, "seed": 0, "tries": {"moon": ["1"]}, "open": ["moon"]},
        {"version": [2, ""], "at": "x"},
        {"version": [2, ""], "at": 3, "seed": 0, "tries": {}},
        # Saved by the lesson before: another lesson under the same name.
        {"at": 4, "seed": 0, "tries": {"row": ["2"]}, "open": ["row", "closest"]},
        {"version": [1, ""], "at": 7, "seed": 0, "tries": {"order": ["2"]}, "open": []},
    ],
)
def test_state_that_does_not_fit_the_lesson_is_ignored(kept: dict[str, Any]) -> None:
    desk = Desk(None)
    desk.memory.put("lesson first_turn", kept)
    page = RulesLesson("first_turn", desk)
    assert page.tries == {} and 0 <= page.at <= len(page.questions())
    if kept["at"] == 3:
        assert page.at == 1, "a question that waits comes first"
    if kept.get("version") != [2, ""]:
        assert page.at == 0, "an earlier version starts again"


def test_an_unwritable_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt_lab.engine.errors import CannotWrite

    def full(*_: object, **_how: object) -> None:
        raise CannotWrite("disk full")

    page = RulesLesson("traps", Desk(tmp_path))
    monkeypatch.setattr(memory, "write_file", full)
    monkeypatch.setattr("nimmt_lab.screens.memory.write_file", full)
    answer_all(page)
    assert page.data["told"] == words("en")("page.not_saved", folder=tmp_path)
    assert page.data["end"] is not None and page.desk.progress.done


def test_a_scene_does_not_give_the_answer_away() -> None:
    for name in ("first_turn", "buffalo_cards", "board"):
        for step in rules_lesson(name).questions:
            page = RulesLesson(name, Desk(None))
            board = LessonExercise(question_of(step, name), step, "en", page)
            scene: Any = board.data["scene"]
            assert "right" not in scene["question"] and len(scene["frames"]) == 1
            assert {option["text"] for option in scene["question"]["options"]} >= board.question.right


def test_hidden_hands_stay_hidden() -> None:
    step = next(step for step in rules_lesson("traps").steps if step.name == "check1")
    board = LessonExercise(question_of(step, "traps"), step, "en", RulesLesson("traps", Desk(None)))
    scene: Any = board.data["scene"]
    seats = [scene["pool"][at]["hand"] for at in scene["frames"][0]["seats"]]
    assert seats[0] == [14, 42, 50] and seats[1:] == [None, None]


def problem_of(page: ClassroomLesson) -> ProblemScreen:
    assert isinstance(page.board, ProblemScreen)
    return page.board


def test_a_classroom_page_judges_and_explains(tmp_path: Path) -> None:
    page = ClassroomLesson(2, Desk(tmp_path), seed=7)
    past(page, 2)
    assert page.questions()[page.at] == "p2.one"
    board = problem_of(page)
    board.respond("who knows")
    assert "3/14" in str(board.data["told"]) and page.tries == {}
    board.respond("0.9")
    assert board.data["told"] == f"{words('en')('missed.too_large')} {words('en')('page.wrong')}"
    board.respond("1/3")
    assert "10 of 30" in str(board.data["told"])
    assert page.tries == {"p2.one": ["0.9", "1/3"]} and page.first_tries == (0, 6)
    for _ in range(2):
        click(page, ("board",), type="answer", text="0.33")
    assert page.tries["p2.one"][2:] == ["0.33"], "twice the same is one answer"
    click(page, ("board", "experiment"), type="run", times=10)
    assert board.experiment is not None and board.experiment.runs == 10 and "1/3" in str(board.experiment.data["told"])
    past(page, 1)
    past(page, 3)
    experiment = problem_of(page).experiment
    assert experiment is not None
    experiment.run(10)
    assert "58/15" not in str(experiment.data["told"]) and experiment.data["exact"] is None, "not before it is answered"


def test_what_a_question_is_about_is_on_the_screen() -> None:
    for number in CLASSROOM:
        page = ClassroomLesson(number, Desk(None), seed=7)
        for at, problem in enumerate(page.problems, READ):
            _, board = page.make(at)
            assert isinstance(board, ProblemScreen)
            scene: Any = board.data["scene"]
            assert (scene is None) == (problem.state is None) and (board.data["chart"] is None) == (
                problem.chart is None
            )
            if problem.state is not None:
                rows = [scene["pool"][row]["cards"] for row in scene["frames"][0]["rows"]]
                assert rows == [list(row) for row in problem.state.rows]


def test_an_earlier_question_has_its_number() -> None:
    """The text says "your exact value of question 2", so the page says which that was."""
    page = ClassroomLesson(4, Desk(None), seed=7)
    past(page, 6)
    found: Any = problem_of(page).data["found"]
    assert [asked for asked, _ in found] == [f"2. {question_text(page.problems[1], words('en'))}"]
    assert "question 2" in question_text(page.problems[5], words("en"))


def test_a_third_wrong_number_is_met_with_the_answer() -> None:
    page = ClassroomLesson(2, Desk(None), seed=7)
    past(page, 2)
    board = problem_of(page)
    for said, told in (("2/3", "opposite"), ("3", "upside_down"), ("1/30", "too_small")):
        board.respond(said)
        assert words("en")(f"missed.{told}") in str(board.data["told"])
    assert "1/3" in str(board.data["told"]) and "10 of 30" in str(board.data["told"])
    assert page.first_tries == (0, 6) and len(page.tries["p2.one"]) == 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", CLASSROOM)
def test_every_probability_lesson_ends_with_fresh_numbers(number: int) -> None:
    page = ClassroomLesson(number, Desk(None), seed=7)
    page.sitting = "0123456789abcdef"
    past(page, len(page.problems) + 1)
    asked = []
    for right in (True, False, True, True, True):
        problem = problem_of(page).problem
        asked.append(problem)
        if not right:
            problem_of(page).respond(next((choice for choice in problem.choices if choice != problem.answer), "77777"))
        answer = problem.answer
        close = problem.slack and not isinstance(answer, str)
        problem_of(page).respond(f"{float(answer):.4f}" if close else str(answer))
        page.go(page.at + 1)
    assert page.data["end"] is not None and page.streak == 3 and not page.tries
    assert [problem.key for problem in asked] == [problem.key for problem in page.problems][:5]
    assert [(p.answer, p.parts) for p in asked] != [(p.answer, p.parts) for p in page.problems[:5]], "other numbers"
    later = ClassroomLesson(number, Desk(None), seed=7)
    past(later, len(later.problems) + 1)
    for _ in range(3):
        later.go(later.at + 1)
    at_practice = later.at == later.questions().index("practice")
    assert later.data["end"] is None and at_practice, "three in a row, or it isn't done"
    assert later.data["hand_in"] is not None, "when there is no time left, what was answered can be handed in"


@pytest.mark.parametrize("name", ["p2", "first_turn"])
def test_eight_clicks_on_next_are_not_a_finished_lesson(name: str) -> None:
    page = lesson(name, Desk(None))
    for _ in range(12):
        click(page, type="go", at=page.at + 1)
    assert page.data["end"] is None and page.waits_now and not page.tries
    click(page, type="go", at=len(page.questions()))
    assert page.data["end"] is None and name not in page.desk.progress.done


def test_nobody_jumps_over_the_practice() -> None:
    page = RulesLesson("first_turn", Desk(None))
    page._open |= {*page.questions()}
    page.at = len(page.questions()) - 2
    click(page, type="go", at=len(page.questions()))
    assert page.at == len(page.questions()) - 1 and page.data["end"] is None


def test_the_recap_tells_shown_from_unanswered() -> None:
    page = ClassroomLesson(2, Desk(None), seed=7)
    page.go(READ)
    for said in ("91", "92", "93"):
        problem_of(page).respond(said)
    marks = {one["text"]: one["mark"] for one in page._end()["recap"]}  # type: ignore[index, union-attr, call-overload]
    assert [*marks.values()] == ["open", *["none"] * 5]
    assert words("en")("page.recap_open") != words("en")("page.recap_none")


def test_progress_of_another_version_is_not_judged_by_this_one(tmp_path: Path) -> None:
    """Its answers were to other questions."""
    page = ClassroomLesson(2, Desk(tmp_path), seed=7)
    page.go(READ)
    problem_of(page).respond("0")
    memory = Desk(tmp_path).memory
    kept = dict(memory.get("lesson p2"))
    assert ClassroomLesson(2, Desk(tmp_path), seed=7).tries == {"p2.between": ["0"]}
    cases: list[tuple[list[Json] | None, dict[str, list[str]]]] = [([99, ""], {}), (None, {"p2.between": ["0"]})]
    for version, tries in cases:  # earlier pages saved no version
        memory.put("lesson p2", {**kept, "version": version} if version else _without_version(kept))
        again = ClassroomLesson(2, Desk(tmp_path), seed=7)
        assert again.tries == (tries if version or find("p2").version == 1 else {})


def _without_version(kept: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in kept.items() if key != "version"}


def test_in_a_browser_saving_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no folder that a person could open, so the notice doesn't name one."""
    heard: list[Any] = []
    page = ClassroomLesson(2, Desk(tmp_path), seed=7)
    page.listen(heard.append)
    saved = page.hand_in("Ann")
    (message,) = [said["message"] for said in heard if "message" in said]
    results = replace(page.results, name="Ann")
    assert message == {"type": "handed", "name": results.file, "text": results.to_json()}, "to share it"
    assert saved == words("en")("page.saved", file=f"hand-in/{results.file}")
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert page.hand_in("Ann") == words("en")("page.downloaded", file=results.file)
    page._step()
    assert page.data["browser"] is True


def test_other_numbers_begin_again() -> None:
    page = ClassroomLesson(2, Desk(None), seed=7)
    page.go(READ)
    problem_of(page).respond("10")
    page.go(0)
    click(page, type="sheet", seed=8)
    assert page.seed == 8 and page.tries == {} and page.at == 0
    page.go(READ)
    assert str(problems(2, 8)[0].parts["card"]) in str(problem_of(page).data["text"])
    click(page, type="sheet", seed=-1)
    assert page.seed == 8


def test_only_classroom_lessons_have_a_seed() -> None:
    assert show("p3", seed=4).screen.seed == 4
    with refused(RulesError, "screens.only_probability_lessons"):
        show("traps", seed=4)
    with refused(RulesError, "shared.no_lesson_of", lesson="'moon'"):
        show("moon")


def test_progress_lists_every_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.Progress("pl", folder=tmp_path).with_lesson("traps", 5, 5).save()
    monkeypatch.chdir(tmp_path)
    text = progress()._repr_markdown_()
    assert "✓ 5/5" in text and all(words("pl")(f"{name}.title") in text for name in lesson_names())


def experiment_of(page: ClassroomLesson, at: int) -> ExperimentScreen:
    _, board = page.make(READ - 1 + at)
    assert isinstance(board, ProblemScreen) and board.experiment is not None
    return board.experiment


def test_every_pupil_has_runs_of_their_own() -> None:
    """Two pupils with the same sheet see other runs, and each experiment of a page other ones than the next."""
    pages = [ClassroomLesson(2, Desk(None), seed=7) for _ in range(4)]
    assert len({page.draws for page in pages}) == 4
    means = []
    for page in pages:
        experiment = experiment_of(page, 3)
        experiment.run(100)
        means.append(experiment.mean)
    assert len(set(means)) > 1
    known = ClassroomLesson(2, Desk(None), seed=7, draws=5)
    one, again, other = experiment_of(known, 2), experiment_of(known, 2), experiment_of(known, 3)
    for experiment in (one, again, other):
        experiment.run(20)
    assert one._path == again._path, "looking back changes nothing"
    known.restart()
    fresh = experiment_of(known, 2)
    fresh.run(20)
    assert known.draws == 6 and fresh.seed != one.seed != other.seed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plus_and_minus_is_explained_and_not_claimed_of_equal_runs(lang: str) -> None:
    say = words(lang)
    problem = problems(4, 7)[1]
    experiment = ExperimentScreen(replace(problem, trial=lambda rng: (0.0, rng)), say, seed=1)
    experiment.run(10)
    assert "±" not in str(experiment.data["told"]) and experiment.data["path"] == []
    assert localised(say("page.same", runs=10, mean="0.000"), lang) in str(experiment.data["told"])
    experiment = ExperimentScreen(problem, say, seed=1)
    experiment.run(100)
    assert "± 0" in str(experiment.data["told"]) and experiment.data["meaning"] == say("page.plus_minus")
    path: Any = experiment.data["path"]
    assert path[-1] == [100, experiment.mean, experiment.error]


def test_an_experiment_grows_before_ones_eyes() -> None:
    experiment = ExperimentScreen(problems(2, 7)[2], words("en"), seed=1)
    heard: list[Obj] = []
    experiment.listen(heard.append)
    experiment.run(1)
    assert experiment.data["bars"] == [[value, 1] for value in experiment.counts]
    experiment.run(1000)
    bars: Any = experiment.data["bars"]
    assert sum(count for _, count in bars) == experiment.runs == 1001 and bars == sorted(bars)
    changes = [dig(said, "data") for said in heard if "data" in said]
    grown = [sum(count for _, count in change["bars"]) for change in changes if "bars" in change]
    assert len(grown) > 50 and grown == sorted(grown), "not only at the end"
    mean = sum(value * count for value, count in bars) / 1001
    assert abs(mean - experiment.mean) < 1e-9


def test_going_on_ends_by_itself_and_draws_no_more_than_fits() -> None:
    experiment = ExperimentScreen(
        replace(problems(1, 7)[2], trial=lambda rng: (lambda at: (float(at[0]), at[1]))(rng.below(2))),
        words("en"),
        seed=1,
    )
    experiment.receive({"type": "go"})
    assert experiment.runs == MOST and len(experiment._path) <= POINTS and not experiment.data["running"]


def test_an_experiment_can_be_stopped_and_keeps_what_it_has_found() -> None:
    page = ClassroomLesson(2, Desk(None), seed=7)
    past(page, 2)
    works: list[Any] = []
    page.listen(lambda said: None, works.append)
    click(page, ("board", "experiment"), type="run", times=1000)
    experiment = problem_of(page).experiment
    assert experiment is not None and experiment.runs == 0
    (work,) = works
    for _ in range(5):
        next(work)
    assert experiment.data["running"]
    done = experiment.runs
    click(page, ("board", "experiment"), type="stop")
    assert list(work) == [] and experiment.runs == done > 0 and not experiment.data["running"]
    assert str(done) in str(experiment.data["told"])


def test_pupils_do_not_see_the_notes_for_the_teacher() -> None:
    for number in CLASSROOM:
        text = str(ClassroomLesson(number, Desk(None), seed=7).make(0)[0])
        assert words("en")(f"p{number}.activity")[:40] in text
        assert words("en")(f"p{number}.notes")[30:60] not in text


def test_the_file_says_how_it_came_about() -> None:
    """Which sitting, how often begun, on how many sheets: for the teacher to see."""
    page, other = ClassroomLesson(2, Desk(None)), ClassroomLesson(2, Desk(None))
    assert page.results.sitting != other.results.sitting and (page.results.starts, page.results.sheets) == (1, 0)
    page.other(7001)  # the sheet one was given: nothing of the other was seen
    page.go(1)
    assert page.results.sheets == 1
    page.go(0)
    page.other(7002)
    page.go(1)
    page.restart()
    assert (page.results.starts, page.results.sheets) == (2, 2)
    assert Results.from_json(page.results.to_json()) == page.results


def test_a_lesson_by_its_name() -> None:
    assert isinstance(lesson("p2", Desk(None)), ClassroomLesson) and isinstance(
        lesson("board", Desk(None)), RulesLesson
    )


def test_a_step_comes_whole_in_one_message(tmp_path: Path) -> None:
    """Words and board together: what is typed below the new words must not land in the board that is about to go."""
    screen = lesson("p2", Desk.found(tmp_path, "en"))
    heard: list[Obj] = []
    screen.listen(heard.append)
    screen.handle({"path": [], "message": {"type": "go", "at": 1}})
    (said,) = heard
    assert said["part"] == "board" and said["screen"] == screen.parts["board"].whole()
    data = said["data"]
    assert isinstance(data, dict) and data["at"] == 1 == screen.data["at"] and data["text"] == screen.data["text"]


#: Questions that say all there is to know: about the deck, or in their own words.
WHOLE = {"p2.more", "p4.times", "p8.critical", "p9.parts", "p9.needed"}


@pytest.mark.exhaustive
def test_every_question_of_a_probability_lesson_can_be_answered_from_what_is_on_the_page(tmp_path: Path) -> None:
    for number in CLASSROOM:
        page = ClassroomLesson(number, Desk(tmp_path))
        asked: dict[str, Problem] = {}
        for at, problem in enumerate(page.problems, READ):
            page.go(at)
            assert isinstance(page.board, ProblemScreen) and page.board.problem.key == problem.key
            assert set(problem.rests_on) <= set(asked), problem.key
            shown = bool(page.board.data["scene"] or page.board.data["chart"] or page.board.data["found"])
            assert shown or number == 1 or problem.key in WHOLE, problem.key
            say = page.board.say
            needed = [(number_, one) for number_, one in enumerate(asked.values(), 1) if one.key in problem.rests_on]
            assert page.board.data["found"] == [
                [f"{number_}. {question_text(one, say)}", answer_text(one, say)] for number_, one in needed
            ]
            asked[problem.key] = problem
            close = problem.slack and not isinstance(problem.answer, str)
            page.board.respond(f"{float(problem.answer):.4f}" if close else str(problem.answer))
            assert page.board.data["verdict"] == "right", problem.key
    eight = {problem.key: problem for problem in ClassroomLesson(8, Desk(None)).problems}
    assert eight["p8.decide"].rests_on == ("p8.critical",)
    for number in CLASSROOM:  # and what is practised at the end, with other numbers
        page = ClassroomLesson(number, Desk(None))
        for count in range(len(page.problems)):
            page.count = count
            fresh = page._fresh_problem()
            found = fresh.data["found"]
            assert isinstance(found, list) and len(found) == len(fresh.problem.rests_on)
    page = ClassroomLesson(8, Desk(None))
    page.go(page.questions().index("p8.decide"))
    assert isinstance(page.board, ProblemScreen) and page.board.data["found"] == [], "no answer is given away"


def test_the_first_page_has_every_lesson_and_counts_as_teach_does() -> None:
    learn = LearnScreen(Desk(None))
    shelves: dict[str, Any] = {}
    for box in boxes():
        learn.receive({"type": "box", "box": box})
        shelves[box] = learn.data["box"]
        assert learn.place == f"box-{box}"
    steps: Any = learn.data["steps"]
    shown = [one["name"] for one in [*steps, *(one for box in shelves.values() for one in box["lessons"])]]
    assert sorted(shown) == sorted(lesson_names()) and len(set(shown)) == len(shown)
    assert all(
        [one["number"] for one in box["lessons"]] == [*range(1, len(box["lessons"]) + 1)] for box in shelves.values()
    )
    teach: Any = TeachScreen(Desk(None)).data["lessons"]
    probability = shelves["probability"]["lessons"]
    assert [text for _, text in teach] == [f"{one['number']}. {one['title']}" for one in probability]
    learn.visit("box-nobody")
    assert learn.data["box"] is None and learn.place == ""


def test_a_question_of_a_probability_lesson_waits_for_its_answer() -> None:
    page: Any = lesson("p2", Desk(None))
    page.go(READ)
    page.go(READ + 1)
    assert page.at == READ and not page.ready
    for wrong in ("11/104", "12/104", "13/104"):
        page.board.respond(wrong)
    assert page.ready, "the answer is shown after the third miss"
    page.go(READ + 1)
    assert page.at == READ + 1


# Skipping what one knows -----------------------------------------------------------------------------------------


def answer_test(page: RulesLesson, right: int) -> None:
    """Answer the questions of a test, the first `right` of them right."""
    for number in range(TEST_QUESTIONS):
        board = page.board
        assert isinstance(board, SkipExercise) and page.waits_now
        good = number < right
        said = next(one for one in board.question.choices if (one in board.question.right) == good)
        click(page, ("board",), type="answer", question=0, choice=said)
        assert not page.waits_now
        click(page, ("board",), type="next")


@pytest.mark.parametrize("name", ["first_turn", "buffalo_cards", "board_cards"])
def test_a_lesson_is_skipped_by_a_test(tmp_path: Path, name: str) -> None:
    page = RulesLesson(name, Desk(tmp_path))
    assert page.data["skip"] == words("en")("page.skip_lesson", count=TEST_QUESTIONS)
    click(page, type="test")
    assert page.data["steps"] == TEST_QUESTIONS + 1 and page.data["skip"] == ""
    answer_test(page, TEST_QUESTIONS)
    assert memory.load(tmp_path).done == {name: (TEST_QUESTIONS, TEST_QUESTIONS)} and page.tries == {}
    end: Any = page.data["end"]
    assert end["stars"] == 3 and end["recap"] == [] and end["closing"] == words("en")(f"{name}.summary")
    assert [one["name"] for one in end["next"]] == [lesson_names()[lesson_names().index(name) + 1]]
    assert RulesLesson(name, Desk(tmp_path)).data["skip"] == "", "what is done need not be skipped"


@pytest.mark.parametrize("right", range(TEST_QUESTIONS))
def test_a_test_that_is_failed_leads_to_the_lesson(tmp_path: Path, right: int) -> None:
    page = RulesLesson("traps", Desk(tmp_path))
    page.start_test()
    answer_test(page, right)
    assert page.test is None and page.at == 0 and memory.load(tmp_path).done == {}
    assert page.data["told"] == words("en")("page.test_failed", right=right, all=TEST_QUESTIONS)
    assert isinstance(page.board, LessonExercise) and page.data["end"] is None


def test_hints_second_tries_and_shown_answers_do_not_pass_a_test() -> None:
    for helped in ("hint", "show", "wrong"):
        page = RulesLesson("traps", Desk(None))
        page.start_test()
        board = page.board
        assert isinstance(board, SkipExercise)
        click(page, ("board",), type="next")
        assert page.board is board, "a question waits for its answer"
        (right,) = board.question.right
        if helped == "wrong":
            wrong = next(one for one in board.question.choices if one != right)
            click(page, ("board",), type="answer", question=0, choice=wrong)
        else:
            click(page, ("board",), type=helped, question=0)
        click(page, ("board",), type="answer", question=0, choice=right)
        assert page.test == [False], helped


def test_the_way_back_from_a_test_is_the_lesson_as_it_was() -> None:
    page = RulesLesson("first_turn", Desk(None))
    page.go(1)
    page.start_test()
    first = repr(page.board.question.state) if isinstance(page.board, SkipExercise) else ""
    click(page, type="go", at=-1)
    assert page.test is None and page.at == 1
    page.start_test()
    assert isinstance(page.board, SkipExercise) and repr(page.board.question.state) != first, "other cards each time"
    click(page, type="restart")
    assert page.test is None and page.at == 0


def test_the_first_page_offers_the_test() -> None:
    desk = Desk(None)
    learn = LearnScreen(desk)
    hero: Any = learn.data["hero"]
    offer = words("en")("page.skip_lesson", count=TEST_QUESTIONS)
    assert hero["test"] == offer
    learn.receive({"type": "open", "lesson": "first_turn", "test": True})
    page = learn.parts["lesson"]
    assert isinstance(page, RulesLesson) and page.test == []
    answer_test(page, TEST_QUESTIONS)
    learn.open("")
    steps: Any = learn.data["steps"]
    assert [one["test"] for one in steps] == ["", offer, offer, offer]
    learn.receive({"type": "open", "lesson": "p1", "test": True})
    assert isinstance(learn.parts["lesson"], ClassroomLesson), "a probability lesson has none"


def test_right_answers_are_praised_in_many_words() -> None:
    page = RulesLesson("taking_rows", Desk(None))
    said = []
    for step in page.lesson.steps:
        if step.ask:
            scene: Any = exercise(page).data["scene"]
            said.append(scene["labels"]["right"])
            exercise(page).answer(next(iter(question_of(step).right)))
        page.go(page.at + 1)
    assert len({*said}) >= 4 and {*said} <= {words("en")(f"praise.{number}") for number in range(1, PRAISES + 1)}


def test_a_lesson_ends_with_a_line_that_sums_it_up() -> None:
    for lang in LANGUAGES:
        page = RulesLesson("traps", Desk(None, lang=lang))
        answer_all(page)
        end: Any = page.data["end"]
        assert end["closing"] == words(lang)("traps.summary")


def test_answers_of_the_lesson_before_are_refused_by_name() -> None:
    now = RulesLesson("first_turn", Desk(None)).results
    assert Results.from_json(now.to_json()).lesson == "first_turn"
    kept = json.loads((Path(__file__).parent.parent / "lessons" / "first_turn-1.json").read_text(encoding="utf-8"))
    with refused(RecordError, "lessons.hand_in_version", name="first_turn", got=1, version=2):
        Results.from_json(json.dumps(kept))


def test_a_star_is_for_an_answer_right_at_once() -> None:
    page = RulesLesson("first_turn", Desk(None))
    page.go(1)
    question = exercise(page).question
    wrong = next(one for one in question.choices if one not in question.right)
    click(page, ("board",), type="answer", question=0, choice=wrong)
    click(page, ("board",), type="show", question=0)
    page.go(2)
    assert page.data["stars"] == 0, "the answer was shown"
    click(page, ("board",), type="answer", question=0, choice=min(exercise(page).question.right))
    page.go(3)
    assert page.data["stars"] == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_learner_finds_their_own_seat_on_every_board_of_a_rules_lesson(lang: str) -> None:
    you = words(lang)("page.you_seat", who="A")
    assert "A" in you and len(you) > 3
    page = RulesLesson("first_turn", Desk(None, lang=lang))
    for at in range(len(page.questions())):
        _, board = page.make(at)
        scene: Any = dig(board, "data", "scene") if isinstance(board, dict) else board.data["scene"]  # type: ignore[union-attr]
        names = {seat["letter"]: seat["name"] for seat in scene["seats"]}
        assert names == {"A": you, "B": "B", "C": "C", "D": "D"}


def test_who_wins_can_be_added_up_from_the_screen() -> None:
    asked = 0
    for name in ("scoring", "buffalo", "baron_deck", "baron_variants", "board_advanced"):
        page = RulesLesson(name, Desk(None))
        for at, step in enumerate(rules_lesson(name).steps):
            if step.ask not in ("winner", "over"):
                continue
            _, board = page.make(at)
            assert isinstance(board, LessonExercise)
            scene: Any = board.data["scene"]
            assert "hands" in scene["question"]["panels"]
            points = [scene["pool"][seat]["points"] for seat in scene["frames"][0]["seats"]]
            assert any(point is not None for point in points), (name, step.name)
            asked += 1
    assert asked >= 9


def test_a_test_offers_no_help_and_no_second_try() -> None:
    page = RulesLesson("traps", Desk(None))
    exercises: list[Any] = [page.board]
    page.start_test()
    exercises.append(page.board)
    helped = [board.data["scene"]["question"]["helped"] for board in exercises]
    retry = [board.data["scene"]["labels"]["retry"] for board in exercises]
    assert helped == [True, False]
    assert retry[1] == words("en")("page.test_wrong") != retry[0]
