"""Luck and action cards, and everything that lies beside the board."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

from nimmt_lab.engine.cards import Cards, Seat
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.values import value


class Luck(StrEnum):
    """The two kinds of luck cards."""

    PLUS_FIVE = "plus_five"
    POSITIVE_HEADS = "positive_heads"


class Action(StrEnum):
    """The six kinds of action cards."""

    STOP = "stop"
    SWAP = "swap"
    SKIP = "skip"
    START = "start"
    ASCENDING = "ascending"
    PLAY_TWO = "play_two"


Kind: TypeAlias = "Luck | Action"
KINDS: Final[dict[str, Kind]] = {kind.value: kind for kind in (*Luck, *Action)}


@value
class Plan:
    """The cards played for the next tile."""

    #: The number of fields to skip.
    skips: int = 0
    #: The row that a card names, 0-based.
    row: int | None = None
    #: Whether the tile goes to the start of that row.
    at_start: bool = False
    luck: Luck | None = None
    #: The tiles whose heads count as plus points.
    tiles: Cards = ()


NO_PLAN: Final = Plan()


@value
class BoardExtra(Extra):
    """Everything except rows, tiles and scores. In a view, hidden cards are None."""

    #: Luck cards by seat, which are public, and the sizes of the two stacks, in the order of `Luck`.
    luck: tuple[tuple[Luck, ...], ...]
    luck_stacks: tuple[int, int]
    actions: tuple[tuple[Action | None, ...], ...]
    #: Next card first.
    action_deck: tuple[Action | None, ...] = ()
    discards: tuple[Action, ...] = ()
    #: Rows with a Stop! marker at their end.
    stops: tuple[int, ...] = ()
    plan: Plan = NO_PLAN
    #: The seat that draws luck cards now, and their number.
    owed: tuple[Seat, int] | None = None
    #: The row that the next tile has just taken; it must start a new one.
    starting: int | None = None
