"""The yardstick: one way to play for everybody, by which a review tells luck from skill.

What matters is that it is the same in playouts and here: what `usual` says is what the seat would do next in them. Then
the value of a view is, on average, the value of the views that follow it, as long as everybody plays so; who plays
otherwise gains or loses by it, and by how much can be computed. It plays as well as is quick: as a chapter's even
playouts play on (`SEARCH`); at random where there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import hypot
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import PLAY_ON, search_of
from nimmt_lab.native.tries import Tries

from .base import Bot, bot, needed
from .by_engine import EnginePlayouts
from .company import Company
from .search import is_settled, settled

#: Without a kernel a playout takes the engine milliseconds.
_ENGINE_SHARE = 50
_ANY = Rng(0)
#: The stream of the deals over which is averaged.
_AVERAGE = 6
#: From a position that lies open one learns more than from a round dealt anew: so many times fewer playouts.
_OPEN_SHARE = 10


class Worth(NamedTuple):
    """The total that a seat's side will have at the end of the round, on average, and the standard error of that."""

    total: float
    error: float


def average(game: Game, seat: Seat, company: Company, rounds: int, seed: int = 0) -> Worth | None:
    """What a round costs that seat on average if it plays as the yardstick does, and the others as the company.
    None: the chapter plays no rounds dealt anew for it (`Search.anew`), or there is no core.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots.company import AT_RANDOM, Way
    >>> from nimmt_lab.native.kernel import POLICIES
    >>> weak, strong = Company((AT_RANDOM,) * 4), Company((Way(POLICIES["edges-first"]),) * 4)
    >>> one, other = (average(Classic(players=4), 0, company, 400) for company in (weak, strong))
    >>> one is None or one.total < other.total
    True
    """
    found = search_of(game)
    tries = None if found is None else found[1].anew(found[0], game, seat, Rng.from_seed(seed, _AVERAGE))
    if tries is None:
        return None
    company.sit_down(tries.work, seat)
    (one,) = tries.run([PLAY_ON], rounds)
    return Worth(one.heads, one.error)


def undealt(view: View, company: Company, playouts: int, seed: int = 0) -> Worth:
    """What the round was worth to the seat before anybody had looked at a hand, if it plays as the yardstick does, and
    the others as the company; the view is a round's first. Where everything lies open, what was drafted is no luck.

    >>> from nimmt_lab import Baron
    >>> from nimmt_lab.bots.company import AT_RANDOM
    >>> view = Baron(players=3).deal(seed=1).view(0)
    >>> search_of(view.game) is None or undealt(view, Company((AT_RANDOM,) * 3), 200).total > 20
    True
    """
    if not view.game.hidden_hands:
        return worths(view, [None], playouts // _OPEN_SHARE, seed, company)[0]
    found = search_of(view.game)
    assert found is not None
    tries = found[1].even(found[0], view, Rng.from_seed(seed, _AVERAGE), blind=True)
    assert tries is not None
    company.sit_down(tries.work, view.seat)
    (one,) = tries.run([PLAY_ON], max(2, playouts // tries.weight))
    return _worth(view, one.heads, one.error)


def usual(view: View) -> Choice | None:
    """What the yardstick does; None: any of the options, each as likely.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 2 3")
    >>> usual(state.view(0))
    38
    """
    decision = needed(view)
    if len(decision.options) == 1:
        return decision.options[0]
    found = search_of(view.game)
    if found is None or not found[1].knows(view):
        return habit(view, decision)
    chosen = found[1].usual(view, decision)
    return _player(found[1].plays_as(view.game)).choose(view, _ANY) if chosen is None else chosen


@cache
def _player(name: str) -> Bot:
    return bot(name)


def worths(
    view: View, options: Sequence[Choice | None], playouts: int, seed: int, company: Company | None = None
) -> list[Worth]:
    """What options of what is asked now are worth to the seat, when everybody plays on as the yardstick does; all meet
    the same hidden cards. None stands for what is `usual`.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 59 ; B: 2 3 4")
    >>> bad, good = worths(state.view(0), [19, None], 500, seed=1)
    >>> bad.total > good.total + bad.error + good.error
    True
    """
    decision = needed(view)
    usually = usual(view) if None in options else None
    meant = [usually if option is None else option for option in options]
    if is_settled(view):
        return [_settled(view, option, playouts, seed, company) for option in meant]
    tries, share, already = _tries(view, Rng.from_seed(seed), company)
    playouts = max(2, playouts // share)
    if None in meant:
        return _any(view, tries, decision, meant, playouts, already)
    known = {one.option: one for one in tries.run(list(dict.fromkeys(o for o in meant if o is not None)), playouts)}
    return [_worth(view, known[option].heads, known[option].error, already) for option in meant if option is not None]


def _any(
    view: View, tries: Tries, decision: Decision, meant: Sequence[Choice | None], playouts: int, already: int
) -> list[Worth]:
    """Where any option is as likely: the mean of all of them."""
    every = tries.run(list(decision.options), playouts)
    mean = sum(one.heads for one in every) / len(every)
    error = sum(one.error for one in every) / len(every)  # at most: all have met the same cards
    known: dict[Choice | None, tuple[float, float]] = {one.option: (one.heads, one.error) for one in every}
    known[None] = mean, error
    return [_worth(view, *known[option], already) for option in meant]


def _worth(view: View, heads: float, error: float, already: int = 0) -> Worth:
    """From what a total loses, and what the seat has already taken besides, to what it will be."""
    total = view.totals[view.game.pile_of(view.seat)] + already
    return Worth(total + (-heads if view.game.more_is_better else heads), error)


def _tries(view: View, rng: Rng, company: Company | None) -> tuple[Tries, int, int]:
    """Playouts in which everybody plays as the yardstick does, or the others as the company; how many times longer each
    takes; and what the seat has taken that they do not count."""
    found = search_of(view.game)
    even = None if found is None else found[1].even(found[0], view, rng)
    if even is None:
        return EnginePlayouts(view, rng), _ENGINE_SHARE, 0
    if company is not None:
        company.tell(even.work, view)
    return even, even.weight, even.already


def _settled(view: View, option: Choice | None, playouts: int, seed: int, company: Company | None) -> Worth:
    """What an option is worth whose consequences are settled: what the next turn's view is."""
    assert option is not None
    state = settled(view, option, Rng.from_seed(seed))
    if state.is_past_round(view.round):
        return Worth(state.totals[view.game.pile_of(view.seat)], 0.0)
    return worths(state.view(view.seat), [None], playouts, seed, company)[0]


def apart(one: Worth, other: Worth) -> float:
    """The standard error of their difference, at most.

    >>> apart(Worth(1, 3), Worth(2, 4))
    5.0
    """
    return hypot(one.error, other.error)
