"""Bots that search: deal the hidden cards out at random, play the round on, and see which card did best.

`flat` is the plain yardstick: every card gets equally many playouts, in which everybody plays at random. `best`
improves on it where it counts: in its playouts it plays on as it has learned to (`fast.trained`; by least risk where a
fan card changes the rows), it spends its playouts on the cards that are still in question, and it also searches for
the row to take with a low card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.guess import can_guess, guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.fast import kernels as k
from nimmt_lab.fast import trained
from nimmt_lab.fast.playouts import STATS, TRAINED, search_system
from nimmt_lab.fast.table import lay_table, system_of
from nimmt_lab.games.classic.rules import Classic

from .base import any_option, cheapest_row, needed, register
from .by_engine import try_options
from .simple import CardBot, LeastRiskBot

GOALS = ("win", "heads")
#: What a head is worth to a bot that plays to win, in parts of a win: it decides between equal chances.
_HEAD = 0.005
#: Without a kernel a playout takes the engine about a millisecond: so many times fewer of them.
_ENGINE_SHARE = 50
#: Choosing one of four rows must not take longer than choosing a card: so many times fewer playouts for each.
_ROW_SHARE = 6
#: Of very many optional uses, so many are looked at.
_MOST_USES = 24


class Estimate(NamedTuple):
    """An option with the means of its playouts."""

    option: Choice
    playouts: int
    heads: float
    credit: float


class SearchBot(CardBot):
    """What searching bots share."""

    def __init__(self, playouts: int, goal: str) -> None:
        if goal not in GOALS:
            raise RulesError(f"goal must be one of {', '.join(GOALS)}, got {goal!r}")
        if isinstance(playouts, bool) or not isinstance(playouts, int) or playouts < 1:
            raise RulesError(f"playouts must be a whole number from 1, got {playouts!r}")
        self.playouts = playouts
        self.goal = goal

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if decision.default is None or isinstance(decision, ChooseCard) or not can_guess(view.game):
            return super().choose(view, rng)
        # Something optional (a special card of the team, say): done only where it promises more than leaving it.
        options = [decision.default]
        if len(decision.options) <= _MOST_USES:
            options += [option for option in decision.options if option != decision.default]
        else:
            options += [any_option(decision, Rng.from_seed(rng.state, number)) for number in range(_MOST_USES)]
        number = max(2, self.playouts // _ENGINE_SHARE // 5)
        results = [
            Estimate(o, number, *r) for o, r in zip(options, try_options(view, options, number, rng), strict=True)
        ]
        return max(results, key=self.worth).option

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        if len(decision.options) == 1:
            return decision.options[0]
        if not can_guess(view.game):
            return LeastRiskBot().card(view, decision, rng)
        estimates = self.estimates(view, decision, rng)
        return max(estimates, key=self.worth).option

    def worth(self, estimate: Estimate) -> float:
        """What the bot maximises."""
        return estimate.credit - _HEAD * estimate.heads if self.goal == "win" else -estimate.heads

    def estimates(self, view: View, decision: ChooseCard, rng: Rng) -> list[Estimate]:
        """Every option with its playouts.

        >>> from nimmt_lab import Classic
        >>> position = "12 14 15 16 18 | 37 | 43 44 | 58 ; A: 19 38 ; B: 2 3 ; C: 5 6"
        >>> view = Classic(players=3).from_position(position).view(0)
        >>> for estimate in FlatBot(playouts=200).estimates(view, view.decision, Rng.from_seed(1)):
        ...     print(estimate.option, estimate.playouts, estimate.heads > 2)
        19 200 True
        38 200 True
        """
        try:
            system = system_of(view.game, dealing=False)
        except RulesError:
            system = None
        if system is None or len(set(view.hand_sizes)) > 1:
            return self._engine_estimates(view, decision, rng)
        return self._search(view, system, decision.options, rng)

    def _search(self, view: View, system: int, options: Sequence[Choice], rng: Rng) -> list[Estimate]:
        return Playouts(view, system, rng).run(options, self.playouts)

    def _engine_estimates(self, view: View, decision: ChooseCard, rng: Rng) -> list[Estimate]:
        number = max(4, self.playouts // _ENGINE_SHARE)
        results = try_options(view, decision.options, number, rng)
        return [Estimate(option, number, *means) for option, means in zip(decision.options, results, strict=True)]

    def __repr__(self) -> str:
        return f"{self.name}:playouts={self.playouts},goal={self.goal}"


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
            estimates.append(Estimate(option, number, sums[0] / number, sums[2] / number / k.CREDIT))
        return estimates


def _code(option: Choice, seat: int) -> int:
    """A card, plus 128 when twisted."""
    if isinstance(option, CardOption):
        return option.play(seat).card + 128
    assert isinstance(option, int)
    return option


@register
class FlatBot(SearchBot):
    """Flat Monte Carlo: hidden hands dealt out at random, random playouts, the same number for every card."""

    name = "flat"

    def __init__(self, playouts: int = 1000, goal: str = "win") -> None:
        super().__init__(playouts, goal)


@register
class BestBot(SearchBot):
    """The strongest player here. `playouts` is for each card of the hand; it is spent in rounds, after each of which
    the less promising half of the cards is given up."""

    name = "best"

    def __init__(self, playouts: int = 3000, goal: str = "win") -> None:
        super().__init__(playouts, goal)

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if isinstance(decision, ChooseRow) and isinstance(view.game, Classic) and view.seat in view.asked:
            quick = BestBot(max(1, self.playouts // _ROW_SHARE), self.goal)
            return max(decision.options, key=lambda row: quick._row_worth(view, row, rng))
        return super().choose(view, rng)

    def _row_worth(self, view: View, row: int, rng: Rng) -> float:
        """What taking that row promises: the cards revealed are placed, then the best card of the next turn is played.
        (The hands are guessed, but nothing hidden takes part in placing the cards that lie open.)"""
        state, _ = guess(view, rng).choose({view.seat: row})
        while state.queue and not state.is_over:
            state, _ = state.choose(
                {s: cheapest_row(state.view(s), d) for s, d in state.pending.items() if isinstance(d, ChooseRow)}
            )
        before = view.totals[view.seat] + view.game.heads_in(view.piles[view.seat])
        if state.is_over or state.round != view.round:
            totals = state.totals
            credit = 1 / totals.count(min(totals)) if totals[view.seat] == min(totals) else 0.0
            return self.worth(Estimate(row, 1, totals[view.seat] - before, credit))
        after = state.view(view.seat)
        assert isinstance(after.decision, ChooseCard)
        promise = max(self.estimates(after, after.decision, rng), key=self.worth)
        taken = view.totals[view.seat] + view.game.heads_in(after.piles[view.seat]) - before
        return self.worth(promise._replace(heads=promise.heads + taken))

    def _search(self, view: View, system: int, options: Sequence[Choice], rng: Rng) -> list[Estimate]:
        own = TRAINED if system in (k.CLASSIC, k.ADVANCED) else k.LEAST_RISK
        playouts = Playouts(view, system, rng, own)
        left = list(options)
        stages = max(1, (len(left) - 1).bit_length())
        budget = self.playouts * len(left) // stages
        while True:
            ranked = sorted(playouts.run(left, max(1, budget // len(left))), key=self.worth, reverse=True)
            if len(left) <= 2:
                return ranked
            left = [estimate.option for estimate in ranked[: (len(left) + 1) // 2]]
