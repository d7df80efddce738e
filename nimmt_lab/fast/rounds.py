"""Rounds played by the kernels: what to play (`Plan`), what came of each round (`Outcomes`), running totals (`Totals`).

A plan is a small value that can be sent to another process. Round r of a seed is the same round wherever,
and in whatever portions, it is played:

>>> from nimmt_lab import Classic
>>> plan = Plan.of(Classic(players=3))
>>> whole = plan.play(seed=1, first=0, rounds=30)
>>> whole.data == plan.play(1, 0, 10).data + plan.play(1, 10, 20).data
True
>>> totals = plan.count(seed=1, first=0, rounds=10) + plan.count(seed=1, first=10, rounds=20)
>>> totals == whole.totals()
True
>>> sum(sum(histogram) for histogram in totals.histograms)
90
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng

from . import kernels as k
from .table import system_of

#: How a seat chooses its card.
POLICIES = {
    "random": k.RANDOM,
    "lowest": k.LOWEST,
    "highest": k.HIGHEST,
    "closest-safe": k.CLOSEST_SAFE,
    "least-risk": k.LEAST_RISK,
    "edges-first": k.EDGES_FIRST,
}
#: Which row a card that fits nowhere takes: `cheapest` is R-C4, `shortest` the one with the fewest cards.
LOW_CARDS = {"cheapest": k.CHEAPEST, "random": k.ANY_ROW, "shortest": k.SHORTEST}
#: What is known of each seat and round.
FIELDS = ("heads", "full_rows", "low_cards", "cow_rows", "turns_with_take")

#: `count` plays and counts this many rounds at a time, so that its memory does not grow.
_PORTION = 4096
_MASK64 = 0xFFFFFFFFFFFFFFFF


def stream_key(seed: int) -> k.Array:
    """A seed as the kernels want it: `Rng.from_seed(seed, stream)` starts at mix(key + stream · gamma)."""
    Rng.from_seed(seed)  # a wrong seed is named there
    return k.U64(k.mix(k.U64((seed + int(k.GAMMA)) & _MASK64)))


def _codes(names: str | Sequence[str], known: dict[str, int], players: int, what: str) -> tuple[int, ...]:
    listed = (names,) * players if isinstance(names, str) else tuple(names)
    if len(listed) != players:
        raise RulesError(f"{what}: give one name for all, or one for each of {players} seats; got {len(listed)}")
    for name in listed:
        if name not in known:
            raise RulesError(f"no {what} {name!r}; there are: {', '.join(known)}")
    return tuple(known[name] for name in listed)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which rounds to play: the system, and how each seat plays."""

    system: int
    players: int
    policies: tuple[int, ...]
    low_cards: tuple[int, ...]

    @classmethod
    def of(
        cls, game: Game, policies: str | Sequence[str] = "random", low_card: str | Sequence[str] = "cheapest"
    ) -> Plan:
        """The plan for a game. Policies and low-card policies are names: one for all seats, or one each.

        >>> from nimmt_lab import Classic
        >>> Plan.of(Classic(players=2), policies=("lowest", "random")).policies
        (1, 0)
        >>> Plan.of(Classic(players=2), policies="clever")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        nimmt_lab.engine.errors.RulesError: no policy 'clever'; there are: random, lowest, highest, ...
        """
        n = game.players
        return cls(
            system_of(game),
            n,
            _codes(policies, POLICIES, n, "policy"),
            _codes(low_card, LOW_CARDS, n, "low-card policy"),
        )

    def play(self, seed: int, first: int, rounds: int) -> Outcomes:
        """Play rounds first … first + rounds - 1 of that seed."""
        size = rounds * self.players * k.FIELDS
        out = k.small_zeros(size)
        m, rng = k.memory(self.players)
        policies, lows = self._arrays()
        k.simulate(self.system, self.players, stream_key(seed), first, rounds, policies, lows, m, rng, out)
        return Outcomes(self.players, first, rounds, bytes(out))

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The same rounds as running totals, in constant memory."""
        m, rng = k.memory(self.players)
        policies, lows = self._arrays()
        key = stream_key(seed)
        totals = k.zeros(self.players * k.TOTALS)
        out = k.small_zeros(min(rounds, _PORTION) * self.players * k.FIELDS)
        for at in range(first, first + rounds, _PORTION):
            portion = min(_PORTION, first + rounds - at)
            k.simulate(self.system, self.players, key, at, portion, policies, lows, m, rng, out)
            k.count_outcomes(self.players, portion, out, totals)
        return Totals(self.players, rounds, tuple(map(int, totals)))

    def _arrays(self) -> tuple[k.Array, k.Array]:
        policies, lows = k.zeros(16), k.zeros(16)
        for seat in range(self.players):
            policies[seat] = self.policies[seat]
            lows[seat] = self.low_cards[seat]
        return policies, lows


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What came of each round: one byte per round, seat and field, in that order."""

    players: int
    first: int
    rounds: int
    data: bytes

    def column(self, field: str) -> bytes:
        """One field of every round and seat.

        >>> from nimmt_lab import Classic
        >>> len(Plan.of(Classic(players=4)).play(seed=1, first=0, rounds=5).column("heads"))
        20
        """
        return self.data[FIELDS.index(field) :: len(FIELDS)]

    def totals(self) -> Totals:
        """These rounds as running totals."""
        totals = k.zeros(self.players * k.TOTALS)
        out = k.small_zeros(len(self.data))
        out[:] = k.from_bytes(self.data)
        k.count_outcomes(self.players, self.rounds, out, totals)
        return Totals(self.players, self.rounds, tuple(map(int, totals)))


@dataclass(frozen=True, slots=True)
class Totals:
    """Running totals of rounds. Whole numbers, so adding portions in any order gives the same."""

    players: int
    rounds: int
    data: tuple[int, ...]

    def __add__(self, other: Totals) -> Totals:
        if self.players != other.players:
            raise RulesError(f"totals of {self.players} and of {other.players} players cannot be added")
        data = tuple(a + b for a, b in zip(self.data, other.data, strict=True))
        return Totals(self.players, self.rounds + other.rounds, data)

    @classmethod
    def nothing(cls, players: int) -> Totals:
        """No rounds yet."""
        return cls(players, 0, (0,) * (players * k.TOTALS))

    @property
    def histograms(self) -> tuple[tuple[int, ...], ...]:
        """Per seat: in how many rounds it had 0, 1, 2, … heads."""
        return tuple(self.data[at : at + k.HEADS_SPAN] for at in range(0, len(self.data), k.TOTALS))

    def _sums(self, field: int) -> tuple[int, ...]:
        return self.data[k.HEADS_SPAN + field - 1 :: k.TOTALS]

    @property
    def heads(self) -> tuple[int, ...]:
        """Heads in all, per seat."""
        return tuple(sum(value * count for value, count in enumerate(h)) for h in self.histograms)

    @property
    def mean_heads(self) -> tuple[float, ...]:
        """Mean heads a round, per seat."""
        return tuple(heads / self.rounds for heads in self.heads)

    @property
    def error_heads(self) -> tuple[float, ...]:
        """Standard error of those means (0 for a single round)."""
        errors = []
        for histogram, heads in zip(self.histograms, self.heads, strict=True):
            squares = sum(value * value * count for value, count in enumerate(histogram))
            spread = max(0.0, (squares - heads * heads / self.rounds) / max(1, self.rounds - 1))
            errors.append((spread / self.rounds) ** 0.5)
        return tuple(errors)

    @property
    def full_rows(self) -> tuple[int, ...]:
        """Full rows taken (rule 3), per seat."""
        return self._sums(k.OUT_FULL)

    @property
    def low_cards(self) -> tuple[int, ...]:
        """Rows taken by cards that fitted nowhere (rule 4), per seat."""
        return self._sums(k.OUT_LOW)

    @property
    def cow_rows(self) -> tuple[int, ...]:
        """Rows taken because the cow jumped there, per seat."""
        return self._sums(k.OUT_COW)

    @property
    def turns_with_take(self) -> tuple[int, ...]:
        """Turns in which the seat took something."""
        return self._sums(k.OUT_TURNS)

    @property
    def win_credit(self) -> tuple[float, ...]:
        """Share of rounds won, per seat: 1 for the fewest heads, shared among equals."""
        return tuple(credit / k.CREDIT / self.rounds for credit in self._sums(k.FIELDS))
