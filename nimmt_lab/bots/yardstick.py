"""The yardstick: one way to play for everybody, by which a review tells luck from skill.

What matters is that it is the same in playouts and here: what `usual` says is what the seat would do next in them. Then
the value of a view is, on average, the value of the views that follow it, as long as everybody plays so; who plays
otherwise gains or loses by it, and by how much can be computed. It plays as well as is quick: the classic family as it
has learned to, by a rule of thumb with fan cards; other chapters as their kernels play on (`SEARCH`); at random where
there is no kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habit, habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import POLICIES, SEARCH, Searching, searching_kernel
from nimmt_lab.native.loader import Core, core
from nimmt_lab.native.tries import Tries
from nimmt_lab.native.work import OPTIONS, Work

from .base import needed
from .by_engine import EnginePlayouts
from .company import Company, Way
from .kinds import TRAINED
from .search import EDGES_FIRST, Playouts
from .simple import EdgesFirstBot, LeastRiskBot, TrainedBot

#: Without a kernel a playout takes the engine milliseconds.
_ENGINE_SHARE = 50
_ANY = Rng(0)
#: The stream of the deals over which is averaged.
_AVERAGE = 6
#: The one option of who has not looked at a hand.
_PLAY_ON = -1


class Worth(NamedTuple):
    """The total that a seat's side will have at the end of the round, on average, and the standard error of that."""

    total: float
    error: float


class EvenPlayouts(Playouts):
    """Playouts of the classic family's kernel in which everybody plays alike, or the others as the company does."""

    def __init__(self, view: View, core: Core, kernel: Searching, rng: Rng, company: Company | None = None) -> None:
        game, learned = view.game, kernel.has_network(view.game)
        own = TRAINED if learned else EDGES_FIRST
        super().__init__(view, core, kernel, rng, own)
        self.work.set("policies", [own] * game.players)
        if company is not None:
            kernel.weigh(self.work, game)
            company.tell(self.work, view, Way(own))
        if learned:
            unseen = len(self.cards) - len(view.hand)
            self.network = kernel.network(self.work, game.players, unseen, len(view.hand))


def average(game: Game, seat: Seat, company: Company, rounds: int, seed: int = 0) -> Worth:
    """What a round of the classic family costs that seat on average if it plays as the yardstick does, and the others
    as the company.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots.company import AT_RANDOM
    >>> weak, strong = Company((AT_RANDOM,) * 4), Company((Way(TRAINED),) * 4)
    >>> game = Classic(players=4)
    >>> core() is None or average(game, 0, weak, 400).total < average(game, 0, strong, 400).total
    True
    """
    found = searching_kernel(game)
    assert found is not None, "the classic family's kernel"
    core, kernel = found
    work, hand, learned = Work(core), game.turns, kernel.has_network(game)
    kernel.prepare(work, game, [POLICIES["random"]] * game.players, [0] * game.players)
    kernel.weigh(work, game)
    company.sit_down(work, seat, Way(TRAINED if learned else EDGES_FIRST))
    work.set("key", Rng.from_seed(seed, _AVERAGE).state)
    work.set("me", seat)
    unseen = len(game.deck) - len(game.deal(0).rows) - hand
    network = kernel.network(work, game.players, unseen, hand) if learned else work.memory
    work.call(kernel.company, network, rounds)
    total, squares = work.get("stats", 2)
    return Worth(total / rounds, sqrt(max(0.0, squares / rounds - (total / rounds) ** 2) / rounds))


def undealt(view: View, company: Company, playouts: int, seed: int = 0) -> Worth:
    """What the round was worth to the seat before anybody had looked at a hand, if it plays as the yardstick does, and
    the others as the company. For chapters with playouts of their own; the view is a round's first.

    >>> from nimmt_lab import Baron
    >>> from nimmt_lab.bots.company import AT_RANDOM
    >>> view = Baron(players=3).deal(seed=1).view(0)
    >>> core() is None or undealt(view, Company((AT_RANDOM,) * 3), 200).total > 20
    True
    """
    search, found = SEARCH.of(view.game), core()
    assert found is not None
    tries = search.even(found, view, Rng.from_seed(seed, _AVERAGE), blind=True)
    assert tries is not None
    company.sit_down(tries.work, view.seat)
    (one,) = tries.run([_PLAY_ON], max(2, playouts // tries.weight))
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
    if _family(view) is not None:
        found = habit(view, decision)
        if found is not None or not isinstance(decision, ChooseCard):
            return found
        kernel = searching_kernel(view.game)
        learned = kernel is not None and kernel[1].has_network(view.game)
        return (TrainedBot() if learned else EdgesFirstBot()).choose(view, _ANY)
    search = SEARCH.find(view.game)
    if search is not None and core() is not None:
        chosen = search.usual(view, decision)
        return LeastRiskBot().choose(view, _ANY) if chosen is None else chosen
    return habit(view, decision)


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
    if isinstance(decision, ChooseRow) and _family(view) is not None:
        return [_after_row(view, option, playouts, seed, company) for option in meant]
    tries, share = _tries(view, decision, Rng.from_seed(seed), company)
    playouts = max(2, playouts // share)
    if None in meant:
        return _any(view, tries, decision, meant, playouts)
    known = {one.option: one for one in tries.run(list(dict.fromkeys(o for o in meant if o is not None)), playouts)}
    return [_worth(view, known[option].heads, known[option].error) for option in meant if option is not None]


def _any(view: View, tries: Tries, decision: Decision, meant: Sequence[Choice | None], playouts: int) -> list[Worth]:
    """Where any option is as likely: the mean of all of them."""
    every = tries.run(list(decision.options), playouts)
    mean = sum(one.heads for one in every) / len(every)
    error = sum(one.error for one in every) / len(every)  # at most: all have met the same cards
    known = {one.option: one for one in every}
    return [
        _worth(view, mean, error) if option is None else _worth(view, known[option].heads, known[option].error)
        for option in meant
    ]


def _worth(view: View, heads: float, error: float) -> Worth:
    """From what a total loses to what it will be."""
    game = view.game
    side = game.pile_of(view.seat)
    already = game.heads_in(view.piles[side]) if _family(view) is not None else 0
    return Worth(view.totals[side] + already + (-heads if game.more_is_better else heads), error)


def _family(view: View) -> tuple[Core, Searching] | None:
    """The classic family's kernel, where it can play on: from a card for everybody, or from a row to take."""
    found = searching_kernel(view.game)
    if found is None or len(needed(view).options) > OPTIONS:
        return None
    return found if view.queue or len(set(view.hand_sizes)) == 1 else None


def _tries(view: View, decision: Decision, rng: Rng, company: Company | None) -> tuple[Tries, int]:
    """Playouts in which everybody plays as the yardstick does, and how many times longer each takes."""
    family = _family(view)
    if family is not None and isinstance(decision, ChooseCard):
        return EvenPlayouts(view, *family, rng, company), 1
    search, found = SEARCH.find(view.game), core()
    even = search.even(found, view, rng) if search is not None and found is not None else None
    if even is not None and company is not None:
        company.tell(even.work, view)
    return (EnginePlayouts(view, rng), _ENGINE_SHARE) if even is None else (even, even.weight)


def _after_row(view: View, row: Choice | None, playouts: int, seed: int, company: Company | None) -> Worth:
    """What a row to take is worth in the classic family: nothing hidden takes part in placing the cards that lie open,
    so the next turn's view is known."""
    assert row is not None
    seat = view.seat
    state, _ = guess(view, Rng.from_seed(seed)).choose({seat: row})
    while state.queue and not state.is_past_round(view.round):
        state, _ = state.choose(habitual_choices(state, _ANY)[0])
    if state.is_past_round(view.round):
        return Worth(state.totals[view.game.pile_of(seat)], 0.0)
    return worths(state.view(seat), [None], playouts, seed, company)[0]


def apart(one: Worth, other: Worth) -> float:
    """The standard error of their difference, at most.

    >>> apart(Worth(1, 3), Worth(2, 4))
    5.0
    """
    return hypot(one.error, other.error)
