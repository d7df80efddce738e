"""Vectors of Beat the Buffalo. Uses of special cards are listed with the card they come before."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from typing import ClassVar

from nimmt_lab.conformance.adapter import (
    VECTORS,
    Adapter,
    Object,
    VectorError,
    as_int,
    as_ints,
    as_object,
    as_seat,
    known,
)
from nimmt_lab.conformance.cards import hands_of, row_choice, rows_of
from nimmt_lab.engine.cards import TEAM, Cards, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import CardPlaced, Event, Json, RowTaken
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState

from .notation import row_cards
from .parts import BuffaloTable
from .rules import Buffalo
from .uses import (
    ChooseSwap,
    First,
    Insert,
    Last,
    LiftStop,
    Pass,
    Push,
    SevenTakes,
    Sort,
    Stop,
    Swap,
    Use,
    UseSpecials,
)

_GIVEN = frozenset({"rows", "hands", "specials_up", "specials_deck", "row_cards"})


@VECTORS.provides(Buffalo)
class BuffaloAdapter(Adapter):
    """One turn against the buffalo."""

    unordered: ClassVar[frozenset[str]] = frozenset(
        {"taken", "hands", "team_taken", "buffalo_taken", "specials_up", "row_cards"}
    )

    def game(self, options: Object, given: Object) -> Game:
        return from_options(options)

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        known(given, _GIVEN)
        sections = {
            "buffalo": str(as_int(reveal["buffalo"], "the buffalo's card")) if "buffalo" in reveal else "-",
            "specials": _words(given.get("specials_up", []), "specials_up"),
            "special_deck": _words(given.get("specials_deck", []), "specials_deck"),
            **_rows_by_kind(as_object(given.get("row_cards", {}), "row_cards")),
        }
        players = {seat: card for seat, card in reveal.items() if seat != "buffalo"}
        position = Position(rows=rows_of(given), hands=hands_of(game, given, players), sections=sections)
        state = game.from_position(position, ordered=False)
        # A Stop! that lies could be lifted between turns. A vector begins with the reveal.
        return state.choose({TEAM: Pass()})[0] if TEAM in state.pending else state

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        return {
            as_seat(seat, state.game.players): as_int(card, "a revealed card")
            for seat, card in reveal.items()
            if seat != "buffalo"
        }

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        ((seat, decision),) = state.pending.items()
        if isinstance(decision, ChooseSwap):
            return {seat: as_int(listed.pop(0)["card"], "card")}
        if not isinstance(decision, UseSpecials):
            rows = decision.options
            # A decision with a single option is not listed: three stopped rows leave one.
            return {seat: rows[0] if len(rows) == 1 else row_choice(seat, listed)}
        if not listed or listed[0].get("before") != decision.before:
            return {TEAM: Pass()}
        choice = listed.pop(0)
        use = read_use(choice, state)
        if isinstance(use, Swap):
            # Two decisions in one (R-B18): the second half is answered when the seat is asked for it.
            listed[:0] = _swapped_in(choice, use, state)
        return {TEAM: use}

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        extra = BuffaloTable.of(after)
        lying = {str(row + 1): row_cards(extra, row) for row in range(len(after.rows))}
        team, buffalo = (_taken(events, side, after.game) for side in (0, 1))
        return {
            "rows": [list(row) for row in after.rows],
            "placed": [[event.card, event.row + 1] for event in events if isinstance(event, CardPlaced)],
            "team_taken": team,
            "buffalo_taken": buffalo,
            "heads": {
                **{
                    str(seat + 1): sum(e.heads for e in events if isinstance(e, RowTaken) and e.seat == seat)
                    for seat in range(after.game.players)
                },
                "team": after.game.heads_in(_cards(team)),
                "buffalo": after.game.heads_in(_cards(buffalo)),
            },
            "hands": {str(seat + 1): list(hand) for seat, hand in enumerate(after.hands)},
            "specials_up": [kind.value for kind in extra.up],
            "specials_deck": [kind.value for kind in extra.special_deck if kind is not None],
            "row_cards": {row: list(cards) for row, cards in lying.items() if cards},
        }


def read_use(choice: Object, state: GameState) -> Use:
    """A listed use of a special card."""
    if "lift_stop" in choice:
        return LiftStop(as_int(choice["lift_stop"], "lift_stop") - 1)
    kind = choice.get("use")
    match kind:
        case "seven_takes":
            return SevenTakes(_row(choice))
        case "stop":
            return Stop(_row(choice))
        case "swap":
            return Swap(_seat(choice))
        case "insert":
            row = _row(choice)
            _check_place(choice, state.rows, state.queue[0].card, row)
            return Insert(row)
        case "push":
            card, row = as_int(choice.get("card"), "card"), as_int(choice.get("to_row"), "to_row") - 1
            _check_place(choice, state.rows, card, row)
            return Push(card, row)
        case "first":
            return First(_seat(choice), choice.get("second") is True)
        case "last":
            return Last(_seat(choice), choice.get("second") is True)
        case "sort":
            return Sort(as_ints(choice.get("order"), "order"))
    raise VectorError("buffalo.no_special_card", kind=shown(kind))


def _swapped_in(choice: Object, swap: Swap, state: GameState) -> list[Object]:
    """The card of a swap as a choice of its own; who has only one card left is not asked for it."""
    card = as_int(choice.get("card"), "card")
    hand = state.hands[swap.seat] if 0 <= swap.seat < len(state.hands) else ()
    if len(hand) != 1:
        return [{"card": card}]
    if card not in hand:
        raise VectorError("buffalo.seat_has_no", who=swap.seat + 1, card=card)
    return []


def _check_place(choice: Object, rows: tuple[Cards, ...], card: int, row: int) -> None:
    """Ascending order leaves one place; a vector that says another is wrong (R-B7)."""
    place = bisect(rows[row], card) + 1 if 0 <= row < len(rows) else 1
    if "position" in choice and as_int(choice["position"], "position") != place:
        raise VectorError("buffalo.can_only_have", card=card, place=place, row=row + 1, got=choice["position"])


def _row(choice: Object) -> int:
    return as_int(choice.get("row"), "row") - 1


def _seat(choice: Object) -> Seat:
    return as_int(choice.get("seat"), "seat") - 1


def _words(data: Json, name: str) -> str:
    if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
        raise VectorError("buffalo.must_list_special", name=name, got=shown(data))
    return " ".join(map(str, data))


def _rows_by_kind(cards: Object) -> dict[str, str]:
    """`{"2": ["stop"]}` as the sections of a position."""
    sections: dict[str, str] = {}
    for row, kinds in cards.items():
        for kind in _words(kinds, "row_cards").split():
            if kind not in ("seven_takes", "stop"):
                raise VectorError("buffalo.cannot_lie_at", kind=shown(kind))
            sections[kind] = f"{sections.get(kind, '')} {row}".strip()
    return sections


def _taken(events: tuple[Event, ...], pile: int, game: Game) -> list[Json]:
    taken = [event.cards for event in events if isinstance(event, RowTaken) and game.pile_of(event.seat) == pile]
    return [*sorted(card for cards in taken for card in cards)]


def _cards(cards: list[Json]) -> Cards:
    return tuple(as_int(card, "card") for card in cards)
