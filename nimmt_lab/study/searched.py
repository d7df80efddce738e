"""What a search finds about one choice, from what its seat could see: the part of a review that every game has."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

from nimmt_lab.bots import Advice, BestBot
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain.judgement import Judgement, Z

from .ladders import is_team

#: The first look only finds the options to compare: so many times fewer playouts.
_FIRST_LOOK = 4


class Searched(NamedTuple):
    """What a search found about one seat's decision: the option that looked best, and what all of them promise in a
    second search. (The best of many estimates is too good; a second look at it is not.)"""

    best: Choice
    advice: Advice
    #: By the first look: the options with the best and the worst chance to win.
    most_wins: Choice
    fewest_wins: Choice

    def loss(self, choice: Choice) -> tuple[float, float]:
        """What a choice promised less than the best, and the standard error of that at most (all options met the same
        hidden cards, which makes it smaller)."""
        return self._against(choice, self.best)

    def most(self, choice: Choice) -> float:
        """What it may have lost at most: any option may be the best in truth, as far as the errors allow."""
        against = [self._against(choice, promise.option) for promise in self.advice]
        return max(lost + Z * error for lost, error in against)

    def _against(self, choice: Choice, other: Choice) -> tuple[float, float]:
        if choice == other:
            return 0.0, 0.0
        mine, theirs = self.advice.of(choice), self.advice.of(other)
        sign = -1 if self.advice.game.more_is_better else 1
        return sign * (mine.points - theirs.points), hypot(mine.points_error, theirs.points_error)

    def wins_lost(self, choice: Choice, than: Choice) -> tuple[float, float]:
        """How much less of a win it promised than that option, and the standard error of that at most."""
        mine, theirs = self.advice.of(choice), self.advice.of(than)
        if choice == than or mine.wins is None or theirs.wins is None:
            return 0.0, 0.0
        return theirs.wins - mine.wins, hypot(mine.wins_error or 0.0, theirs.wins_error or 0.0)

    @property
    def method(self) -> str:
        """`exact` where nothing hidden or random takes part (a row to take before a round's last cards)."""
        if len(self.advice) > 1 and all(promise.playouts <= 1 for promise in self.advice):
            return "exact"
        return self.advice.method

    def judgement(self, step: Step, seat: Seat) -> Judgement:
        """What the choice of that seat cost."""
        before, choice = step.before, step.choices[seat]
        decision = before.pending[seat]
        lost, error = self.loss(choice)
        wins = None
        if is_team(before.game):
            about, apart = self.wins_lost(choice, self.most_wins)
            wins = about - Z * apart, about, about + Z * apart
        best = self.most_wins if wins else self.best
        return Judgement(
            before.round,
            before.turn,
            seat,
            kind_of(decision),
            decision.write(choice),
            decision.write(best),
            max(0.0, lost - Z * error),
            max(0.0, self.most(choice)),
            solved=False,
            about=lost,
            error=error,
            method=self.method,
            share=self.wins_lost(choice, self.most_wins)[0],
            stake=self.wins_lost(self.fewest_wins, self.most_wins)[0],
            wins=wins,
        )


def kind_of(decision: Decision) -> str:
    """What a decision is about, in the words of a judgement."""
    return "card" if isinstance(decision, ChooseCard) else "row" if isinstance(decision, ChooseRow) else "other"


def search_choice(step: Step, ply: int, seat: Seat, bot: BestBot, seed: int) -> Searched:
    """Two searches that know no more than the seat did: one to find the options to compare, one to say what they are
    worth. It is what a review finds about that choice.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 59 ; B: 2 3 4")
    >>> found = search_choice(Step.of(state, {0: 19, 1: 2}), 0, 0, BestBot(400, "heads"), seed=1)
    >>> found.best, found.loss(19)[0] > 1
    (38, True)
    """
    rng = Rng.from_seed(seed, 64 * ply + seat + 1)
    view, choice = step.before.view(seat), step.choices[seat]
    first = BestBot(max(1, bot.playouts // _FIRST_LOOK), bot.goal).advise(view, seed=rng.state, also=(choice,))
    ranked = sorted(first, key=lambda promise: promise.wins or 0.0)
    most, fewest = ranked[-1].option, ranked[0].option
    again = bot.advise(view, seed=Rng.from_seed(rng.state, 1).state, also=(choice, first.best, most, fewest))
    return Searched(first.best, again, most, fewest)
