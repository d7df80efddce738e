"""Lessons of one's own: where they are found, whose programs run, how hand-ins are graded."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.errors import DataError, RecordError, RulesError
from nimmt_lab.lessons import program, trust
from nimmt_lab.lessons.asked import problems_of
from nimmt_lab.lessons.authoring import template
from nimmt_lab.lessons.checking import check
from nimmt_lab.lessons.classbook import gradebook
from nimmt_lab.lessons.lessonfile import read_lesson
from nimmt_lab.lessons.library import Library
from nimmt_lab.lessons.moodle import moodle_xml
from nimmt_lab.lessons.problem import run
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.slides import slides_html
from nimmt_lab.lessons.worksheet import class_set, pages
from nimmt_lab.screens.author import AuthorScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.learn import LearnScreen
from tests.support import refused

from .test_lessonfile import GOOD

WITH_PROGRAM = '''\
format = "nimmt-lesson/1"
name = "two_cards"
language = "en"
title = "Two cards"
program = """
from pathlib import Path
Path({planted!r}).touch()

def two(draw):
    n, k = draw.number(10, 30), draw.number(3, 6)
    def trial(draw):
        return max(draw.some(range(1, n + 1), 2)) <= k
    return {{"values": {{"n": n, "k": k}}, "answer": Fraction(k * (k - 1), n * (n - 1)),
            "slips": {{"back": Fraction(k * k, n * n)}}, "trial": trial}}

{more}
"""

[[step]]
name = "two"
ask = "number"
function = "{function}"
text = "{{n}} cards, two drawn. Both at most {{k}}?"
[[step.slip]]
name = "back"
text = "No card returns."
'''


def written(planted: Path, more: str = "", function: str = "two") -> str:
    return WITH_PROGRAM.format(planted=str(planted), more=more, function=function)


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a person who has confirmed nothing."""
    folder = tmp_path / "settings"
    monkeypatch.setenv(trust.VARIABLE, str(folder))
    monkeypatch.setattr(trust, "_now", set())
    return folder


def laid(folder: Path, **files: str) -> Library:
    (folder / "lessons").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "lessons" / f"{name}.toml").write_text(text, encoding="utf-8")
    return Library(folder)


def test_a_question_without_one_right_answer_spoils_its_own_file_only(tmp_path: Path) -> None:
    """Screens show the titles of all lessons, for which the questions about the rules are worked out."""
    step = '[[step]]\nname = "one"\nask = "best"\nposition = "12 | 37 | 43 | 58 ; A: 90 91 ; B: 15 30"'
    text = f'format = "nimmt-lesson/1"\nname = "level"\nlanguage = "en"\ntitle = "Level"\n{step}\nreveal = {{ B = "15" }}\n'
    library = laid(tmp_path, level=text, mine=template("mine", "en"))
    level, mine = library.files()
    assert isinstance(level.error, DataError) and level.error.key == "lessons.step" and mine.error is None
    assert (
        library.names()[-1] == "mine" and LearnScreen(Desk(tmp_path)).data and AuthorScreen(Desk(tmp_path)).data["own"]
    )


def test_a_planted_file_runs_nothing(tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    library = laid(tmp_path, a=written(planted))
    lesson = library.find("two_cards")
    for use in (
        lambda: problems_of(lesson, 1),
        lambda: pages(lesson, class_set(1, 1)),
        lambda: slides_html(lesson, 1),
        lambda: moodle_xml(lesson, class_set(1, 1)),
    ):
        with refused(RulesError, "lessons.not_confirmed", name="two_cards"):
            use()
    assert not planted.exists()
    # A list of confirmed lessons that comes with the folder counts for nothing.
    (tmp_path / trust.FILE).write_text(json.dumps({"format": trust.FORMAT, "confirmed": [lesson.fingerprint]}))
    (tmp_path / "lessons" / trust.FILE).write_text((tmp_path / trust.FILE).read_text())
    assert not trust.confirmed(lesson.fingerprint)
    trust.confirm(lesson.fingerprint)
    (problem,) = problems_of(lesson, 1)
    assert planted.exists() and isinstance(problem.answer, Fraction)
    assert problem.slip(str(problem.slips["back"])) == "back"


def test_a_changed_file_asks_again(tmp_path: Path, settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(tmp_path / "planted")
    lesson, changed = read_lesson(text), read_lesson(text.replace("30", "31"))
    trust.confirm(lesson.fingerprint)
    assert lesson.fingerprint == hashlib.sha256(text.encode()).hexdigest()
    assert problems_of(lesson, 2)
    with refused(RulesError, "lessons.not_confirmed"):
        problems_of(changed, 2)
    monkeypatch.setattr(trust, "_now", set())
    assert trust.confirmed(lesson.fingerprint), "kept for the next time"
    (settings / trust.FILE).write_text("junk")
    assert not trust.confirmed(lesson.fingerprint)


def test_a_lesson_without_a_program_never_asks() -> None:
    assert len(problems_of(read_lesson(GOOD), 1)) == 4


def test_trial_and_answer_meet(tmp_path: Path) -> None:
    lesson = read_lesson(written(tmp_path / "planted"))
    trust.confirm(lesson.fingerprint, keep=False)
    (problem,) = problems_of(lesson, 3)
    assert problem.trial is not None and isinstance(problem.answer, Fraction)
    results = list(run(problem.trial, 2000, seed=1))
    p = float(problem.answer)
    assert abs(sum(results) / 2000 - p) < 5 * (p * (1 - p) / 2000) ** 0.5
    assert results == list(run(problem.trial, 2000, seed=1)), "the same seed, the same trials"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("more", "key", "says"),
    [
        ("def f(draw):\n    return 3", "lessons.program_failed", "a dict"),
        ("def f(draw):\n    return {}", "lessons.program_failed", "no answer"),
        ("def f(draw):\n    return {'answer': 0.5}", "lessons.program_failed", "Fraction"),
        ("def f(draw):\n    return {'answer': True}", "lessons.program_failed", "Fraction"),
        ("def f(draw):\n    return {'answer': 1, 'values': 3}", "lessons.program_failed", "dicts"),
        ("def f(draw):\n    return {'answer': 1, 'values': {'a': f}}", "lessons.program_failed", "a text"),
        ("def f(draw):\n    return {'answer': 1, 'oops': 3}", "lessons.program_failed", "oops"),
        ("def f(draw):\n    return {'answer': 1, 'slips': {'new': 2}}", "lessons.program_slip", None),
        ("def f(draw):\n    return {'answer': 1, 'position': 'x'}", "lessons.step", None),
        ("def f(draw):\n    return 1 // 0", "lessons.program_failed", "ZeroDivisionError"),
        ("def f(draw):\n    raise SystemExit", "lessons.program_failed", "SystemExit"),
        ("def f(draw):\n    return draw.number(5, 1)", "lessons.program_failed", "ValueError"),
        ("def f(draw):\n    import os; os._exit(3)", "lessons.program_failed", "ended"),
        ("def f(draw):\n    print('x'); return {'answer': 1}", "", None),
        ("def f(draw) return", "lessons.program_failed", "SyntaxError"),
        ("f = 3", "lessons.program_failed", "no function"),
    ],
)
def test_what_goes_wrong_in_a_program_is_named(tmp_path: Path, more: str, key: str, says: str | None) -> None:
    lesson = read_lesson(written(tmp_path / "planted", more, "f"), "two.toml")
    trust.confirm(lesson.fingerprint, keep=False)
    if not key:
        assert problems_of(lesson, 1)[0].answer == 1
        return
    with refused(DataError, key) as caught:
        problems_of(lesson, 1)
    error = caught.value
    assert isinstance(error, DataError) and error.source == "two.toml" and error.line is not None
    assert says is None or says in str(error.fields["problem"])
    if "1 // 0" in more:
        assert lesson.source == "two.toml" and "1 // 0" in written(tmp_path, more, "f").splitlines()[error.line - 1]


def test_a_place_that_no_value_of_the_program_fills_is_named(tmp_path: Path) -> None:
    lesson = read_lesson(written(tmp_path / "ran").replace("{k}?", "{m}?"))
    trust.confirm(lesson.fingerprint)
    (finding,) = check(lesson, 1)
    assert (finding.step, finding.what.key) == ("two", "lessons.file_place")
    said = finding.what.translate("en")
    assert "{m}" in said and "k, n" in said and "two_cards.two" not in said


@pytest.mark.sampled(3)
@pytest.mark.parametrize("loop", ["while True: pass", "10 ** 10 ** 10", "draw.some(range(10**12), 1)"])
def test_a_function_that_does_not_end_is_stopped(tmp_path: Path, loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "SECONDS", 0.3)
    lesson = read_lesson(written(tmp_path / "planted", f"def f(draw):\n    {loop}", "f"))
    trust.confirm(lesson.fingerprint, keep=False)
    with pytest.raises(DataError) as caught:
        problems_of(lesson, 1)
    assert caught.value.key in ("lessons.program_slow", "lessons.program_failed")
    good = read_lesson(written(tmp_path / "planted"))
    trust.confirm(good.fingerprint, keep=False)
    assert problems_of(good, 1), "other lessons go on"


def test_in_a_browser_a_trace_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "SECONDS", 0.3)
    host = program._Here("def f(draw):\n    while True: pass\n\ndef g(draw):\n    return {'answer': 2}\n")
    with pytest.raises(TimeoutError):
        host.ask({"function": "f", "state": 1})
    assert host.ask({"function": "g", "state": 1})["reply"]
    assert "error" in program._Here("def f(").ask({"function": "f", "state": 1})


def test_the_library_finds_the_newest_version_and_names_what_it_cannot_read(tmp_path: Path) -> None:
    library = laid(
        tmp_path,
        one=GOOD,
        two=GOOD.replace('name = "bags"\n', 'name = "bags"\nversion = 2\n', 1),
        three=GOOD,
        four="junk",
        five=GOOD.replace('"bags"', '"first_turn"'),
    )
    (tmp_path / "lessons" / "six.toml").symlink_to(tmp_path / "lessons" / "one.toml")
    assert list(library.own()) == ["bags"] and library.find("bags").version == 2
    wrong = {one.path.stem: one.error.key for one in library.files() if one.error is not None}
    assert wrong == {
        "three": "lessons.file_taken",
        "four": "engine.not_toml",
        "five": "lessons.file_of_package",
        "six": "shared.is_link",
    }
    assert library.names()[-1] == "bags" and library.names()[0] == "first_turn"
    with refused(RulesError, "shared.no_lesson_of"):
        library.find("moon")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    library = laid(tmp_path, one=GOOD)
    assert library.find("bags").steps[0].name == "see"
    time.sleep(0.01)
    laid(tmp_path, one=GOOD.replace('name = "see"', 'name = "look"'))
    assert library.find("bags").steps[0].name == "look"


def test_hand_ins_are_graded_by_their_version_or_refused_by_name(tmp_path: Path) -> None:
    first = read_lesson(GOOD)
    answers = {"row": ("1",), "pick": ("pick.3", "pick.2"), "about": ("11",)}
    mine = Results("Ann", "bags", 7, answers, by=first)
    library = laid(tmp_path, one=GOOD)
    assert Results.from_json(mine.to_json(), library) == mine
    assert [mark.right for mark in Results.from_json(mine.to_json(), library).grades] == [True, False, True, True]
    laid(tmp_path, one=GOOD.replace("Watch.", "Look."))
    assert Results.from_json(mine.to_json(), library).right == 3, "a corrected text changes no mark"
    laid(tmp_path, one=GOOD.replace("right = 2", "right = 1"))
    with refused(RecordError, "lessons.hand_in_changed", name="bags", version=1):
        Results.from_json(mine.to_json(), library)
    laid(
        tmp_path,
        one=GOOD.replace('name = "bags"\n', 'name = "bags"\nversion = 2\n', 1).replace("right = 2", "right = 1"),
    )
    with refused(RecordError, "lessons.hand_in_version", name="bags", got=1, version="2"):
        Results.from_json(mine.to_json(), library)
    laid(tmp_path, old=GOOD)
    assert Results.from_json(mine.to_json(), library).right == 3, "the earlier version is there"
    with refused(RecordError, "lessons.hand_in_lesson"):
        Results.from_json(mine.to_json())


def test_hand_ins_of_the_format_before_are_of_version_1(tmp_path: Path) -> None:
    now = json.loads(Results("Ann", "p2", 7, {"p2.between": ("10",)}).to_json())
    del now["version"], now["fingerprint"], now["check"]
    now["format"] = "nimmt-answers/2"
    canonical = json.dumps(now, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    now["check"] = hashlib.sha256(canonical.encode()).hexdigest()[:8]
    assert Results.from_json(json.dumps(now)).right == 1


def test_the_gradebook_grades_lessons_of_ones_own(tmp_path: Path) -> None:
    library = laid(tmp_path, one=GOOD)
    lesson = library.find("bags")
    mine = Results("Ann", "bags", 7001, {"row": ("2", "1"), "pick": ("pick.2",)}, by=lesson)
    other = replace(mine, name="Bob", seed=7002, tries={"row": ("1",)}, sitting="1" * 16)
    changed = Results("Cyd", "bags", 7003, {}, by=read_lesson(GOOD.replace("right = 2", "right = 1")), sitting="2" * 16)
    for one in (mine, other, changed):
        one.save(tmp_path / "hand-in")
    book = gradebook(tmp_path / "hand-in", library=library, seed=7)
    columns = {name: at for at, name in enumerate(book.columns)}
    ann, bob, refused_line = book.lines
    assert (ann[columns["right"]], ann[columns["right_at_first"]], ann[columns["bags.row"]]) == (2, 1, 2)
    assert (bob[columns["right"]], bob[columns["seed"]]) == (1, 7002)
    assert book.unusable == 1 and "bags" in str(refused_line[columns["note"]])


def test_a_folder_of_lessons_is_found_by_its_name_or_from_above(tmp_path: Path) -> None:
    laid(tmp_path, bags=GOOD)
    for folder in (tmp_path, tmp_path / "lessons"):
        assert list(Library.of(folder).own()) == ["bags"]
    assert not Library.of(tmp_path / "nowhere").own()


def test_paper_slides_and_moodle(tmp_path: Path) -> None:
    lesson = read_lesson(GOOD)
    made = pages(lesson, class_set(2, 7), "de")
    assert sorted(made) == [
        f"lesson-bags-{page}.html" for page in ("key", "sheet-01", "sheet-02", "sheets")
    ]  # fmt: skip
    sheet, key = made["lesson-bags-sheet-01.html"], made["lesson-bags-key.html"]
    assert "Beutel" in sheet and "beide" in sheet and "rote" in sheet and "Welche?" in sheet
    assert "rote" not in key and "von" in key and "--lesson bags" in key
    assert slides_html(lesson, 7001, "de").count("<section") == 2 + 2 * 4, "title and rules"
    assert moodle_xml(lesson, class_set(1, 7), "en").count('<question type="multichoice">') == 2


def test_paper_shows_the_cards_on_the_table(tmp_path: Path) -> None:
    """A row is taken after everybody's cards, so other cards are another drawing."""
    text = """
format = "nimmt-lesson/1"
name = "table"
language = "en"
title = "Table"
"""
    for name, plays in (("one", 'A = "7", B = "30"'), ("two", 'A = "7", B = "36"')):
        text += f"""
[[step]]
name = "{name}"
ask = "takes"
position = "2 3 4 5 6 | 37 | 43 | 58 ; A: 7 21 ; B: 30 36"
reveal = {{ {plays} }}
"""
    lesson = read_lesson(text)
    title = board_words("en")("this_turn")
    sheet = pages(lesson, class_set(1, 7))["lesson-table-sheet-01.html"]
    assert f"{title}: A 7, B 30" in sheet and f"{title}: A 7, B 36" in sheet
    assert f"{title}: A 7, B 36" in slides_html(lesson, 7001, "en")
    drawn = re.findall(r'encoding="base64">([^<]+)', moodle_xml(lesson, class_set(1, 7), "en"))
    assert all(f"A 7, B {other}" in base64.b64decode(one).decode() for one, other in zip(drawn, (30, 36), strict=True))
    lone = read_lesson(text.replace("reveal", "#").replace('ask = "takes"', 'ask = "heads"'))
    assert title not in pages(lone, class_set(1, 7))["lesson-table-sheet-01.html"]


def test_results_of_renamed_and_split_lessons_are_kept(tmp_path: Path) -> None:
    library = laid(
        tmp_path,
        one=GOOD.replace('name = "bags"\n', 'name = "bags"\nwas = ["sacks"]\n', 1),
        two=GOOD.replace('name = "bags"\n', 'name = "more_bags"\nwas = ["sacks"]\n', 1),
    )
    assert library.renamed({"sacks": (3, 4), "p2": (1, 6)}) == {
        "sacks": (3, 4), "p2": (1, 6), "bags": (3, 4), "more_bags": (3, 4),
    }  # fmt: skip
    assert library.renamed({"sacks": (3, 4), "bags": (1, 4)})["bags"] == (1, 4)
