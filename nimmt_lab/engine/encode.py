"""Observations and actions of a chapter as numbers, for training.

The environments of `nimmt_lab.rl` have actions and observations of fixed size. They encode cards, rows and piles
themselves; a chapter adds the number of rows, everything beside them, and the standing of a seat (`encode.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from .capability import Capability
from .cards import Seat
from .game import Game
from .state import GameState
from .values import value
from .view import View

__all__ = ["ENCODING", "Bounds", "Encoding", "from_seat", "heaviest", "one_of"]


@value
class Bounds:
    """Limits that no game from a certain start exceeds."""

    #: How far the standing of one seat can fall and rise.
    gain: tuple[int, int]
    #: The same for the sum over all seats.
    sum: tuple[int, int]
    #: The most decisions, counting simultaneous ones once; None if the rules allow a game without end.
    decisions: int | None


class Encoding(ABC):
    """The encoding of a chapter."""

    @abstractmethod
    def rows(self, game: Game) -> int:
        """The largest number of rows."""

    def turned(self, game: Game) -> bool:
        """Whether cards can be played in a special way (a `CardOption`)."""
        return False

    def ways(self, game: Game) -> int:
        """The most options of one decision that are neither a card, a row nor a `CardOption`."""
        return 0

    def beside(self, view: View) -> Sequence[float]:
        """Everything visible beside the cards, as a vector whose length is fixed for a game."""
        return ()

    def fractions(self, game: Game) -> Sequence[int]:
        """What each number of `beside` is a fraction of: the whole numbers behind them are these times as large."""
        return [1] * len(self.beside(game.deal(0).view(0)))

    def points(self, state: GameState) -> tuple[int, ...]:
        """Points by pile: totals of earlier rounds plus the heads taken in this one."""
        if state.is_over:
            return state.totals
        piles = state.piles or ((),) * len(state.totals)
        return tuple(total + state.game.heads_in(pile) for total, pile in zip(state.totals, piles, strict=True))

    def standing(self, state: GameState, seat: Seat) -> int:
        """The points of a seat, negative where fewest points win."""
        points = self.points(state)[state.game.pile_of(seat)]
        return points if state.game.more_is_better else -points

    def bounds(self, game: Game, start: GameState | None = None) -> Bounds:
        """Limits of a game from any deal, or from the given state. Chapters give proofs beside theirs."""
        most = 1_000_000 * game.players
        return Bounds((-most, most), (-most, most), None)


def heaviest(game: Game, cards: Iterable[int], count: int) -> int:
    """The most heads that `count` of these cards can have together.

    >>> from nimmt_lab import Classic
    >>> heaviest(Classic(players=2), range(50, 60), 3)  # 55, 50 and one more
    11
    """
    heads = sorted((game.heads_in((card,)) for card in cards), reverse=True)
    return sum(heads[: max(count, 0)])


def one_of(count: int, *chosen: int | None) -> list[float]:
    """Zero vector of length `count` with ones at the given indices; None is skipped.

    >>> one_of(4, 2), one_of(2, None)
    ([0.0, 0.0, 1.0, 0.0], [0.0, 0.0])
    """
    vector = [0.0] * count
    for index in chosen:
        if index is not None:
            vector[index] = 1.0
    return vector


def from_seat(by_seat: Sequence[float], seat: Seat) -> list[float]:
    """Rotate numbers by seat so that `seat` comes first. A team counts from seat A.

    >>> from_seat([1, 2, 3], 2), from_seat([1, 2, 3], -1)
    ([3, 1, 2], [1, 2, 3])
    """
    first = max(seat, 0)
    return [*by_seat[first:], *by_seat[:first]]


ENCODING: Capability[Encoding] = Capability("encoding", face="encode")
