"""Rounds of any game: what to play (`Plan`). The compiled core plays where the game has a kernel, else the engine.

A plan is a small value that can be sent to another process. Round r of a seed is the same round wherever,
and in whatever portions, it is played, and whoever plays it:

>>> from nimmt_lab import Classic
>>> plan = Plan.of(Classic(players=3))
>>> whole = plan.play(seed=1, first=0, rounds=30)
>>> whole.data == plan.play(1, 0, 10).data + plan.play(1, 10, 20).data
True
>>> totals = plan.count(seed=1, first=0, rounds=10) + plan.count(seed=1, first=10, rounds=20)
>>> totals == whole.totals()
True
>>> sum(sum(histogram.values()) for histogram in totals.histograms)
90
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, Kernel, kernel_of
from nimmt_lab.native.loader import Pace, core
from nimmt_lab.native.outcomes import FIELDS, Outcomes, Totals
from nimmt_lab.native.work import TOTALS, Work

from .by_engine import EngineRounds

#: Rounds in one task. A task for a cluster should not be smaller than what the core is given; the engine takes about as
#: long for its own.
PORTION, ENGINE_PORTION = 50_000, 100
#: Rounds in the first of the slices in which the core is called.
_SLICE = 16_384


def _each(names: str | Sequence[str], known: dict[str, int], players: int, what: str) -> tuple[str, ...]:
    listed = (names,) * players if isinstance(names, str) else tuple(names)
    if len(listed) != players:
        raise RulesError(f"{what}: give one name for all, or one for each of {players} seats; got {len(listed)}")
    for name in listed:
        if name not in known:
            raise RulesError(f"no {what} {shown(name)}; there are: {', '.join(known)}")
    return listed


@dataclass(frozen=True, slots=True)
class Plan:
    """Which rounds to play: the game, and how each seat plays."""

    game: Game
    policies: tuple[str, ...]
    low_cards: tuple[str, ...]

    @classmethod
    def of(
        cls, game: Game, policies: str | Sequence[str] = "random", low_card: str | Sequence[str] = "cheapest"
    ) -> Plan:
        """The plan for a game. Policies and low-card policies are names: one for all seats, or one each.

        >>> from nimmt_lab import Classic
        >>> Plan.of(Classic(players=2), policies=("lowest", "random")).policies
        ('lowest', 'random')
        >>> Plan.of(Classic(players=2), policies="clever")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        nimmt_lab.engine.errors.RulesError: no policy 'clever'; there are: random, lowest, highest, ...
        """
        n = game.players
        return cls(game, _each(policies, POLICIES, n, "policy"), _each(low_card, LOW_CARDS, n, "low-card policy"))

    @property
    def sides(self) -> int:
        """How many sides score."""
        return len(self.game.pile_seats)

    @property
    def compiled(self) -> bool:
        """Whether the core plays these rounds here."""
        return kernel_of(self.game) is not None and core() is not None

    @property
    def portion(self) -> int:
        """Rounds in one task."""
        return PORTION if self.compiled else ENGINE_PORTION

    def play(self, seed: int, first: int, rounds: int) -> Outcomes:
        """Play rounds first … first + rounds - 1 of that seed."""
        kernel = kernel_of(self.game)
        work = self._work(kernel, seed, first)
        if kernel is None or work is None:
            return EngineRounds(self.game, self.policies, self.low_cards, kernel).play(seed, first, rounds)
        size = self.sides * len(FIELDS)
        out = work.core.memory(rounds * size)
        pace, done = Pace(_SLICE, most=1 << 20), 0
        while done < rounds:
            with pace:
                some = min(pace.amount, rounds - done)
                work.call(kernel.rounds, some, out.part(done * size), some * size)
                done += some
        return Outcomes(self.sides, first, rounds, out.get(0, rounds * size))

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The same rounds as running totals, in constant memory."""
        kernel = kernel_of(self.game)
        work = self._work(kernel, seed, first)
        if kernel is None or work is None:
            return EngineRounds(self.game, self.policies, self.low_cards, kernel).count(seed, first, rounds)
        totals = work.core.memory(8 * TOTALS * self.sides)
        pace, done = Pace(_SLICE, most=1 << 20), 0
        while done < rounds:
            with pace:
                some = min(pace.amount, rounds - done)
                work.call(kernel.totals, some, totals, TOTALS * self.sides)
                done += some
        return Totals.of_core(self.sides, rounds, totals.read("q", TOTALS * self.sides))

    def _work(self, kernel: Kernel | None, seed: int, first: int) -> Work | None:
        Rng.from_seed(seed)  # a wrong seed is named there
        found = core() if kernel is not None else None
        if kernel is None or found is None:
            return None
        work = Work(found)
        kernel.prepare(
            work, self.game, [POLICIES[name] for name in self.policies], [LOW_CARDS[name] for name in self.low_cards]
        )
        work.set("key", Rng.key(seed))
        work.set("first", first)
        return work
