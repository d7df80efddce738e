"""Sample a full state from a view: one that the seat cannot distinguish from the real state.

Hidden cards are dealt from the unseen ones only, so searches and reviews built on guessed states know no more than the
seat. Hands, the stock and face-down piles work the same way in all games; a chapter deals its other face-down cards
itself (the capability `BESIDE`, in its `guess.py`).

>>> from nimmt_lab import Classic
>>> state = Classic(players=3).deal(seed=1)
>>> guessed = guess(state.view(0), Rng.from_seed(5))
>>> guessed.view(0) == state.view(0), guessed.hands == state.hands
(True, False)
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable
from dataclasses import replace
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
    """A sample of everything face down except hands."""

    extra: Extra
    stock: Cards
    rng: Rng


#: Makes a sample from a view and the shuffled unseen cards that are in no hand.
Dealer: TypeAlias = Callable[[View, Cards, Rng], Hidden]

#: Attempts before giving up on a view.
TRIES = 50
_RESOLUTION = 1 << 31

BESIDE: Capability[Dealer] = Capability("sampler of face-down cards", face="guess")


def guess(view: View, rng: Rng) -> GameState:
    """A state that looks the same to the seat, with hidden cards dealt at random. Raises an error if the game doesn't
    define how to deal its face-down cards, or no deal reproduces the view."""
    deal = _dealer(view.game)
    for _ in range(TRIES):
        state = _dealt(view, deal, rng)
        # Pending decisions may reveal hidden cards, for instance that the game continues: reject such deals.
        again = state.view(view.seat)
        if (replace(again, seen=view.seen) if view.seen else again) == view:
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
    """Sample `count` cards with `heads` heads in total, every such set with equal probability."""
    kinds: dict[int, list[Card]] = {}
    for card in cards:
        kinds.setdefault(game.heads_in((card,)), []).append(card)
    order = sorted(kinds)
    mixes, sets = mixes_of(tuple((worth, len(kinds[worth])) for worth in order), count, heads)
    at, rng = rng.below(_RESOLUTION)
    mix = mixes[bisect(sets, at * sets[-1] // _RESOLUTION)]
    # The cards are shuffled, so the first of each kind are a random choice.
    return tuple(card for worth, taken in zip(order, mix, strict=True) for card in kinds[worth][:taken]), rng


@lru_cache(maxsize=256)
def mixes_of(kinds: tuple[tuple[int, int], ...], count: int, heads: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """Numbers of cards of each kind (heads, available) that make `count` cards with `heads` heads, and the cumulative
    number of sets of cards for these mixes."""
    if not kinds:
        return ([()], [1]) if count == heads == 0 else ([], [])
    *rest, (worth, available) = kinds
    mixes: list[tuple[int, ...]] = []
    sets: list[int] = []
    for taken in range(min(available, count, heads // worth) + 1):
        before, ways = mixes_of(tuple(rest), count - taken, heads - taken * worth)
        for mix, low, high in zip(before, (0, *ways), ways, strict=False):
            mixes.append((*mix, taken))
            sets.append((sets[-1] if sets else 0) + (high - low) * comb(available, taken))
    return mixes, sets


def _dealer(game: Game) -> Dealer:
    if BESIDE.find(game) is None and type(game).public_extra is Game.public_extra:
        return _nothing_beside
    return BESIDE.of(game)


def _nothing_beside(view: View, cards: Cards, rng: Rng) -> Hidden:
    """Deal the stock of a game without other face-down cards; the remaining cards are out of the game."""
    return Hidden(view.extra, view.stock if view.game.open_stock else tuple(sorted(cards[: view.stock_size])), rng)
