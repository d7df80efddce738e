"""Options of rules, checked in one place: each has the type that its field of the chapter's class names.

A chapter's own checks (which values make sense together) come after this one and can rely on it. Material (a deck, a
board) is an option like any other: an object, its plain data, or what comes with the package by name. A path is for the
person at the keyboard alone; what comes out of a record, a vector or a lesson may not name files (`from_data`).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import RulesError
from .files import shown

__all__ = [
    "LARGEST_MATERIAL",
    "LARGEST_NUMBER",
    "LONGEST_TEXT",
    "OptionData",
    "allowed",
    "check_options",
    "check_title",
    "clean_title",
    "materials",
]


#: No option is larger than a seed, and none is longer than a name.
LARGEST_NUMBER = (1 << 64) - 1
LONGEST_TEXT = 200
#: Material of more bytes than this is nobody's deck or board.
LARGEST_MATERIAL = 200_000


if TYPE_CHECKING:
    Given = TypeVar("Given", contravariant=True)
    Kept = TypeVar("Kept", covariant=True)

    class Converted(Generic[Given, Kept]):
        """An option that callers may give as one type and that the rules keep as another.

        Only type checkers see it: to them, the constructor of a dataclass takes what `__set__` takes. When the program
        runs, the field has the type that is kept and `__post_init__` converts what was given.
        """

        def __get__(self, game: object, kind: type | None = None) -> Kept: ...
        def __set__(self, game: object, value: Given) -> None: ...


class OptionData:
    """Base of decks and boards: values that a record carries along, or names with their fingerprint if they come with
    the package."""

    __slots__ = ()

    #: What it is called in messages.
    what: ClassVar[str]

    @classmethod
    def made(cls, source: object) -> OptionData:
        """From the material itself, the path of its file, or its plain data."""
        raise TypeError(f"{cls.__name__} cannot be made")

    @classmethod
    def shipped(cls) -> Mapping[str, OptionData]:
        """What comes with the package, by name."""
        return {}

    def to_json(self) -> Mapping[str, object]:
        """The material as plain data."""
        raise TypeError(f"{type(self).__name__} has no plain data")

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that stand for all of it."""
        plain = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    @classmethod
    def from_data(cls, data: object, option: str) -> object:
        """What a record (or a vector, or a lesson) says about this option. Never a path."""
        if isinstance(data, (str, os.PathLike)):
            raise RulesError(
                "engine.names_file_record", option=option, data=shown(data), what=cls.what, name=cls.__name__
            )
        if not isinstance(data, Mapping) or "shipped" not in data:
            return data
        name, mark = data["shipped"], data.get("fingerprint")
        there = cls.shipped()
        if not isinstance(name, str) or name not in there or set(data) - {"shipped", "fingerprint"}:
            raise RulesError(
                "engine.no_comes_package", option=option, what=cls.what, name=shown(name), known=", ".join(there)
            )
        if mark != there[name].fingerprint:
            raise RulesError(
                "engine.not_one_was",
                option=option,
                what=cls.what,
                name=shown(name),
                fingerprint=there[name].fingerprint,
                got=shown(mark),
            )
        return there[name]


def check_title(title: object, what: str) -> None:
    """The name of a piece of material: one line of text."""
    if not isinstance(title, str) or not title or title != clean_title(title, ""):
        raise RulesError("engine.title_long", what=what, most=LONGEST_TEXT, got=shown(title))


def clean_title(text: str, otherwise: str) -> str:
    r"""Some text as a title: one line, printable, not too long; `otherwise` if nothing is left of it.

    >>> clean_title("  my\tdeck\x00 ", "deck"), clean_title("\n", "deck")
    ('my deck', 'deck')
    """
    plain = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return " ".join(plain[:LONGEST_TEXT].split()) or otherwise


def _kinds(owner: type) -> Mapping[str, tuple[object, ...]]:
    """The types each option may have, looked up once."""
    if owner not in _KNOWN:
        _KNOWN[owner] = _look_up(owner)
    return _KNOWN[owner]


_KNOWN: dict[type, Mapping[str, tuple[object, ...]]] = {}


def _look_up(owner: type) -> Mapping[str, tuple[object, ...]]:
    hints = get_type_hints(owner)
    found = {}
    for field in fields(owner):
        if field.init:
            hint = hints[field.name]
            found[field.name] = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return found


def materials(owner: type) -> dict[str, type[OptionData]]:
    """The options of a chapter that are material."""
    return {
        name: kind
        for name, kinds in _kinds(owner).items()
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, OptionData)
    }


def check_options(owner: object, name: str) -> None:
    """Refuse an option that is not of its type, or out of all proportion. `name` stands before the message."""
    for option, kinds in _kinds(type(owner)).items():
        value = getattr(owner, option)
        if not any(_fits(value, kind) for kind in kinds):
            expected = " or ".join(dict.fromkeys(_words(kind) for kind in kinds))
            raise RulesError("engine.option_must", name=name, option=option, expected=expected, got=shown(value))


def _fits(value: object, kind: object) -> bool:
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and -LARGEST_NUMBER <= value <= LARGEST_NUMBER
    if kind is str:
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    if get_origin(kind) is tuple:
        return isinstance(value, (tuple, list))
    if isinstance(kind, type) and issubclass(kind, OptionData):
        return True  # `made` takes it in, or says what it would take
    assert isinstance(kind, type), f"options have plain types, not {kind}"
    return isinstance(value, kind)


def _words(kind: object) -> str:
    if get_origin(kind) is tuple:
        return "a list"
    return _WORDS.get(kind, str(kind))


_WORDS: dict[object, str] = {
    int: "a whole number", str: "a short text", bool: "true or false", NoneType: "nothing"
}  # fmt: skip


def allowed(owner: type) -> dict[str, Sequence[object]]:
    """What each option of a chapter may be, where that can be listed: values, or a range of numbers. An option that
    holds several (a tuple) may hold any of those listed.

    >>> from nimmt_lab import Buffalo
    >>> allowed(Buffalo)["tie"], allowed(Buffalo)["between_turns"]
    (('draw', 'loss'), (False, True))
    """
    known = _kinds(owner)
    found: dict[str, Sequence[object]] = {name: (False, True) for name, kinds in known.items() if kinds == (bool,)}
    for kind in reversed(owner.__mro__):
        given = kind.__dict__.get("allowed", {})
        found |= {name: values() if callable(values) else values for name, values in given.items() if name in known}
    return found
