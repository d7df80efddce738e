"""Moodle XML: its structure, every answer as the engine judges it, drawings inside, no answer in a question."""

from __future__ import annotations

import base64
import html
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nimmt_lab.cli import main
from nimmt_lab.commands.words import say
from nimmt_lab.lessons.asked import words_of
from nimmt_lab.lessons.authoring import template
from nimmt_lab.lessons.classroom import CLASSROOM, find, problems
from nimmt_lab.lessons.feedback import slip_text
from nimmt_lab.lessons.lessonfile import read_lesson
from nimmt_lab.lessons.moodle import decimal, moodle_xml, tolerance
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.words import LANGUAGES, Words, words
from nimmt_lab.lessons.worksheet import Sheet, choice_text, class_set, question_text, table_svg, working_text

#: What Moodle's importer reads of each type, and how often: as its documentation of the format says.
ONCE = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber"}
NUMERICAL = ONCE | {"unitgradingtype", "unitpenalty", "showunits", "unitsleft"}
MULTICHOICE = ONCE | {"single", "shuffleanswers", "answernumbering"}
WITH_TEXT = {"name", "category", "info", "questiontext", "generalfeedback", "answer", "feedback"}
#: Lengths of columns in Moodle's database.
LONGEST_NAME, LONGEST_ID = 255, 100
#: Percentages that Moodle accepts for an answer; a question with any other is left out.
FRACTIONS = {
    "100", "90", "83.33333", "80", "75", "70", "66.66667", "60", "50", "40", "33.33333", "30", "25", "20", "16.66667",
    "14.28571", "12.5", "11.11111", "10", "5", "0",
}  # fmt: skip
FORMATS = {"html", "moodle_auto_format", "plain_text", "markdown"}


def levels_of(path: str) -> list[str]:
    """The levels of a category, as Moodle splits them: a doubled slash is part of a name."""
    return [level.replace("\0", "/").strip() for level in path.replace("//", "\0").split("/")]


def imported(text: str) -> dict[str, list[ElementTree.Element]]:
    """The questions of a file by category, as Moodle 4 imports it; fails where its reader would refuse, change or drop
    something."""
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    quiz = ElementTree.fromstring(text)
    assert quiz.tag == "quiz" and not quiz.attrib
    found: dict[str, list[ElementTree.Element]] = {}
    into: list[ElementTree.Element] | None = None
    for question in quiz:
        assert question.tag == "question" and set(question.attrib) == {"type"}
        tags = [child.tag for child in question]
        for element in question.iter():
            if element.tag in WITH_TEXT:
                assert [child.tag for child in element].count("text") == 1, element.tag
            if "format" in element.attrib:
                assert element.attrib["format"] in FORMATS
        kind = question.get("type")
        if kind == "category":
            # The reader takes the format of the text about a category for granted.
            assert tags == ["category", "info"] and question.find("info[@format]") is not None
            levels = levels_of(question.findtext("category/text") or "")
            assert levels[:2] == ["$course$", "top"] and len(levels) == 4 and all(levels)
            assert all(len(level) <= LONGEST_NAME for level in levels)
            assert levels[3] not in found, "a category once, with all its questions"
            into = found.setdefault(levels[3], [])
            continue
        assert into is not None and kind in ("numerical", "multichoice")
        check_question(question, kind, tags)
        into.append(question)
    for questions in found.values():
        ids = [question.findtext("idnumber") or "" for question in questions]
        assert len(set(ids)) == len(ids) and all(0 < len(one) <= LONGEST_ID for one in ids), "Moodle would drop it"
        names = [question.findtext("name/text") for question in questions]
        assert len(set(names)) == len(names)
    return found


def check_question(question: ElementTree.Element, kind: str, tags: list[str]) -> None:
    assert set(tags) == (NUMERICAL if kind == "numerical" else MULTICHOICE) | {"answer"}
    assert all(tags.count(tag) == 1 for tag in set(tags) - {"answer"})
    name = question.findtext("name/text") or ""
    assert name == " ".join(name.split()) and 0 < len(name) <= LONGEST_NAME
    assert 0 <= float(question.findtext("penalty") or "x") <= 1
    assert float(question.findtext("defaultgrade") or "x") > 0
    for part in ("questiontext", "generalfeedback"):
        shown = question.find(part)
        assert shown is not None and shown.get("format") == "html" and (shown.findtext("text") or "").strip()
    answers = question.findall("answer")
    fractions = [answer.get("fraction") or "" for answer in answers]
    assert fractions.count("100") == 1 and set(fractions) <= FRACTIONS
    if kind == "numerical":
        assert fractions[0] == "100", "the first answer that fits counts"
        for answer in answers:
            for value in (answer.findtext("text"), answer.findtext("tolerance")):
                assert value and re.fullmatch(r"-?\d+(\.\d+)?", value)
    else:
        assert len(answers) >= 2 and question.findtext("single") == "true"
        assert question.findtext("answernumbering") in ("none", "abc", "ABCD", "123", "iii", "IIII")
    body = question.findtext("questiontext/text") or ""
    wanted = set(re.findall(r"@@PLUGINFILE@@/([^\"]+)", body))
    files = question.findall("questiontext/file")
    assert {file.get("name") for file in files} == wanted
    for file in files:
        assert (file.get("encoding"), file.get("path")) == ("base64", "/")
        ElementTree.fromstring(base64.b64decode(file.text or "", validate=True))
    assert not re.search(r"https?://(?!www\.w3\.org)", body), "nothing from elsewhere"


def variants(lesson: int, of: tuple[Sheet, ...], lang: str = "en") -> list[list[ElementTree.Element]]:
    return list(imported(moodle_xml(lesson, of, lang)).values())


def with_sheets(questions: list[ElementTree.Element], of: tuple[Sheet, ...]) -> list[tuple[ElementTree.Element, Sheet]]:
    """The variants of a question with the sheets that they are from."""
    by_code = {sheet.code: sheet for sheet in of}
    return [(one, by_code[(one.findtext("name/text") or "").rpartition(" ")[2]]) for one in questions]


def pictures(question: ElementTree.Element) -> list[str]:
    return [base64.b64decode(file.text or "").decode() for file in question.findall("questiontext/file")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", CLASSROOM)
def test_every_question_with_its_answer(lesson: int, lang: str) -> None:
    """A category for each question, a variant for each sheet."""
    of = class_set(2, 7)
    say = words_of(find(lesson), lang)
    categories = variants(lesson, of, lang)
    steps = find(lesson).questions
    assert len(categories) == len(steps)
    for at, (questions, step) in enumerate(zip(categories, steps, strict=True)):
        asked = {question_text(problems(lesson, sheet.seed)[at], say) for sheet in of}
        assert len(asked) <= len(questions) <= len(of), "a variant for each sheet, unless two have the same numbers"
        for question, sheet in with_sheets(questions, of):
            made = problems(lesson, sheet.seed)
            problem = made[at]
            assert question.findtext("defaultgrade") == str(step.marks)
            body = html.unescape(question.findtext("questiontext/text") or "")
            assert question_text(problem, say) in body
            # Some questions refer to earlier ones, so the sheet's earlier questions come first, without their answers.
            before = [question_text(one, say) for one in made[:at]]
            assert re.findall(r"<li>(.*?)</li>", body) == before
            assert working_text(problem, say) in html.unescape(question.findtext("generalfeedback/text") or "")
            assert (say("sheet.heads") in body) == find(lesson).heads
            check_answers(question, problem, say)


def check_answers(question: ElementTree.Element, problem: Problem, say: Words) -> None:
    if problem.choices:
        right = [one.findtext("text") for one in question.findall("answer") if one.get("fraction") == "100"]
        assert right == [f"<p>{html.escape(choice_text(str(problem.answer), say))}</p>"]
        assert len(question.findall("answer")) == len(problem.choices)
        return
    value, slack = question.findtext("answer/text") or "", question.findtext("answer/tolerance") or ""
    assert problem.is_right(value), "what Moodle takes for right is right"
    assert isinstance(problem.answer, Fraction)
    # What a pupil rounds to two places is accepted; half as much again is not.
    rounded = round(problem.answer, 2)
    assert abs(rounded - Fraction(value)) <= Fraction(slack) + Fraction(1, 10**6)
    assert Fraction(slack) <= max(problem.slack, Fraction(1, 200))
    assert (Fraction(slack) == 0) == (problem.answer.denominator == 1 and not problem.slack)


@pytest.mark.parametrize("lesson", CLASSROOM)
def test_a_question_has_its_own_drawing(lesson: int) -> None:
    """Drawn at random, a question stands alone: a table that another question is about would mislead."""
    of = class_set(2, 7)
    say = words("en")
    for at, questions in enumerate(variants(lesson, of)):
        for question, sheet in with_sheets(questions, of):
            made = {problem.key: problem for problem in problems(lesson, sheet.seed)}
            problem = [*made.values()][at]
            told = [problem, *(made[key] for key in problem.rests_on)]
            tables = [table_svg(one.state, say) for one in told if one.state is not None]
            assert pictures(question) == tables[:1]


def test_no_question_tells_its_answer() -> None:
    for lesson in CLASSROOM:
        say, of = words("en"), class_set(3, 7)
        for at, questions in enumerate(variants(lesson, of)):
            for question, sheet in with_sheets(questions, of):
                problem = problems(lesson, sheet.seed)[at]
                if problem.choices or not tolerance(problem):
                    continue
                if decimal(problem.answer) in map(str, problem.parts.values()):  # type: ignore[arg-type]
                    continue  # of three numbers that add up, two may be equal
                body = html.unescape(question.findtext("questiontext/text") or "")
                body = re.sub(
                    "<table.*?</table>", "", body, flags=re.DOTALL
                )  # one of the numbers given may equal their mean
                assert decimal(problem.answer) not in body and working_text(problem, say) not in body  # type: ignore[arg-type]


def test_no_name_of_a_pupil_gets_into_the_question_bank() -> None:
    text = moodle_xml(2, (Sheet(1, 7001, "Ann <& a/b>"), Sheet(2, 7002, "Bob")))
    assert "Ann" not in text and "Bob" not in text
    assert text == moodle_xml(2, (Sheet(1, 7001), Sheet(2, 7002)))


def test_names_with_slashes_stay_one_level() -> None:
    assert levels_of("$course$/top/a//b/c") == ["$course$", "top", "a/b", "c"]
    lesson = read_lesson(template("mine", "en").replace(words("en")("own.title"), "Bags // and <balls> / 2"))
    text = moodle_xml(lesson, class_set(2, 7))
    assert len(imported(text)) == len(lesson.questions)
    path = ElementTree.fromstring(text).findtext("question/category/text") or ""
    assert levels_of(path)[2] == "Bags // and <balls> / 2"


def test_a_lesson_without_drawn_numbers_has_one_variant_of_each_question() -> None:
    for questions in imported(moodle_xml("first_turn", class_set(5, 7))).values():
        assert len(questions) == 1


def test_a_wrong_idea_gets_its_sentence_in_moodle() -> None:
    """As a wrong answer with feedback, after the right one."""
    lesson = read_lesson(template("mine", "en") + SLIP)
    say = words_of(lesson, "en")
    of = class_set(3, 7)
    categories = list(imported(moodle_xml(lesson, of)).values())
    for question, sheet in with_sheets(categories[-1], of):
        problem = problems(lesson, sheet.seed)[-1]
        right, wrong = question.findall("answer")
        assert (right.get("fraction"), wrong.get("fraction")) == ("100", "0")
        assert Fraction(wrong.findtext("text") or "") == pytest.approx(problem.slips["other"])
        assert slip_text(problem, "other", say) in (wrong.findtext("feedback/text") or "")
    pick = categories[1][0]
    met = {one.findtext("text"): one.findtext("feedback/text") for one in pick.findall("answer")}
    assert say("mine.pick_slip_tens") in (met["<p>10</p>"] or "")


SLIP = """
[[step.slip]]
name = "other"
answer = "cards / safe"
text = "Upside down."
"""


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x"
    assert (
        main(["worksheet", "--lesson", "5", "--pupils", "3", "--format", "moodle", "--lang", "cs", "--out", str(out)])
        == 0
    )
    printed = say("out.sheets", pupils=3, folder=out, files="lesson-5-moodle.xml")
    assert capsys.readouterr().out == f"{printed}\n"
    assert (out / "lesson-5-moodle.xml").read_text(encoding="utf-8") == moodle_xml(5, class_set(3, 0), "cs")
