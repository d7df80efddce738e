"""Games as numbers: what whoever trains players must know of a chapter beside its cards, rows and seats.

Environments of `nimmt_lab.rl` have actions and observations of fixed sizes. Cards, rows and piles are the same in
every game; how many rows there can be, what lies beside them and how a seat stands is for the chapter to say, in its
`encode.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from .capability import Capability
from .cards import Seat
from .game import Game
from .state import GameState
from .view import View

__all__ = ["ENCODING", "Encoding", "from_seat", "one_of"]


class Encoding(ABC):
    """What a chapter says of itself in numbers."""

    @abstractmethod
    def rows(self, game: Game) -> int:
        """The most rows that can lie on the table."""

    def turned(self, game: Game) -> bool:
        """Whether a card can be played in another way, too (a `CardOption`)."""
        return False

    def ways(self, game: Game) -> int:
        """The most options of one decision that are neither a card nor a row nor another way to play a card."""
        return 0

    def beside(self, view: View) -> Sequence[float]:
        """What lies beside the cards, as far as the view shows it: as many numbers in every view of one game."""
        return ()

    def points(self, state: GameState) -> tuple[int, ...]:
        """By pile, the points as everybody could count them now: those of earlier rounds and what was taken in this."""
        if state.is_over:
            return state.totals
        piles = state.piles or ((),) * len(state.totals)
        return tuple(total + state.game.heads_in(pile) for total, pile in zip(state.totals, piles, strict=True))

    def standing(self, state: GameState, seat: Seat) -> int:
        """How well a seat stands: its points, or (where fewest win) as much less than nothing."""
        points = self.points(state)[state.game.pile_of(seat)]
        return points if state.game.more_is_better else -points


def one_of(count: int, *chosen: int | None) -> list[float]:
    """So many noughts, with a one at each of these places.

    >>> one_of(4, 2), one_of(2, None)
    ([0.0, 0.0, 1.0, 0.0], [0.0, 0.0])
    """
    found = [0.0] * count
    for place in chosen:
        if place is not None:
            found[place] = 1.0
    return found


def from_seat(by_seat: Sequence[float], seat: Seat) -> list[float]:
    """Numbers by seat as that seat counts: itself first, then clockwise. A team counts from seat A.

    >>> from_seat([1, 2, 3], 2), from_seat([1, 2, 3], -1)
    ([3, 1, 2], [1, 2, 3])
    """
    first = max(seat, 0)
    return [*by_seat[first:], *by_seat[:first]]


#: A game in numbers, in its chapter's `encode.py`.
ENCODING: Capability[Encoding] = Capability("encoding", face="encode")
