"""Slides of a classroom lesson: each question with its table, then its answer. One page, no network."""

from __future__ import annotations

from html import escape

from .asked import words_of
from .classroom import Ref, find, problems
from .problem import Problem
from .words import Words
from .worksheet import answer_text, chart_html, choice_text, data_text, page, question_text, table_svg, working_text


def slides_html(lesson: Ref, seed: int, lang: str = "en") -> str:
    """All slides as one page. Without JavaScript they appear one below the other, and they print like that.

    >>> page = slides_html(2, seed=7)
    >>> page.count("<section"), "http" in page.replace("http://www.w3.org/2000/svg", "")
    (15, False)
    """
    found = find(lesson)
    say, name = words_of(found, lang), found.name
    asked = problems(lesson, seed)
    title = say(f"{name}.title")
    aims = f"<p>{escape(say(f'{name}.aims'))}</p>" if say.has(f"{name}.aims") else ""
    slides = [f"<h1>{escape(title)}</h1>{aims}"]
    if say.has(f"{name}.idea"):
        slides.append(_text(say("plan.idea"), say(f"{name}.idea")))
    for number, problem in enumerate(asked, 1):
        question = f"<h2>{number}</h2>{_question(problem, say)}"
        answer = f"<p class='answer'>{escape(say('sheet.answer'))}: {escape(answer_text(problem, say))}</p>"
        slides += [question, f"{question}{answer}<p class='why'>{escape(working_text(problem, say))}</p>"]
    if say.has(f"{name}.misconception"):
        slides.append(_text(say("plan.misconception"), say(f"{name}.misconception")))
    body = ["<main>", *(f"<section>{slide}</section>" for slide in slides), "</main>", '<p id="place"></p>']
    return page(title, lang, [*body, f"<script>{data_text('slides.js')}</script>"], "slides.css")


def _text(title: str, text: str) -> str:
    return f"<h2>{escape(title)}</h2><p class='question'>{escape(text)}</p>"


def _question(problem: Problem, say: Words) -> str:
    drawn = "" if problem.state is None else table_svg(problem.state, say)
    chart = "" if problem.chart is None else chart_html(problem.chart, say)
    choices = "".join(f"<li>{escape(choice_text(choice, say))}</li>" for choice in problem.choices)
    offered = f"<ul>{choices}</ul>" if choices else ""
    asked = escape(question_text(problem, say))
    return f"<p class='question'>{asked}</p><div class='about'>{drawn}{chart}</div>{offered}"
