"""How a chapter's vectors are laid, played and read off: its face `vectors.py`. Vectors count rows and seats from 1."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState

Object: TypeAlias = dict[str, Json]


class VectorError(NimmtError):
    """A vector that cannot be run: something in it has the wrong form."""


class Adapter:
    """Base of the adapters, one per chapter with keys of its own."""

    #: Expectations that are compared without regard to order.
    unordered: ClassVar[frozenset[str]] = frozenset({"taken", "hands"})
    #: Expectations by seat in which a seat that is not listed is not checked.
    partial: ClassVar[frozenset[str]] = frozenset({"hands", "heads", "scores", "luck", "actions"})

    def game(self, options: Object, given: Object) -> Game:
        """The game of the vector."""
        raise TypeError(f"{type(self).__name__} makes no game")

    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        """The state before the reveal: the table as given, the revealed cards in the hands."""
        raise TypeError(f"{type(self).__name__} lays no table")

    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        """What everybody plays."""
        raise TypeError(f"{type(self).__name__} reveals nothing")

    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        """Answer what is pending, taking from the listed choices what it uses."""
        raise TypeError(f"{type(self).__name__} answers nothing")

    def alternatives(self, state: GameState, listed: list[Object]) -> list[tuple[Mapping[Seat, Choice], list[Object]]]:
        """The answers that the listed choices may mean, each with the choices left, the likeliest first: one, unless
        a vector does not say which of a seat's cards a choice belongs to."""
        left = list(listed)
        return [(self.answer(state, left), left)]

    def in_turn(self, state: GameState) -> bool:
        """Whether the turn is still going on, so that what is asked now belongs to it."""
        return bool(state.queue)

    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        """Everything an expectation may name, in the vectors' words."""
        raise TypeError(f"{type(self).__name__} knows no facts")


#: The adapter of a game: the face `vectors.py` of its chapter.
VECTORS: Capability[type[Adapter]] = Capability("rule vectors", face="vectors")


def as_object(data: Json, name: str) -> Object:
    """A JSON object, or an error that says what should have been one."""
    if not isinstance(data, dict):
        raise VectorError("conformance.must_object_got", name=name, got=shown(data))
    return data


def as_int(data: Json, name: str) -> int:
    """A whole number, of a size that something in a game can have."""
    if isinstance(data, bool) or not isinstance(data, int) or abs(data) > 999_999:
        raise VectorError("conformance.must_whole_number", name=name, got=shown(data))
    return data


def as_ints(data: Json, name: str) -> tuple[int, ...]:
    """A list of whole numbers."""
    if not isinstance(data, list):
        raise VectorError("conformance.must_list_got", name=name, got=shown(data))
    return tuple(as_int(item, name) for item in data)


def as_number(text: str, most: int, what: str) -> int:
    """A number that keys count from 1."""
    if not re.fullmatch("[1-9][0-9]{0,2}", text) or int(text) > most:
        raise VectorError("conformance.expected_from_got", what=what, most=most, got=shown(text))
    return int(text)


def as_seat(text: str, players: int) -> Seat:
    """A seat as vectors write it: "1" is the first."""
    return as_number(text, players, "a seat") - 1


def by_seat(data: Json, players: int, name: str) -> dict[Seat, Json]:
    """An object keyed by seat."""
    return {as_seat(key, players): value for key, value in as_object(data, name).items()}


def known(given: Object, keys: frozenset[str]) -> None:
    """Refuse a key that would be passed over."""
    for key in given:
        if key not in keys:
            raise VectorError("conformance.unknown_key_given", key=shown(key), known=", ".join(sorted(keys)))
