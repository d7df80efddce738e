"""Bots that look no further than the card at hand. Their low cards take the cheapest row (R-C4)."""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from math import comb

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.habits import any_option, habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import WAYS
from nimmt_lab.solver.turn_odds import odds

from .advice import Advice, Promise
from .base import Bot, needed, register

#: What a step away from the middle of the deck is worth to `edges-first`, in heads / 32768. Found by trying.
EDGE_BONUS = 1700


def by_habit(view: View, decision: Decision, rng: Rng) -> Choice:
    """What these bots do when it is not a card they choose: the cheapest row; no special effects; else anything."""
    found = habit(view, decision)
    return any_option(decision, rng)[0] if found is None else found


@register
class RandomBot(Bot):
    """Plays any option. `low_card`: the row for a card that fits nowhere is the `cheapest` one (R-C4) or `random`."""

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
    """A bot with an opinion on cards only."""

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        ways = WAYS.find(view.game)
        own = ways.choose(self.name, view, decision) if ways else None
        if own is not None:
            return own
        if isinstance(decision, ChooseCard):
            return self.card(view, decision, rng)
        return by_habit(view, decision, rng)

    @abstractmethod
    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        """The card to play."""


def plain(decision: ChooseCard) -> list[int]:
    """The cards as they are, without twisted ones."""
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
    """Cards in a row, with what something beside it takes up."""
    return len(view.rows[row]) + view.game.occupied(view, row)


def _low_cost(view: View) -> int:
    """What a card costs that fits nowhere: the cheapest row that may be taken; nothing, where none may."""
    row = view.game.low_card_row(view)
    return 0 if row is None else view.game.row_cost(view, row)


@register
class ClosestSafeBot(CardBot):
    """Plays the card closest to the end of its row, if that row has room now; else the one that would take least.
    Where heads are good, the one that would take most; else the closest."""

    name = "closest-safe"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        best = min(plain(decision), key=lambda card: self._cost(view, card, card))
        if self._cost(view, best, best)[0]:
            # Nothing is safe as it is: a twisted card may be.
            twisted = [option for option in decision.options if not isinstance(option, int)]
            ways = {option: option.play(view.seat) for option in twisted if hasattr(option, "play")}
            safe = [option for option in ways if not self._cost(view, ways[option].card, ways[option].value)[0]]
            if safe:
                return min(safe, key=lambda option: self._cost(view, ways[option].card, ways[option].value))
        return best

    def _cost(self, view: View, card: int, value: int) -> tuple[bool, int, int]:
        game = view.game
        row = game.home_row(view, value)
        takes_willingly = game.heads_are_good
        if row is None:
            return not takes_willingly, _low_cost(view), card
        if _count(view, row) >= game.places_in_row:
            return not takes_willingly, game.row_cost(view, row), card
        return takes_willingly, abs(value - view.rows[row][-1]), card


@lru_cache(maxsize=4096)
def _risk(others: int, count: int, gap: int) -> int:
    """The chance, in parts of 4096, that of `others` cards as many fall into a gap of that many numbers as it takes to
    make mine one too many in a row of `count`; with count 0, that none does."""
    due = 0
    for t in range(others + 1):
        if t == 0 if count == 0 else (count + t) % 5 == 0:
            due += int(comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t))
    return 4096 * due // int(LAST_CARD**others)


def least_risk(view: View, card: int) -> int:
    """Roughly the heads that card will take this turn, in parts of 32768 (`risk` in the core's `policy.h`)."""
    others = view.game.players + view.game.extra_seats - 1
    row = view.game.home_row(view, card)
    if row is None:
        return 8 * _low_cost(view) * _risk(others, 0, card)
    count = min(_count(view, row), view.game.places_in_row)
    # The cards that come before mine carry about 13/8 heads each.
    before = 13 * (view.game.places_in_row - count)
    heads = 8 * view.game.row_cost(view, row) + (-before if view.game.heads_are_good else before)
    return heads * _risk(others, count, abs(card - view.rows[row][-1]) - 1)


def edges_first(view: View, card: int) -> int:
    """The same, less a bonus for cards far from the middle."""
    return least_risk(view, card) - EDGE_BONUS * abs(card - LAST_CARD // 2)


#: What bots that weigh cards minimise.
CARD_COSTS = {"least-risk": least_risk, "edges-first": edges_first}


@register
class LeastRiskBot(CardBot):
    """Plays the card with the fewest heads to expect, roughly: the row it would go to now, and how likely the others'
    cards fill it before. Among equals, any."""

    name = "least-risk"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        cards, _ = rng.shuffled(plain(decision))
        return min(cards, key=lambda card: least_risk(view, card))


@register
class EdgesFirstBot(CardBot):
    """Like `least-risk`, but plays cards far from the middle rather early: middle ones keep finding a row."""

    name = "edges-first"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        cards, _ = rng.shuffled(plain(decision))
        return min(cards, key=lambda card: edges_first(view, card))


@register
class TrainedBot(CardBot):
    """Plays the card that promises the fewest heads from now on, by a small network that learned it playing itself,
    where the chapter brings one (`WAYS`). Where there is none (a fan card changes the placing, say), and without the
    compiled core, it estimates like `least-risk`."""

    name = "trained"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        return LeastRiskBot().choose(view, rng)


@register
class OddsBot(CardBot):
    """Plays the card with the fewest heads to expect this turn, by exact odds (classic rules, hidden hands; elsewhere
    it estimates like `least-risk`). Among equals, any."""

    name = "odds"

    def card(self, view: View, decision: ChooseCard, rng: Rng) -> Choice:
        try:
            result = odds(view)
        except Unsupported:
            return LeastRiskBot().choose(view, rng)
        cards, _ = rng.shuffled(view.hand)
        return min(cards, key=lambda card: result[card].expected_heads)

    def advise(self, view: View, *, seed: int = 0) -> Advice:
        """Heads to expect this turn, exactly. Nothing is random here: the seed does not matter."""
        decision = needed(view)
        if not isinstance(decision, ChooseCard):
            raise Unsupported("bots.odds_about_cards")
        found = sorted(odds(view).items(), key=lambda item: item[1].expected_heads)
        promises = tuple(Promise(card, float(one.expected_heads), 0.0, None, None, 0) for card, one in found)
        return Advice(view.game, view.seat, decision, promises, method="odds", until="turn")
