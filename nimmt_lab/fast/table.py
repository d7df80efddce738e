"""Between the engine's values and the kernels' arrays."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.cards import LAST_CARD, PRINTED_HEADS, Cards
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import Extra
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker
from nimmt_lab.games.number_twister.rules import NumberTwister, TwisterMarker

from . import kernels as k

SYSTEMS = {
    "even_odd": k.EVEN_ODD,
    "mountain": k.MOUNTAIN,
    "jumping_cow": k.JUMPING_COW,
    "number_twister": k.NUMBER_TWISTER,
}


def system_of(game: Game, *, dealing: bool = True) -> int:
    """The kernel that plays rounds of `game`; a `RulesError` where there is none. Without `dealing` only the turns
    need to be the kernel's, not the deal.

    >>> system_of(Classic(players=4)) == k.CLASSIC
    True
    >>> system_of(Classic(players=4, fan_cards=("mountain",))) == k.MOUNTAIN
    True
    >>> system_of(Classic(players=2, hand_size=5, deck_size=24))
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: no kernel deals hands of 5 from a deck of 24; only hands of 10
    """
    if type(game) not in (Classic, Advanced):
        raise RulesError(f"no kernel plays {game.name}; kernels play classic, advanced and one fan card at a time")
    assert isinstance(game, Classic)
    if len(game.fan_cards) + isinstance(game, Advanced) > 1:
        raise RulesError("kernels play one fan card at a time, with the basic game")
    if game.heads != "printed":
        raise RulesError("kernels count the heads printed on the cards")
    if dealing and (game.hand_size != k.HAND or (type(game) is Classic and game.deck_size != LAST_CARD)):
        raise RulesError(
            f"no kernel deals hands of {game.hand_size} from a deck of {game.last_card}; only hands of {k.HAND}"
        )
    if dealing and type(game) is Classic and game.row_order != "drawn":
        raise RulesError(f"no kernel starts rows in the order {game.row_order!r}")
    if any(isinstance(card, NumberTwister) and card.single_digits for card in game.fan_cards):
        raise RulesError("kernels twist cards of two digits only (R-F2)")
    if game.fan_cards:
        return SYSTEMS[game.fan_cards[0].name]
    return k.ADVANCED if isinstance(game, Advanced) else k.CLASSIC


def lay_table(m: k.Array, rows: Sequence[Cards], extra: Extra, players: int) -> None:
    """Write a table of the engine into working memory: rows, marker, twisters."""
    for row, cards in enumerate(rows):
        m[row] = cards[-1]
        m[k.COUNT + row] = len(cards)
        m[k.SUM + row] = sum(PRINTED_HEADS[card] for card in cards)
    m[k.MARK], m[k.SHOWS] = -1, 0
    for seat in range(players):
        m[k.TWISTERS + seat] = 0
    for marker in extra.all if isinstance(extra, Markers) else ():
        if isinstance(marker, EvenOddMarker):
            m[k.MARK], m[k.SHOWS] = marker.row, int(marker.side == "odd")
        elif isinstance(marker, MountainMarker):
            m[k.MARK], m[k.SHOWS] = marker.row, 1 if marker.arrows == "down" else -1
        elif isinstance(marker, CowMarker):
            m[k.MARK] = marker.row
        elif isinstance(marker, TwisterMarker):
            for seat in marker.unused:
                m[k.TWISTERS + seat] = 1
