"""Everything that can be wrong with what a person gives us: one small family of typed errors.

Each says what is wrong, what was allowed, and (where a rule forbids it) by which rule; errors about text
or files name the place. Catch `NimmtError` for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

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


class NimmtError(Exception):
    """Base of every error raised on purpose by nimmt_lab."""


class RulesError(NimmtError, ValueError):
    """A game cannot be set up like this (number of players, options, seed)."""


class Unsupported(RulesError):
    """A game that cannot do what is asked of it here: its chapter does not bring that, and nothing is guessed."""


class PositionError(NimmtError, ValueError):
    """A table, deck, board or hand that cannot occur in the game."""


class NotationError(NimmtError, ValueError):
    """Text that cannot be read. `line` and `column` count from 1 where they are known."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None, source: str = "") -> None:
        self.message = message
        self.line = line
        self.column = column
        self.source = source
        place = ", ".join(
            part
            for part in (
                source,
                f"line {line}" if line is not None else "",
                f"column {column}" if column is not None else "",
            )
            if part
        )
        super().__init__(f"{place}: {message}" if place else message)


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

    def __init__(self, message: str, *, seat: int | None = None, allowed: Iterable[object] = ()) -> None:
        self.seat = seat
        self.allowed = tuple(allowed)
        super().__init__(message)


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
    """Something that this installation lacks; the message says how to install it."""
