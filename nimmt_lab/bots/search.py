"""Search bots: deal the hidden cards at random, play the round out, and choose the option with the best results.

`flat` is the baseline, flat Monte Carlo with random playouts. `best-2` uses the playout policies that the chapter has
(`SEARCH`), concentrates its playouts on the options still in contention, looks beyond the round where the chapter does,
and searches decisions other than cards as well. Without the compiled core both run far fewer playouts. `best`
(`second.py`) builds on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import SEARCH, compiled_tries, search_of
from nimmt_lab.native.tries import CoreTries, Estimate, Tries

from .advice import Advice, Promise
from .base import Bot, needed, register
from .by_engine import EnginePlayouts, win_credit

GOALS = ("win", "heads")
#: Value of a head in wins for bots that play to win; decides between equal chances.
_HEAD = 0.005
#: Divisors of the playout budget. Engine playouts take milliseconds each; decisions other than cards must not take
#: longer than cards; advice evaluates all options equally; settled decisions search once per option.
_ENGINE_SHARE = 10
_OTHER_SHARE = 3
_ADVICE_SHARE = 50
_SETTLED_SHARE = 6
#: The fewest playouts per option that give an error estimate.
_FEWEST = 2
_MOST_OPTIONS = 24
_MOST_ADVISED = 64
#: Gain over the usual option, in standard errors, required to deviate from it. Tuned by experiment.
_DOUBT = 2.0
#: The error of a mean is then a few thousandths of a head.
MOST_PLAYOUTS = 10_000_000


class SearchBot(Bot):
    """Base class of search bots. They play any game whose hidden cards can be dealt (`nimmt_lab.engine.guess`)."""

    #: Whether compiled playouts use strong policies or random play.
    skilled: ClassVar[bool] = True

    def __init__(self, playouts: int, goal: str) -> None:
        if goal not in GOALS:
            raise RulesError("shared.must_one_of", what="goal", known=", ".join(GOALS), got=shown(goal))
        self.playouts = check_count(playouts, "playouts", 1, MOST_PLAYOUTS)
        self.goal = goal

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if len(decision.options) == 1:
            return decision.options[0]
        return max(self.estimates(view, decision, rng), key=self.worth).option

    def worth(self, estimate: Estimate) -> float:
        """The objective that the bot maximises."""
        return estimate.credit - _HEAD * estimate.heads if self.goal == "win" else -estimate.heads

    def estimates(self, view: View, decision: Decision, rng: Rng) -> list[Estimate]:
        """Search, and return estimates for the options that remained in contention.

        >>> from nimmt_lab import Classic
        >>> position = "12 14 15 16 18 | 37 | 43 44 | 58 ; A: 19 38 ; B: 2 3 ; C: 5 6"
        >>> view = Classic(players=3).from_position(position).view(0)
        >>> estimates = FlatBot(playouts=200).estimates(view, view.decision, Rng.from_seed(1))
        >>> [(estimate.option, estimate.playouts) for estimate in estimates]
        [(19, 200), (38, 200)]
        """
        compiled = self._compiled(view, rng)
        if compiled is not None:
            options = looked_at(compiled, decision, _MOST_OPTIONS, rng)
            usual = self._usual(compiled)
            if usual is not None and usual not in options:
                options[-1] = usual
            return self._look(compiled, options, compiled.budget(self.playouts, len(options)))
        options = some_options(decision, _MOST_OPTIONS, rng)
        share = _ENGINE_SHARE if isinstance(decision, ChooseCard) else _ENGINE_SHARE * _OTHER_SHARE
        return self._look(self._plain(view, rng), options, max(2 * len(options), self.playouts // share))

    def _usual(self, tries: CoreTries) -> Choice | None:
        """The default option, chosen unless another is clearly better; None: no default."""
        return None

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        """Spend a budget of playouts on the options."""
        return tries.run(options, max(1, budget // len(options)))

    def advise(self, view: View, *, seed: int = 0, also: Sequence[Choice] = ()) -> Advice:
        """Evaluate the options to the end of the round, all with the same playouts on the same hidden cards. If there
        are too many (orders of cards, say), evaluate a selection that includes `also`; `left_out` counts the rest."""
        decision = needed(view)
        estimates, already = self._all(view, decision, Rng.from_seed(seed), also)
        estimates.sort(key=self.worth, reverse=True)
        sign = -1 if view.game.more_is_better else 1
        promises = tuple(
            Promise(each.option, sign * each.heads + already, each.error, each.credit, each.credit_error, each.playouts)
            for each in estimates
        )
        left_out = len(decision.options) - len(estimates)
        return Advice(view.game, view.seat, decision, promises, method="search", until="round", left_out=left_out)

    def _all(self, view: View, decision: Decision, rng: Rng, also: Sequence[Choice]) -> tuple[list[Estimate], int]:
        """Estimates for all options, and heads taken in this round that they do not include."""
        compiled = self._compiled(view, rng)
        if compiled is not None:
            options = looked_at(compiled, decision, _MOST_ADVISED, rng)
            playouts = max(min(_FEWEST, compiled.weight), self.playouts // compiled.weight)
        else:
            options = some_options(decision, _MOST_ADVISED, rng)
            playouts = max(_FEWEST, self.playouts // _ADVICE_SHARE)
        options += [option for option in dict.fromkeys(also) if option not in options]
        tries: Tries = EnginePlayouts(view, rng) if compiled is None else compiled
        return self._evenly(tries, options, playouts), 0 if compiled is None else compiled.already

    def _evenly(self, tries: Tries, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """Evaluate the options for advice."""
        return tries.run(options, playouts)

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        """The chapter's compiled playouts for this decision, if it has any."""
        return compiled_tries(view, rng, self.skilled)

    def _plain(self, view: View, rng: Rng) -> Tries:
        """Playouts that need only the rules."""
        return EnginePlayouts(view, rng)

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts},goal={self.goal}"


def _taken(view: View) -> int:
    return view.game.heads_in(view.piles[view.game.pile_of(view.seat)])


def looked_at(tries: CoreTries, decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options, or at most `most`: those the chapter finds promising, else a random selection."""
    promising = tries.promising(decision.options, most) if len(decision.options) > most else None
    return promising or some_options(decision, most, rng)


def some_options(decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options, or a random `most` of them that include the default."""
    if len(decision.options) <= most:
        return list(decision.options)
    numbers, _ = rng.shuffled(range(len(decision.options)), take=most)
    options = [decision.options[at] for at in sorted(numbers[:most])]
    default = decision.default
    return options if default is None or default in options else [default, *options[1:]]


def is_settled(view: View) -> bool:
    """Whether the consequences of every option are public up to the seat's next choice: then search the next view."""
    compiled = search_of(view.game)
    return compiled is not None and compiled[1].is_settled(view)


def settled(view: View, option: Choice, rng: Rng) -> GameState:
    """Play a settled option up to the next card or the end of the round (hidden hands are guessed)."""
    state, _ = guess(view, rng).choose({view.seat: option})
    while state.queue and not state.is_past_round(view.round):
        state, _ = state.choose(habitual_choices(state, rng)[0])
    return state


@register
class FlatBot(SearchBot):
    """Flat Monte Carlo: random deals and playouts, equally many per option. Low cards take the cheapest row (R-C4)."""

    name = "flat"
    skilled = False

    def __init__(self, playouts: int = 1000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if isinstance(decision, ChooseRow):
            return view.game.cheapest_row(view, decision.options)
        return super().choose(view, rng)


@register
class FirstBestBot(SearchBot):
    """The first `best` bot, kept as a baseline. In its playouts the others play at random while it follows a learned
    policy (`Search.among_random`). It allocates playouts by successive halving; `playouts` is the budget per option.
    Games without such playouts are searched with the engine's playouts, or compiled ones that equal them."""

    name = "best-1"

    def __init__(self, playouts: int = 3000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def estimates(self, view: View, decision: Decision, rng: Rng) -> list[Estimate]:
        if is_settled(view):
            quick = type(self)(max(1, self.playouts // _SETTLED_SHARE), self.goal)
            return [quick._settled(view, option, rng) for option in decision.options]
        return super().estimates(view, decision, rng)

    def _all(self, view: View, decision: Decision, rng: Rng, also: Sequence[Choice]) -> tuple[list[Estimate], int]:
        if is_settled(view):
            return [self._settled(view, option, rng) for option in decision.options], _taken(view)
        return super()._all(view, decision, rng, also)

    def _settled(self, view: View, option: Choice, rng: Rng) -> Estimate:
        """Evaluate a settled option: play it, then take the best card of the next turn."""
        side = view.game.pile_of(view.seat)
        state = settled(view, option, rng)
        if state.is_past_round(view.round):
            before = view.totals[side] + _taken(view)
            return Estimate(option, 1, state.totals[side] - before, win_credit(state, side))
        after = state.view(view.seat)
        best = max(self.estimates(after, needed(after), rng), key=self.worth)
        return best._replace(option=option, heads=best.heads + _taken(after) - _taken(view))

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        compiled = search_of(view.game)
        return None if compiled is None else compiled[1].among_random(compiled[0], view, rng)

    def _plain(self, view: View, rng: Rng) -> Tries:
        search = SEARCH.find(view.game)
        compiled = compiled_tries(view, rng, False) if search is not None and search.is_plain else None
        return super()._plain(view, rng) if compiled is None else compiled

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        left = list(options)
        stages = max(1, (len(left) - 1).bit_length())
        while True:
            ranked = sorted(tries.run(left, max(1, budget // stages // len(left))), key=self.worth, reverse=True)
            if len(left) <= 2:
                return ranked
            left = [estimate.option for estimate in ranked[: (len(left) + 1) // 2]]


@register
class SecondBestBot(FirstBestBot):
    """A search in whose playouts everybody follows the policy that their play so far suggests. `best` plays like this
    where it has no network of its own.

    Where the chapter names a usual option it deviates only on clear evidence: the apparent best of many options with
    few playouts each is mostly lucky, and the playouts assume usual play by everybody."""

    name = "best-2"

    def __init__(self, playouts: int = 2000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        return SearchBot._compiled(self, view, rng)

    def _usual(self, tries: CoreTries) -> Choice | None:
        return tries.compare() if self.goal == "win" else None

    def worth(self, estimate: Estimate) -> float:
        if estimate.gain is None:
            return super().worth(estimate)
        return estimate.gain - _DOUBT * estimate.gain_error

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        if isinstance(tries, CoreTries):
            if tries.usual is not None:
                return _against(tries, tries.usual, options, budget)
            preferred = tries.deepen(options, budget) if self.goal == "win" else None
            if preferred is not None:
                return preferred
        return super()._look(tries, options, budget)


def _against(tries: CoreTries, usual: Choice, options: Sequence[Choice], budget: int) -> list[Estimate]:
    """Compare options with the usual one. Each stage drops those without a gain, and at least half of them."""
    left, count = list(options), len(options)
    stages = max(1, (count - 1).bit_length())
    while True:
        estimates = tries.run(left, max(2, budget // stages // count))
        if count <= 2:
            return estimates
        count = (count + 1) // 2
        better = [estimate for estimate in estimates if estimate.gain is not None and estimate.gain > 0]
        better.sort(key=lambda estimate: estimate.gain or 0.0, reverse=True)
        left = [usual, *(estimate.option for estimate in better[: count - 1])]
        if len(left) == 1:
            return [estimate for estimate in estimates if estimate.option == usual]
