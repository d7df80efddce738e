"""Generated parts of the documentation: drawings, rules, commands and measurements from the package.

A page asks for a part with a block such as

    ```{watch} first_turn.see
    ```

and `expand` puts Markdown there. Everything in it comes from the engine, the catalogues or the argument parsers, or
is the unedited output of a measurement (`docs/measured`).
"""

from __future__ import annotations

import argparse
import html
import importlib
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab.boards.film import Film, film_of
from nimmt_lab.boards.picture import svg
from nimmt_lab.bots import levels
from nimmt_lab.cli import COMMANDS
from nimmt_lab.commands.words import explain_arguments, say
from nimmt_lab.conformance.runner import load
from nimmt_lab.engine.files import write_file
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain import words as rule_words
from nimmt_lab.lessons import CLASSROOM, lesson_names, question_of, rules_lesson, rules_lessons
from nimmt_lab.lessons.words import words as lesson_words

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
#: The reason if a part of a page is missing.
NO_FIGURES = "These pages were built without executing the studies, so they show stored figures and no other results"
NO_SCREENSHOTS = "These pages have no screenshots, because they were built without Chromium"
MEASURED = DOCS / "measured"
#: A block that asks for a part; other blocks of this form belong to MyST.
BLOCK = re.compile(r"^```\{([a-z-]+)\}(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
#: Blocks of notation, which tests read; no highlighter supports them.
NOTATION = re.compile(r"^```(?:position|record)$", re.MULTILINE)
#: The page that runs lessons inside other pages, in the same folder.
LIVE = "_live/lesson.html"
#: The width of the picture in README.md.
README_WIDTH = 540
#: Other texts of the parts, in the page's language.
SAID = {
    "en": {
        "try": "Do it yourself: lesson “{title}”, under *Learn* in Home (`make lab`).",
        "live": "Do it here: lesson “{title}” (loading Python takes a moment)",
        "open": "Open a lesson to do it here. Loading Python takes a moment.",
    },
    "pl": {
        "try": "Zrób to: lekcja „{title}”, w dziale *Nauka* strony głównej (`make lab`).",
        "live": "Zrób to tutaj: lekcja „{title}” (strona ładuje Pythona, to chwilę trwa)",
        "open": "Otwórz lekcję, żeby ją tu zrobić; strona ładuje Pythona, to chwilę trwa.",
    },
    "cs": {
        "try": "Vyzkoušejte si to: lekce „{title}“, v části *Učení* na domovské stránce (`make lab`).",
        "live": "Vyzkoušejte si to tady: lekce „{title}“ (stránka načítá Python, chvíli to trvá)",
        "open": "Otevřete lekci a vyzkoušejte si ji tady; stránka načítá Python, chvíli to trvá.",
    },
}


class PartError(ValueError):
    """A page asks for an unknown part."""


@dataclass
class Pages:
    """The state of a build: the folder for drawings, and whether lessons run inside the pages."""

    folder: Path
    #: Whether lessons run in the pages.
    live: bool = False
    #: Whether the studies were executed.
    executed: bool = False
    #: Screenshots: the picture's name, and its content.
    screens: dict[str, str] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    #: The lessons that pages ask for.
    lessons: set[str] = field(default_factory=set)
    #: The relative path from the page being built to the first page.
    up: str = ""

    def draw(self, name: str, picture: str, caption: str = "") -> str:
        """A drawing as a figure; its own description serves as alternative text."""
        label = re.search(r'aria-label="([^"]*)"', picture)
        if label is None:
            raise PartError(f"the drawing {name} says nothing to who cannot see it")
        if name not in self.drawn:
            self.drawn.add(name)
            write(self.folder / "_drawn" / f"{name}.svg", picture)
        alt = " ".join(html.unescape(label[1]).split())
        return f":::{{figure}} /_drawn/{name}.svg\n:alt: {alt}\n:figclass: drawn\n\n{caption}\n:::\n"


def write(path: Path, text: str) -> None:
    """Write a page if it has changed: Sphinx rereads newer files."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text)


def expand(text: str, pages: Pages, lang: str = "en") -> str:
    """Replace the parts in a page."""

    def put(block: re.Match[str]) -> str:
        name, argument, content = block[1], block[2].strip(), block[3]
        if name not in PARTS:
            return block[0]
        return PARTS[name](pages, lang, argument, content).strip()

    return NOTATION.sub("```text", BLOCK.sub(put, text))


# Drawings


def step_film(lesson: str, name: str, lang: str) -> Film:
    """A step of a rules lesson as frames: the play to watch, or the turn that answers the question."""
    found = [step for step in rules_lesson(lesson).steps if step.name == name]
    if not found:
        raise PartError(f"lesson {lesson} has no step {name}")
    [step] = found
    if not step.ask:
        return film_of(step.record, lang=lang)
    question = question_of(step, lesson)
    film = Film(step.game, lang=lang)
    film.position(question.state)
    for ply, played in enumerate(question.proof, 1):
        film.step(played, ply, None, question.proof[: ply - 1])
    return film


def sentences(frames: list[Any]) -> list[str]:
    """The narration, frame by frame; repeated beginnings are left out."""
    told: list[str] = []
    for frame in frames:
        text = str(frame["text"])
        while told and text.startswith(told[-1]):
            text = text.removeprefix(told[-1]).strip()
        if text:
            told.append(text)
    return told


def watch(pages: Pages, lang: str, argument: str, content: str) -> str:
    """A step of a lesson: the table before, the events and their rules, the table after."""
    lesson, _, name = argument.partition(".")
    scene = step_film(lesson, name, lang).scene()
    frames: Any = scene["frames"]
    file = f"{lesson}-{name}-{lang}"
    parts = [pages.draw(f"{file}-1", svg(scene, 0), content.strip())]
    told = sentences(list(frames))
    parts += ["", *(f"{number}. {text}" for number, text in enumerate(told, 1)), ""]
    if len(frames) > 1:
        parts.append(pages.draw(f"{file}-2", svg(scene, len(frames) - 1)))
    return "\n".join(parts)


def readme_picture() -> str:
    """The picture at the top of README.md: the end of the first turn of the first lesson, without the hands and
    slightly smaller."""
    scene = step_film("first_turn", "see", "en").scene()
    frames: Any = scene["frames"]
    drawn = svg({**scene, "seats": [], "frames": [{**frames[-1], "seats": []}]})
    whole = re.search(r' width="(\d+)" height="([\d.]+)"', drawn)
    assert whole is not None  # `picture.svg` writes it
    smaller = f' width="{README_WIDTH}" height="{float(whole[2]) * README_WIDTH / int(whole[1]):.0f}"'
    return drawn.replace(whole[0], smaller, 1) + "\n"


def position(pages: Pages, lang: str, argument: str, content: str) -> str:
    """A position of a game: `{position} classic players=4`, and the position in notation."""
    name, _, rules = argument.partition(" ")
    state = read_rules(name, rules).from_position(content.strip())
    film = Film(state.game, lang=lang)
    film.position(state)
    file = re.sub(r"\W+", "-", f"{argument} {content}").strip("-")[:80]
    return pages.draw(f"{file}-{lang}", svg(film.scene(), 0))


def dealt(pages: Pages, lang: str, argument: str, content: str) -> str:
    """A random game in progress: `{dealt} buffalo players=3`."""
    name, _, rules = argument.partition(" ")
    record = Record(read_rules(name, rules), seed=5)
    rng = Rng.from_seed(5, stream=1)
    rows = False
    steps = 0
    while record.final.pending and steps < 5:
        made, rng = random_choices(record.final, rng)
        record = record.then(made)
        rows = rows or bool(record.final.rows)
        steps += rows
    scene = film_of(record, lang=lang, seats=(0,)).scene()
    file = re.sub(r"\W+", "-", argument).strip("-")
    return pages.draw(f"dealt-{file}-{lang}", svg(scene, -1), content.strip())


# Rules, rulings and lessons


def rule_list(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The rules of chapters in a sentence each: `{rules} classic even_odd`."""
    say = rule_words(lang)
    found = [
        (say(key), say(f"rule_text.{key.removeprefix('rule.')}"))
        for chapter in argument.split()
        for key in say.catalogue.messages
        if f"{key}.".startswith(f"rule.{chapter}.")
    ]
    if len(found) < len(argument.split()):
        raise PartError(f"not all of these are rules: {argument}")
    return "\n".join(f"- **{name}**: {text}" for name, text in found)


def rulings() -> dict[str, dict[str, Any]]:
    """Every ruling by number, in order."""
    return tomllib.loads((DOCS / "rulings.toml").read_text(encoding="utf-8"))


def taught_by() -> dict[str, list[str]]:
    """The lessons that teach each ruling by name."""
    found: dict[str, list[str]] = {}
    for lesson in rules_lessons():
        for step in lesson.steps:
            for ruling in step.rulings:
                if lesson.name not in found.setdefault(ruling, []):
                    found[ruling].append(lesson.name)
    return found


def tests_of(ruling: str) -> list[str]:
    """The tests that cite a ruling."""
    cited = re.compile(rf"\b{ruling}\b(?!\d)")
    skip = ("test_taught.py", "test_pages.py")
    return [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path.name not in skip and cited.search(path.read_text(encoding="utf-8"))
    ]


def ruling_list(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The rulings of a letter: our decision, the option that changes it, where it is taught and tested."""
    title, taught = lesson_words("en"), taught_by()
    lines = []
    for number, ruling in rulings().items():
        if not re.fullmatch(rf"R-{argument}\d+", number):
            continue
        line = f"({number.lower()})=\n**{number}.** {ruling['says']}"
        if option := ruling.get("option"):
            line += f" Option: `{option}`."
        if lessons := taught.get(number):
            line += " Lesson: " + ", ".join(f"*{title(f'{lesson}.title')}*" for lesson in lessons) + "."
        if tests := tests_of(number):
            line += " Tests: " + ", ".join(f"`{test}`" for test in tests) + "."
        lines.append(line)
    if not lines:
        raise PartError(f"no rulings R-{argument}…")
    return "\n\n".join(lines)


def lesson(pages: Pages, lang: str, argument: str, content: str) -> str:
    """A lesson, embedded in the page or as a link."""
    if argument not in lesson_names():
        raise PartError(f"no lesson {argument}")
    title = lesson_words(lang)(f"{argument}.title")
    if pages.live:
        return _to_open(pages, lang, argument, SAID[lang]["live"].format(title=title))
    return f":::{{tip}}\n{SAID[lang]['try'].format(title=title)}\n:::"


def _to_open(pages: Pages, lang: str, name: str, told: str) -> str:
    """A lesson in a frame without an origin, so that nothing is stored and lessons do not affect each other. Its
    address is set when it is opened, because browsers load lazy frames even inside closed details."""
    pages.lessons.add(name)
    source = f"{pages.up}{LIVE}#lesson={name}&amp;lang={lang}"
    may = 'sandbox="allow-scripts allow-downloads"'
    frame = f'<iframe class="live" {may} data-src="{source}" title="{html.escape(told)}"></iframe>'
    opened = "const frame = this.querySelector('iframe'); frame.src ||= frame.dataset.src"
    return f'<details class="live" ontoggle="{opened}"><summary>{html.escape(told)}</summary>{frame}</details>'


def lesson_list(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The lessons about the rules or probability: embedded, or as a list of titles."""
    kinds = {"rules": [one.name for one in rules_lessons()], "probability": [f"p{number}" for number in CLASSROOM]}
    if argument not in kinds:
        raise PartError(f"no lessons about {argument}")
    title = lesson_words(lang)
    lines = [f"{at}. {title(f'{name}.title')}" for at, name in enumerate(kinds[argument], 1)]
    if pages.live:
        opened = [_to_open(pages, lang, name, line) for name, line in zip(kinds[argument], lines, strict=True)]
        return "\n\n".join([SAID[lang]["open"], *opened])
    return "\n".join(f"{line} (`{name}`)" for name, line in zip(kinds[argument], lines, strict=True))


# Commands


def parser_of(command: str) -> argparse.ArgumentParser:
    """A subcommand's arguments with their help texts, as in `nimmt-lab COMMAND --help`."""
    parser = argparse.ArgumentParser(prog=f"nimmt-lab {command}", formatter_class=_Wide)
    module = command.replace("-", "_")
    importlib.import_module(f"nimmt_lab.commands.{module}").arguments(parser)
    explain_arguments(parser, module)
    return parser


class _Wide(argparse.HelpFormatter):
    """Help of the same width on every machine."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=88)


def command_list(pages: Pages, lang: str, argument: str, content: str) -> str:
    """Every subcommand: purpose, usage, arguments."""
    return "\n\n".join(command(name) for name in COMMANDS)


def command(name: str) -> str:
    """One subcommand as a section."""
    parser = parser_of(name)
    about = say(f"commands.{name.replace('-', '_')}", "en")
    lines = [f"({name}-command)=", f"## nimmt-lab {name}", "", f"{about[0].upper()}{about[1:]}.", ""]
    usage = parser.format_usage().removeprefix("usage: ").rstrip()
    lines += ["```text", usage, "```", ""]
    for action in parser._actions:
        if action.dest == "help":
            continue
        text = " ".join((action.help or "").replace("%%", "%").split())
        lines += [f"`{spelled(action)}`", f": {_escaped(text[:1].upper() + text[1:])}.", ""]
    return "\n".join(lines)


def spelled(action: argparse.Action) -> str:
    """An argument as typed."""
    if action.choices is not None and action.metavar is None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        value = str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return value
    takes = action.nargs != 0
    return ", ".join(f"{name} {value}" if takes else name for name in action.option_strings)


def _escaped(text: str) -> str:
    return re.sub(r"([*_<>\[\]`{}|])", r"\\\1", text)


# Measurements and counts


def golden(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The first lines of a recorded game of the tests: `{record} classic 9`."""
    name, count = argument.split()
    lines = (ROOT / "tests" / "golden" / f"{name}.nimmt").read_text(encoding="utf-8").splitlines()
    return "```text\n" + "\n".join([*lines[: int(count)], "…"]) + "\n```"


def vectors(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The number of rule vectors by file."""
    files = {path.name: len(load(path)) for path in sorted((ROOT / "tests" / "conformance").glob("*.json"))}
    lines = ["| file | vectors |", "|---|---|", *(f"| `{name}` | {count} |" for name, count in files.items())]
    return "\n".join([*lines, f"| together | {sum(files.values())} |"])


def level_table(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The eight levels and the results of the ladder."""
    lines = ["| level | plays so | win credit | chance | ahead by |", "|---|---|---|---|---|"]
    for level in levels():
        found = level.measured
        credit = ("", "", "")
        if found is not None:
            credit = (
                f"{found.win_credit:.2f} ± {found.margin:.2f}",
                f"{found.chance:.2f}",
                f"{found.ahead:.1f} ± {found.ahead_margin:.1f}",
            )
        lines.append(f"| {level.number} {level.title(lang)} | {level.description(lang)} | " + " | ".join(credit) + " |")
    return "\n".join(lines)


def study_state(pages: Pages, lang: str, argument: str, content: str) -> str:
    """Whether the studies were executed for these pages."""
    if pages.executed:
        return "The figures were computed while these pages were built."
    return f":::{{note}}\n{NO_FIGURES}. `make docs ARGS=--execute` executes them in a few minutes.\n:::"


def measured() -> dict[str, dict[str, str]]:
    """Every measurement: command, caption, date."""
    return tomllib.loads((MEASURED / "measured.toml").read_text(encoding="utf-8"))


def measurement(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The output of a measurement, with its command."""
    found = measured().get(argument)
    if found is None:
        raise PartError(f"nothing was measured as {argument}")
    printed = (MEASURED / f"{argument}.txt").read_text(encoding="utf-8").rstrip()
    return f"```sh\n{found['command']}\n```\n\n```text\n{printed}\n```\n\nMeasured {found['on']}."


# The gallery


def gallery(pages: Pages, lang: str, argument: str, content: str) -> str:
    """The screenshots, or why they are missing."""
    if not pages.screens:
        return (
            f":::{{note}}\n{NO_SCREENSHOTS}. "
            "Run `python tools/ensure_chromium.py` to find or download it, then build the pages again.\n:::"
        )
    parts = []
    for name, caption in pages.screens.items():
        look = f":::{{figure}} /_drawn/{name}.png\n:alt: {caption}\n:figclass: drawn screen\n\n{caption}\n:::"
        parts.append(look)
    return "\n\n".join(parts)


Part = Callable[[Pages, str, str, str], str]
PARTS: dict[str, Part] = {
    "watch": watch,
    "position": position,
    "dealt": dealt,
    "rules": rule_list,
    "rulings": ruling_list,
    "lesson": lesson,
    "lessons": lesson_list,
    "commands": command_list,
    "measured": measurement,
    "record": golden,
    "vectors": vectors,
    "levels": level_table,
    "study-state": study_state,
    "gallery": gallery,
}


def asked(text: str) -> Iterator[tuple[str, str]]:
    """The parts in a page."""
    for block in BLOCK.finditer(text):
        if block[1] in PARTS:
            yield block[1], block[2].strip()
