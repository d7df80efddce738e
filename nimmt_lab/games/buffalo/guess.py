"""Sample the face-down cards of the buffalo and the face-down special cards."""

from __future__ import annotations

from dataclasses import replace

from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.guess import BESIDE, Hidden
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .parts import ALL_SPECIALS, BuffaloTable, Special
from .rules import Buffalo


@BESIDE.provides(Buffalo)
def deal_face_down(view: View, cards: Cards, rng: Rng) -> Hidden:
    """Deal the buffalo's deck from the unseen cards, and the special deck from the unseen special cards."""
    extra = BuffaloTable.of(view)
    deck, cards = cards[: len(extra.deck)], cards[len(extra.deck) :]
    left = list(ALL_SPECIALS)
    lying = [Special.SEVEN_TAKES] * len(extra.seven_takes) + [Special.STOP] * len(extra.stopped)
    for special in (*extra.up, *extra.used, *lying):
        left.remove(special)
    specials, rng = rng.shuffled(left)
    special_deck = tuple(specials[: len(extra.special_deck)])
    return Hidden(replace(extra, deck=deck, special_deck=special_deck), tuple(sorted(cards)), rng)
