"""Evaluate one choice by search, from what its seat could see: the part of a review that works for every game."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from nimmt_lab.bots import Advice, BestBot
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.explain.judgement import IN_POINTS, Judgement, Z
from nimmt_lab.native.kernel import Search, search_of
from nimmt_lab.native.loader import core
from nimmt_lab.native.tries import CoreTries, Estimate, Tries

from .ladders import is_team

#: Divisors of the playouts for the first search, which only selects options to compare; for a second opinion, which
#: compares two options, but takes much longer; and for options that are neither chosen nor among the first search's two
#: best, nor its likeliest or least likely to win.
_FIRST_LOOK = 4
_SECOND_OPINION = 5
_OTHERS = 3
#: How close to a bound a loss is uncertain, in errors; and how many times the playouts the two options then get in
#: addition.
_CLOSE, _MORE = 1.5, 2
#: A head that is worth a smaller part of a win is worth nothing.
_HEADS_PER_WIN = 250


class Searched(NamedTuple):
    """Search results for one decision: the best option by a first search, and the values of all options by a second,
    independent one, which is not biased towards that option."""

    best: Choice
    advice: Advice
    #: The options with the highest and lowest win probability in the first search.
    most_wins: Choice
    fewest_wins: Choice
    #: The loss of the choice by a second opinion; None if the first didn't find it clearly bad, or there is none.
    second: float | None = None

    def loss(self, choice: Choice) -> tuple[float, float]:
        """Estimated loss of a choice against the best option, and an upper bound on its standard error (the options
        share their hidden cards, which makes it smaller)."""
        return self._against(choice, self.best)

    def most(self, choice: Choice) -> float:
        """Upper limit of the loss: within the errors, any option may really be the best."""
        losses = [self._against(choice, promise.option) for promise in self.advice]
        return max(lost + Z * error for lost, error in losses)

    def _against(self, choice: Choice, other: Choice) -> tuple[float, float]:
        if choice == other:
            return 0.0, 0.0
        mine, theirs = self.advice.of(choice), self.advice.of(other)
        sign = -1 if self.advice.game.more_is_better else 1
        return sign * (mine.points - theirs.points), hypot(mine.points_error, theirs.points_error)

    def wins_lost(self, choice: Choice, than: Choice) -> tuple[float, float]:
        """Loss in win probability against another option, and an upper bound on its standard error."""
        mine, theirs = self.advice.of(choice), self.advice.of(than)
        if choice == than or mine.wins is None or theirs.wins is None:
            return 0.0, 0.0
        return theirs.wins - mine.wins, hypot(mine.wins_error or 0.0, theirs.wins_error or 0.0)

    @property
    def method(self) -> str:
        """`exact` if nothing hidden or random is involved (a row to take before the last cards, say)."""
        if len(self.advice) > 1 and all(promise.playouts <= 1 for promise in self.advice):
            return "exact"
        return self.advice.method

    def judgement(self, step: Step, seat: Seat) -> Judgement:
        before, choice = step.before, step.choices[seat]
        decision = before.pending[seat]
        lost, error = self.loss(choice)
        share, share_error = self.wins_lost(choice, self.most_wins)
        wins = (share - Z * share_error, share, share + Z * share_error) if is_team(before.game) else None
        where = before.round, before.turn, seat, kind_of(decision)
        names = decision.write(choice), decision.write(self.most_wins if wins else self.best)
        return Judgement(
            *where,
            *names,
            max(0.0, lost - Z * error),
            max(0.0, self.most(choice)),
            solved=False,
            estimate=lost,
            error=error,
            method=self.method,
            given_up=share,
            at_stake=self.wins_lost(self.fewest_wins, self.most_wins)[0],
            second=self.second,
            decided=wins is None and self.is_decided,
            wins=wins,
        )

    @property
    def is_decided(self) -> bool:
        """Whether heads are worth next to nothing, because the game is as good as won or lost: by heads the options are
        further apart than `_HEADS_PER_WIN` times what they are by wins."""
        heads = [promise.points for promise in self.advice]
        wins = [promise.wins for promise in self.advice if promise.wins is not None]
        # Without playouts, wins are those of a game that ends here.
        if self.method == "exact" or not wins:
            return False
        return max(heads) - min(heads) > _HEADS_PER_WIN * (max(wins) - min(wins))


def kind_of(decision: Decision) -> str:
    return "card" if isinstance(decision, ChooseCard) else "row" if isinstance(decision, ChooseRow) else "other"


def search_choice(step: Step, ply: int, seat: Seat, bot: BestBot, seed: int) -> Searched:
    """Evaluate a choice with two searches that know only what the seat did: one to select options, one to value them.
    If it looks clearly bad, a third gives a second opinion, with the chapter's strongest network in all seats.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 59 ; B: 2 3 4")
    >>> result = search_choice(Step.of(state, {0: 19, 1: 2}), 0, 0, BestBot(400, "heads"), seed=1)
    >>> result.best, result.loss(19)[0] > 1
    (38, True)
    """
    rng = Rng.from_seed(seed, 64 * ply + seat + 1)
    view, choice = step.before.view(seat), step.choices[seat]
    compiled = search_of(view.game)
    search = None if compiled is None else compiled[1].thorough(compiled[0], view)
    quick = _Judge(max(1, bot.playouts // _FIRST_LOOK), bot.goal, search)
    first = quick.advise(view, seed=rng.state, also=(choice,))
    ranked = sorted(first, key=lambda promise: promise.wins or 0.0)
    most, fewest = ranked[-1].option, ranked[0].option
    closely = (choice, *(promise.option for promise in first.promises[:2]), most, fewest)
    judge = _Judge(bot.playouts, bot.goal, search, closely)
    again = judge.advise(view, seed=Rng.from_seed(rng.state, 1).state, also=closely)
    found = Searched(first.best, again, most, fewest)
    lost, error = found.loss(choice)
    if is_team(view.game) or lost < IN_POINTS[0] or lost - Z * error <= 0:
        return found
    # The second look knows better than the first which option is the best.
    best = again.best if again.best != choice else first.best
    opinion = _second_opinion(view, choice, best, bot.playouts, Rng.from_seed(rng.state, 2), search)
    return found._replace(second=opinion)


class _Judge(BestBot):
    """Searches one view several times, with one opinion of the other players. `closely`: the options that matter, which
    get all playouts; the others only a part. The first two get more if their difference is close to a label's bound."""

    def __init__(self, playouts: int, goal: str, search: Search | None = None, closely: Sequence[Choice] = ()) -> None:
        super().__init__(playouts, goal)
        self.search = search
        self.closely = closely

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        found = core() if self.search is not None else None
        if found is None or self.search is None:
            return super()._compiled(view, rng)
        return self.search.tries(found, view, rng, self.skilled)

    def _evenly(self, tries: Tries, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        few, close = playouts // _OTHERS, [option for option in options if option in self.closely]
        if not isinstance(tries, CoreTries) or few < 2 or not close:
            return super()._evenly(tries, options, playouts)
        found = {each.option: each for each in tries.run(options, few)}
        found |= {each.option: each for each in tries.run(close, playouts - few)}
        mine, best = found[self.closely[0]], found[self.closely[1]]
        apart, error = mine.heads - best.heads, hypot(mine.error, best.error)
        if mine.option != best.option and any(abs(apart - bound) < _CLOSE * error for bound in IN_POINTS):
            found |= {each.option: each for each in tries.run([mine.option, best.option], _MORE * playouts)}
        return [*found.values()]


def _second_opinion(
    view: View, choice: Choice, best: Choice, playouts: int, rng: Rng, search: Search | None
) -> float | None:
    """How much more the choice costs than the best one if everybody then wants to end ahead."""
    native = core() if search is not None else None
    tries = None if native is None or search is None else search.by_network(native, view, rng)
    if tries is None:
        return None
    mine, other = tries.run([choice, best], max(2, playouts // _SECOND_OPINION))
    return mine.heads - other.heads
