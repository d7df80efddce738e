"""The board game in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from nimmt_lab.engine.encode import ENCODING, Encoding, from_seat, one_of
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .cards import Action, BoardExtra, Luck
from .material import ACTIVE_ROWS, DRAW_TILE, TAKE_TILES, TILES, TWO
from .rules import BoardGame


class BoardEncoding(Encoding):
    """Luck and action cards, markers, and what has been played for the tile that is placed next."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, BoardGame)
        return len(game.layout.rows)

    def ways(self, game: Game) -> int:
        """Pairs of tiles where a field asks for two; or to pass, to use a card of any kind, or to take luck cards."""
        assert isinstance(game, BoardGame)
        shown = {field for row in game.layout.rows for field in row}
        hand = TILES - ACTIVE_ROWS if shown & {TAKE_TILES, DRAW_TILE} else game.hand_size
        pairs = comb(hand, 2) if TWO in shown else 0
        longest = max(map(len, game.layout.rows))
        luck = 1 + comb(longest, 2) if game.luck else 0
        # Swap and Play two tiles name a tile, Stop!, Start and Ascending a row, Skip nothing.
        actions = 2 * hand + 3 * len(game.layout.rows) + 1 if game.advanced else 0
        draws = sum(game.box.luck_cards) + 1 if game.luck else 0
        return max(pairs, 1 + luck + actions, draws)

    def beside(self, view: View) -> Sequence[float]:
        game, extra, seat = view.game, BoardExtra.of(view), view.seat
        rows, plan = self.rows(game), extra.plan
        found = list[float]()
        for kind in Luck:
            found += from_seat([held.count(kind) / 4 for held in extra.luck], seat)
        found += [left / 8 for left in extra.luck_stacks]
        held = extra.actions[seat] if extra.actions else ()
        found += [held.count(kind) / 4 for kind in Action]
        found += from_seat([len(cards) / 4 for cards in extra.actions] or [0.0] * game.players, seat)
        found += [len(extra.action_deck) / 16]
        found += [extra.discards.count(kind) / 4 for kind in Action]
        found += one_of(rows, *extra.stops)
        found += [float(plan.skips), *one_of(rows, plan.row), float(plan.at_start)]
        found += [float(plan.luck is kind) for kind in Luck]
        found += one_of(TILES, *(tile - 1 for tile in plan.tiles))
        owed, count = extra.owed or (None, 0)
        found += [*from_seat(one_of(game.players, owed), seat), float(count)]
        return [*found, *one_of(rows, extra.starting)]

    def points(self, state: GameState) -> tuple[int, ...]:
        """They are counted on the track at once."""
        return state.totals


ENCODING.provide(BoardGame, BoardEncoding())
