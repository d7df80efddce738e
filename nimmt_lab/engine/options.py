"""Checking the options of rules.

Every option must have the type of its dataclass field and one of the values that its class allows; a chapter then
checks combinations. Material (a deck or a board) is given as an object, as plain data, or by the name of a sample. Only
users may give a path: records, vectors and lessons must not name files (`from_data`).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache, reduce
from types import NoneType, UnionType
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import RulesError
from .files import shown
from .limits import is_whole
from .sentences import Phrase

__all__ = ["OptionData", "allowed", "check_options", "check_title", "clean_title", "materials"]


#: The largest number and the longest text of an option.
LARGEST_NUMBER = (1 << 64) - 1
LONGEST_TEXT = 200
#: The largest file of a deck or board, in bytes.
LARGEST_MATERIAL = 200_000


if TYPE_CHECKING:
    Given = TypeVar("Given", contravariant=True)
    Kept = TypeVar("Kept", covariant=True)

    class Converted(Generic[Given, Kept]):
        """An option that callers give as one type and rules store as another.

        Only type checkers see it: to them, a dataclass constructor accepts what `__set__` accepts. At run time
        `__post_init__` converts the given value.
        """

        def __get__(self, game: object, kind: type | None = None) -> Kept: ...
        def __set__(self, game: object, value: Given) -> None: ...


class OptionData:
    """Base of decks and boards, which records contain in full, or by name and fingerprint if they are samples."""

    __slots__ = ()

    #: The name of this kind of material in messages, in Polish and Czech as a genitive.
    what: ClassVar[Phrase]
    title: str
    #: Whether this is our sample instead of the printed material.
    is_sample: bool

    def __repr__(self) -> str:
        return f"<{self.title}>"

    @property
    def full_title(self) -> str:
        """The title, which says so if this is a sample."""
        return self.title_in("en")

    def title_in(self, lang: str) -> str:
        """The full title; ours are translated, those of other people's files are not."""
        ours = self.our_title
        if ours is not None and self in self.shipped().values():
            return ours.translate(lang)
        named = not self.is_sample or "sample" in self.title.lower()
        return self.title if named else Phrase("drawn.sample", title=self.title).translate(lang)

    @property
    def our_title(self) -> Phrase | None:
        """The title of the sample in the package."""
        return None

    @classmethod
    def made(cls, source: object) -> OptionData:
        """Accept the material itself, the path of its file, or its plain data."""
        raise NotImplementedError

    @classmethod
    def shipped(cls) -> Mapping[str, OptionData]:
        """The samples in the package, by name."""
        return {}

    def to_json(self) -> Mapping[str, object]:
        raise NotImplementedError

    @property
    def fingerprint(self) -> str:
        """A hash of twelve hexadecimal digits."""
        plain = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    @classmethod
    def from_data(cls, data: object, option: str) -> object:
        """The value of this option in a record, vector or lesson; paths are refused."""
        if isinstance(data, (str, os.PathLike)):
            raise RulesError(
                "engine.names_file_record", option=option, data=shown(data), what=cls.what, name=cls.__name__
            )
        if not isinstance(data, Mapping) or "shipped" not in data:
            return data
        name, mark = data["shipped"], data.get("fingerprint")
        samples = cls.shipped()
        if not isinstance(name, str) or name not in samples or set(data) - {"shipped", "fingerprint"}:
            raise RulesError(
                "engine.no_comes_package", option=option, what=cls.what, name=shown(name), known=", ".join(samples)
            )
        if mark != samples[name].fingerprint:
            raise RulesError(
                "engine.not_one_was",
                option=option,
                what=cls.what,
                name=shown(name),
                fingerprint=samples[name].fingerprint,
                got=shown(mark),
            )
        return samples[name]


def check_title(title: object, what: Phrase) -> None:
    """Check the title of a piece of material: one line of text."""
    if not isinstance(title, str) or not title or title != clean_title(title, ""):
        raise RulesError("engine.title_long", what=what, most=LONGEST_TEXT, got=shown(title))


def clean_title(text: str, otherwise: str) -> str:
    r"""Clean up a title: one line, printable, not too long; `otherwise` if nothing remains.

    >>> clean_title("  my\tdeck\x00 ", "deck"), clean_title("\n", "deck")
    ('my deck', 'deck')
    """
    plain = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return " ".join(plain[:LONGEST_TEXT].split()) or otherwise


@cache
def _kinds(owner: type) -> Mapping[str, tuple[object, ...]]:
    """The possible types of each option."""
    hints = get_type_hints(owner)
    options = {field.name: hints[field.name] for field in fields(owner) if field.init}
    unions = (Union, UnionType)
    return {name: get_args(hint) if get_origin(hint) in unions else (hint,) for name, hint in options.items()}


def materials(owner: type) -> dict[str, type[OptionData]]:
    """The decks and boards that a game's options accept."""
    return {
        name: kind
        for name, kinds in _kinds(owner).items()
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, OptionData)
    }


def check_options(owner: object, name: str) -> None:
    """Refuse an option of the wrong type or size, or outside the values that its class allows."""
    rules: type = type(owner)
    _check_defaults(rules)
    for option, kinds in _kinds(rules).items():
        value = getattr(owner, option)
        if not any(_fits(value, kind) for kind in kinds):
            names = dict.fromkeys(_LIST if get_origin(kind) is tuple else _WORDS.get(kind, str(kind)) for kind in kinds)
            expected = reduce(lambda first, second: Phrase("shared.either", first=first, second=second), names)
            raise RulesError("engine.option_must", name=name, option=option, expected=expected, got=shown(value))
    for option, values in allowed(rules).items():
        value = getattr(owner, option)
        if isinstance(value, (int, str)) and value not in values:
            if isinstance(values, range):
                raise RulesError("shared.must_from_to", what=option, least=values[0], most=values[-1], got=shown(value))
            raise RulesError("shared.must_one_of", what=option, known=", ".join(map(str, values)), got=shown(value))


@cache
def _check_defaults(owner: type) -> None:
    """Refuse a default that the constructor ignores: `rows = 5` in a class body, without a type or `@dataclass`."""
    for field in fields(owner):
        default = getattr(owner, field.name, MISSING)
        if field.init and default is not field.default and not hasattr(default, "__get__"):
            raise RulesError("engine.ignored_default", kind=owner.__name__, option=field.name, got=shown(default))


def _fits(value: object, kind: object) -> bool:
    if kind is int:
        return is_whole(value, -LARGEST_NUMBER, LARGEST_NUMBER)
    if kind is str:
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    if get_origin(kind) is tuple:
        return isinstance(value, (tuple, list))
    if isinstance(kind, type) and issubclass(kind, OptionData):
        return True  # `made` converts or refuses it
    assert isinstance(kind, type), f"options have plain types, not {kind}"
    return isinstance(value, kind)


_LIST = Phrase("engine.a_list")
_WORDS: dict[object, Phrase] = {
    int: Phrase("engine.a_whole_number"),
    str: Phrase("engine.a_short_text"),
    bool: Phrase("shared.either", first="true", second="false"),
    NoneType: Phrase("engine.nothing"),
}


def allowed(owner: type) -> dict[str, Sequence[object]]:
    """The values of each option that can be listed, or its range of numbers. A tuple may contain any listed value.

    >>> from nimmt_lab import Buffalo
    >>> allowed(Buffalo)["tie"], allowed(Buffalo)["between_turns"]
    (('draw', 'loss'), (False, True))
    """
    known = _kinds(owner)
    values: dict[str, Sequence[object]] = {name: (False, True) for name, kinds in known.items() if kinds == (bool,)}
    for kind in reversed(owner.__mro__):
        listed = kind.__dict__.get("allowed", {})
        values |= {
            name: choices() if callable(choices) else choices for name, choices in listed.items() if name in known
        }
    return values
