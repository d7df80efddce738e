"""The strongest bot: it trusts a network and leaves its choice only when the gain is beyond doubt.

The best of many options after a few playouts is mostly the luckiest. So there are two independent searches, on
different guesses of the hidden cards: an option must be clearly better than the network's in both. The first soon gives
up the options that are clearly worse, and spends their playouts on the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import search_of
from nimmt_lab.native.tries import CoreTries, Estimate
from nimmt_lab.native.work import CREDIT

from .base import needed, register
from .search import MOST_PLAYOUTS, SecondBestBot

#: The gain, in wins, that both searches must promise, and in standard errors.
_MARGIN = 0.02
_DOUBT = 0.5
#: With this many times the playouts, a search without such a network takes about as long.
_ELSEWHERE = 7
#: The part of a search that all options share, and how far below the usual one, in standard errors, they are given up.
_FIRST_SHARE = 3
_HOPELESS = 1.0
#: The most options that a search keeps.
_KEPT = 4


@register
class BestBot(SecondBestBot):
    """The strongest bot. Where the chapter has a network that learned to end ahead, it plays that network's choice,
    unless two independent searches, in which everybody plays like that, both promise clearly more from another.
    Elsewhere, and to take few heads (`goal`), it plays like `best-2`. `playouts`: as many as `best-2` makes in that
    time."""

    name = "best"

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if self.goal == "win" and len(decision.options) > 1:
            found = second_thought(view, decision, rng, self._share)
            if found is not None:
                return found
        return super().choose(view, rng)

    def _all(self, view: View, decision: Decision, rng: Rng, also: Sequence[Choice]) -> tuple[list[Estimate], int]:
        """To win, its advice rests on the playouts that it chooses by."""
        tries = _search(view, rng) if self.goal == "win" else None
        if tries is None:
            return super()._all(view, decision, rng, also)
        return tries.run(decision.options, self._share), tries.already

    @property
    def _share(self) -> int:
        """The number of playouts with a network that take as long as all playouts."""
        return max(4, self.playouts // _ELSEWHERE)


@register
class SecondThoughtsBot(BestBot):
    """`best` with a number of playouts of its own: for each option, half of them in each search."""

    name = "second-thoughts"

    def __init__(self, playouts: int = 300, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def choose(self, view: View, rng: Rng) -> Choice:
        if _search(view, rng) is None:
            return BestBot(min(_ELSEWHERE * self.playouts, MOST_PLAYOUTS), self.goal).choose(view, rng)
        return super().choose(view, rng)

    @property
    def _share(self) -> int:
        return max(4, self.playouts)

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts}"


def second_thought(view: View, decision: Decision, rng: Rng, playouts: int) -> Choice | None:
    """The network's choice, or the one that both searches clearly prefer; None where there is no such network."""
    first, second = (_search(view, Rng.from_seed(rng.state, stream)) for stream in (1, 2))
    if first is None or second is None:
        return None
    usual, half = first.compare(), max(2, playouts // 2)
    assert usual is not None
    promised = _gains(_narrowed(first, decision.options, usual, half))
    left = [option for option, gain in promised.items() if gain > _MARGIN and option != usual]
    if not left:
        return usual
    second.compare()
    # As many playouts as the first search, on fewer options
    again = _gains(second.run([usual, *left], min(half * len(decision.options) // (1 + len(left)), 4 * half)))
    sure = {option: min(again[option], promised[option]) for option in left if again[option] > _MARGIN}
    return max(sure, key=lambda option: sure[option]) if sure else usual


def _search(view: View, rng: Rng) -> CoreTries | None:
    compiled = search_of(view.game)
    return None if compiled is None else compiled[1].by_network(compiled[0], view, rng)


def _narrowed(tries: CoreTries, options: Sequence[Choice], usual: Choice, half: int) -> list[Estimate]:
    """Estimates of the usual option and of those that may be better."""
    begun = max(2, half // _FIRST_SHARE)
    found = tries.run(options, begun)
    hopeful = [one for one in found if (one.gain or 0.0) + _HOPELESS * one.gain_error > 0 and one.option != usual]
    hopeful.sort(key=lambda one: one.gain or 0.0, reverse=True)
    left = [usual, *(one.option for one in hopeful[: _KEPT - 1])]
    more = (half - begun) * len(options) // len(left)
    return tries.run(left, min(more, 4 * half)) if len(left) > 1 and more > 0 else found


def _gains(found: Sequence[Estimate]) -> dict[Choice, float]:
    """What each option gains over the usual one, in wins, less some of the error."""
    return {one.option: ((one.gain or 0.0) - _DOUBT * one.gain_error) / CREDIT for one in found}
