"""Encoding of the classic family: its rows and the markers of its fan cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.encode import ENCODING, Bounds, Encoding, heaviest, one_of
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .fan_card import Marker, Markers
from .rules import Classic

#: Encoding of a fan card's marker as a view shows it; None during a draft.
MARKER: Final[Capability[Callable[[View, Marker | None], Sequence[float]]]] = Capability("encoding", face="encode")


def row_numbers(view: View, row: int | None) -> list[float]:
    return one_of(cast(Classic, view.game).rows, row)


class ClassicEncoding(Encoding):
    def rows(self, game: Game) -> int:
        assert isinstance(game, Classic)
        return game.rows

    def turned(self, game: Game) -> bool:
        assert isinstance(game, Classic)
        return any(card.ways(tuple(game.deck)) for card in game.fan_cards)

    def beside(self, view: View) -> Sequence[float]:
        game = view.game
        assert isinstance(game, Classic)
        markers = view.extra if isinstance(view.extra, Markers) else Markers()
        return [number for card in game.fan_cards for number in MARKER.of(card)(view, markers.find(card.marker))]

    def bounds(self, game: Game, start: GameState | None = None) -> Bounds:
        """A seat places one card a turn and takes at most one full row with it, or any number with a fan card. No row
        is ever empty, so at most as many cards as were dealt to hands are taken. A turn has at most one low card,
        because that card starts a row below all later ones; but fan cards can close the row."""
        assert isinstance(game, Classic)
        seats, rows, size = game.players, game.rows, game.hand_size
        plain = not game.fan_cards and type(game).row_for is Classic.row_for
        low_cards = 1 if plain else seats

        def most_heads(cards: Sequence[int], turns: int) -> tuple[int, int]:
            """The most heads that one seat and all seats can take in the rest of a round."""
            taken = len(cards) - rows
            own = min(taken, turns * game.row_limit) if plain else taken
            return heaviest(game, cards, own), heaviest(game, cards, taken)

        # The heaviest cards of the deck bound any deal.
        by_heads = sorted(game.deck, key=lambda card: -game.heads_in((card,)))
        full, full_sum = now, now_sum = most_heads(by_heads[: seats * size + rows], size)
        decisions = now_decisions = size * (1 + low_cards) + (seats * size if game.open_stock else 0)
        before = self.points(start) if start is not None else (0,) * seats
        if start is not None and start.rows:
            waiting = [play.card for play in start.queue]
            turns = max(map(len, start.hands))
            cards = [card for place in (*start.rows, *start.hands, waiting) for card in place]
            now, now_sum = most_heads(cards, turns + bool(waiting))
            now_decisions = turns * (1 + low_cards) + min(low_cards, len(waiting))
        elif start is not None:
            now_decisions -= sum(map(len, start.hands))
        left = None if game.most_played is None else game.most_played - (start.round if start is not None else 0) - 1
        if game.rounds is None:
            limit = game.limit or game.usual_limit
            room = limit - game.is_reached(limit)
            spare = seats * room - sum(before)
            # The rows cannot contain all cards, so somebody takes the surplus in every round.
            surplus = max(0, seats * size + rows * (1 - game.row_limit))
            least = heaviest(game, by_heads[len(by_heads) - surplus :], surplus)
            if least:
                more = spare // least + (start is not None)
                left = more if left is None else min(left, more)
            if left != 0:
                # Before the last round nobody has reached the limit.
                end, end_sum = room - min(before) + full, spare + full_sum
                if left is not None:
                    end, end_sum = min(end, now + left * full), min(end_sum, now_sum + left * full_sum)
                now, now_sum = max(now, end), max(now_sum, end_sum)
        elif left:
            now, now_sum = now + left * full, now_sum + left * full_sum
        return Bounds((-now, 0), (-now_sum, 0), None if left is None else now_decisions + left * decisions)


ENCODING.provide(Classic, ClassicEncoding())
