"""Sample the face-down tiles and action cards of the board game."""

from __future__ import annotations

from dataclasses import replace

from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.guess import BESIDE, Hidden
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .parts import Action, BoardExtra
from .plays import sort_cards
from .rules import BoardGame


@BESIDE.provides(BoardGame)
def deal_stacks(view: View, cards: Cards, rng: Rng) -> Hidden:
    """Deal the stock from the tiles in no hand (R-P20), and the action cards that the seat cannot see."""
    game, extra = view.game, BoardExtra.of(view)
    assert isinstance(game, BoardGame)
    left = [kind for kind, count in zip(Action, game.box.action_cards, strict=True) for _ in range(count)]
    for card in (*(card for cards in extra.actions for card in cards), *extra.discards):
        if card is not None:
            left.remove(card)
    dealt, rng = rng.shuffled(left)
    actions = []
    for held in extra.actions:
        hidden = sum(card is None for card in held)
        actions.append(sort_cards(dealt[:hidden]) if hidden else held)
        dealt = dealt[hidden:]
    action_deck = dealt[: len(extra.action_deck)]
    return Hidden(replace(extra, actions=tuple(actions), action_deck=action_deck), cards[: view.stock_size], rng)
