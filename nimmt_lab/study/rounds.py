"""Simulate rounds of any game: with the compiled core where the game has a kernel, otherwise with the engine.

Round r of a seed is the same however rounds are split into portions, and whether the core or the engine plays it:

>>> from nimmt_lab import Classic
>>> simulator = Simulator.of(Classic(players=3))
>>> whole = simulator.play(seed=1, first=0, rounds=30)
>>> whole.data == simulator.play(1, 0, 10).data + simulator.play(1, 10, 20).data
True
>>> simulator.count(seed=1, first=0, rounds=10) + simulator.count(seed=1, first=10, rounds=20) == whole.totals()
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimmt_lab.bots import bot_names
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import check_seed
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.loader import core
from nimmt_lab.native.outcomes import Outcomes, Totals
from nimmt_lab.native.rounds import CoreRounds

from .by_engine import EngineRounds

#: Rounds per task: large enough for a cluster, and about equally long for the core and the engine.
PORTION, ENGINE_PORTION = 50_000, 100


def _each(names: str | Sequence[str], known: dict[str, int], players: int, what: Phrase) -> tuple[str, ...]:
    listed = (names,) * players if isinstance(names, str) else tuple(names)
    if len(listed) != players:
        raise RulesError("study.one_name", what=what, players=players, got=len(listed))
    for name in listed:
        if not isinstance(name, str) or (name not in known and name.partition(":")[0] in bot_names()):
            raise RulesError("study.only_policies", got=shown(name), known=", ".join(known))
        if name not in known:
            raise RulesError("study.no_such", what=what, name=shown(name), known=", ".join(known))
    return listed


@dataclass(frozen=True, slots=True)
class Simulator:
    """A game and the policies of its seats. A small value, so that it can be sent to other processes."""

    game: Game
    policies: tuple[str, ...]
    low_cards: tuple[str, ...]

    @classmethod
    def of(
        cls, game: Game, policies: str | Sequence[str] = "random", low_card: str | Sequence[str] = "cheapest"
    ) -> Simulator:
        """Create a simulator. Policies and low-card policies are names: one for all seats, or one each.

        >>> from nimmt_lab import Classic
        >>> Simulator.of(Classic(players=2), policies=("lowest", "random")).policies
        ('lowest', 'random')
        """
        n = game.players
        return cls(
            game,
            _each(policies, POLICIES, n, Phrase("study.policy")),
            _each(low_card, LOW_CARDS, n, Phrase("study.low_card_policy")),
        )

    @property
    def compiled(self) -> bool:
        return kernel_of(self.game) is not None and core() is not None

    @property
    def portion(self) -> int:
        return PORTION if self.compiled else ENGINE_PORTION

    def play(self, seed: int, first: int, rounds: int) -> Outcomes:
        """Play rounds first … first + rounds - 1 of a seed."""
        return self._rounds(seed).play(seed, first, rounds)

    def count(self, seed: int, first: int, rounds: int) -> Totals:
        """The same rounds as running totals, in constant memory."""
        return self._rounds(seed).count(seed, first, rounds)

    def _rounds(self, seed: int) -> EngineRounds | CoreRounds:
        check_seed(seed)
        kernel, native = kernel_of(self.game), core()
        if kernel is None or native is None:
            return EngineRounds(self.game, self.policies, self.low_cards, kernel)
        return kernel.rounds(native, self.game, self.policies, self.low_cards)
