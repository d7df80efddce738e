"""Vectors of games with rows and hands of cards: what their chapters share."""

from __future__ import annotations

from collections.abc import Mapping

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import CardPlaced, Event, Json, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState

from .adapter import Adapter, Object, VectorError, as_int, as_ints, as_seat, by_seat, known


class CardAdapter(Adapter):
    """One turn of a card game: a card from everybody, a row for some."""

    def game(self, options: Object, given: Object) -> Game:
        return from_options(options)

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        known(given, frozenset({"rows", "hands"}))
        return game.from_position(Position(rows_of(given), hands_of(game, given, reveal)), ordered=False)

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        return {as_seat(key, state.game.players): shown_card(shown) for key, shown in reveal.items()}

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        return {seat: row_choice(seat, listed) for seat in state.pending}

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        return {
            "rows": [list(row) for row in after.rows],
            "placed": [[event.card, event.row + 1] for event in events if isinstance(event, CardPlaced)],
            "taken": taken_facts(events),
            "heads": {
                str(seat + 1): sum(e.heads for e in events if isinstance(e, RowTaken) and e.seat == seat)
                for seat in range(after.game.players)
            },
            "hands": {str(seat + 1): list(hand) for seat, hand in enumerate(after.hands)},
        }


def row_choice(seat: Seat, listed: list[Object]) -> int:
    """The next listed choice as a row for that seat."""
    if not listed:
        raise VectorError("conformance.seat_must_choose", who=seat + 1)
    choice = listed.pop(0)
    if as_int(choice.get("seat"), "seat") != seat + 1:
        raise VectorError("conformance.seat_must_choose_row", who=seat + 1, choice=choice)
    return as_int(choice.get("row"), "row") - 1


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
        raise VectorError("conformance.given_needs_rows")
    return tuple(as_ints(row, "a row") for row in rows)


def shown_card(shown: Json) -> int:
    """A revealed card. One that is played in a special way is an object, in which the way is said, too."""
    return as_int(shown.get("card") if isinstance(shown, dict) else shown, "a revealed card")


def hands_of(game: Game, given: Object, reveal: Object) -> dict[Seat, tuple[int, ...]]:
    """The hands before the reveal: what is listed, and the revealed card."""
    listed = by_seat(given.get("hands", {}), game.players, "hands")
    hands = {seat: as_ints(cards, "a hand") for seat, cards in listed.items()}
    for key, shown in reveal.items():
        seat = as_seat(key, game.players)
        card = shown_card(shown)
        if card not in hands.get(seat, ()):
            hands[seat] = (*hands.get(seat, ()), card)
    return hands
