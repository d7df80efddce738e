"""Replay: a recorded game, one event at a time, with what might have been."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film, film_of
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Choices, Record, Step
from nimmt_lab.engine.state import GameState

from .base import Screen


class ReplayScreen(Screen):
    """Steps through a record, or shows a single state.

    `seats` names the seats whose hands lie open (all, if None); `seat` is the one the number line is drawn for, and
    `at` the number of the frame on show (from the end, if negative).
    """

    module: ClassVar[str] = "replay"
    settable: ClassVar[tuple[str, ...]] = ("at",)

    def __init__(
        self,
        what: Record | GameState,
        *,
        at: int = 0,
        seat: Seat = 0,
        seats: Iterable[Seat] | None = None,
        names: Mapping[Seat, str] | None = None,
        lang: str = "en",
    ) -> None:
        self._seats = None if seats is None else tuple(seats)
        self._lang = lang
        if isinstance(what, Record):
            film = film_of(what, lang=lang, seats=self._seats, names=names)
            self._steps: tuple[Step, ...] = what.steps
            self._final = what.final
        else:
            film = Film(what.game, lang=lang, names=names, seats=self._seats)
            film.position(what)
            self._steps = ()
            self._final = what
        self._names = film.words.names
        last = len(film.frames) - 1
        shown = range(last + 1)[at] if -last - 1 <= at <= last else last
        super().__init__(scene=film.scene(), at=shown, seat=seat, live=True)

    def _state(self, ply: int) -> GameState:
        return self._steps[ply].before if ply < len(self._steps) else self._final

    def receive(self, message: Obj) -> None:
        """`what_if`: from a decision of the game choose something else, and go on from there."""
        self.tell({"type": "branch", **self._branch(message)})

    def _branch(self, message: Obj) -> Obj:
        ply, lines = message.get("ply"), message.get("choices")
        if message.get("type") != "what_if" or not isinstance(ply, int) or not 0 <= ply <= len(self._steps):
            raise NotationError("screens.expected_decision_game", got=shown(ply))
        if not isinstance(lines, list) or not lines:
            raise NotationError("screens.expected_choices")
        state = self._state(ply)
        steps = list(self._steps[:ply])
        for said in lines:
            steps.append(Step.of(state, self._read(state, said, ply)))
            state, ply = steps[-1].state, ply + 1
        film = Film(state.game, lang=self._lang, names=self._names, seats=self._seats)
        film.step(steps[-1], ply, self._usual(state, ply), steps[:-1])
        scene = film.scene()
        return {"pool": scene["pool"], "frames": scene["frames"]}

    def _read(self, state: GameState, said: object, ply: int) -> Choices:
        """What the browser chose; seats it may not look into do as they did, or the first thing they may."""
        if not isinstance(said, dict):
            raise NotationError("screens.expected_choices_seat", got=shown(said))
        usual = self._usual(state, ply)
        choices: dict[Seat, Choice] = {}
        for seat, decision in state.pending.items():
            text = said.get(str(seat))
            choices[seat] = decision.read(text) if isinstance(text, str) else usual.get(seat, decision.options[0])
        return choices

    def _usual(self, state: GameState, ply: int) -> Choices:
        """What was chosen in the game at this point, as far as it is still possible."""
        if ply >= len(self._steps):
            return {}
        done = self._steps[ply].choices
        return {
            seat: done[seat]
            for seat, decision in state.pending.items()
            if seat in done and done[seat] in decision.options
        }
