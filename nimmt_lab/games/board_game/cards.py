"""The board game's luck and action cards, what may be chosen, and what lies beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from typing import ClassVar, Final, TypeAlias, overload

from nimmt_lab.engine.cards import Card, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, Decision, Option
from nimmt_lab.engine.errors import IllegalChoice, NotationError, NotInHand
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.values import value


class Luck(Enum):
    """The two kinds of luck cards."""

    PLUS_FIVE = "plus_five"
    POSITIVE_HEADS = "positive_heads"

    def __str__(self) -> str:
        return self.value


class Action(Enum):
    """The six kinds of action cards."""

    STOP = "stop"
    SWAP = "swap"
    SKIP = "skip"
    START = "start"
    ASCENDING = "ascending"
    PLAY_TWO = "play_two"

    def __str__(self) -> str:
        return self.value


Kind: TypeAlias = "Luck | Action"
KINDS: Final[dict[str, Kind]] = {kind.value: kind for kind in (*Luck, *Action)}
#: Kinds whose use names a row, and kinds whose use names a tile from behind the screen.
_WITH_ROW: Final = (Action.STOP, Action.START, Action.ASCENDING)
_WITH_TILE: Final = (Action.SWAP, Action.PLAY_TWO)


# What may be chosen ----------------------------------------------------------------------------------------


@value
class Tiles(Option):
    """Two tiles to play in one turn, the lower one first."""

    low: Card
    high: Card

    @classmethod
    def of(cls, one: Card, other: Card) -> Tiles:
        """The two in either order.

        >>> str(Tiles.of(14, 3))
        '3+14'
        """
        return cls(min(one, other), max(one, other))

    def __str__(self) -> str:
        return f"{self.low}+{self.high}"


@value
class Use(Option):
    """Play a luck or action card before placing a tile, or nothing (more): `PASS`."""

    kind: Kind | None
    #: 0-based, for the cards that name a row.
    row: int | None = None
    #: The tile swapped in or played as well.
    tile: Card | None = None
    #: The tiles whose heads count plus.
    tiles: Cards = ()


#: Place the tile; the choice that notation leaves out.
PASS: Final = Use(None)


@value
class LuckDraw(Option):
    """How many luck cards of each kind a player takes for the clovers passed."""

    plus_five: int
    positive_heads: int

    @property
    def kinds(self) -> tuple[Luck, ...]:
        """The cards one by one."""
        return (Luck.PLUS_FIVE,) * self.plus_five + (Luck.POSITIVE_HEADS,) * self.positive_heads

    def __str__(self) -> str:
        return "+".join(kind.value for kind in self.kinds)


class Pairs(Sequence[Choice]):
    """Every pair of some tiles, made when it is asked for: thirty tiles have 435.

    >>> [str(pair) for pair in Pairs((3, 7, 9))]
    ['3+7', '3+9', '7+9']
    """

    def __init__(self, tiles: Cards) -> None:
        self.tiles = tuple(sorted(tiles))

    def __len__(self) -> int:
        return len(self.tiles) * (len(self.tiles) - 1) // 2

    @overload
    def __getitem__(self, at: int) -> Tiles: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Tiles, ...]: ...
    def __getitem__(self, at: int | slice) -> Tiles | tuple[Tiles, ...]:
        if isinstance(at, slice):
            return tuple(self[number] for number in range(*at.indices(len(self))))
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        for first in range(len(self.tiles)):
            follow = len(self.tiles) - 1 - first
            if at < follow:
                return Tiles(self.tiles[first], self.tiles[first + 1 + at])
            at -= follow
        raise IndexError(at)

    def __contains__(self, choice: object) -> bool:
        return (
            isinstance(choice, Tiles)
            and choice.low < choice.high
            and choice.low in self.tiles
            and choice.high in self.tiles
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pairs) and self.tiles == other.tiles

    def __hash__(self) -> int:
        return hash(self.tiles)


@value
class ChooseTiles(Decision):
    """Choose two tiles to play this turn (a "play two tiles" field is uncovered)."""

    rule: Rule = field()
    hand: Cards = field()

    @property
    def options(self) -> Pairs:
        return Pairs(self.hand)

    def accept(self, seat: Seat, choice: object) -> Choice:
        if isinstance(choice, Tiles):
            choice = Tiles.of(choice.low, choice.high)
        return Decision.accept(self, seat, choice)

    def refusal(self, seat: Seat, choice: object) -> IllegalChoice:
        who = seat_letter(seat)
        allowed = " ".join(map(str, self.hand))
        return NotInHand(
            "board_game.cannot_play_plays",
            who=who,
            choice=choice,
            options=allowed,
            rule=self.rule,
            seat=seat,
            allowed=self.hand,
        )

    def write(self, choice: Choice) -> str:
        return str(choice)

    def read(self, text: str) -> Choice:
        low, _, high = text.partition("+")
        return Tiles.of(_tile(low, text), _tile(high, text))


@value
class UseCards(Decision):
    """Before placing `card`: play a luck or action card for it, or pass and place it."""

    rule: Rule = field()
    card: Card = field()
    options: tuple[Choice, ...] = field()

    prefix: ClassVar[str] = "!"

    @property
    def default(self) -> Choice:
        return PASS

    def accept(self, seat: Seat, choice: object) -> Choice:
        if isinstance(choice, Use) and choice.tiles:
            choice = Use(choice.kind, choice.row, choice.tile, tuple(sorted(choice.tiles)))
        return Decision.accept(self, seat, choice)

    def write(self, choice: Choice) -> str:
        """`!67:stop:2`: for tile 67, stop row 2. The tile is said because the same seat may have two to place."""
        if not isinstance(choice, Use):
            return str(choice)
        words = [f"!{self.card}", str(choice.kind or "pass")]
        if choice.row is not None:
            words.append(str(choice.row + 1))
        if choice.tile is not None:
            words.append(str(choice.tile))
        if choice.tiles:
            words.append("+".join(map(str, choice.tiles)))
        return ":".join(words)

    def read(self, text: str) -> Choice:
        card, _, rest = text.removeprefix("!").partition(":")
        if _tile(card, text) != self.card:
            raise NotationError("board_game.tile_but_placed", text=shown(text), card=card, next_card=self.card)
        word, _, detail = rest.partition(":")
        if word == "pass":
            return PASS
        kind = KINDS.get(word)
        if kind is None:
            raise NotationError("shared.expected_one", known=", ".join(KINDS), got=shown(word))
        if kind in _WITH_ROW:
            return Use(kind, row=_tile(detail, text) - 1)
        if kind in _WITH_TILE:
            return Use(kind, tile=_tile(detail, text))
        tiles = tuple(sorted(_tile(tile, text) for tile in detail.split("+"))) if detail else ()
        return Use(kind, tiles=tiles)


@value
class ChooseLuck(Decision):
    """Choose luck cards, one per clover passed, from the two open stacks."""

    rule: Rule = field()
    options: tuple[LuckDraw, ...] = field()

    prefix: ClassVar[str] = ">"

    def read(self, text: str) -> Choice:
        words = text.removeprefix(">").split("+")
        for word in words:
            if word not in (Luck.PLUS_FIVE.value, Luck.POSITIVE_HEADS.value):
                raise NotationError(
                    "board_game.expected_got",
                    plus_five=Luck.PLUS_FIVE,
                    positive_heads=Luck.POSITIVE_HEADS,
                    got=shown(word),
                )
        return LuckDraw(words.count(Luck.PLUS_FIVE.value), words.count(Luck.POSITIVE_HEADS.value))


def _tile(text: str, whole: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise NotationError("board_game.number_in", got=shown(text), whole=shown(whole))
    return int(text)


# What lies beside the board --------------------------------------------------------------------------------


@value
class Plan:
    """What cards have been played for the tile that is placed next, and it only."""

    #: Fields left empty before the tile.
    skips: int = 0
    #: The row a card has chosen, 0-based.
    row: int | None = None
    #: Whether the tile goes to the start of that row.
    at_start: bool = False
    luck: Luck | None = None
    #: The tiles whose heads count plus.
    tiles: Cards = ()


NO_PLAN: Final = Plan()


@value
class BoardExtra(Extra):
    """Everything beside rows, tiles and scores. In a view, a card the seat may not see is None."""

    #: Luck cards by seat, for all to see, and those left on the two stacks, in the order of `Luck`.
    luck: tuple[tuple[Luck, ...], ...]
    luck_stacks: tuple[int, int]
    actions: tuple[tuple[Action | None, ...], ...]
    #: Next card first.
    action_deck: tuple[Action | None, ...] = ()
    discards: tuple[Action, ...] = ()
    #: Rows with a Stop! marker at their end.
    stops: tuple[int, ...] = ()
    plan: Plan = NO_PLAN
    #: A seat that has luck cards to take now, and how many.
    owed: tuple[Seat, int] | None = None
    #: The row that the next tile to place has just taken: the tile must start a new one.
    starting: int | None = None
