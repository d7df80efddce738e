"""Lesson pages without a browser: what may be left behind, what is kept, what is saved."""

from __future__ import annotations

import html
from dataclasses import replace
from pathlib import Path

import pytest

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.lessons import Results, lesson_names, problems, question_of, rules_lesson
from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import localised
from nimmt_lab.widgets.experiment import Experiment
from nimmt_lab.widgets.lesson import ClassroomPage, LessonExercise, RulesPage, progress, show


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", lesson_names())
def test_every_lesson_proves_itself(name: str, lang: str) -> None:
    page = show(name, lang=lang)
    page.verify()
    assert words(lang)(f"{name}.title") in html.unescape(page._title.value)


def exercise(page: RulesPage) -> LessonExercise:
    (board,) = page._body.children
    assert isinstance(board, LessonExercise)
    return board


def test_a_question_must_be_answered_or_shown_before_going_on(tmp_path: Path) -> None:
    page = RulesPage("first_turn", folder=tmp_path)
    page.go(1)
    assert page.at == 1 and page._next.disabled
    page.go(2)
    assert page.at == 1
    board = exercise(page)
    (right,) = board.question.right
    wrong = next(choice for choice in board.question.choices if choice != right)
    board.receive({"type": "answer", "question": 0, "choice": wrong, "seconds": 1})
    page.go(2)
    assert page.at == 1 and page.tries == {"row": [wrong]}
    board.receive({"type": "answer", "question": 0, "choice": right, "seconds": 1})
    assert not page._next.disabled and page.tries == {"row": [wrong, right]}
    board.receive({"type": "next"})
    assert page.at == 2
    board = exercise(page)
    board.receive({"type": "hint", "question": 0})
    page.go(3)
    assert page.at == 2 and page.hinted == {"closest"}
    board.receive({"type": "show", "question": 0})
    page.go(3)
    assert page.at == 3 and "closest" not in page.tries
    page.go(0)
    page.go(9)
    assert page.at == 3, "as far as the first question that waits"


def answer_all(page: RulesPage) -> None:
    for step in page.lesson.steps:
        if step.ask:
            exercise(page).answer(next(iter(question_of(step).right)))
        page.go(page.at + 1)


def test_the_end_is_remembered_and_can_be_handed_in(tmp_path: Path) -> None:
    memory.Progress("pl", folder=tmp_path).save()
    page = RulesPage("traps", folder=tmp_path)
    answer_all(page)
    questions = len(rules_lesson("traps").questions)
    assert memory.load(tmp_path).done == {"traps": (questions, questions)}
    assert page.save("") == words("pl")("page.name_first") and not (tmp_path / memory.HAND_IN).exists()
    told = page.save(" Ann ")
    assert "Ann-traps-0.json" in told
    assert Results.load(tmp_path / memory.HAND_IN / "Ann-traps-0.json").right == questions
    assert memory.load(tmp_path).name == "Ann" and memory.load(tmp_path).done
    page.restart()
    assert page.at == 0 and page.tries == {}


def test_the_language_is_switched_for_all_lessons_and_tries_are_kept(tmp_path: Path) -> None:
    memory.Progress(folder=tmp_path).save()
    page = RulesPage("first_turn", folder=tmp_path)
    page.go(1)
    exercise(page).answer("1")
    page._lang.value = "cs"
    assert page.at == 1 and page.tries == {"row": ["1"]}
    assert exercise(page).scene["question"]["prompt"] == words("cs")("first_turn.row")
    assert memory.load(tmp_path).lang == "cs"
    assert RulesPage("traps", folder=tmp_path).say.lang == "cs"


def test_a_scene_does_not_give_the_answer_away() -> None:
    for name in ("first_turn", "buffalo_cards", "board"):
        for step in rules_lesson(name).questions:
            page = RulesPage(name)
            board = LessonExercise(question_of(step, name), step, "en", page)
            assert "right" not in board.scene["question"] and len(board.scene["frames"]) == 1
            assert {option["text"] for option in board.scene["question"]["options"]} >= board.question.right


def test_hidden_hands_stay_hidden() -> None:
    step = next(step for step in rules_lesson("traps").steps if step.name == "check1")
    page = RulesPage("traps")
    board = LessonExercise(question_of(step, "traps"), step, "en", page)
    seats = [board.scene["pool"][at]["hand"] for at in board.scene["frames"][0]["seats"]]
    assert seats[0] == [14, 42, 50] and seats[1:] == [None, None]


def test_a_classroom_page_judges_and_explains(tmp_path: Path) -> None:
    page = ClassroomPage(2, seed=7, folder=tmp_path)
    problem = problems(2, 7)[1]
    assert "3/14" in page.respond(problem, "who knows") and page.tries == {}
    assert words("en")("page.wrong") in page.respond(problem, "0.9")
    assert "10 of 30" in page.respond(problem, "1/3")
    assert page.tries == {"p2.one": ["0.9", "1/3"]} and page.first_tries == (0, 6)
    page.go(2)
    assert page.at == 2
    field, _told, experiment = page._body.children
    for _ in range(2):
        field.receive({"type": "answer", "text": "0.33"})
    assert page.tries["p2.one"][2:] == ["0.33"], "twice the same is one answer"
    experiment.run(10)
    assert experiment.runs == 10 and "1/3" in experiment._told.value
    page.go(1)
    page.go(3)
    experiment = page._body.children[2]
    experiment.run(10)
    assert "58/15" not in experiment._told.value, "not before it is answered"


def test_other_numbers_begin_again() -> None:
    page = ClassroomPage(2, seed=7)
    page.respond(page.problems[0], "10")
    (sheet,) = page._body.children
    sheet.value = 8
    assert page.seed == 8 and page.tries == {} and page._body.children == (sheet,)
    page.go(1)
    assert str(problems(2, 8)[0].parts["card"]) in page._text.children[0].value


def test_only_classroom_lessons_have_a_seed() -> None:
    assert show("p3", seed=4).seed == 4
    with pytest.raises(RulesError, match="seed"):
        show("traps", seed=4)
    with pytest.raises(RulesError, match="no lesson 'moon'"):
        show("moon")


def test_progress_lists_every_lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.Progress("pl", folder=tmp_path).with_lesson("traps", 5, 5).save()
    monkeypatch.chdir(tmp_path)
    text = progress()._repr_markdown_()
    assert "✓ 5/5" in text and all(words("pl")(f"{name}.title") in text for name in lesson_names())


def experiment_of(page: ClassroomPage, at: int) -> Experiment:
    _text, (*_, experiment) = page.make(at)
    assert isinstance(experiment, Experiment)
    return experiment


def test_every_pupil_has_runs_of_their_own() -> None:
    """Two pupils with the same sheet see other runs, and each experiment of a page other ones than the next."""
    pages = [ClassroomPage(2, seed=7) for _ in range(4)]
    assert len({page.draws for page in pages}) == 4
    means = []
    for page in pages:
        experiment = experiment_of(page, 3)
        experiment.run(100)
        means.append(experiment.mean)
    assert len(set(means)) > 1
    known = ClassroomPage(2, seed=7, draws=5)
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
    experiment = Experiment(replace(problem, trial=lambda rng: (0.0, rng)), say, seed=1)
    experiment.run(10)
    text = html.unescape(experiment._told.value)
    assert "±" not in text and "svg" not in text
    assert localised(say("page.same", runs=10, mean="0.000"), lang) in text
    experiment = Experiment(problem, say, seed=1)
    experiment.run(100)
    text = html.unescape(experiment._told.value)
    assert "± 0" in text and say("page.plus_minus") in text and "svg" in text


def test_pupils_do_not_see_the_notes_for_the_teacher() -> None:
    for number in range(1, 9):
        page = ClassroomPage(number, seed=7)
        text, _ = page.make(0)
        assert words("en")(f"p{number}.activity") in html.unescape(text)
        assert words("en")(f"p{number}.notes")[30:60] not in html.unescape(text)


def test_the_file_says_how_it_came_about(tmp_path: Path) -> None:
    """Which sitting, how often begun, on how many sheets: for the teacher to see."""
    page, other = ClassroomPage(2, seed=0, folder=tmp_path), ClassroomPage(2, seed=0, folder=tmp_path)
    assert page.results.sitting != other.results.sitting and (page.results.starts, page.results.sheets) == (1, 0)
    (sheet,) = page._body.children
    sheet.value = 7001  # the sheet one was given: nothing of the other was seen
    page.go(1)
    assert page.results.sheets == 1
    page.go(0)
    sheet.value = 7002
    page.go(1)
    page.restart()
    assert (page.results.starts, page.results.sheets) == (2, 2)
    assert Results.from_json(page.results.to_json()) == page.results
