"""Vectors of the classic game, advanced mode and every fan card."""

from __future__ import annotations

from collections.abc import Mapping

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.events import CardPlaced, Event, Json, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import Classic

from .adapter import Adapter, Object, VectorError, as_int, as_ints, as_object, as_seat, by_seat, known


class CardAdapter(Adapter):
    """One turn of a card game with rows, hands and fan markers."""

    def game(self, options: Object, given: Object) -> Game:
        # A vector is one turn: with a single round nothing is dealt after it, and the table can be looked at.
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
            seat = as_seat(key, state.game.players)
            card, twisted = shown_card(shown)
            choices[seat] = self.twisted(state, seat, card) if twisted else card
        return choices

    @staticmethod
    def twisted(state: GameState, seat: Seat, card: int) -> Choice:
        """The option to play that card with a twister."""
        for option in state.pending[seat].options:
            if isinstance(option, CardOption) and option.play(seat).card == card:
                return option
        raise VectorError(f"seat {seat + 1} cannot twist {card}")

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        return {seat: self.row_choice(seat, listed) for seat in state.pending}

    @staticmethod
    def row_choice(seat: Seat, listed: list[Object]) -> int:
        """The next listed choice as a row for that seat."""
        if not listed:
            raise VectorError(f"seat {seat + 1} must choose a row, but no choice is listed")
        choice = listed.pop(0)
        if as_int(choice.get("seat"), "seat") != seat + 1:
            raise VectorError(f"seat {seat + 1} must choose a row, but the next listed choice is {choice}")
        return as_int(choice.get("row"), "row") - 1

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        facts: Object = {
            "rows": [list(row) for row in after.rows],
            "placed": [[event.card, event.row + 1] for event in events if isinstance(event, CardPlaced)],
            "taken": taken_facts(events),
            "heads": {
                str(seat + 1): sum(e.heads for e in events if isinstance(e, RowTaken) and e.seat == seat)
                for seat in range(after.game.players)
            },
            "hands": {str(seat + 1): list(hand) for seat, hand in enumerate(after.hands)},
        }
        game = after.game
        if isinstance(game, Classic) and isinstance(after.extra, Markers):
            for card, marker in zip(game.fan_cards, after.extra.all, strict=True):
                facts[card.name] = dict(marker.to_json())  # type: ignore[arg-type]
        return facts


def taken_facts(events: tuple[Event, ...]) -> Object:
    """Seat → sorted cards taken this turn; who took nothing is not listed."""
    taken: dict[Seat, list[Json]] = {}
    for event in events:
        if isinstance(event, RowTaken):
            taken.setdefault(event.seat, []).extend(event.cards)
    return {str(seat + 1): sorted(cards) for seat, cards in taken.items()}  # type: ignore[type-var]


def rows_of(given: Object) -> tuple[tuple[int, ...], ...]:
    """The rows of a table."""
    rows = given.get("rows")
    if not isinstance(rows, list):
        raise VectorError("'given' needs rows: a list of lists of cards")
    return tuple(as_ints(row, "a row") for row in rows)


def shown_card(shown: Json) -> tuple[int, bool]:
    """A revealed card, and whether it is played with a twister."""
    if isinstance(shown, dict):
        return as_int(shown.get("card"), "card"), bool(shown.get("twisted", False))
    return as_int(shown, "a revealed card"), False


def hands_of(game: Game, given: Object, reveal: Object) -> dict[Seat, tuple[int, ...]]:
    """The hands before the reveal: what is listed, and the revealed card."""
    listed = by_seat(given.get("hands", {}), game.players, "hands")
    hands = {seat: as_ints(cards, "a hand") for seat, cards in listed.items()}
    for key, shown in reveal.items():
        seat = as_seat(key, game.players)
        card, _ = shown_card(shown)
        if card not in hands.get(seat, ()):
            hands[seat] = (*hands.get(seat, ()), card)
    return hands


def _marker_text(marker: Object) -> str:
    """A marker as position notation writes it: the row first, then the rest."""
    return " ".join(str(marker[key]) for key in sorted(marker, key=lambda key: key != "row"))
