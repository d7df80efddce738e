"""What one seat may know. A view holds no reference to the state, so nothing hidden can leak from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import Cards, Seat
from .decisions import Decision
from .play import Play, Turn
from .state import Extra
from .values import value

if TYPE_CHECKING:
    from .game import Game

__all__ = ["View"]


@value
class View:
    """The game as `seat` sees it.

    >>> from nimmt_lab import Classic
    >>> view = Classic(players=3).deal(seed=1).view(seat=1)
    >>> view.hands[0] is None, len(view.hand), view.hand_sizes
    (True, 10, (10, 10, 10))
    >>> len(view.unseen)  # 104 cards, less the own ten and the four on the table
    90
    """

    game: Game
    seat: Seat
    round: int
    turn: int
    rows: tuple[Cards, ...]
    #: By seat; None where the hand is hidden from this seat.
    hands: tuple[Cards | None, ...]
    hand_sizes: tuple[int, ...]
    #: Everybody saw what was taken; a pile that nobody may look through has `EMPTY` for each of its cards.
    piles: tuple[Cards, ...]
    #: The heads of each pile, which everybody could count as they were taken.
    pile_heads: tuple[int, ...]
    #: The face-up cards of a draft; empty where the stock is hidden.
    stock: Cards
    #: How many cards the stock has, for all to see (R-P20).
    stock_size: int
    totals: tuple[int, ...]
    queue: tuple[Play, ...]
    extra: Extra
    #: What this seat is asked now, if anything.
    decision: Decision | None
    #: The seats that are asked something now.
    asked: tuple[Seat, ...]
    is_over: bool
    #: The turns of this round so far, for all to remember: who played which card, and on which rows. A game that starts
    #: from a position has none before it.
    history: tuple[Turn, ...] = ()

    @property
    def hand(self) -> Cards:
        """The seat's own cards; a team has none of its own."""
        return (self.hands[self.seat] or ()) if self.seat >= 0 else ()

    @property
    def unseen(self) -> Cards:
        """Cards of the deck that do not lie open to this seat: in hidden hands, in a pile that nobody may look through,
        or not dealt at all."""
        seen = {card for row in self.rows for card in row}
        for pile in (*self.piles, *(hand for hand in self.hands if hand), self.stock, self.game.seen_extra(self.extra)):
            seen.update(pile)
        seen.update(play.card for play in self.queue)
        return tuple(card for card in self.game.deck if card not in seen)
