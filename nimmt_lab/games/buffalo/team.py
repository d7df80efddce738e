"""The team's policy for special cards, in Python; `team.h` is the same in C, use for use.

The team looks ahead to the end of the turn, with open information only (R-B18). The value of a use is the buffalo's
heads minus those that count for the team, if the remaining cards are placed without another use and low cards take the
cheapest row.

* It considers uses before the first placement of a turn, and before a card of its own that would take a row.
* Of Sort it considers orders that move one card, of First card and Last card the first of a turn.
* A swap counts as if the seat's card were not placed, minus `SWAP_RISK` for the unknown card. The seat then names the
  card with the best end of the turn; ties go to the lowest.
* A special card must gain at least its price, 1 + 2 · (turns to come) / (special cards left), rounded down; a Stop! is
  lifted for any gain. The best use is played, ties going to the first; another one may follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nimmt_lab.engine.cards import TEAM, Card
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View

from .effects import row_limit
from .parts import BuffaloTable
from .rules import Buffalo
from .uses import ChooseSwap, LiftStop, OrderUse, Pass, Sort, Sorts, Swap, Use, UseSpecials

#: The assumed cost of the unknown card of a swap.
SWAP_RISK: Final = 3


def team_use(view: View, decision: UseSpecials) -> Use:
    """The choice of the team before the next placement.

    >>> game = Buffalo(players=3)
    >>> state = game.from_position(
    ...     "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; C: 72 82 ; buffalo: 25 90 ; specials: stop push"
    ... )
    >>> state, _ = state.choose({0: 61, 1: 71, 2: 72})
    >>> from nimmt_lab.engine.cards import TEAM
    >>> str(team_use(state.view(TEAM), state.pending[TEAM]))  # the buffalo's 25 must take row 1
    'stop@2'
    """
    game, extra = view.game, BuffaloTable.of(view)
    assert isinstance(game, Buffalo)
    if not view.queue or (len(view.queue) <= game.players and not _threatens(view, game, extra)):
        return Pass()
    state = guess(view, Rng.from_seed(0))
    now = _outlook(state)
    specials = len(extra.up) + len(extra.special_deck)
    price = 1 + 2 * len(extra.deck) // specials if specials else 0
    best: Use = Pass()
    lift: Use = Pass()
    gain, lifted = price - 1, 0
    for use in considered(decision):
        more = _after(state, use) - now
        if isinstance(use, LiftStop):
            if more > lifted:
                lift, lifted = use, more
        elif more > gain:
            best, gain = use, more
    return best if not isinstance(best, Pass) and gain >= lifted else lift


def swap_card(view: View, decision: ChooseSwap) -> Card:
    """The card that the swapping seat names."""
    state = guess(view, Rng.from_seed(0))
    return max(view.hand, key=lambda card: _outlook(state.choose({view.seat: card})[0]))


def _threatens(view: View, game: Buffalo, extra: BuffaloTable) -> bool:
    """Whether the next card would make a player take a row."""
    play = view.queue[0]
    if play.seat >= game.players or extra.empty:
        return False
    row = game.row_for(view, play.value)
    return row is None or len(view.rows[row]) >= row_limit(extra, row, game.places_in_row)


def considered(decision: UseSpecials) -> Iterator[Use]:
    """The uses that the team considers."""
    for part in decision.options.parts:
        if isinstance(part, Sorts):
            for at, card in enumerate(part.cards):
                others = part.cards[:at] + part.cards[at + 1 :]
                for to in range(len(part.cards)):
                    if to != at:
                        yield Sort((*others[:to], card, *others[to:]))
            continue
        uses = [part[at] for at in range(len(part))]
        for use in sorted(uses, key=lambda use: use.seat if isinstance(use, OrderUse) else 0):
            if not isinstance(use, Pass) and not getattr(use, "second", False):
                yield use


def _after(state: GameState, use: Use) -> int:
    if not isinstance(use, Swap):
        return _outlook(state.choose({TEAM: use})[0])
    table = LiveTable.of(state)
    table.queue = [play for play in table.queue if play.seat != use.seat]
    return _outlook(state.game._run(table)) - SWAP_RISK


def _outlook(state: GameState) -> int:
    """The value at the end of the turn: the buffalo's heads minus those that count for the team."""
    while state.queue:
        state, _ = state.choose(habitual_choices(state, Rng(0))[0])
    game = state.game
    team, buffalo = (game.heads_in(pile) for pile in state.piles)
    return buffalo - (2 * team if game.players <= 2 else team)
