"""The other way round from `view`: a whole state that a seat could not tell from the real one.

What is hidden is dealt out anew, from the unseen cards only, so nothing that is made of guessed states (a bot's search,
a review) can know more than the seat did. Hidden hands, a hidden stock and piles that nobody may look through are the
same in all games. What else a chapter keeps face down it deals itself: the face `guess.py` of its folder, by the
capability `BESIDE`.

>>> from nimmt_lab import Classic
>>> state = Classic(players=3).deal(seed=1)
>>> guessed = guess(state.view(0), Rng.from_seed(5))
>>> guessed.view(0) == state.view(0), guessed.hands == state.hands
(True, False)
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

from .capability import Capability
from .cards import EMPTY, Card, Cards
from .errors import Unsupported
from .game import Game
from .rng import Rng
from .state import Extra, GameState
from .table import LiveTable
from .view import View

__all__ = ["BESIDE", "TRIES", "Dealer", "Hidden", "guess", "mixes_of"]


class Hidden(NamedTuple):
    """What lies face down besides hands, dealt out."""

    extra: Extra
    stock: Cards
    rng: Rng


#: From a view, and the unseen cards that are in no hand, shuffled.
Dealer: TypeAlias = Callable[[View, Cards, Rng], Hidden]

#: Deals that are tried before a game is refused.
TRIES = 50
#: Chances are drawn in so many parts.
_PARTS = 1 << 31

BESIDE: Capability[Dealer] = Capability("guess at what lies face down", face="guess")


def guess(view: View, rng: Rng) -> GameState:
    """A state that looks the same from that seat, with the hidden cards dealt out at random.

    A game that keeps something face down and does not say how to deal it is refused, and so is one in which no deal
    looks the same: a guess is never half right.
    """
    deal = _dealer(view.game)
    for _ in range(TRIES):
        state = _dealt(view, deal, rng)
        # What is asked follows from the table, and so may tell of what is hidden (that the game goes on at all, say):
        # a deal that would look different to the seat is not one it may meet.
        if state.view(view.seat) == view:
            return state
        rng = Rng.from_seed(rng.state, 1)
    raise Unsupported("engine.cannot_deal_hidden", game=view.game.name)


def _dealt(view: View, deal: Dealer, rng: Rng) -> GameState:
    cards, rng = rng.shuffled(view.unseen)
    piles: list[Cards] = []
    for pile, heads in zip(view.piles, view.pile_heads, strict=True):
        if EMPTY in pile:
            pile, rng = _with_heads(view.game, cards, len(pile), heads, rng)
            cards = tuple([card for card in cards if card not in pile])
        piles.append(pile)
    hands: list[Cards] = []
    for hand, size in zip(view.hands, view.hand_sizes, strict=True):
        if hand is None:
            hand, cards = view.game.sort_hand(cards[:size]), cards[size:]
        hands.append(hand)
    extra, stock, rng = deal(view, cards, rng)
    table = LiveTable(view.game, rng)
    table.round, table.turn, table.totals = view.round, view.turn, view.totals
    table.rows, table.hands, table.piles = list(view.rows), hands, piles
    table.stock, table.queue, table.extra = stock, list(view.queue), extra
    table.history = view.history
    return view.game._run(table)


def _with_heads(game: Game, cards: Cards, count: int, heads: int, rng: Rng) -> tuple[Cards, Rng]:
    """So many of the cards with so many heads in all, every such set as likely as any other."""
    kinds: dict[int, list[Card]] = {}
    for card in cards:
        kinds.setdefault(game.heads_in((card,)), []).append(card)
    order = sorted(kinds)
    mixes, sets = mixes_of(tuple((worth, len(kinds[worth])) for worth in order), count, heads)
    at, rng = rng.below(_PARTS)
    mix = mixes[bisect(sets, at * sets[-1] // _PARTS)]
    # The cards came in random order, so the first of each kind are any of them.
    return tuple(card for worth, taken in zip(order, mix, strict=True) for card in kinds[worth][:taken]), rng


@lru_cache(maxsize=256)
def mixes_of(kinds: tuple[tuple[int, int], ...], count: int, heads: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """How many cards of each kind (heads on it, how many there are) make `count` cards with `heads` heads; and how many
    sets of cards there are up to each of these mixes."""
    if not kinds:
        return ([()], [1]) if count == heads == 0 else ([], [])
    *rest, (worth, there) = kinds
    mixes: list[tuple[int, ...]] = []
    sets: list[int] = []
    for taken in range(min(there, count, heads // worth) + 1):
        before, ways = mixes_of(tuple(rest), count - taken, heads - taken * worth)
        for mix, low, high in zip(before, (0, *ways), ways, strict=False):
            mixes.append((*mix, taken))
            sets.append((sets[-1] if sets else 0) + (high - low) * comb(there, taken))
    return mixes, sets


def _dealer(game: Game) -> Dealer:
    found = BESIDE.find(game)
    if found is None and type(game).public_extra is Game.public_extra:
        return _nothing_beside
    return BESIDE.of(game)


def _nothing_beside(view: View, cards: Cards, rng: Rng) -> Hidden:
    """A game that shows all it keeps besides cards: only hands and the stock are face down. Cards that are in neither
    are out of the game, unseen; the cards come shuffled, so these may be any."""
    return Hidden(view.extra, view.stock if view.game.open_stock else tuple(sorted(cards[: view.stock_size])), rng)
