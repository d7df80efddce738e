"""Rule vectors of the classic game, derived games and all fan cards."""

from __future__ import annotations

from collections.abc import Mapping

from nimmt_lab.conformance.adapter import VECTORS, Object, VectorError, as_object, as_seat, known
from nimmt_lab.conformance.cards import CardAdapter, hands_of, rows_of, shown_card
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState

from .fan_card import Markers
from .rules import Classic


@VECTORS.provides(Classic)
class ClassicAdapter(CardAdapter):
    """One turn with fan markers and special ways to play cards."""

    def game(self, options: Object, given: Object) -> Game:
        # A vector is one turn: with a single round nothing is dealt after it, and the table can be checked.
        kinds = options.get("fan_cards", [])
        several = isinstance(kinds, list) and len(kinds) > 1
        return from_options({"rounds": 1, **({"combine_fan_cards": True} if several else {}), **options})

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        assert isinstance(game, Classic)
        markers = {card.name for card in game.fan_cards}
        known(given, frozenset({"rows", "hands", *markers}))
        position = Position(
            rows=rows_of(given),
            hands=hands_of(game, given, reveal),
            sections={name: _marker_text(as_object(given[name], name)) for name in markers if name in given},
        )
        return game.from_position(position, ordered=False)

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        choices: dict[Seat, Choice] = {}
        for key, shown in reveal.items():
            seat, card = as_seat(key, state.game.players), shown_card(shown)
            twisted = isinstance(shown, dict) and bool(shown.get("twisted", False))
            choices[seat] = _twisted(state, seat, card) if twisted else card
        return choices

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        facts = super().facts(before, after, events)
        game = after.game
        if isinstance(game, Classic) and isinstance(after.extra, Markers):
            for card, marker in zip(game.fan_cards, after.extra.all, strict=True):
                facts[card.name] = dict(marker.to_json())  # type: ignore[arg-type]
        return facts


def _twisted(state: GameState, seat: Seat, card: int) -> Choice:
    for option in state.pending[seat].options:
        if isinstance(option, CardOption) and option.play(seat).card == card:
            return option
    raise VectorError("classic.seat_cannot_twist", who=seat + 1, card=card)


def _marker_text(marker: Object) -> str:
    """A marker in position notation: row first, then the rest."""
    return " ".join(str(marker[key]) for key in sorted(marker, key=lambda key: key != "row"))
