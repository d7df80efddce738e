"""Table: play any game of the family in the notebook against bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film, names_of
from nimmt_lab.boards.tell import hints
from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .base import SceneWidget

if TYPE_CHECKING:
    from nimmt_lab.bots import Bot

#: Whoever looks at a view and says what to choose: a bot of `nimmt_lab.bots`, its name, or a function.
Player: TypeAlias = "Bot | str | Callable[[View], Choice]"
_Chooser: TypeAlias = Callable[[View, Rng], Choice]
#: The bot that sits down where none is named.
USUAL_BOT = "least-risk"


class Table(SceneWidget):
    """A game to play: you are `seat`, `bots` are the others, in the order of their seats (one for all is enough).

    Every choice is a decision of the engine, and `record` holds the game so far, ready for `Replay`. A team that
    decides together (Beat the Buffalo) is led by you.

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

    _module: ClassVar[str] = "table"

    def __init__(
        self,
        game: Game,
        bots: Player | Sequence[Player] = USUAL_BOT,
        *,
        seat: Seat = 0,
        seed: int = 0,
        names: Mapping[Seat, str] | None = None,
        hints: bool = False,
        lang: str = "en",
    ) -> None:
        if seat not in range(game.players):
            raise RulesError(f"there is no seat {seat}; seats are 0 to {game.players - 1}")
        others = [other for other in range(game.players) if other != seat]
        named = [bots] * len(others) if isinstance(bots, str) or not isinstance(bots, Sequence) else bots
        if len(named) != len(others):
            raise RulesError(f"{game.players} players: {len(others)} bots are needed, got {len(named)}")
        self.seat = seat
        self._players = {other: _chooser(bot) for other, bot in zip(others, named, strict=True)}
        self._names = dict(names or {})
        self._lang = lang
        self._hints = hints
        self._record = Record(game, seed=seed)
        super().__init__()
        self._begin()

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._record

    # What the browser may ask for ------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`choose`, `undo`, `hints` or `new`; what cannot be done is answered in words."""
        try:
            kind = message.get("type")
            if kind == "choose":
                # A second click may be on its way when the first one was answered: it was meant for another moment.
                if message.get("ply") == len(self._record.choices):
                    self.play(str(message.get("choice")))
            elif kind == "undo":
                self.undo()
            elif kind == "hints":
                self._hints = bool(message.get("on"))
                self.scene = {**self.scene, **self._asides(), "film": False}
            elif kind == "new":
                self.new_game(self._record.seed + 1)
            else:
                raise NotationError(f"no message {shown(kind)}")
        except NimmtError as error:
            self.send({"type": "refused", "text": str(error)})

    def play(self, choice: str) -> None:
        """Choose for your seat (or the team), as notation writes it; the bots choose with you and play on."""
        state = self._record.final
        mine = self._asked()
        if mine is None:
            raise NotationError("nothing is asked of you now")
        film = self._film()
        self._step(film, {mine: state.pending[mine].read(choice)})
        self._play_on(film)

    def undo(self) -> None:
        """Take your last choice back, and what happened since."""
        choices = self._record.choices
        mine = [at for at, made in enumerate(choices) if self.seat in made or TEAM in made]
        if mine:
            record = self._record
            self._record = Record(record.game, choices[: mine[-1]], record.seed, record.start, record.tags)
            self._still()

    def new_game(self, seed: int) -> None:
        """Deal again."""
        self._record = Record(self._record.game, seed=seed)
        self._begin()

    # Playing ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        film = self._film()
        film.opening(self._record)
        self._play_on(film)

    def _asked(self) -> Seat | None:
        pending = self._record.final.pending
        return next((seat for seat in (self.seat, TEAM) if seat in pending), None)

    def _step(self, film: Film, mine: dict[Seat, Choice]) -> None:
        state = self._record.final
        choices = dict(mine)
        for seat in state.pending:
            if seat not in choices:
                stream = 16 * (len(self._record.choices) + 1) + seat
                choices[seat] = self._players[seat](state.view(seat), Rng.from_seed(self._record.seed, stream))
        self._record = self._record.then(choices)
        *earlier, step = self._record.steps
        film.step(step, len(self._record.choices), earlier=earlier)

    def _play_on(self, film: Film) -> None:
        """The bots go on alone until you are asked, or the game is over."""
        while not self._record.final.is_over and self._asked() is None:
            self._step(film, {})
        self._show(film, moving=True)

    def _still(self) -> None:
        film = self._film()
        film.position(self._record.final)
        self._show(film, moving=False)

    def _film(self) -> Film:
        names = names_of(self._record) | self._names
        return Film(self._record.game, lang=self._lang, names=names, seats=(self.seat,))

    def _show(self, film: Film, *, moving: bool) -> None:
        self.scene = {**film.scene(), "film": moving, **self._asides()}

    def _asides(self) -> Obj:
        """What stands around the frames: how far the game is, hints, and whether it is over."""
        state = self._record.final
        seat = self._asked()
        found: dict[str, Json] = {}
        if self._hints and seat is not None:
            found = hints(state, seat, self._film().words)
        return {
            "ply": len(self._record.choices),
            "seat": self.seat,
            "hinting": self._hints,
            "hints": found,
            "over": state.is_over,
            "undoable": any(self.seat in made or TEAM in made for made in self._record.choices),
        }


def _chooser(player: Player) -> _Chooser:
    """What every kind of player can do."""
    from nimmt_lab.bots import Bot, bot

    if isinstance(player, str):
        return bot(player).choose
    if isinstance(player, Bot):
        return player.choose
    return lambda view, _rng: player(view)
