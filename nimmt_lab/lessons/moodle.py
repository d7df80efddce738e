"""A class set as Moodle XML: a category for each question, with a variant from every sheet.

Numbers are decimals with a tolerance, because Moodle cannot read fractions. Moodle shows questions one by one, so each
includes its table and chart, and the earlier questions of its sheet, folded away.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from xml.etree import ElementTree

from .asked import words_of
from .classroom import Ref, find, problems, title_of
from .feedback import slip_text
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
    """The questions of a lesson, each a category with a variant for every sheet: a quiz that draws one question at
    random from each category gives every pupil a sheet of their own. Sheets are named by their numbers only.

    >>> made = moodle_xml(2, (Sheet(1, 7001), Sheet(2, 7002)))
    >>> made.count('<question type="category">'), made.count('<question type="numerical">')
    (6, 10)
    """
    found = find(lesson)
    say = words_of(found, lang)
    quiz = ElementTree.Element("quiz")
    # Without drawn numbers all sheets are the same: one variant is enough.
    sheets = [(sheet, problems(lesson, sheet.seed)) for sheet in (of if found.drawn else of[:1])]
    for at, step in enumerate(found.questions):
        first = sheets[0][1][at]
        category = ElementTree.SubElement(quiz, "question", type="category")
        # Slashes separate the levels of categories; a slash in a name is doubled.
        name = f"{at + 1:02} · {step.name} · {say('sheet.marks', marks=step.marks)}"
        path = (title_of(found, say), name)
        _text(category, "category", "/".join(("$course$", "top", *(level.replace("/", "//") for level in path))))
        _text(category, "info", f"<p>{escape(question_text(first, say))}</p>", format="html")
        asked: set[bytes] = set()
        for sheet, made in sheets:
            variant = _variant(made, at, step.marks, found.heads, say)
            body = ElementTree.tostring(variant)
            if body in asked:  # other sheets may have the same numbers; a quiz would offer the question twice
                continue
            asked.add(body)
            name = f"{at + 1:02} · {step.name} · {sheet.code if found.drawn else say.lang}"
            label = ElementTree.Element("name")
            ElementTree.SubElement(label, "text").text = name
            variant.insert(0, label)
            # Moodle recognises questions that are imported again by this.
            number = sheet.seed if found.drawn else 0
            ElementTree.SubElement(variant, "idnumber").text = f"{found.name}.{step.name}-{number}-{lang}"
            quiz.append(variant)
    ElementTree.indent(quiz)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(quiz, encoding="unicode") + "\n"


def _variant(made: Sequence[Problem], at: int, marks: int, heads: bool, say: Words) -> ElementTree.Element:
    """A question of a sheet, without its name."""
    problem = made[at]
    question = ElementTree.Element("question", type="multichoice" if problem.choices else "numerical")
    _ask(question, problem, heads, _about(made, at), [question_text(one, say) for one in made[:at]], say)
    _feedback(question, "generalfeedback", f"{answer_text(problem, say)}. {working_text(problem, say)}")
    for name, value in (("defaultgrade", str(marks)), ("penalty", "0.3333333"), ("hidden", "0")):
        ElementTree.SubElement(question, name).text = value
    _answers(question, problem, say)
    return question


def _about(made: Sequence[Problem], at: int) -> tuple[Problem | None, Problem | None]:
    """The questions whose table and chart belong to this one: itself, or one that it rests on. Not the last one drawn,
    which on paper is above: a question about another table would have a false picture."""
    problem = made[at]
    by_key = {one.key: one for one in made}
    told = [problem]
    for one in told:
        told += [by_key[key] for key in one.rests_on if key in by_key and by_key[key] not in told]
    return (
        next((one for one in told if one.state is not None), None),
        next((one for one in told if one.chart is not None), None),
    )


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
        _number(question, problem.answer, tolerance(problem), "100", "")
        # Moodle takes the first answer that fits, so wrong ideas come after the right answer.
        for slip, wrong in problem.slips.items():
            _number(question, wrong, Fraction(1, 2 * 10**PLACES), "0", slip_text(problem, slip, say))
        for name, value in (("unitgradingtype", "0"), ("unitpenalty", "0.1"), ("showunits", "3"), ("unitsleft", "0")):
            ElementTree.SubElement(question, name).text = value
        return
    for name, value in (("single", "true"), ("shuffleanswers", "false"), ("answernumbering", "none")):
        ElementTree.SubElement(question, name).text = value
    ideas = {problem.choices[int(number) - 1]: slip for slip, number in problem.slips.items()}
    for choice in problem.choices:
        text, fraction = f"<p>{escape(choice_text(choice, say))}</p>", "100" if choice == problem.answer else "0"
        answer = _text(question, "answer", text, fraction=fraction, format="html")
        met = slip_text(problem, ideas[choice], say) if choice in ideas else working_text(problem, say)
        _feedback(answer, "feedback", "" if choice == problem.answer else met)


def _number(question: ElementTree.Element, value: Fraction, slack: Fraction, fraction: str, met: str) -> None:
    answer = _text(question, "answer", decimal(value), fraction=fraction, format="moodle_auto_format")
    _feedback(answer, "feedback", met)
    ElementTree.SubElement(answer, "tolerance").text = decimal(slack)
