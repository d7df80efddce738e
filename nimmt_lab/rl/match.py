"""One game with actions and observations in numbers: what the environments are made of. It needs no other package.

>>> from nimmt_lab import Classic
>>> match = Match(Classic(players=2, rounds=1))
>>> match.start(seed=1)
>>> while not match.is_over:
...     match.step({seat: match.allowed(seat)[0] for seat in match.asked})
>>> match.gained == {seat: -float(heads) for seat, heads in enumerate(match.state.outcome.totals)}
True
"""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

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

__all__ = ["ILLEGAL_REWARD", "Match", "Rewards", "acting_seats", "check_rewards", "game_of", "missing"]


#: `heads`: after every step how much better the seat stands. `win`: at the end its part of the win.
Rewards = Literal["heads", "win"]
#: What an action is worth that the rules do not allow, to whoever chose it: the game is over then.
ILLEGAL_REWARD = -100.0
#: What is said before the first deal.


def game_of(game: Game | str, options: Mapping[str, object]) -> Game:
    """A game, or the registered one of that name with its options.

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


def check_rewards(rewards: object) -> None:
    """Refuse what is no kind of reward."""
    if rewards not in get_args(Rewards):
        raise RulesError("shared.must_one_of", what="rewards", known=", ".join(get_args(Rewards)), got=shown(rewards))


def acting_seats(game: Game) -> tuple[Seat, ...]:
    """The players, and behind them a team that decides together.

    >>> from nimmt_lab import Classic
    >>> acting_seats(Classic(players=3))
    (0, 1, 2)
    """
    return (*range(game.players), *([TEAM] if TEAM in game.pile_seats else []))


def missing(owner: object, name: str, later: Sequence[str]) -> NoReturn:
    """An attribute that is not there: one of those that the first deal brings `later`, a property that needs one of
    them, or none that there is."""
    if name in later or hasattr(type(owner), name):
        raise NotStarted("rl.not_dealt")
    raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}")


class Match:
    """A game in progress. Seats are numbers; a team that decides together is a seat of its own, `TEAM`."""

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
        """Deal the game of that seed. Without one, the next of a stream that begins with the last seed given, or by
        chance. With a position the game starts from there."""
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
        #: Why the game was stopped: an action that the rules do not allow, and whose it was.
        self.illegal: IllegalChoice | None = None
        self.rewards = dict.fromkeys(self.seats, 0.0)
        #: What each seat has got in all.
        self.gained = dict.fromkeys(self.seats, 0.0)

    state: GameState
    #: What the last step made happen.
    events: tuple[Event, ...]

    if not TYPE_CHECKING:  # whoever forgets to deal reads that, not what is missing inside

        def __getattr__(self, name: str) -> NoReturn:
            missing(self, name, ("state", "events", "illegal", "rewards", "gained"))

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by an action that they do not allow."""
        return self.state.is_over or self.illegal is not None

    @property
    def asked(self) -> Sequence[Seat]:
        """Who is asked something now."""
        return () if self.is_over else tuple(self.state.pending)

    def allowed(self, seat: Seat) -> list[int]:
        """The actions which that seat has now."""
        return self.actions.allowed(self.state.pending.get(seat))

    def mask(self, seat: Seat) -> bytearray:
        """The same with a 1 for each; all noughts once the game is over."""
        return bytearray(self.actions.count) if self.is_over else self.actions.mask(self.state.pending.get(seat))

    def observe(self, seat: Seat) -> array[float]:
        """What that seat may know."""
        return self.observer.see(self.state.view(seat))

    def step(self, actions: Mapping[Seat, int]) -> None:
        """Everybody who is asked acts; who is not may be left out, or waits. An action that is not allowed ends the
        game: `illegal` says why, and who chose it (the first, if there are several) gets `ILLEGAL_REWARD`."""
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
            # A team wins or loses as one: its members do not share, and neither does its own seat.
            team = TEAM in self.seats
            won = after.outcome.winners
            self._give({seat: float(0 in won) if team else after.outcome.credit(seat) for seat in self.seats})

    def _give(self, rewards: Mapping[Seat, float]) -> None:
        for seat, reward in rewards.items():
            self.rewards[seat] = reward
            self.gained[seat] += reward
