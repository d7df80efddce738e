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
from nimmt_lab.lessons.classroom import CLASSROOM, find, problems
from nimmt_lab.lessons.moodle import decimal, moodle_xml, tolerance
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import Sheet, class_set, question_text, working_text

#: What Moodle's importer reads of each type, and how often: as its documentation of the format says.
ONCE = {"name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden", "idnumber"}
NUMERICAL = ONCE | {"unitgradingtype", "unitpenalty", "showunits", "unitsleft"}
MULTICHOICE = ONCE | {"single", "shuffleanswers", "answernumbering"}
WITH_TEXT = {"name", "category", "questiontext", "generalfeedback", "answer", "feedback"}


def check_structure(text: str) -> list[ElementTree.Element]:
    """A validator of our own; the questions without the categories."""
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    quiz = ElementTree.fromstring(text)
    assert quiz.tag == "quiz" and not quiz.attrib
    assert quiz[0].attrib == {"type": "category"}
    questions = []
    for question in quiz:
        assert question.tag == "question" and set(question.attrib) == {"type"}
        tags = [child.tag for child in question]
        for element in question.iter():
            if element.tag in WITH_TEXT:
                assert [child.tag for child in element].count("text") == 1, element.tag
        kind = question.get("type")
        if kind == "category":
            assert tags == ["category"]
            path = question.findtext("category/text") or ""
            levels = path.replace("//", "").split("/")
            assert levels[:2] == ["$course$", "top"] and len(levels) == 4 and all(levels)
            continue
        assert kind in ("numerical", "multichoice")
        assert set(tags) == (NUMERICAL if kind == "numerical" else MULTICHOICE) | {"answer"}
        assert all(tags.count(tag) == 1 for tag in set(tags) - {"answer"})
        assert 0 <= float(question.findtext("penalty") or "x") <= 1
        for name in ("questiontext", "generalfeedback"):
            shown = question.find(name)
            assert shown is not None and shown.get("format") == "html"
        answers = question.findall("answer")
        fractions = [answer.get("fraction") for answer in answers]
        assert fractions.count("100") == 1 and set(fractions) <= {"0", "100"}
        if kind == "numerical":
            (answer,) = answers
            for value in (answer.findtext("text"), answer.findtext("tolerance")):
                assert value and re.fullmatch(r"-?\d+(\.\d+)?", value)
        else:
            assert len(answers) >= 2 and question.findtext("single") == "true"
        body = question.findtext("questiontext/text") or ""
        wanted = set(re.findall(r"@@PLUGINFILE@@/([^\"]+)", body))
        files = question.findall("questiontext/file")
        assert {file.get("name") for file in files} == wanted
        for file in files:
            assert (file.get("encoding"), file.get("path")) == ("base64", "/")
            ElementTree.fromstring(base64.b64decode(file.text or "", validate=True))
        assert not re.search(r"https?://(?!www\.w3\.org)", body), "nothing from elsewhere"
        questions.append(question)
    ids = [question.findtext("idnumber") for question in questions]
    assert len(set(ids)) == len(ids)
    return questions


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", CLASSROOM)
def test_every_question_with_its_answer(lesson: int, lang: str) -> None:
    say, of = words(lang), class_set(2, 7)
    questions = check_structure(moodle_xml(lesson, of, lang))
    asked = [problem for sheet in of for problem in problems(lesson, sheet.seed)]
    assert len(questions) == len(asked)
    size = len(problems(lesson, of[0].seed))
    for at, (question, problem) in enumerate(zip(questions, asked, strict=True)):
        body = html.unescape(question.findtext("questiontext/text") or "")
        assert question_text(problem, say) in body
        # Some questions refer to earlier ones, so the sheet's earlier questions come first, without their answers.
        before = asked[at - at % size : at]
        assert re.findall(r"<li>(.*?)</li>", body) == [question_text(one, say) for one in before]
        assert working_text(problem, say) in html.unescape(question.findtext("generalfeedback/text") or "")
        assert (say("sheet.heads") in body) == find(lesson).heads
        if problem.state is not None:
            assert question.find("questiontext/file") is not None
        if problem.choices:
            right = [one.findtext("text") for one in question.findall("answer") if one.get("fraction") == "100"]
            shown = say(f"choice.{problem.answer}") if say.has(f"choice.{problem.answer}") else problem.answer
            assert right == [f"<p>{shown}</p>"] and len(question.findall("answer")) == len(problem.choices)
            continue
        value, slack = question.findtext("answer/text") or "", question.findtext("answer/tolerance") or ""
        assert problem.is_right(value), "what Moodle takes for right is right"
        assert isinstance(problem.answer, Fraction)
        # What a pupil rounds to two places is accepted; half as much again is not.
        rounded = round(problem.answer, 2)
        assert abs(rounded - Fraction(value)) <= Fraction(slack) + Fraction(1, 10**6)
        assert Fraction(slack) <= max(problem.slack, Fraction(1, 200))
        assert (Fraction(slack) == 0) == (problem.answer.denominator == 1 and not problem.slack)


def test_no_question_tells_its_answer() -> None:
    for lesson in CLASSROOM:
        say, of = words("en"), class_set(3, 7)
        asked = [problem for sheet in of for problem in problems(lesson, sheet.seed)]
        for question, problem in zip(check_structure(moodle_xml(lesson, of)), asked, strict=True):
            if problem.choices or not tolerance(problem):
                continue
            if decimal(problem.answer) in map(str, problem.parts.values()):  # type: ignore[arg-type]
                continue  # of three numbers that add up, two may be equal
            body = html.unescape(question.findtext("questiontext/text") or "")
            body = re.sub(
                "<table.*?</table>", "", body, flags=re.DOTALL
            )  # one of the numbers given may equal their mean
            assert decimal(problem.answer) not in body and working_text(problem, say) not in body  # type: ignore[arg-type]


def test_names_become_categories(tmp_path: Path) -> None:
    text = moodle_xml(2, (Sheet(1, 7001, "Ann <& a/b>"), Sheet(2, 7002, "Bob")))
    check_structure(text)
    paths = [element.text for element in ElementTree.fromstring(text).iterfind("question/category/text")]
    assert paths[0] is not None and "Ann <& a//b> · " in paths[0] and "7002" in (paths[1] or "")


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "x"
    assert (
        main(["worksheet", "--lesson", "5", "--pupils", "3", "--format", "moodle", "--lang", "cs", "--out", str(out)])
        == 0
    )
    printed = say("out.sheets", pupils=3, folder=out, files="lesson-5-moodle.xml")
    assert capsys.readouterr().out == f"{printed}\n"
    assert (out / "lesson-5-moodle.xml").read_text(encoding="utf-8") == moodle_xml(5, class_set(3, 0), "cs")
