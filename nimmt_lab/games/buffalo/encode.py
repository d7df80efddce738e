"""The encoding of Beat the Buffalo."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from nimmt_lab.engine.cards import LAST_CARD, Seat
from nimmt_lab.engine.encode import ENCODING, Bounds, Encoding, heaviest, one_of
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .parts import OF_EACH, SPECIALS_IN_PLAY, BuffaloTable, Special
from .rules import Buffalo

#: The longest row, with 7 takes!
_LONGEST = 7


class BuffaloEncoding(Encoding):
    """Adds the special cards; the score is that of the team against the buffalo."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, Buffalo)
        return game.rows

    def ways(self, game: Game) -> int:
        """An upper bound: passing, and every use of every kind."""
        assert isinstance(game, Buffalo)
        if not SPECIALS_IN_PLAY[game.players]:
            return 0
        rows, cards = game.rows, game.players + 1
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

    def fractions(self, game: Game) -> Sequence[int]:
        rows, kinds = self.rows(game), [OF_EACH] * len(Special)
        marks = [1] * (2 * rows)
        return [10, *kinds, 16, *kinds, *marks, *[rows] * rows, LAST_CARD, LAST_CARD, *[1] * (1 + game.players)]

    def points(self, state: GameState) -> tuple[int, ...]:
        """The heads of one or two players count twice."""
        if state.is_over:
            return state.totals
        team, buffalo = (state.game.heads_in(pile) for pile in state.piles)
        return (2 * team if state.game.players <= 2 else team, buffalo)

    def standing(self, state: GameState, seat: Seat) -> int:
        """The buffalo's lead in heads."""
        team, buffalo = self.points(state)
        return buffalo - team

    def bounds(self, game: Game, start: GameState | None = None) -> Bounds:
        """One side takes every card at worst, and without special cards at most a row a turn and seat.

        A turn asks for cards, and each of them at most once for a row. The team passes at most once between turns and
        once before each placement; each special card is used once, a Stop! is lifted once, and a Swap asks its seat."""
        assert isinstance(game, Buffalo)
        seats, specials, turns, waiting = game.players, SPECIALS_IN_PLAY[game.players], game.hand_size, 0
        cards = (game.hand_size * (seats + 1) + game.rows, list(game.deck))
        if start is not None:
            extra = BuffaloTable.of(start)
            specials = len(extra.up) + len(extra.special_deck) + len(extra.stopped)
            turns, waiting = max(map(len, start.hands)), len(start.queue)
            queue = [play.card for play in start.queue]
            laid = [card for place in (*start.rows, *start.hands, queue, extra.deck) for card in place]
            cards = (len(laid), laid)
        count, deck = cards
        team = buffalo = heaviest(game, deck, count)
        rows_asked = turns * seats + waiting
        decisions = turns + rows_asked
        if specials:
            decisions += turns * (seats + 2) + waiting + 1 + 2 * specials
        else:
            takes = (turns + bool(waiting)) * game.places_in_row
            team, buffalo = (heaviest(game, deck, min(count - game.rows, takes * each)) for each in (seats, 1))
        if seats <= 2:
            team *= 2
        everybody = seats + 1
        return Bounds((-team, buffalo), (-team * everybody, buffalo * everybody), decisions)


ENCODING.provide(Buffalo, BuffaloEncoding())
