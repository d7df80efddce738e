"""The `Bot` interface, bots by name, and games between bots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import signature
from typing import ClassVar, TypeAlias, TypeVar

from nimmt_lab.engine import halt
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game, check_game
from nimmt_lab.engine.habits import any_option
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .advice import Advice

B = TypeVar("B", bound="type[Bot]")

#: Every bot by name: its class, or a function that makes it.
BOTS: dict[str, Callable[..., Bot]] = {}


class Bot(ABC):
    """A player: a policy from a seat's view, and a random stream, to one of its options."""

    #: The name used by `bot`, the command line and tables of results; without one, that of the class.
    name: ClassVar[str]

    @abstractmethod
    def choose(self, view: View, rng: Rng) -> Choice:
        """Return one of `view.decision.options`."""

    def advise(self, view: View, *, seed: int = 0) -> Advice:
        """Evaluate every option of `view.decision`. Bots without a value estimate raise `Unsupported`.

        >>> from nimmt_lab import Classic
        >>> view = Classic(players=2).deal(seed=1).view(0)
        >>> bot("flat:playouts=50").advise(view).best in view.hand
        True
        """
        raise Unsupported("bots.bot_gives_no", name=self)

    @staticmethod
    def from_policy(policy: Callable[..., Choice], name: str | None = None, *, every: bool = False) -> Bot:
        """A function as a bot: from a view, or a view and a random stream, to one of `view.decision.options`.

        It is asked for cards. Other decisions are made as usual (a low card takes the cheapest row), unless the
        function makes `every` decision. The name is for tables of results; that of the function if None.

        >>> from nimmt_lab import Classic
        >>> highest = Bot.from_policy(lambda view: max(view.hand), "highest-card")
        >>> highest, play(Classic(players=2, rounds=1), [highest, "random"], seed=1).is_over
        (highest-card, True)
        """
        return Policy(policy, name, every=every)

    def __repr__(self) -> str:
        return str(getattr(self, "name", type(self).__name__))


class Policy(Bot):
    """A function as a bot (see `Bot.from_policy`)."""

    def __init__(self, policy: Callable[..., Choice], name: str | None = None, *, every: bool = False) -> None:
        if isinstance(policy, type) or not callable(policy):
            raise RulesError("bots.not_bot", got=shown(policy))
        self._policy, self._every = policy, every
        try:
            known = signature(policy).parameters.values()
        except (TypeError, ValueError):  # a builtin
            known = {}.values()
        needed = [one for one in known if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        self._wants_rng = len([one for one in needed if one.default is one.empty]) > 1
        given = name or getattr(policy, "__name__", "") or type(policy).__name__
        self._label = "policy" if given == "<lambda>" else given

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if not (self._every or isinstance(decision, ChooseCard)):
            return usual_choice(view, decision, rng)
        return self._policy(view, rng) if self._wants_rng else self._policy(view)

    def __repr__(self) -> str:
        return self._label


def usual_choice(view: View, decision: Decision, rng: Rng) -> Choice:
    """The choice of a player who doesn't think about it: the cheapest row, the default, or any option."""
    if isinstance(decision, ChooseRow):
        return view.game.cheapest_row(view, decision.options)
    if decision.default is not None:
        return decision.default
    return any_option(decision, rng)[0]


class Named(Bot):
    """Any object with a method `choose(view, rng)` as a bot, under a `label`, its `name` or that of its class."""

    def __init__(self, player: object, label: str | None = None) -> None:
        self._choose: Callable[[View, Rng], Choice] = player.choose  # type: ignore[attr-defined]
        self._label = label or str(getattr(player, "name", type(player).__name__))

    def choose(self, view: View, rng: Rng) -> Choice:
        return self._choose(view, rng)

    def __repr__(self) -> str:
        return self._label


def register(kind: B) -> B:
    """Make a bot class available under its name."""
    BOTS[kind.name] = kind
    return kind


def bot_names() -> tuple[str, ...]:
    """The names of all bots.

    >>> "random" in bot_names()
    True
    """
    return tuple(BOTS)


def bot(text: str) -> Bot:
    """Create a bot by name. Options follow a colon: `flat:playouts=100,goal=win`.

    >>> bot("flat:playouts=100,goal=win")
    flat:playouts=100,goal=win
    """
    name, _, rest = text.partition(":")
    if name not in BOTS:
        raise RulesError("bots.no_bot", name=shown(name), known=", ".join(BOTS))
    options: dict[str, object] = {}
    for part in filter(None, rest.split(",")):
        key, _, word = part.partition("=")
        word = word.strip()
        options[key.strip()] = int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else word[:100]
    try:
        return BOTS[name](**options)
    except TypeError as error:
        raise RulesError("bots.bot_option", name=shown(name), error=str(error)[:200]) from None


#: A bot, its name, or a function from a view (and a random stream) to one of its options.
Player: TypeAlias = Bot | str | Callable[..., Choice]


def bot_of(player: object) -> Bot:
    """A bot, or the one of that name, or a function as a bot (see `Bot.from_policy`). An object with a method
    `choose(view, rng)` is a bot as well; `Named` then says what it is called.

    >>> bot_of("random"), bot_of(lambda view: min(view.hand))
    (random, policy)
    """
    if isinstance(player, str):
        return bot(player)
    if isinstance(player, Bot):
        return player
    if not isinstance(player, type) and callable(getattr(player, "choose", None)):
        return Named(player)
    if not isinstance(player, type) and callable(player):
        return Policy(player)
    raise RulesError("bots.not_bot", got=shown(player))


def told_apart(players: Sequence[Player] | Mapping[str, Player]) -> tuple[Bot, ...]:
    """Bots for a table of results: different ones have different names, so that their results are never added up.

    Names of a mapping are kept. Otherwise a second function or object of the same name gets a number.

    >>> told_apart([lambda view: min(view.hand), lambda view: max(view.hand), "random", "random"])
    (policy, policy 2, random, random)
    >>> told_apart({"mine": "odds", "other": "random"})
    (mine, other)
    """
    if isinstance(players, Mapping):
        return tuple(Named(bot_of(player), str(name)) for name, player in players.items())
    known: dict[str, list[Bot]] = {}
    found = []
    for entrant in map(bot_of, players):
        alike = known.setdefault(repr(entrant), [])
        at = next((at for at, other in enumerate(alike) if _same(entrant, other)), len(alike))
        if at == len(alike):
            alike.append(entrant)
        found.append(Named(entrant, f"{entrant!r} {at + 1}") if at else entrant)
    return tuple(found)


def _same(one: Bot, other: Bot) -> bool:
    """Whether two bots of the same name play alike. The name of a bot of the package says all about it."""
    if type(one) is not type(other):
        return False
    ours = type(one).__module__.startswith("nimmt_lab.bots.") and not isinstance(one, Policy | Named)
    if one is other or (ours and repr(one).partition(":")[0] in BOTS):
        return True
    try:
        return bool(vars(one) == vars(other))
    except (TypeError, ValueError):  # no attributes, or arrays
        return False


#: The same as `bot`, created once per name: bots have no state.
shared_bot = cache(bot)


def needed(view: View) -> Decision:
    """The decision of the view's seat; an error if it has none."""
    if view.decision is None:
        raise RulesError("bots.not_this_seat")
    return view.decision


def ask(state: GameState, bots: Sequence[Bot], seed: int, stream: int) -> Mapping[int, Choice]:
    """Collect the choices of all pending seats. The bot of seat A decides for a team."""
    halt.check()
    return {
        seat: bots[max(seat, 0)].choose(state.view(seat), Rng.from_seed(seed, stream + max(seat, 0)))
        for seat in state.pending
    }


def play(game: Game, bots: Sequence[Player], seed: int = 0) -> GameState:
    """Play a game from the deal of `seed` and return its final state. Bots may be given by name, or as functions.

    >>> from nimmt_lab import Classic
    >>> play(Classic(players=2, rounds=1), [bot("random"), bot("lowest")], seed=4).is_over
    True
    """
    return _play(game, bots, seed)[0]


def record(game: Game, bots: Sequence[Player], seed: int = 0) -> Record:
    """Play the same game and return its record, to replay, explain or save.

    >>> from nimmt_lab import Classic
    >>> game, players = Classic(players=2, rounds=1), [bot("random"), bot("random")]
    >>> record(game, players, seed=4).outcome == play(game, players, seed=4).outcome
    True
    """
    return Record.from_play(game, seed, _play(game, bots, seed)[1])


def _play(game: Game, players: Sequence[Player], seed: int) -> tuple[GameState, list[Mapping[int, Choice]]]:
    check_game(game)
    bots = [bot_of(player) for player in players]
    if len(bots) != game.players:
        raise RulesError("bots.needed", players=game.players, need=game.players, got=len(bots))
    state = game.deal(seed)
    history: list[Mapping[int, Choice]] = []
    while not state.is_over:
        # Bots draw from streams of their own, so that different bots meet the same cards.
        choices = ask(state, bots, seed, 16 * (len(history) + 1))
        history.append(choices)
        state, _ = state.choose(choices)
    return state, history
