"""A recorded game, one event at a time, with what-if lines."""

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

from .board import BoardScreen, frame_number


class ReplayScreen(BoardScreen):
    """Step through a record, or show a single state.

    `seats` are the seats whose hands are open (if None, all whose hands are known), `seat` the one the number line is
    drawn for, and `at` the frame to start with (counted from the end if negative).
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
        if seats is None and isinstance(what, Record) and what.hidden:
            seats = (seat for seat in range(what.game.players) if seat not in what.hidden)
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
        super().__init__(scene=film.scene(), at=frame_number(at, len(film.frames)), seat=seat, live=True)

    @property
    def seat(self) -> Seat:
        """The seat the number line is drawn for."""
        seat = self.data["seat"]
        assert isinstance(seat, int)
        return seat

    def _state(self, ply: int) -> GameState:
        return self._steps[ply].before if ply < len(self._steps) else self._final

    def receive(self, message: Obj) -> None:
        """`what_if`: choose something else at a decision of the game, and continue from there."""
        self.tell({"type": "branch", **self._branch(message)})

    def _branch(self, message: Obj) -> Obj:
        ply, lines = message.get("ply"), message.get("choices")
        if message.get("type") != "what_if" or not isinstance(ply, int) or not 0 <= ply <= len(self._steps):
            raise NotationError("screens.expected_decision_game", got=shown(ply))
        if not isinstance(lines, list) or not lines:
            raise NotationError("screens.expected_choices")
        state = self._state(ply)
        steps = list(self._steps[:ply])
        for line in lines:
            steps.append(Step.of(state, self._read(state, line, ply)))
            state, ply = steps[-1].state, ply + 1
        film = Film(state.game, lang=self._lang, names=self._names, seats=self._seats)
        film.step(steps[-1], ply, self._usual(state, ply), steps[:-1])
        scene = film.scene()
        return {"pool": scene["pool"], "frames": scene["frames"]}

    def _read(self, state: GameState, line: object, ply: int) -> Choices:
        """The browser's choices; a seat it did not choose for repeats its choice of the game, or takes its first
        option."""
        if not isinstance(line, dict):
            raise NotationError("screens.expected_choices_seat", got=shown(line))
        usual = self._usual(state, ply)
        choices: dict[Seat, Choice] = {}
        for seat, decision in state.pending.items():
            text = line.get(str(seat))
            choices[seat] = decision.read(text) if isinstance(text, str) else usual.get(seat, decision.options[0])
        return choices

    def _usual(self, state: GameState, ply: int) -> Choices:
        """The choices of the game at this ply that are still legal."""
        if ply >= len(self._steps):
            return {}
        done = self._steps[ply].choices
        return {
            seat: done[seat]
            for seat, decision in state.pending.items()
            if seat in done and done[seat] in decision.options
        }
