"""Batches of games, stepped together by the core, for chapters that provide `STEPS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .layout import Layout
from .loader import Memory
from .work import Workspace

#: Visible parts of a record: field, and range of each dimension (-1: up to the acting seats, -2: players).
Parts: TypeAlias = Mapping[str, tuple[str, tuple[tuple[int, int], ...]]]
#: A call with its arguments; what it returns means nothing here.
Call: TypeAlias = Callable[[], object]


@dataclass(frozen=True, slots=True)
class CoreGames:
    """A workspace with a game, and the core's functions `<functions>_games_…` for batches of it (`NL_GAMES` in
    `nimmt.h`). `record` is the layout of one game.

    A method `bound_…` returns a call that can be repeated."""

    work: Workspace
    functions: str
    record: Layout
    parts: Parts
    #: Policies that the core can play, with their numbers.
    policies: Mapping[str, int] = field(default_factory=dict)
    #: Weights and tables of a policy that was learned.
    mind: Memory | None = None

    def start(self, games: Memory, key: int) -> None:
        """Deal the first games of the stream of seeds with that key (`Rng.key`)."""
        self.work.set("key", key)
        self.work.set("first", 0)
        self._bound("start", games)()

    def check(self, games: Memory) -> bool:
        """Whether these records can be continued."""
        return self.work.core.ask(f"{self.functions}_games_check", self.work.memory, games, games.size) == 0

    def bound_step(
        self,
        games: Memory,
        actions: Memory,
        rewards: Memory,
        ends: Memory,
        active: Memory | None = None,
        finals: Memory | None = None,
    ) -> Call:
        """Step all games, or those with a 1 in `active`, whose rewards add up: actions (16 bits) and rewards (32-bit
        floats) by game and seat, ends (bytes) by game. Games that end are copied to their places in `finals`."""
        arrays = actions, actions.size, rewards, rewards.size // 4, ends, ends.size
        return self._bound("step", games, *arrays, *_listed(active, ends), *_listed(finals, games))

    def bound_sample(self, games: Memory, actions: Memory) -> Call:
        """Sample legal actions uniformly."""
        return self._bound("sample", games, actions, actions.size)

    def bound_choose(self, games: Memory, actions: Memory, active: Memory, seats: int) -> Call:
        """Let policies choose for a set of seats (a bit each), where they are asked."""
        mind = self.mind or active
        room = 0 if self.mind is None else mind.size
        return self._bound("choose", games, actions, actions.size, active, active.size, seats, mind, room)

    def bound_masks(self, games: Memory, masks: Memory, seats: tuple[int, int], *, packed: bool) -> Call:
        """Write a 1 for each legal action, by game, seat and action: a byte each, or a bit in 64-bit words."""
        return self._bound("masks", games, *seats, masks, masks.size, int(packed))

    def bound_observe(self, games: Memory, into: Memory, seats: tuple[int, int], *, compact: bool) -> Call:
        """Write what these seats see, by game and seat."""
        return self._bound("observe", games, *seats, into, into.size, int(compact))

    def set_policy(self, seat: int, policy: str) -> None:
        self.work.set("policies", self.policies[policy], at=seat)

    def _bound(self, name: str, games: Memory, *more: Memory | int) -> Call:
        work = self.work
        return work.core.bound(f"{self.functions}_games_{name}", work.memory, games, games.size, *more)


def _listed(active: Memory | None, any_memory: Memory) -> tuple[Memory, int]:
    return (any_memory, 0) if active is None else (active, active.size)
