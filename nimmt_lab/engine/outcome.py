"""The outcome of a game."""

from __future__ import annotations

from .cards import Seat
from .rule import Rule
from .values import value

__all__ = ["Outcome"]


@value
class Outcome:
    """Final totals by seat, the winning seats (a tie is a shared win), and the rule that ended the game."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: Rule
    rounds: int

    @classmethod
    def of(cls, totals: tuple[int, ...], best: int, reason: Rule, rounds: int) -> Outcome:
        """The seats with the `best` total win."""
        return cls(totals, tuple(seat for seat, total in enumerate(totals) if total == best), reason, rounds)

    def credit(self, seat: Seat) -> float:
        """The share of a win: 1 for a sole winner, 1/2 for each of two, 0 for losers."""
        return 1 / len(self.winners) if seat in self.winners else 0.0
