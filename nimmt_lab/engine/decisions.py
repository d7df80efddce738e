"""What is asked of a seat, what it may answer, and how an answer is written.

A decision lists its options (lazily where there are very many), accepts or refuses a choice with an error
that says what was allowed, and writes and reads choices for the notation.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar, SupportsIndex, TypeAlias

from .cards import Card, Seat, seat_letter
from .errors import IllegalChoice, NotationError, NotInHand, UnknownOption
from .files import shown
from .play import Play
from .rule import Rule
from .values import value

__all__ = ["CardOption", "Choice", "ChooseCard", "ChooseRow", "Decision", "Option", "PickCard"]


class Option:
    """Base of choices that are more than a number (a twisted card, the use of a special card)."""

    __slots__ = ()


class CardOption(Option):
    """A way to play a hand card that is more than the card itself (with a twister)."""

    __slots__ = ()

    def play(self, seat: Seat) -> Play:
        """What is placed when this option is chosen."""
        raise TypeError(f"{type(self).__name__} plays no card")


#: A choice is a number (a card, or a 0-based row) or an `Option`.
Choice: TypeAlias = "int | Option"


class Decision:
    """Base of all decisions: values that say why they are asked (`rule`) and what may be chosen (`options`)."""

    __slots__ = ()

    #: What stands before the choice in the notation (`@2` is row 2).
    prefix: ClassVar[str] = ""

    @property
    def rule(self) -> Rule:
        """Why it is asked."""
        raise TypeError(f"{type(self).__name__} names no rule")

    @property
    def options(self) -> Sequence[Choice]:
        """Everything that may be chosen."""
        raise TypeError(f"{type(self).__name__} has no options")

    @property
    def default(self) -> Choice | None:
        """The choice that notation may leave out (to pass, say); None where there is none."""
        return None

    def accept(self, seat: Seat, choice: object) -> Choice:
        """The choice in canonical form, or an error that says what is allowed."""
        if isinstance(choice, Option):
            if choice in self.options:
                return choice
        elif isinstance(choice, SupportsIndex) and not isinstance(choice, bool):
            number = operator.index(choice)
            if number in self.options:
                return number
        raise self.refusal(seat, choice)

    def refusal(self, seat: Seat, choice: object) -> IllegalChoice:
        """The error for a choice that is not an option."""
        allowed = ", ".join(self.write(option) for option in self.options[:24])
        return UnknownOption(
            "engine.cannot_choose",
            who=seat_letter(seat),
            choice=self._show(choice),
            known=allowed,
            rule=self.rule,
            seat=seat,
            allowed=self.options[:24],
        )

    def _show(self, choice: object) -> str:
        number = isinstance(choice, int) and not isinstance(choice, bool) and abs(choice) < 10**9
        return self.write(choice) if isinstance(choice, Option) or number else shown(choice)  # type: ignore[arg-type]

    def write(self, choice: Choice) -> str:
        """The choice as notation writes it (1-based rows)."""
        return f"{self.prefix}{choice}"

    def read(self, text: str) -> Choice:
        """The choice that `text` names. Whether it is allowed is for `accept` to say."""
        return _number(text.removeprefix(self.prefix), text)


@value
class ChooseCard(Decision):
    """Choose a hand card to play this turn, or one of the ways to play it that a fan card adds."""

    rule: Rule = field()
    options: tuple[Choice, ...] = field()

    def refusal(self, seat: Seat, choice: object) -> IllegalChoice:
        who = seat_letter(seat)
        allowed = " ".join(self.write(option) for option in self.options)
        return NotInHand(
            "engine.cannot_play",
            who=who,
            choice=self._show(choice),
            who_too=who,
            options=allowed,
            rule=self.rule,
            seat=seat,
            allowed=self.options,
        )

    def write(self, choice: Choice) -> str:
        return str(choice)

    def read(self, text: str) -> Choice:
        for option in self.options:
            if isinstance(option, Option) and str(option) == text:
                return option
        return _number(text, text)


@value
class ChooseRow(Decision):
    """Choose a row for `card`: the one to take, or (where colours match several) the one to add it to."""

    rule: Rule = field()
    card: Card = field()
    options: tuple[int, ...] = field()

    prefix: ClassVar[str] = "@"

    def write(self, choice: Choice) -> str:
        return f"@{choice + 1}" if isinstance(choice, int) else str(choice)

    def read(self, text: str) -> Choice:
        return _number(text.removeprefix("@"), text) - 1


@value
class PickCard(Decision):
    """Take one of the cards that lie face up (the draft of advanced mode)."""

    rule: Rule = field()
    options: tuple[Card, ...] = field()


def _number(text: str, whole: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise NotationError("engine.number", got=shown(whole))
    return int(text)
