"""What a bot is, how bots are named, and a game among them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeVar

from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .advice import Advice

B = TypeVar("B", bound="type[Bot]")

_BOTS: dict[str, Callable[..., Bot]] = {}


class Bot(ABC):
    """A player. `choose` sees what its seat may know, and a random stream of its own; it changes nothing."""

    #: The name by which `bot` and the command line know it.
    name: ClassVar[str]

    @abstractmethod
    def choose(self, view: View, rng: Rng) -> Choice:
        """One of `view.decision.options`."""

    def advise(self, view: View, *, seed: int = 0) -> Advice:
        """Every option of `view.decision` with what it promises, and its error. A bot that has no idea what an option
        is worth refuses.

        >>> from nimmt_lab import Classic
        >>> view = Classic(players=2).deal(seed=1).view(0)
        >>> bot("flat:playouts=50").advise(view).best in view.hand
        True
        >>> bot("lowest").advise(view)
        Traceback (most recent call last):
        nimmt_lab.engine.errors.Unsupported: the bot lowest gives no advice: it cannot say what an option promises
        """
        raise Unsupported("bots.bot_gives_no", name=self)

    def __repr__(self) -> str:
        return self.name


def register(kind: B) -> B:
    """Make a bot known by its name."""
    _BOTS[kind.name] = kind
    return kind


def register_as(name: str, make: Callable[..., Bot]) -> None:
    """Make a bot known by a name that its class does not have."""
    _BOTS[name] = make


def bot_names() -> tuple[str, ...]:
    """The bots there are.

    >>> "random" in bot_names()
    True
    """
    return tuple(_BOTS)


def bot(text: str) -> Bot:
    """The bot of that name. Options follow a colon: `flat:playouts=100,goal=win`.

    >>> bot("flat:playouts=100,goal=win")
    flat:playouts=100,goal=win
    >>> bot("oracle")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: no bot 'oracle'; there are: ...
    """
    name, _, rest = text.partition(":")
    if name not in _BOTS:
        raise RulesError("bots.no_bot", name=shown(name), known=", ".join(_BOTS))
    options: dict[str, object] = {}
    for part in filter(None, rest.split(",")):
        key, _, word = part.partition("=")
        word = word.strip()
        options[key.strip()] = int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else word[:100]
    try:
        return _BOTS[name](**options)
    except TypeError as error:
        raise RulesError("bots.bot_option", name=shown(name), error=str(error)[:200]) from None


def needed(view: View) -> Decision:
    """What the view's seat is asked."""
    if view.decision is None:
        raise RulesError("bots.not_this_seat")
    return view.decision


def ask(state: GameState, bots: Sequence[Bot], seed: int, stream: int) -> Mapping[int, Choice]:
    """Everybody's choice now. What a team decides together is for the bot of seat A to say."""
    return {
        seat: bots[max(seat, 0)].choose(state.view(seat), Rng.from_seed(seed, stream + max(seat, 0)))
        for seat in state.pending
    }


def play(game: Game, bots: Sequence[Bot], seed: int) -> GameState:
    """Play a game from the deal of `seed` to its end, and give its last state.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import RandomBot
    >>> a, b = (play(Classic(players=2, rounds=1), [RandomBot(), RandomBot()], seed=4) for _ in "ab")
    >>> a.outcome == b.outcome
    True
    """
    return _play(game, bots, seed)[0]


def record(game: Game, bots: Sequence[Bot], seed: int) -> Record:
    """The same game as a record, to replay, explain or keep.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import RandomBot
    >>> game, players = Classic(players=2, rounds=1), [RandomBot(), RandomBot()]
    >>> record(game, players, seed=4).outcome == play(game, players, seed=4).outcome
    True
    """
    return Record.from_play(game, seed, _play(game, bots, seed)[1])


def _play(game: Game, bots: Sequence[Bot], seed: int) -> tuple[GameState, list[Mapping[int, Choice]]]:
    if len(bots) != game.players:
        raise RulesError("bots.needed", players=game.players, need=game.players, got=len(bots))
    state = game.deal(seed)
    history: list[Mapping[int, Choice]] = []
    while not state.is_over:
        # The bots' randomness is apart from the deal's: other bots meet the same cards.
        choices = ask(state, bots, seed, 16 * (len(history) + 1))
        history.append(choices)
        state, _ = state.choose(choices)
    return state, history
