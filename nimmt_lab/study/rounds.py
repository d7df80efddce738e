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
from nimmt_lab.engine.rng import check_seed
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.loader import core
from nimmt_lab.native.outcomes import Outcomes, Totals
from nimmt_lab.native.rounds import CoreRounds

from .by_engine import EngineRounds

#: Rounds in one task. A task for a cluster should not be smaller than what the core is given; the engine takes about as
#: long for its own.
PORTION, ENGINE_PORTION = 50_000, 100


def _each(names: str | Sequence[str], known: dict[str, int], players: int, what: str) -> tuple[str, ...]:
    listed = (names,) * players if isinstance(names, str) else tuple(names)
    if len(listed) != players:
        raise RulesError("study.one_name", what=what, players=players, got=len(listed))
    for name in listed:
        if name not in known:
            raise RulesError("study.no_such", what=what, name=shown(name), known=", ".join(known))
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
        return self._rounds(seed).play(seed, first, rounds)

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The same rounds as running totals, in constant memory."""
        return self._rounds(seed).count(seed, first, rounds)

    def _rounds(self, seed: int) -> EngineRounds | CoreRounds:
        check_seed(seed)
        kernel, found = kernel_of(self.game), core()
        if kernel is None or found is None:
            return EngineRounds(self.game, self.policies, self.low_cards, kernel)
        return kernel.rounds(found, self.game, self.policies, self.low_cards)
