"""Slides of a classroom lesson: each question with its table, then its answer. One page, no network."""

from __future__ import annotations

import re
from html import escape

from .asked import words_of
from .classroom import Ref, find, problems
from .problem import Problem
from .words import Words
from .worksheet import (
    answer_text,
    chart_html,
    choice_text,
    data_text,
    page,
    pupil_seed,
    question_text,
    rules_of,
    table_svg,
    working_text,
)


def example_seed(seed: int) -> int:
    """The seed of the class's example. Sheets count from 1, so this one is nobody's."""
    return pupil_seed(seed, 0)


def slides_html(lesson: Ref, seed: int, lang: str = "en") -> str:
    """All slides as one page. Without JavaScript they appear one below the other, and they print like that.

    >>> page = slides_html(2, seed=7)
    >>> page.count("<section"), "http" in page.replace("http://www.w3.org/2000/svg", "")
    (21, False)
    """
    found = find(lesson)
    say, name = words_of(found, lang), found.name
    asked = problems(lesson, seed)
    title = say(f"{name}.title")
    aims = f"<p>{escape(say(f'{name}.aims'))}</p>" if say.has(f"{name}.aims") else ""
    example = f"<p class='note'>{escape(say('sheet.example'))}</p>" if found.drawn and seed % 1000 == 0 else ""
    slides = [f"<h1>{escape(title)}</h1>{aims}{example}"]
    if say.has(f"{name}.hook"):
        slides.append(_text(say("page.hook"), say(f"{name}.hook")))
    # First the class plays, so it needs to know what to do and the rules.
    if say.has(f"{name}.activity"):
        slides.append(_text(say("page.activity"), say(f"{name}.activity")))
    if rules := rules_of(found, asked, say):
        lines = "".join(f"<li>{escape(line)}</li>" for line in re.split(r"(?<=[.!?])\s", rules))
        slides.append(f"<h2>{escape(say('sheet.rules_title'))}</h2><ul>{lines}</ul>")
    if say.has(f"{name}.idea"):
        slides.append(_text(say("plan.idea"), say(f"{name}.idea")))
    # What a lesson teaches before it asks.
    for part in ("meaning", "example"):
        if say.has(f"{name}.{part}"):
            slides.append(_taught(say(f"page.{part}"), say(f"{name}.{part}")))
    for number, problem in enumerate(asked, 1):
        question = f"<h2>{number}</h2>{_question(problem, say)}"
        answer = f"<p class='answer'>{escape(say('sheet.answer'))}: {escape(answer_text(problem, say))}</p>"
        slides += [question, f"{question}{answer}<p class='why'>{escape(working_text(problem, say))}</p>"]
    if say.has(f"{name}.misconception"):
        slides.append(_text(say("plan.misconception"), say(f"{name}.misconception")))
    if say.has(f"{name}.box"):
        slides.append(_taught(say("page.box"), say(f"{name}.box")))
    body = ["<main>", *(f"<section>{slide}</section>" for slide in slides), "</main>", '<p id="place"></p>']
    return page(title, lang, [*body, f"<script>{data_text('slides.js')}</script>"], "slides.css")


def _text(title: str, text: str) -> str:
    return f"<h2>{escape(title)}</h2><p class='question'>{escape(text)}</p>"


def _taught(title: str, text: str) -> str:
    lines = "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))
    return f"<h2>{escape(title)}</h2><div class='taught'>{lines}</div>"


def _question(problem: Problem, say: Words) -> str:
    drawn = "" if problem.state is None else table_svg(problem.state, say)
    chart = "" if problem.chart is None else chart_html(problem.chart, say)
    choices = "".join(f"<li>{escape(choice_text(choice, say))}</li>" for choice in problem.choices)
    offered = f"<ul>{choices}</ul>" if choices else ""
    asked = escape(question_text(problem, say))
    return f"<p class='question'>{asked}</p><div class='about'>{drawn}{chart}</div>{offered}"
