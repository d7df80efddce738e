"""The yardstick: one reference policy for everybody, by which a review separates luck from skill.

Playouts use the same policy as `usual`, so the value of a view is the expected value of the views that follow as long
as everybody plays by the yardstick. A seat that deviates gains or loses a computable amount. The policy is the one of
the chapter's even playouts (`SEARCH`), as strong as is fast; random play where there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import PLAY_ON, search_of
from nimmt_lab.native.tries import Tries

from .base import needed, shared_bot
from .by_engine import EnginePlayouts
from .company import Company
from .search import is_settled, settled

#: Divisor of the playout budget for engine playouts, which take milliseconds.
_ENGINE_SHARE = 50
#: The same for open positions, which need fewer playouts than rounds dealt at random.
_OPEN_SHARE = 10
#: Random stream of the deals averaged over.
_AVERAGE = 6


class Worth(NamedTuple):
    """The expected total of a seat's side at the end of the round, and its standard error."""

    total: float
    error: float


def average(game: Game, seat: Seat, company: Company, rounds: int, seed: int = 0) -> Worth | None:
    """The expected cost of a round for a seat that plays by the yardstick in that company. None if the chapter cannot
    deal whole rounds for it, or without the core.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots.company import AT_RANDOM, SeatModel
    >>> from nimmt_lab.native.kernel import POLICIES
    >>> weak, strong = Company((AT_RANDOM,) * 4), Company((SeatModel(POLICIES["edges-first"]),) * 4)
    >>> easy, hard = (average(Classic(players=4), 0, company, 400) for company in (weak, strong))
    >>> easy is None or easy.total < hard.total
    True
    """
    compiled = search_of(game)
    tries = None if compiled is None else compiled[1].anew(compiled[0], game, seat, Rng.from_seed(seed, _AVERAGE))
    if tries is None:
        return None
    company.set_policies(tries.work, seat)
    (estimate,) = tries.run([PLAY_ON], rounds)
    return Worth(estimate.heads, estimate.error)


def undealt(view: View, company: Company, playouts: int, seed: int = 0) -> Worth:
    """The value of a round before anybody has seen a hand, for a seat that plays by the yardstick in that company. The
    view is the first of its round. In open games the draft is already done, because it is not luck."""
    if not view.game.hidden_hands:
        return worths(view, [None], playouts // _OPEN_SHARE, seed, company)[0]
    compiled = search_of(view.game)
    assert compiled is not None
    tries = compiled[1].even(compiled[0], view, Rng.from_seed(seed, _AVERAGE), blind=True)
    assert tries is not None
    company.set_policies(tries.work, view.seat)
    (estimate,) = tries.run([PLAY_ON], max(2, playouts // tries.weight))
    return _worth(view, estimate.heads, estimate.error)


def usual(view: View) -> Choice | None:
    """The yardstick's choice; None: all options are equally likely.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 2 3")
    >>> usual(state.view(0))
    38
    """
    decision = needed(view)
    if len(decision.options) == 1:
        return decision.options[0]
    compiled = search_of(view.game)
    if compiled is None or not compiled[1].knows(view):
        return habit(view, decision)
    choice = compiled[1].usual(view, decision)
    return shared_bot(compiled[1].plays_as(view.game)).choose(view, Rng(0)) if choice is None else choice


def worths(
    view: View, options: Sequence[Choice | None], playouts: int, seed: int, company: Company | None = None
) -> list[Worth]:
    """The value of options to the seat if everybody then plays by the yardstick, or the others as the company does, on
    the same hidden cards. None is the `usual` option.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 59 ; B: 2 3 4")
    >>> bad, good = worths(state.view(0), [19, None], 500, seed=1)
    >>> bad.total > good.total + bad.error + good.error
    True
    """
    default = usual(view) if None in options else None
    meant = [default if option is None else option for option in options]
    if is_settled(view):
        return [_settled(view, option, playouts, seed, company) for option in meant]
    tries: Tries = EnginePlayouts(view, Rng.from_seed(seed))
    share, already, compiled = _ENGINE_SHARE, 0, search_of(view.game)
    even = None if compiled is None else compiled[1].even(compiled[0], view, Rng.from_seed(seed))
    if even is not None:
        if company is not None:
            company.configure(even.work, view)
        tries, share, already = even, even.weight, even.already
    playouts = max(2, playouts // share)
    some = needed(view).options if None in meant else dict.fromkeys(option for option in meant if option is not None)
    estimates = tries.run(list(some), playouts)
    known = {each.option: (each.heads, each.error) for each in estimates}
    count = len(estimates)
    # The error of the mean is at most the mean error, because all options met the same cards.
    mean = sum(each.heads for each in estimates) / count, sum(each.error for each in estimates) / count
    return [_worth(view, *(mean if option is None else known[option]), already) for option in meant]


def _worth(view: View, heads: float, error: float, already: int = 0) -> Worth:
    """The final total, from the expected loss and heads taken before that it does not include."""
    total = view.totals[view.game.pile_of(view.seat)] + already
    return Worth(total + (-heads if view.game.more_is_better else heads), error)


def _settled(view: View, option: Choice | None, playouts: int, seed: int, company: Company | None) -> Worth:
    """The value of a settled option: that of the next view."""
    assert option is not None
    state = settled(view, option, Rng.from_seed(seed))
    if state.is_past_round(view.round):
        return Worth(state.totals[view.game.pile_of(view.seat)], 0.0)
    return worths(state.view(view.seat), [None], playouts, seed, company)[0]


def apart(first: Worth, second: Worth) -> float:
    """An upper bound on the standard error of their difference.

    >>> apart(Worth(1, 3), Worth(2, 4))
    5.0
    """
    return hypot(first.error, second.error)
