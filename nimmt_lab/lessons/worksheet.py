"""Printable worksheets: one A4 page per pupil, each with its own numbers, and the teacher's key.

Standalone HTML with our own drawings, to print from any browser, also in black and white.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.draw import CARD_HEIGHT, CARD_WIDTH, GAP, LABEL, frame, label_svg
from nimmt_lab.engine.errors import CannotWrite, RulesError
from nimmt_lab.engine.files import alone_in, finish, lay_down, make_folder, name_of
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.pieces import card_svg, place_svg, taking_svg
from nimmt_lab.engine.reasons import reason
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.classic.rules import Classic

from .asked import words_of
from .classroom import Ref, find, label_of, problems, title_of
from .codes import code_of
from .plan import plan_html
from .problem import Chart, Problem
from .rules import Lesson
from .words import Words

MOST_PUPILS = 999
LARGEST_SEED = 10**12
#: Charts with longer lines go below their question.
WIDE = 30
#: The cells for results of the activity: a class plays twenty turns.
RESULTS = 20


def data_text(name: str) -> str:
    return (files(__package__) / "data" / name).read_text(encoding="utf-8")


def page(title: str, lang: str, body: Iterable[str], style: str = "worksheet.css") -> str:
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>\n{data_text(style)}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def table_svg(state: GameState, say: Words) -> str:
    """Draw the rows, the cards revealed this turn, and the visible hands: A's, and everybody's if hands are open."""
    game = state.game
    parts: list[str] = []
    lines = []
    y = 0.0
    for row, cards in enumerate(state.rows):
        label = say("sheet.row", row=row + 1)
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 4, label, size=13))
        for place in range(game.places_in_row):
            x = LABEL + place * (CARD_WIDTH + GAP)
            filled = place < len(cards)
            parts.append(card_svg(cards[place], x, y, lang=say.lang) if filled else place_svg(x, y, fill="none"))
        x = LABEL + game.places_in_row * (CARD_WIDTH + GAP)
        parts.append(taking_svg(game.places_in_row + 1, x, y, lang=say.lang))
        lines.append(f"{label}: {' '.join(map(str, cards))}")
        y += CARD_HEIGHT + GAP
    y += 8
    if state.queue:
        title, across = board_words(say.lang)("this_turn"), game.places_in_row + 1
        parts.append(label_svg(0, y + 12, title, size=13))
        y += 18
        for at, play in enumerate(state.queue):
            x = LABEL + at % across * (CARD_WIDTH + GAP)
            parts.append(card_svg(play.card, x, y, lang=say.lang))
            whose = seat_letter(play.seat)
            parts.append(label_svg(x + CARD_WIDTH / 2, y + CARD_HEIGHT + 14, whose, size=13, anchor="middle"))
            if at % across == across - 1 or at == len(state.queue) - 1:
                y += CARD_HEIGHT + 18 + GAP
        lines.append(f"{title}: {', '.join(f'{seat_letter(play.seat)} {play.card}' for play in state.queue)}")
        y += 4
    for seat, hand in enumerate(state.hands):
        if seat and game.hidden_hands:
            continue
        parts.append(label_svg(0, y + CARD_HEIGHT / 2 + 4, seat_letter(seat), size=15))
        parts += [card_svg(card, LABEL + at * (CARD_WIDTH + GAP), y, lang=say.lang) for at, card in enumerate(hand)]
        lines.append(f"{seat_letter(seat)}: {' '.join(map(str, hand))}")
        y += CARD_HEIGHT + GAP
    return frame(parts, LABEL + (game.places_in_row + 1) * (CARD_WIDTH + GAP), y, "\n".join(lines))


def chart_html(chart: Chart, say: Words) -> str:
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
    return say(f"choice.{choice}") if say.has(f"choice.{choice}") else choice


def question_text(problem: Problem, say: Words) -> str:
    return localised(say(problem.key, **problem.parts), say.lang)


def working_text(problem: Problem, say: Words) -> str:
    """The solution, step by step."""
    parts = {**problem.parts, **problem.working}
    return localised(say(f"{problem.key}_why", **parts), say.lang)


def answer_text(problem: Problem, say: Words) -> str:
    """The answer in the key."""
    return choice_text(problem.shown_answer, say) if problem.choices else localised(problem.shown_answer, say.lang)


def localised(text: str, lang: str) -> str:
    """Write numbers as in the language, with a decimal comma in Polish and Czech.

    >>> localised("3/14 ≈ 0.2143.", "cs")
    '3/14 ≈ 0,2143.'
    """
    return text if lang == "en" else re.sub(r"(?<=\d)\.(?=\d)", ",", text)


def pupil_seed(seed: int, pupil: int) -> int:
    """The seed of a pupil's sheet, on paper and in the notebook."""
    return seed * 1000 + pupil


@dataclass(frozen=True)
class Sheet:
    """One pupil's sheet: its number in the class, its seed, and the pupil's name if there is a class list."""

    pupil: int
    seed: int
    name: str = ""

    @property
    def code(self) -> str:
        """The code that opens the same questions on screen."""
        return code_of(self.seed)


def sheet_body(lesson: Ref, sheet: Sheet, title: str, lang: str) -> str:
    """One pupil's sheet on an A4 page; the free space is divided among the questions."""
    found = find(lesson)
    say = words_of(found, lang)
    name = f'<span class="line">{escape(sheet.name)}</span>'
    total = sum(step.marks for step in found.questions)
    which = say("sheet.pupil", pupil=sheet.pupil, seed=sheet.seed, code=sheet.code)
    parts = [
        f'<h1>{escape(title)}<span class="marks">{escape(say("sheet.total"))}: '
        f'<span class="line"></span> / {total}</span></h1>',
        f'<div class="head"><span>{escape(say("sheet.name"))}: {name}</span>'
        f'<span>{escape(say("sheet.class"))}: <span class="line"></span></span>'
        f'<span class="small">{escape(which)}</span></div>',
    ]
    asked = problems(lesson, sheet.seed)
    if rules := rules_of(found, asked, say):
        parts.append(f'<p class="rules"><b>{escape(say("sheet.rules_title"))}.</b> {escape(rules)}</p>')
    elif found.heads:
        parts.append(f'<p class="small">{escape(say("sheet.heads"))}</p>')
    shown: tuple[object, object] = (None, None)  # the last table and chart drawn
    groups: list[tuple[str, list[str]]] = []  # a drawing and the questions beside it
    for problem, step in zip(asked, found.questions, strict=True):
        chart = problem.chart
        state = problem.state
        in_sight = shown[0] if state is None else (state.rows, state.hands[0], state.queue)
        new_table, new_chart = in_sight != shown[0], chart is not None and chart != shown[1]
        wide = chart is not None and chart.width > WIDE  # goes below the question, not beside it
        below = about_html(problem, say, table=False) if new_chart and wide else ""
        note = new_table and shown[0] is None  # once is enough
        beside = about_html(problem, say, table=new_table, chart=new_chart and not wide, note=note)
        shown = (in_sight, chart or shown[1])
        if beside or not groups:
            groups.append((beside, []))
        groups[-1][1].append(_asked(problem, step.marks, below, say))
    for beside, items in groups:
        questions = f"<ol>{''.join(items)}</ol>"
        parts.append(f'<div class="group" style="flex-grow:{len(items)}">{questions}{beside}</div>')
    if say.has(f"{found.name}.activity"):
        parts.append(results_table(say))
    return f'<div class="sheet">{"".join(parts)}</div>'


def rules_of(lesson: Lesson, asked: Sequence[Problem], say: Words) -> str:
    """The rules of the classic game, short enough to read aloud in a minute; empty if the lesson is not about it."""
    tables = [problem.state.game for problem in asked if problem.state is not None]
    if not lesson.questions_by and not (tables and all(map(_is_plain, tables))):
        return ""
    return f"{say('sheet.rules')} {say('sheet.heads')}" if lesson.heads else say("sheet.rules")


def _is_plain(game: Game) -> bool:
    """Whether the classic game's cards are placed by the usual rules."""
    return isinstance(game, Classic) and game.places_in_row == Classic.row_limit and not game.fan_cards


def results_table(say: Words) -> str:
    """Empty cells for what the class finds when it plays."""
    title = f'<th rowspan="2">{escape(say("sheet.results"))}</th>'
    numbers = "".join(f"<th>{number}</th>" for number in range(1, RESULTS + 1))
    return f'<table class="results"><tr>{title}{numbers}</tr><tr>{"<td></td>" * RESULTS}</tr></table>'


def _asked(problem: Problem, marks: int, below: str, say: Words) -> str:
    """One question with space to work, a line for the answer, and one for the marks."""
    worth = f'<span class="marks"><span class="line"></span> / {marks}</span>'
    if problem.choices:
        boxes = "".join(
            f'<span class="option"><span class="box"></span>{escape(choice_text(c, say))}</span>'
            for c in problem.choices
        )
        answer = f'<p class="answer">{boxes}{worth}</p>'
    else:
        answer = f'<p class="answer">{escape(say("sheet.answer"))}: <span class="line"></span>{worth}</p>'
    text = f"<p>{escape(question_text(problem, say))}</p>{below}"
    return f'<li class="problem"><div class="ask">{text}<div class="room"></div>{answer}</div></li>'


def about_html(problem: Problem, say: Words, *, table: bool = True, chart: bool = True, note: bool = True) -> str:
    """The table and the chart of a question; empty if neither is wanted. The note says what can be seen."""
    parts = []
    if table and problem.state is not None:
        if note and problem.state.game.hidden_hands:
            parts.append(f'<p class="small">{escape(say("sheet.unseen", deck=problem.state.game.deck[-1]))}</p>')
        parts.append(table_svg(problem.state, say))
    if chart and problem.chart is not None:
        parts.append(chart_html(problem.chart, say))
    return f'<div class="about">{"".join(parts)}</div>' if parts else ""


def key_html(lesson: Ref, of: Sequence[Sheet], title: str, lang: str, again: str) -> str:
    """The teacher's page: aims, activity, notes, and the answers of every sheet with their solutions."""
    found = find(lesson)
    say, name = words_of(found, lang), found.name
    body = [f"<h1>{escape(title)} · {escape(say('sheet.key'))}</h1>", f'<p class="small">{escape(again)}</p>']
    for part in ("aims", "activity", "notes"):
        if say.has(f"{name}.{part}"):
            body.append(f"<h2>{escape(say(f'page.{part}'))}</h2><p>{escape(say(f'{name}.{part}'))}</p>")
    body.append(plan_html(found, say))
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
    """The sheets of a class without names; for names, use a class list."""
    if not 1 <= pupils <= MOST_PUPILS:
        raise RulesError("shared.must_from_to", what="pupils", least=1, most=MOST_PUPILS, got=pupils)
    if not 0 <= seed <= LARGEST_SEED:
        raise RulesError("lessons.seed_12", got=seed)
    return tuple(Sheet(pupil, pupil_seed(seed, pupil)) for pupil in range(1, pupils + 1))


def pages(lesson: Ref, of: Sequence[Sheet], lang: str = "en") -> dict[str, str]:
    """Every page of a class set, by file name: a sheet per pupil, all sheets as one page to print, and the key.

    >>> sorted(pages(1, class_set(pupils=2, seed=7)))
    ['lesson-1-key.html', 'lesson-1-sheet-01.html', 'lesson-1-sheet-02.html', 'lesson-1-sheets.html']
    """
    problems(lesson, of[0].seed)  # refuses an unknown lesson
    found = find(lesson)
    say, label = words_of(found, lang), label_of(found)
    title = title_of(found, say)
    bodies = {sheet.pupil: sheet_body(lesson, sheet, title, lang) for sheet in of}
    known = {"number": label, "lang": lang}
    if of[0].name:
        again = say("sheet.class_list_again", **known)
    else:
        again = say("sheet.seed_again", **known, pupils=len(of), seed=of[0].seed // 1000)
    return {
        **{f"lesson-{label}-sheet-{pupil:02}.html": page(title, lang, [body]) for pupil, body in bodies.items()},
        f"lesson-{label}-sheets.html": page(title, lang, bodies.values()),
        f"lesson-{label}-key.html": key_html(lesson, of, title, lang, again),
    }


def write_folder(made: Mapping[str, str | bytes], folder: Path, *, force: bool = False) -> tuple[str, ...]:
    """Write a class set into a folder, all of it or nothing. Without `force`, the folder must be empty; with it, sheets
    of an earlier set that this one does not replace are deleted, because they would not match the key. Return their
    names.
    """
    make_folder(folder)
    with alone_in(folder):  # from the check until everything is written
        try:
            finish(folder)
            present = sorted(os.listdir(folder))
        except OSError as error:
            raise CannotWrite("shared.cannot_write", path=name_of(folder), problem=reason(error)) from None
        if present and not force:
            raise RulesError("lessons.there_force", folder=name_of(folder))
        lessons = {name.partition("-sheet-")[0] for name in made if "-sheet-" in name}
        sheets = {name: match[1] for name in present if (match := _SHEET.fullmatch(name))}
        old = [name for name, lesson in sheets.items() if name not in made and lesson in lessons]
        lay_down(folder, made, gone=old)
    return tuple(old)


_SHEET = re.compile(r"(lesson-\w+)-sheet-\d+\.html")
