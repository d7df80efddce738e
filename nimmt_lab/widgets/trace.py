"""A transition in slow motion: the table as it stood after each event.

A step's events say what happened; a board also needs what lay where at that moment. Rather than work that out a second
time, the step is played again on a table whose list of events takes a picture of the table with every entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, SupportsIndex

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Table


class Moment(NamedTuple):
    """An event and the table right after it. Without an event: nothing happened, but something is asked."""

    event: Event | None
    state: GameState


class _Pictures(list[Event]):
    """The event list of a table, with a picture of the table per event."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.taken: list[Moment] = []

    def append(self, event: Event) -> None:
        super().append(event)
        self.taken.append(Moment(event, self.table.freeze()))

    def insert(self, at: SupportsIndex, event: Event) -> None:
        raise TypeError("events happen one after the other")

    extend = __iadd__ = None  # type: ignore[assignment]  # every event passes `append`


def _watch(table: Table) -> _Pictures:
    pictures = _Pictures(table)
    table.events = pictures
    return pictures


def _run(game: Game, table: Table, pictures: _Pictures) -> tuple[Moment, ...]:
    """Play on until something is asked; the last moment shows what."""
    while not table.pending and table.outcome is None:
        game.go_on(table)
    after = table.freeze()
    if not pictures.taken:
        return (Moment(None, after),)
    return (*pictures.taken[:-1], Moment(pictures.taken[-1].event, after))


def step_moments(before: GameState, choices: Mapping[Seat, Choice]) -> tuple[Moment, ...]:
    """What `before.choose(choices)` does, one moment at a time.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    >>> [type(moment.event).__name__ for moment in step_moments(state, {0: 14, 1: 15})]
    ['CardsRevealed', 'CardPlaced', 'CardPlaced']
    >>> step_moments(state, {0: 14, 1: 15})[1].state.rows[0]
    (12, 14)
    """
    before.choose(choices)  # an illegal choice is refused before anything is shown
    answers = {seat: decision.accept(seat, choices[seat]) for seat, decision in before.pending.items()}
    table = Table.of(before)
    pictures = _watch(table)
    before.game.answer(table, before.pending, answers)
    return _run(before.game, table, pictures)


def opening_moments(record: Record) -> tuple[Moment, ...]:
    """The deal, or what happens at once on the position a record starts from."""
    game = record.game
    table = Table(game, Rng.from_seed(record.seed))
    if record.start is None:
        pictures = _watch(table)
        game.start_round(table)
        return _run(game, table, pictures)
    game.opening_from(record.start, seed=record.seed)  # checks the position
    position = Position.parse(record.start)
    position.lay(table)
    game.read_sections(table, position.sections)
    table.turn = game.usual_turn(table) if position.turn is None else position.turn
    game.check_position(table, True)
    laid = Moment(None, table.freeze())
    pictures = _watch(table)
    moments = _run(game, table, pictures)
    return moments if moments[0].event is None else (laid, *moments)
