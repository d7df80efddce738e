"""What a bot has to say about a decision: every option with what it promises, and how far that is to be trusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game

#: Half the width of a 95 % interval, in standard errors.
Z = 1.96


class Promise(NamedTuple):
    """What one option promises its seat. Errors are standard errors; what is computed exactly has none (0)."""

    option: Choice
    #: By how much the seat's own total (in a team, the team's) will grow, on average.
    points: float
    points_error: float
    #: The chance to be ahead then (a shared win counts in parts); None where it is not known.
    wins: float | None
    wins_error: float | None
    #: How often it was tried; 0: computed.
    playouts: int


@dataclass(frozen=True, repr=False)
class Advice:
    """Every option of a decision, the best first. It prints as a small table, with 95 % intervals.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 2 3")
    >>> print(bot("odds").advise(state.view(0)))
    A: heads this turn (odds, exact)
    38  0.00
    19  6.00
    """

    game: Game
    seat: Seat
    decision: Decision
    promises: tuple[Promise, ...]
    #: How the figures were found: by `search` (with errors) or by exact `odds`.
    method: str
    #: What they count to the end of: this `turn`, or this `round`, with what the seat has taken in it before.
    until: str
    #: Options that were not looked at, because there are very many.
    left_out: int = 0

    @property
    def best(self) -> Choice:
        """The option with the best promise."""
        return self.promises[0].option

    @property
    def is_exact(self) -> bool:
        """Whether the figures are computed, not estimated."""
        return all(promise.playouts == 0 for promise in self.promises)

    def of(self, option: Choice) -> Promise:
        """What that option promises."""
        for promise in self.promises:
            if promise.option == option:
                return promise
        raise RulesError("bots.not_among_options", option=self.decision.write(option))

    def __iter__(self) -> Iterator[Promise]:
        return iter(self.promises)

    def __len__(self) -> int:
        return len(self.promises)

    def __str__(self) -> str:
        unit = "points" if self.game.more_is_better else "heads"
        how = f"{self.method}, exact" if self.is_exact else self.method
        rows = [[self.decision.write(promise.option), *_figures(promise)] for promise in self.promises]
        if any(promise.wins is not None for promise in self.promises):
            rows.insert(0, ["", unit, "", "wins", ""])
        widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
        lines = [f"{seat_letter(self.seat)}: {unit} this {self.until} ({how})"]
        for row in rows:
            shown = [f"{word:>{width}}" for word, width in zip(row, widths, strict=True) if width]
            lines.append("  ".join(shown).rstrip())
        if self.left_out:
            lines.append(f"{self.left_out} more options, not looked at")
        return "\n".join(lines)

    __repr__ = __str__


def _figures(promise: Promise) -> list[str]:
    """Points and chance with their margins, as far as there are any."""
    words = [f"{promise.points:.2f}", f"± {Z * promise.points_error:.2f}" if promise.playouts else ""]
    if promise.wins is None or promise.wins_error is None:
        return [*words, "", ""]
    return [*words, f"{promise.wins:.1%}", f"± {Z * promise.wins_error:.1%}" if promise.playouts else ""]
