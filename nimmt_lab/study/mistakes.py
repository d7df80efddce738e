"""One choice of a reviewed game with everything about it: the table, all options, and the reasons.

>>> from nimmt_lab import Classic, Record
>>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
>>> from nimmt_lab.study import review
>>> found = review(Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=start), seat="A", progress=False)
>>> worst = found.worst()
>>> worst.choice, worst.best, worst.options[0].choice
('19', '104', '104')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.engine.view import View
from nimmt_lab.explain import Judgement
from nimmt_lab.explain.assess import reasons
from nimmt_lab.explain.judgement import NOTHING, Z

if TYPE_CHECKING:
    from .reviews import ReviewedStep

__all__ = ["Judged", "OptionLoss"]


class OptionLoss(NamedTuple):
    """What one option loses on average against the best one: bounds, certain or with 95% confidence."""

    choice: str
    loss: float
    least: float
    most: float
    option: Choice


@dataclass(frozen=True, repr=False)
class Judged(Shown):
    """A choice, its judgement, the seat's view, and the loss of every option, the least first."""

    judgement: Judgement
    view: View
    options: tuple[OptionLoss, ...]
    #: The player's name, if known.
    name: str = ""

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """What may happen to the chosen card and to the best one, in sentences; empty where the game has no hints."""
        return reasons(self.view, (self.choice, self.best))

    @classmethod
    def of(cls, reviewed: ReviewedStep, judgement: Judgement, names: Mapping[Seat, str] | None = None) -> Judged:
        """A judgement of a step, with its table and options, and the name of its player."""
        seat, before = judgement.seat, reviewed.step.before
        decision = before.pending[seat]
        options: list[OptionLoss] = []
        if reviewed.solution is not None:
            for option, regret in reviewed.solution.regrets[seat].items():
                options.append(OptionLoss(decision.write(option), regret.middle, regret.lo, regret.hi, option))
        else:
            searched = reviewed.searched[seat]
            for promise in searched.advice:
                lost, error = searched.loss(promise.option)
                margin = Z * error
                name = decision.write(promise.option)
                options.append(OptionLoss(name, lost, lost - margin, lost + margin, promise.option))
        view = before.view(seat)
        options.sort(key=lambda option: option.loss)
        return cls(judgement, view, tuple(options), (names or {}).get(seat, ""))

    @property
    def choice(self) -> str:
        """The choice, in notation."""
        return self.judgement.choice

    @property
    def best(self) -> str:
        """The best option, in notation."""
        return self.judgement.best

    @property
    def seat(self) -> Seat:
        return self.judgement.seat

    def sheet(self) -> Sheet:
        mine, unit = self.judgement, "points" if self.view.game.more_is_better else "heads"
        when = f"round {mine.round + 1}, turn {mine.turn + 1}"
        better = (
            "nothing was better"
            if mine.choice == mine.best
            else f"{mine.best} was better by {self._ranged(mine)} {unit}"
        )
        title = f"{self.name or seat_letter(mine.seat)} chose {mine.choice} in {when}: {better}"
        most = max([abs(option.loss) for option in self.options] + [NOTHING])
        lines = [
            Figure(
                (option.choice, _number(option), "chosen" if option.choice == mine.choice else ""),
                max(0.0, option.loss) / most,
                best=option.choice == mine.best,
                card=option.option
                if isinstance(self.view.decision, ChooseCard) and isinstance(option.option, int)
                else None,
            )
            for option in self.options
        ]
        return Sheet(title, [Figures(("", f"{unit} lost", ""), lines)], notes=self.reasons, table=self.view)

    @staticmethod
    def _ranged(mine: Judgement) -> str:
        if mine.is_known:
            return f"{mine.loss:.2f}"
        return f"about {mine.loss:.2f} ({mine.least:.2f} to {mine.most:.2f})"

    def __repr__(self) -> str:
        return str(self)


def _number(option: OptionLoss) -> str:
    if option.most - option.least < NOTHING:
        return f"{max(0.0, option.loss):.2f}"
    return f"{option.loss + 0.0:.2f} ± {(option.most - option.least) / 2:.2f}"
