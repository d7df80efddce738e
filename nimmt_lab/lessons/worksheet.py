"""Printable worksheets: one A4 page per pupil, each with numbers of its own, and the key for the teacher.

Standalone HTML with our own drawings: it prints from any browser, in black and white too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.draw import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GAP,
    LABEL,
    card_svg,
    frame,
    label_svg,
    notch_svg,
    slot_svg,
)
from nimmt_lab.engine.errors import CannotWrite, RulesError
from nimmt_lab.engine.files import alone_in, finish, lay_down, make_folder, name_of
from nimmt_lab.engine.reasons import reason
from nimmt_lab.engine.state import GameState

from .classroom import COUNTS_HEADS, problems
from .codes import code_of
from .plan import plan_html
from .problem import Chart, Problem
from .words import Words, words

MOST_PUPILS = 999
LARGEST_SEED = 10**12
#: Tables of lines with more signs go below their question.
WIDE = 30


def page(title: str, lang: str, body: Iterable[str], looks: str = "worksheet.css") -> str:
    """A standalone HTML page."""
    style = (files(__package__) / "data" / looks).read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def table_svg(state: GameState, say: Words) -> str:
    """The rows, and the hands that are in sight: A's, and the others' where hands lie open."""
    game = state.game
    parts: list[str] = []
    said = []
    y = 0.0
    for row, cards in enumerate(state.rows):
        label = say("sheet.row", row=row + 1)
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 4, label, size=13))
        for place in range(game.places_in_row):
            x = LABEL + place * (CARD_WIDTH + GAP)
            parts.append(card_svg(cards[place], x, y) if place < len(cards) else slot_svg(x, y))
        parts.append(notch_svg(LABEL + game.places_in_row * (CARD_WIDTH + GAP), y, game.places_in_row + 1))
        said.append(f"{label}: {' '.join(map(str, cards))}")
        y += CARD_HEIGHT + GAP
    y += 8
    for seat, hand in enumerate(state.hands):
        if seat and game.hidden_hands:
            continue
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 4, seat_letter(seat), size=15))
        parts += [card_svg(card, LABEL + at * (CARD_WIDTH + GAP), y) for at, card in enumerate(hand)]
        said.append(f"{seat_letter(seat)}: {' '.join(map(str, hand))}")
        y += CARD_HEIGHT + GAP
    return frame(parts, LABEL + (game.places_in_row + 1) * (CARD_WIDTH + GAP), y, "\n".join(said))


def chart_html(chart: Chart, say: Words) -> str:
    """A small table of numbers."""

    def cells(items: Iterable[str], tag: str) -> str:
        return "".join(f"<{tag}>{escape(localised(item, say.lang))}</{tag}>" for item in items)

    names = [say(name) for name in chart.names]
    head = f"<tr>{'<th></th>' if names else ''}{cells(chart.head, 'th')}</tr>" if any(chart.head) else ""
    lines = []
    for at, line in enumerate(chart.lines):
        name = f'<th class="left">{escape(names[at])}</th>' if names else ""
        lines.append(f"<tr>{name}{cells(line, 'td')}</tr>")
    return f"<table>{head}{''.join(lines)}</table>"


def choice_text(choice: str, say: Words) -> str:
    """A choice in words; a card is its own name."""
    return say(f"choice.{choice}") if say.has(f"choice.{choice}") else choice


def question_text(problem: Problem, say: Words) -> str:
    """The question in words."""
    return localised(say(problem.key, **problem.parts), say.lang)


def working_text(problem: Problem, say: Words) -> str:
    """How the answer comes about."""
    parts = {**problem.parts, **problem.working}
    return localised(say(f"{problem.key}_why", **parts), say.lang)


def answer_text(problem: Problem, say: Words) -> str:
    """The answer as the key has it."""
    return choice_text(problem.shown_answer, say) if problem.choices else localised(problem.shown_answer, say.lang)


def localised(text: str, lang: str) -> str:
    """Numbers as the language writes them: a decimal comma in Polish and Czech.

    >>> localised("3/14 ≈ 0.2143.", "cs")
    '3/14 ≈ 0,2143.'
    """
    return text if lang == "en" else re.sub(r"(?<=\d)\.(?=\d)", ",", text)


def pupil_seed(seed: int, pupil: int) -> int:
    """The seed of a pupil's sheet: printed on it, and the same in the notebook."""
    return seed * 1000 + pupil


@dataclass(frozen=True)
class Sheet:
    """One pupil's sheet: its number in the class, its seed, and whose it is where there is a roster."""

    pupil: int
    seed: int
    name: str = ""

    @property
    def code(self) -> str:
        """What the pupil types to get the same questions on the screen."""
        return code_of(self.seed)


def sheet_body(lesson: int, sheet: Sheet, title: str, lang: str) -> str:
    """One pupil's sheet: one A4 page. What the questions leave of it is shared out between them as room to work."""
    say = words(lang)
    name = f'<span class="line">{escape(sheet.name)}</span>'
    which = say("sheet.pupil", pupil=sheet.pupil, seed=sheet.seed, code=sheet.code)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<div class="head"><span>{escape(say("sheet.name"))}: {name}</span>'
        f'<span>{escape(say("sheet.class"))}: <span class="line"></span></span>'
        f'<span class="small">{escape(which)}</span></div>',
    ]
    if lesson in COUNTS_HEADS:
        parts.append(f'<p class="small">{escape(say("sheet.heads"))}</p>')
    shown: tuple[object, object] = (None, None)  # the table and the chart drawn last
    groups: list[tuple[str, list[str]]] = []  # what lies beside, and the questions about it
    for problem in problems(lesson, sheet.seed):
        in_sight = shown[0] if problem.state is None else (problem.state.rows, problem.state.hands[0])
        new_table, new_chart = in_sight != shown[0], problem.chart is not None and problem.chart != shown[1]
        wide = problem.chart is not None and _width(problem.chart) > WIDE  # below the question, not beside it
        below = about_html(problem, say, table=False) if new_chart and wide else ""
        beside = about_html(problem, say, table=new_table, chart=new_chart and not wide)
        shown = (in_sight, problem.chart or shown[1])
        if beside or not groups:
            groups.append((beside, []))
        groups[-1][1].append(_asked(problem, below, say))
    for beside, asked in groups:
        questions = f"<ol>{''.join(asked)}</ol>"
        parts.append(f'<div class="group" style="flex-grow:{len(asked)}">{questions}{beside}</div>')
    return f'<div class="sheet">{"".join(parts)}</div>'


def _width(chart: Chart) -> int:
    """Roughly how wide a table is: the signs of its longest line, and two for each border."""
    return max(sum(len(cell) + 2 for cell in line) for line in (chart.head, *chart.lines))


def _asked(problem: Problem, below: str, say: Words) -> str:
    """One question with room to work and a place for the answer."""
    if problem.choices:
        boxes = "".join(f'<span class="box"></span>{escape(choice_text(c, say))}' for c in problem.choices)
        answer = f'<p class="answer">{boxes}</p>'
    else:
        answer = f'<p class="answer">{escape(say("sheet.answer"))}: <span class="line"></span></p>'
    text = f"<p>{escape(question_text(problem, say))}</p>{below}"
    return f'<li class="problem"><div class="ask">{text}<div class="room"></div>{answer}</div></li>'


def about_html(problem: Problem, say: Words, *, table: bool = True, chart: bool = True) -> str:
    """What a question is about: the table and the numbers, if it has any. Nothing if neither is wanted."""
    parts = []
    if table and problem.state is not None:
        if problem.state.game.hidden_hands:
            parts.append(f'<p class="small">{escape(say("sheet.unseen", deck=problem.state.game.deck[-1]))}</p>')
        parts.append(table_svg(problem.state, say))
    if chart and problem.chart is not None:
        parts.append(chart_html(problem.chart, say))
    return f'<div class="about">{"".join(parts)}</div>' if parts else ""


def key_html(lesson: int, of: Sequence[Sheet], title: str, lang: str, again: str) -> str:
    """The teacher's page: aims, activity, notes, and every sheet's answers with how they come about."""
    say = words(lang)
    name = f"p{lesson}"
    body = [f"<h1>{escape(title)} · {escape(say('sheet.key'))}</h1>", f'<p class="small">{escape(again)}</p>']
    for part in ("aims", "activity", "notes"):
        body.append(f"<h2>{escape(say(f'page.{part}'))}</h2><p>{escape(say(f'{name}.{part}'))}</p>")
    body.append(plan_html(lesson, say))
    body.append(f"<h2>{escape(say('sheet.hand_in'))}</h2><p>{escape(say('sheet.hand_in_text'))}</p>")
    for sheet in of:
        which = say("sheet.pupil", pupil=sheet.pupil, seed=sheet.seed, code=sheet.code)
        whose = f"{sheet.name} · {which}" if sheet.name else which
        body.append(f"<section><h2>{escape(whose)}</h2><table>")
        heads = (say("sheet.question"), say("sheet.answer"), say("sheet.how"))
        body.append("<tr>" + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>")
        for number, problem in enumerate(problems(lesson, sheet.seed), 1):
            body.append(
                f"<tr><td>{number}</td><td>{escape(answer_text(problem, say))}</td>"
                f'<td class="left">{escape(working_text(problem, say))}</td></tr>'
            )
        body.append("</table></section>")
    return page(f"{title} · {say('sheet.key')}", lang, body)


def class_set(pupils: int, seed: int) -> tuple[Sheet, ...]:
    """A class of so many pupils whose names nobody knows; a roster has a set with names."""
    if not 1 <= pupils <= MOST_PUPILS:
        raise RulesError("shared.must_from_to", what="pupils", least=1, most=MOST_PUPILS, got=pupils)
    if not 0 <= seed <= LARGEST_SEED:
        raise RulesError("lessons.seed_12", got=seed)
    return tuple(Sheet(pupil, pupil_seed(seed, pupil)) for pupil in range(1, pupils + 1))


def pages(lesson: int, of: Sequence[Sheet], lang: str = "en") -> dict[str, str]:
    """Every page of a class set by its name: a sheet per pupil, all of them as one page to print, and the key.

    >>> sorted(pages(1, class_set(pupils=2, seed=7)))
    ['lesson-1-key.html', 'lesson-1-sheet-01.html', 'lesson-1-sheet-02.html', 'lesson-1-sheets.html']
    """
    problems(lesson, of[0].seed)  # refuses a lesson that is not there
    say = words(lang)
    title = say("sheet.title", number=lesson, title=say(f"p{lesson}.title"))
    bodies = {sheet.pupil: sheet_body(lesson, sheet, title, lang) for sheet in of}
    known = {"number": lesson, "lang": lang}
    if of[0].name:
        again = say("sheet.roster_again", **known)
    else:
        again = say("sheet.seed_again", **known, pupils=len(of), seed=of[0].seed // 1000)
    return {
        **{f"lesson-{lesson}-sheet-{pupil:02}.html": page(title, lang, [body]) for pupil, body in bodies.items()},
        f"lesson-{lesson}-sheets.html": page(title, lang, bodies.values()),
        f"lesson-{lesson}-key.html": key_html(lesson, of, title, lang, again),
    }


def sheets(lesson: int, pupils: int, seed: int, lang: str = "en") -> dict[str, str]:
    """The pages of a class of so many pupils.

    >>> len(sheets(1, pupils=30, seed=7))
    32
    """
    return pages(lesson, class_set(pupils, seed), lang)


def write_folder(made: Mapping[str, str | bytes], folder: Path, *, force: bool = False) -> tuple[str, ...]:
    """Write a class set into a folder: all of it or nothing, whatever interrupts. Without `force` nothing that is there
    is touched; with it, sheets of an earlier set that this one has not go, too: they would not match the key. Their
    names."""
    make_folder(folder)
    with alone_in(folder):  # from the look at what is there until all of it is replaced
        try:
            finish(folder)
            there = sorted(os.listdir(folder))
        except OSError as error:
            raise CannotWrite("shared.cannot_write", path=name_of(folder), problem=reason(error)) from None
        if there and not force:
            raise RulesError("lessons.there_force", folder=name_of(folder))
        lessons = {name.partition("-sheet-")[0] for name in made if "-sheet-" in name}
        found = {name: match[1] for name in there if (match := _SHEET.fullmatch(name))}
        old = [name for name, lesson in found.items() if name not in made and lesson in lessons]
        lay_down(folder, made, gone=old)
    return tuple(old)


_SHEET = re.compile(r"(lesson-\d+)-sheet-\d+\.html")
