"""A table at which a class plays: pupils, bots in the other seats, and who still has to choose.

>>> from nimmt_lab import Classic
>>> table = LiveTable(1, {"game": "classic", "players": 2, "options": {"rounds": 1}}, [5, None], seed=7)
>>> table.start(["Ann", "Bot"])
>>> table.thinking, table.bots_to_move
([0], [1])
>>> card = table.state.pending[0].options[0]
>>> table.choose(0, 0, str(card))
False
>>> table.choose(0, 1, str(table.state.pending[1].options[0]))
True
>>> len(table.record.choices)
1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nimmt_lab.boards.describe import describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState
from nimmt_lab.lessons.tablefile import to_csv
from nimmt_lab.screens.rules import game_of

#: The seats of a table.
FEWEST: Final = 2
MOST: Final = 10
#: Limits of a turn in seconds; 0 is none.
LIMITS: Final = (0, 20, 30, 45, 60, 90, 120)
#: Seconds for somebody who missed the turn before, so that the others don't wait for an absent player every time.
AFTER_A_MISS: Final = 6.0
#: Seconds in which a page shows an event; nobody can choose before.
SHOWING: Final = 0.7
#: The level of bots, unless the teacher chooses another.
USUAL_LEVEL: Final = "level-3"

OPEN, PLAYING, OVER = "open", "playing", "over"


@dataclass(frozen=True)
class Result:
    """One player at the end of a game."""

    seat: Seat
    name: str
    who: int | None
    points: int
    won: bool


class LiveTable:
    """`seats` are pupils by number; None is a free seat, in which a bot plays once the game has started."""

    def __init__(
        self,
        number: int,
        setup: Mapping[str, Json],
        seats: Sequence[int | None],
        *,
        seed: int,
        limit: int = 60,
        level: str = USUAL_LEVEL,
    ) -> None:
        self.number, self.setup, self.level, self.limit = number, dict(setup), level, limit
        self.seats: list[int | None] = list(seats)
        self.seed = seed
        self.game: Game = game_of(self.setup)
        if not FEWEST <= self.game.players <= MOST or len(self.seats) != self.game.players:
            raise RulesError("live.table_seats", least=FEWEST, most=MOST, got=self.game.players)
        self.record = Record(self.game, seed=seed)
        self.phase = OPEN
        self.given: dict[Seat, Choice] = {}
        #: Turns in a row that a bot has played for a pupil.
        self.missed: dict[Seat, int] = {}
        #: When the decision on the table began; not kept, so that a restart gives everybody their time again.
        self.since: float | None = None
        #: The file of the finished game, once it is saved.
        self.file = ""
        #: Games played to their end at this table before.
        self.games = 0

    @property
    def state(self) -> GameState:
        return self.record.final

    @property
    def people(self) -> list[Seat]:
        return [seat for seat, who in enumerate(self.seats) if who is not None]

    @property
    def free(self) -> list[Seat]:
        return [seat for seat, who in enumerate(self.seats) if who is None]

    def seat_of(self, who: int) -> Seat | None:
        return self.seats.index(who) if who in self.seats else None

    def start(self, names: Sequence[str]) -> None:
        """Begin the game; `names` are those of the players by seat."""
        self.phase, self.given = PLAYING, {}
        self.name(names)
        self._go_on()

    def name(self, names: Sequence[str]) -> None:
        """Write the players' names into the record."""
        self.record = self.record.noted({seat_letter(at): name for at, name in enumerate(names) if name}, {})

    def again(self, seed: int) -> None:
        """Deal another game to the same players."""
        tags = dict(self.record.tags)
        self.seed, self.file, self.games = seed, "", self.games + 1
        self.missed, self.since = {}, None
        self.record = Record(self.game, seed=seed, tags=tags)
        self.phase, self.given = PLAYING, {}
        self._go_on()

    @property
    def thinking(self) -> list[Seat]:
        """Seats of pupils (or the team) whose choice is still open, forced ones included: who is forced stays
        secret."""
        if self.phase != PLAYING:
            return []
        people = {*self.people, TEAM} if self.people else set()
        return [seat for seat in self.state.pending if seat in people and seat not in self.given]

    @property
    def bots_to_move(self) -> list[Seat]:
        if self.phase != PLAYING:
            return []
        people = {*self.people, TEAM} if self.people else set()
        return [seat for seat in self.state.pending if seat not in people and seat not in self.given]

    def may_choose(self, who: int, seat: Seat) -> bool:
        """Whether this pupil chooses for a seat: their own, or the team that they are in."""
        return self.seat_of(who) is not None and seat in (self.seat_of(who), TEAM)

    def choose(self, ply: int, seat: Seat, text: str) -> bool:
        """Give a choice in notation; whether the game went on. Choices that came too late change nothing."""
        if self.phase != PLAYING or ply != len(self.record.choices) or seat in self.given:
            return False
        decision = self.state.pending.get(seat)
        if decision is None:
            return False
        self.given[seat] = decision.accept(seat, decision.read(text))
        return self._go_on()

    def _go_on(self) -> bool:
        """Make the steps whose choices are all given or forced."""
        went = False
        while not self.state.is_over:
            pending = self.state.pending
            open_seats = [seat for seat in pending if seat not in self.given]
            if any(len(pending[seat].options) > 1 for seat in open_seats):
                break
            forced = {seat: pending[seat].options[0] for seat in open_seats}
            self.record = self.record.then({**self.given, **forced})
            self.given, went = {}, True
        if went:
            self.since = None
        if self.state.is_over:
            self.phase = OVER
        return went

    def overdue(self, now: float) -> list[Seat]:
        """Seats whose time is up. The first call after a change starts the clock."""
        if self.phase != PLAYING:
            return []
        if self.since is None:
            shown = len(self.record.steps[-1].events) if self.record.steps else 0
            self.since = now + SHOWING * shown
        if not self.limit:
            return []
        return [seat for seat in self.thinking if now >= self.since + self.allowed(seat)]

    def allowed(self, seat: Seat) -> float:
        """Seconds that a seat has for this decision."""
        return min(AFTER_A_MISS, self.limit) if self.missed.get(seat, 0) else float(self.limit)

    def left(self, seat: Seat, now: float) -> float | None:
        """Seconds that a seat has left; None without a limit."""
        if not self.limit or self.since is None or seat not in self.thinking:
            return None
        return max(0.0, self.since + self.allowed(seat) - now)

    def results(self, lang: str = "en") -> list[Result]:
        """The players of a finished game."""
        outcome = self.state.outcome
        if outcome is None:
            return []
        say = describer(self.game, board_words(lang))
        names = self.record.names
        found = []
        for seat in range(self.game.players):
            points = say.points(self.state, seat, True)
            if points is not None:
                found.append(Result(seat, names.get(seat, ""), self.seats[seat], points, seat in outcome.winners))
        return found


@dataclass(frozen=True)
class Played:
    """A finished game of the class."""

    table: int
    #: Which game at that table, from 1.
    number: int
    game: Game
    results: tuple[Result, ...]


#: Columns of the table of games: a line for each player.
COLUMNS: Final = ("table", "game", "system", "players", "seat", "name", "pupil", "points", "won")


def games_csv(played: Iterable[Played]) -> str:
    """All finished games as data for a lesson."""
    return to_csv(
        COLUMNS,
        (
            (
                one.table, one.number, one.game.name, one.game.players, seat_letter(each.seat), each.name,
                int(each.who is not None), each.points, int(each.won),
            )
            for one in played
            for each in one.results
        ),
    )  # fmt: skip
