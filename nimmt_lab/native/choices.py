"""Rounds of a chapter, choice by choice, played by the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nimmt_lab.engine.rng import Rng

from .loader import Pace
from .work import Workspace

#: The numbers of a choice, a byte each, and how many of them there are where it isn't one (see `choices.c`).
NUMBERS: Final = {
    "round": 2, "seat": 1, "turn": 1, "kind": 1, "card": 1, "rank": 1, "home": 1, "gap": 1, "between": 1, "ends": 4,
    "counts": 4, "heads": 4, "landed": 1, "took": 1, "cost": 1, "all_heads": 1, "winners": 1,
}  # fmt: skip
WIDE: Final = sum(NUMBERS.values())
#: The policy of a player that the core doesn't know: rounds with it are left out.
ELSEWHERE: Final = 255
#: Bytes of a player: policies for cards and low cards, and one in how many of its choices is random (0: none).
PLAYER: Final = 3
#: Rounds in the first call, and in any.
_SLICE, _MOST = 256, 4096


@dataclass(frozen=True, slots=True)
class CoreChoices:
    """A workspace with a game, and the core's function that writes the choices of its rounds."""

    work: Workspace
    function: str
    players: int
    hand: int

    def play(self, seed: int, first: int, players: bytes) -> bytes:
        """The choices of the rounds from `first` on, `WIDE` bytes each. Round r is dealt from the seed
        `Rng.from_seed(seed, r).state`; `players` are those of its seats."""
        each = PLAYER * self.players
        given = self.work.core.memory(len(players))
        given.put(0, players)
        # A seat chooses at most a card and a row in a turn.
        most = 2 * self.players * self.hand * WIDE
        done, parts = 0, list[bytes]()
        out = self.work.core.memory(most * min(_MOST, len(players) // each))
        with self.work.claim:
            self.work.set("key", Rng.key(seed))
            self.work.set("first", first)
            for some in Pace(_SLICE, most=_MOST).portions(len(players) // each):
                rest = len(players) - done * each
                size = some * most
                rows = self.work.call(self.function, some, given.part(done * each), rest, out, size)
                parts.append(out.get(0, rows * WIDE))
                done += some
        return b"".join(parts)
