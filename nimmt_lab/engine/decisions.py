"""Decisions with their options (lazy if there are very many), and the notation of choices."""

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
    """Base of choices that are not plain numbers: a twisted card, the use of a special card."""

    __slots__ = ()


class CardOption(Option):
    """A hand card played in a special way (with a twister)."""

    __slots__ = ()

    def play(self, seat: Seat) -> Play:
        """The play that this option makes."""
        raise NotImplementedError


#: A choice is a number (a card, or a 0-based row) or an `Option`.
Choice: TypeAlias = "int | Option"


class Decision:
    """Base of all decisions."""

    __slots__ = ()

    #: The mark before a choice in notation (`@2` is row 2).
    prefix: ClassVar[str] = ""

    @property
    def rule(self) -> Rule:
        """The rule that asks for this decision."""
        raise NotImplementedError

    @property
    def options(self) -> Sequence[Choice]:
        """All legal choices."""
        raise NotImplementedError

    @property
    def default(self) -> Choice | None:
        """The choice that notation may leave out, such as passing; None if there is none."""
        return None

    def accept(self, seat: Seat, choice: object) -> Choice:
        """Return the choice in canonical form, or raise an error with the legal ones."""
        if isinstance(choice, Option):
            if choice in self.options:
                return choice
        elif isinstance(choice, SupportsIndex) and not isinstance(choice, bool):
            number = operator.index(choice)
            if number in self.options:
                return number
        raise self.refusal(seat, choice)

    def refusal(self, seat: Seat, choice: object) -> IllegalChoice:
        """The error for an illegal choice."""
        allowed = self.options[:24]
        known = ", ".join(map(self.write, allowed))
        fields = {"who": seat_letter(seat), "choice": self._show(choice), "known": known, "rule": self.rule}
        return UnknownOption("engine.cannot_choose", seat=seat, allowed=allowed, **fields)

    def _show(self, choice: object) -> str:
        number = isinstance(choice, int) and not isinstance(choice, bool) and abs(choice) < 10**9
        return self.write(choice) if isinstance(choice, Option) or number else shown(choice)  # type: ignore[arg-type]

    def write(self, choice: Choice) -> str:
        """The choice in notation (1-based rows)."""
        return f"{self.prefix}{choice}"

    def read(self, text: str) -> Choice:
        """Read a choice; `accept` checks whether it is legal."""
        return _number(text.removeprefix(self.prefix), text)


@value
class ChooseCard(Decision):
    """Choose a hand card to play, or a special way to play it that a fan card adds."""

    rule: Rule = field()
    options: tuple[Choice, ...] = field()

    def refusal(self, seat: Seat, choice: object) -> IllegalChoice:
        who, options = seat_letter(seat), " ".join(map(self.write, self.options))
        fields = {"who": who, "choice": self._show(choice), "who_too": who, "options": options, "rule": self.rule}
        return NotInHand("engine.cannot_play", seat=seat, allowed=self.options, **fields)

    def read(self, text: str) -> Choice:
        for option in self.options:
            if isinstance(option, Option) and str(option) == text:
                return option
        return _number(text, text)


@value
class ChooseRow(Decision):
    """Choose a row for `card`: the one to take, or one of several that match its colours."""

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
    """Draft one of the face-up cards (advanced mode)."""

    rule: Rule = field()
    options: tuple[Card, ...] = field()


def _number(text: str, whole: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise NotationError("engine.number", got=shown(whole))
    return int(text)
