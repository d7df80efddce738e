"""The rows of a table as a card finds them: what a chapter says of its own, so that others can say why.

A chapter whose rows can be read brings a `RowReader` for its game. It asks the game itself, on real states; nothing
here knows a rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState


class RowOption(NamedTuple):
    """A row as a card finds it. `difference` is None where the row may not receive the card; `looks_open` says that
    its end alone would let it (something lying there closes it)."""

    row: int
    end: Card
    difference: int | None
    full: bool
    looks_open: bool
    #: The message that says why this row wins against one that is equally close; empty where it does not.
    wins_ties: str = ""


class RowReader(ABC):
    """How the rows of a game receive cards."""

    #: Whether the smallest difference decides. Only then has a card its row before it is placed, and are there traps.
    compares_ends: ClassVar[bool] = True
    #: The rules by which a card may not join a row that ends higher, and goes to the closest of the others.
    order: ClassVar[Rule | None] = None
    nearest: ClassVar[Rule | None] = None

    @abstractmethod
    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        """Every row as a card of that value finds it now."""

    def row_for(self, state: GameState, value: int) -> int | None:
        """Where a card of that value goes now, if one row is the right one."""
        return closest(self.options(state, value)) if self.compares_ends else None

    def closed(self, state: GameState, value: int, option: RowOption) -> str:
        """The message (with {row} and {end}) that says why a row that looks open may not receive the card."""
        return "why.not_open"

    def forbids(self, state: GameState, value: int, option: RowOption) -> Rule | None:
        """The rule that keeps a card away from a row it does not go to; None where `closed` says all there is."""
        if option.difference is not None:
            return self.nearest
        return None if option.looks_open else self.order

    def filled(self, chosen: GameState, state: GameState, row: int) -> Sequence[str]:
        """The messages (with {row}) about what else than cards has come to take up places in a row."""
        return ()


#: What a game's chapter knows of its rows.
ROWS: Final[Capability[RowReader]] = Capability("reading of its rows", face="tell")


def closest(options: Sequence[RowOption]) -> int | None:
    """Of the rows that may receive the card, the one of the smallest difference.

    >>> closest([RowOption(0, 41, 4, False, True), RowOption(1, 42, 3, True, True), RowOption(2, 9, None, True, True)])
    1
    """
    open_rows = [option for option in options if option.difference is not None]
    return min(open_rows, key=lambda option: (option.difference, not option.wins_ties)).row if open_rows else None
