"""A search bot that trusts a network and leaves its choice only when the gain is beyond doubt.

The best of many options after a few playouts is mostly the luckiest. So there are two independent searches, on
different guesses of the hidden cards: an option must be clearly better than the network's in both.
"""

from __future__ import annotations

from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import search_of
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import CREDIT

from .base import needed, register
from .search import MOST_PLAYOUTS, BestBot

#: The gain, in wins, that both searches must promise, and in standard errors.
_MARGIN = 0.02
_DOUBT = 0.5
#: With this many times the playouts, `best` takes about as long.
_ELSEWHERE = 7


@register
class SecondThoughtsBot(BestBot):
    """Plays the card of `ahead`, unless two independent searches, in which everybody plays like `ahead`, both promise
    clearly more from another. `playouts`: for each option, half in each search. Like `best` where there is no such
    network, and in other decisions."""

    name = "second-thoughts"

    def __init__(self, playouts: int = 300) -> None:
        super().__init__(playouts)

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if len(decision.options) == 1:
            return decision.options[0]
        first = self._search(view, Rng.from_seed(rng.state, 1))
        if first is None:
            return BestBot(min(_ELSEWHERE * self.playouts, MOST_PLAYOUTS)).choose(view, rng)
        usual = first.compare()
        second = self._search(view, Rng.from_seed(rng.state, 2))
        assert usual is not None and second is not None
        second.compare()
        promised = _gains(first, [*decision.options], self.playouts // 2)
        promised.pop(usual)
        left = [option for option, gain in promised.items() if gain > _MARGIN]
        if not left:
            return usual
        again = _gains(second, [usual, *left], self.playouts // 2)
        again.pop(usual)
        sure = {option: min(gain, promised[option]) for option, gain in again.items() if gain > _MARGIN}
        return max(sure, key=lambda option: sure[option]) if sure else usual

    def _search(self, view: View, rng: Rng) -> CoreTries | None:
        compiled = search_of(view.game)
        return None if compiled is None else compiled[1].by_network(compiled[0], view, rng)

    def _compiled(self, view: View, rng: Rng) -> CoreTries | None:
        own = self._search(view, rng)
        return super()._compiled(view, rng) if own is None else own

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts}"


def _gains(tries: CoreTries, options: list[Choice], playouts: int) -> dict[Choice, float]:
    """What each option gains over the usual one, in wins, less some of the error."""
    return {
        each.option: ((each.gain or 0.0) - _DOUBT * each.gain_error) / CREDIT
        for each in tries.run(options, max(2, playouts))
    }
