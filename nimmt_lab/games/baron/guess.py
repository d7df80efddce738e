"""Sample the draw piles of Bull Baron."""

from __future__ import annotations

from nimmt_lab.engine.cards import EMPTY, Cards
from nimmt_lab.engine.guess import BESIDE, Hidden
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .rules import Baron, DrawPiles


@BESIDE.provides(Baron)
def deal_draw_piles(view: View, cards: Cards, rng: Rng) -> Hidden:
    """Fill the draw piles with unseen cards."""
    piles = []
    for pile in DrawPiles.of(view).piles:
        hidden = sum(card == EMPTY for card in pile)
        fresh, cards = iter(cards[:hidden]), cards[hidden:]
        piles.append(tuple(next(fresh) if card == EMPTY else card for card in pile))
    return Hidden(DrawPiles(tuple(piles)), tuple(sorted(cards)), rng)
