"""The choices of the board game: tiles, luck and action cards to play, luck cards to draw."""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, Final

from nimmt_lab.engine.cards import Card, Cards, Seat, cards_text, seat_letter
from nimmt_lab.engine.decisions import Choice, Decision, Option
from nimmt_lab.engine.errors import IllegalChoice, NotationError, NotInHand
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.values import value

from .parts import KINDS, Action, Kind, Luck

#: Cards that name a row, and cards that name a tile of the hand.
_WITH_ROW: Final = (Action.STOP, Action.START, Action.ASCENDING)
_WITH_TILE: Final = (Action.SWAP, Action.PLAY_TWO)


@value
class Tiles(Option):
    """Two tiles to play in one turn, the lower one first."""

    low: Card
    high: Card

    @classmethod
    def of(cls, one: Card, other: Card) -> Tiles:
        """Two tiles in either order.

        >>> str(Tiles.of(14, 3))
        '3+14'
        """
        return cls(min(one, other), max(one, other))

    def __str__(self) -> str:
        return f"{self.low}+{self.high}"


@value
class Use(Option):
    """Play a luck or action card before placing a tile; `PASS` plays none."""

    kind: Kind | None
    #: 0-based; for cards that name a row.
    row: int | None = None
    #: The tile that is swapped in or played as well.
    tile: Card | None = None
    #: The tiles whose heads count as plus points.
    tiles: Cards = ()


#: The choice that notation leaves out.
PASS: Final = Use(None)


@value
class LuckDraw(Option):
    """The luck cards of each kind that a player draws for the clovers passed."""

    plus_five: int
    positive_heads: int

    @property
    def kinds(self) -> tuple[Luck, ...]:
        return (Luck.PLUS_FIVE,) * self.plus_five + (Luck.POSITIVE_HEADS,) * self.positive_heads

    def __str__(self) -> str:
        return "+".join(kind.value for kind in self.kinds)


@lru_cache(maxsize=256)
def pairs(hand: Cards) -> tuple[Tiles, ...]:
    """Every pair of some tiles: thirty tiles have 435.

    >>> [str(pair) for pair in pairs((3, 7, 9))]
    ['3+7', '3+9', '7+9']
    """
    return tuple(Tiles(low, high) for low, high in combinations(sorted(hand), 2))


@value
class ChooseTiles(Decision):
    """Choose two tiles to play, because a "play two tiles" field is uncovered."""

    rule: Rule = field()
    hand: Cards = field()

    @property
    def options(self) -> tuple[Tiles, ...]:
        return pairs(self.hand)

    def accept(self, seat: Seat, choice: object) -> Choice:
        if isinstance(choice, Tiles) and choice.low != choice.high and {choice.low, choice.high} <= {*self.hand}:
            return Tiles.of(choice.low, choice.high)
        raise self.refusal(seat, choice)

    def refusal(self, seat: Seat, choice: object) -> IllegalChoice:
        fields = {"who": seat_letter(seat), "choice": choice, "options": cards_text(self.hand), "rule": self.rule}
        return NotInHand("board_game.cannot_play_plays", seat=seat, allowed=self.hand, **fields)

    def read(self, text: str) -> Choice:
        low, _, high = text.partition("+")
        return Tiles.of(_tile(low, text), _tile(high, text))


@value
class UseCards(Decision):
    """Play a luck or action card before placing `card`, or pass."""

    rule: Rule = field()
    card: Card = field()
    options: tuple[Choice, ...] = field()

    prefix: ClassVar[str] = "!"

    @property
    def default(self) -> Choice:
        return PASS

    def accept(self, seat: Seat, choice: object) -> Choice:
        if isinstance(choice, Use) and choice.tiles:
            choice = replace(choice, tiles=tuple(sorted(choice.tiles)))
        return Decision.accept(self, seat, choice)

    def write(self, choice: Choice) -> str:
        """`!67:stop:2`: for tile 67, stop row 2. The tile is named because a seat may have two to place."""
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
    """Choose luck cards from the two open stacks, one per clover passed."""

    rule: Rule = field()
    options: tuple[LuckDraw, ...] = field()

    prefix: ClassVar[str] = ">"

    def read(self, text: str) -> Choice:
        words = text.removeprefix(">").split("+")
        for word in words:
            if word not in map(str, Luck):
                fives, heads = Luck
                raise NotationError("board_game.expected_got", plus_five=fives, positive_heads=heads, got=shown(word))
        return LuckDraw(*(words.count(kind.value) for kind in Luck))


def _tile(text: str, whole: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise NotationError("board_game.number_in", got=shown(text), whole=shown(whole))
    return int(text)
