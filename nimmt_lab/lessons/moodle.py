"""A class set as Moodle XML: every question with its drawing, answer and solution.

Numbers are decimals with a tolerance, because Moodle cannot read fractions. Moodle shows questions one by one, so each
includes its table and chart, and the earlier questions of the sheet, folded away.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from xml.etree import ElementTree

from .asked import words_of
from .classroom import Ref, find, problems, title_of
from .problem import PLACES, Problem
from .words import Words
from .worksheet import Sheet, answer_text, chart_html, choice_text, question_text, table_svg, working_text

#: Decimal places: more than anybody answers.
DIGITS = 6


def decimal(value: Fraction) -> str:
    """Format a number for Moodle.

    >>> decimal(Fraction(3, 14)), decimal(Fraction(5)), decimal(Fraction(-1, 2))
    ('0.214286', '5', '-0.5')
    """
    if value.denominator == 1:
        return str(value.numerator)
    scaled = round(value * 10**DIGITS)
    return f"{'-' if scaled < 0 else ''}{abs(scaled) // 10**DIGITS}.{abs(scaled) % 10**DIGITS:0{DIGITS}}".rstrip("0")


def tolerance(problem: Problem) -> Fraction:
    """The tolerance of an answer: half a unit in the second place; none for whole numbers."""
    assert isinstance(problem.answer, Fraction)
    if problem.answer.denominator == 1 and not problem.slack:
        return Fraction(0)
    return max(problem.slack, Fraction(1, 2 * 10**PLACES))


def moodle_xml(lesson: Ref, of: Sequence[Sheet], lang: str = "en") -> str:
    """All sheets of a class, each a category.

    >>> made = moodle_xml(2, (Sheet(1, 7001),))
    >>> made.count('<question type="numerical">'), made.count('<question type="multichoice">')
    (5, 1)
    """
    found = find(lesson)
    say = words_of(found, lang)
    quiz = ElementTree.Element("quiz")
    title = title_of(found, say)
    for sheet in of:
        which = say("sheet.pupil", pupil=sheet.pupil, seed=sheet.seed, code=sheet.code)
        category = ElementTree.SubElement(quiz, "question", type="category")
        # Slashes separate the levels of categories; a slash in a name is doubled.
        names = [name.replace("/", "//") for name in (title, f"{sheet.name} · {which}" if sheet.name else which)]
        _text(category, "category", "/".join(("$course$", "top", *names)))
        before: list[str] = []
        about: tuple[Problem | None, Problem | None] = (None, None)  # the problems with the current table and chart
        for number, problem in enumerate(problems(lesson, sheet.seed), 1):
            about = (problem if problem.state is not None else about[0], problem if problem.chart else about[1])
            question = ElementTree.SubElement(quiz, "question", type="multichoice" if problem.choices else "numerical")
            _text(question, "name", f"{sheet.pupil:03} · {number} · {problem.key}")
            _ask(question, problem, found.heads, about, before, say)
            _feedback(question, "generalfeedback", f"{answer_text(problem, say)}. {working_text(problem, say)}")
            for name, value in (("defaultgrade", "1"), ("penalty", "0.3333333"), ("hidden", "0")):
                ElementTree.SubElement(question, name).text = value
            # Moodle recognises questions that are imported again by this.
            ElementTree.SubElement(question, "idnumber").text = f"{problem.key}-{sheet.seed}-{lang}"
            _answers(question, problem, say)
            before.append(question_text(problem, say))
    ElementTree.indent(quiz)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(quiz, encoding="unicode") + "\n"


def _text(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, name, attributes)
    ElementTree.SubElement(element, "text").text = text
    return element


def _feedback(parent: ElementTree.Element, name: str, text: str) -> None:
    _text(parent, name, f"<p>{escape(text)}</p>" if text else "", format="html")


def _ask(
    question: ElementTree.Element,
    problem: Problem,
    heads: bool,
    about: tuple[Problem | None, Problem | None],
    before: list[str],
    say: Words,
) -> None:
    parts, drawing = [], ""
    if before:
        earlier = "".join(f"<li>{escape(text)}</li>" for text in before)
        parts.append(f"<details><summary>{escape(say('sheet.before'))}</summary><ol>{earlier}</ol></details>")
    parts.append(f"<p>{escape(question_text(problem, say))}</p>")
    if about[0] is not None and about[0].state is not None:
        state = about[0].state
        if state.game.hidden_hands:
            parts.append(f"<p>{escape(say('sheet.unseen', deck=state.game.deck[-1]))}</p>")
        drawing = table_svg(state, say)
        rows = "; ".join(" ".join(map(str, row)) for row in state.rows)
        parts.append(f'<p><img src="@@PLUGINFILE@@/table.svg" alt="{escape(rows)}" width="400"></p>')
    if about[1] is not None and about[1].chart is not None:
        parts.append(chart_html(about[1].chart, say))
    if heads:
        parts.append(f"<p>{escape(say('sheet.heads'))}</p>")
    if isinstance(problem.answer, Fraction) and tolerance(problem):
        parts.append(f"<p>{escape(say('sheet.decimal'))}</p>")
    text = _text(question, "questiontext", "".join(parts), format="html")
    if drawing:
        file = ElementTree.SubElement(text, "file", name="table.svg", path="/", encoding="base64")
        file.text = base64.b64encode(drawing.encode()).decode()


def _answers(question: ElementTree.Element, problem: Problem, say: Words) -> None:
    if isinstance(problem.answer, Fraction):
        answer = _text(question, "answer", decimal(problem.answer), fraction="100", format="moodle_auto_format")
        _feedback(answer, "feedback", "")
        ElementTree.SubElement(answer, "tolerance").text = decimal(tolerance(problem))
        for name, value in (("unitgradingtype", "0"), ("unitpenalty", "0.1"), ("showunits", "3"), ("unitsleft", "0")):
            ElementTree.SubElement(question, name).text = value
        return
    for name, value in (("single", "true"), ("shuffleanswers", "false"), ("answernumbering", "none")):
        ElementTree.SubElement(question, name).text = value
    for choice in problem.choices:
        text, fraction = f"<p>{escape(choice_text(choice, say))}</p>", "100" if choice == problem.answer else "0"
        answer = _text(question, "answer", text, fraction=fraction, format="html")
        _feedback(answer, "feedback", "" if choice == problem.answer else working_text(problem, say))
