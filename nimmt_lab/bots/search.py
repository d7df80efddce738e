"""Bots that search: deal the hidden cards out at random, play the round on, and see which card did best.

`flat` is the plain yardstick: every card gets equally many playouts, in which everybody plays at random. `best`
improves on it where it counts: in its playouts everybody plays as well as the chapter knows (`SEARCH`): as was learned,
as badly as they have been seen to, by rules of thumb. It spends its playouts on the cards that are still in question,
looks beyond the round where the chapter does, and also searches for whatever else is asked. Without the compiled core
both make do with far fewer playouts.
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
#: What a head is worth to a bot that plays to win, in parts of a win: it decides between equal chances.
_HEAD = 0.005
#: Without a kernel a playout takes the engine milliseconds: so many times fewer of them, for a whole decision.
_ENGINE_SHARE = 10
#: What is not a card (a row, a special card) must not take longer than a card: so many times fewer again.
_OTHER_SHARE = 3
#: Advice looks at all options alike; without a kernel this part of the playouts is for each.
_ADVICE_SHARE = 50
#: Searching the view after each of a few options must not take longer than choosing a card, either.
_SETTLED_SHARE = 6
#: Where a playout takes long an option still gets so many, or its error would not be known.
_FEWEST = 2
#: Of very many options, so many are looked at.
_MOST_OPTIONS = 24
#: Who leaves what is usual wants to see a gain of so many standard errors. Found by trying.
_DOUBT = 2.0
_MOST_ADVISED = 64
#: With so many the error of a mean is a few thousandths of a head: more would show nothing new, and take hours.
MOST_PLAYOUTS = 10_000_000


class SearchBot(Bot):
    """What searching bots share. A game needs rules alone to be searched; what it keeps face down must be something
    that can be dealt out (`nimmt_lab.engine.guess`), or it is refused."""

    #: Whether everybody plays well in compiled playouts, or at random.
    skilled: ClassVar[bool] = True

    def __init__(self, playouts: int, goal: str) -> None:
        if goal not in GOALS:
            raise RulesError("shared.must_one_of", what="goal", known=", ".join(GOALS), got=shown(goal))
        check_count(playouts, "playouts", 1, MOST_PLAYOUTS)
        self.playouts = playouts
        self.goal = goal

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if len(decision.options) == 1:
            return decision.options[0]
        return max(self.estimates(view, decision, rng), key=self.worth).option

    def worth(self, estimate: Estimate) -> float:
        """What the bot maximises."""
        return estimate.credit - _HEAD * estimate.heads if self.goal == "win" else -estimate.heads

    def estimates(self, view: View, decision: Decision, rng: Rng) -> list[Estimate]:
        """The options that were looked at to the last, with their playouts.

        >>> from nimmt_lab import Classic
        >>> position = "12 14 15 16 18 | 37 | 43 44 | 58 ; A: 19 38 ; B: 2 3 ; C: 5 6"
        >>> view = Classic(players=3).from_position(position).view(0)
        >>> for estimate in FlatBot(playouts=200).estimates(view, view.decision, Rng.from_seed(1)):
        ...     print(estimate.option, estimate.playouts, estimate.heads > 2)
        19 200 True
        38 200 True
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
        """An option that is taken unless another is clearly better; None: none is."""
        return None

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        """Spend so many playouts on the options."""
        return tries.run(options, max(1, budget // len(options)))

    def advise(self, view: View, *, seed: int = 0, also: Sequence[Choice] = ()) -> Advice:
        """Every option with what it promises until the end of the round, all with equally many playouts, on the same
        hidden cards. Of very many options (orders of many cards, say) some are left out, and `left_out` says so; those
        in `also` are looked at in any case."""
        decision = needed(view)
        found, already = self._all(view, decision, Rng.from_seed(seed), also)
        found.sort(key=self.worth, reverse=True)
        sign = -1 if view.game.more_is_better else 1
        promises = tuple(
            Promise(one.option, sign * one.heads + already, one.error, one.credit, one.credit_error, one.playouts)
            for one in found
        )
        left_out = len(decision.options) - len(found)
        return Advice(view.game, view.seat, decision, promises, method="search", until="round", left_out=left_out)

    def _all(self, view: View, decision: Decision, rng: Rng, also: Sequence[Choice]) -> tuple[list[Estimate], int]:
        """All options, and what the seat has taken in this round that they do not count."""
        compiled = self._compiled(view, rng)
        if compiled is not None:
            options = looked_at(compiled, decision, _MOST_ADVISED, rng)
            options += [option for option in dict.fromkeys(also) if option not in options]
            playouts = max(min(_FEWEST, compiled.weight), self.playouts // compiled.weight)
            return compiled.run(options, playouts), compiled.already
        options = some_options(decision, _MOST_ADVISED, rng)
        options += [option for option in dict.fromkeys(also) if option not in options]
        return EnginePlayouts(view, rng).run(options, max(_FEWEST, self.playouts // _ADVICE_SHARE)), 0

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        """A chapter's own compiled playouts, where it brings them for what is asked."""
        return compiled_tries(view, rng, self.skilled)

    def _plain(self, view: View, rng: Rng) -> Tries:
        """Playouts by the rules alone."""
        return EnginePlayouts(view, rng)

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts},goal={self.goal}"


def _taken(view: View) -> int:
    return view.game.heads_in(view.piles[view.game.pile_of(view.seat)])


def looked_at(tries: CoreTries, decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options; of very many those that the chapter finds promising, or some."""
    if len(decision.options) > most:
        promising = tries.promising(decision.options, most)
        if promising:
            return promising
    return some_options(decision, most, rng)


def some_options(decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options; of very many a random part, with what one may leave undone first."""
    if len(decision.options) <= most:
        return list(decision.options)
    numbers, _ = rng.shuffled(range(len(decision.options)), take=most)
    found = [decision.options[at] for at in sorted(numbers[:most])]
    default = decision.default
    return found if default is None or default in found else [default, *found[1:]]


def is_settled(view: View) -> bool:
    """Whether nothing hidden takes part in what follows a choice, so that the next view can be searched instead."""
    found = search_of(view.game)
    return found is not None and found[1].is_settled(view)


def settled(view: View, option: Choice, rng: Rng) -> GameState:
    """What follows a choice, up to the next card or past the round, where that is settled. (The hands are guessed.)"""
    state, _ = guess(view, rng).choose({view.seat: option})
    while state.queue and not state.is_past_round(view.round):
        state, _ = state.choose(habitual_choices(state, rng)[0])
    return state


@register
class FlatBot(SearchBot):
    """Flat Monte Carlo: hidden cards dealt out at random, random playouts, the same number for every option. Its low
    cards take the cheapest row (R-C4)."""

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
    """The first `best` bot, kept as a yardstick: in its playouts the others play at random, and it plays on as it has
    learned to (`Search.among_random`). `playouts` is for each card of the hand; it is spent in rounds, after each of
    which the less promising half of the options is given up. Games without such playouts are searched with the engine:
    by as many playouts as it has time for, whoever plays them (a kernel whose random play is the engine's is only
    quicker)."""

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
        """What a choice promises whose consequences are settled: they are played, then the best card of the next turn
        is."""
        side = view.game.pile_of(view.seat)
        state = settled(view, option, rng)
        before = view.totals[side] + _taken(view)
        if state.is_past_round(view.round):
            return Estimate(option, 1, state.totals[side] - before, win_credit(state, side))
        after = state.view(view.seat)
        promise = max(self.estimates(after, needed(after), rng), key=self.worth)
        taken = _taken(after) - _taken(view)
        return promise._replace(option=option, heads=promise.heads + taken)

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        found = search_of(view.game)
        return None if found is None else found[1].among_random(found[0], view, rng)

    def _plain(self, view: View, rng: Rng) -> Tries:
        search = SEARCH.find(view.game)
        found = compiled_tries(view, rng, False) if search is not None and search.is_plain else None
        return super()._plain(view, rng) if found is None else found

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        left = list(options)
        stages = max(1, (len(left) - 1).bit_length())
        while True:
            ranked = sorted(tries.run(left, max(1, budget // stages // len(left))), key=self.worth, reverse=True)
            if len(left) <= 2:
                return ranked
            left = [estimate.option for estimate in ranked[: (len(left) + 1) // 2]]


@register
class BestBot(FirstBestBot):
    """The strongest player here. Everybody in its playouts plays as well as what they have played lets it think.

    Where a chapter says what is usual in its playouts, it does that, unless another option is better beyond doubt: of
    many options with few playouts each the one that seems best mostly was lucky, and its playouts count on the usual
    ways of all."""

    name = "best"

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
    """What is usual, and what seems to gain most by it, if anything does: after each round of playouts what gained
    nothing so far is given up, and at least the less promising half."""
    left, count = list(options), len(options)
    stages = max(1, (count - 1).bit_length())
    while True:
        found = tries.run(left, max(2, budget // stages // count))
        if count <= 2:
            return found
        count = (count + 1) // 2
        better = [one for one in found if one.gain is not None and one.gain > 0]
        better.sort(key=lambda one: one.gain or 0.0, reverse=True)
        left = [usual, *(one.option for one in better[: count - 1])]
        if len(left) == 1:
            return [one for one in found if one.option == usual]
