"""Many games in step, played by the core: any chapter's that brings them (`STEPS`)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from .loader import Memory, NativeError
from .work import Workspace

#: Of every field of a game's record, in order: type code and shape.
Record: TypeAlias = Mapping[str, tuple[str, tuple[int, ...]]]
#: What is shown of a record: of each part its field, and which stretch of each of its dimensions (-1: up to the number
#: of seats that act, -2: of players); a stretch of one is no dimension.
Parts: TypeAlias = Mapping[str, tuple[str, tuple[tuple[int, int], ...]]]


@dataclass(frozen=True, slots=True)
class CoreGames:
    """A workspace in which the game is written, and the core's functions for games of it: `<functions>_game_size` and
    `<functions>_games_start`, `_step`, `_sample`, `_masks`."""

    work: Workspace
    functions: str
    record: Record
    parts: Parts

    @property
    def size(self) -> int:
        """Bytes of a game's record, about which both sides agree: wide fields come first, so there are no gaps."""
        fields = sum(array(code).itemsize * prod(shape) for code, shape in self.record.values())
        size = fields + 7 & -8
        if self.work.core.ask(f"{self.functions}_game_size") != size:
            raise NativeError(f"{self.work.core.name} lays its games out otherwise ({self.functions}_game_size)")
        return size

    def start(self, games: Memory, seed: int) -> None:
        """Deal them from the seeds `seed`, `seed` + 1 …"""
        self.work.set("first", seed)
        self._call("start", games)

    def step(self, games: Memory, actions: Memory, rewards: Memory, ends: Memory) -> None:
        """Everybody acts: actions (16 bits), rewards (floats of 32 bits) by game and seat, ends (bytes) by game."""
        self._call("step", games, actions, actions.size, rewards, rewards.size // 4, ends, ends.size)

    def sample(self, games: Memory, actions: Memory) -> None:
        """Actions by chance, of those that are allowed."""
        self._call("sample", games, actions, actions.size)

    def masks(self, games: Memory, masks: Memory) -> None:
        """A 1 for each action that is allowed, by game, seat and action."""
        self._call("masks", games, masks, masks.size)

    def _call(self, name: str, games: Memory, *more: Memory | int) -> None:
        self.work.call(f"{self.functions}_games_{name}", games, games.size, *more)
