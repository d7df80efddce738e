"""The interface between rule vectors and a chapter (its `vectors.py`). Vectors count rows and seats from 1."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import LARGEST_NUMBER, is_whole
from nimmt_lab.engine.state import GameState

Object: TypeAlias = dict[str, Json]


class VectorError(NimmtError):
    """A vector that cannot be run because part of it has the wrong form."""


class Adapter(ABC):
    """Base of the adapters: plays the vectors of one chapter and reads off the results."""

    #: Expectations that are compared without regard to order.
    unordered: ClassVar[frozenset[str]] = frozenset({"taken", "hands"})
    #: Expectations by seat that check only the listed seats.
    partial: ClassVar[frozenset[str]] = frozenset({"hands", "heads", "scores", "luck", "actions"})

    @abstractmethod
    def game(self, options: Object, given: Object) -> Game:
        """The game of the vector."""

    @abstractmethod
    def start(self, game: Game, given: Object, reveal: Object) -> GameState:
        """The state before the reveal, with the revealed cards in the hands."""

    @abstractmethod
    def reveal(self, state: GameState, reveal: Object) -> Mapping[Seat, Choice]:
        """The cards that the seats play."""

    @abstractmethod
    def answer(self, state: GameState, listed: list[Object]) -> Mapping[Seat, Choice]:
        """Answer the pending decisions, removing the choices used from `listed`."""

    def alternatives(self, state: GameState, listed: list[Object]) -> list[tuple[Mapping[Seat, Choice], list[Object]]]:
        """All readings of the listed choices, most likely first, each with the remaining choices.

        There is one, unless a vector does not say which card of a seat a choice belongs to.
        """
        left = list(listed)
        return [(self.answer(state, left), left)]

    def in_turn(self, state: GameState) -> bool:
        """Whether the pending decisions belong to the turn of the vector."""
        return bool(state.queue)

    @abstractmethod
    def facts(self, before: GameState, after: GameState, events: tuple[Event, ...]) -> Object:
        """Everything an expectation may name."""


VECTORS: Capability[type[Adapter]] = Capability("rule vectors", face="vectors")


def as_object(data: Json, name: str) -> Object:
    """A JSON object, or an error that says what should have been one."""
    if not isinstance(data, dict):
        raise VectorError("conformance.must_object_got", name=name, got=shown(data))
    return data


def as_int(data: Json, name: str) -> int:
    """A whole number of a size that occurs in games."""
    if not is_whole(data, -LARGEST_NUMBER):
        raise VectorError("conformance.must_whole_number", name=name, got=shown(data))
    return data


def as_ints(data: Json, name: str) -> tuple[int, ...]:
    if not isinstance(data, list):
        raise VectorError("conformance.must_list_got", name=name, got=shown(data))
    return tuple(as_int(item, name) for item in data)


def as_number(text: str, most: int, what: str) -> int:
    """A key that is a number from 1 to `most`."""
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
    """Refuse keys that the adapter would ignore."""
    for key in given:
        if key not in keys:
            raise VectorError("conformance.unknown_key_given", key=shown(key), known=", ".join(sorted(keys)))
