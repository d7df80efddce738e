"""The observation of one seat. A view has no reference to the state, so hidden cards cannot leak."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, ClassVar

from .cards import Cards, Seat, seat_letter
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
    #: By seat; None for a hidden hand.
    hands: tuple[Cards | None, ...]
    hand_sizes: tuple[int, ...]
    #: The cards taken; a face-down pile has `EMPTY` for each card.
    piles: tuple[Cards, ...]
    #: The heads of each pile, which are public.
    pile_heads: tuple[int, ...]
    #: The face-up cards of a draft; empty if the stock is hidden.
    stock: Cards
    #: The number of cards in the stock, which is public (R-P20).
    stock_size: int
    totals: tuple[int, ...]
    queue: tuple[Play, ...]
    extra: Extra
    #: The pending decision of this seat.
    decision: Decision | None
    #: The seats with a pending decision.
    asked: tuple[Seat, ...]
    is_over: bool
    #: The turns of this round so far; a game that starts from a position has none before it.
    history: tuple[Turn, ...] = ()
    #: Other cards that are in nobody's hand now: what the seat remembers of a game that starts from a position.
    seen: Cards = ()

    #: Draws a view as HTML; the package's front door sets it, because pictures are made above the engine.
    painter: ClassVar[Callable[[View], str] | None] = None

    def __str__(self) -> str:
        return self.game.view_text(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}, round {self.round + 1}, turn {self.turn + 1}, seen by {seat_letter(self.seat)}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        text = str(self)
        drawn = "" if View.painter is None else View.painter(self)
        return {"text/plain": text, "text/html": drawn or f"<pre>{escape(text)}</pre>"}

    @property
    def hand(self) -> Cards:
        """The cards of the seat; a team has none."""
        return (self.hands[self.seat] or ()) if self.seat >= 0 else ()

    @property
    def unseen(self) -> Cards:
        """The cards of the deck that this seat cannot see: in hidden hands, in face-down piles (even if everybody saw
        them on the table, as in Beat the Buffalo), or not dealt."""
        seen = {card for row in self.rows for card in row}
        seen.update(self.seen)
        for pile in (*self.piles, *(hand for hand in self.hands if hand), self.stock, self.game.seen_extra(self.extra)):
            seen.update(pile)
        seen.update(play.card for play in self.queue)
        return tuple(card for card in self.game.deck if card not in seen)
