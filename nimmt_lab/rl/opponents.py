"""Opponents inside a vectorised environment: the players of all seats but the learner's.

A policy plays in the core. A function of the user's is called once for all games in which its seat is asked. A bot, or
a level that searches, needs views, so the engine plays the same games beside the core.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from nimmt_lab.bots.base import Bot, bot_of
from nimmt_lab.engine.cards import TEAM, Seat, is_seat_letter, seat_letter, seat_of_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import DataError, RulesError, UnknownOption, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native.games import CoreGames
from nimmt_lab.native.kernel import search_of
from nimmt_lab.native.loader import Memory

from .match import Match

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .vector import VectorEnv

__all__ = ["Batch", "Opponent", "Opponents", "by_number"]

#: Observations, masks and numbers of the games in which a seat is asked; returns an action for each.
Batch: TypeAlias = "Callable[[NDArray[np.float32], NDArray[np.uint8], NDArray[np.intp]], NDArray[np.integer]]"
#: A policy or a level by name, a function of a batch or of a view, or a bot.
Opponent: TypeAlias = "str | Batch | Bot | Callable[..., Choice]"

#: Levels that search.
_LEVELS = ("level-6", "level-7", "level-8")


def by_number(seat: Seat | str) -> Seat:
    """A seat given by number or letter, as a number; anything else stays as it is, for the caller to refuse."""
    return seat_of_letter(seat.upper()) if isinstance(seat, str) and is_seat_letter(seat.upper()) else seat  # type: ignore[return-value]


def _wants_view(function: Callable[..., object]) -> bool:
    """Whether a function is a bot's policy, of a view or of a view and a random stream, and not one of a batch.

    >>> _wants_view(lambda view: min(view.hand)), _wants_view(lambda observations, masks, games: games)
    (True, False)
    """
    try:
        known = signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin
        return False
    places = [one for one in known if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return 1 <= len(places) <= 2 and not any(one.kind is one.VAR_POSITIONAL for one in known)


class Opponents:
    """The opponents of an environment. False if it is empty."""

    def __init__(
        self, core: CoreGames, game: Game, seats: Sequence[Seat], games: int, given: Mapping[Seat, Opponent]
    ) -> None:
        if not isinstance(given, Mapping):
            raise RulesError("rl.opponents_by_seat", got=shown(given))
        self.core, self.game, self.seats = core, game, tuple(seats)
        self.given = {by_number(seat): opponent for seat, opponent in given.items()}
        #: Columns of seats by policies (a bit each), by functions and by bots.
        self.inside = 0
        self.functions: dict[int, Batch] = {}
        self.bots: dict[int, Bot] = {}
        for seat, opponent in self.given.items():
            if isinstance(seat, bool) or seat not in self.seats:
                raise RulesError("rl.no_seat", known=", ".join(map(str, seats)), got=shown(seat))
            self._add(self.seats.index(seat), opponent)
        self.learners = tuple(seat for seat in self.seats if seat not in self.given)
        if not self.learners:
            raise RulesError("rl.no_learner")
        memory = core.work.core.memory
        self._active, self._over = memory(games).share(), memory(games).share()
        self._early = memory(4 * games * len(self.seats)).share()
        self.active = np.frombuffer(self._active.buffer(), np.uint8)
        self.over = np.frombuffer(self._over.buffer(), np.uint8)
        #: Rewards before the first decision of a learner, which its first step receives.
        self.early = np.frombuffer(self._early.buffer(), np.float32).reshape(games, len(self.seats))
        self._columns = [self.seats.index(seat) for seat in self.learners]
        #: Games as the engine plays them, for bots, and the actions so far.
        self.matches: list[Match] = []
        self.played: list[list[list[int]]] = []

    def _add(self, column: int, opponent: Opponent) -> None:
        if callable(opponent) and not isinstance(opponent, Bot) and _wants_view(opponent):
            self.bots[column] = bot_of(opponent)
        elif callable(opponent):
            self.functions[column] = cast(Batch, opponent)
        elif not isinstance(opponent, str) and callable(getattr(opponent, "choose", None)):
            self.bots[column] = bot_of(opponent)
        elif isinstance(opponent, str) and opponent in self.core.policies:
            self.core.set_policy(column, opponent)
            self.inside |= 1 << column
        elif opponent in _LEVELS and search_of(self.game) is not None:
            self.bots[column] = bot_of(opponent)
        else:
            levels = _LEVELS if search_of(self.game) is not None else ()
            known = ", ".join((*self.core.policies, *levels))
            raise Unsupported("rl.no_opponent", name=shown(opponent), game=self.game.name, known=known)

    def __bool__(self) -> bool:
        return bool(self.given)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The name of the opponent in each seat."""
        bots = {self.seats[column]: repr(player) for column, player in self.bots.items()}
        return {
            str(seat): one if isinstance(one, str) else bots.get(seat, "function")
            for seat, one in sorted(self.given.items())
        }

    # Playing ---------------------------------------------------------------------------------------------

    def step(self, env: VectorEnv) -> None:
        """Apply the learners' actions, and let opponents play until a learner is asked or the game is over."""
        env.rewards[:] = self.early
        self.early[:] = 0
        env.ends[:] = 0
        self.active[:] = 1
        while self.active.any():
            self._act(env, env._rewards, env._finals)
            ended = (self.active != 0) & (self.over != 0)
            env.ends[ended] = self.over[ended]
            self.active[:] &= self._waits(env) & (self.over == 0)
        self.deal(env, env.ends != 0)

    def deal(self, env: VectorEnv, new: NDArray[np.bool_] | None) -> None:
        """Play new deals (all, if None) up to a learner's first decision. A game without one ends here, and the next
        one is dealt."""
        if new is None:
            self.early[:] = 0
            self.matches, self.played = [], []
            if self.bots:
                self.matches = [Match(self.game) for _ in env.ends]
                self.played = [[] for _ in env.ends]
                for at in range(len(env.ends)):
                    self._match(env, at)
        self.active[:] = self._waits(env) & (True if new is None else new)
        while self.active.any():
            self._act(env, self._early, None)
            self.early[(self.active != 0) & (self.over != 0)] = 0
            self.active[:] &= self._waits(env) & (self.over == 0)

    def _waits(self, env: VectorEnv) -> NDArray[np.bool_]:
        """Games in which only opponents are asked."""
        asked = env._first_option != 0
        mine: NDArray[np.bool_] = asked[:, self._columns].any(axis=1)
        waiting: NDArray[np.bool_] = ~mine & asked.any(axis=1)
        return waiting

    def _act(self, env: VectorEnv, rewards: Memory, finals: Memory | None) -> None:
        """One step of the active games, with the actions of all opponents. Games that end are copied to `finals`."""
        if self.inside:
            self.core.bound_choose(env._games, env._actions, self._active, self.inside)()
        for column, function in self.functions.items():
            self._ask_function(env, column, function)
        for column, player in self.bots.items():
            self._ask_bot(env, column, player)
        if self.matches:
            for at in np.flatnonzero(self.active).tolist():
                actions = env.actions[at].tolist()
                self.played[at].append(actions)
                self._follow(self.matches[at], actions)
        self.over[:] = 0
        self.core.bound_step(env._games, env._actions, rewards, self._over, self._active, finals)()
        for at in np.flatnonzero(self.over).tolist() if self.matches else ():
            self._match(env, at)
        # Learners wait until they are asked again.
        env.actions[:] = 0

    def _ask_function(self, env: VectorEnv, column: int, function: Batch) -> None:
        seat = self.seats[column]
        env.actions[self.active != 0, column] = 0
        games = np.flatnonzero((self.active != 0) & (env._first_option[:, column] != 0))
        if not games.size:
            return
        seen, masks = env.observe(seat)[games], env.masks(seat)[games]
        returned = function(seen, masks, games)
        who = "team" if seat == TEAM else seat_letter(seat)
        try:
            chosen = np.asarray(returned)
        except ValueError:  # lists of different lengths
            raise RulesError("rl.function_actions", who=who, count=games.size, got=shown(returned)) from None
        if chosen.shape != games.shape or not np.issubdtype(chosen.dtype, np.integer):
            got = "None" if returned is None else f"{chosen.dtype} {chosen.shape}"
            raise RulesError("rl.function_actions", who=who, count=games.size, got=got)
        # The function may have written to the masks that it was given.
        legal, inside = env.masks(seat)[games], (chosen >= 0) & (chosen < env.actions_of.count)
        wrong = np.flatnonzero(~inside | (legal[np.arange(games.size), np.where(inside, chosen, 0)] == 0))
        if wrong.size:
            at = int(wrong[0])
            allowed = np.flatnonzero(legal[at]).tolist()
            action, game, known = int(chosen[at]), int(games[at]), ", ".join(map(str, allowed))
            raise UnknownOption(
                "rl.function_illegal", seat=seat, allowed=allowed, who=who, action=action, game=game, known=known
            )
        env.actions[games, column] = chosen

    # Bots ------------------------------------------------------------------------------------------------

    def _ask_bot(self, env: VectorEnv, column: int, player: Bot) -> None:
        seat = self.seats[column]
        env.actions[self.active != 0, column] = 0
        for at in np.flatnonzero((self.active != 0) & (env._first_option[:, column] != 0)).tolist():
            match = self.matches[at]
            decision = match.state.pending[seat]
            rng = Rng.from_seed(int(env.games["seed"][at]), stream=(len(self.played[at]) << 8) + column + 1)
            choice = player.choose(match.state.view(seat), rng)
            env.actions[at, column] = match.actions.number(decision, decision.accept(seat, choice))

    def _match(self, env: VectorEnv, at: int) -> None:
        self.matches[at].start(int(env.games["seed"][at]))
        self.played[at] = []

    def _follow(self, match: Match, actions: Sequence[int]) -> None:
        if not match.is_over:
            match.step(dict(zip(self.seats, actions, strict=True)))

    # Copying ---------------------------------------------------------------------------------------------

    def save(self) -> list[bytes]:
        """What `load` needs: early rewards, and the actions that the engine repeats."""
        return [self.early.tobytes(), json.dumps(self.played).encode()] if self.given else []

    def load(self, data: bytes, games: bytes) -> None:
        """Read what `save` wrote, or raise a `DataError` and change nothing."""
        if not self.given:
            return
        size = self.early.nbytes
        try:
            played = json.loads(data[size:])
            wanted = len(self.active) if self.bots else 0
            if len(played) != wanted or not all(
                len(turn) == len(self.seats) and all(type(action) is int for action in turn)
                for game in played
                for turn in game
            ):
                raise DataError("rl.saved_damaged")
            early = np.frombuffer(data[:size], np.float32).reshape(self.early.shape)
        except (ValueError, TypeError, RecursionError) as error:
            raise DataError("rl.saved_damaged") from error
        self.early[:] = early
        self.played = played

    def loaded(self, env: VectorEnv) -> None:
        """Let the engine repeat the games."""
        if not self.bots:
            return
        played, self.matches = self.played, [Match(self.game) for _ in env.ends]
        for at, turns in enumerate(list(played)):
            self._match(env, at)
            self.played[at] = turns
            for actions in turns:
                self._follow(self.matches[at], actions)
