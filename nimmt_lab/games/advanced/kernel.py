"""Compiled advanced mode: the classic kernel with random drafts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.games.classic.kernel import ClassicKernel, provide
from nimmt_lab.native.work import Workspace

from .rules import Advanced


class AdvancedKernel(ClassicKernel):
    kind = Advanced

    def prepare(self, work: Workspace, game: Game, policies: Sequence[int], low_cards: Sequence[int]) -> None:
        super().prepare(work, game, policies, low_cards)
        assert isinstance(game, Advanced)
        work.set("draft", 1)
        work.set("first_seat", game.first)

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]], Rng]:
        """Everybody picks at random, clockwise from the round's first picker (R-A1)."""
        assert isinstance(game, Advanced)
        picks = game.players * game.hand_size
        stream = Rng.from_seed(seed, number)
        cards, after = stream.shuffled(game.deck, take=picks)
        table = LiveTable(replace(game, first=number % game.players), stream)
        table.game.start_round(table)
        state = table.game._run(table)
        hands: list[list[int]] = [[] for _ in range(game.players)]
        for pick, card in enumerate(cards[:picks]):
            seat = (number + pick) % game.players
            hands[seat].append(card)
            state, _ = state.choose({seat: card})
        return state, hands, after


ADVANCED = AdvancedKernel()
provide(Advanced, ADVANCED)
