"""The texts of a lesson file, by language and key, and the lines on which things stand.

A text is a table of languages (`en = "…"`), or a plain string if the file names one `language`. Keys are those of a
catalogue: `<lesson>.title`, `<lesson>.<step>`, `<lesson>.<step>_hint`, …

>>> data = {"name": "x", "language": "en", "title": "Bags", "step": [{"name": "one", "text": "How many?"}]}
>>> messages(data)
{'en': {'x.title': 'Bags', 'x.one': 'How many?'}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

Path: TypeAlias = tuple[str | int, ...]

#: The texts of a lesson, and of a step with the endings of their keys.
OF_LESSON: Final = ("title", "aims", "activity", "notes", "needs", "misconception", "idea", "summary")
OF_STEP: Final = {"text": "", "hint": "_hint", "why": "_why", "praise": "_praise"}

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\-]+)\s*\]")
_KEY = re.compile(r"\s*([\w.\-]+)\s*=(.*)", re.DOTALL)


def texts_of(data: Mapping[str, object]) -> Iterator[tuple[Path, str, object]]:
    """Every text of a file: its place, its key, and its value."""
    name = data.get("name")
    for part in OF_LESSON:
        if part in data:
            yield (part,), f"{name}.{part}", data[part]
    for table, ending in (("hints", "_hint"), ("words", "")):
        for key, text in _items(data.get(table)):
            yield (table, key), f"{name}.{key}{ending}", text
    steps = data.get("step")
    for at, step in enumerate(steps if isinstance(steps, list) else ()):
        if not isinstance(step, dict):
            continue
        for part, ending in OF_STEP.items():
            if part in step:
                yield ("step", at, part), f"{name}.{step.get('name')}{ending}", step[part]
        slips = step.get("slip")
        for number, slip in enumerate(slips if isinstance(slips, list) else ()):
            if isinstance(slip, dict) and "text" in slip:
                key = f"{name}.{step.get('name')}_slip_{slip.get('name')}"
                yield ("step", at, "slip", number, "text"), key, slip["text"]


def options_of(step: Mapping[str, object], language: object) -> dict[str, object]:
    """The options of a choice by language."""
    options = step.get("options")
    if isinstance(options, dict):
        return options
    return {language: options} if isinstance(language, str) else {}


def messages(data: Mapping[str, object]) -> dict[str, dict[str, str]]:
    """The texts by language and key. Other values are left out: the reader of the file finds them."""
    language = data.get("language")
    found: dict[str, dict[str, str]] = {}
    for _, key, text in texts_of(data):
        by_language = {language: text} if isinstance(text, str) and isinstance(language, str) else text
        for lang, one in _items(by_language):
            if isinstance(one, str):
                found.setdefault(lang, {})[key] = one
    steps = data.get("step")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and step.get("ask") == "choice":
            for lang, options in options_of(step, language).items():
                for number, one in enumerate(options if isinstance(options, list) else (), 1):
                    found.setdefault(lang, {})[f"choice.{step.get('name')}.{number}"] = str(one)
    return found


def _items(table: object) -> Iterator[tuple[str, object]]:
    if isinstance(table, dict):
        yield from table.items()


def lines_of(text: str) -> dict[Path, int]:
    """The line of every table and key of a TOML text, by its place; good enough for errors.

    >>> lines_of('a = 1\\n[[step]]\\nname = "x"\\n[step.text]\\nen = "y"\\n')[("step", 0, "text", "en")]
    5
    """
    found: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quotes:  # inside a text of several lines
            if line.count(quotes) % 2:
                quotes = ""
            continue
        if header := _HEADER.match(line):
            table = ()
            names = header[2].split(".")
            for at, name in enumerate(names):
                table = (*table, name)
                last = at == len(names) - 1
                if header[1] == "[[" and last:
                    counts[table] = counts.get(table, -1) + 1
                if table in counts:
                    table = (*table, counts[table])
            if header[1] == "[[":  # tables inside start again
                counts = {path: count for path, count in counts.items() if path[: len(table)] != table}
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault((*table, *key[1].split(".")), number)
            for mark in ('"""', "'" * 3):
                if key[2].count(mark) % 2:
                    quotes = mark
    return found


def line_at(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of a place, of the first of several, or of what contains it."""
    for length in range(len(path), 0, -1):
        place = path[:length]
        if place in lines or (*place, 0) in lines:
            return lines.get(place, lines.get((*place, 0)))
    return None
