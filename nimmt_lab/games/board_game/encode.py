"""The encoding of the board game."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from nimmt_lab.engine.encode import ENCODING, Bounds, Encoding, from_seat, one_of
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .material import ACTIVE_ROWS, DRAW_TILE, TAKE_TILES, TILES, TRACK, TWO
from .parts import Action, BoardExtra, Luck
from .rules import BoardGame


class BoardEncoding(Encoding):
    """Adds luck and action cards, markers, and the plan for the next tile."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, BoardGame)
        return len(game.layout.rows)

    def ways(self, game: Game) -> int:
        """Pairs of tiles; or passing and all uses of cards; or draws of luck cards."""
        assert isinstance(game, BoardGame)
        shown = {field for row in game.layout.rows for field in row}
        hand = TILES - ACTIVE_ROWS if shown & {TAKE_TILES, DRAW_TILE} else game.hand_size
        pairs = comb(hand, 2) if TWO in shown else 0
        longest = max(map(len, game.layout.rows))
        luck = 1 + comb(longest, 2) if game.luck else 0
        # Swap and Play two tiles name a tile; Stop!, Start and Ascending name a row.
        actions = 2 * hand + 3 * len(game.layout.rows) + 1 if game.advanced else 0
        draws = sum(game.box.luck_cards) + 1 if game.luck else 0
        return max(pairs, 1 + luck + actions, draws)

    def beside(self, view: View) -> Sequence[float]:
        game, extra, seat = view.game, BoardExtra.of(view), view.seat
        rows, plan = self.rows(game), extra.plan
        vector = list[float]()
        for kind in Luck:
            vector += from_seat([held.count(kind) / 4 for held in extra.luck], seat)
        vector += [left / 8 for left in extra.luck_stacks]
        held = extra.actions[seat] if extra.actions else ()
        vector += [held.count(kind) / 4 for kind in Action]
        vector += from_seat([len(cards) / 4 for cards in extra.actions] or [0.0] * game.players, seat)
        vector += [len(extra.action_deck) / 16]
        vector += [extra.discards.count(kind) / 4 for kind in Action]
        vector += one_of(rows, *extra.stops)
        vector += [float(plan.skips), *one_of(rows, plan.row), float(plan.at_start)]
        vector += [float(plan.luck is kind) for kind in Luck]
        vector += one_of(TILES, *(tile - 1 for tile in plan.tiles))
        owed, count = extra.owed or (None, 0)
        vector += [*from_seat(one_of(game.players, owed), seat), float(count)]
        return [*vector, *one_of(rows, extra.starting)]

    def fractions(self, game: Game) -> Sequence[int]:
        assert isinstance(game, BoardGame)
        players, rows, kinds = game.players, self.rows(game), len(Action)
        fours = [4] * (len(Luck) * players)
        cards = [4] * (kinds + players)
        last = [1] * (rows + 1 + rows + 1 + len(Luck) + TILES + players + 1 + rows)
        return [*fours, *[8] * len(Luck), *cards, 16, *[4] * kinds, *last]

    def points(self, state: GameState) -> tuple[int, ...]:
        """Points are on the track."""
        return state.totals

    def bounds(self, game: Game, start: GameState | None = None) -> Bounds:
        """The score track bounds the points. Where a field returns tiles to a hand, nothing bounds the game.

        Otherwise every tile is placed once. It may ask to use a luck card or not, twice for luck cards (after the row
        it takes, and after the first field of its new row) and in advanced mode once for that row. Every action card
        is used once, and each tile brings at most two of them."""
        assert isinstance(game, BoardGame)
        before = start.totals if start is not None else (0,) * game.players
        gain = (-TRACK - max(before), TRACK - min(before))
        together = (-TRACK * len(before) - sum(before), TRACK * len(before) - sum(before))
        turns, tiles, actions = game.turns, game.turns * game.players, 0
        if start is not None:
            drawn = game.hand_size if game.refills and start.round == 0 and start.stock else 0
            turns = max(map(len, start.hands)) + drawn
            tiles = sum(map(len, start.hands)) + min(len(start.stock), drawn * game.players) + len(start.queue)
        if game.advanced:
            if any(TAKE_TILES in fields for fields in game.layout.rows):
                return Bounds(gain, together, None)
            turns = tiles = TILES
            actions = 2 * game.players if start is None else sum(map(len, BoardExtra.of(start).actions))
            actions += 3 * tiles
        luck = 3 * tiles if game.luck else 0
        return Bounds(gain, together, turns + luck + actions + (tiles if game.advanced else 0))


ENCODING.provide(BoardGame, BoardEncoding())
