"""Playouts with the engine, for games that have no kernel: a state that fits a view, played on at random.

Hidden cards are dealt out anew, from the unseen ones only. So what a search learns cannot come from the hidden hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nimmt_lab.engine.cards import EMPTY, Cards
from nimmt_lab.engine.decisions import Choice, ChooseRow, Decision
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import Extra, GameState
from nimmt_lab.engine.table import Table
from nimmt_lab.engine.view import View
from nimmt_lab.games.baron.rules import Baron, DrawPiles
from nimmt_lab.games.buffalo.parts import ALL_SPECIALS, BuffaloTable, Special
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.games.classic.rules import Classic

from .base import any_option, cheapest_row


def can_guess(view: View) -> bool:
    """Whether `guess` knows everything that may lie face down in this game (not the board game's many stacks)."""
    return isinstance(view.game, (Classic, Buffalo, Baron))


def guess(view: View, rng: Rng) -> GameState:
    """A state this seat cannot tell from the real one: hidden cards dealt out at random.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=3).deal(seed=1)
    >>> guessed = guess(state.view(0), Rng.from_seed(5))
    >>> guessed.view(0) == state.view(0), guessed.hands == state.hands
    (True, False)
    """
    cards, rng = rng.shuffled(view.unseen)
    hands: list[Cards] = []
    for hand, size in zip(view.hands, view.hand_sizes, strict=True):
        if hand is None:
            hand, cards = view.game.sort_hand(cards[:size]), cards[size:]
        hands.append(hand)
    extra, cards, rng = _guess_extra(view.extra, cards, rng)
    table = Table(view.game, rng)
    table.round, table.turn, table.totals = view.round, view.turn, view.totals
    table.rows, table.hands, table.piles = list(view.rows), hands, list(view.piles)
    table.stock = view.stock or tuple(sorted(cards))
    table.queue, table.extra = list(view.queue), extra
    # What is asked follows from the table; games ask again as they did.
    return view.game._run(table)


def _guess_extra(extra: Extra, cards: Cards, rng: Rng) -> tuple[Extra, Cards, Rng]:
    """Face-down cards beside the table, too."""
    if isinstance(extra, BuffaloTable):
        deck, cards = cards[: len(extra.deck)], cards[len(extra.deck) :]
        left = list(ALL_SPECIALS)
        lying = [Special.SEVEN_TAKES] * len(extra.seven_takes) + [Special.STOP] * len(extra.stopped)
        for special in (*extra.up, *extra.used, *lying):
            left.remove(special)
        specials, rng = rng.shuffled(left)
        return replace(extra, deck=deck, special_deck=tuple(specials[: len(extra.special_deck)])), cards, rng
    if isinstance(extra, DrawPiles):
        piles = []
        for pile in extra.piles:
            hidden = sum(card == EMPTY for card in pile)
            fresh, cards = iter(cards[:hidden]), cards[hidden:]
            piles.append(tuple(next(fresh) if card == EMPTY else card for card in pile))
        return DrawPiles(tuple(piles)), cards, rng
    return extra, cards, rng


def try_options(view: View, options: Sequence[Choice], playouts: int, rng: Rng) -> list[tuple[float, float]]:
    """For each option: mean penalty of this seat's side in the round (negative where points are good), and mean win
    credit. Every option meets the same guessed states."""
    sums = [[0.0, 0.0] for _ in options]
    for number in range(playouts):
        stream = Rng.from_seed(rng.state, number)
        state = guess(view, stream)
        for at, option in enumerate(options):
            penalty, credit = _play_out(state, view, option, stream)
            sums[at][0] += penalty
            sums[at][1] += credit
    return [(penalty / playouts, credit / playouts) for penalty, credit in sums]


def _play_out(state: GameState, view: View, option: Choice, rng: Rng) -> tuple[float, float]:
    choices = {seat: _anything(state, seat, decision, rng) for seat, decision in state.pending.items()}
    before, round_ = state.totals, state.round
    state, _ = state.choose({**choices, view.seat: option})
    while not state.is_over and state.round == round_:
        _, rng = rng.below(2)
        state, _ = state.choose({s: _anything(state, s, d, rng) for s, d in state.pending.items()})
    mine = view.game.pile_of(view.seat)
    sign = -1 if getattr(view.game, "bulls_are_good", False) else 1
    totals = [sign * total for total in state.totals]
    credit = 1 / totals.count(min(totals)) if totals[mine] == min(totals) else 0.0
    return sign * (state.totals[mine] - before[mine]), credit


def _anything(state: GameState, seat: int, decision: Decision, rng: Rng) -> Choice:
    """Random play: no special effects, low cards to the cheapest row."""
    if decision.default is not None:
        return decision.default
    if isinstance(decision, ChooseRow):
        return cheapest_row(state.view(seat), decision)
    return any_option(decision, Rng.from_seed(rng.state, max(seat, 0)))
