"""The typed errors of the package; catch `NimmtError` for all of them.

An error carries a `key` and `fields`, and a catalogue has its sentence (see `nimmt_lab/engine/sentences.py`).
`str(error)` is the English sentence, `nimmt_lab.explain.translate(error, "pl")` the Polish one, and programs compare
keys. Errors about text or files also name the place.

>>> error = RulesError("engine.seed_range", got=-1)
>>> print(error)
seed must be a whole number from 0 to 2**64-1, got -1
>>> error.key, error.fields
('engine.seed_range', {'got': -1})

Your own games need no catalogue: a key that no catalogue contains is the sentence itself.

>>> print(RulesError("chess has no cows"))
chess has no cows
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from .inflect import Figure
from .sentences import Told, sentence

__all__ = [
    "CannotWrite",
    "ChosenTwice",
    "CoreMissing",
    "DataError",
    "GameOver",
    "IllegalChoice",
    "InUse",
    "Left",
    "Locked",
    "MissingPackage",
    "MissingSeat",
    "MissingWords",
    "NimmtError",
    "NotInHand",
    "NotStarted",
    "NotationError",
    "PositionError",
    "RecordError",
    "RulesError",
    "UnknownGame",
    "UnknownOption",
    "Unsupported",
    "WrongSeat",
]


class NimmtError(Told, Exception):
    """Base of all nimmt_lab errors.

    `fields` are numbers and texts, or phrases and errors, which are translated with the sentence. Other values are
    converted to text at once, so that errors capture the state and can be pickled.
    """

    def __init__(self, key: str, /, **fields: object) -> None:
        self.key = key
        self.fields: Mapping[str, object] = {name: _kept(value) for name, value in fields.items()}
        super().__init__(key)

    @classmethod
    def of(cls, error: Told | Exception, /, **more: Any) -> Self:
        """Convert an error to this type without its place; `more` are attributes of this type, such as `line`."""
        if isinstance(error, Told):
            return cls(error.key, **error.fields, **more)
        return cls(str(error), **more)


def _kept(value: object) -> object:
    return value if value is None or isinstance(value, (str, int, float, Figure, Told)) else format(value)


class RulesError(NimmtError, ValueError):
    """A game cannot be set up like this: number of players, options, seed."""


class Unsupported(RulesError):
    """A game that lacks a capability."""


class PositionError(NimmtError, ValueError):
    """A table, deck, board or hand that cannot occur in the game."""


class NotationError(NimmtError, ValueError):
    """Text that cannot be read. `line` and `column` count from 1; None if unknown."""

    def __init__(
        self, key: str, /, *, line: int | None = None, column: int | None = None, source: str = "", **fields: object
    ) -> None:
        self.line = line
        self.column = column
        self.source = source
        super().__init__(key, **fields)

    @property
    def message(self) -> str:
        """The English sentence without the place."""
        return sentence(self.key, self.fields)

    def translate(self, lang: str) -> str:
        place = [self.source] if self.source else []
        for key, number in (("shared.line", self.line), ("shared.column", self.column)):
            if number is not None:
                place.append(sentence(key, {"number": number}, lang))
        text = sentence(self.key, self.fields, lang)
        return f"{', '.join(place)}: {text}" if place else text


class DataError(NotationError):
    """A deck or board file that cannot be used. `source` is the file."""


class RecordError(NotationError):
    """A record that was changed, cut off, or written by a newer version."""


class CoreMissing(NimmtError, RuntimeError):
    """This needs the compiled core, which is not installed; the message names the alternatives."""


class InUse(NimmtError, RuntimeError):
    """Another thread is using this object. Create one per thread, or use a lock."""


class UnknownGame(NimmtError, LookupError):
    """No game of that name is registered."""


class MissingWords(NimmtError, LookupError):
    """A catalogue lacks a key; the message names it and the language."""


class IllegalChoice(NimmtError, ValueError):
    """An illegal choice. `seat` is 0-based; `allowed` lists some or all legal choices."""

    def __init__(
        self, key: str, /, *, seat: int | None = None, allowed: Iterable[object] = (), **fields: object
    ) -> None:
        self.seat = seat
        self.allowed = tuple(allowed)
        super().__init__(key, **fields)


class NotInHand(IllegalChoice):
    """The card is not in the hand of that seat."""


class UnknownOption(IllegalChoice):
    """The choice is not among the options of the decision."""


class WrongSeat(IllegalChoice):
    """A choice for a seat without a pending decision."""


class MissingSeat(IllegalChoice):
    """A seat with a pending decision gave no choice; all such seats choose together."""


class ChosenTwice(IllegalChoice):
    """A seat gave more than one choice for a decision."""


class GameOver(IllegalChoice):
    """The game has ended; there is nothing to choose."""


class NotStarted(NimmtError, AttributeError):
    """An attribute of a running game, read before any game was dealt."""


class CannotWrite(NimmtError, OSError):
    """A file or folder that cannot be written. The old content is untouched."""


class Locked(CannotWrite):
    """Another program did not release the lock of a folder in time. Nothing was written."""


class Left(CannotWrite):
    """The learner of this page has left, and somebody else works in the folder now. Nothing was written."""


class MissingPackage(NimmtError, ModuleNotFoundError):
    """A package that is not installed; the message says how to install it. `name` is the package."""

    def __init__(self, key: str, /, *, name: str | None = None, **fields: object) -> None:
        super().__init__(key, **fields)
        self.name = name
