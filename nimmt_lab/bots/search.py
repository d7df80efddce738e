"""Bots that search: deal the hidden cards out at random, play the round on, and see which card did best.

`flat` is the plain yardstick: every card gets equally many playouts, in which everybody plays at random. `best`
improves on it where it counts: in its playouts it plays on as it has learned to (`fast.trained`; by least risk where a
fan card changes the rows), it spends its playouts on the cards that are still in question, and it also searches for
the row to take with a low card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.fast import kernels as k
from nimmt_lab.fast import trained
from nimmt_lab.fast.playouts import STATS, TRAINED, search_system
from nimmt_lab.fast.table import lay_table, system_of

from .advice import Advice, Promise
from .base import Bot, needed, register
from .by_engine import EnginePlayouts, Estimate, estimate, win_credit

GOALS = ("win", "heads")
#: What a head is worth to a bot that plays to win, in parts of a win: it decides between equal chances.
_HEAD = 0.005
#: Without a kernel a playout takes the engine milliseconds: so many times fewer of them, for a whole decision.
_ENGINE_SHARE = 10
#: What is not a card (a row, a special card) must not take longer than a card: so many times fewer again.
_OTHER_SHARE = 3
#: Advice looks at all options alike; without a kernel this part of the playouts is for each.
_ADVICE_SHARE = 50
#: Choosing one of four rows by the kernel must not take longer than choosing a card, either.
_ROW_SHARE = 6
#: Of very many options, so many are looked at.
_MOST_OPTIONS = 24
_MOST_ADVISED = 64


class Tries(Protocol):
    """Playouts from one view, by a kernel or by the engine."""

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options."""


class SearchBot(Bot):
    """What searching bots share. A game needs rules alone to be searched; what it keeps face down must be something
    that can be dealt out (`nimmt_lab.engine.guess`), or it is refused."""

    def __init__(self, playouts: int, goal: str) -> None:
        if goal not in GOALS:
            raise RulesError(f"goal must be one of {', '.join(GOALS)}, got {goal!r}")
        if isinstance(playouts, bool) or not isinstance(playouts, int) or playouts < 1:
            raise RulesError(f"playouts must be a whole number from 1, got {playouts!r}")
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
        tries = self._kernel(view, decision, rng)
        if tries is not None:
            return self._look(tries, decision.options, self.playouts * len(decision.options))
        options = some_options(decision, _MOST_OPTIONS, rng)
        share = _ENGINE_SHARE if isinstance(decision, ChooseCard) else _ENGINE_SHARE * _OTHER_SHARE
        return self._look(EnginePlayouts(view, rng), options, max(2 * len(options), self.playouts // share))

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        """Spend so many playouts on the options."""
        return tries.run(options, max(1, budget // len(options)))

    def advise(self, view: View, *, seed: int = 0, also: Sequence[Choice] = ()) -> Advice:
        """Every option with what it promises until the end of the round, all with equally many playouts, on the same
        hidden cards. Of very many options (orders of many cards, say) some are left out, and `left_out` says so; those
        in `also` are looked at in any case."""
        decision, rng = needed(view), Rng.from_seed(seed)
        already = 0
        tries = self._kernel(view, decision, rng)
        if tries is not None:
            found = tries.run(decision.options, self.playouts)
            already = view.game.heads_in(view.piles[view.game.pile_of(view.seat)])
        else:
            options = some_options(decision, _MOST_ADVISED, rng)
            options += [option for option in dict.fromkeys(also) if option not in options]
            found = EnginePlayouts(view, rng).run(options, max(2, self.playouts // _ADVICE_SHARE))
        found.sort(key=self.worth, reverse=True)
        sign = -1 if view.game.more_is_better else 1
        promises = tuple(
            Promise(one.option, sign * one.heads + already, one.error, one.credit, one.credit_error, one.playouts)
            for one in found
        )
        left_out = len(decision.options) - len(found)
        return Advice(view.game, view.seat, decision, promises, method="search", until="round", left_out=left_out)

    def _kernel(self, view: View, decision: Decision, rng: Rng) -> Tries | None:
        """Playouts by compiled code, where a chapter brings it and it knows this decision."""
        system = _system(view)
        if system is None or not isinstance(decision, ChooseCard):
            return None
        return Playouts(view, system, rng, self._own(system))

    def _own(self, system: int) -> int:
        """How the seat itself plays on in the kernel's playouts."""
        return k.RANDOM

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts},goal={self.goal}"


def _system(view: View) -> int | None:
    """The kernel that can play on from there, if there is one."""
    try:
        return system_of(view.game, dealing=False) if len(set(view.hand_sizes)) == 1 else None
    except RulesError:
        return None


def some_options(decision: Decision, most: int, rng: Rng) -> list[Choice]:
    """All options; of very many a random part, with what one may leave undone first."""
    if len(decision.options) <= most:
        return list(decision.options)
    numbers, _ = rng.shuffled(range(len(decision.options)), take=most)
    found = [decision.options[at] for at in sorted(numbers[:most])]
    default = decision.default
    return found if default is None or default in found else [default, *found[1:]]


class Playouts:
    """Playouts from one view; asked again for an option, it adds to what it knows of it. `own` says how this seat
    plays on (a policy of the kernels, or TRAINED); the others play at random."""

    def __init__(self, view: View, system: int, rng: Rng, own: int = k.RANDOM) -> None:
        self.view = view
        self.system = system
        self.key = k.U64(rng.state)
        players = view.game.players
        self.m, self.rng = k.memory(players)
        self.start = k.zeros(k.DECK)
        lay_table(self.start, view.rows, view.extra, players)
        self.policies, self.lows, self.scores = k.zeros(16), k.zeros(16), k.zeros(16)
        self.policies[view.seat] = own
        self.points = k.zeros(16)
        for seat in range(players):
            self.points[seat] = view.totals[seat] + view.game.heads_in(view.piles[seat])
        self.open = all(hand is not None for hand in view.hands)
        theirs = [hand for seat, hand in enumerate(view.hands) if seat != view.seat]
        pool = [card for hand in theirs for card in hand or ()] if self.open else list(view.unseen)
        self.pool = len(pool)
        cards = [*view.hand, *pool]
        self.hands = k.zeros(len(cards))
        self.hands[:] = cards
        # For playing on as it learned to: the cards it has not seen (twice, see `play_out`), and chances with them.
        self.masks = trained.mask_memory(2)
        for card in pool:
            trained.add_card(self.masks, 2, card)
        self.chance = trained.chances(players - 1, len(pool), len(view.hand))
        self.weights = trained.trained_weights(players)
        self.notes, self.sums = k.zeros(trained.NOTES), trained.to_weights([0] * trained.UNITS)
        self.done: dict[Choice, tuple[int, list[int]]] = {}

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options; equally many so far, so that all meet the same hidden hands."""
        view = self.view
        codes, stats = k.zeros(len(options)), k.zeros(STATS * len(options))
        codes[:] = [_code(option, view.seat) for option in options]
        first, _ = self.done.get(options[0], (0, []))
        turns = len(view.hand)
        # Each call starts from the same arrangement of the cards: results depend on the playouts' numbers alone.
        hands = k.zeros(len(self.hands))
        hands[:] = self.hands
        search_system(
            self.system, view.game.players, view.seat, turns, self.pool, int(self.open), self.key,
            first, playouts, codes, len(options), hands, self.start, self.points, self.policies, self.lows, self.m,
            self.rng, self.scores, stats, self.masks, self.chance, self.weights, self.notes, self.sums,
        )  # fmt: skip
        estimates = []
        for at, option in enumerate(options):
            known = self.done.get(option, (0, [0] * STATS))[1]
            sums = [old + int(new) for old, new in zip(known, stats[STATS * at : STATS * (at + 1)], strict=True)]
            number = first + playouts
            self.done[option] = number, sums
            estimates.append(estimate(option, number, sums[0], sums[1], sums[2] / k.CREDIT))
        return estimates


def _code(option: Choice, seat: int) -> int:
    """A card, plus 128 when twisted."""
    if isinstance(option, CardOption):
        return option.play(seat).card + 128
    assert isinstance(option, int)
    return option


@register
class FlatBot(SearchBot):
    """Flat Monte Carlo: hidden cards dealt out at random, random playouts, the same number for every option. Its low
    cards take the cheapest row (R-C4)."""

    name = "flat"

    def __init__(self, playouts: int = 1000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if isinstance(decision, ChooseRow):
            return view.game.cheapest_row(view, decision.options)
        return super().choose(view, rng)


@register
class BestBot(SearchBot):
    """The strongest player here. `playouts` is for each card of the hand; it is spent in rounds, after each of which
    the less promising half of the options is given up."""

    name = "best"

    def __init__(self, playouts: int = 3000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def estimates(self, view: View, decision: Decision, rng: Rng) -> list[Estimate]:
        if isinstance(decision, ChooseRow) and _system(view) is not None:
            quick = BestBot(max(1, self.playouts // _ROW_SHARE), self.goal)
            return [quick._row(view, row, rng) for row in decision.options]
        return super().estimates(view, decision, rng)

    def _row(self, view: View, row: int, rng: Rng) -> Estimate:
        """What taking that row promises: the cards revealed are placed, then the best card of the next turn is played.
        (The hands are guessed, but nothing hidden takes part in placing the cards that lie open.)"""
        game, seat = view.game, view.seat
        state, _ = guess(view, rng).choose({seat: row})
        while state.queue and not state.is_past_round(view.round):
            state, _ = state.choose(habitual_choices(state, rng)[0])
        before = view.totals[seat] + game.heads_in(view.piles[seat])
        if state.is_past_round(view.round):
            return Estimate(row, 1, state.totals[seat] - before, win_credit(state, seat))
        after = state.view(seat)
        assert isinstance(after.decision, ChooseCard)
        promise = max(self.estimates(after, after.decision, rng), key=self.worth)
        taken = view.totals[seat] + game.heads_in(after.piles[seat]) - before
        return promise._replace(option=row, heads=promise.heads + taken)

    def _own(self, system: int) -> int:
        return TRAINED if system in (k.CLASSIC, k.ADVANCED) else k.LEAST_RISK

    def _look(self, tries: Tries, options: Sequence[Choice], budget: int) -> list[Estimate]:
        left = list(options)
        stages = max(1, (len(left) - 1).bit_length())
        while True:
            ranked = sorted(tries.run(left, max(1, budget // stages // len(left))), key=self.worth, reverse=True)
            if len(left) <= 2:
                return ranked
            left = [estimate.option for estimate in ranked[: (len(left) + 1) // 2]]
