"""Everything that can be wrong with what a person gives us: one small family of typed errors.

An error carries a `key` and `fields`. Its sentence is in a catalogue (`nimmt_lab/engine/sentences.py` says where), so
`str(error)` is the English one, `nimmt_lab.explain.translate(error, "pl")` a person's own, and programs compare keys
instead of texts. Errors about text or files also name the place. Catch `NimmtError` for all of them.

>>> error = RulesError("engine.seed_range", got=-1)
>>> print(error)
seed must be a whole number from 0 to 2**64-1, got -1
>>> error.key, error.fields
('engine.seed_range', {'got': -1})

A game of your own needs no catalogue: what is no key is the sentence itself.

>>> print(RulesError("chess has no cows"))
chess has no cows
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

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
    """Base of every error raised on purpose by nimmt_lab.

    `key` names its sentence, `fields` are what the sentence speaks of: numbers and texts, or phrases and errors, which
    are translated along with it. Anything else is kept as its text: an error says later what was true when it was
    raised, and travels between processes.
    """

    def __init__(self, key: str, /, **fields: object) -> None:
        self.key = key
        self.fields: Mapping[str, object] = {name: _kept(value) for name, value in fields.items()}
        super().__init__(key)

    @classmethod
    def of(cls, error: Told | Exception, /, **more: Any) -> Self:
        """The same complaint as an error of this type; `more` are its own attributes, such as `line`. The place that
        the other error names is left out."""
        if isinstance(error, Told):
            return cls(error.key, **error.fields, **more)
        return cls(str(error), **more)


def _kept(value: object) -> object:
    plain = value is None or isinstance(value, (str, int, float, Told))
    return value if plain else format(value)


class RulesError(NimmtError, ValueError):
    """A game cannot be set up like this (number of players, options, seed)."""


class Unsupported(RulesError):
    """A game that cannot do what is asked of it here: its chapter does not bring that, and nothing is guessed."""


class PositionError(NimmtError, ValueError):
    """A table, deck, board or hand that cannot occur in the game."""


class NotationError(NimmtError, ValueError):
    """Text that cannot be read. `line` and `column` count from 1 where they are known."""

    def __init__(
        self,
        key: str,
        /,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str = "",
        **fields: object,
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
        line, column = self.line, self.column
        parts = [
            self.source,
            "" if line is None else sentence("shared.line", {"number": line}, lang),
            "" if column is None else sentence("shared.column", {"number": column}, lang),
        ]
        place = ", ".join(part for part in parts if part)
        text = sentence(self.key, self.fields, lang)
        return f"{place}: {text}" if place else text


class DataError(NotationError):
    """A deck or board file that cannot be used: `source` is the file, and the message says what was expected."""


class RecordError(NotationError):
    """A record that was changed, cut off, or written by a newer version."""


class CoreMissing(NimmtError, RuntimeError):
    """Only the compiled core can do this, and it is not here; the message says what can be done without."""


class InUse(NimmtError, RuntimeError):
    """Another thread is using this object right now. Objects that work in the compiled core serve one thread at a time:
    make one for each thread, or guard the shared one with a lock of your own."""


class UnknownGame(NimmtError, LookupError):
    """No game of that name is registered."""


class MissingWords(NimmtError, LookupError):
    """A catalogue lacks something that is to be said: the message names the key and the language."""


class IllegalChoice(NimmtError, ValueError):
    """A choice the rules do not allow. `seat` is 0-based; `allowed` lists (some of) what was allowed."""

    def __init__(
        self, key: str, /, *, seat: int | None = None, allowed: Iterable[object] = (), **fields: object
    ) -> None:
        self.seat = seat
        self.allowed = tuple(allowed)
        super().__init__(key, **fields)


class NotInHand(IllegalChoice):
    """The card named is not in that seat's hand."""


class UnknownOption(IllegalChoice):
    """The option named is not among those the decision offers."""


class WrongSeat(IllegalChoice):
    """A choice for a seat that is not asked anything now."""


class MissingSeat(IllegalChoice):
    """A seat that is asked gave no choice: all asked seats choose together."""


class ChosenTwice(IllegalChoice):
    """One seat gave more than one choice for one decision."""


class GameOver(IllegalChoice):
    """The game has ended: nothing is asked any more."""


class NotStarted(NimmtError, AttributeError):
    """What is asked of a game in progress while none was dealt yet."""


class CannotWrite(NimmtError, OSError):
    """A file or folder that cannot be written: no room, no permission, no such place. What was there is untouched."""


class Locked(CannotWrite):
    """Another program holds the lock of a folder and did not release it in time. Nothing was written."""


class Left(CannotWrite):
    """The person whose page this is has left, and somebody else works in the folder now. Nothing was written."""


class MissingPackage(NimmtError, ModuleNotFoundError):
    """Something that this installation lacks; the message says how to install it. `name` is the package, as Python's
    own error has it."""

    def __init__(self, key: str, /, *, name: str | None = None, **fields: object) -> None:
        super().__init__(key, **fields)
        self.name = name
