"""Beat the Buffalo in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from nimmt_lab.engine.cards import LAST_CARD, Seat
from nimmt_lab.engine.encode import ENCODING, Encoding, one_of
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .parts import OF_EACH, SPECIALS_IN_PLAY, BuffaloTable, Special
from .rules import Buffalo

#: No row ever holds more: 7 takes!
_LONGEST = 7


class BuffaloEncoding(Encoding):
    """The special cards, and a score that is the team's against the buffalo's."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, Buffalo)
        return game.rows_on_table

    def ways(self, game: Game) -> int:
        """Pass, and every use of every kind: at most two kinds lie open, so this is more than there are at a time."""
        assert isinstance(game, Buffalo)
        if not SPECIALS_IN_PLAY[game.players]:
            return 0
        rows, cards = game.rows_on_table, game.players + 1
        on_rows = 4 * rows  # 7 takes!, Stop!, lifting one, Insert
        on_seats = 5 * game.players  # Swap; First and Last, each in two ways
        return 1 + on_rows + on_seats + rows * _LONGEST * (rows - 1) + factorial(cards)

    def beside(self, view: View) -> Sequence[float]:
        game, extra = view.game, BuffaloTable.of(view)
        rows = self.rows(game)
        emptied = [0.0] * rows
        for place, row in enumerate(extra.empty, start=1):
            emptied[row] = place / rows
        return [
            len(extra.deck) / 10,
            *(extra.up.count(kind) / OF_EACH for kind in Special),
            len(extra.special_deck) / 16,
            *(extra.used.count(kind) / OF_EACH for kind in Special),
            *one_of(rows, *extra.seven_takes),
            *one_of(rows, *extra.stopped),
            *emptied,
            (extra.first or 0) / LAST_CARD,
            (extra.last or 0) / LAST_CARD,
            float(extra.passed),
            *one_of(game.players, extra.swapping),
        ]

    def points(self, state: GameState) -> tuple[int, ...]:
        """One or two players count their heads twice."""
        if state.is_over:
            return state.totals
        team, buffalo = (state.game.heads_in(pile) for pile in state.piles)
        return (2 * team if state.game.players <= 2 else team, buffalo)

    def standing(self, state: GameState, seat: Seat) -> int:
        """Fewer heads than the buffalo win: what it has more."""
        team, buffalo = self.points(state)
        return buffalo - team


ENCODING.provide(Buffalo, BuffaloEncoding())
