"""Slides of a classroom lesson, for the wall: each question with its table, then its answer. One page, no network."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from .classroom import problems
from .problem import Problem
from .words import Words, words
from .worksheet import answer_text, chart_html, choice_text, question_text, table_svg, working_text

# Arrow keys, space or a click go on; the answer of a question is a slide of its own.
_SCRIPT = """
const slides = [...document.querySelectorAll("section")];
let at = Math.min(Math.max(Number(location.hash.slice(1)) || 0, 0), slides.length - 1);
const show = (to) => {
  at = Math.min(Math.max(to, 0), slides.length - 1);
  slides.forEach((slide, number) => { slide.hidden = number !== at; });
  document.getElementById("place").textContent = `${at + 1}/${slides.length}`;
  history.replaceState(null, "", `#${at}`);
};
document.addEventListener("keydown", (event) => {
  const steps = { ArrowRight: 1, " ": 1, PageDown: 1, Enter: 1, ArrowLeft: -1, PageUp: -1, Home: -1000, End: 1000 };
  const step = steps[event.key];
  if (step) { event.preventDefault(); show(at + step); }
});
document.addEventListener("click", () => show(at + 1));
show(at);
"""


def slides_html(lesson: int, seed: int, lang: str = "en") -> str:
    """All slides as one page. Without a script they stand below each other, and so they print.

    >>> page = slides_html(2, seed=7)
    >>> page.count("<section"), "http" in page.replace("http://www.w3.org/2000/svg", "")
    (15, False)
    """
    say = words(lang)
    title = say(f"p{lesson}.title") if problems(lesson, seed) else ""
    style = (files(__package__) / "data" / "slides.css").read_text(encoding="utf-8")
    idea = escape(say(f"p{lesson}.idea"))
    parts = [
        f"<section><h1>{escape(title)}</h1><p>{escape(say(f'p{lesson}.aims'))}</p></section>",
        f"<section><h2>{escape(say('plan.idea'))}</h2><p class='question'>{idea}</p></section>",
    ]
    for number, problem in enumerate(problems(lesson, seed), 1):
        asked = _question(problem, say)
        answer = f"<p class='answer'>{escape(say('sheet.answer'))}: {escape(answer_text(problem, say))}</p>"
        why = f"<p class='why'>{escape(working_text(problem, say))}</p>"
        parts += [f"<section><h2>{number}</h2>{shown}</section>" for shown in (asked, f"{asked}{answer}{why}")]
    thought = escape(say(f"p{lesson}.misconception"))
    parts.append(f"<section><h2>{escape(say('plan.misconception'))}</h2><p class='question'>{thought}</p></section>")
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + f'\n</main>\n<p id="place"></p>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n'
    )


def _question(problem: Problem, say: Words) -> str:
    drawn = "" if problem.state is None else table_svg(problem.state, say)
    chart = "" if problem.chart is None else chart_html(problem.chart, say)
    choices = "".join(f"<li>{escape(choice_text(choice, say))}</li>" for choice in problem.choices)
    offered = f"<ul>{choices}</ul>" if choices else ""
    asked = escape(question_text(problem, say))
    return f"<p class='question'>{asked}</p><div class='about'>{drawn}{chart}</div>{offered}"
