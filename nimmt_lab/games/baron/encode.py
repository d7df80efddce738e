"""The encoding of Bull Baron."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.encode import ENCODING, Bounds, Encoding, from_seat, heaviest
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .rules import Baron, DrawPiles

#: A usual draw pile at the start.
_LARGEST = 24


class BaronEncoding(Encoding):
    """Adds the sizes of the draw piles."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, Baron)
        return game.rows

    def beside(self, view: View) -> Sequence[float]:
        return from_seat([len(pile) / _LARGEST for pile in DrawPiles.of(view).piles], view.seat)

    def fractions(self, game: Game) -> Sequence[int]:
        return [_LARGEST] * game.players

    def bounds(self, game: Game, start: GameState | None = None) -> Bounds:
        """A seat takes at most one row a turn, and no row is ever empty. Every card asks for a row at most once.

        Where bulls are good, a card under the draw pile comes back after all others of its owner, or together with
        the last of them. So everybody plays each card within as many turns as there are cards, and three more: either
        one of them is added to a row, or none fits and the game ends. Bulls left over count against their owner."""
        assert isinstance(game, Baron)
        seats, size, good = game.players, game.pile_size, game.bulls_are_good
        dealt = heaviest(game, game.deck, seats * size)
        own = heaviest(game, game.deck, size * game.row_limit) if game.variant == "standard" else dealt
        lost = heaviest(game, game.deck, size) if good else 0
        decisions = self._turns(game, size, seats * size) + seats * size if good else size * (1 + seats)
        full = now = Bounds((-lost, min(own, dealt)), (-dealt if good else 0, dealt), decisions)
        left = game.games - 1
        if start is not None:
            left -= start.round
            held = [list(cards) for cards in game.left(start)]
            for play in start.queue:
                held[play.seat].append(play.card)
            cards = [card for place in (*start.rows, *held) for card in place]
            most, count = heaviest(game, cards, len(cards) - game.rows), sum(map(len, held))
            turns = max(map(len, held))
            now = Bounds((0, most), (0, most), turns + count)
            if good:
                heads = [game.heads_in(tuple(each)) for each in held]
                now = Bounds((-max(heads), most), (-sum(heads), most), self._turns(game, turns, count) + count)
        gain, together = _summed(now.gain, full.gain, left), _summed(now.sum, full.sum, left)
        if not good:
            gain, together = (-gain[1], -gain[0]), (-together[1], -together[0])
        return Bounds(gain, together, (now.decisions or 0) + left * decisions)

    def _turns(self, game: Baron, most: int, count: int) -> int:
        """The most turns where bulls are good: `count` cards, at most `most` of them in one seat. At worst that seat
        adds its cards to rows last, and the others keep one card each."""
        more = game.hand_size - 1
        others = max(0, count - most - (game.players - 1))
        return others * (most + more) + sum(cards + more for cards in range(1, most + 1))


def _summed(now: tuple[int, int], full: tuple[int, int], left: int) -> tuple[int, int]:
    return now[0] + left * full[0], now[1] + left * full[1]


ENCODING.provide(Baron, BaronEncoding())
