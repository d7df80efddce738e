"""Rows as a card sees them. A chapter's `RowReader` asks the game itself; no rule is repeated here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState


class RowOption(NamedTuple):
    """A row as a card sees it. `difference` is None if it rejects the card, `looks_open` true if only a marker does."""

    row: int
    end: Card
    difference: int | None
    full: bool
    looks_open: bool
    #: Message explaining why this row wins ties; empty if it doesn't.
    wins_ties: str = ""


class RowReader(ABC):
    #: Rules 1 and 2: a card can't join a row whose last card is higher, and goes to the closest other row.
    order: ClassVar[Rule | None] = None
    nearest: ClassVar[Rule | None] = None

    def compares_ends(self, game: Game) -> bool:
        """Whether the smallest difference decides. Otherwise a card has no row before it is placed, and no traps exist.
        A derived game may find rows in another way than the game that provides the reader."""
        return True

    @abstractmethod
    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        """Every row as a card of that value sees it now."""

    def row_for(self, state: GameState, value: int) -> int | None:
        """The row a card of that value would join now; None if it fits nowhere."""
        return closest(self.options(state, value))

    def closed(self, state: GameState, value: int, option: RowOption) -> str:
        """Message (with {row} and {end}) explaining why a row that looks open doesn't accept the card."""
        return "why.not_open"

    def forbids(self, state: GameState, value: int, option: RowOption) -> Rule | None:
        """The rule that keeps a card out of a row; None if `closed` explains it."""
        if option.difference is not None:
            return self.nearest
        return None if option.looks_open else self.order

    def filled(self, chosen: GameState, state: GameState, row: int) -> Sequence[str]:
        """Messages (with {row}) about things other than cards that fill a row."""
        return ()


ROWS: Final[Capability[RowReader]] = Capability("row reader", face="tell")


def comparing(game: Game) -> RowReader | None:
    """The reader of a game whose cards go to the closest row; None if other rules decide, or nothing reads its rows."""
    reader = ROWS.find(game)
    return reader if reader is not None and reader.compares_ends(game) else None


def closest(options: Sequence[RowOption]) -> int | None:
    """Of the rows that accept the card, the one with the smallest difference.

    >>> closest([RowOption(0, 41, 4, False, True), RowOption(1, 42, 3, True, True), RowOption(2, 9, None, True, True)])
    1
    """
    open_rows = [option for option in options if option.difference is not None]
    return min(open_rows, key=lambda option: (option.difference, not option.wins_ties)).row if open_rows else None
