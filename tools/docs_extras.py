"""Optional parts of the documentation: screenshots, executed studies, and lessons inside the pages."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.words import labels
from nimmt_lab.site.build import make
from nimmt_lab.site.foresee import foreseen
from nimmt_lab.site.inside import Begin
from tools.ensure_chromium import find_chromium

#: A school laptop.
SIZE = (1366, 768)


# Screenshots


def photograph(folder: Path) -> dict[str, str]:
    """Take a screenshot of every screen of Home into `folder`; return names and captions, none without a Chromium."""
    chromium = find_chromium()
    if chromium is None:
        return {}
    from nimmt_lab.commands.lab import lay_out
    from nimmt_lab.widgets import Home
    from tools.browser import Stage, open_browser
    from tools.page_screenshots import lesson_steps, screens, tools

    folder.mkdir(parents=True, exist_ok=True)
    taken: dict[str, str] = {}
    with open_browser(chromium) as browser, tempfile.TemporaryDirectory() as kept:
        stage = Stage(browser.new_context(reduced_motion="reduce").new_page())
        stage.page.set_viewport_size({"width": SIZE[0], "height": SIZE[1]})
        lay_out(Path(kept), "en")
        home = Home(folder=kept, lang="en")
        stage.show(home)
        for shots in (screens(stage, home), lesson_steps(stage, home, "first_turn"), tools(stage, home)):
            for shot in shots:
                if told := caption(shot):
                    stage.page.screenshot(path=folder / f"{shot}.png")
                    taken[shot] = told
        if stage.errors or stage.left:
            raise RuntimeError(f"photographs: {stage.errors} {stage.left}")
    return taken


#: Steps of a lesson in the gallery.
LESSON_STEPS = 3
#: Screens in use, shown instead of the empty ones.
IN_USE = {
    "practise-task": "Puzzles: a task",
    "analyse-classic": "Analyse: a game reviewed, choice by choice",
    "analyse-search": "Analyse: what a search says",
    "analyse-solved": "Analyse: a position solved exactly",
    "analyse-setup": "Analyse: a position set up by clicking",
    "analyse-record-game": "Analyse: record a game at the table",
    "odds-rounds": "Odds: many rounds, two policies",
    "odds-hand": "Odds: the odds of a hand",
    "box-basic": "My box: enter the board of your own box",
}


PLAYED = {"end": "Play: the end of a game", "cover": "Play: several people at one screen"}
#: The text after the number of a lesson's step.
STEPS = {"": "", "answered": ", answered", "last": ", at its end"}


def caption(shot: str) -> str:
    """The caption of a screenshot; empty if it does not belong in the gallery.

    >>> caption("screen-learn"), caption("table-classic"), caption("first_turn-2")
    ('Learn', 'Play: a table (classic)', 'A lesson, step 2')
    >>> caption("screen-analyse"), caption("analyse-solved")
    ('', 'Analyse: a position solved exactly')
    """
    kind, _, rest = shot.partition("-")
    if kind == "screen":
        empty = rest in {name.partition("-")[0] for name in IN_USE}
        return "" if empty else str(labels("en", "home")[rest])
    if kind in ("practise", "analyse", "odds", "box"):
        return IN_USE.get(shot, "")
    if kind == "table":
        return f"Play: a table ({rest})"
    if kind in ("end", "cover"):
        return PLAYED[kind]
    number, _, when = rest.partition("-")
    if int(number) > LESSON_STEPS:
        return ""
    return f"A lesson, step {number}{STEPS[when]}"


# Studies


def execute(source: Path, target: Path) -> None:
    """Run a notebook and keep its output: figures as drawings, boards as still pictures, no scripts."""
    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(source, as_version=4)
    # Interactive charts would need a kernel; drawings need nothing. They are laid out with the font they name.
    first = (
        "import altair\nfrom nimmt_lab.charts.style import FONT\n_ = altair.renderers.enable('svg')\n"
        "_ = altair.theme.register('pages', enable=True)(lambda: altair.theme.ThemeConfig({'config': {'font': FONT}}))"
    )
    notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
    where = {"metadata": {"path": str(source.parent)}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=where).execute()
    del notebook.cells[0]
    notebook.metadata.pop("widgets", None)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            for kind in [kind for kind in output.get("data", {}) if "widget" in kind or "vega" in kind]:
                del output["data"][kind]
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)


# Lessons


#: Opens the lesson and the language named in the address, before the page's own script starts.
_CHOOSE = """
const asked = new URLSearchParams(location.hash.slice(1));
const site = document.getElementById("nl-site");
const settings = JSON.parse(site.textContent);
settings.begin.lesson = asked.get("lesson") ?? settings.begin.lesson;
settings.lang = asked.get("lang") ?? settings.lang;
site.textContent = JSON.stringify(settings);
const known = document.querySelector(`script[data-lesson="${settings.begin.lesson}"][data-lang="${settings.lang}"]`);
if (known) {
  const name = `foreseen.${settings.lang}.json`;
  document.querySelector(`script[data-file="${name}"]`)?.remove();
  known.dataset.file = name;
}
"""


def _foreseen(lang: str, lesson: str) -> bytes:
    return json.dumps(foreseen(lang, Begin(lesson)), ensure_ascii=False, separators=(",", ":")).encode()


def live_page(lessons: list[str], package: Path | None = None) -> str:
    """One page that opens any of these lessons, even from a file: `lesson.html#lesson=traps&lang=pl`."""
    site = make(lesson=lessons[0], package=package)
    others = {f"foreseen.{lang}.{lesson}.json": (lang, lesson) for lesson in lessons[1:] for lang in LANGUAGES}
    known = {name: _foreseen(lang, lesson) for name, (lang, lesson) in others.items()}
    text = replace(site, files={**site.files, **known}).one_file()
    for name, (lang, lesson) in others.items():
        text = text.replace(f'data-file="{name}"', f'data-lesson="{escape(lesson)}" data-lang="{lang}"', 1)
    head, mark, rest = text.rpartition('<script type="module">')
    return f"{head}<script>{{{_CHOOSE}}}</script>\n{mark}{rest}"
