"""One game with encoded actions and observations: the basis of the environments. It needs no other package.

>>> from nimmt_lab import Classic
>>> match = Match(Classic(players=2, rounds=1))
>>> match.start(seed=1)
>>> while not match.is_over:
...     match.step({seat: match.allowed(seat)[0] for seat in match.asked})
>>> match.gained == {seat: -float(heads) for seat, heads in enumerate(match.state.outcome.totals)}
True
"""

from __future__ import annotations

import operator
import secrets
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, SupportsIndex, get_args

from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.encode import ENCODING
from nimmt_lab.engine.errors import GameOver, IllegalChoice, NotStarted, RulesError
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import check_options, game_named
from nimmt_lab.engine.rng import Rng, check_seed
from nimmt_lab.engine.state import GameState

from .actions import Actions
from .observe import Observer

__all__ = [
    "ILLEGAL_REWARD",
    "Match",
    "Rewards",
    "acting_seats",
    "check_rewards",
    "game_of",
    "missing",
    "seed_of",
    "whole",
]

#: `heads`: the change in standing after every step. `win`: the share of the win at the end.
Rewards = Literal["heads", "win"]
#: Reward of an illegal action, which ends the game.
ILLEGAL_REWARD = -100.0


def game_of(game: Game | str, options: Mapping[str, object]) -> Game:
    """Return a game, or create a registered one by name with its options.

    >>> game_of("classic", {"players": 3})
    Classic(players=3)
    """
    if isinstance(game, Game):
        if options:
            raise RulesError("rl.has_options_already", game=repr(game), got=", ".join(sorted(options)))
        return game
    kind = game_named(game)
    check_options(kind, options)
    given: dict[str, Any] = dict(options)  # the game checks types
    return kind(**given)


def whole(number: object) -> int | None:
    """Convert an integer of any type, without rounding; None if it is something else."""
    try:
        return operator.index(number) if isinstance(number, SupportsIndex) else None
    except TypeError:  # an array of several numbers
        return None


def seed_of(seed: object) -> int:
    """Convert a seed of any integer type, numpy's included; an error if it is something else or out of range."""
    number = None if isinstance(seed, bool) else whole(seed)
    return check_seed(seed if number is None else number)


def check_rewards(rewards: object) -> None:
    """Reject reward schemes other than heads and win."""
    if rewards not in get_args(Rewards):
        raise RulesError("shared.must_one_of", what="rewards", known=", ".join(get_args(Rewards)), got=shown(rewards))


def acting_seats(game: Game) -> tuple[Seat, ...]:
    """The players, followed by a team that decides together."""
    return (*range(game.players), *([TEAM] if TEAM in game.pile_seats else []))


def missing(owner: object, name: str, later: Sequence[str]) -> NoReturn:
    """Raise for a missing attribute: `NotStarted` for those in `later`, which the first deal sets, and properties."""
    if name in later or hasattr(type(owner), name):
        raise NotStarted("rl.not_dealt")
    raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}")


class Match:
    """A game in progress. A team that decides together has a seat of its own, `TEAM`."""

    def __init__(self, game: Game, rewards: Rewards = "heads") -> None:
        check_rewards(rewards)
        self.game = game
        self.actions = Actions(game)
        self.observer = Observer(game)
        self._encoding = ENCODING.of(game)
        self._in_heads = rewards == "heads"
        self.seats = acting_seats(game)
        self._deals: Rng | None = None

    def start(self, seed: int | None = None, position: str | Position | None = None) -> None:
        """Deal the game of a seed, or start from a position. Without a seed, draw one from the stream of the last seed
        given, which is random at first."""
        if seed is not None:
            self._deals = Rng.from_seed(check_seed(seed), stream=1)
        else:
            if self._deals is None:
                self._deals = Rng.from_seed(secrets.randbits(64))
            seed, self._deals = self._deals.below(1 << 31)
        if position is None:
            self.state, self.events = self.game.opening(seed)
        else:
            self.state, self.events = self.game.opening_from(position, seed=seed)
        #: The illegal action that ended the game, if any.
        self.illegal: IllegalChoice | None = None
        self.rewards = dict.fromkeys(self.seats, 0.0)
        #: Total reward of each seat.
        self.gained = dict.fromkeys(self.seats, 0.0)

    state: GameState
    #: Events of the last step.
    events: tuple[Event, ...]

    if not TYPE_CHECKING:  # name the forgotten deal rather than a missing attribute

        def __getattr__(self, name: str) -> NoReturn:
            missing(self, name, ("state", "events", "illegal", "rewards", "gained"))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by an illegal action."""
        return self.state.is_over or self.illegal is not None

    @property
    def asked(self) -> Sequence[Seat]:
        return () if self.is_over else tuple(self.state.pending)

    def allowed(self, seat: Seat) -> list[int]:
        """The legal actions of a seat."""
        return self.actions.allowed(self.state.pending.get(seat))

    def mask(self, seat: Seat) -> bytearray:
        """The same as a vector of zeros and ones; all zeros once the game is over."""
        return bytearray(self.actions.count) if self.is_over else self.actions.mask(self.state.pending.get(seat))

    def observe(self, seat: Seat) -> array[float]:
        return self.observer.see(self.state.view(seat))

    def step(self, actions: Mapping[Seat, int]) -> None:
        """Apply the actions of all pending seats; others may wait or be left out. The first illegal action ends the
        game: `illegal` says why, and its seat gets `ILLEGAL_REWARD`."""
        if self.is_over:
            raise GameOver("rl.game_over_reset")
        choices: dict[Seat, Choice] = {}
        before = self.state
        self.rewards = dict.fromkeys(self.seats, 0.0)
        for seat in self.seats:
            decision = before.pending.get(seat)
            if seat not in actions and decision is not None:
                raise before._seats_error(choices)
            try:
                choice = self.actions.choice(decision, actions.get(seat, 0), seat)
            except IllegalChoice as error:
                self.illegal, self.events = error, ()
                self._give({seat: ILLEGAL_REWARD})
                return
            if choice is not None:
                choices[seat] = choice
        self.state, self.events = before.choose(choices)
        after = self.state
        if self._in_heads:
            standing = self._encoding.standing
            self._give({seat: float(standing(after, seat) - standing(before, seat)) for seat in self.seats})
        elif after.outcome is not None:
            # A team wins as one: its members do not share the win.
            team = TEAM in self.seats
            won = after.outcome.winners
            self._give({seat: float(0 in won) if team else after.outcome.credit(seat) for seat in self.seats})

    def _give(self, rewards: Mapping[Seat, float]) -> None:
        for seat, reward in rewards.items():
            self.rewards[seat] = reward
            self.gained[seat] += reward
