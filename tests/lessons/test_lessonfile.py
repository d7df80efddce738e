"""Lesson files: what they say, what is wrong with them, and that the lessons of the package keep their answers."""

from __future__ import annotations

import contextlib
import hashlib
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.engine.errors import DataError, NimmtError, RecordError
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.explain import LANGUAGES
from nimmt_lab.lessons.asked import problems_of, words_of
from nimmt_lab.lessons.classroom import judges, problems
from nimmt_lab.lessons.feedback import missed
from nimmt_lab.lessons.lessonfile import LARGEST, load_lesson, read_lesson, text_of_notebook
from nimmt_lab.lessons.library import SHIPPED
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.rules import question_of, rules_lessons
from nimmt_lab.lessons.shipped import names, shipped, source_of
from nimmt_lab.lessons.worksheet import choice_text, question_text, working_text
from tests.support import refused

KEYS = json.loads((Path(__file__).parent / "keys.json").read_text(encoding="utf-8"))

GOOD = """\
format = "nimmt-lesson/1"
name = "bags"
title = { en = "Bags", de = "Beutel" }

[[step]]
name = "see"
position = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
plays = [{ A = "14", B = "15" }]
text = { en = "Watch.", de = "Schau zu." }

[[step]]
name = "row"
ask = "row"
card = 14
position = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
reveal = { A = "14", B = "15" }

[[step]]
name = "red"
ask = "number"
draw = { red = [2, 9], blue = [2, 9], all = "red + blue" }
text = { en = "{red} red, {blue} blue: red?", de = "{red} rote, {blue} blaue: rot?" }
why = { en = "{red} of {all}.", de = "{red} von {all}." }
answer = "red / all"
[[step.slip]]
name = "odds"
answer = "red / blue"
text = { en = "Divide by all {all}.", de = "Teile durch alle {all}." }

[[step]]
name = "about"
ask = "number"
text = { en = "About how many?", de = "Ungefähr wie viele?" }
range = [10, 12]

[[step]]
name = "pick"
ask = "choice"
text = { en = "Which?", de = "Welche?" }
options = { en = ["this", "that", "both"], de = ["dies", "das", "beide"] }
right = 2
[[step.slip]]
name = "greedy"
answer = 3
text = { en = "Not both.", de = "Nicht beide." }
"""


@pytest.mark.parametrize("number", range(1, 10))
def test_sheets_keep_their_keys(number: int) -> None:
    """The answers of 60 seeds, written down: as they were before lessons became files, or in a later version."""
    for seed in range(60):
        made = {problem.key: str(problem.answer) for problem in problems(number, seed)}
        assert made == {key: answers[seed] for key, answers in KEYS["problems"][f"p{number}"].items()}, seed


@pytest.mark.parametrize("which", sorted(KEYS["earlier"]))
def test_hand_ins_of_earlier_versions_are_graded_as_they_were(which: str) -> None:
    """The answers of 60 seeds, written down before the lessons got another version."""
    name, version = which.split()
    lesson = SHIPPED.graded_by(name, int(version), "")
    assert lesson.version == int(version) < shipped(name).version
    answers = KEYS["earlier"][which]
    assert [f"{name}.{step.name}" for step in lesson.questions] == [*answers]
    for seed in range(60):
        made = {problem.key: str(problem.answer) for problem in problems(lesson, seed)}
        assert made == {key: answers[key][seed] for key in answers}, seed
    with refused(RecordError, "lessons.hand_in_version", name=name, got=9, version=shipped(name).version):
        SHIPPED.graded_by(name, 9, "")


def test_an_old_hand_in_is_read_and_graded() -> None:
    """A file of version 1 of lesson 9, with a question that is no longer asked."""
    key = {key: said[7] for key, said in KEYS["earlier"]["p9 1"].items()}
    data: dict[str, object] = {"format": "nimmt-answers/2", "name": "Ann", "lesson": "p9", "seed": 7}
    data |= {
        "sitting": "0" * 16,
        "starts": 1,
        "sheets": 1,
        "tries": {q: [said] for q, said in key.items()},
        "hinted": [],
    }
    check = hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:8]
    results = Results.from_json(json.dumps(data | {"check": check}))
    assert "p9.wider" in key and results.right == 6 and all(grade.first for grade in results.grades)


def test_rules_questions_keep_their_answers() -> None:
    made = {
        lesson.name: {
            step.name: [sorted(question_of(step).right), list(question_of(step).choices)] for step in lesson.questions
        }
        for lesson in rules_lessons()
    }
    assert made == KEYS["rules"]


def test_the_lessons_of_the_package_speak_our_languages() -> None:
    assert {shipped(name).languages for name in names()} == {LANGUAGES}
    assert all(shipped(name).name == name and not shipped(name).program for name in names())


def test_a_lesson_of_ones_own_in_two_languages() -> None:
    lesson = read_lesson(GOOD)
    english, german = words_of(lesson, "en"), words_of(lesson, "de")
    assert (english("bags.title"), german("bags.title"), words_of(lesson, "pl")("bags.title")) == (
        "Bags", "Beutel", "Bags",
    )  # fmt: skip
    row, red, about, pick = problems_of(lesson, 3)
    assert [question_text(one, german) for one in (about, pick)] == ["Ungefähr wie viele?", "Welche?"]
    assert [choice_text(one, german) for one in pick.choices] == ["dies", "das", "beide"]
    assert [choice_text(one, english) for one in row.choices] == [f"row {number}" for number in (1, 2, 3, 4)]
    assert row.answer == "row.1" and pick.answer == "pick.2"
    r, b = red.parts["red"], red.parts["blue"]
    assert isinstance(r, int) and isinstance(b, int) and 2 <= r <= 9 and 2 <= b <= 9
    assert red.answer == Fraction(r, r + b) and working_text(red, english) == f"{r} of {r + b}."
    assert missed(red, str(Fraction(r, b)), english) == f"Divide by all {r + b}."
    assert missed(pick, "pick.3", german) == "Nicht beide." and not pick.slip("pick.1")
    assert [about.is_right(text) for text in ("9", "10", "11.5", "12", "13")] == [False, True, True, True, False]
    judged = judges(lesson, 3)
    assert list(judged) == ["row", "red", "about", "pick"]
    assert judged["row"]("1") and not judged["row"]("2") and judged["pick"]("pick.2")


def test_numbers_come_from_the_seed_alone() -> None:
    lesson = read_lesson(GOOD)
    drawn = [dict(problems_of(lesson, seed)[1].parts) for seed in range(40)]
    assert drawn == [dict(problems_of(read_lesson(GOOD), seed)[1].parts) for seed in range(40)]
    assert {one["red"] for one in drawn} == set(range(2, 10))


@pytest.mark.parametrize(
    ("old", "new", "key", "line"),
    [
        ("nimmt-lesson/1", "nimmt-lesson/9", "lessons.file_format", 1),
        ('name = "bags"', 'name = "Two bags"', "lessons.file_name", 2),
        ('name = "bags"', 'name = "bags"\nversion = "2"', "lessons.file_must_number", 3),
        ('name = "bags"', 'name = "bags"\nquestions = "os:getcwd"', "lessons.file_module", 3),
        ('name = "bags"', 'name = "bags"\nheads = "no"', "lessons.file_must_yes", 3),
        ('name = "bags"', 'name = "bags"\nminutes = [1, 2]', "lessons.file_minutes", 3),
        ('name = "bags"', 'name = "bags"\ntitel = "Bags"', "lessons.file_key", 3),
        ('title = { en = "Bags", de = "Beutel" }', "", "lessons.file_languages", 1),
        ('{ en = "Bags", de = "Beutel" }', '"Bags"', "lessons.file_languages", 3),
        ('{ en = "Watch.", de = "Schau zu." }', '{ en = "Watch." }', "lessons.file_language", 9),
        ('{ en = "Watch.", de = "Schau zu." }', '{ en = "W", de = "S", fr = "V" }', "lessons.file_other_language", 9),
        ('{ en = "Watch.", de = "Schau zu." }', "3", "lessons.file_must_text", 9),
        ('name = "row"', 'name = "see"', "lessons.file_twice", 12),
        ('ask = "row"', 'ask = "moon"', "lessons.file_ask", 13),
        ('plays = [{ A = "14", B = "15" }]', "plays = 3", "lessons.plays_must_list", 8),
        ('plays = [{ A = "14", B = "15" }]', "plays = [{ A = 14 }]", "lessons.must_texts_seat", 8),
        ('plays = [{ A = "14", B = "15" }]', 'card = "x"', "lessons.file_must_number", 8),
        ('plays = [{ A = "14", B = "15" }]', 'rulings = ["C5"]', "lessons.ruling_written_r", 8),
        ('plays = [{ A = "14", B = "15" }]', 'show = ["moon"]', "lessons.file_show", 8),
        ('plays = [{ A = "14", B = "15" }]', "game = { system = 3 }", "lessons.file_wrong", 8),
        ('"12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"\nplays', '"12 | x"\nplays', "lessons.file_wrong", 7),
        ("{red} red,", "{rot} red,", "lessons.file_place", 22),
        ("{red} red,", "{red red,", "lessons.file_braces", 22),
        ('en = "Bags"', 'en = "Bags}"', "lessons.file_braces", 3),
        ('en = "Bags"', 'en = "{red} bags"', "lessons.file_place", 3),
        ('en = "Watch."', 'en = "Watch {this}."', "lessons.file_place", 9),
        ('["this", "that", "both"]', '["{this}", "that", "both"]', "lessons.file_place", 40),
        ('answer = "red / all"', "", "lessons.file_answer", 18),
        ('answer = "red / all"', 'answer = "red / all"\nrange = [1, 2]', "lessons.file_answer", 18),
        ('answer = "red / all"', 'answer = "red / al"', "lessons.file_wrong", 24),
        ('answer = "red / all"', 'answer = "red /"', "lessons.file_wrong", 24),
        ('answer = "red / all"', 'answer = "9^9^9^9"', "lessons.file_wrong", 24),
        ('answer = "red / all"', "right = 1", "lessons.file_needless", 24),
        ('answer = "red / all"', 'function = "two"', "lessons.file_no_program", 24),
        ("red = [2, 9]", "red = [9, 2]", "lessons.file_draw", 21),
        ("range = [10, 12]", "range = [12, 10]", "lessons.file_range", 34),
        ("range = [10, 12]", "range = 3", "lessons.file_range", 34),
        ("right = 2", "right = 4", "lessons.file_right", 41),
        ("right = 2", "right = [1, 2]", "lessons.file_two_right", 41),
        ("right = 2", "", "lessons.file_right", 36),
        ('["this", "that", "both"]', '["this", "this", "both"]', "lessons.file_option_twice", 40),
        ('["this", "that", "both"]', '["this", "that"]', "lessons.file_options", 40),
        ('["this", "that", "both"]', '"this"', "lessons.file_options", 40),
        ('name = "odds"\nanswer = "red / blue"', 'name = "odds"', "lessons.file_slip", 25),
        ("[[step]]", "[[step", "engine.not_toml", 5),
        ("[[step]]", "[[steps]]", "lessons.file_key", 5),
    ],
)
def test_mistakes_are_named_by_key_and_line(old: str, new: str, key: str, line: int) -> None:
    assert old in GOOD and read_lesson(GOOD)
    with refused(NimmtError, key) as caught:
        read_lesson(GOOD.replace(old, new, 1) if old != "[[step]]" or "s]]" not in new else GOOD.replace(old, new))
    assert isinstance(caught.value, DataError) and caught.value.line == line


def test_a_question_needs_one_right_answer() -> None:
    """A rules question with two equally good answers, and one whose formula fails for some seeds only."""
    both = GOOD.replace('ask = "row"\ncard = 14', 'ask = "best"').replace(
        'reveal = { A = "14", B = "15" }', 'reveal = { B = "15" }'
    )
    with refused(DataError, "lessons.step", step="row", line=11) as caught:
        problems_of(read_lesson(both), 1)
    assert isinstance(reason := caught.value.fields["error"], NimmtError) and "lessons.every_answer_good" in repr(
        reason
    )
    sometimes = read_lesson(GOOD.replace('"red / all"', '"1 / (red - 5)"'))
    failed = 0
    for seed in range(40):
        try:
            problems_of(sometimes, seed)
        except DataError as error:
            assert error.key == "lessons.file_wrong"
            failed += 1
    assert 0 < failed < 40


def test_large_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text(GOOD + "#" * 10_000_000)
    with refused(DataError, "engine.too_large_by", size=Figure(10_000_000 + len(GOOD.encode())), most=Figure(LARGEST)):
        load_lesson(path)


def test_a_notebook_can_be_a_lesson(tmp_path: Path) -> None:
    def cell(kind: str, text: str) -> dict[str, object]:
        return {"cell_type": kind, "source": text.splitlines(keepends=True), "metadata": {}}

    asked = GOOD.replace('answer = "red / all"', 'function = "red"').replace('answer = "red / blue"\n', "")
    cells = [
        cell("markdown", f"# Bags\n\n```toml\n{asked}```\n"),
        cell("code", "# lesson\ndef red(draw):\n    return {}\n"),
        cell("code", "print(1)"),
    ]
    path = tmp_path / "bags.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    lesson = load_lesson(path)
    assert lesson.program == "# lesson\ndef red(draw):\n    return {}" and lesson.steps[2].function == "red"
    for junk in ("[]", "{}", '{"cells": [3]}', '{"cells": []}'):
        with refused(DataError, "lessons.file_notebook"):
            text_of_notebook(junk)


def test_a_corrected_text_keeps_the_mark_and_another_answer_does_not() -> None:
    lesson = read_lesson(GOOD)
    corrected = read_lesson(GOOD.replace("Watch.", "Look."))
    assert corrected.mark == lesson.mark and corrected.fingerprint != lesson.fingerprint
    for old, new in (("right = 2", "right = 1"), ("[2, 9]", "[2, 8]"), ('"red / blue"', '"blue"'), ("58 ;", "59 ;")):
        assert read_lesson(GOOD.replace(old, new)).mark != lesson.mark


@given(st.text(max_size=60), st.integers(0, len(GOOD)))
def test_junk_in_a_file_is_an_error_of_ours(junk: str, at: int) -> None:
    with contextlib.suppress(NimmtError):
        read_lesson(GOOD[:at] + junk + GOOD[at:])


@given(st.data())
def test_any_value_anywhere_is_an_error_of_ours(data: st.DataObject) -> None:
    """Every value of a good file, replaced by one of another kind."""
    lines = [at for at, line in enumerate(GOOD.splitlines()) if " = " in line]
    at = data.draw(st.sampled_from(lines))
    value = data.draw(
        st.sampled_from(["3", "-1", "true", '""', '"x"', "[]", "[[1]]", "{}", "1.5", "1979-05-27", '"{x"'])
    )
    text = GOOD.splitlines()
    text[at] = f"{text[at].partition(' = ')[0]} = {value}"
    with contextlib.suppress(NimmtError):
        problems_of(read_lesson("\n".join(text)), 1)


def test_source_files_are_small() -> None:
    assert all(len(source_of(name).encode()) < LARGEST for name in names())
