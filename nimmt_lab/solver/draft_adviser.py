"""Draft advice for two players and any deck size, from the value of finished drafts.

A finished draft is a deal, whose value the solver estimates in milliseconds (`estimate`), so picks are judged by good
play, where `draft.estimate_picks` uses quick rounds. With few picks left, all continuations are searched by minimax.
With more, quick play selects a short list and the rest is drafted at random, in the same order for every candidate.

>>> from nimmt_lab import Advanced
>>> state = Advanced(players=2, hand_size=6).deal(seed=0)
>>> advice = advise_by_deals(state, deals=100)
>>> len(advice) == SHORT_LIST
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nimmt_lab.engine.cards import Card, Cards, Seat
from nimmt_lab.engine.errors import CoreMissing, RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.native import core as native_core
from nimmt_lab.solver import core
from nimmt_lab.solver.draft import Drafter, Estimate, _estimate, _game, _pick, deals_left, estimate_picks
from nimmt_lab.solver.estimate import estimate
from nimmt_lab.solver.learned import LEVELS, loaded
from nimmt_lab.solver.open_position import OpenPosition

__all__ = ["DealGuesser", "Hands", "advise_by_deals", "advised_by_deals", "estimated_worth", "worth_of_cards"]


#: Size of the short list, and the quick rounds that select it.
SHORT_LIST, QUICK = 8, 4_000
#: Bytes of an estimate's tables.
MEMORY = 1 << 22
Hands = tuple[Cards, Cards]


class DealGuesser:
    """Estimated values of deals from one deck, on shared tables."""

    def __init__(self, game: Advanced) -> None:
        native = native_core()
        if native is None:
            raise CoreMissing("solver.guessing_what_deal_worth")
        if game.hand_size <= LEVELS[0]:
            raise Unsupported("solver.nothing_was_learned_about", hand_size=game.hand_size, levels=LEVELS[0] + 1)
        self._native, self._tables = native, core.Tables(native, MEMORY)
        self._heads = (0, *(game.heads_in((card,)) for card in range(1, 105)))
        self._cut = min(game.hand_size - 1, LEVELS[-1])
        self._known: dict[Hands, float] = {}

    @property
    def deals(self) -> int:
        """Number of distinct deals estimated."""
        return len(self._known)

    def worth(self, hands: Hands, rest: Cards) -> float:
        """Expected heads of B minus heads of A if the four cards of ``rest`` start the rows."""
        if hands not in self._known:
            position = OpenPosition(tuple((card,) for card in sorted(rest)), hands, self._heads)
            search = core.Search(self._native, self._tables, position, core.shift_of(position))
            search.ask_function("nl_solve_learned", *loaded(self._native), self._cut)
            search.ask(core.VALUE)
            while not search.run():
                pass
            result = search.result()
            self._known[hands] = (result[core.LO] + result[core.HI]) / 2 * search.unit
        return self._known[hands]


def advise_by_deals(
    state: GameState,
    *,
    deals: int = 150,
    seed: int = 0,
    guesser: DealGuesser | None = None,
    report: Callable[[int, int], None] | None = None,
) -> dict[Card, Estimate]:
    """Judge the picks of a draft by about ``deals`` finished drafts, best first: some seconds with ten cards a hand.

    If at most ``deals`` deals can follow, minimax covers all of them and ``margin`` is 0, leaving only the error of the
    estimates. Otherwise the best cards of quick play are compared, half of them dropping out after each round, and
    ``margin`` is the sampling error; other cards are not listed. ``report`` receives the deals done and in total. An
    interrupt returns the results so far once every card was tried twice.
    """
    game = _game(state)
    if deals < 1:
        raise RulesError("solver.deals_must_at", got=shown(deals))
    guesser = guesser or DealGuesser(game)
    seat = next(iter(state.pending))
    hands = state.hands[0], state.hands[1]
    if deals_left(state) <= deals:
        return _to_the_end(state.stock, hands, seat, guesser)
    racing = list(estimate_picks(state, playouts=QUICK, seed=seed))[:SHORT_LIST]
    race = _Race(racing, hands, seat, guesser)
    plan = _shares(len(racing), deals)
    whole, done, rng = sum(cards * share for cards, share in plan), 0, Rng.from_seed(seed, stream=len(state.stock))
    try:
        for cards, share in plan:
            racing = sorted(racing, key=race.mean, reverse=True)[:cards]
            for _ in range(share):
                order, rng = rng.shuffled(state.stock)
                for card in racing:
                    race.run(card, order)
                    done += 1
                    if report is not None:
                        report(done, whole)
    except KeyboardInterrupt:
        if min(sums[0] for sums in race.sums.values()) < 2:
            raise
    estimates = {card: _estimate(1.0, *sums) for card, sums in race.sums.items()}
    # The cards that stayed longest come first: their estimates are the most reliable.
    return dict(sorted(estimates.items(), key=lambda item: (-item[1].playouts, -item[1].mean)))


def _shares(cards: int, deals: int) -> list[tuple[int, int]]:
    """Cards and tries per card in each round; at least two tries, for a margin.

    >>> _shares(8, 150)
    [(8, 6), (4, 12), (2, 25)]
    """
    sizes = [cards]
    while sizes[-1] > 2:
        sizes.append((sizes[-1] + 1) // 2)
    return [(size, max(2, deals // (len(sizes) * size))) for size in sizes]


class _Race:
    """Cards compared on the same random continuations of the draft."""

    def __init__(self, cards: Sequence[Card], hands: Hands, seat: Seat, guesser: DealGuesser) -> None:
        self._hands, self._seat, self._guesser = hands, seat, guesser
        #: By card: number of deals, their total value for the seat, and the sum of squares.
        self.sums = {card: [0.0, 0.0, 0.0] for card in cards}

    def mean(self, card: Card) -> float:
        return self.sums[card][1] / max(1.0, self.sums[card][0])

    def run(self, card: Card, order: Cards) -> None:
        """Pick the card, then draft the rest in this order."""
        seat, hands = self._seat, _pick(self._hands, self._seat, card)
        rest = [other for other in order if other != card]
        while len(rest) > 4:
            seat = 1 - seat
            hands = _pick(hands, seat, rest.pop())
        worth = self._guesser.worth(hands, tuple(rest)) * (1 if self._seat == 0 else -1)
        for at, part in enumerate((1.0, worth, worth * worth)):
            self.sums[card][at] += part


def _to_the_end(stock: Cards, hands: Hands, seat: Seat, guesser: DealGuesser) -> dict[Card, Estimate]:
    """The value of every pick under minimax."""
    known: dict[Hands, float] = {}

    def value(hands: Hands, stock: Cards, seat: Seat) -> float:
        if len(stock) == 4:
            return guesser.worth(hands, stock)
        if hands not in known:
            after = [value(_pick(hands, seat, card), _without(stock, card), 1 - seat) for card in stock]
            known[hands] = max(after) if seat == 0 else min(after)
        return known[hands]

    sign, estimates = (1.0 if seat == 0 else -1.0), {}
    for card in stock:
        before = guesser.deals
        mean = sign * value(_pick(hands, seat, card), _without(stock, card), 1 - seat)
        estimates[card] = Estimate(mean, 0.0, guesser.deals - before)
    return dict(sorted(estimates.items(), key=lambda item: -item[1].mean))


def _without(stock: Cards, card: Card) -> Cards:
    return tuple(other for other in stock if other != card)


def advised_by_deals(deals: int) -> Drafter:
    """The first choice of `advise_by_deals`, with ``deals`` deals per pick."""
    guessers: dict[Advanced, DealGuesser] = {}

    def pick(state: GameState, rng: Rng) -> tuple[Card, Rng]:
        game = _game(state)
        if game not in guessers:
            guessers[game] = DealGuesser(game)
        seed, rng = rng.below(1 << 31)
        return next(iter(advise_by_deals(state, deals=deals, seed=seed, guesser=guessers[game]))), rng

    return pick


def estimated_worth(state: GameState) -> float:
    """Value of a deal of six to ten cards a hand by the best estimate, in seconds: a judge for `draft_match`."""
    position, native = OpenPosition.of(state), native_core()
    if native is None:
        raise CoreMissing("solver.guessing_what_deal")
    shift = core.shift_of(position)
    guess = estimate(native, position, shift, table=False)
    if guess is None:
        raise Unsupported("solver.nothing_was_learned", cards_each=position.cards_each)
    return guess.value * 2.0**-shift


def worth_of_cards(game: Advanced, *, deals: int = 400, seed: int = 0) -> dict[Card, Estimate]:
    """Value of holding each card of the deck, over random deals with good play (as estimated).

    It is the mean over the deals in which someone holds the card, from that seat: heads the other takes more.
    ``margin`` is the sampling error, as in `Estimate`.

    >>> from nimmt_lab import Advanced
    >>> len(worth_of_cards(Advanced(players=2, hand_size=6), deals=50))
    16
    """
    if deals < 2:
        raise RulesError("solver.deals_must_at_least", got=shown(deals))
    start = game.deal(seed=0)
    _game(start)
    guesser, rng = DealGuesser(game), Rng.from_seed(seed)
    sums = {card: [0.0, 0.0, 0.0] for card in start.stock}
    for _ in range(deals):
        order, rng = rng.shuffled(start.stock)
        size = game.hand_size
        hands = tuple(sorted(order[:size])), tuple(sorted(order[size : 2 * size]))
        worth = guesser.worth(hands, order[2 * size :])
        for seat, sign in ((0, 1.0), (1, -1.0)):
            for card in hands[seat]:
                for at, part in enumerate((1.0, sign * worth, worth * worth)):
                    sums[card][at] += part
    return {card: _estimate(1.0, *parts) for card, parts in sums.items()}
