"""Bots that evaluate one card at a time. Their low cards take the cheapest row (R-C4)."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from math import comb

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.habits import any_option, habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import WAYS
from nimmt_lab.solver.turn_odds import odds

from .advice import Advice, Promise
from .base import Bot, needed, register

#: Bonus of `edges-first` per number away from the middle of the deck, in heads / 32768. Tuned by experiment.
EDGE_BONUS = 1700


@register
class RandomBot(Bot):
    """Plays at random. Low cards take the cheapest row (R-C4) by default, or a `random` one."""

    name = "random"

    def __init__(self, low_card: str = "cheapest") -> None:
        if low_card not in ("cheapest", "random"):
            raise RulesError("bots.low_card_must", got=shown(low_card))
        self.low_card = low_card

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if isinstance(decision, ChooseRow) and self.low_card == "cheapest":
            return view.game.cheapest_row(view, decision.options)
        return any_option(decision, rng)[0]

    def __repr__(self) -> str:
        return "random" if self.low_card == "cheapest" else f"random:low_card={self.low_card}"


class CardBot(Bot):
    """Base class of card policies. The chapter's own policy (`WAYS`) comes first; other decisions follow habit, or
    chance."""

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        ways = WAYS.find(view.game)
        own = ways.choose(self.name, view, decision) if ways else None
        if own is not None:
            return own
        if isinstance(decision, ChooseCard):
            return self.card(view, decision, rng)
        usual = habit(view, decision)
        return any_option(decision, rng)[0] if usual is None else usual

    @abstractmethod
    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        """Return the card to play."""


def plain(decision: ChooseCard) -> list[int]:
    """The options that are cards as printed, not twisted ones."""
    return [option for option in decision.options if isinstance(option, int)]


@register
class LowestBot(CardBot):
    """Plays its lowest card."""

    name = "lowest"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        return min(plain(decision))


@register
class HighestBot(CardBot):
    """Plays its highest card."""

    name = "highest"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        return max(plain(decision))


def _count(view: View, row: int) -> int:
    """Occupied places in a row, including those blocked by a fan card."""
    return len(view.rows[row]) + view.game.occupied(view, row)


def _low_cost(view: View) -> int:
    """The cost of a low card: that of the cheapest available row; 0 if there is none."""
    row = view.game.low_card_row(view)
    return 0 if row is None else view.game.row_cost(view, row)


@register
class ClosestSafeBot(CardBot):
    """Plays the card closest to the end of a row with room, otherwise the card that takes the fewest heads. Where heads
    are good, it prefers the card that takes the most."""

    name = "closest-safe"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        best = min(plain(decision), key=lambda card: self._cost(view, card, card))
        if self._cost(view, best, best)[0]:  # no printed number is safe: a twisted one may be
            twisted = [option for option in decision.options if not isinstance(option, int)]
            plays = {option: option.play(view.seat) for option in twisted if isinstance(option, CardOption)}
            costs = {option: self._cost(view, play.card, play.value) for option, play in plays.items()}
            safe = [option for option, cost in costs.items() if not cost[0]]
            if safe:
                return min(safe, key=lambda option: costs[option])
        return best

    def _cost(self, view: View, card: int, value: int) -> tuple[bool, int, int]:
        game = view.game
        row = game.home_row(view, value)
        if row is None:
            return not game.heads_are_good, _low_cost(view), card
        if _count(view, row) >= game.places_in_row:
            return not game.heads_are_good, game.row_cost(view, row), card
        return game.heads_are_good, abs(value - view.rows[row][-1]), card


@lru_cache(maxsize=4096)
def _risk(others: int, count: int, gap: int, full: int) -> int:
    """Probability, in 4096ths, that of `others` random cards just enough fall into a gap of `gap` numbers to make mine
    one too many for a row of `count`, where `full` cards fill a row; for count 0, that none does."""
    due = 0
    for t in range(others + 1):
        if t == 0 if count == 0 else (count + t) % full == 0:
            due += int(comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t))
    return 4096 * due // int(LAST_CARD**others)


def least_risk(view: View, card: int) -> int:
    """Estimated heads that a card takes this turn, in 32768ths (`risk` in the core's `policy.h`)."""
    others = view.game.players + view.game.extra_seats - 1
    full = getattr(view.game, "row_limit", 5)
    row = view.game.home_row(view, card)
    if row is None:
        return 8 * _low_cost(view) * _risk(others, 0, card, full)
    count = min(_count(view, row), view.game.places_in_row)
    # Cards placed before mine add about 13/8 heads each.
    before = 13 * (view.game.places_in_row - count)
    heads = 8 * view.game.row_cost(view, row) + (-before if view.game.heads_are_good else before)
    return heads * _risk(others, count, abs(card - view.rows[row][-1]) - 1, full)


def edges_first(view: View, card: int) -> int:
    """`least_risk` with a bonus for cards far from the middle."""
    return least_risk(view, card) - EDGE_BONUS * abs(card - LAST_CARD // 2)


#: Card costs that policies minimise, by policy.
CARD_COSTS = {"least-risk": least_risk, "edges-first": edges_first}


@register
class LeastRiskBot(CardBot):
    """Plays the card with the fewest estimated heads this turn: the cost of its current row times the probability that
    the others' cards fill it. Ties are broken at random."""

    name = "least-risk"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        cards, _ = rng.shuffled(plain(decision))
        cost = CARD_COSTS[self.name]
        return min(cards, key=lambda card: cost(view, card))


@register
class EdgesFirstBot(LeastRiskBot):
    """Like `least-risk`, but plays cards far from the middle early: middle cards fit a row more often."""

    name = "edges-first"


@register
class TrainedBot(CardBot):
    """Plays by a small network trained in self-play, where the chapter has one (`WAYS`); like `least-risk` elsewhere
    (with fan cards that change placing, say) and without the compiled core."""

    name = "trained"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        return LeastRiskBot().choose(view, rng)


@register
class AheadBot(CardBot):
    """Plays by a network that learned in self-play to end a round ahead of the others, where the chapter has one (the
    classic game for two to four); like `trained` elsewhere. It does not search: `second-thoughts` does."""

    name = "ahead"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        return TrainedBot().choose(view, rng)


@register
class GradientBot(AheadBot):
    """A yardstick for measurements: plays by a small network that learned for minutes, by plain policy gradient."""

    name = "gradient"


@register
class OddsBot(CardBot):
    """Plays the card with the fewest expected heads this turn, by exact odds; like `least-risk` in games that the odds
    do not cover. Ties are broken at random."""

    name = "odds"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        try:
            result = odds(view)
        except Unsupported:
            return LeastRiskBot().choose(view, rng)
        cards, _ = rng.shuffled(view.hand)
        return min(cards, key=lambda card: result[card].expected_heads)

    def advise(self, view: View, *, seed: int = 0) -> Advice:
        """Exact expected heads this turn. The seed has no effect."""
        decision = needed(view)
        if not isinstance(decision, ChooseCard):
            raise Unsupported("bots.odds_about_cards")
        heads = {card: each.expected_heads for card, each in odds(view).items()}
        ranked = sorted(heads, key=lambda card: heads[card])
        promises = tuple(Promise(card, float(heads[card]), 0.0, None, None, 0) for card in ranked)
        return Advice(view.game, view.seat, decision, promises, method="odds", until="turn")
