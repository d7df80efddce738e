"""Advice on a decision: what each option promises, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.engine.view import View

#: Half the width of a 95% confidence interval, in standard errors.
Z = 1.96


class Promise(NamedTuple):
    """The expected result of one option. Errors are standard errors, 0 for exact values."""

    option: Choice
    #: Expected growth of the seat's total (for a team member, the team's).
    points: float
    points_error: float
    #: Probability of being ahead afterwards, a shared lead counted in parts; None if unknown.
    wins: float | None
    wins_error: float | None
    #: Number of playouts; 0 for exact values.
    playouts: int


@dataclass(frozen=True, repr=False)
class Advice(Shown):
    """The options of a decision, best first. Prints as a small table with 95% intervals.

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
    #: `search` (estimates) or `odds` (exact).
    method: str
    #: The horizon: this `turn`, or this `round` including what the seat has already taken in it.
    until: str
    #: Options not evaluated because there are too many.
    left_out: int = 0
    #: What the seat saw, if somebody asked about a table (see `advise`).
    view: View | None = None
    #: Whether the search was as long as asked.
    is_complete: bool = True

    @property
    def best(self) -> Choice:
        return self.promises[0].option

    @property
    def is_exact(self) -> bool:
        """Whether all values are exact rather than estimated."""
        return all(promise.playouts == 0 for promise in self.promises)

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """What may happen this turn to the best card and to the next best, in sentences; nothing for other decisions,
        or without a `view`."""
        return self.told("en")

    def told(self, lang: str) -> tuple[str, ...]:
        """The `reasons` in a language."""
        from nimmt_lab.explain.assess import reasons

        names = [self.decision.write(one.option) for one in self.promises[:2]]
        return () if self.view is None else reasons(self.view, names, lang)

    def of(self, option: Choice) -> Promise:
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
        playouts = f", {self.promises[0].playouts:,} playouts each, 95% intervals" if self.view is not None else ""
        how = f"{self.method}, exact" if self.is_exact else f"{self.method}{playouts}"
        rows = [[self.decision.write(promise.option), *_cells(promise)] for promise in self.promises]
        if any(promise.wins is not None for promise in self.promises):
            rows.insert(0, ["", unit, "", "wins", ""])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [f"{seat_letter(self.seat)}: {unit} this {self.until} ({how})"]
        for row in rows:
            cells = [f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True) if width]
            lines.append("  ".join(cells).rstrip())
        if self.left_out:
            lines.append(f"{self.left_out} more options, not looked at")
        if not self.is_complete:
            lines.append("stopped early: the intervals are wider than asked")
        lines += self.reasons
        return "\n".join(lines)

    __repr__ = __str__

    def sheet(self) -> Sheet:
        unit = "points" if self.game.more_is_better else "heads"
        how = "exact" if self.is_exact else f"{self.promises[0].playouts:,} playouts each, 95% intervals"
        ends = [abs(one.points) + Z * one.points_error for one in self.promises]
        most = max([*ends, 1e-9])
        wins = any(one.wins is not None for one in self.promises)
        lines = []
        for at, one in enumerate(self.promises):
            points, points_margin, chance, chance_margin = _cells(one)
            margin = Z * one.points_error
            spread = ((abs(one.points) - margin) / most, (abs(one.points) + margin) / most) if one.playouts else None
            cells: tuple[str, ...] = (self.decision.write(one.option), f"{points} {points_margin}".strip())
            cells += (f"{chance} {chance_margin}".strip(),) if wins else ()
            card = one.option if isinstance(self.decision, ChooseCard) and isinstance(one.option, int) else None
            lines.append(Figure(cells, abs(one.points) / most, spread, best=at == 0, card=card))
        columns = ("", f"{unit} this {self.until}", *(("wins",) if wins else ()))
        notes = [] if self.is_complete else ["Stopped early: the intervals are wider than asked."]
        notes += [f"{self.left_out} more options, not looked at"] if self.left_out else []
        notes += self.reasons
        title = f"What should {seat_letter(self.seat)} choose? {self.decision.write(self.best)}"
        return Sheet(title, [Figures(columns, lines)], [f"By {self.method}, {how}."], notes, self.view, self.game)


def _cells(promise: Promise) -> list[str]:
    """Points and win probability, each followed by its margin."""
    cells = [f"{promise.points:.2f}", f"± {Z * promise.points_error:.2f}" if promise.playouts else ""]
    if promise.wins is None or promise.wins_error is None:
        return [*cells, "", ""]
    return [*cells, f"{promise.wins:.1%}", f"± {Z * promise.wins_error:.1%}" if promise.playouts else ""]
