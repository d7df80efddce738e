"""The boards of a notebook: Replay, Table, Exercise, NumberLine and SolverPanel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from IPython import get_ipython

from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Moment
from nimmt_lab.screens.assets import board_bundle
from nimmt_lab.screens.board import BoardScreen
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.solver_panel import SolverScreen, tables
from nimmt_lab.screens.table import USUAL_BOT, Player, TableScreen

from .base import Board


class Replay(ReplayScreen, Board):
    """A board that steps through a record, or shows a single state.

    `seats` are the seats whose hands are open (if None, all whose hands are known), `seat` the one the number line is
    drawn for, and `at` the frame to start with (counted from the end if negative).

    >>> from nimmt_lab import Classic, Record
    >>> game = Classic(players=2, hand_size=1, rounds=1)
    >>> start = game.deal(seed=1)
    >>> record = Record.from_play(game, 1, [{0: start.hands[0][0], 1: start.hands[1][0]}])
    >>> replay = Replay(record, lang="pl")
    >>> len(replay.scene["frames"]) == 1 + len(record.steps[0].events)
    True
    """

    _esm: ClassVar[str] = board_bundle("replay")


def replayed(record: Record) -> tuple[dict[str, object], dict[str, object]] | None:
    """The output of a notebook cell that ends in a record: a replay, or None at a prompt, where nothing can be clicked.

    >>> from nimmt_lab import Classic
    >>> replayed(Record(Classic(players=2), seed=1)) is None
    True
    """
    if not hasattr(get_ipython(), "kernel"):
        return None
    shown: tuple[dict[str, object], dict[str, object]] = Replay(record)._repr_mimebundle_()
    return shown


class Table(TableScreen, Board):
    """A game to play: you are `seat`, and `bots` are the other players in seat order (one for all is enough).

    Every choice is a decision of the engine, and `record` is the game so far, ready for `Replay`. In a team game
    (Beat the Buffalo) you lead the team, and are asked about special cards where one would change the turn, or every
    time if `asks`. Forced choices are made for you.

    >>> from nimmt_lab import Classic
    >>> table = Table(Classic(players=2, rounds=1), [lambda view: view.decision.options[0]], seed=1)
    >>> card = table.record.final.hands[0][-1]
    >>> table.play(str(card))
    >>> len(table.record.choices), card in table.record.final.hands[0]
    (1, False)
    >>> table.undo()
    >>> len(table.record.choices)
    0
    """

    _esm: ClassVar[str] = board_bundle("table")

    def __init__(
        self,
        game: Game,
        bots: Player | Sequence[Player] = USUAL_BOT,
        *,
        seat: Seat = 0,
        seed: int = 0,
        names: Mapping[Seat, str] | None = None,
        hints: bool = False,
        asks: bool = False,
        lang: str = "en",
    ) -> None:
        super().__init__(Record(game, seed=seed), bots, people=(seat,), names=names, hints=hints, asks=asks, lang=lang)

    @property
    def seat(self) -> Seat:
        return self.people[0]

    def new_game(self, seed: int) -> None:
        """Deal again."""
        self.begin(Record(self.record.game, seed=seed))


class Exercise(ExerciseScreen, Board):
    """Questions to answer with the mouse or the keyboard, one after the other.

    Give the questions, or a game to generate them from: the `kinds` in turn, at a `difficulty` from 1 to 3, by `seed`.

    >>> from nimmt_lab import Classic
    >>> exercise = Exercise(Classic(players=4), kinds=["takes"], seed=3)
    >>> exercise.answer(next(iter(exercise.question.right)))
    True
    >>> exercise.answers[0].right, exercise.score
    (True, (1, 1))
    """

    _esm: ClassVar[str] = board_bundle("exercise")


class NumberLine(BoardScreen, Board):
    """The deck as a strip: each row's interval, the cards of `seat` above it, seen cards filled, unseen ones open.

    `value` is the number under the cursor.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    >>> NumberLine(state, value=45).value
    45
    """

    _esm: ClassVar[str] = board_bundle("number_line")
    module: ClassVar[str] = "number_line"
    settable: ClassVar[tuple[str, ...]] = ("value",)

    def __init__(self, state: GameState, *, seat: Seat = 0, value: int = 0, lang: str = "en") -> None:
        film = Film(state.game, lang=lang, seats=(seat,))
        if not film.describe.zones(state):
            raise Unsupported("widgets.no_number_line", game=state.game.name)
        film.still(Moment(None, state))
        super().__init__(scene=film.scene(), seat=seat, value=value, live=True)

    @property
    def value(self) -> int:
        """The number under the cursor; setting it moves the cursor."""
        value = self.data["value"]
        assert isinstance(value, int)
        return value

    @value.setter
    def value(self, value: int) -> None:
        self.show(value=value)


class SolverPanel(SolverScreen, Board):
    """The payoff matrix of the turn, both optimal mixes, the regret of each choice, and the expected result.

    Give a state, the text of a position, or a record to step through its decisions. `seconds` is the time limit for
    one position; what is not solved by then is shown as bounds. In a notebook an unfinished game is searched while
    it is on show: a button stops the search and continues it.

    >>> from nimmt_lab import Advanced
    >>> state = Advanced(players=2).from_position("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
    >>> panel = SolverPanel(state)
    >>> panel.scene["solver"][0]["expected"][2]
    '+4.80'
    """

    _esm: ClassVar[str] = board_bundle("solver_panel")

    def _fallback(self) -> str:
        return super()._fallback() + tables(self.scene["solver"][self.at])
