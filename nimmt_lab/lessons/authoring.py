"""Beginning a lesson of one's own: from a template, or as a copy of another lesson.

>>> from .lessonfile import read_lesson
>>> len(read_lesson(template("my_lesson", "en")).questions)
3
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import parse_toml, shown

from .asked import problems_of, words_of
from .classroom import number_of
from .lessonfile import FORMAT
from .library import Library
from .rules import Lesson
from .shipped import names, shipped, source_of
from .words import words

__all__ = ["copy_of", "name_of_file", "template"]

#: How many seeds tell whether the options of a question are always the same.
_SEEDS: Final = 6

#: The texts of the template, and of its question with a program.
TEXTS: Final = ("title", "aims", "see", "row", "pick", "tens", "chance", "why")
MORE_TEXTS: Final = ("two", "two_why", "back")

_TEMPLATE: Final = """\
format = "{format}"
name = "{name}"
version = 1
language = "{lang}"
title = {title}
aims = {aims}

# A table to watch: cards in rows, then everybody's hand, then who plays what.
[[step]]
name = "see"
position = "12 | 37 | 43 | 58 ; A: 14 21 ; B: 15 26"
plays = [{{ A = "14", B = "15" }}]
text = {see}

# A question about the rules. The rules answer it: there is nothing to fill in.
[[step]]
name = "row"
ask = "row"
card = 25
position = "9 | 23 | 40 | 71 ; A: 25 60 ; B: 44 62"
reveal = {{ A = "25", B = "44" }}
text = {row}

# A choice. The right option is counted from 1.
[[step]]
name = "pick"
ask = "choice"
text = {pick}
options = ["5", "10", "55"]
right = 3
[[step.slip]]
name = "tens"
answer = 2
text = {tens}

# A number. Every pupil gets other numbers, drawn from these ranges.
[[step]]
name = "chance"
ask = "number"
draw = {{ safe = [3, 9], cards = [20, 40] }}
answer = "safe / cards"
text = {chance}
why = {why}
"""

_PROGRAM: Final = """
# A number that a program draws: write Python when ranges and formulas are not enough.
[[step]]
name = "two"
ask = "number"
function = "two"
text = {two}
why = {two_why}
[[step.slip]]
name = "back"
text = {back}
"""

_FUNCTION: Final = '''program = """
def two(draw):
    n = draw.number(20, 40)
    k = draw.number(5, 9)

    def trial(draw):
        return all(card <= k for card in draw.some(range(1, n + 1), 2))

    return {
        "values": {"n": n, "k": k},
        "answer": Fraction(k * (k - 1), n * (n - 1)),
        "slips": {"back": Fraction(k * k, n * n)},
        "trial": trial,
    }
"""
'''


def template(name: str, lang: str, *, program: bool = False) -> str:
    """A small lesson with a step of each kind, to change."""
    say = words(lang)
    text = _TEMPLATE.format(
        format=FORMAT,
        name=name,
        lang=lang,
        **{key: _quoted(say.catalogue.message(f"own.{key}")) for key in TEXTS},
    )
    if not program:
        return text
    two = {key: _quoted(say.catalogue.message(f"own.{key}")) for key in MORE_TEXTS}
    head, mark, rest = text.partition("\n# ")
    return f"{head}{_FUNCTION}{mark}{rest}{_PROGRAM.format(**two)}"


def name_of_file(stem: str) -> str:
    """The name of a lesson in a file of that name: small letters, digits and _.

    >>> name_of_file("My lesson 2"), name_of_file("2nd")
    ('my_lesson_2', 'lesson_2nd')
    """
    plain = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_")[:30] or "lesson"
    return plain if plain[0].isalpha() else f"lesson_{plain}"


def copy_of(lesson: str, name: str, library: Library) -> str:
    """The file of a lesson under another name. Copied questions on probability have their numbers and
    answers from the package, and texts to change. A file has the same options on every sheet: questions whose options
    depend on the numbers stay behind, and the file names them."""
    if lesson not in names():
        own = next((one for one in library.files() if one.lesson is not None and one.lesson.name == lesson), None)
        if own is None or own.path.suffix != ".toml":
            raise RulesError("shared.no_lesson_of", lesson=shown(lesson), known=", ".join(library.names()))
        return _renamed(own.path.read_text(encoding="utf-8"), name)
    if number_of(lesson) is None:
        return _renamed(source_of(lesson), name)
    return "\n".join(_copied(shipped(lesson), parse_toml(source_of(lesson)), name)) + "\n"


def _renamed(text: str, name: str) -> str:
    text = re.sub(r"(?m)\Aformat = (.*)\nname = .*$", rf'format = \1\nname = "{name}"', text, count=1)
    return re.sub(r"(?m)^version = .*$", "version = 1", text, count=1)


def _copied(lesson: Lesson, data: Mapping[str, object], name: str) -> Iterator[str]:
    made = [problems_of(lesson, seed) for seed in range(_SEEDS)]
    kept = [at for at in range(len(made[0])) if len({one[at].choices for one in made}) == 1]
    steps = [lesson.questions[at] for at in kept]
    yield f'format = "{FORMAT}"\nname = "{name}"\nversion = 1'
    if lesson.heads:
        yield "heads = true"
    if lesson.plan is not None:
        yield f"minutes = {list(lesson.plan.minutes)}"
    yield 'program = """\nfrom nimmt_lab.lessons.copied import question'
    for step in steps:
        yield f'\ndef {step.name}(draw):\n    return question("{lesson.name}", "{step.name}", draw)'
    yield '"""'
    for part in ("title", "aims", "activity", "notes", "needs", "misconception", "idea"):
        if part in data:
            yield from ("", f"[{part}]", *_table(data[part]))
    for key, text in _items(data.get("words")):
        yield from ("", f"[words.{key}]", *_table(text))
    asked = {str(step.get("name")): step for step in _tables(data.get("step"))}
    behind = [step.name for step in lesson.questions if step not in steps]
    if behind:
        yield f"\n# Not copied, because every sheet has other options: {', '.join(behind)}."
    for at, step in zip(kept, steps, strict=True):
        yield f'\n[[step]]\nname = "{step.name}"\nask = "{step.ask}"\nfunction = "{step.name}"\nmarks = {step.marks}'
        if (state := made[0][at].state) is not None:
            game = ", ".join(
                f"{key} = {json.dumps(value)}" for key, value in state.game.options().items() if _simple(value)
            )
            yield f'game = {{ system = "{state.game.name}", {game} }}'
        if choices := made[0][at].choices:
            for lang in lesson.languages:
                said = words_of(lesson, lang)
                options = [said(f"choice.{one}") if said.has(f"choice.{one}") else one for one in choices]
                yield f"options.{lang} = {json.dumps(options, ensure_ascii=False)}"
        for part in ("text", "why"):
            if part in asked[step.name]:
                yield from (f"[step.{part}]", *_table(asked[step.name][part]))


def _table(text: object) -> Iterator[str]:
    for lang, one in _items(text):
        yield f"{lang} = {_quoted(str(one))}"


def _simple(value: object) -> bool:
    """Whether an option is written in TOML as in JSON."""
    return isinstance(value, (bool, int, str))


def _items(table: object) -> Iterator[tuple[str, object]]:
    if isinstance(table, dict):
        yield from table.items()


def _tables(steps: object) -> Iterator[dict[str, object]]:
    yield from (step for step in (steps if isinstance(steps, list) else ()) if isinstance(step, dict))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
