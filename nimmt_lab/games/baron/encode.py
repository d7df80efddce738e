"""Bull Baron in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.encode import ENCODING, Encoding, from_seat
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.view import View

from .rules import Baron, DrawPiles


class BaronEncoding(Encoding):
    """Five rows, and how many cards everybody has still to draw."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, Baron)
        return game.rows_on_table

    def beside(self, view: View) -> Sequence[float]:
        return from_seat([len(pile) / 24 for pile in DrawPiles.of(view).piles], view.seat)


ENCODING.provide(Baron, BaronEncoding())
