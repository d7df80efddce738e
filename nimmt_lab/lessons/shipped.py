"""The lessons of the package: a file each in `shipped/`, in the order of `order.toml`.

>>> order()["rules"][:2], shipped("p2").plan.minutes
(('first_turn', 'taking_rows'), (10, 20, 10))
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from nimmt_lab.engine.files import parse_toml

from .lessontexts import messages
from .rules import Lesson

FOLDER = "shipped"


def source_of(name: str) -> str:
    """The text of a lesson's file."""
    return (files(__package__) / FOLDER / f"{name}.toml").read_text(encoding="utf-8")


@cache
def order() -> Mapping[str, tuple[str, ...]]:
    """The names of the lessons, by part."""
    found = parse_toml(source_of("order"))
    return {part: tuple(map(str, names)) for part, names in found.items() if isinstance(names, list)}


def names() -> tuple[str, ...]:
    return tuple(name for part in order().values() for name in part)


def full_name(text: str) -> str:
    """The name of a lesson that may have been given by its number in the classroom.

    >>> full_name("2"), full_name("p2"), full_name("scoring"), full_name("77")
    ('p2', 'p2', 'scoring', '77')
    """
    return f"p{text}" if f"p{text}" in names() else text


@cache
def shipped(name: str) -> Lesson:
    """A lesson by name, which must be one of `names()`."""
    from .lessonfile import read_lesson

    return read_lesson(source_of(name), f"{name}.toml", packaged=True)


@cache
def texts(lang: str) -> Mapping[str, str]:
    """The texts of all lessons in a language."""
    return {key: text for by_lang in _all_texts() for key, text in by_lang.get(lang, {}).items()}


@cache
def _all_texts() -> tuple[Mapping[str, Mapping[str, str]], ...]:
    return tuple(messages(parse_toml(source_of(name))) for name in names())
