"""Vectors of Bull Baron, which bring the bulls of their cards."""

from __future__ import annotations

from typing import ClassVar

from nimmt_lab.conformance.adapter import VECTORS, Object, VectorError, as_ints, as_object, by_seat, known
from nimmt_lab.conformance.cards import CardAdapter, hands_of, numbered, rows_of
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position, write_by_seat
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable

from .deck import BaronDeck
from .rules import Baron, BaronRule, CardTucked, DrawPiles


@VECTORS.provides(Baron)
class BaronAdapter(CardAdapter):
    unordered: ClassVar[frozenset[str]] = CardAdapter.unordered | {"under_pile"}

    def game(self, options: Object, given: Object) -> Game:
        cards = as_object(given.get("cards", {}), "cards")
        bulls = {value: letters for value, letters in cards.items() if isinstance(letters, str)}
        if len(bulls) < len(cards):
            raise VectorError("baron.cards_must_texts")
        return from_options({**options, "deck": BaronDeck.of(bulls, title="the vector's deck")})

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        known(given, frozenset({"cards", "rows", "hands", "draw_piles"}))
        piles = by_seat(given.get("draw_piles", {}), game.players, "draw_piles")
        draw = write_by_seat([as_ints(piles.get(seat, []), "a draw pile") for seat in range(game.players)])
        position = Position(rows_of(given), hands_of(game, given, reveal), sections={"draw": draw})
        state = game.from_position(position, ordered=False)
        if state.is_over:
            # Nothing fits, so the game would have ended before this turn (R-O5). Play the turn of the vector anyway.
            table = LiveTable.of(state)
            table.outcome = None
            for seat, hand in enumerate(table.hands):
                if hand:
                    table.ask(seat, ChooseCard(BaronRule.TURN, hand))
            state = table.freeze()
        return state

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        tucked = [event for event in events if isinstance(event, CardTucked)]
        return super().facts(before, after, events) | {
            "under_pile": {str(event.seat + 1): [event.card] for event in tucked},
            "draw_piles": numbered(DrawPiles.of(after).piles),
        }
