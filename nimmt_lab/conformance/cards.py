"""The common part of all adapters: rows, hands, and a card from every seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import CardPlaced, Event, Json, RowTaken, to_json
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState

from .adapter import Adapter, Object, VectorError, as_int, as_ints, as_seat, by_seat, known


class CardAdapter(Adapter):
    """One turn of a card game: every seat reveals a card, some choose a row."""

    def game(self, options: Object, given: Object) -> Game:
        return from_options(options)

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        known(given, frozenset({"rows", "hands"}))
        return game.from_position(Position(rows_of(given), hands_of(game, given, reveal)), ordered=False)

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        return {as_seat(key, state.game.players): shown_card(card) for key, card in reveal.items()}

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        return {seat: row_choice(seat, listed) for seat in state.pending}

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        takes = [event for event in events if isinstance(event, RowTaken)]
        seats = range(after.game.players)
        taken = {seat: sorted(card for take in takes if take.seat == seat for card in take.cards) for seat in seats}
        return {
            "rows": to_json(after.rows),
            "placed": [[event.card, event.row + 1] for event in events if isinstance(event, CardPlaced)],
            "taken": to_json({seat + 1: cards for seat, cards in taken.items() if cards}),
            "heads": numbered(sum(take.heads for take in takes if take.seat == seat) for seat in seats),
            "hands": numbered(after.hands),
        }


def numbered(items: Iterable[object]) -> Object:
    """Facts by seat, counted from 1."""
    return {str(number): to_json(item) for number, item in enumerate(items, start=1)}


def row_choice(seat: Seat, listed: list[Object]) -> int:
    """The next listed choice as a row for that seat."""
    if not listed:
        raise VectorError("conformance.seat_must_choose", who=seat + 1)
    choice = listed.pop(0)
    if as_int(choice.get("seat"), "seat") != seat + 1:
        raise VectorError("conformance.seat_must_choose_row", who=seat + 1, choice=choice)
    return as_int(choice.get("row"), "row") - 1


def rows_of(given: Object) -> tuple[tuple[int, ...], ...]:
    rows = given.get("rows")
    if not isinstance(rows, list):
        raise VectorError("conformance.given_needs_rows")
    return tuple(as_ints(row, "a row") for row in rows)


def shown_card(revealed: Json) -> int:
    """A revealed card; an object describes a card that is played in a special way."""
    return as_int(revealed.get("card") if isinstance(revealed, dict) else revealed, "a revealed card")


def hands_of(game: Game, given: Object, reveal: Object) -> dict[Seat, tuple[int, ...]]:
    """The hands before the reveal: the listed cards and the revealed one."""
    listed = by_seat(given.get("hands", {}), game.players, "hands")
    hands = {seat: as_ints(cards, "a hand") for seat, cards in listed.items()}
    for key, revealed in reveal.items():
        seat, card = as_seat(key, game.players), shown_card(revealed)
        if card not in hands.get(seat, ()):
            hands[seat] = (*hands.get(seat, ()), card)
    return hands
