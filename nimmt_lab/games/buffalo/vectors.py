"""Vectors of Beat the Buffalo. A vector lists each use of a special card with the card that it comes before."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from typing import ClassVar, Final

from nimmt_lab.conformance.adapter import VECTORS, Object, VectorError, as_int, as_ints, as_object, known
from nimmt_lab.conformance.cards import CardAdapter, hands_of, row_choice, rows_of
from nimmt_lab.engine.cards import TEAM, Cards, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import Event, Json, RowTaken
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.state import GameState

from . import uses
from .notation import row_cards
from .parts import BuffaloTable
from .rules import Buffalo

_GIVEN: Final = frozenset({"rows", "hands", "specials_up", "specials_deck", "row_cards"})
_ON_ROW: Final = {"seven_takes": uses.SevenTakes, "stop": uses.Stop, "insert": uses.Insert}
_IN_ORDER: Final = {"first": uses.First, "last": uses.Last}


@VECTORS.provides(Buffalo)
class BuffaloAdapter(CardAdapter):
    unordered: ClassVar[frozenset[str]] = CardAdapter.unordered | {
        "team_taken", "buffalo_taken", "specials_up", "row_cards"
    }  # fmt: skip

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        known(given, _GIVEN)
        sections = {
            "buffalo": str(as_int(reveal["buffalo"], "the buffalo's card")) if "buffalo" in reveal else "-",
            "specials": _words(given.get("specials_up", []), "specials_up"),
            "special_deck": _words(given.get("specials_deck", []), "specials_deck"),
            **_rows_by_kind(as_object(given.get("row_cards", {}), "row_cards")),
        }
        position = Position(rows_of(given), hands_of(game, given, _players(reveal)), sections=sections)
        state = game.from_position(position, ordered=False)
        # The team could lift a Stop! between turns, but a vector begins with the reveal.
        return state.choose({TEAM: uses.Pass()})[0] if TEAM in state.pending else state

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        return super().reveal(state, _players(reveal))

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        ((seat, decision),) = state.pending.items()
        if isinstance(decision, uses.ChooseSwap):
            return {seat: as_int(listed.pop(0)["card"], "card")}
        if not isinstance(decision, uses.UseSpecials):
            rows = decision.options
            # A decision with a single option is not listed: three stopped rows leave one.
            return {seat: rows[0] if len(rows) == 1 else row_choice(seat, listed)}
        if not listed or listed[0].get("before") != decision.before:
            return {TEAM: uses.Pass()}
        choice = listed.pop(0)
        use = _read_use(choice, state)
        if isinstance(use, uses.Swap):
            # Two decisions in one (R-B18): the seat answers the second half when it is asked.
            listed[:0] = _swapped_in(choice, use, state)
        return {TEAM: use}

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        game, extra = after.game, BuffaloTable.of(after)
        takes = [event for event in events if isinstance(event, RowTaken)]
        team, buffalo = (
            sorted(card for take in takes if game.pile_of(take.seat) == pile for card in take.cards) for pile in (0, 1)
        )
        facts = super().facts(before, after, events)
        sides: Object = {"team": game.heads_in(tuple(team)), "buffalo": game.heads_in(tuple(buffalo))}
        lying = {str(row + 1): row_cards(extra, row) for row in range(len(after.rows))}
        return facts | {
            "team_taken": [*team],
            "buffalo_taken": [*buffalo],
            "heads": as_object(facts["heads"], "heads") | sides,
            "specials_up": [kind.value for kind in extra.up],
            "specials_deck": [kind.value for kind in extra.special_deck if kind is not None],
            "row_cards": {row: [*cards] for row, cards in lying.items() if cards},
        }


def _players(reveal: Object) -> Object:
    return {seat: card for seat, card in reveal.items() if seat != "buffalo"}


def _read_use(choice: Object, state: GameState) -> uses.Use:
    """A listed use of a special card."""
    if "lift_stop" in choice:
        return uses.LiftStop(_number(choice, "lift_stop"))
    kind = str(choice.get("use"))
    if kind in _ON_ROW:
        row = _number(choice, "row")
        if kind == "insert":
            _check_place(choice, state.rows, state.queue[0].card, row)
        return _ON_ROW[kind](row)
    if kind in _IN_ORDER:
        return _IN_ORDER[kind](_number(choice, "seat"), choice.get("second") is True)
    if kind == "swap":
        return uses.Swap(_number(choice, "seat"))
    if kind == "push":
        card, row = as_int(choice.get("card"), "card"), _number(choice, "to_row")
        _check_place(choice, state.rows, card, row)
        return uses.Push(card, row)
    if kind == "sort":
        return uses.Sort(as_ints(choice.get("order"), "order"))
    raise VectorError("buffalo.no_special_card", kind=shown(choice.get("use")))


def _swapped_in(choice: Object, swap: uses.Swap, state: GameState) -> list[Object]:
    """The card of a swap as a choice of its own; a seat with a single card is not asked for it."""
    card = as_int(choice.get("card"), "card")
    hand = state.hands[swap.seat] if 0 <= swap.seat < len(state.hands) else ()
    if len(hand) != 1:
        return [{"card": card}]
    if card not in hand:
        raise VectorError("buffalo.seat_has_no", who=swap.seat + 1, card=card)
    return []


def _check_place(choice: Object, rows: tuple[Cards, ...], card: int, row: int) -> None:
    """Refuse a vector that names another place than the one that keeps the row ascending (R-B7)."""
    place = bisect(rows[row], card) + 1 if 0 <= row < len(rows) else 1
    if "position" in choice and as_int(choice["position"], "position") != place:
        raise VectorError("buffalo.can_only_have", card=card, place=place, row=row + 1, got=choice["position"])


def _number(choice: Object, key: str) -> int:
    """A row or seat, counted from 0."""
    return as_int(choice.get(key), key) - 1


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
