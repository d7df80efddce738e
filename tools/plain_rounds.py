"""Millions of rounds of the classic game, by a program that shares nothing with the package's engine and core.

Studies count with it, and tests play the same deals with the engine: the two must agree card by card.

>>> rounds = play(seed=1, rounds=3, players=[Player("edges-first"), Player("random"), Player("highest")])
>>> [len(heads) for heads in rounds.heads], rounds.played
([3, 3, 3], 3)
"""

from __future__ import annotations

import ctypes
import subprocess
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from nimmt_lab.native import build

SOURCE: Final = Path(__file__).with_suffix(".c")
RULES: Final = (
    "random", "lowest", "highest", "closest-safe", "least-risk", "edges-first", "counting",
    "dear-first", "cheap-first", "middle-first",
)  # fmt: skip
PLANS: Final = ("", "low-in-turn", "high-in-turn", "on-purpose")
ROWS: Final = ("cheapest", "shortest", "any", "leave-room", "hurt-others", "hurt-leader")
DEALS: Final = ("any", "fits-nowhere", "has-top-card")
HAND: Final = 10
#: Cards of a row, and cards of the deck, from 0.
_LENGTHS, _CARDS = 6, 105


@dataclass(frozen=True)
class Player:
    """How somebody plays: a rule for cards, a plan that may overrule it, and a rule for the row a low card takes.

    The plan `low-in-turn` keeps the lowest card until that turn and plays it then, `high-in-turn` the highest;
    `on-purpose` plays a card below every row whenever the cheapest row has at most `turn` heads.
    """

    rule: str
    plan: str = ""
    turn: int = 0
    row: str = "cheapest"
    #: Bonus of `edges-first` and `counting` per number away from the middle of the deck, in heads / 32768.
    edge: int = 1700
    #: Whether equally good cards are chosen at random, as the package's bots do; otherwise the lowest.
    any_tie: bool = False

    @property
    def code(self) -> tuple[int, ...]:
        return RULES.index(self.rule), PLANS.index(self.plan), self.turn, ROWS.index(self.row), self.edge, self.any_tie


@dataclass(frozen=True)
class Rounds:
    """Each seat's heads, round by round."""

    heads: tuple[array[int], ...]
    #: Count, sum and sum of squares of the heads of a hand with each card, by card.
    worth: dict[int, tuple[int, int, int]]
    #: Cards played, cards that took a row, and heads, by the cards in the row (0: no row) and unseen cards between.
    risks: dict[tuple[int, int], tuple[int, int, int]]

    @property
    def played(self) -> int:
        return len(self.heads[0])


@cache
def _library() -> ctypes.CDLL:
    """The program, compiled if needed."""
    flags = ["-O3", "-std=c11", "-shared", "-fPIC"]
    path = build.BUILDS / f"plain-{build.text_print([SOURCE], flags)}.so"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_suffix(".new")
        subprocess.run([*build.compilers()[0], *flags, str(SOURCE), "-o", str(made)], check=True, capture_output=True)
        made.replace(path)
    library = ctypes.CDLL(str(path))
    library.plain_rounds.restype = ctypes.c_int64
    return library


def _players(players: Sequence[Player]) -> ctypes.Array[ctypes.c_int32]:
    codes = [number for player in players for number in player.code]
    return (ctypes.c_int32 * len(codes))(*codes)


def _int64(value: int) -> ctypes.c_int64:
    return ctypes.c_int64(value)


def deal(seed: int, number: int, players: int, deck: int = 104) -> tuple[list[int], list[list[int]]]:
    """The open cards and the hands of a round."""
    cards = (ctypes.c_int32 * (4 + HAND * players))()
    _library().plain_deal(_int64(seed), _int64(number), players, deck, cards)
    hands = [list(cards[at : at + HAND]) for at in range(4, len(cards), HAND)]
    return list(cards[:4]), hands


def play(
    seed: int,
    rounds: int,
    players: Sequence[Player],
    *,
    first: int = 0,
    deck: int = 104,
    deals: str = "any",
    details: bool = False,
) -> Rounds:
    """Play rounds from number `first` on, or those among them whose deal is wanted. With `details`, count `worth` and
    `risks`."""
    n = len(players)
    heads = (ctypes.c_int32 * (n * rounds))()
    worth = (ctypes.c_int64 * (3 * _CARDS))()
    risks = (ctypes.c_int64 * (3 * _LENGTHS * _CARDS))()
    played = _library().plain_rounds(
        _int64(seed), _int64(first), _int64(rounds), n, deck, DEALS.index(deals), _players(players), heads,
        worth if details else None, risks if details else None,
    )  # fmt: skip
    every = array("i", memoryview(heads).cast("B").cast("i")[: n * played])
    found = {
        divmod(at // 3, _CARDS): (risks[at], risks[at + 1], risks[at + 2])
        for at in range(0, len(risks), 3)
        if risks[at]
    }
    cards = {card: (worth[3 * card], worth[3 * card + 1], worth[3 * card + 2]) for card in range(1, deck + 1)}
    return Rounds(tuple(every[seat::n] for seat in range(n)), cards, found)


@dataclass(frozen=True)
class Games:
    """Each seat's heads at the end of whole games, and the rounds they took."""

    totals: tuple[array[int], ...]
    rounds: array[int]

    def shares(self, seat: int = 0) -> list[float]:
        """The seat's share of each win: 1, 0, or a part if several have the fewest."""
        won = []
        for totals in zip(*self.totals, strict=True):
            best = min(totals)
            won.append((totals[seat] == best) / totals.count(best))
        return won


def play_games(
    seed: int, games: int, players: Sequence[Player], totals: Sequence[int], *, first: int = 0, limit: int = 66
) -> Games:
    """Play whole games from these totals until somebody has `limit` heads."""
    n = len(players)
    ends = (ctypes.c_int32 * ((n + 1) * games))()
    start = (ctypes.c_int32 * n)(*totals)
    _library().plain_games(_int64(seed), _int64(first), _int64(games), n, limit, start, _players(players), ends)
    every = array("i", memoryview(ends).cast("B").cast("i"))
    return Games(tuple(every[seat :: n + 1] for seat in range(n)), every[n :: n + 1])
